import { callerOfRow, type CheckpointColumns, type Observation } from '../capture/checkpoint-columns';
import { isEngineCaller, isSessionCaller } from '../events/event-register';
import { MOST_GUIDS } from '../pairing/task-table';
import { findFirst } from '../sorted';
import { ROWS_A_STEP, type Steps } from '../steps';
import { findObservedPieces, type TimePieces } from '../statistics/observed-time';
import { FEWEST_DATABASES } from './loops';
import { LONG_REST, Rounds, SHORT_REST } from './rounds';

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
/** The task of checkpoints that no event tells. It may be several. Where names ran out, it is those that came too late. */
const UNKNOWN = 0;
/** Pauses of a loop differ by no more than this. */
const SAME_PAUSE_MS = 20;

/** What the tasks of the events say of the one automatic task. */
export interface TaskFinding {
  /** Whether it ran that checkpoint; null: the events do not say. */
  readonly isOfTask: (row: number) => boolean | null;
  /** Whether a task ran it that is perhaps a job's, and would be the automatic one if it is not. */
  readonly isPerhapsJob: (row: number) => boolean;
}

/**
 * Finds the one automatic task among all tasks with checkpoints of automatic databases, by the rule of docs/facts.md,
 * SQL Server 3: no session asked for what it runs, it is there at all times, spends most time on most databases, and
 * shows nothing that only another person's task would. After a restart, which is a gap, it is another task.
 * @param isWanted whether a row is a checkpoint of a database with automatic ones, inside the window or outside
 * @param isBackup whether a backup may have begun with it, by msdb
 */
export function* findAutomaticTask(
  columns: CheckpointColumns,
  observation: Observation,
  isWanted: (row: number) => boolean,
  isBackup: (row: number) => boolean,
): Steps<TaskFinding> {
  const { task, beginUtcMs } = columns;
  const pieces = findObservedPieces(observation, observation);
  const stretchOf = (utcMs: number): number =>
    Math.max(0, findFirst(0, pieces.length / 2, (piece) => (pieces[2 * piece] ?? 0) > utcMs) - 1);
  const partMs = (observation.endUtcMs - observation.beginUtcMs) / PARTS;
  const partOf = (utcMs: number): number =>
    Math.max(0, Math.min(PARTS - 1, Math.floor((utcMs - observation.beginUtcMs) / partMs)));
  const tasks = new Map<number, TaskTurns>();
  for (let row = 0; row < columns.rows; row++) {
    if (row % TURNS_A_STEP === TURNS_A_STEP - 1) yield;
    const caller = callerOfRow(columns, row);
    if (isSessionCaller(caller) || !isWanted(row)) continue;
    const number = task?.[row] ?? 0;
    const [begin, durationMs] = [beginUtcMs[row] ?? 0, columns.durationMs[row] ?? 0];
    let turns = tasks.get(number);
    if (turns === undefined) tasks.set(number, (turns = new TaskTurns(number, isEngineCaller(caller))));
    if (isBackup(row)) turns.backups++;
    turns.parts |= (2 << partOf(begin + durationMs)) - (1 << partOf(begin));
    turns.take(columns.database[row] ?? 0, begin, durationMs, stretchOf(begin));
  }
  for (const one of tasks.values()) one.finish(pieces);
  const isFull = (columns.callers?.length ?? 0) > MOST_GUIDS;
  const perhaps = new Set<number>();
  const owners = yield* chooseOwners([...tasks.values()], pieces.length / 2, perhaps);
  return {
    isOfTask: (row) => {
      if (isSessionCaller(callerOfRow(columns, row))) return false;
      const owner = owners[stretchOf(beginUtcMs[row] ?? 0)] ?? UNKNOWN;
      const number = task?.[row] ?? UNKNOWN;
      return owner === UNKNOWN || (number === UNKNOWN && !isFull) ? null : number === owner;
    },
    isPerhapsJob: (row) => perhaps.has(task?.[row] ?? UNKNOWN),
  };
}

/**
 * The number of the automatic task for each stretch without a gap; UNKNOWN: overlaps decide.
 * @param perhaps takes the tasks that come into question and are perhaps jobs'
 */
function* chooseOwners(
  tasks: readonly TaskTurns[],
  stretches: number,
  perhaps: Set<number>,
): Steps<Uint16Array> {
  const owners = new Uint16Array(Math.max(1, stretches));
  const isKnown = ({ number, count, isOfBackups }: TaskTurns): boolean =>
    number !== UNKNOWN && count >= FEWEST_TURNS && !isOfBackups;
  for (let left = tasks.filter(isKnown); left.length > 0;) {
    const chosen = chooseTask(left, perhaps);
    const { number, firstStretch, lastStretch } = chosen;
    const heirs = left.filter((one) => chosen.mayHaveHeir(one));
    for (let at = firstStretch; at <= lastStretch; at++)
      if (owners[at] === UNKNOWN && !heirs.some((one) => one.didMore(chosen, at))) owners[at] = number;
    left = left.filter(
      (one) => one.lastStretch < firstStretch || one.firstStretch > lastStretch || heirs.includes(one),
    );
    yield;
  }
  const unknown = tasks.find(({ number }) => number === UNKNOWN);
  const isAlone = unknown !== undefined && owners.every((owner) => owner === UNKNOWN);
  if (isAlone && unknown.mayBeJob(0)) perhaps.add(UNKNOWN);
  return owners;
}

/** What one task ran of automatic databases, in order of time. */
class TaskTurns {
  firstStretch = Infinity;
  lastStretch = 0;
  parts = 0;
  count = 0;
  private totalMs = 0;
  private readonly stretchMs = new Map<number, number>();
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
  /** Turns with which a backup may have begun. */
  backups = 0;
  private readonly rounds = new Rounds(LONG_REST);
  private readonly shortRounds = new Rounds(SHORT_REST);
  /** How long it rested before its first turn, or after its last one. */
  private edgeMs = 0;
  private firstUtcMs = Infinity;

  /** @param isSystem its events say that it is the engine's */
  constructor(
    readonly number: number,
    readonly isSystem: boolean,
  ) {}

  take(database: number, beginUtcMs: number, durationMs: number, stretch: number): void {
    this.totalMs += durationMs;
    this.stretchMs.set(stretch, (this.stretchMs.get(stretch) ?? 0) + durationMs);
    const pauseMs = beginUtcMs - this.endUtcMs;
    for (const rounds of [this.rounds, this.shortRounds])
      rounds.take(database, beginUtcMs, durationMs, stretch === this.lastStretch);
    this.firstUtcMs = Math.min(this.firstUtcMs, beginUtcMs);
    this.firstStretch = Math.min(this.firstStretch, stretch);
    this.lastStretch = Math.max(this.lastStretch, stretch);
    if (Math.abs(pauseMs - this.pauseMs) <= SAME_PAUSE_MS) this.paced++;
    [this.pauseMs, this.endUtcMs] = [pauseMs, beginUtcMs + durationMs];
    this.count++;
    const beforeUtcMs = this.databases.get(database);
    if (beforeUtcMs !== undefined) this.returns++;
    if (beforeUtcMs !== undefined && beginUtcMs - beforeUtcMs < SOONEST_MS) this.soon++;
    this.databases.set(database, beginUtcMs);
  }

  finish(pieces: TimePieces): void {
    const leadMs = this.firstUtcMs - (pieces[2 * this.firstStretch] ?? Infinity);
    this.edgeMs = Math.max(leadMs, (pieces[2 * this.lastStretch + 1] ?? 0) - this.endUtcMs);
  }

  /** A backup began with every second one of them, or more. */
  get isOfBackups(): boolean {
    return !this.isSystem && 2 * this.backups >= this.count;
  }

  /**
   * Whether it goes through its databases and then rests, as a job would, and no event says that it is the engine's.
   * Less of a rest will do, or one walk alone, where another task that seems asked was there as long, or longer.
   * @param askedParts in how many parts of the time that one was there
   */
  mayBeJob(askedParts: number): boolean {
    const { rounds, shortRounds, edgeMs, partCount } = this;
    const isWalk =
      (askedParts >= partCount && shortRounds.areOfJob(edgeMs)) || (askedParts > partCount && rounds.areOne);
    return !this.isSystem && (isWalk || rounds.areOfJob(edgeMs));
  }

  /** Whether it comes back to many databases and does not walk through them. */
  get seemsAsked(): boolean {
    const isBack = this.databases.size >= FEWEST_DATABASES && this.returns > 0;
    return isBack && !this.shortRounds.areOfJob(this.edgeMs);
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

  /** Whether it ran for longer in a stretch without a gap. */
  didMore({ stretchMs }: TaskTurns, stretch: number): boolean {
    return (this.stretchMs.get(stretch) ?? 0) > (stretchMs.get(stretch) ?? 0);
  }

  /**
   * Whether the other is the engine's too, and did less here and more there. Without activity ids, a task is known by
   * its session id, which the engine may give to another task when it starts again.
   */
  mayHaveHeir(other: TaskTurns): boolean {
    if (!this.isSystem || !other.isSystem) return false;
    const didMore = [...this.stretchMs.keys()].some((at) => this.didMore(other, at));
    return didMore && [...other.stretchMs.keys()].some((at) => other.didMore(this, at));
  }

  /** Whether it is there nearly as long as the other, and runs nearly as many databases. */
  mayStandFor({ databases, partCount }: TaskTurns): boolean {
    return this.databases.size >= 0.9 * databases.size && this.partCount >= 0.9 * partCount;
  }
}

/**
 * Where events tell the engine's tasks, only they come into question. A task that is perhaps a job's is the automatic
 * one only where no other is there.
 * @param perhaps takes the tasks that come into question and are perhaps jobs'
 */
function chooseTask(all: readonly TaskTurns[], perhaps: Set<number>): TaskTurns {
  const known = all.filter(({ isSystem }) => isSystem);
  const tasks = known.length > 0 ? known : all;
  const mostParts = tasks.reduce((most, { partCount }) => Math.max(most, partCount), 0);
  const always = tasks
    .filter(({ partCount }) => 3 * partCount >= mostParts)
    .sort((a, b) => b.worth - a.worth || a.number - b.number);
  const askedParts = Math.max(0, ...always.map((one) => (one.seemsAsked ? one.partCount : 0)));
  for (const one of always) if (one.mayBeJob(askedParts)) perhaps.add(one.number);
  const others = always.filter(({ number }) => !perhaps.has(number));
  const [first] = (others.length > 0 ? others : always) as [TaskTurns];
  return others.find((one) => first.isOdd && !one.isOdd && one.mayStandFor(first)) ?? first;
}
