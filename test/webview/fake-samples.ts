/** Samples and marks made up for tests of the dashboard: a server whose writes are slow while its checkpoint task is busy, and calm once a database was switched. */
import { STRIP_SERIES, type StripSeries } from '../../src/core/timeline/strip-samples';
import type { TimeMark } from '../../src/core/timeline/time-marks';
import type { ToWebview } from '../../src/protocol';
import { BEGIN_UTC_MS, createRandom, END_UTC_MS, FAKE_GAP, type FakeCheckpoint } from './fake-capture';

const SAMPLE_MS = 15_000;
const CHANGE_UTC_MS = BEGIN_UTC_MS + 95 * 60_000;

/** Of 15 seconds each, none while the server restarted. WRITELOG cannot be observed in the first minutes. */
export function fakeSamples(checkpoints: readonly FakeCheckpoint[]): Extract<ToWebview, { type: 'samples' }> {
  const random = createRandom(11);
  const begins: number[] = [];
  for (let at = BEGIN_UTC_MS; at + SAMPLE_MS <= END_UTC_MS; at += SAMPLE_MS)
    if (at + SAMPLE_MS <= FAKE_GAP.beginUtcMs || at >= FAKE_GAP.endUtcMs) begins.push(at);
  const busy = measureBusy(checkpoints, begins);
  const values = Object.fromEntries(STRIP_SERIES.map((series) => [series, new Float32Array(begins.length)])) as Record<
    StripSeries,
    Float32Array
  >;
  begins.forEach((at, i) => {
    const weight = busy[i]! * (at < CHANGE_UTC_MS ? 1 : 0.12);
    const noise = 0.7 + random() * 0.6;
    values.logWriteMs[i] = (1 + 18 * weight ** 2) * noise;
    values.dataWriteMs[i] = (2 + 34 * weight ** 2) * noise;
    values.writelogMs[i] = at < BEGIN_UTC_MS + 6 * 60_000 ? NaN : (1.5 + 22 * weight ** 2) * noise;
    values.checkpointPagesPerSecond[i] = (200 + 5200 * weight) * noise;
    values.backgroundWriterPagesPerSecond[i] = at < CHANGE_UTC_MS ? 30 * noise : 1400 * noise;
  });
  const joined = new Float32Array(begins.length * STRIP_SERIES.length);
  STRIP_SERIES.forEach((series, i) => joined.set(values[series], i * begins.length));
  return {
    type: 'samples',
    replaces: true,
    samples: begins.length,
    beginUtcMs: Float64Array.from(begins).buffer,
    endUtcMs: Float64Array.from(begins, (at) => at + SAMPLE_MS).buffer,
    values: joined.buffer,
  };
}

/** Share of each sample in which a checkpoint was running; they come one after the other. */
function measureBusy(checkpoints: readonly FakeCheckpoint[], begins: readonly number[]): readonly number[] {
  return begins.map((at) => {
    const shared = checkpoints.map(
      ({ beginUtcMs, durationMs }) => Math.min(at + SAMPLE_MS, beginUtcMs + durationMs) - Math.max(at, beginUtcMs),
    );
    return shared.filter((ms) => ms > 0).reduce((sum, ms) => sum + ms, 0) / SAMPLE_MS;
  });
}

/** Every kind of mark: FlushCache of the longest checkpoints, two of them on one pixel, backups, a recovery after the restart. */
export function fakeMarks(checkpoints: readonly FakeCheckpoint[]): Extract<ToWebview, { type: 'marks' }> {
  const flushed = checkpoints.filter(({ database, durationMs }) => database < 2 && durationMs > 40_000);
  const marks: TimeMark[] = flushed.map(({ database, beginUtcMs, durationMs }) => ({
    kind: 'FlushCache',
    beginUtcMs,
    endUtcMs: beginUtcMs + durationMs,
    databaseId: database + 5,
    database: database === 0 ? 'dbA' : 'dbB',
    text: `Cleaned up 81,422 buffers with 64,210 writes in ${durationMs} ms; 1.3 pages a write.`,
  }));
  const minute = (at: number): number => BEGIN_UTC_MS + at * 60_000;
  const scan = { kind: 'buffer pool scan', databaseId: 7, database: 'dbC', text: 'The scan took 14 s over 402,653,184 buffers.' } as const;
  const others: readonly TimeMark[] = [
    { ...scan, beginUtcMs: minute(41), endUtcMs: minute(41) },
    { ...scan, beginUtcMs: minute(41.3), endUtcMs: minute(41.3) },
    {
      kind: 'slow I/O',
      beginUtcMs: minute(52),
      endUtcMs: minute(52),
      databaseId: 5,
      database: 'dbA',
      text: '14 requests for G:\\data\\dbA.mdf took longer than 15 s.',
    },
    { kind: 'backup', beginUtcMs: minute(60), endUtcMs: minute(73), databaseId: 8, database: 'Orders_EU', text: 'Full backup, 214 GB.' },
    { kind: 'backup', beginUtcMs: minute(100), endUtcMs: minute(100.5), databaseId: 9, database: 'Orders_US', text: 'Log backup, 1.2 GB.' },
    { kind: 'recovery', beginUtcMs: minute(20), endUtcMs: minute(22), databaseId: 5, database: 'dbA', text: 'Recovered in 118 s.' },
  ];
  return { type: 'marks', marks: [...marks, ...others].sort((a, b) => a.beginUtcMs - b.beginUtcMs), older: [], undated: 0 };
}
