/** What several databases wrote together, in blocks of a quarter of an hour. */
import { makeRecord } from '../lists';
import type { Steps } from '../steps';
import { BLOCK_MS, DATABASE_BLOCK_FIGURES as FIGURES, type DatabaseBlock } from '../write-work/block';

/** This many blocks are four years. Blocks further apart cannot be right and are left out. */
const MOST_BLOCKS = 140_160;

interface Sums {
  readonly firstUtcMs: number;
  readonly counts: Uint32Array;
  readonly observedMs: Float64Array;
  /** In the order of FIGURES. */
  readonly figures: readonly Float64Array[];
}

/** Blocks are listed only when asked for: those of all databases at once would be hundreds of megabytes. */
type BlockSource = () => readonly DatabaseBlock[];

/**
 * Adds up what several databases wrote, in blocks in which every one that was sampled at all was sampled. A step takes
 * one database, and the blocks of two are never held at once. Log waits are not added up. Transactions are not
 * observable if those of one database are not.
 */
export function* addBlocks(sources: readonly BlockSource[]): Steps<readonly DatabaseBlock[]> {
  const { sampled, sums } = yield* startSums(sources);
  for (const source of sampled) {
    for (const block of source()) addBlock(sums, block);
    yield;
  }
  const added: DatabaseBlock[] = [];
  sums.counts.forEach((count, at) => {
    if (count === sampled.length) added.push(createBlock(sums, at));
  });
  return added;
}

function* startSums(
  sources: readonly BlockSource[],
): Steps<{ readonly sampled: readonly BlockSource[]; readonly sums: Sums }> {
  const sampled: BlockSource[] = [];
  let [firstUtcMs, lastUtcMs] = [Infinity, -Infinity];
  for (const source of sources) {
    const blocks = source();
    if (blocks.length > 0) sampled.push(source);
    for (const { beginUtcMs } of blocks) {
      if (beginUtcMs < firstUtcMs) firstUtcMs = beginUtcMs;
      if (beginUtcMs > lastUtcMs) lastUtcMs = beginUtcMs;
    }
    yield;
  }
  const length =
    sampled.length === 0 ? 0 : Math.min(MOST_BLOCKS, Math.floor((lastUtcMs - firstUtcMs) / BLOCK_MS) + 1);
  const figures = FIGURES.map(() => new Float64Array(length));
  return {
    sampled,
    sums: {
      firstUtcMs,
      counts: new Uint32Array(length),
      observedMs: new Float64Array(length).fill(BLOCK_MS),
      figures,
    },
  };
}

function addBlock({ firstUtcMs, counts, observedMs, figures }: Sums, block: DatabaseBlock): void {
  const at = Math.round((block.beginUtcMs - firstUtcMs) / BLOCK_MS);
  if (at < 0 || at >= counts.length) return;
  counts[at] = (counts[at] ?? 0) + 1;
  observedMs[at] = Math.min(observedMs[at] ?? 0, block.observedMs);
  for (let i = 0; i < FIGURES.length; i++) {
    const sum = figures[i] as Float64Array;
    sum[at] = (sum[at] ?? 0) + (block[FIGURES[i] as (typeof FIGURES)[number]] ?? NaN);
  }
}

function createBlock({ firstUtcMs, observedMs, figures }: Sums, at: number): DatabaseBlock {
  const named = makeRecord(FIGURES, (_, i) => figures[i]?.[at] ?? NaN);
  const writeTransactions = Number.isNaN(named.writeTransactions) ? null : named.writeTransactions;
  return {
    beginUtcMs: firstUtcMs + at * BLOCK_MS,
    observedMs: observedMs[at] ?? 0,
    ...named,
    writeTransactions,
  };
}
