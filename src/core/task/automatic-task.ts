import type { CheckpointColumns, Observation } from '../capture/checkpoint-columns';
import { findFirst } from '../sorted';
import { ROWS_A_STEP, type Steps } from '../steps';
import { findObservedPieces } from '../statistics/observed-time';

/** A step goes through the turns of each task. */
const TURNS_A_STEP = ROWS_A_STEP / 8;
/**
 * The observed time is cut into this many parts, one bit each, to tell a task that is there for a while from one that
 * is always there.
 */
const PARTS = 16;
/** The task comes back to a database no sooner: half the shortest recovery interval (docs/facts.md, SQL Server 1). */
const SOONEST_MS = 30_000;
/** It cannot be said that a task with fewer turns lives long. If all tasks have fewer, overlaps decide. */
const FEWEST_TURNS = 3;
/** Pauses of a loop differ by no more than this. */
const SAME_PAUSE_MS = 20;

/** Whether the one automatic task ran that checkpoint; null: its events do not say. */
type IsOfTask = (row: number) => boolean | null;

/**
 * Finds the one automatic task among all tasks with checkpoints of automatic databases, by the rule of docs/facts.md,
 * SQL Server 3: it is there at all times, spends most time on most databases, and shows nothing that only another
 * person's task would. After a restart, which is a gap, it is another task.
 * @param isWanted whether a row is a checkpoint of a database with automatic ones, inside the window or outside
 */
export function* findAutomaticTask(
  columns: CheckpointColumns,
  observation: Observation,
  isWanted: (row: number) => boolean,
): Steps<IsOfTask> {
  const { task, beginUtcMs } = columns;
  if (task === undefined) return () => null;
  const pieces = findObservedPieces(observation, observation);
  const stretchOf = (utcMs: number): number =>
    Math.max(0, findFirst(0, pieces.length / 2, (piece) => (pieces[2 * piece] ?? 0) > utcMs) - 1);
  const partMs = (observation.endUtcMs - observation.beginUtcMs) / PARTS;
  const partOf = (utcMs: number): number =>
    Math.max(0, Math.min(PARTS - 1, Math.floor((utcMs - observation.beginUtcMs) / partMs)));
  const tasks = new Map<number, TaskTurns>();
  for (let row = 0; row < columns.rows; row++) {
    if (row % TURNS_A_STEP === TURNS_A_STEP - 1) yield;
    const number = task[row] ?? 0;
    if (number === 0 || !isWanted(row)) continue;
    const [begin, durationMs] = [beginUtcMs[row] ?? 0, columns.durationMs[row] ?? 0];
    let turns = tasks.get(number);
    if (turns === undefined) tasks.set(number, (turns = new TaskTurns(number)));
    turns.firstStretch = Math.min(turns.firstStretch, stretchOf(begin));
    turns.lastStretch = Math.max(turns.lastStretch, stretchOf(begin));
    turns.parts |= (2 << partOf(begin + durationMs)) - (1 << partOf(begin));
    turns.take(columns.database[row] ?? 0, begin, durationMs);
  }
  const owners = new Uint16Array(Math.max(1, pieces.length / 2));
  for (let left = [...tasks.values()].filter(({ count }) => count >= FEWEST_TURNS); left.length > 0;) {
    const { number, firstStretch, lastStretch } = chooseTask(left);
    owners.fill(number, firstStretch, lastStretch + 1);
    left = left.filter((one) => one.lastStretch < firstStretch || one.firstStretch > lastStretch);
    yield;
  }
  return (row) => {
    const owner = owners[stretchOf(beginUtcMs[row] ?? 0)] ?? 0;
    return owner === 0 ? null : task[row] === owner;
  };
}

/** What one task ran of automatic databases, in order of time. */
class TaskTurns {
  firstStretch = Infinity;
  lastStretch = 0;
  parts = 0;
  count = 0;
  private totalMs = 0;
  private readonly databases = new Map<number, number>();
  private endUtcMs = -Infinity;
  private pauseMs = 0;
  /**
   * Turns that followed the one before after the same pause as that one: a loop makes such turns, and no database asked
   * for them.
   */
  private paced = 0;
  /** Turns of a database that had one before, and how many of them came very soon. */
  private returns = 0;
  private soon = 0;

  constructor(readonly number: number) {}

  take(database: number, beginUtcMs: number, durationMs: number): void {
    this.totalMs += durationMs;
    const pauseMs = beginUtcMs - this.endUtcMs;
    if (Math.abs(pauseMs - this.pauseMs) <= SAME_PAUSE_MS) this.paced++;
    [this.pauseMs, this.endUtcMs] = [pauseMs, beginUtcMs + durationMs];
    this.count++;
    const beforeUtcMs = this.databases.get(database);
    if (beforeUtcMs !== undefined) this.returns++;
    if (beforeUtcMs !== undefined && beginUtcMs - beforeUtcMs < SOONEST_MS) this.soon++;
    this.databases.set(database, beginUtcMs);
  }

  get worth(): number {
    return this.totalMs * this.databases.size;
  }

  get partCount(): number {
    let count = 0;
    for (let left = this.parts; left !== 0; left &= left - 1) count++;
    return count;
  }

  /**
   * Whether it looks like another task than the automatic one: it comes back too soon, as small logs in SIMPLE make
   * that one do too, or keeps a pace of its own.
   */
  get isOdd(): boolean {
    return 2 * this.soon > this.returns || this.paced >= 0.9 * this.count;
  }

  /** Whether it is there nearly as long as the other, and runs nearly as many databases. */
  mayStandFor({ databases, partCount }: TaskTurns): boolean {
    return this.databases.size >= 0.9 * databases.size && this.partCount >= 0.9 * partCount;
  }
}

function chooseTask(tasks: readonly TaskTurns[]): TaskTurns {
  const mostParts = tasks.reduce((most, { partCount }) => Math.max(most, partCount), 0);
  const always = tasks
    .filter(({ partCount }) => 3 * partCount >= mostParts)
    .sort((a, b) => b.worth - a.worth || a.number - b.number);
  const [first] = always as [TaskTurns];
  return always.find((one) => first.isOdd && !one.isOdd && one.mayStandFor(first)) ?? first;
}
