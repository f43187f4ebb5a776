import type { Task } from './checkpoint-task';
import type { CatalogueEvent } from './event-catalogue';

/** Something happened that an event session may want. */
export interface FiredEvent {
  readonly event: CatalogueEvent;
  readonly atUs: number;
  readonly databaseId: number;
  readonly task: Task;
  /** The task's count of events, this one included. */
  readonly sequence: number;
  /** Further fields, in the event's order after database_id. */
  readonly more?: readonly (number | string)[];
  /** For the ledger: which checkpoint, and which end of it. */
  readonly checkpoint?: { readonly number: number; readonly phase: 'begin' | 'end' };
}

/** What a session adds to an event: the same for all events of one subscription. */
export interface EventLayout {
  readonly event: CatalogueEvent;
  readonly actions: readonly { readonly package: string; readonly name: string }[];
  readonly causality: boolean;
}

/** One event as a session holds it. */
export interface EventRow {
  readonly layout: EventLayout;
  readonly atUs: number;
  readonly databaseId: number;
  readonly task: Task;
  readonly sequence: number;
  readonly more: readonly (number | string)[];
}

const NONE: readonly (number | string)[] = [];
const FIRST_CAPACITY = 64;

/** Event rows in typed columns, some 30 bytes each, so that a file may hold millions; they become text only when they are read. */
export class EventColumns {
  private atUs = new Float64Array(FIRST_CAPACITY);
  private databaseIds = new Int32Array(FIRST_CAPACITY);
  private sequences = new Float64Array(FIRST_CAPACITY);
  private layoutIndexes = new Uint16Array(FIRST_CAPACITY);
  private taskIndexes = new Uint32Array(FIRST_CAPACITY);
  private readonly layouts: EventLayout[] = [];
  private readonly tasks: Task[] = [];
  private readonly layoutIndexOf = new Map<EventLayout, number>();
  private readonly taskIndexOf = new Map<Task, number>();
  private readonly more = new Map<number, readonly (number | string)[]>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  append(row: EventRow): void {
    if (this.count === this.atUs.length) this.grow();
    this.atUs[this.count] = row.atUs;
    this.databaseIds[this.count] = row.databaseId;
    this.sequences[this.count] = row.sequence;
    this.layoutIndexes[this.count] = indexIn(this.layouts, this.layoutIndexOf, row.layout);
    this.taskIndexes[this.count] = indexIn(this.tasks, this.taskIndexOf, row.task);
    if (row.more.length > 0) this.more.set(this.count, row.more);
    this.count += 1;
  }

  at(index: number): EventRow {
    const layout = this.layouts[this.layoutIndexes[index] ?? 0];
    const task = this.tasks[this.taskIndexes[index] ?? 0];
    if (index >= this.count || layout === undefined || task === undefined) throw new RangeError(`no event row ${index}`);
    return {
      layout,
      task,
      atUs: this.atUs[index] ?? 0,
      databaseId: this.databaseIds[index] ?? 0,
      sequence: this.sequences[index] ?? 0,
      more: this.more.get(index) ?? NONE,
    };
  }

  private grow(): void {
    const capacity = this.count * 2;
    this.atUs = copyInto(new Float64Array(capacity), this.atUs);
    this.databaseIds = copyInto(new Int32Array(capacity), this.databaseIds);
    this.sequences = copyInto(new Float64Array(capacity), this.sequences);
    this.layoutIndexes = copyInto(new Uint16Array(capacity), this.layoutIndexes);
    this.taskIndexes = copyInto(new Uint32Array(capacity), this.taskIndexes);
  }
}

function copyInto<T extends { set(from: T): void }>(into: T, from: T): T {
  into.set(from);
  return into;
}

function indexIn<T>(list: T[], indexOf: Map<T, number>, item: T): number {
  const known = indexOf.get(item);
  if (known !== undefined) return known;
  indexOf.set(item, list.length);
  return list.push(item) - 1;
}
