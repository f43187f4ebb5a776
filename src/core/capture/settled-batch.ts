import type { CheckpointStore } from './checkpoint-store';
import type { UnpairedReason, UnpairedStore } from './unpaired';

/** A sum of a time and a place is exact up to here. */
const MOST_EXACT = Number.MAX_SAFE_INTEGER;

interface GivenUp {
  readonly isEnd: boolean;
  readonly databaseId: number;
  readonly atUtcMs: number;
  readonly reason: UnpairedReason;
}

/**
 * What one settling decided, before it is appended in order of time: so the order in which events arrived leaves no trace, and rows of about one time stand
 * together.
 */
export class SettledBatch {
  private readonly beginUtcMs: number[] = [];
  private readonly durationMs: number[] = [];
  private readonly database: number[] = [];
  private readonly givenUp: GivenUp[] = [];

  addCheckpoint(beginUtcMs: number, durationMs: number, database: number): void {
    this.beginUtcMs.push(beginUtcMs);
    this.durationMs.push(durationMs);
    this.database.push(database);
  }

  addUnpaired(isEnd: boolean, databaseId: number, atUtcMs: number, reason: UnpairedReason): void {
    this.givenUp.push({ isEnd, databaseId, atUtcMs, reason });
  }

  /** Appends everything and is empty. */
  appendTo(store: CheckpointStore, unpaired: UnpairedStore): void {
    const { beginUtcMs, durationMs, database } = this;
    for (const at of this.order()) store.append(beginUtcMs[at] as number, durationMs[at] as number, database[at] as number);
    beginUtcMs.length = durationMs.length = database.length = 0;
    if (this.givenUp.length === 0) return;
    this.givenUp.sort((a, b) => a.atUtcMs - b.atUtcMs || a.databaseId - b.databaseId || Number(a.isEnd) - Number(b.isEnd));
    for (const { isEnd, databaseId, atUtcMs, reason } of this.givenUp) unpaired.append(isEnd, databaseId, atUtcMs, reason);
    this.givenUp.length = 0;
  }

  /** Places in order of begin, then of database and duration. Sorted as floats that hold time and place, which takes a tenth of a sort by comparing. */
  private order(): ArrayLike<number> & Iterable<number> {
    const { beginUtcMs } = this;
    const count = beginUtcMs.length;
    if (count < 2) return count === 0 ? [] : [0];
    let first = Infinity;
    let last = -Infinity;
    for (const begin of beginUtcMs) {
      if (begin < first) first = begin;
      if (begin > last) last = begin;
    }
    const places = new Float64Array(count);
    const isExact = (last - first + 1) * count <= MOST_EXACT;
    for (let at = 0; at < count; at++) places[at] = isExact ? ((beginUtcMs[at] as number) - first) * count + at : at;
    if (isExact) places.sort();
    if (isExact) for (let i = 0; i < count; i++) places[i] = (places[i] as number) % count;
    for (let i = 1; i < count; i++) {
      if (this.compare(places[i - 1] as number, places[i] as number) > 0) return places.sort((a, b) => this.compare(a, b));
    }
    return places;
  }

  private compare(a: number, b: number): number {
    const { beginUtcMs, database, durationMs } = this;
    const byBegin = (beginUtcMs[a] as number) - (beginUtcMs[b] as number);
    return byBegin || (database[a] as number) - (database[b] as number) || (durationMs[a] as number) - (durationMs[b] as number);
  }
}
