import type { CheckpointStore } from './checkpoint-store';
import { lengthen } from '../number-columns';
import type { UnpairedReason, UnpairedStore } from '../pairing/unpaired';

/** Up to here a sum of a time and a place is exact. */
const MOST_EXACT = Number.MAX_SAFE_INTEGER;

/** If a row has to pass more others than this on average, sorting is quicker. */
const MOST_MOVED = 8;

interface GivenUp {
  readonly isEnd: boolean;
  readonly databaseId: number;
  readonly atUtcMs: number;
  readonly reason: UnpairedReason;
}

/**
 * What one settling decided, before it is appended in order of time. So rows of about one time stand together, whatever
 * the order in which their events arrived.
 */
export class SettledBatch {
  private beginUtcMs = new Float64Array(64);
  private durationMs = new Float64Array(64);
  private database = new Float64Array(64);
  private task = new Float64Array(64);
  private places = new Float64Array(64);
  private count = 0;
  /** Whether each begins after the one before. */
  private isOrdered = true;
  private readonly givenUp: GivenUp[] = [];

  addCheckpoint(beginUtcMs: number, durationMs: number, database: number, task: number): void {
    const at = this.count++;
    if (at === this.beginUtcMs.length) this.grow();
    if (at > 0 && beginUtcMs <= (this.beginUtcMs[at - 1] as number)) this.isOrdered = false;
    this.beginUtcMs[at] = beginUtcMs;
    this.durationMs[at] = durationMs;
    this.database[at] = database;
    this.task[at] = task;
  }

  addUnpaired(isEnd: boolean, databaseId: number, atUtcMs: number, reason: UnpairedReason): void {
    this.givenUp.push({ isEnd, databaseId, atUtcMs, reason });
  }

  /** Appends everything to the stores, and empties the batch. */
  appendTo(store: CheckpointStore, unpaired: UnpairedStore): void {
    if (this.count > 0) this.appendCheckpoints(store);
    if (this.givenUp.length === 0) return;
    this.givenUp.sort(
      (a, b) => a.atUtcMs - b.atUtcMs || a.databaseId - b.databaseId || Number(a.isEnd) - Number(b.isEnd),
    );
    for (const { isEnd, databaseId, atUtcMs, reason } of this.givenUp)
      unpaired.append(isEnd, databaseId, atUtcMs, reason);
    this.givenUp.length = 0;
  }

  private appendCheckpoints(store: CheckpointStore): void {
    const { beginUtcMs, durationMs, database, task, count } = this;
    const places = this.isOrdered ? null : this.order();
    for (let i = 0; i < count; i++) {
      const at = places === null ? i : (places[i] as number);
      store.append(
        beginUtcMs[at] as number,
        durationMs[at] as number,
        database[at] as number,
        task[at] as number,
      );
    }
    this.count = 0;
    this.isOrdered = true;
  }

  /** Places in order of begin, then of database and duration. Most rows are nearly in order and inserted one by one. */
  private order(): Float64Array {
    const places = this.places.subarray(0, this.count);
    return this.insert(places) ? places : this.sort(places);
  }

  /** Inserts them one by one. False if too many would have to move; then the places are useless. */
  private insert(places: Float64Array): boolean {
    const { beginUtcMs, count } = this;
    let left = count * MOST_MOVED;
    for (let at = 0; at < count; at++) {
      const begin = beginUtcMs[at] as number;
      let to = at;
      while (to > 0) {
        const before = places[to - 1] as number;
        const isBehind = (beginUtcMs[before] as number) - begin || this.compare(before, at);
        if (isBehind <= 0) break;
        places[to--] = before;
      }
      places[to] = at;
      left -= at - to;
      if (left < 0) return false;
    }
    return true;
  }

  /** Sorts floats that hold time and place: a tenth of the time of sorting by comparing. */
  private sort(places: Float64Array): Float64Array {
    const { beginUtcMs, count } = this;
    let first = Infinity;
    let last = -Infinity;
    for (let at = 0; at < count; at++) {
      const begin = beginUtcMs[at] as number;
      if (begin < first) first = begin;
      if (begin > last) last = begin;
    }
    const scale = 2 ** Math.ceil(Math.log2(count));
    const isExact = (last - first + 1) * scale <= MOST_EXACT;
    for (let at = 0; at < count; at++)
      places[at] = isExact ? ((beginUtcMs[at] as number) - first) * scale + at : at;
    if (!isExact) return places.sort((a, b) => this.compare(a, b));
    places.sort();
    let isTieOpen = false;
    let before = -1;
    for (let i = 0; i < count; i++) {
      const packed = places[i] as number;
      const sinceFirst = Math.floor(packed * (1 / scale));
      places[i] = packed - sinceFirst * scale;
      isTieOpen ||= sinceFirst === before && this.compare(places[i - 1] as number, places[i] as number) > 0;
      before = sinceFirst;
    }
    return isTieOpen ? places.sort((a, b) => this.compare(a, b)) : places;
  }

  private grow(): void {
    const columns = ['beginUtcMs', 'durationMs', 'database', 'task', 'places'] as const;
    for (const name of columns) this[name] = lengthen(this[name], this[name].length * 2);
  }

  private compare(a: number, b: number): number {
    const { beginUtcMs, database, durationMs } = this;
    const byBegin = (beginUtcMs[a] as number) - (beginUtcMs[b] as number);
    return (
      byBegin ||
      (database[a] as number) - (database[b] as number) ||
      (durationMs[a] as number) - (durationMs[b] as number)
    );
  }
}
