import { type EventRegister, joinCallers, sessionOfCaller } from '../events/event-register';
import { lengthen } from '../number-columns';

/** Events read and not decided yet; 41 bytes each. */
export interface PendingColumns {
  readonly rows: number;
  readonly atUtcMs: Float64Array;
  /** The event's number within its task; without activity id, the place in `pendingSources`. */
  readonly mark: Float64Array;
  readonly databaseId: Int32Array;
  /** The GUID of the task, four words each; zeros without activity id. */
  readonly guids: Int32Array;
  /** 1 for an end; 2 is added if it has an activity id. */
  readonly kind: Uint8Array;
  /** Who asked, as `packCaller` writes it. */
  readonly callers: Uint32Array;
}

/** Columns for this many undecided events. */
export function createPendingColumns(rows: number): PendingColumns {
  const [atUtcMs, mark] = [new Float64Array(rows), new Float64Array(rows)];
  return {
    rows,
    atUtcMs,
    mark,
    databaseId: new Int32Array(rows),
    guids: new Int32Array(4 * rows),
    kind: new Uint8Array(rows),
    callers: new Uint32Array(rows),
  };
}

const FIRST_CAPACITY = 64;
/** No slot. */
export const NONE = -1;

/** Begins and ends that are read and not decided, in columns. The slot of a decided event is used again. */
export class PendingEvents {
  atUtcMs = new Float64Array(FIRST_CAPACITY);
  /** The event's number within its task; without activity id, the number of the buffer that it was read from. */
  mark = new Float64Array(FIRST_CAPACITY);
  isEnd = new Uint8Array(FIRST_CAPACITY);
  callers = new Uint32Array(FIRST_CAPACITY);
  /** The next slot of the same key, or of the free ones; NONE at the end. */
  next = new Int32Array(FIRST_CAPACITY);
  private free = NONE;
  private used = 0;
  private held = 0;

  get count(): number {
    return this.held;
  }

  /** Keeps an event and gives its slot. */
  add(register: EventRegister, mark: number): number {
    const slot = this.takeSlot();
    this.isEnd[slot] = register.isEnd === true ? 1 : 0;
    this.atUtcMs[slot] = register.atUtcMs;
    this.mark[slot] = mark;
    this.callers[slot] = register.caller;
    this.next[slot] = NONE;
    this.held++;
    return slot;
  }

  release(slot: number): void {
    this.next[slot] = this.free;
    this.free = slot;
    this.held--;
  }

  /**
   * Order within a task and database: by the task's own numbers if there are any, even if the clock says otherwise.
   * Otherwise by time; of two at one time the begin comes first (docs/facts.md, SQL Server 3: file order is not time
   * order).
   */
  compare(a: number, b: number, hasActivity: boolean): number {
    const byNumber = hasActivity ? (this.mark[a] as number) - (this.mark[b] as number) : 0;
    return (
      byNumber ||
      (this.atUtcMs[a] as number) - (this.atUtcMs[b] as number) ||
      (this.isEnd[a] as number) - (this.isEnd[b] as number)
    );
  }

  /** What two of its events say together of who asked. */
  joinCallers(a: number, b: number): number {
    return joinCallers(this.callers[a] as number, this.callers[b] as number);
  }

  /** Of who asked; 0: not known. */
  sessionOf(slot: number): number {
    return sessionOfCaller(this.callers[slot] as number);
  }

  /** Whether a session may have fired both. */
  mayBeOfOne(a: number, b: number): boolean {
    const [one, other] = [this.sessionOf(a), this.sessionOf(b)];
    return one === other || one === 0 || other === 0;
  }

  private takeSlot(): number {
    const slot = this.free;
    if (slot !== NONE) {
      this.free = this.next[slot] as number;
      return slot;
    }
    if (this.used === this.isEnd.length) this.grow();
    return this.used++;
  }

  private grow(): void {
    const capacity = this.used * 2;
    this.atUtcMs = lengthen(this.atUtcMs, capacity);
    this.mark = lengthen(this.mark, capacity);
    this.isEnd = lengthen(this.isEnd, capacity);
    this.callers = lengthen(this.callers, capacity);
    this.next = lengthen(this.next, capacity);
  }
}
