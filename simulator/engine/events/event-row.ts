import type { Task } from '../checkpoints/checkpoint-task';
import type { CatalogueEvent } from './event-catalogue';

/** Something happened that an event session may want. */
export interface FiredEvent {
  readonly event: CatalogueEvent;
  readonly atUs: number;
  readonly databaseId: number;
  readonly task: Task;
  /** The task's count of events, this one included. */
  readonly sequence: number;
  /** Further fields after database_id, in the event's order. */
  readonly more?: readonly (number | string)[] | undefined;
  /** For the ledger: which checkpoint, and which end of it. */
  readonly checkpoint?: { readonly number: number; readonly phase: 'begin' | 'end' } | undefined;
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
const BLOCK_ROWS = 8192;

/** A part of the columns, made at its full size and never moved, so that growing leaves no garbage. */
class Block {
  readonly atUs = new Float64Array(BLOCK_ROWS);
  readonly databaseIds = new Int32Array(BLOCK_ROWS);
  readonly sequences = new Uint32Array(BLOCK_ROWS);
  readonly tasks = new Uint32Array(BLOCK_ROWS);
  readonly layouts = new Uint16Array(BLOCK_ROWS);
}

/**
 * Event rows in typed columns, 22 bytes each, so that files can hold millions. They become text only when they are
 * read.
 */
export class EventColumns {
  private readonly blocks: Block[] = [];
  private readonly layouts = new Numbered<EventLayout>();
  private readonly tasks = new Numbered<Task>();
  private readonly more = new Map<number, readonly (number | string)[]>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  append(row: EventRow): void {
    const at = this.count % BLOCK_ROWS;
    if (at === 0) this.blocks.push(new Block());
    const block = this.blockOf(this.count);
    block.atUs[at] = row.atUs;
    block.databaseIds[at] = row.databaseId;
    block.sequences[at] = row.sequence;
    block.layouts[at] = this.layouts.indexOf(row.layout);
    block.tasks[at] = this.tasks.indexOf(row.task);
    if (row.more.length > 0) this.more.set(this.count, row.more);
    this.count += 1;
  }

  at(index: number): EventRow {
    if (index >= this.count) throw new RangeError(`no event row ${index}`);
    const at = index % BLOCK_ROWS;
    const block = this.blockOf(index);
    return {
      layout: this.layouts.at(block.layouts[at] as number),
      task: this.tasks.at(block.tasks[at] as number),
      atUs: block.atUs[at] as number,
      databaseId: block.databaseIds[at] as number,
      sequence: block.sequences[at] as number,
      more: this.more.get(index) ?? NONE,
    };
  }

  private blockOf(row: number): Block {
    const block = this.blocks[Math.floor(row / BLOCK_ROWS)];
    if (block === undefined) throw new RangeError(`no event row ${row}`);
    return block;
  }
}

/** Numbers things in the order in which it first sees them. */
class Numbered<T> {
  private readonly items: T[] = [];
  private readonly indexes = new Map<T, number>();
  private last: T | undefined;
  private lastIndex = 0;

  indexOf(item: T): number {
    if (item === this.last) return this.lastIndex;
    let index = this.indexes.get(item);
    if (index === undefined) {
      index = this.items.push(item) - 1;
      this.indexes.set(item, index);
    }
    this.last = item;
    this.lastIndex = index;
    return index;
  }

  at(index: number): T {
    const item = this.items[index];
    if (item === undefined) throw new RangeError(`nothing has the number ${index}`);
    return item;
  }
}
