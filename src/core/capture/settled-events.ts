import type { CapturedDatabase } from './checkpoint-columns';
import type { CheckpointStore } from './checkpoint-store';
import { addToList } from '../lists';
import type { PairingKey } from '../pairing/pairing-key';
import type { UnpairedStore } from '../pairing/unpaired';

/** An event older than what was settled. Most were settled themselves and are read again. */
export interface LateEvent {
  readonly key: PairingKey;
  readonly slot: number;
  readonly isEnd: boolean;
  readonly databaseId: number;
  readonly atUtcMs: number;
}

/**
 * Which of these events were settled before: a store holds the same kind, database and millisecond. It looks only at
 * rows of about their time. So nothing has to be remembered beyond the checkpoints themselves, and reading a long
 * history again costs one pass in all.
 */
export function findSettledEvents(
  events: readonly LateEvent[],
  store: CheckpointStore,
  databases: readonly CapturedDatabase[],
  unpaired: UnpairedStore,
): ReadonlySet<LateEvent> {
  const found = new Set<LateEvent>();
  const byTime = indexTimes(events);
  const find = (isEnd: boolean, databaseId: number, atUtcMs: number): void => {
    for (const event of byTime.get(atUtcMs) ?? [])
      if (event.isEnd === isEnd && event.databaseId === databaseId) found.add(event);
  };
  const { beginUtcMs, durationMs, database } = store.columns();
  for (const [fromUtcMs, toUtcMs] of listStretches(events)) {
    store.visitRows(fromUtcMs, toUtcMs, (fromRow, toRow) => {
      for (let row = fromRow; row < toRow; row++) {
        const begin = beginUtcMs[row] as number;
        const databaseId = databases[database[row] as number]?.databaseId ?? 0;
        find(false, databaseId, begin);
        find(true, databaseId, begin + (durationMs[row] as number));
      }
    });
    unpaired.visitBetween(fromUtcMs, toUtcMs, find);
  }
  return found;
}

function indexTimes(events: readonly LateEvent[]): ReadonlyMap<number, readonly LateEvent[]> {
  const byTime = new Map<number, LateEvent[]>();
  for (const event of events) addToList(byTime, event.atUtcMs, event);
  return byTime;
}

/** Events this far apart are looked up separately, so that not everything between them is read. */
const QUIET_MS = 600_000;
/** More stretches cost more than they save. */
const MOST_STRETCHES = 64;

function listStretches(events: readonly LateEvent[]): readonly (readonly [number, number])[] {
  const times = Float64Array.from(events, (event) => event.atUtcMs).sort();
  const stretches: [number, number][] = [];
  for (const atUtcMs of times) {
    const last = stretches[stretches.length - 1];
    if (last === undefined || (atUtcMs - last[1] > QUIET_MS && stretches.length < MOST_STRETCHES))
      stretches.push([atUtcMs, atUtcMs]);
    else last[1] = atUtcMs;
  }
  return stretches;
}
