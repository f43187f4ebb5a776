import { joinCallers } from '../events/event-register';
import { lengthen } from '../number-columns';

const FIRST_CAPACITY = 256;
const WORDS = 4;
const EMPTY = 0;
/** Most tasks that checkpoints can name, in two bytes each; these are never forgotten. 0 is an unknown task. */
const MOST_NAMED = 65_534;

/** The number by which checkpoints name a task; 0: they do not. */
export function nameTask(task: number): number {
  return task < MOST_NAMED ? task + 1 : 0;
}

/** Gives each task's GUID a small number, so that numbers are compared and no text is made for an event. */
export class TaskTable {
  /** Four words of each GUID, by number. */
  private guids = new Int32Array(FIRST_CAPACITY * WORDS);
  /** Who asked, as `packCaller` writes it, by `nameTask`: a task is one session's. */
  private callers = new Uint32Array(FIRST_CAPACITY + 1);
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

  /** Adds what an event of the task says of its caller. */
  addCaller(task: number, caller: number): void {
    const known = this.callers[task + 1] as number;
    if (known !== caller) this.callers[task + 1] = joinCallers(known, caller);
  }

  callerOf(task: number): number {
    return this.callers[task + 1] as number;
  }

  /** Who asked, by the number with which checkpoints name the task; 0 is an unknown task. A view. */
  get named(): Uint32Array {
    return this.callers.subarray(0, 1 + Math.min(this.count, MOST_NAMED));
  }

  /** Writes the four words of a task's GUID to that place of a column. */
  writeGuid(task: number, into: Int32Array, at: number): void {
    into.set(this.guids.subarray(task * WORDS, (task + 1) * WORDS), at);
  }

  /** Forgets all tasks but these and those that checkpoints name; their numbers stay. */
  keepOnly(tasks: ReadonlySet<number>): void {
    this.unused.length = 0;
    for (let task = MOST_NAMED; task < this.count; task++) if (!tasks.has(task)) this.unused.push(task);
    this.last = -1;
    this.rebuild();
  }

  /** The GUIDs that checkpoints name, four words each, by number. */
  keep(): Int32Array {
    return this.guids.slice(0, WORDS * Math.min(this.count, MOST_NAMED));
  }

  /** Restores GUIDs that were kept, into an empty table. @param callers by `named`; empty in earlier files */
  restore(guids: Int32Array, callers: Uint32Array): void {
    for (let at = 0; at + WORDS <= guids.length; at += WORDS) {
      const [guid0 = 0, guid1 = 0, guid2 = 0, guid3 = 0] = guids.subarray(at, at + WORDS);
      this.addCaller(this.numberOf(guid0, guid1, guid2, guid3), callers[at / WORDS + 1] ?? 0);
    }
  }

  private find(guid0: number, guid1: number, guid2: number, guid3: number): number {
    const { places } = this;
    const mask = places.length - 1;
    let place = hash(guid0, guid1, guid2, guid3) & mask;
    while (places[place] !== EMPTY) {
      const task = (places[place] as number) - 1;
      if (this.isGuid(task, guid0, guid1, guid2, guid3)) return task;
      place = (place + 1) & mask;
    }
    return this.add(guid0, guid1, guid2, guid3, place);
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
    if ((task + 1) * WORDS > this.guids.length) {
      this.guids = lengthen(this.guids, this.guids.length * 2);
      this.callers = lengthen(this.callers, this.guids.length / WORDS + 1);
    }
    this.callers[task + 1] = 0;
    this.guids.set([guid0, guid1, guid2, guid3], task * WORDS);
    this.places[place] = task + 1;
    if (this.size * 2 > this.places.length) {
      this.places = new Int32Array(this.places.length * 2);
      this.rebuild();
    }
    return task;
  }

  private rebuild(): void {
    const { places, guids } = this;
    const unused = new Set(this.unused);
    places.fill(EMPTY);
    for (let task = 0; task < this.count; task++) {
      if (unused.size > 0 && unused.has(task)) continue;
      const at = task * WORDS;
      const mixed = hash(
        guids[at] as number,
        guids[at + 1] as number,
        guids[at + 2] as number,
        guids[at + 3] as number,
      );
      let place = mixed & (places.length - 1);
      while (places[place] !== EMPTY) place = (place + 1) & (places.length - 1);
      places[place] = task + 1;
    }
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
