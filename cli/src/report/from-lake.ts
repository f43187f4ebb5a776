/** What a report says of servers that are not asked: by what the lake has of them. */
import { DEFAULT_BOUND } from '../../../src/core/advice/instance';
import type { PolicyInForce } from '../../../src/core/advice/policy';
import { checkPreflight } from '../../../src/core/advice/rules/preflight';
import { type KeptRecord, restoreRecord } from '../../../src/core/capture/capture-record';
import { finishSteps } from '../../../src/core/steps';
import { CHANGES_SECTION, decodeChanges } from '../../../src/monitor/evidence/kept-changes';
import { judgeServer, summarizeCapture } from '../../../src/monitor/facts/judgement';
import type { ServerState } from '../collect/server-state';
import { FINE, type Outcome } from '../collect/server-run';
import type { Lake } from '../lake/lake';
import { restoreFacts } from '../look/lake-facts';
import { readStates, readStoredCaptures, visitRows } from '../look/stored-captures';
import { describeServer, type JudgedServer, type ReportedServer } from './reported-server';

const DAY_MS = 24 * 60 * 60_000;

/** The last runs of a server. */
interface Runs {
  readonly last: { readonly startedUtcMs: number; readonly outcome: Outcome; readonly reason: string | null } | null;
  /** When it was last read; null: not in these days. */
  readonly readUtcMs: number | null;
}

/** @param report is told of each server that cannot be read of the lake */
export async function describeLake(
  lake: Lake,
  days: number,
  { policy, problems, unreadable }: PolicyInForce,
  report: (server: string, problem: string) => void,
): Promise<readonly ReportedServer[]> {
  const states = await readStates(lake, null, report);
  const captures = await readStoredCaptures(lake, states, days, report);
  const runs = await readRuns(lake, days);
  const names = new Set([...states.keys(), ...runs.keys()]);
  return [...names].map((name): ReportedServer => {
    const { last = null, readUtcMs = null } = runs.get(name) ?? {};
    const capture = captures.get(name) ?? null;
    const seenUtcMs = readUtcMs ?? capture?.observation?.endUtcMs ?? null;
    const judged = judge(states.get(name), capture, seenUtcMs ?? 0, { policy, problems, ...(unreadable && { unreadable }) });
    const trouble = last === null ? `No run in the last ${days} days.` : describeTrouble(last);
    return { name, seenUtcMs, trouble, known: judged && describeServer(judged), picture: judged };
  });
}

function describeTrouble({ outcome, reason }: NonNullable<Runs['last']>): string | null {
  return FINE.has(outcome) ? null : `Last run: ${outcome}${reason === null ? '.' : `. ${reason}`}`;
}

async function readRuns(lake: Lake, days: number): Promise<ReadonlyMap<string, Runs>> {
  const nowMs = Date.now();
  const dates = new Set(Array.from({ length: days + 1 }, (_, day) => new Date(nowMs - day * DAY_MS).toISOString().slice(0, 10)));
  const runs = new Map<string, Runs>();
  await visitRows(lake, 'runs', dates, (rows, at) => {
    const server = rows.server?.[at] as string;
    const startedUtcMs = rows.started_utc?.[at] as number;
    const { last = null, readUtcMs = null } = runs.get(server) ?? {};
    const isLater = startedUtcMs >= (last?.startedUtcMs ?? -Infinity);
    const wasRead = rows.server_name?.[at] != null;
    runs.set(server, {
      last: isLater ? { startedUtcMs, outcome: rows.outcome?.[at] as Outcome, reason: (rows.reason?.[at] ?? null) as string | null } : last,
      readUtcMs: wasRead ? Math.max(readUtcMs ?? startedUtcMs, startedUtcMs) : readUtcMs,
    });
  });
  return runs;
}

function judge(
  state: ServerState | undefined,
  kept: KeptRecord | null,
  readUtcMs: number,
  { policy, problems, unreadable }: PolicyInForce,
): JudgedServer | null {
  const offsetMinutes = kept?.following?.snapshot.utcOffsetMinutes ?? 0;
  const facts = state === undefined ? null : restoreFacts(state.facts, kept?.observation?.endUtcMs ?? readUtcMs, offsetMinutes);
  if (facts === null) return null;
  const capture = kept === null ? null : restoreRecord(kept);
  const section = kept?.sections.find(({ name }) => name === CHANGES_SECTION);
  const changes = section === undefined ? [] : decodeChanges(section.bytes).changes;
  const summary = finishSteps(summarizeCapture(capture, facts, { backups: null, changes }));
  const preflight = finishSteps(checkPreflight(facts, facts.databases, problems, unreadable));
  const tracked = kept?.trackedDatabaseIds == null ? null : new Set(kept.trackedDatabaseIds);
  const grounds = { policy, preflight, known: null, bound: DEFAULT_BOUND, blind: null, before: null };
  const { instance, databases } = finishSteps(judgeServer(facts, summary, tracked, grounds));
  return { facts, instance, verdicts: databases, statistics: summary?.statistics ?? new Map(), changes, capture };
}
