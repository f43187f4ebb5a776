import type { CapturedDatabase, CheckpointColumns } from './checkpoint-columns';
import type { CheckpointEvent } from './event';
import type { UnpairedStore } from './unpaired';

/**
 * Which of these events were settled before: the same kind, database and millisecond stands in the store. One pass over the store for all
 * of them, so that nothing has to be remembered about settled events beyond the checkpoints themselves.
 */
export function findSettledEvents<E extends CheckpointEvent>(
  events: readonly E[],
  columns: CheckpointColumns,
  databases: readonly CapturedDatabase[],
  unpaired: UnpairedStore,
): ReadonlySet<E> {
  const wanted = new WantedEvents(events);
  const { rows, beginUtcMs, durationMs, database } = columns;
  for (let row = 0; row < rows; row++) {
    const begin = beginUtcMs[row] ?? 0;
    const end = begin + (durationMs[row] ?? 0);
    if (end < wanted.firstUtcMs || begin > wanted.lastUtcMs) continue;
    const databaseId = databases[database[row] ?? 0]?.databaseId ?? 0;
    wanted.find('begin', databaseId, begin);
    wanted.find('end', databaseId, end);
  }
  unpaired.forEach((kind, databaseId, atUtcMs) => wanted.find(kind, databaseId, atUtcMs));
  return wanted.found;
}

class WantedEvents<E extends CheckpointEvent> {
  readonly found = new Set<E>();
  firstUtcMs = Infinity;
  lastUtcMs = -Infinity;
  private readonly byTime = new Map<number, E[]>();

  constructor(events: readonly E[]) {
    for (const event of events) {
      this.firstUtcMs = Math.min(this.firstUtcMs, event.atUtcMs);
      this.lastUtcMs = Math.max(this.lastUtcMs, event.atUtcMs);
      const same = this.byTime.get(event.atUtcMs);
      if (same === undefined) this.byTime.set(event.atUtcMs, [event]);
      else same.push(event);
    }
  }

  find(kind: 'begin' | 'end', databaseId: number, atUtcMs: number): void {
    if (atUtcMs < this.firstUtcMs || atUtcMs > this.lastUtcMs) return;
    for (const event of this.byTime.get(atUtcMs) ?? []) {
      if (event.kind === kind && event.databaseId === databaseId) this.found.add(event);
    }
  }
}
