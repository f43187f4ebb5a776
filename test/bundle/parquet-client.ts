/** Runs under the oldest host's Node, as one file: writes checkpoints as Parquet to the path that it is given. */
import { writeFileSync } from 'node:fs';
import { notTracking } from '../../src/core/capture/tracking-status';
import { listCheckpoints } from '../../src/core/export/capture-tables';
import { writeParquet } from '../../src/core/export/parquet';
import { finishSteps } from '../../src/core/steps';

const rows = 2_000;
const beginUtcMs = Date.UTC(2026, 2, 2);
const observation = { beginUtcMs, endUtcMs: beginUtcMs + 3_600_000, gaps: [] };
const columns = {
  rows,
  beginUtcMs: Float64Array.from({ length: rows }, (_, at) => beginUtcMs + at),
  durationMs: new Uint32Array(rows).fill(40),
  database: new Uint16Array(rows),
};
const databases = [{ databaseId: 5, name: 'a]b\'c"-- 😀', targetSeconds: null }];
const table = finishSteps(
  listCheckpoints({ columns, databases, observation, offsets: [], utcOffsetMinutes: 60 }, { window: null, databases: null }),
);
const head = {
  generatedUtcMs: beginUtcMs,
  server: { name: 'PROD-SQL07', description: '', utcOffsetMinutes: 60 },
  captureId: null,
  window: null,
  tracking: notTracking,
  sentences: [],
};
writeFileSync(process.argv[2] ?? '', Buffer.concat([...writeParquet(head, table)]));
console.log(process.version);
