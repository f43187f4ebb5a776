import type { Random } from './random';

/** A moment of that year in server local time. */
export function makeLocalTime(year: number, random: Random): string {
  const startMs = Date.UTC(year, 0, 1);
  const at = new Date(startMs + Math.floor(random.unit() * 364 * 86_400_000)).toISOString();
  // datetime has steps of 1/300 s: milliseconds end in 0, 3 or 7.
  return `${at.slice(0, -2)}${[0, 3, 7][random.whole(0, 2)] ?? 0}`;
}

/** The same items in random order. */
export function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = random.whole(0, i);
    const a = mixed[i] as T;
    mixed[i] = mixed[j] as T;
    mixed[j] = a;
  }
  return mixed;
}
