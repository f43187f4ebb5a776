/**
 * One task that serves databases first in, first out, apart from everything that judges it: what is said of a queue is
 * held against this one. A database asks again so long after its last turn began; who asks while the task is busy
 * waits.
 */
import { createRandom } from '../../simulator/scenarios/random';

/** What a database asks for in the hours of the day in which this holds. */
export interface Asking {
  readonly takesMs: number;
  readonly everyMs: number;
  /** So much longer or shorter a turn may be; a tenth, where nothing is said. */
  readonly spread?: number;
  /** From one hour of the server's day to another, which may be past midnight; always, where nothing is said. */
  readonly hours?: readonly [number, number];
}

export interface Asker {
  readonly databaseId: number;
  readonly askings: readonly Asking[];
}

export interface Queue {
  readonly fromMs: number;
  readonly toMs: number;
  readonly utcOffsetMin: number;
  readonly seed: number;
  readonly askers: readonly Asker[];
  /** In each of these stretches of time no turn begins in the last part; null: the task never rests. */
  readonly pauses: { readonly everyMs: number; readonly forMs: number } | null;
}

export interface Turn {
  readonly databaseId: number;
  readonly beginMs: number;
  readonly endMs: number;
}

const HOUR_MS = 3_600_000;
/** A queue that stands was standing before anybody looked. */
const BEFORE_MS = 2 * HOUR_MS;
/** Between two turns, at the most. */
const MOST_BETWEEN_MS = 100;

interface Waiting {
  readonly askedMs: number;
  readonly asker: Asker;
}

/** The turns that lie in the time as a whole, in their order. */
export function simulateQueue(queue: Queue): readonly Turn[] {
  const random = createRandom(queue.seed, 0);
  const waiting: Waiting[] = [];
  const startMs = queue.fromMs - BEFORE_MS;
  for (const asker of queue.askers) {
    const first = asker.askings[0];
    if (first !== undefined) askIn(startMs + Math.floor(random.unit() * first.everyMs), asker);
  }
  const turns: Turn[] = [];
  let freeMs = startMs;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { asker, askedMs } = next;
    const beginMs = skipPause(Math.max(askedMs, freeMs), queue);
    if (beginMs >= queue.toMs) break;
    const asking = findAsking(asker, beginMs, queue) ?? findAsking(asker, askedMs, queue) ?? asker.askings[0];
    if (asking === undefined) continue;
    const { takesMs, everyMs, spread = 0.1 } = asking;
    const endMs = beginMs + Math.max(1, Math.round(takesMs * (1 + spread * random.between(-1, 1))));
    if (beginMs >= queue.fromMs && endMs <= queue.toMs)
      turns.push({ databaseId: asker.databaseId, beginMs, endMs });
    freeMs = endMs + random.whole(0, MOST_BETWEEN_MS);
    askIn(Math.max(beginMs + everyMs, endMs), asker);
  }
  return turns;

  function askIn(atMs: number, asker: Asker): void {
    const askedMs = findOpening(asker, atMs, queue);
    if (askedMs < queue.toMs) addTo(waiting, { askedMs, asker });
  }
}

/** What of the time the task was busy, 0 to 1. */
export function measureBusy(
  turns: readonly Turn[],
  { fromMs, toMs }: Pick<Queue, 'fromMs' | 'toMs'>,
): number {
  return turns.reduce((sum, { beginMs, endMs }) => sum + endMs - beginMs, 0) / (toMs - fromMs);
}

function skipPause(atMs: number, { fromMs, pauses }: Queue): number {
  if (pauses === null) return atMs;
  const { everyMs, forMs } = pauses;
  const within = (((atMs - fromMs) % everyMs) + everyMs) % everyMs;
  return within >= everyMs - forMs ? atMs + everyMs - within : atMs;
}

function findAsking({ askings }: Asker, atMs: number, { utcOffsetMin }: Queue): Asking | null {
  const hour = ((atMs + utcOffsetMin * 60_000) / HOUR_MS) % 24;
  return askings.find(({ hours }) => hours === undefined || isBetween(hour, hours)) ?? null;
}

function isBetween(hour: number, [from, to]: readonly [number, number]): boolean {
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to;
}

/** When it asks: at that time, or when the next of its hours begin. */
function findOpening(asker: Asker, atMs: number, queue: Queue): number {
  if (findAsking(asker, atMs, queue) !== null) return atMs;
  const hour = ((atMs + queue.utcOffsetMin * 60_000) / HOUR_MS) % 24;
  const hoursUntil = asker.askings.map(({ hours }) => ((hours?.[0] ?? hour) - hour + 24) % 24);
  return Math.ceil(atMs + Math.min(...hoursUntil) * HOUR_MS) + 1;
}

/** Keeps who asked first at the end; of several at once, the one with the lowest id. */
function addTo(waiting: Waiting[], one: Waiting): void {
  const at = waiting.findIndex((other) => !isBefore(one, other));
  waiting.splice(at < 0 ? waiting.length : at, 0, one);
}

function isBefore(some: Waiting, other: Waiting): boolean {
  return (
    some.askedMs < other.askedMs ||
    (some.askedMs === other.askedMs && some.asker.databaseId < other.asker.databaseId)
  );
}
