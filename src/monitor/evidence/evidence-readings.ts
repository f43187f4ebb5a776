import type { Facts } from '../../core/advice/facts';
import type { LimitLook } from '../../core/advice/limits';
import { createErrorLogCollector, type ErrorLogReading, placeRow } from '../../core/errorlog/error-log';
import type { ErrorLogRow } from '../../core/errorlog/error-log-row';
import type { OffsetObservation } from '../../core/errorlog/server-clock';
import type { BackupRun } from '../../core/task/backup-rows';
import { REACH_MS } from '../../core/comparison/comparison';
import type { Observed } from '../../core/observed';
import type { Steps } from '../../core/steps';
import { toLocalMs } from '../../core/time';
import { readBackups, type ServerBackups } from '../facts/backups-reading';
import {
  type ErrorLogReadingResult,
  lacksPermission,
  readErrorLogContext,
  readErrorLogs,
} from '../facts/error-log-reading';
import type { KnownBackups } from '../facts/judgement';
import type { ServerQuery } from '../queries/server-query';
import type { Timing } from '../queries/slices';
import { readServerClock, type ServerClockReading } from '../facts/facts-reading';
import { joinLooks } from './kept-changes';
import { readLimitLook, type LimitLookReading } from '../facts/limit-look-reading';

/**
 * Error log and backups are read again after this time while a page is open: the server goes through a whole log for
 * each reading.
 */
const INTERVAL_MS = 10 * 60_000;
/** After a lost connection. */
const RETRY_MS = 60_000;
/** If there are more rows, the oldest are let go. */
const MOST_ROWS = 100_000;
const ROWS_A_STEP = 2_000;

export interface LoggedEvidence {
  readonly reading: ErrorLogReading;
  readonly result: ErrorLogReadingResult;
  /** Rows that were let go because there are too many. */
  readonly rowsLetGo: number;
}

/** What was read for evidence of a server that nothing was read of yet, and when more is due. */
export const NOTHING_READ = {
  backups: null as Observed<ServerBackups> | null,
  /** Backups by name of the database, to be compared with checkpoints; null: not read, or not observable. */
  knownBackups: null as KnownBackups | null,
  /** What was read for limits, oldest first; and why the last look lacks figures, null if this window has read none. */
  looks: [] as readonly LimitLook[],
  lookReasons: null as LimitLookReading['reasons'] | null,
  /** The last reading of the error log, and the rows of all of them. */
  result: null as ErrorLogReadingResult | null,
  rows: [] as readonly ErrorLogRow[],
  rowsLetGo: 0,
  context: null as Awaited<ReturnType<typeof readErrorLogContext>> | null,
  clock: null as ServerClockReading | null,
  dueMs: -Infinity,
  heldUntilMs: -Infinity,
};
export type EvidenceReadings = Readonly<typeof NOTHING_READ>;
type News = Partial<EvidenceReadings>;

export const onReadings = {
  begin: (_: EvidenceReadings, nowMs: number): News => ({ dueMs: nowMs + INTERVAL_MS }),
  lost: (_: EvidenceReadings, nowMs: number): News => ({ dueMs: nowMs + RETRY_MS }),
  /** Nothing is due until then, and everything after it. */
  hold: (_: EvidenceReadings, heldUntilMs: number): News => ({ heldUntilMs, dueMs: -Infinity }),
  log: ({ rows: before, rowsLetGo }: EvidenceReadings, result: ErrorLogReadingResult): News => {
    const rows = [...before, ...result.rows];
    return {
      result,
      rows: rows.slice(-MOST_ROWS),
      rowsLetGo: rowsLetGo + Math.max(0, rows.length - MOST_ROWS),
    };
  },
  look: (
    { looks, backups }: EvidenceReadings,
    { look, reasons }: LimitLookReading,
    readUtcMs: number,
  ): News => {
    const byName = backups?.kind === 'observed' ? joinBackups(backups.value) : null;
    return {
      looks: joinLooks(looks, [look]),
      lookReasons: reasons,
      knownBackups: byName && { byName, readUtcMs },
    };
  },
  /** An earlier window kept these looks. */
  keptLooks: ({ looks }: EvidenceReadings, kept: readonly LimitLook[]): News => ({
    looks: joinLooks(kept, looks),
  }),
};

export function isDue({ heldUntilMs, dueMs }: EvidenceReadings, nowMs: number): boolean {
  return nowMs >= Math.max(heldUntilMs, dueMs);
}

/**
 * Reads what is new, and gives it piece by piece.
 * @param now what is known by then
 * @throws ConnectionError if the server could not be asked at all
 */
export async function* readMore(
  query: ServerQuery,
  facts: Facts,
  world: Pick<Timing, 'elapsedMs'> & {
    readonly pause: () => Promise<void>;
    readonly targetMisses: () => number | null;
  },
  now: () => EvidenceReadings,
): AsyncGenerator<News> {
  const { nowUtcMs, utcOffsetMinutes, serverName } = facts.server;
  const { elapsedMs, pause, targetMisses } = world;
  const { context, result } = now();
  yield onReadings.begin(now(), elapsedMs());
  const sinceUtcMs = nowUtcMs - REACH_MS;
  const sinceLocalMs = toLocalMs(sinceUtcMs, utcOffsetMinutes);
  if (context === null) yield { context: await readErrorLogContext(query, sinceLocalMs) };
  const clock = await readServerClock(query, serverName);
  yield { clock };
  const offset = clock && {
    localMs: toLocalMs(clock.nowUtcMs, clock.utcOffsetMinutes),
    offsetMinutes: clock.utcOffsetMinutes,
  };
  // The rows are taken together with how far they reach. Otherwise a later failure would lose them: they would not be
  // asked for again.
  const rows = await readErrorLogs(query, result?.cursor ?? sinceLocalMs, elapsedMs, offset);
  yield onReadings.log(now(), rows);
  yield { backups: await readBackups({ query, pause, sinceUtcMs, utcOffsetMinutes }) };
  const readUtcMs = clock?.nowUtcMs ?? nowUtcMs;
  const { look, reasons } = await readLimitLook(query, facts, readUtcMs);
  yield onReadings.look(now(), { look: { ...look, targetMisses: targetMisses() }, reasons }, readUtcMs);
}

/** Known offsets of the server's clock: shortly before the log was read, from backups, and from other observations. */
export function findClock(
  { context, clock }: EvidenceReadings,
  { server }: Facts,
  more: readonly OffsetObservation[] = [],
): readonly OffsetObservation[] {
  const { nowUtcMs, utcOffsetMinutes } = clock ?? server;
  const now = { localMs: toLocalMs(nowUtcMs, utcOffsetMinutes), offsetMinutes: utcOffsetMinutes };
  return [...(context?.observations ?? []), ...more, now];
}

/** What the rows say; null if no log could be read. */
export function* readLog(readings: EvidenceReadings, facts: Facts): Steps<LoggedEvidence | null> {
  const { result, rows, rowsLetGo, context } = readings;
  if (result === null || (result.way === null && rows.length === 0)) return null;
  const collector = createErrorLogCollector({
    clock: findClock(readings, facts),
    templates: context?.templates ?? [],
  });
  for (const [at, row] of rows.entries()) {
    collector.take(placeRow(row, at + 1));
    if (at % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  yield;
  return { reading: collector.end(), result, rowsLetGo };
}

/** Why no log could be read; empty before the first reading. */
export function listRefusals({ result }: EvidenceReadings): readonly string[] {
  return result?.way === null ? result.limits : [];
}

/** SQL Server allowed this login no way to the log. */
export function isLogRefused({ result }: EvidenceReadings): boolean {
  return result?.way === null && result.refusals.some(lacksPermission);
}

function joinBackups({ full, log }: ServerBackups): ReadonlyMap<string, readonly BackupRun[]> {
  const runs = new Map<string, readonly BackupRun[]>();
  for (const { databaseName, runs: more } of [...full.databases, ...log.databases]) {
    runs.set(databaseName, [...(runs.get(databaseName) ?? []), ...more]);
  }
  return runs;
}
