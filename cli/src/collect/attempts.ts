/** What is remembered of a refused login and of a server that was not reached: later runs leave it alone. No secret. */
import type { UtcMs } from '../../../src/core/schema';
import type { ConnectionError, ServerAccess } from '../../../src/hosts/host';
import type { ReachedServer } from '../servers/reaching';
import { HOUR_MS } from '../../../src/core/time';

interface Refusal {
  /** Whose login it was (`nameAttempt`). Another login may still be good. */
  readonly account: string;
  readonly sinceUtcMs: UtcMs;
  readonly sentence: string;
}

interface Loss {
  /** How often in a row. */
  readonly failures: number;
  readonly sinceUtcMs: UtcMs;
  readonly dueUtcMs: UtcMs;
  readonly sentence: string;
}

export interface Attempts {
  readonly refusal: Refusal | null;
  readonly lost: Loss | null;
}

export const NO_ATTEMPTS: Attempts = { refusal: null, lost: null };

/** What the user insists on: tries a refused login once more; tries a server that was not reached before it is due. */
export interface Insistence {
  readonly logInAgain: boolean;
  readonly tryAll: boolean;
}

/** Between one try of a server that is not reached and the next. */
const PAUSES_HOURS = [1, 2, 4, 8, 16, 24] as const;
/** A run that a scheduler begins every hour must not come a second too early. */
const SLACK_MS = 5 * 60_000;
/** The server is paused, starting, upgraded, or in single-user mode: it judged no login (docs/facts.md, Hosts 4). */
const NOT_READY: ReadonlySet<number> = new Set([17142, 17187, 18401, 18451, 18461, 40613]);

/** Whose login it is, and by which token: another token of the same account may still be good. */
export async function nameAttempt(
  { account }: ServerAccess,
  { markSecret }: Pick<ReachedServer['world'], 'markSecret'>,
): Promise<string> {
  const mark = (await markSecret?.()) ?? null;
  return mark === null ? account.key : `${account.key} ${mark}`;
}

/** Why the server is not asked in this run; null: it is. */
export function findHold(
  { refusal, lost }: Attempts,
  account: string,
  nowUtcMs: number,
  { logInAgain, tryAll }: Insistence,
): { readonly outcome: 'login refused' | 'held back'; readonly reason: string } | null {
  if (refusal?.account === account && !logInAgain)
    return {
      outcome: 'login refused',
      reason: `The server refused this login at ${show(refusal.sinceUtcMs, nowUtcMs)}, so it is not sent again: ${refusal.sentence} collect --log-in-again retries it.`,
    };
  const leftMs = (lost?.dueUtcMs ?? nowUtcMs) - nowUtcMs;
  // Of a later moment than the longest pause allows: our clock was ahead. The server does not wait for it.
  if (lost !== null && leftMs > 0 && leftMs <= findPauseMs(lost.failures) && !tryAll)
    return {
      outcome: 'held back',
      reason: `Not reached since ${show(lost.sinceUtcMs, nowUtcMs)}, so it is tried again after ${show(lost.dueUtcMs)}: ${lost.sentence} collect --try-all tries it now.`,
    };
  return null;
}

/** From a try that failed, which is the n-th in a row, to the next. */
function findPauseMs(failures: number): number {
  return (PAUSES_HOURS[Math.min(failures, PAUSES_HOURS.length) - 1] as number) * HOUR_MS - SLACK_MS;
}

interface Attempt {
  readonly account: string;
  readonly atUtcMs: number;
  readonly end: 'let in' | 'not reached' | 'other';
  /** The sentence of a server that was not reached. */
  readonly reason: string | null;
  /** The login was sent, and this is what the server said. */
  readonly refusal: ConnectionError | null;
}

export function noteAttempt(before: Attempts, { account, atUtcMs, end, reason, refusal }: Attempt): Attempts {
  if (end === 'let in') return before.refusal === null && before.lost === null ? before : NO_ATTEMPTS;
  if (refusal !== null) {
    const isJudged = !NOT_READY.has(refusal.number ?? 0);
    const judged = { account, sinceUtcMs: atUtcMs, sentence: refusal.message };
    return { refusal: isJudged ? judged : before.refusal, lost: null };
  }
  if (end !== 'not reached') return before;
  const failures = (before.lost?.failures ?? 0) + 1;
  const sinceUtcMs = Math.min(before.lost?.sinceUtcMs ?? atUtcMs, atUtcMs);
  const dueUtcMs = atUtcMs + findPauseMs(failures);
  return { ...before, lost: { failures, sinceUtcMs, dueUtcMs, sentence: reason ?? '' } };
}

/** @param nowUtcMs of a moment that cannot lie ahead */
function show(utcMs: number, nowUtcMs = Infinity): string {
  return `${new Date(utcMs).toISOString().slice(0, 16).replace('T', ' ')} UTC${utcMs > nowUtcMs ? ' (by a clock that was ahead)' : ''}`;
}
