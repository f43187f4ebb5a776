import type { CheckpointColumns } from '../capture/checkpoint-columns';
import type { BackupRun } from '../task/backup-rows';
import { BLOCK_MS, type DatabaseBlock } from '../write-work/block';
import type { ComparedDatabase, ComparisonInput } from './comparison-input';
import type { MeasureId, WorkloadId } from './comparison-measure';
import { BlockSums, isWithin, type LocalClock } from './local-blocks';
import type { SideFigure } from './matched-days';
import { observationOf } from '../capture/unrecorded';
import { findObservedPieces, isInPieces } from '../statistics/observed-time';
import type { TimeWindow } from '../statistics/statistics';
import { pickRank } from '../sorted';
import { addToList } from '../lists';

const HOUR_MS = 3_600_000;
const GB = 2 ** 30;
const PAGE_BYTES = 8192;

/** Log reuse that waits for page writes (Microsoft Learn, "sys.databases", log_reuse_wait). */
const CHECKPOINT_WAITS: readonly string[] = ['CHECKPOINT', 'OLDEST_PAGE'];

/** The figures of one side of a change. If a measure is missing, it could not be observed. */
export type SideFigures = Partial<Readonly<Record<MeasureId | WorkloadId, SideFigure>>>;

/** Rows of one database in the capture's columns. */
export type RowsOf = (database: number) => Uint32Array;

/** Log bytes of all databases, by the begin of a block: how much work the instance did. */
export type LogByBlock = ReadonlyMap<number, number>;

/** Everything that can be measured of one database, and of the instance, on one side of a change. */
export function measureSide(
  input: ComparisonInput,
  { one, side, clock }: { readonly one: ComparedDatabase; readonly side: TimeWindow; readonly clock: LocalClock },
  rowsOf: RowsOf,
  logs: LogByBlock,
): SideFigures {
  const { database } = one;
  const pieces = database === null ? null : findObservedPieces(side, observationOf(input.observation, database));
  return {
    ...measureBlocks(one.blocks, side, clock),
    ...(database === null || pieces === null ? {} : measureCheckpoints(input.columns, rowsOf(database), pieces, side, clock)),
    ...measureFlushCache(one.flushCacheUtcMs, input.errorLog, side, clock),
    ...measureBackups(one.backups, side, clock),
    ...measureInstance(input, logs, side, clock),
  };
}

type Quotient = (block: DatabaseBlock) => readonly [numerator: number, denominator: number];

const QUOTIENTS: Partial<Readonly<Record<MeasureId | WorkloadId, Quotient>>> = {
  'write work': (block) => [block.dataWrittenBytes, block.logWrittenBytes],
  'write rate': (block) => [block.dataWrittenBytes, block.observedMs / HOUR_MS],
  'write work per transaction': (block) => [block.dataWrittenBytes, block.writeTransactions ?? NaN],
  'data latency': (block) => [block.dataWriteStallMs, block.dataWrites],
  'log latency': (block) => [block.logWriteStallMs, block.logWrites],
  'log reuse': ({ logReuseWaits: waits }) =>
    waits === undefined ? [NaN, NaN] : [waits.some((wait) => CHECKPOINT_WAITS.includes(wait)) ? 1 : 0, 1],
  'log rate': (block) => [block.logWrittenBytes, block.observedMs / HOUR_MS],
  'transaction rate': (block) => [block.writeTransactions ?? NaN, block.observedMs / HOUR_MS],
  'log per transaction': (block) => [block.logWrittenBytes, block.writeTransactions ?? NaN],
};

function measureBlocks(blocks: readonly DatabaseBlock[], side: TimeWindow, clock: LocalClock): SideFigures {
  const figures = (Object.entries(QUOTIENTS) as [MeasureId | WorkloadId, Quotient][]).map(
    ([id, quotient]) => [id, quotient, new BlockSums(clock, side)] as const,
  );
  for (const block of blocks) {
    if (!isWithin(block.beginUtcMs, side)) continue;
    const index = clock.indexOf(block.beginUtcMs);
    for (const [, quotient, sums] of figures) {
      const [numerator, denominator] = quotient(block);
      sums.addTo(index, block.observedMs, numerator, denominator);
    }
  }
  return keepObservable(figures.map(([id, , sums]) => [id, sums]));
}

function keepObservable(figures: readonly (readonly [MeasureId | WorkloadId, BlockSums])[]): SideFigures {
  return Object.fromEntries(figures.filter(([, sums]) => sums.isObservable));
}

/** A checkpoint belongs to the block in which it begins. It does not count if it begins in time that was not observed. */
function measureCheckpoints(
  columns: CheckpointColumns,
  rows: Uint32Array,
  pieces: Float64Array,
  side: TimeWindow,
  clock: LocalClock,
): SideFigures {
  const seconds = new BlockSums(clock, side);
  const count = new BlockSums(clock, side);
  addObserved(pieces, (atUtcMs, observedMs) => {
    seconds.add(atUtcMs, observedMs, 0, observedMs / HOUR_MS);
    count.add(atUtcMs, observedMs, 0, observedMs / HOUR_MS);
  });
  const durations = new Map<number, number[]>();
  for (const row of rows) {
    const beginUtcMs = columns.beginUtcMs[row] ?? NaN;
    if (!isInPieces(pieces, beginUtcMs)) continue;
    const durationMs = columns.durationMs[row] ?? 0;
    seconds.add(beginUtcMs, 0, durationMs / 1000, 0);
    count.add(beginUtcMs, 0, 1, 0);
    addToList(durations, clock.indexOf(beginUtcMs), durationMs);
  }
  return {
    'checkpoint seconds': seconds,
    'checkpoint rate': count,
    'checkpoint p50': rankDurations(count, durations, 50),
    'checkpoint p95': rankDurations(count, durations, 95),
    'checkpoint maximum': rankDurations(count, durations, 100),
  };
}

/** Nearest rank, as in all figures. */
function rankDurations(observed: SideFigure, durations: ReadonlyMap<number, readonly number[]>, percent: number): SideFigure {
  return {
    first: observed.first,
    length: observed.length,
    counts: (index) => observed.counts(index),
    figureOf: (indexes) => {
      return pickRank(Float64Array.from(indexes.flatMap((index) => durations.get(index) ?? [])).sort(), percent);
    },
  };
}

/** Tells, for each quarter of an hour, how much of it lies in the pieces. */
function addObserved(pieces: Float64Array, add: (atUtcMs: number, observedMs: number) => void): void {
  for (let i = 0; i + 1 < pieces.length; i += 2) {
    const end = pieces[i + 1] ?? 0;
    for (let at = pieces[i] ?? 0; at < end;) {
      const next = Math.min(end, (Math.floor(at / BLOCK_MS) + 1) * BLOCK_MS);
      add(at, next - at);
      at = next;
    }
  }
}

function measureFlushCache(
  moments: readonly number[] | null,
  errorLog: TimeWindow | null,
  side: TimeWindow,
  clock: LocalClock,
): SideFigures {
  if (moments === null || errorLog === null) return {};
  const sums = new BlockSums(clock, side);
  const pieces = findObservedPieces(side, { ...errorLog, gaps: [] });
  addObserved(pieces, (atUtcMs, observedMs) => sums.add(atUtcMs, observedMs, 0, observedMs / HOUR_MS));
  for (const atUtcMs of moments) if (isInPieces(pieces, atUtcMs)) sums.add(atUtcMs, 0, 1, 0);
  return { 'flush cache': sums };
}

const BACKUPS: readonly (readonly [MeasureId, BackupRun['type']])[] = [
  ['full backup', 'full'],
  ['differential backup', 'differential'],
  ['log backup', 'log'],
];

/** A backup belongs to the block in which it begins. msdb has no gaps. */
function measureBackups(backups: readonly BackupRun[] | null, side: TimeWindow, clock: LocalClock): SideFigures {
  if (backups === null) return {};
  const figures: Partial<Record<MeasureId, SideFigure>> = {};
  for (const [id, type] of BACKUPS) {
    const sums = new BlockSums(clock, side);
    addObserved(boundPieces(side, backups), (atUtcMs, observedMs) => sums.add(atUtcMs, observedMs, 0, 0));
    for (const run of backups) {
      if (run.type !== type || run.beginUtcMs < side.beginUtcMs || run.beginUtcMs >= side.endUtcMs) continue;
      sums.add(run.beginUtcMs, 0, Math.max(0, run.endUtcMs - run.beginUtcMs) / 1000, run.bytes / GB);
    }
    figures[id] = sums;
  }
  return figures;
}

function boundPieces(side: TimeWindow, backups: readonly BackupRun[]): Float64Array {
  let [first, last] = [Infinity, -Infinity];
  for (const { beginUtcMs } of backups) [first, last] = [Math.min(first, beginUtcMs), Math.max(last, beginUtcMs)];
  const DAY_MS = 24 * HOUR_MS;
  return findObservedPieces(side, { beginUtcMs: first - DAY_MS, endUtcMs: last + DAY_MS, gaps: [] });
}

function measureInstance(input: ComparisonInput, logs: LogByBlock, side: TimeWindow, clock: LocalClock): SideFigures {
  const work = new BlockSums(clock, side);
  const waits = new BlockSums(clock, side);
  const rate = new BlockSums(clock, side);
  for (const block of input.instance) {
    if (!isWithin(block.beginUtcMs, side)) continue;
    const pages = (block.checkpointPages ?? NaN) + (block.backgroundWriterPages ?? NaN) + (block.lazyWrites ?? NaN);
    const logBytes = logs.get(block.beginUtcMs) ?? NaN;
    work.add(block.beginUtcMs, block.observedMs, pages * PAGE_BYTES, logBytes);
    rate.add(block.beginUtcMs, block.observedMs, logBytes, block.observedMs / HOUR_MS);
    waits.add(block.beginUtcMs, block.observedMs, block.writelogWaitMs ?? NaN, block.writelogWaits ?? NaN);
  }
  return keepObservable([
    ['instance write work', work],
    ['writelog wait', waits],
    ['instance log rate', rate],
  ]);
}
