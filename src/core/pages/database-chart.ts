/** The databases as a table that a chart can be drawn of: the usual, the rare and the longest checkpoint of each database. */
import { formatDuration } from '../format';
import { type EvidenceChart, PLAIN_CHART } from './evidence-chart';
import { type EvidenceColumn, figureColumn, wordColumn, writeCell, writeFigure } from './evidence-page';
import type { KeyedRow } from './evidence-rows';
import type { DatabaseRow } from './database-rows';

export const DATABASE_CHART_COLUMNS: readonly EvidenceColumn[] = [
  wordColumn('Database', 'Name of the database'),
  figureColumn('Median', 'Half of the checkpoints took no longer'),
  figureColumn('p95', '95 of 100 checkpoints took no longer'),
  figureColumn('Longest', 'Longest checkpoint'),
];

/** @param recoveryIntervalMs from which on a checkpoint is logged as FlushCache */
export function createDatabaseChart(recoveryIntervalMs: number): EvidenceChart {
  return {
    ...PLAIN_CHART,
    id: 'durations',
    kind: 'ranges',
    title: 'How long checkpoints took',
    axis: 'Duration of a checkpoint, on a logarithmic scale',
    unit: 'ms',
    scale: 'log',
    references: [{ value: recoveryIntervalMs, text: 'recovery interval' }],
    usual: 1,
    rare: 2,
    worst: 3,
  };
}

/** In the order of the rows. */
export function chartDatabases(rows: readonly DatabaseRow[]): readonly KeyedRow[] {
  return rows.map(({ databaseId, name, statistics }) => ({
    // A database_id is used again after a drop: by itself it does not tell two databases of a capture apart.
    key: `${statistics.database} ${databaseId}`,
    databaseId,
    cells: [writeCell(name), ...[statistics.p50Ms, statistics.p95Ms, statistics.maximumMs].map((ms) => writeFigure(ms, formatDuration))],
  }));
}
