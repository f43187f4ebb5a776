import { countDatabases } from '../format';
import type { Steps } from '../steps';
import type { ChangeMoment } from '../task/change-moment';
import { listChanges, listChangeWindows, type ChangeWindow } from './change-window';
import type { ComparedDatabase } from './comparison-input';
import type { TimeWindow } from '../statistics/observed-time';
import { BLOCK_MS, DATABASE_BLOCK_FIGURES as FIGURES, type DatabaseBlock } from '../write-work/block';
import { t } from '../language';

/** A change that is compared with the time around it: of one database, or of several that changed together, taken as one. */
export interface ChangeTask {
  readonly one: ComparedDatabase;
  readonly window: ChangeWindow;
  /** Databases that changed together; empty for a single one. */
  readonly members: ReadonlySet<ComparedDatabase>;
}

/** A change of any database, to be named with comparisons whose days it falls into. */
export interface KnownChange {
  readonly one: ComparedDatabase;
  readonly atUtcMs: number;
  readonly notBeforeUtcMs: number;
}

/** Changes that follow each other within this time belong to one wave: a script that switches many databases. */
const TOGETHER_MS = 3_600_000;

const NOBODY: ReadonlySet<ComparedDatabase> = new Set();

/**
 * Every change of every database, in steps. First come waves of several databases, each as one change, because what all of them write together
 * varies least.
 */
export function* listChangeTasks(databases: readonly ComparedDatabase[]): Steps<readonly ChangeTask[]> {
  const single = databases.flatMap((one) =>
    listChangeWindows(listChanges(one.changes)).map((window): ChangeTask => ({ one, window, members: NOBODY })),
  );
  const waves: ChangeTask[] = [];
  for (const wave of groupWaves(single)) waves.push(yield* joinWave(wave));
  return [...waves, ...single];
}

/** In order of time. */
export function listKnownChanges(tasks: readonly ChangeTask[]): readonly KnownChange[] {
  return tasks
    .filter(({ members }) => members.size === 0)
    .map(({ one, window: { change } }) => ({ one, atUtcMs: change.atUtcMs, notBeforeUtcMs: change.notBeforeUtcMs }))
    .sort((a, b) => a.atUtcMs - b.atUtcMs || (a.one.name < b.one.name ? -1 : 1));
}

/** Waves of two or more databases. */
function groupWaves(tasks: readonly ChangeTask[]): readonly (readonly ChangeTask[])[] {
  const waves: ChangeTask[][] = [];
  let previousUtcMs = -Infinity;
  for (const task of [...tasks].sort((a, b) => a.window.change.atUtcMs - b.window.change.atUtcMs)) {
    const { atUtcMs } = task.window.change;
    if (atUtcMs - previousUtcMs <= TOGETHER_MS) waves[waves.length - 1]?.push(task);
    else waves.push([task]);
    previousUtcMs = atUtcMs;
  }
  return waves.map(leaveOutTwofold).filter((wave) => wave.length > 1);
}

/** A database that changed twice within a wave is left out: its time between the two is too short to compare. */
function leaveOutTwofold(wave: readonly ChangeTask[]): readonly ChangeTask[] {
  const times = new Map<ComparedDatabase, number>();
  for (const { one } of wave) times.set(one, (times.get(one) ?? 0) + 1);
  return wave.filter(({ one }) => times.get(one) === 1);
}

function* joinWave(wave: readonly ChangeTask[]): Steps<ChangeTask> {
  const members = wave.map(({ one }) => one);
  const windows = wave.map(({ window }) => window);
  const blocks = yield* addBlocks(members);
  return {
    members: new Set(members),
    one: {
      database: null,
      name: t('{0} together', countDatabases(members.length)),
      changes: [],
      blocks,
      backups: null,
    },
    window: {
      change: joinMoments(windows.map(({ change }) => change)),
      before: intersect(windows.map(({ before }) => before)),
      after: intersect(windows.map(({ after }) => after)),
    },
  };
}

/** The moment from the first to the last. What they do not agree in is not known. */
function joinMoments(moments: readonly ChangeMoment[]): ChangeMoment {
  const agree = <T>(of: (moment: ChangeMoment) => T): T | null => {
    const [first, ...others] = new Set(moments.map(of));
    return first === undefined || others.length > 0 ? null : first;
  };
  return {
    atUtcMs: Math.max(...moments.map(({ atUtcMs }) => atUtcMs)),
    notBeforeUtcMs: Math.min(...moments.map(({ notBeforeUtcMs }) => notBeforeUtcMs)),
    source: agree(({ source }) => source) ?? 'observed',
    fromSeconds: agree(({ fromSeconds }) => fromSeconds),
    toSeconds: agree(({ toSeconds }) => toSeconds),
  };
}

function intersect(windows: readonly TimeWindow[]): TimeWindow {
  return {
    beginUtcMs: Math.max(...windows.map(({ beginUtcMs }) => beginUtcMs)),
    endUtcMs: Math.min(...windows.map(({ endUtcMs }) => endUtcMs)),
  };
}

/** This many blocks are four years. Blocks further apart cannot be right and are left out. */
const MOST_BLOCKS = 140_160;

interface Sums {
  readonly firstUtcMs: number;
  readonly counts: Uint32Array;
  readonly observedMs: Float64Array;
  /** In the order of FIGURES. */
  readonly figures: readonly Float64Array[];
}

/** Blocks may be listed only when asked for: those of all databases at once would be hundreds of megabytes. */
type BlockSource = Pick<ComparedDatabase, 'blocks'>;

/**
 * Adds up what several databases wrote, in blocks in which every one that was sampled at all was sampled. A step takes one database, and the blocks of two
 * are never held at once. Log waits are not added up. Transactions are not observable if those of one database are not.
 */
function* addBlocks(sources: readonly BlockSource[]): Steps<readonly DatabaseBlock[]> {
  const { sampled, sums } = yield* startSums(sources);
  for (const source of sampled) {
    for (const block of source.blocks) addBlock(sums, block);
    yield;
  }
  const added: DatabaseBlock[] = [];
  sums.counts.forEach((count, at) => {
    if (count === sampled.length) added.push(createBlock(sums, at));
  });
  return added;
}

function* startSums(sources: readonly BlockSource[]): Steps<{ readonly sampled: readonly BlockSource[]; readonly sums: Sums }> {
  const sampled: BlockSource[] = [];
  let [firstUtcMs, lastUtcMs] = [Infinity, -Infinity];
  for (const source of sources) {
    const { blocks } = source;
    if (blocks.length > 0) sampled.push(source);
    for (const { beginUtcMs } of blocks) {
      if (beginUtcMs < firstUtcMs) firstUtcMs = beginUtcMs;
      if (beginUtcMs > lastUtcMs) lastUtcMs = beginUtcMs;
    }
    yield;
  }
  const length = sampled.length === 0 ? 0 : Math.min(MOST_BLOCKS, Math.floor((lastUtcMs - firstUtcMs) / BLOCK_MS) + 1);
  const figures = FIGURES.map(() => new Float64Array(length));
  return { sampled, sums: { firstUtcMs, counts: new Uint32Array(length), observedMs: new Float64Array(length).fill(BLOCK_MS), figures } };
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
  const sums = FIGURES.map((name, i) => [name, figures[i]?.[at] ?? NaN]);
  const named = Object.fromEntries(sums) as Record<(typeof FIGURES)[number], number>;
  const writeTransactions = Number.isNaN(named.writeTransactions) ? null : named.writeTransactions;
  return { beginUtcMs: firstUtcMs + at * BLOCK_MS, observedMs: observedMs[at] ?? 0, ...named, writeTransactions };
}
