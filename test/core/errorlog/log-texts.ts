/** Log lines in the published shapes. */
import type { ErrorLogRow } from '../../../src/core/errorlog/error-log-row';

export const PUBLISHED = [
  'FlushCache: cleaned up 394031 bufs with 282252 writes in 65544 ms (avoided 21 new dirty bufs) for db 19:0',
  '      average writes per second: 4306.30 writes/sec',
  '      average throughput:        46.96 MB/sec, I/O saturation: 53644, context switches 101117',
  '      last target outstanding:   639360, avgWriteLatency 1',
] as const;

export function makeRow(text: string, logDateLocal = '2026-03-02T08:00:00.79', processInfo = 'spid25s'): ErrorLogRow {
  return { logDateLocal, processInfo, text };
}

type Figure = 'avoided' | 'saturation' | 'switches' | 'outstanding' | 'latency';

/** The four lines of a message whose equations hold. @param figures what no equation ties, where it matters */
export function createMessage(
  pages: number,
  writes: number,
  durationMs: number,
  databaseId: number,
  { avoided = 0, saturation = pages, switches = 9, outstanding = databaseId, latency = 1 }: Partial<Record<Figure, number>> = {},
): readonly string[] {
  return [
    `FlushCache: cleaned up ${pages} bufs with ${writes} writes in ${durationMs} ms (avoided ${avoided} new dirty bufs) for db ${databaseId}:0`,
    `      average writes per second: ${((writes * 1000) / durationMs).toFixed(2)} writes/sec`,
    `      average throughput:        ${((pages * 8000) / 1024 / durationMs).toFixed(2)} MB/sec, I/O saturation: ${saturation}, context switches ${switches}`,
    `      last target outstanding:   ${outstanding}, avgWriteLatency ${latency}`,
  ];
}
