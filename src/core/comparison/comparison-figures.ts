import type { CheckpointColumns } from '../capture/checkpoint-columns';
import { BLOCK_MS, type DatabaseBlock } from '../write-work/block';
import type { ComparedDatabase, ComparisonInput } from './comparison-input';
import type { MeasureId, WorkloadId } from './comparison-measure';
import { BlockSums, isWithin, type LocalClock } from './local-blocks';
import type { SideFigure } from './matched-days';
import { observationOf } from '../capture/unrecorded';
import { findObservedPieces, isInPieces } from '../statistics/observed-time';
import type { TimeWindow } from '../statistics/statistics';

const HOUR_MS = 3_600_000;
const PAGE_BYTES = 8192;

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
    ...measureInstance(input, logs, side, clock),
  };
}

type Quotient = (block: DatabaseBlock) => readonly [numerator: number, denominator: number];

const QUOTIENTS: Partial<Readonly<Record<MeasureId | WorkloadId, Quotient>>> = {
  'write work': (block) => [block.dataWrittenBytes, block.logWrittenBytes],
  'data latency': (block) => [block.dataWriteStallMs, block.dataWrites],
  'log latency': (block) => [block.logWriteStallMs, block.logWrites],
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
  addObserved(pieces, (atUtcMs, observedMs) => seconds.add(atUtcMs, observedMs, 0, observedMs / HOUR_MS));
  for (const row of rows) {
    const beginUtcMs = columns.beginUtcMs[row] ?? NaN;
    if (isInPieces(pieces, beginUtcMs)) seconds.add(beginUtcMs, 0, (columns.durationMs[row] ?? 0) / 1000, 0);
  }
  return { 'checkpoint seconds': seconds };
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
