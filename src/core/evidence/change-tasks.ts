import type { DatabaseBlock } from './block';
import { listChanges, listChangeWindows, type ChangeWindow } from './change-window';
import type { ComparedDatabase } from './comparison-input';

/** One change to be compared around: of one database, or of several that changed together, taken as one. */
export interface ChangeTask {
  readonly one: ComparedDatabase;
  readonly window: ChangeWindow;
  /** Databases that changed together; empty for a single one. */
  readonly members: readonly ComparedDatabase[];
}

/** A change of any database, for those in whose days it falls. */
export interface KnownChange {
  readonly one: ComparedDatabase;
  readonly atUtcMs: number;
  readonly notBeforeUtcMs: number;
}

/** Changes follow each other within this, and belong to one wave: a script that switches many databases. */
const TOGETHER_MS = 3_600_000;

/** Every change of every database; before them, every wave of several databases as one, because what all of them wrote together varies least. */
export function listChangeTasks(databases: readonly ComparedDatabase[]): readonly ChangeTask[] {
  const single = databases.flatMap((one) =>
    listChangeWindows(listChanges(one.changes)).map((window): ChangeTask => ({ one, window, members: [] })),
  );
  return [...groupWaves(single).map(joinWave), ...single];
}

/** In order of time. */
export function listKnownChanges(tasks: readonly ChangeTask[]): readonly KnownChange[] {
  return tasks
    .filter(({ members }) => members.length === 0)
    .map(({ one, window: { change } }) => ({ one, atUtcMs: change.atUtcMs, notBeforeUtcMs: change.notBeforeUtcMs }))
    .sort((a, b) => a.atUtcMs - b.atUtcMs || (a.one.name < b.one.name ? -1 : 1));
}

/** Waves of two databases and more. A database that changed twice within one belongs to none: its own windows are too short for anything. */
function groupWaves(tasks: readonly ChangeTask[]): readonly (readonly ChangeTask[])[] {
  const waves: ChangeTask[][] = [];
  for (const task of [...tasks].sort((a, b) => a.window.change.atUtcMs - b.window.change.atUtcMs)) {
    const last = waves[waves.length - 1];
    const previous = last?.[last.length - 1];
    const isSame = previous !== undefined && task.window.change.atUtcMs - previous.window.change.atUtcMs <= TOGETHER_MS;
    if (isSame) last?.push(task);
    else waves.push([task]);
  }
  return waves
    .map((wave) => wave.filter((task) => wave.filter(({ one }) => one === task.one).length === 1))
    .filter((wave) => wave.length > 1);
}

function joinWave(wave: readonly ChangeTask[]): ChangeTask {
  const members = wave.map(({ one }) => one);
  const windows = wave.map(({ window }) => window);
  const targets = (of: 'fromSeconds' | 'toSeconds'): number | null => {
    const [first = null, ...others] = new Set(windows.map(({ change }) => change[of]));
    return others.length === 0 ? first : null;
  };
  return {
    members,
    one: {
      database: null,
      name: `${members.length} databases together`,
      changes: [],
      blocks: addBlocks(members),
      flushCacheUtcMs: null,
      backups: null,
    },
    window: {
      change: {
        atUtcMs: Math.max(...windows.map(({ change }) => change.atUtcMs)),
        notBeforeUtcMs: Math.min(...windows.map(({ change }) => change.notBeforeUtcMs)),
        source: windows.every(({ change }) => change.source === windows[0]?.change.source)
          ? (windows[0]?.change.source ?? 'user')
          : 'observed',
        fromSeconds: targets('fromSeconds'),
        toSeconds: targets('toSeconds'),
      },
      before: intersect(windows.map(({ before }) => before)),
      after: intersect(windows.map(({ after }) => after)),
    },
  };
}

function intersect(windows: readonly ChangeWindow['before'][]): ChangeWindow['before'] {
  const beginUtcMs = Math.max(...windows.map((window) => window.beginUtcMs));
  return { beginUtcMs, endUtcMs: Math.min(...windows.map((window) => window.endUtcMs)) };
}

const FIGURES = ['dataWrittenBytes', 'dataWrites', 'dataWriteStallMs', 'logWrittenBytes', 'logWrites', 'logWriteStallMs'] as const;

interface Sum {
  readonly block: { -readonly [K in keyof DatabaseBlock]: DatabaseBlock[K] };
  members: number;
}

/** Sums of the blocks in which every member that was sampled at all was. What each log waited for is not added up. */
function addBlocks(members: readonly ComparedDatabase[]): readonly DatabaseBlock[] {
  const sums = new Map<number, Sum>();
  const sampled = members.filter(({ blocks }) => blocks.length > 0);
  for (const { blocks } of sampled) {
    for (const block of blocks) {
      const known = sums.get(block.beginUtcMs);
      if (known === undefined) {
        const first = { ...block };
        delete first.logReuseWaits;
        sums.set(block.beginUtcMs, { block: first, members: 1 });
      } else addBlock(known, block);
    }
  }
  return [...sums.values()].filter((sum) => sum.members === sampled.length).map((sum) => sum.block);
}

function addBlock(sum: Sum, block: DatabaseBlock): void {
  sum.members += 1;
  sum.block.observedMs = Math.min(sum.block.observedMs, block.observedMs);
  for (const figure of FIGURES) sum.block[figure] += block[figure];
  const known = sum.block.writeTransactions;
  sum.block.writeTransactions = known === null || block.writeTransactions === null ? null : known + block.writeTransactions;
}
