/** The checkpoint task as tables: each database's delay behind the others, and the checkpoints that ran beside the task. */
import type { ServerTime } from '../errorlog/server-clock';
import type { TaskDelay } from '../task/task-delay';
import type { BesideTask } from '../task/checkpoint-task';
import type { TaskStatistics } from '../task/task-statistics';
import { formatCount, formatDuration, formatPercent } from '../format';
import { PLAIN_CHART } from './evidence-chart';
import { type EvidenceTable, figureColumn, wordColumn, writeCell, writeFigure, writeMoment } from './evidence-page';

/** A database of a capture, as the screen names it. */
export interface NamedDatabase {
  readonly databaseId: number;
  readonly name: string;
}

/** If nothing was captured, "none was seen" would be wrong. */
export const NOTHING_CAPTURED = 'Not known: no checkpoints have been captured.';
/** Of more checkpoints beside the task than this, the longest are shown and the others counted. */
const MOST_BESIDE = 500;

export function describeTaskShare({ busyShare, busyShareMargin, runs }: TaskStatistics): string {
  if (busyShare === null) return 'How busy the task of automatic checkpoints was could not be observed.';
  const margin = busyShareMargin === null || busyShareMargin < 0.001 ? '' : `, give or take ${formatPercent(busyShareMargin)}`;
  const longest = runs.longest === null ? null : runs.longest.endUtcMs - runs.longest.beginUtcMs;
  const run = longest === null ? '' : `; its longest unbroken stretch of work took ${formatDuration(longest)}`;
  return `The one task of automatic checkpoints was busy ${formatPercent(busyShare)} of the time${margin}${run}.`;
}

export function createDelayTable(task: TaskStatistics | null, nameOf: (database: number) => NamedDatabase): EvidenceTable {
  const createRow = (delay: TaskDelay): EvidenceTable['rows'][number] => {
    const { databaseId, name } = nameOf(delay.database);
    const cells = [
      writeCell(name),
      writeFigure(delay.checkpoints, formatCount),
      ...[delay.behindP50Ms, delay.behindP95Ms, delay.behindMaximumMs, delay.lateP95Ms].map((ms) => writeFigure(ms, formatDuration)),
    ];
    return { databaseId, cells };
  };
  const rows = [...(task?.delays ?? [])].sort((a, b) => (b.behindP95Ms ?? -1) - (a.behindP95Ms ?? -1)).map(createRow);
  return {
    id: 'delays',
    heading: 'Delay behind other databases on the checkpoint task',
    columns: [
      wordColumn('Database', 'Name of the database'),
      figureColumn('Checkpoints', 'In stretches of work whose beginning was seen'),
      figureColumn('Behind, median', 'How long after the task became busy its checkpoint began: it cannot have waited longer'),
      figureColumn('Behind, p95', 'The same, 95 of 100'),
      figureColumn('Behind, longest', 'The same, the longest'),
      figureColumn('Late, p95', 'How much later than its own median interval, and never more than it was behind'),
    ],
    rows,
    empty: task === null ? NOTHING_CAPTURED : 'No automatic checkpoint was seen.',
    charts: [
      {
        ...PLAIN_CHART,
        id: 'behind',
        kind: 'ranges',
        title: 'How long after the task became busy',
        axis: 'Delay behind other databases, on a logarithmic scale',
        unit: 'ms',
        scale: 'log',
        usual: 2,
        rare: 3,
        worst: 4,
      },
    ],
  };
}

export function createBesideTable(
  task: TaskStatistics | null,
  localMsOf: ServerTime,
  nameOf: (database: number) => NamedDatabase,
): EvidenceTable {
  const beside = [...(task?.beside ?? [])].sort((a, b) => b.durationMs - a.durationMs);
  const createRow = ({ database, beginUtcMs, durationMs, overlapMs, cause }: BesideTask): EvidenceTable['rows'][number] => {
    const { databaseId, name } = nameOf(database);
    const cells = [
      writeCell(name),
      writeMoment(beginUtcMs, localMsOf(beginUtcMs)),
      writeFigure(durationMs, formatDuration),
      writeFigure(overlapMs, formatDuration),
      writeCell(cause),
    ];
    return { databaseId, cells };
  };
  return {
    id: 'beside-task',
    heading:
      beside.length > MOST_BESIDE
        ? `Checkpoints beside the task (the longest ${MOST_BESIDE} of ${formatCount(beside.length)})`
        : 'Checkpoints beside the task',
    columns: [
      wordColumn('Database', 'Name of the database'),
      figureColumn('Began', 'When it began'),
      figureColumn('Duration', 'From begin to end'),
      figureColumn('Overlap', 'Time in common with checkpoints of the task'),
      wordColumn('Cause', 'backup where msdb knows one; else by hand, a snapshot, a shutdown: the events do not say'),
    ],
    rows: beside.slice(0, MOST_BESIDE).map(createRow),
    empty:
      task === null
        ? NOTHING_CAPTURED
        : 'None was seen: no other task ran one, none overlapped another of the task, and none opened a backup that is known.',
  };
}
