/** What a run reads besides events and facts, as rows: samples of the counters, and messages of the error log. */
import type { Facts } from '../../../src/core/advice/facts';
import type { Observed } from '../../../src/core/observed';
import { COUNTER_FIGURES, FILE_FIGURES, INSTANCE_FIGURES } from '../../../src/core/write-work/work-samples';
import type { ServerMoment } from '../../../src/core/write-work/work-readings';
import { ConnectionError } from '../../../src/hosts/host';
import { addRow, createRows, type LakeRows } from '../../../src/lake/data-files';
import type { TableName } from '../../../src/lake/tables';
import type { ReadAlong } from '../../../src/monitor/evidence/along-reading';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type LogPosition, takeErrorLog } from './log-messages';

export interface AlongWanted {
  readonly samples: boolean;
  /** Between two readings of the error log by the server's clock, which goes through all of it each time; 0: never. */
  readonly errorLogMs: number;
}

export interface Along {
  readonly rows: Partial<Record<TableName, LakeRows>>;
  /** Columns of `runs`. */
  readonly columns: {
    readonly log_rows_read: number | null;
    readonly log_rows_unrecognised: number | null;
    readonly not_observed: string | null;
  };
  /** How the error log goes on. */
  readonly log: LogPosition | null;
}

/** Runs of a scheduler come some seconds early or late: else a run every hour would read the log every other hour. */
const EARLY_SHARE = 0.9;

/**
 * Asks for it in what is left of the server's time. @param ownUtcMs the collector's clock
 * @returns null if there was nothing to ask for, or no time left: the next run has it
 */
export async function askAlong(
  monitor: ServerMonitor,
  log: LogPosition | null,
  { samples, errorLogMs }: AlongWanted,
  ownUtcMs: number,
  signal: AbortSignal,
): Promise<ReadAlong | null> {
  const { facts, connection } = monitor.snapshot;
  if (facts === null || connection !== 'connected' || signal.aborted) return null;
  const { serverName, nowUtcMs } = facts.server;
  const before = log?.serverName === serverName ? log : null;
  const isDue =
    errorLogMs > 0 && (before === null || Math.abs(nowUtcMs - before.readUtcMs) >= EARLY_SHARE * errorLogMs);
  if (!samples && !isDue) return null;
  const { cursor, offsets } = before ?? { cursor: null, offsets: [] };
  const errorLog = isDue ? { cursor, offsets, ownUtcMs } : null;
  try {
    const read = await monitor.readAlong({ server: facts.server, counters: samples, errorLog }, signal);
    return signal.aborted ? leaveOutCancelled(read) : read;
  } catch (error) {
    if (error instanceof ConnectionError) return null;
    throw error;
  }
}

/** What the time was too short for. */
function leaveOutCancelled({ counters, errorLog }: ReadAlong): ReadAlong {
  const isWhole =
    counters !== null && Object.values(counters).every(({ kind }: Observed<unknown>) => kind === 'observed');
  return { counters: isWhole ? counters : null, errorLog: errorLog?.kind === 'observed' ? errorLog : null };
}

export function harvestAlong(
  server: string,
  read: ReadAlong | null,
  facts: Facts | null,
  before: LogPosition | null,
): Along {
  const reasons: string[] = [];
  const rows: Partial<Record<TableName, LakeRows>> = {};
  if (read?.counters != null) rows.samples = listSamples(server, read.counters, reasons);
  const none = { log_rows_read: null, log_rows_unrecognised: null };
  if (read?.errorLog == null || facts === null)
    return { rows, columns: { ...none, not_observed: joinReasons(reasons) }, log: before };
  if (read.errorLog.kind === 'not observable') {
    const not_observed = joinReasons([...reasons, `Error log: ${read.errorLog.reason}`]);
    return { rows, columns: { ...none, not_observed }, log: before };
  }
  const { counts, ...taken } = takeErrorLog(server, read.errorLog.value, facts, before);
  rows.log_messages = taken.rows;
  const not_observed = joinReasons([...reasons, ...taken.missing.map((reason) => `Error log: ${reason}`)]);
  return { rows, columns: { ...(counts ?? none), not_observed }, log: taken.log };
}

const joinReasons = (reasons: readonly string[]): string | null =>
  reasons.length === 0 ? null : reasons.join('; ');

/** One row of the instance, and one of each database. @param reasons takes why figures are missing */
function listSamples(
  server: string,
  { instance, files, counters }: NonNullable<ReadAlong['counters']>,
  reasons: string[],
): LakeRows {
  const rows = createRows('samples');
  const missing = [instance, files, counters].flatMap((part) =>
    part.kind === 'observed' ? [] : part.reason,
  );
  reasons.push(...new Set(missing.map((reason) => `Samples: ${reason}`)));
  if (instance.kind === 'observed') {
    const { moment, figures, allWaitMs: all_wait_ms } = instance.value;
    const named = nameFigures(INSTANCE_FIGURES, figures);
    addRow(rows, { server, ...placeMoment(moment), ...named, all_wait_ms });
  }
  if (files.kind !== 'observed') return rows;
  const ofCounters = counters.kind === 'observed' ? counters.value.figures : new Map<string, Float64Array>();
  let untyped = 0;
  const { moment, databases } = files.value;
  for (const { databaseId, name, createdLocal, counterInstance, untypedFiles, figures } of databases) {
    if ((untypedFiles ?? 0) > 0) untyped++;
    addRow(rows, {
      server,
      ...placeMoment(moment),
      database_id: databaseId,
      database_name: name,
      created_local: createdLocal,
      ...nameFigures(FILE_FIGURES, figures),
      ...nameFigures(COUNTER_FIGURES, ofCounters.get(counterInstance)),
    });
  }
  const unknown = `this login cannot tell data from log files (databases: ${untyped})`;
  if (untyped > 0) reasons.push(`Samples: ${unknown}. VIEW ANY DEFINITION would show them.`);
  return rows;
}

const placeMoment = ({ nowUtcMs, ticksMs, startedTicksMs }: ServerMoment) => ({
  sampled_utc: nowUtcMs,
  server_ticks_ms: ticksMs,
  instance_started_ticks_ms: startedTicksMs,
});

/** The column of a figure: `data_writes` for `dataWrites`. */
export const nameCell = (figure: string): string =>
  figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A counter that is not there is NaN, and NULL in the lake. */
function nameFigures(
  names: readonly string[],
  figures: Float64Array | undefined,
): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    names.map((name, at) => {
      const figure = figures?.[at] ?? NaN;
      return [nameCell(name), Number.isNaN(figure) ? null : figure];
    }),
  );
}
