import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import type { OffsetPeriod } from '../errorlog/server-clock';
import { BLOCK_MS, type DatabaseBlock } from '../write-work/block';
import type { Sides } from './sides';
import type { MeasureId, WorkloadId } from './comparison-measure';
import { BlockSums, isWithin, type LocalClock } from './local-blocks';
import type { SideFigure } from './matched-days';
import { findObservedPieces, isInPieces, type TimeWindow } from '../statistics/observed-time';
import { ROWS_A_STEP, type Steps } from '../steps';
import { HOUR_MS } from '../time';

/** What is compared: the changed databases together. */
export interface ComparisonInput {
  readonly sides: Pick<Sides, 'calmUtcMs' | 'firstUtcMs' | 'lastUtcMs'>;
  /** Indexes of the changed databases in the capture. */
  readonly captured: ReadonlySet<number>;
  /** What they wrote together, in any order, at most one for each quarter of an hour. */
  readonly blocks: readonly DatabaseBlock[];
  readonly columns: CheckpointColumns;
  /** When checkpoint events were recorded, and the gaps in it; null: never. */
  readonly observation: Observation | null;
  /** Offsets of the server's clock, in order of time. */
  readonly offsets: readonly OffsetPeriod[];
}

/** The figures of one side of a change. If a measure is missing, it could not be observed. */
type SideFigures = Partial<Readonly<Record<MeasureId | WorkloadId, SideFigure>>>;

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
    const index = clock(block.beginUtcMs);
    for (const [, quotient, sums] of figures) {
      const [numerator, denominator] = quotient(block);
      sums.addTo(index, block.observedMs, numerator, denominator);
    }
  }
  return Object.fromEntries(
    figures.filter(([, , sums]) => sums.isObservable).map(([id, , sums]) => [id, sums]),
  );
}

/**
 * Everything that can be measured of the changed databases on one side. A checkpoint belongs to the block in which it
 * begins. It does not count if it begins in time that was not observed.
 */
export function* measureSide(
  { blocks, columns, observation, captured }: ComparisonInput,
  side: TimeWindow,
  clock: LocalClock,
): Steps<SideFigures> {
  const figures = measureBlocks(blocks, side, clock);
  if (observation === null || captured.size === 0) return figures;
  const pieces = findObservedPieces(side, observation);
  const seconds = new BlockSums(clock, side);
  for (let i = 0; i + 1 < pieces.length; i += 2) {
    const end = pieces[i + 1] ?? 0;
    for (let at = pieces[i] ?? 0, count = 1; at < end; count++) {
      if (count % ROWS_A_STEP === 0) yield;
      const next = Math.min(end, (Math.floor(at / BLOCK_MS) + 1) * BLOCK_MS);
      seconds.add(at, next - at, 0, (next - at) / HOUR_MS);
      at = next;
    }
  }
  for (let row = 0; row < columns.rows; row++) {
    if (row % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const beginUtcMs = columns.beginUtcMs[row] ?? 0;
    if (!captured.has(columns.database[row] ?? 0) || !isInPieces(pieces, beginUtcMs)) continue;
    seconds.add(beginUtcMs, 0, (columns.durationMs[row] ?? 0) / 1000, 0);
  }
  return { ...figures, 'checkpoint seconds': seconds };
}
