import { isSessionCaller, joinCallers, kindOfCaller, sessionOfCaller } from '../events/event-register';
import { lengthen } from '../number-columns';

const FIRST_CAPACITY = 256;
const WORDS = 4;
const EMPTY = 0;
/** Most tasks that checkpoints can name, in two bytes each. */
const MOST_NAMED = 65_534;
/** This many are named by their GUIDs; the rest is for sessions, of which a server has 32,767 at most. */
export const MOST_GUIDS = 32_767;

/** Gives each task's GUID a small number, so that numbers are compared and no text is made for an event. */
export class TaskTable {
  /** Four words of each GUID, by number. */
  private guids = new Int32Array(FIRST_CAPACITY * WORDS);
  /** Number plus 1, at the place of the GUID's hash or the next free one. At most half of the places are used. */
  private places = new Int32Array(FIRST_CAPACITY * 2);
  private count = 0;
  /** Numbers that no event uses now. */
  private readonly unused: number[] = [];
  private last = -1;
  /** The four words of the last GUID, in fields of their own: one long-lived task runs most checkpoints. */
  private lastGuid0 = 0;
  private lastGuid1 = 0;
  private lastGuid2 = 0;
  private lastGuid3 = 0;
  /** Whether the task asked for last was new. */
  isNew = false;

  /** @param neverForgotten how many of the first tasks */
  constructor(private readonly neverForgotten = 0) {}

  /** How many tasks are known, with those that no event uses now. */
  get size(): number {
    return this.count - this.unused.length;
  }

  /** The number of a task. A new task gets one. */
  numberOf(guid0: number, guid1: number, guid2: number, guid3: number): number {
    const isLast =
      guid0 === this.lastGuid0 &&
      guid1 === this.lastGuid1 &&
      guid2 === this.lastGuid2 &&
      guid3 === this.lastGuid3;
    this.isNew = false;
    if (isLast && this.last >= 0) return this.last;
    this.lastGuid0 = guid0;
    this.lastGuid1 = guid1;
    this.lastGuid2 = guid2;
    this.lastGuid3 = guid3;
    return (this.last = this.find(guid0, guid1, guid2, guid3));
  }

  /** The four words of a task's GUID. A view. */
  guidOf(task: number): Int32Array {
    return this.guids.subarray(task * WORDS, (task + 1) * WORDS);
  }

  /** The GUIDs of the tasks that are never forgotten, by number. */
  keep(): Int32Array {
    return this.guids.slice(0, WORDS * Math.min(this.count, this.neverForgotten));
  }

  /** Forgets all other tasks; the numbers of these stay. */
  keepOnly(tasks: ReadonlySet<number>): void {
    this.unused.length = 0;
    for (let task = this.neverForgotten; task < this.count; task++)
      if (!tasks.has(task)) this.unused.push(task);
    this.last = -1;
    this.rebuild();
  }

  /** Whether a task has a number already. */
  has([guid0 = 0, guid1 = 0, guid2 = 0, guid3 = 0]: Int32Array): boolean {
    return this.places[this.placeOf(guid0, guid1, guid2, guid3)] !== EMPTY;
  }

  private find(guid0: number, guid1: number, guid2: number, guid3: number): number {
    const place = this.placeOf(guid0, guid1, guid2, guid3);
    const known = this.places[place] as number;
    return known === EMPTY ? this.add(guid0, guid1, guid2, guid3, place) : known - 1;
  }

  /** Where the task stands, or where it would. */
  private placeOf(guid0: number, guid1: number, guid2: number, guid3: number): number {
    const { places } = this;
    const mask = places.length - 1;
    let place = hash(guid0, guid1, guid2, guid3) & mask;
    while (places[place] !== EMPTY) {
      if (this.isGuid((places[place] as number) - 1, guid0, guid1, guid2, guid3)) break;
      place = (place + 1) & mask;
    }
    return place;
  }

  private isGuid(task: number, guid0: number, guid1: number, guid2: number, guid3: number): boolean {
    const { guids } = this;
    const at = task * WORDS;
    return (
      guids[at] === guid0 && guids[at + 1] === guid1 && guids[at + 2] === guid2 && guids[at + 3] === guid3
    );
  }

  private add(guid0: number, guid1: number, guid2: number, guid3: number, place: number): number {
    const task = this.unused.pop() ?? this.count++;
    this.isNew = true;
    if ((task + 1) * WORDS > this.guids.length) this.guids = lengthen(this.guids, this.guids.length * 2);
    this.guids.set([guid0, guid1, guid2, guid3], task * WORDS);
    this.places[place] = task + 1;
    if (this.size * 2 > this.places.length) {
      this.places = new Int32Array(this.places.length * 2);
      this.rebuild();
    }
    return task;
  }

  private rebuild(): void {
    const { places } = this;
    const unused = new Set(this.unused);
    places.fill(EMPTY);
    for (let task = 0; task < this.count; task++) {
      if (unused.size > 0 && unused.has(task)) continue;
      const [guid0 = 0, guid1 = 0, guid2 = 0, guid3 = 0] = this.guidOf(task);
      places[this.placeOf(guid0, guid1, guid2, guid3)] = task + 1;
    }
  }
}

/**
 * The tasks that checkpoints name, and who asked. A session is one task: each of its statements has a GUID of its own,
 * and they would be too many to name. Where events have none, who asked is all that is known of a task.
 */
export class TaskNames {
  private readonly table = new TaskTable(MOST_NAMED);
  /** As `packCaller` writes them, by name. */
  private known = new Uint32Array(FIRST_CAPACITY);

  /** The name of a task; 0: it has none. @param guid null: not known */
  nameOf(guid: Int32Array | null, caller: number): number {
    const { table } = this;
    const isByCaller =
      guid === null ||
      (isSessionCaller(caller) && sessionOfCaller(caller) > 0) ||
      (caller !== 0 && table.size >= MOST_GUIDS && !table.has(guid));
    // Of all the tasks whose statements found no room, a name without a kind would make one that is always there.
    if (isByCaller && (guid === null ? caller : kindOfCaller(caller)) === 0) return 0;
    return this.add(isByCaller ? [0, 0, 0, caller] : guid, caller);
  }

  /** Who asked, by name; 0 is an unknown task. A view. */
  get callers(): Uint32Array {
    return this.known.subarray(0, 1 + Math.min(this.table.size, MOST_NAMED));
  }

  /** Forgets tasks that have no name. */
  sweep(): void {
    this.table.keepOnly(new Set());
  }

  /** Their GUIDs, four words each, in the order of their names; zeros and the caller where there is none. */
  keep(): Int32Array {
    return this.table.keep();
  }

  /** Restores GUIDs that were kept, when there are none yet. @param callers by name; empty in earlier files */
  restore(guids: Int32Array, callers: Uint32Array): void {
    for (let at = 0; at + WORDS <= guids.length; at += WORDS)
      this.add(guids.subarray(at, at + WORDS), callers[at / WORDS + 1] ?? 0);
  }

  private add([guid0 = 0, guid1 = 0, guid2 = 0, guid3 = 0]: Iterable<number>, caller: number): number {
    const name = 1 + this.table.numberOf(guid0, guid1, guid2, guid3);
    if (name > MOST_NAMED) return 0;
    if (name >= this.known.length) this.known = lengthen(this.known, this.known.length * 2);
    const before = this.known[name] as number;
    if (before !== caller) this.known[name] = joinCallers(before, caller);
    return name;
  }
}

function hash(guid0: number, guid1: number, guid2: number, guid3: number): number {
  let mixed =
    Math.imul(guid0, 0x9e3779b1) ^
    Math.imul(guid1, 0x85ebca77) ^
    Math.imul(guid2, 0xc2b2ae3d) ^
    Math.imul(guid3, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
