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
import { type ErrorLogReadingResult, isRefusal, readErrorLogContext, readErrorLogs } from '../facts/error-log-reading';
import type { KnownBackups } from '../facts/judgement';
import type { ServerQuery } from '../queries/server-query';
import { readServerClock, type ServerClockReading } from '../tracking/session-looks';
import { joinLooks } from './kept-changes';
import { readLimitLook, type LimitLookReading } from '../facts/limit-look-reading';

/** Error log and backups are read again after this time while somebody looks: the server goes through a whole log for each reading. */
const INTERVAL_MS = 10 * 60_000;
/** After a lost connection. */
const RETRY_MS = 60_000;
/** If there are more rows, the oldest are let go. */
const MOST_ROWS = 100_000;
const ROWS_A_STEP = 2_000;

/** What the error log says, and how it was read. */
export interface LoggedEvidence {
  readonly reading: ErrorLogReading;
  readonly result: ErrorLogReadingResult;
  /** Rows that were let go because there are too many. */
  readonly rowsLetGo: number;
}

/** The error log and the backups of one server, read when somebody looks at evidence. Another server has its own. */
export class EvidenceReadings {
  backups: Observed<ServerBackups> | null = null;
  /** Backups by name of the database, to be compared with checkpoints; null: not read, or not observable. */
  knownBackups: KnownBackups | null = null;
  /** What was read for limits, oldest first; and why the last look lacks figures, null if this window has read none. */
  looks: readonly LimitLook[] = [];
  lookReasons: LimitLookReading['reasons'] | null = null;
  private result: ErrorLogReadingResult | null = null;
  private rows: readonly ErrorLogRow[] = [];
  private rowsLetGo = 0;
  private context: Awaited<ReturnType<typeof readErrorLogContext>> | null = null;
  private clock: ServerClockReading | null = null;
  private dueMs = -Infinity;
  private heldUntilMs = -Infinity;

  constructor(
    private readonly query: ServerQuery,
    private readonly elapsedMs: () => number,
    private readonly pause: () => Promise<void>,
  ) {}

  get isDue(): boolean {
    return this.elapsedMs() >= Math.max(this.heldUntilMs, this.dueMs);
  }

  /** Nothing is due for this time, and everything after it. */
  hold(durationMs: number): void {
    this.heldUntilMs = this.elapsedMs() + durationMs;
    this.dueMs = -Infinity;
  }

  /** Known offsets of the server's clock: shortly before the log was read, from backups, and from other observations. */
  findClock({ server }: Facts, more: readonly OffsetObservation[] = []): readonly OffsetObservation[] {
    const { nowUtcMs, utcOffsetMinutes } = this.clock ?? server;
    const now = { localMs: toLocalMs(nowUtcMs, utcOffsetMinutes), offsetMinutes: utcOffsetMinutes };
    return [...(this.context?.observations ?? []), ...more, now];
  }

  /** Reads what is new. @param targetMisses see LimitLook @param signal aborted if nobody wants it any more @throws ConnectionError if the server could not be asked at all */
  async read(facts: Facts, targetMisses: number | null, signal: AbortSignal): Promise<void> {
    const { nowUtcMs, utcOffsetMinutes, serverName } = facts.server;
    this.dueMs = this.elapsedMs() + INTERVAL_MS;
    const sinceUtcMs = nowUtcMs - REACH_MS;
    const sinceLocalMs = toLocalMs(sinceUtcMs, utcOffsetMinutes);
    try {
      this.context ??= await readErrorLogContext(this.query, sinceLocalMs);
      const clock = (this.clock = await readServerClock(this.query, serverName));
      const now = clock && { localMs: toLocalMs(clock.nowUtcMs, clock.utcOffsetMinutes), offsetMinutes: clock.utcOffsetMinutes };
      // The rows are taken together with how far they reach. Otherwise a later failure would lose them: they would not be asked for again.
      this.takeRows(await readErrorLogs(this.query, this.result?.cursor ?? sinceLocalMs, this.elapsedMs, now));
      this.backups = await readBackups({ query: this.query, pause: this.pause }, { sinceUtcMs, utcOffsetMinutes });
      const byName = this.backups.kind === 'observed' ? joinBackups(this.backups.value) : null;
      const readUtcMs = this.clock?.nowUtcMs ?? nowUtcMs;
      const { look, reasons } = await readLimitLook(this.query, facts, readUtcMs);
      [this.looks, this.lookReasons] = [joinLooks(this.looks, [{ ...look, targetMisses }]), reasons];
      this.knownBackups = byName && { byName, readUtcMs };
    } catch (error) {
      if (!signal.aborted) this.dueMs = this.elapsedMs() + RETRY_MS;
      throw error;
    }
  }

  /** Takes the looks that an earlier window kept. */
  takeUpLooks(looks: readonly LimitLook[]): void {
    this.looks = joinLooks(looks, this.looks);
  }

  private takeRows(result: ErrorLogReadingResult): void {
    this.result = result;
    const rows = [...this.rows, ...result.rows];
    this.rowsLetGo += Math.max(0, rows.length - MOST_ROWS);
    this.rows = rows.slice(-MOST_ROWS);
  }

  /** What the rows say; null if no log could be read. */
  *readLog(facts: Facts): Steps<LoggedEvidence | null> {
    const { result, rows, rowsLetGo } = this;
    if (result === null || (result.way === null && rows.length === 0)) return null;
    const collector = createErrorLogCollector({ clock: this.findClock(facts), templates: this.context?.templates ?? [] });
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      if (row !== undefined) collector.take(placeRow(row, i + 1));
      if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    }
    yield;
    return { reading: collector.end(), result, rowsLetGo };
  }

  /** Why no log could be read; empty before the first reading. */
  get refusals(): readonly string[] {
    return this.result?.way === null ? this.result.limits : [];
  }

  /** SQL Server allowed this login no way to the log. */
  get isRefused(): boolean {
    return this.result?.way === null && this.result.refusals.some(isRefusal);
  }
}

/** Backups of all kinds by name of the database. */
function joinBackups({ full, log }: ServerBackups): ReadonlyMap<string, readonly BackupRun[]> {
  const runs = new Map<string, readonly BackupRun[]>();
  for (const { databaseName, runs: more } of [...full.databases, ...log.databases]) {
    runs.set(databaseName, [...(runs.get(databaseName) ?? []), ...more]);
  }
  return runs;
}
