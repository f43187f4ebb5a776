import { countOf } from '../format';
import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { notObservable, type Observed, observed } from '../observed';
import { ROWS_A_STEP, type Steps } from '../steps';
import { pickRank } from '../statistics/nearest-rank';
import { sortNumbers } from '../sorted';

/** Fewer checkpoints are no measure of a scan. */
const LEAST_CHECKPOINTS = 20;
/** A checkpoint with nothing to write lasts as long as its scan; few have nothing, so one of the shortest stands for them. */
const LOW_PERCENT = 10;
/** This share of the databases, those that wrote least, are called quiet. */
const QUIET_SHARE = 0.25;

/** What a scan of this server's buffer pool costs, as its own quiet databases show it. */
export interface OwnScanCost {
  /** A low percentile of the durations: an upper bound of the scan, for even a quiet database writes something. */
  readonly costMs: number;
  readonly checkpoints: number;
  readonly databases: number;
  /** Whether the quiet ones are known by the log that they wrote, or all databases had to do. */
  readonly chosenBy: 'log bytes' | 'duration alone';
}

/**
 * The scan cost of an automatic checkpoint, measured: every one scans the whole buffer pool, whatever it has to write (docs/facts.md, SQL Server 1). To be
 * shown beside the estimate from memory.
 * @param rows checkpoints of the one automatic task
 * @param logBytes log written by each database in the window, by index; one that is missing is not known
 */
export function* measureOwnScanCost(
  columns: CheckpointColumns,
  rows: Uint32Array,
  logBytes: ReadonlyMap<number, number>,
): Steps<Observed<OwnScanCost>> {
  const counts = yield* countRows(columns, rows);
  const quiet = findQuiet(counts, logBytes);
  const chosen = quiet ?? new Set(counts.keys());
  const durations = new Float64Array([...chosen].reduce((sum, database) => sum + (counts.get(database) ?? 0), 0));
  for (let i = 0, place = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    if (chosen.has(columns.database[row] ?? 0)) durations[place++] = columns.durationMs[row] ?? 0;
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  if (durations.length < LEAST_CHECKPOINTS) {
    return notObservable(
      `${countOf(durations.length, 'automatic checkpoint of a quiet database was', 'automatic checkpoints of quiet databases were')} seen; a scan is told from ${LEAST_CHECKPOINTS} or more.`,
    );
  }
  const costMs = pickRank(yield* sortNumbers(durations), LOW_PERCENT) ?? 0;
  return observed({
    costMs,
    checkpoints: durations.length,
    databases: chosen.size,
    chosenBy: quiet === null ? 'duration alone' : 'log bytes',
  });
}

function* countRows(columns: CheckpointColumns, rows: Uint32Array): Steps<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (let i = 0; i < rows.length; i++) {
    const database = columns.database[rows[i] ?? 0] ?? 0;
    counts.set(database, (counts.get(database) ?? 0) + 1);
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
}

/** The quarter of the databases that wrote least log for each checkpoint, more of them until there are enough checkpoints; null where log is not known. */
function findQuiet(counts: ReadonlyMap<number, number>, logBytes: ReadonlyMap<number, number>): ReadonlySet<number> | null {
  const ranked = [...counts]
    .flatMap(([database, count]) => {
      const bytes = logBytes.get(database);
      return bytes === undefined ? [] : [{ database, count, perCheckpoint: bytes / count }];
    })
    .sort((a, b) => a.perCheckpoint - b.perCheckpoint || a.database - b.database);
  if (ranked.length === 0) return null;
  const quiet = new Set<number>();
  let checkpoints = 0;
  for (const { database, count } of ranked) {
    if (quiet.size >= Math.ceil(QUIET_SHARE * counts.size) && checkpoints >= LEAST_CHECKPOINTS) break;
    quiet.add(database);
    checkpoints += count;
  }
  return quiet;
}
