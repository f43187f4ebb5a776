import { notTracking } from '../../../src/core/capture/tracking-status';
import type { ExportedCapture } from '../../../src/core/export/capture-tables';
import type { ExportHead } from '../../../src/core/export/json';
import { columnsOf } from '../timeline/columns-of';
import { gapOf } from '../gap-of';

/** 2026-03-29T00:00:00Z: two hours are observed from then on, with a gap of a second. */
export const EXPORT_BEGIN_UTC_MS = Date.UTC(2026, 2, 29, 0);

export type ExportedRow = readonly [atMs: number, durationMs: number, database: number];

/** A capture of databases with these names, ids from 5 on, the target of the second not readable. */
export function captureOf(
  rows: readonly ExportedRow[],
  names: readonly string[],
  more: Pick<ExportedCapture, 'offsets'> = { offsets: [] },
): ExportedCapture {
  const beginUtcMs = EXPORT_BEGIN_UTC_MS;
  return {
    columns: columnsOf(rows.map(([at, duration, database]) => [beginUtcMs + at, duration, database])),
    databases: names.map((name, at) => ({
      databaseId: at + 5,
      name,
      targetSeconds: at === 1 ? null : at * 60,
    })),
    observation: {
      beginUtcMs,
      endUtcMs: beginUtcMs + 7_200_000,
      gaps: [gapOf('events lost', beginUtcMs + 1_000, beginUtcMs + 2_000, 'The server lost "3" events.')],
    },
    utcOffsetMinutes: 120,
    ...more,
  };
}

/** What stands above the tables of a capture. */
export const headOf = ({ observation }: ExportedCapture): ExportHead => ({
  generatedUtcMs: EXPORT_BEGIN_UTC_MS,
  server: { name: 'PROD"<7>😀', description: 'SQL Server 2019', utcOffsetMinutes: 120 },
  captureId: 'capture-1',
  window: { beginUtcMs: EXPORT_BEGIN_UTC_MS, endUtcMs: EXPORT_BEGIN_UTC_MS + 5 },
  tracking: { ...notTracking, observation, rowsRead: 12, checkpoints: 5, unpaired: 2, lostEvents: null },
  sentences: [],
});

export const EVERYTHING = { window: null, databases: null };
