import assert from 'node:assert/strict';
import { DuckDBInstance } from '@duckdb/node-api';
import { createCapture } from '../../../src/core/capture/capture';
import type { EventRow } from '../../../src/core/events/event';
import { computeStatistics } from '../finished';

/**
 * The published way to pair begin and end, run by a database that shares no code with us: LAG over each database in order of time. It is
 * right only on well-formed data (every begin has its end, no overlap, no two events of one database in one millisecond), so it is run on
 * such data. The published query also casts to `datetime`, which rounds to 3 or 4 ms; that rounding is not copied: both sides keep the
 * millisecond of the event.
 */
const REFERENCE = `
  WITH events AS (
    SELECT event_name,
           CAST(regexp_extract(event_data, '<data name="database_id">.*?<value>([0-9]+)</value>', 1) AS INTEGER) AS database_id,
           epoch_ms(CAST(regexp_extract(event_data, 'timestamp="([0-9T:.-]+)Z"', 1) AS TIMESTAMP)) AS at_ms
    FROM event_rows
  ), ordered AS (
    SELECT *, LAG(event_name) OVER w AS previous_name, LAG(at_ms) OVER w AS previous_ms
    FROM events WINDOW w AS (PARTITION BY database_id ORDER BY at_ms)
  ), checkpoints AS (
    SELECT database_id, at_ms - previous_ms AS duration_ms
    FROM ordered WHERE event_name = 'checkpoint_end' AND previous_name = 'checkpoint_begin'
  )
  SELECT database_id, COUNT(*) AS checkpoints, AVG(duration_ms) AS average_ms, MAX(duration_ms) AS maximum_ms, SUM(duration_ms) AS total_ms,
         quantile_disc(duration_ms, 0.5) AS p50_ms, quantile_disc(duration_ms, 0.95) AS p95_ms, quantile_disc(duration_ms, 0.99) AS p99_ms
  FROM checkpoints GROUP BY database_id ORDER BY database_id`;

const BEGIN_UTC_MS = Date.UTC(2026, 0, 5, 10);
const DATABASES = 37;

describe('an independent reference', () => {
  it('gives the same counts, averages, maxima, totals and percentiles for 20,000 events in several shapes', async () => {
    const rows = generateRows(10_000);
    assert.equal(rows.length, 20_000);
    const expected = await runReference(rows);
    assert.equal(expected.length, DATABASES);

    const capture = createCapture({ id: 'reference' });
    for (let from = 0; from < rows.length; from += 777) capture.append(rows.slice(from, from + 777));
    capture.settle(Infinity);
    const window = { beginUtcMs: -Infinity, endUtcMs: Infinity };
    const observation = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + 86_400_000, gaps: [] };
    const found = computeStatistics(capture.columns, capture.databases.length, window, observation)
      .map((one) => [
        capture.databases[one.database]?.databaseId,
        one.count,
        one.averageMs,
        one.maximumMs,
        one.totalMs,
        one.p50Ms,
        one.p95Ms,
        one.p99Ms,
      ])
      .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
    assert.deepEqual(found, expected);
    assert.deepEqual([capture.ledger().checkpoints, capture.ledger().unpaired], [10_000, 0]);
  });
});

async function runReference(rows: readonly EventRow[]): Promise<number[][]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run('CREATE TABLE event_rows (event_name VARCHAR, event_data VARCHAR)');
    const appender = await connection.createAppender('event_rows');
    for (const row of rows) {
      appender.appendVarchar(row.objectName ?? '');
      appender.appendVarchar(row.eventData ?? '');
      appender.endRow();
    }
    appender.closeSync();
    const result = await connection.runAndReadAll(REFERENCE);
    return result.getRows().map((cells) => cells.map(Number));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Checkpoints of each database one after the other, at least 1 ms apart; rows in the order of buffers, which is not that of time. */
function generateRows(checkpoints: number): EventRow[] {
  const random = createRandom(20160709);
  const nextUtcMs = Array.from({ length: DATABASES }, () => BEGIN_UTC_MS + Math.floor(random() * 60_000));
  const sequences = new Map<number, number>();
  const rows: EventRow[] = [];
  for (let i = 0; i < checkpoints; i++) {
    const database = i < DATABASES ? i : Math.floor(random() ** 2 * DATABASES);
    const beginUtcMs = nextUtcMs[database] ?? 0;
    // Ties between durations on purpose: short ones are a few values only.
    const endUtcMs = beginUtcMs + 1 + (random() < 0.5 ? Math.floor(random() * 6) : Math.floor(random() ** 4 * 240_000));
    nextUtcMs[database] = endUtcMs + 1 + Math.floor(random() * 30_000);
    for (const [name, atUtcMs] of [['checkpoint_begin', beginUtcMs] as const, ['checkpoint_end', endUtcMs] as const]) {
      const sequence = (sequences.get(database) ?? 0) + 1 + Math.floor(random() * 3);
      sequences.set(database, sequence);
      rows.push(writeRow(name, database + 5, atUtcMs, sequence, Math.floor(i / 50) * 4096));
    }
  }
  for (let i = rows.length - 1; i > 0; i--) {
    const other = Math.max(0, i - Math.floor(random() * 400));
    [rows[i], rows[other]] = [rows[other] as EventRow, rows[i] as EventRow];
  }
  return rows;
}

/** A third of the databases each: no causality; the published shape with causality; ring buffer shape with other actions. */
function writeRow(name: string, databaseId: number, atUtcMs: number, sequence: number, fileOffset: number): EventRow {
  const shape = databaseId % 3;
  const type = shape === 2 ? '<type name="uint32" package="package0"></type>' : '';
  const data = `<data name="database_id">${type}<value>${databaseId}</value></data>`;
  const guid = `770C3538-EC3F-4A27-86A9-31A2FC777D${(16 + (databaseId % 4)).toString(16).toUpperCase()}`;
  const activity = `<action name="attach_activity_id" package="package0">${type}<value>${guid}-${sequence * 100 + databaseId}</value></action>`;
  const other = '<action name="database_id" package="sqlserver"><value>1</value></action>';
  const fields = shape === 0 ? data + other : shape === 1 ? data + activity : other + activity + data;
  const timestamp = new Date(atUtcMs).toISOString();
  return {
    objectName: name,
    eventData: `<event name="${name}" package="sqlserver" timestamp="${timestamp}">${fields}</event>`,
    fileName: 'CheckpointHealth_0_132.xel',
    fileOffset: String(fileOffset),
  };
}

/** Park and Miller's generator, so that every run sees the same rows. */
function createRandom(seed: number): () => number {
  let state = seed % 2147483647;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
