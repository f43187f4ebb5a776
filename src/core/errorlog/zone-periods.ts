import type { OffsetPeriod } from './server-clock';

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/**
 * Offsets of a time zone as periods, for a log whose server's zone somebody knows. Changes are found to the second; a zone keeps an offset for longer than a day.
 * @param offsetAt minutes to add to UTC at that moment, as Intl tells it for a named zone
 */
export function listZonePeriods(offsetAt: (utcMs: number) => number, fromUtcMs: number, toUtcMs: number): readonly OffsetPeriod[] {
  const periods: OffsetPeriod[] = [{ fromUtcMs: -Infinity, offsetMinutes: offsetAt(fromUtcMs) }];
  for (let at = fromUtcMs; at < toUtcMs; at += DAY_MS) {
    const next = Math.min(at + DAY_MS, toUtcMs);
    const offsetMinutes = offsetAt(next);
    if (offsetMinutes !== offsetAt(at)) periods.push({ fromUtcMs: findChange(offsetAt, at, next), offsetMinutes });
  }
  return periods;
}

function findChange(offsetAt: (utcMs: number) => number, before: number, after: number): number {
  const [first, last] = [Math.ceil(before / SECOND_MS), Math.ceil(after / SECOND_MS)];
  const old = offsetAt(before);
  let [low, high] = [first, last];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * SECOND_MS) === old) low = middle;
    else high = middle;
  }
  return high * SECOND_MS;
}
