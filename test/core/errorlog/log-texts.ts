/** Log lines in the published shapes. */
import { type ErrorLogTextReading, readErrorLogText } from '../../../src/core/errorlog/error-log-text';
import type { ErrorLogRow } from '../../../src/core/errorlog/error-log-row';
import type { OffsetObservation, OffsetPeriod } from '../../../src/core/errorlog/server-clock';

export const PUBLISHED = [
  'FlushCache: cleaned up 394031 bufs with 282252 writes in 65544 ms (avoided 21 new dirty bufs) for db 19:0',
  '      average writes per second: 4306.30 writes/sec',
  '      average throughput:        46.96 MB/sec, I/O saturation: 53644, context switches 101117',
  '      last target outstanding:   639360, avgWriteLatency 1',
] as const;

export const changeOf = (name: string): string =>
  `Setting database option target_recovery_time to 60 for database '${name}'.`;

export function makeRow(
  text: string,
  logDateLocal = '2026-03-02T08:00:00.79',
  processInfo = 'spid25s',
): ErrorLogRow {
  return { logDateLocal, processInfo, text };
}

type Figure = 'avoided' | 'saturation' | 'switches' | 'outstanding' | 'latency';

/** The four lines of a message whose equations hold. @param figures what no equation ties, where it matters */
export function createMessage(
  pages: number,
  writes: number,
  durationMs: number,
  databaseId: number,
  {
    avoided = 0,
    saturation = pages,
    switches = 9,
    outstanding = databaseId,
    latency = 1,
  }: Partial<Record<Figure, number>> = {},
): readonly string[] {
  return [
    `FlushCache: cleaned up ${pages} bufs with ${writes} writes in ${durationMs} ms (avoided ${avoided} new dirty bufs) for db ${databaseId}:0`,
    `      average writes per second: ${((writes * 1000) / durationMs).toFixed(2)} writes/sec`,
    `      average throughput:        ${((pages * 8000) / 1024 / durationMs).toFixed(2)} MB/sec, I/O saturation: ${saturation}, context switches ${switches}`,
    `      last target outstanding:   ${outstanding}, avgWriteLatency ${latency}`,
  ];
}

const SEEN_EACH_MS = 14 * 86_400_000;

/**
 * A clock from 2016 to 2027, seen every other week and at each of its changes.
 * @param periods in order of time; the first also holds before it begins
 */
export function observeClock(periods: readonly OffsetPeriod[]): readonly OffsetObservation[] {
  return periods.flatMap(({ fromUtcMs, offsetMinutes }, at) => {
    const from = Math.max(fromUtcMs, Date.UTC(2016, 0, 1));
    const to = periods[at + 1]?.fromUtcMs ?? Date.UTC(2027, 0, 1);
    const seen = Array.from(
      { length: Math.ceil((to - from) / SEEN_EACH_MS) },
      (_, i) => from + i * SEEN_EACH_MS,
    );
    return [...seen, to].map((utcMs) => ({ localMs: utcMs + offsetMinutes * 60_000, offsetMinutes }));
  });
}

/** A clock that is always this far ahead of UTC. */
export const fixedClock = (offsetMinutes: number): readonly OffsetObservation[] =>
  observeClock([{ fromUtcMs: -Infinity, offsetMinutes }]);

/** Lines of a log whose clock is this far ahead of UTC. */
export function readAt(offsetMinutes: number, ...lines: readonly string[]): ErrorLogTextReading {
  return readErrorLogText(lines.join('\r\n'), { clock: fixedClock(offsetMinutes) });
}
