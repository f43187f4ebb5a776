import type { CapturedDatabase } from './checkpoint-columns';
import type { CheckpointStore } from './checkpoint-store';
import { addToList } from '../lists';
import type { PairingKey } from '../pairing/pairing-key';
import type { UnpairedStore } from '../pairing/unpaired';

/** An event dated before what has been settled: most were settled themselves and are read again. */
export interface LateEvent {
  readonly key: PairingKey;
  readonly slot: number;
  readonly isEnd: boolean;
  readonly databaseId: number;
  readonly atUtcMs: number;
}

/**
 * Which of these events were settled before: the same kind, database and millisecond stands in a store. Only rows of about their time are looked at, so that
 * nothing has to be remembered about settled events beyond the checkpoints themselves, and a long history that is read again costs one pass in all.
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
    for (const event of byTime.get(atUtcMs) ?? []) if (event.isEnd === isEnd && event.databaseId === databaseId) found.add(event);
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

/** Minutes of quiet between events split them, so that two that lie far apart do not ask for everything between them. */
const QUIET_MS = 600_000;
/** More are not worth their looks at the blocks. */
const MOST_STRETCHES = 64;

function listStretches(events: readonly LateEvent[]): readonly (readonly [number, number])[] {
  const times = Float64Array.from(events, (event) => event.atUtcMs).sort();
  const stretches: [number, number][] = [];
  for (const atUtcMs of times) {
    const last = stretches[stretches.length - 1];
    if (last === undefined || (atUtcMs - last[1] > QUIET_MS && stretches.length < MOST_STRETCHES)) stretches.push([atUtcMs, atUtcMs]);
    else last[1] = atUtcMs;
  }
  return stretches;
}
