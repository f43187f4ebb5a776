/**
 * Samples and marks made up for tests of the dashboard: a server whose writes are slow while its checkpoint task is
 * busy, and calm once a database was switched.
 */
import { STRIP_SERIES } from '../../src/core/timeline/strip-samples';
import type { TimeMark, TimeMarkKind } from '../../src/core/timeline/time-marks';
import type { ToWebview } from '../../src/protocol';
import { BEGIN_UTC_MS, createRandom, END_UTC_MS, FAKE_CHECKPOINTS, FAKE_GAP } from './fake-capture';

const SAMPLE_MS = 15_000;
const CHANGE_UTC_MS = BEGIN_UTC_MS + 95 * 60_000;

/** Of 15 seconds each, none while the server restarted. WRITELOG cannot be observed in the first minutes. */
export const FAKE_SAMPLES = makeSamples();

function makeSamples(): Extract<ToWebview, { type: 'samples' }> {
  const random = createRandom(11);
  const begins: number[] = [];
  for (let at = BEGIN_UTC_MS; at + SAMPLE_MS <= END_UTC_MS; at += SAMPLE_MS)
    if (at + SAMPLE_MS <= FAKE_GAP.beginUtcMs || at >= FAKE_GAP.endUtcMs) begins.push(at);
  const values = new Float32Array(begins.length * STRIP_SERIES.length);
  begins.forEach((at, i) => {
    const isCalm = at >= CHANGE_UTC_MS;
    const weight = busyShareOf(at, at + SAMPLE_MS) * (isCalm ? 0.12 : 1);
    const sample = {
      logWriteMs: 1 + 18 * weight ** 2,
      dataWriteMs: 2 + 34 * weight ** 2,
      writelogMs: at < BEGIN_UTC_MS + 6 * 60_000 ? NaN : 1.5 + 22 * weight ** 2,
      checkpointPagesPerSecond: 200 + 5200 * weight,
      backgroundWriterPagesPerSecond: isCalm ? 1400 : 30,
    };
    const noise = 0.7 + random() * 0.6;
    STRIP_SERIES.forEach((series, place) => (values[place * begins.length + i] = sample[series] * noise));
  });
  return {
    type: 'samples',
    replaces: true,
    samples: begins.length,
    beginUtcMs: Float64Array.from(begins).buffer,
    endUtcMs: Float64Array.from(begins, (at) => at + SAMPLE_MS).buffer,
    values: values.buffer,
  };
}

/** Share of a stretch in which a checkpoint was running; they come one after the other. */
export function busyShareOf(fromUtcMs: number, toUtcMs: number): number {
  const parts = FAKE_CHECKPOINTS.map(
    ({ beginUtcMs, durationMs }) =>
      Math.min(toUtcMs, beginUtcMs + durationMs) - Math.max(fromUtcMs, beginUtcMs),
  );
  return parts.filter((ms) => ms > 0).reduce((sum, ms) => sum + ms, 0) / (toUtcMs - fromUtcMs);
}

/**
 * Every kind of mark: FlushCache of the longest checkpoints, two scans on one pixel, backups, a recovery after the
 * restart.
 */
export const FAKE_MARKS: Extract<ToWebview, { type: 'marks' }> = {
  type: 'marks',
  marks: [
    ...FAKE_CHECKPOINTS.filter(({ database, durationMs }) => database < 2 && durationMs > 40_000).map(
      ({ database, beginUtcMs, durationMs }) => {
        const text = `Cleaned up 81,422 buffers with 64,210 writes in ${durationMs} ms.`;
        const mark = markOf('FlushCache', 0, 0, database + 5, database === 0 ? 'dbA' : 'dbB', text);
        return { ...mark, beginUtcMs, endUtcMs: beginUtcMs + durationMs };
      },
    ),
    markOf('recovery', 20, 22, 5, 'dbA', 'Recovered in 118 s.'),
    markOf('buffer pool scan', 41, 41, 7, 'dbC', 'The scan took 14 s over 402,653,184 buffers.'),
    markOf('buffer pool scan', 41.3, 41.3, 7, 'dbC', 'The scan took 14 s over 402,653,184 buffers.'),
    markOf('slow I/O', 52, 52, 5, 'dbA', '14 requests for G:\\data\\dbA.mdf took longer than 15 s.'),
    markOf('notice', 88, 88, 5, 'dbA', 'The checkpoint failed.'),
    markOf('backup', 60, 73, 8, 'Orders_EU', 'Full backup, 214 GB.'),
    markOf('backup', 100, 100.5, 9, 'Orders_US', 'Log backup, 1.2 GB.'),
  ].sort((a, b) => a.beginUtcMs - b.beginUtcMs),
  older: [],
  undated: 0,
};

function markOf(
  kind: TimeMarkKind,
  fromMinute: number,
  toMinute: number,
  databaseId: number,
  database: string,
  text: string,
): TimeMark {
  const [beginUtcMs, endUtcMs] = [BEGIN_UTC_MS + fromMinute * 60_000, BEGIN_UTC_MS + toMinute * 60_000];
  return { kind, beginUtcMs, endUtcMs, databaseId, database, text };
}
