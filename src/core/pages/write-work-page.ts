/** Write work, the checkpoint task and their cost, as a page. */
import type { ServerTime } from '../errorlog/server-clock';
import type { CadenceSet } from '../statistics/cadence';
import type { LatencyAnswer } from '../write-work/latency-during';
import { EXTRAPOLATED_SCANS, LAST_PUBLISHED_GB, type OwnScanCost, PUBLISHED_SCANS, type ScanCostEstimate } from '../task/scan-cost';
import type { SilentDatabases } from '../write-work/silent-databases';
import type { TaskStatistics } from '../task/task-statistics';
import type { InstanceWriteFigures } from '../write-work/write-figures';
import { countOf, formatCount, formatDuration } from '../format';
import type { Observed } from '../observed';
import { type EvidenceChart, PLAIN_CHART } from './evidence-chart';
import {
  type EvidenceCell,
  type EvidencePage,
  type EvidenceTable,
  figureColumn,
  wordColumn,
  writeCell,
  writeFigure,
} from './evidence-page';
import { createBesideTable, createDelayTable, describeTaskShare, type NamedDatabase, NOTHING_CAPTURED } from './task-tables';
import { createDatabaseTable, createInstanceTable, describeLatency, formatBytes, type WrittenDatabase } from './write-tables';
import { t } from '../language';

/** One answer to the latency question, of a database or of the instance. */
export interface LatencyOf {
  readonly what: string;
  /** null: the instance. */
  readonly databaseId: number | null;
  readonly answer: LatencyAnswer | null;
}

interface Unsampled {
  readonly instance: string;
  readonly databases: string;
}

export interface WriteWorkPageInput {
  /** What the server's clock showed at a moment. */
  readonly localMsOf: ServerTime;
  /** By index in the capture; higher indexes are databases that are not in it. */
  readonly nameOf: (database: number) => NamedDatabase;
  /** null: nothing was captured. */
  readonly task: TaskStatistics | null;
  readonly cadence: CadenceSet | null;
  readonly silent: SilentDatabases | null;
  /** null: not sampled. */
  readonly instance: InstanceWriteFigures | null;
  readonly databases: readonly WrittenDatabase[];
  readonly writelog: LatencyAnswer | null;
  readonly latencies: readonly LatencyOf[];
  /** null: the size of the buffer pool was not read, or could not be. */
  readonly scanCost: ScanCostEstimate | null;
  readonly ownScanCost: Observed<OwnScanCost> | null;
  /** Why figures are missing, each as a sentence. */
  readonly unsampled: Unsampled;
  /** The permission that sampling needs, if this login lacks it; null: it has it. */
  readonly missingPermission: string | null;
  readonly notes: readonly string[];
}

export function createWriteWorkPage(input: WriteWorkPageInput): EvidencePage {
  const { task, nameOf, localMsOf, missingPermission } = input;
  if (missingPermission !== null && task === null && input.instance === null && input.databases.length === 0)
    return { summary: 'Write work was not sampled.', tables: [], notes: [], missing: describeRefused(missingPermission) };
  return {
    summary: [
      task === null ? 'No checkpoint has been captured yet.' : describeTaskShare(task),
      describeLatency(
        'A wait for the log (WRITELOG)',
        input.writelog,
        input.instance === null ? input.unsampled.instance : NOTHING_CAPTURED,
      ),
    ].join(' '),
    tables: [
      createInstanceTable(input.instance, input.unsampled.instance),
      createDatabaseTable(input.databases, input.unsampled.databases),
      createLatencyTable(input),
      createScanTable(input),
      createDelayTable(task, nameOf),
      createBesideTable(task, localMsOf, nameOf),
      createCadenceTable(input.cadence, nameOf),
      createSilentTable(input.silent, nameOf),
    ],
    notes: [
      ...describeNotSampled(missingPermission),
      ...input.notes,
      ...(input.scanCost?.cautions ?? []),
      ...describeSilence(input.silent),
    ],
  };
}

/** docs/facts.md, SQL Server 6: the figures of files and the counters need it. */
function describeRefused(permission: string): NonNullable<EvidencePage['missing']> {
  return {
    title: 'This login may not see what the server writes',
    text:
      `Write work is sampled while checkpoints are tracked, and both take ${permission}. Ask an administrator to grant it. ` +
      'The list of databases and the review of scripts work without it.',
  };
}

function describeNotSampled(permission: string | null): readonly string[] {
  return permission === null ? [] : [`Write work is not sampled now: it takes ${permission}, which this login does not have.`];
}

function createLatencyTable({ latencies, databases, unsampled }: WriteWorkPageInput): EvidenceTable {
  const side = (answer: LatencyAnswer | null, of: 'during' | 'outside'): EvidenceCell =>
    answer?.kind === 'answered' ? writeFigure(answer[of].averageMs, formatDuration) : writeCell(answer?.kind ?? 'not known');
  const rows = latencies.map(({ what, databaseId, answer }) => ({
    databaseId,
    cells: [writeCell(what), side(answer, 'during'), side(answer, 'outside'), writeCell(describeLatency(what, answer, NOTHING_CAPTURED))],
  }));
  return {
    id: 'latency',
    heading: 'Latency during checkpoints against outside',
    columns: [
      wordColumn('Writes', 'Whose writes, to which files'),
      figureColumn('During', 'Average while a checkpoint ran'),
      figureColumn('Outside', 'Average while none ran'),
      wordColumn('Answer', 'With its samples, or why it cannot be told'),
    ],
    rows,
    empty: databases.length === 0 ? unsampled.databases : 'Not known: no database that was captured wrote anything between samples.',
    charts: [
      {
        ...PLAIN_CHART,
        id: 'latency',
        kind: 'pairs',
        title: 'What a write took',
        axis: 'Average of a write, on a logarithmic scale',
        unit: 'ms',
        scale: 'log',
        from: 2,
        to: 1,
      },
    ],
  };
}

function createScanTable({ scanCost, ownScanCost }: WriteWorkPageInput): EvidenceTable {
  const cache = writeFigure(scanCost?.cacheGb ?? null, (gigabytes) => `${gigabytes.toFixed(1)} GB`);
  const estimate = scanCost && [
    writeCell('Estimate from the size of the cache'),
    cache,
    writeFigure(scanCost.estimateMs, formatDuration),
    writeCell(scanCost.source),
  ];
  const own =
    ownScanCost &&
    (ownScanCost.kind === 'observed'
      ? [
          writeCell('Seen here, an upper bound'),
          cache,
          writeFigure(ownScanCost.value.costMs, formatDuration),
          writeCell(describeOwn(ownScanCost.value)),
        ]
      : [writeCell('Seen here'), cache, writeCell('not observable'), writeCell(ownScanCost.reason)]);
  const rows = [estimate, own].flatMap((cells) => (cells === null ? [] : [{ databaseId: null, cells }]));
  return {
    id: 'scan-cost',
    heading: 'Cost of a scan',
    columns: [
      wordColumn('Scan of the buffer pool', 'What one automatic checkpoint costs, however little it writes'),
      figureColumn('Cache', 'How large the cache is now'),
      figureColumn('Cost', 'Of one scan'),
      wordColumn('Basis', 'Where the figure is from'),
    ],
    rows,
    empty: 'Not known: the size of the cache was not read.',
    charts: [createScanChart(scanCost?.cacheGb ?? null)],
  };
}

/** @param cacheGb beyond the measured sizes the line goes on as its author drew it */
function createScanChart(cacheGb: number | null): EvidenceChart {
  const isBeyond = cacheGb !== null && cacheGb > LAST_PUBLISHED_GB;
  return {
    ...PLAIN_CHART,
    id: 'scan',
    kind: 'points',
    title: 'Cost of one scan beside what was published',
    axis: 'Cost of one scan',
    unit: 'ms',
    scale: 'linear',
    column: 2,
    across: { column: 1, axis: 'Size of the cache', unit: 'gigabytes' },
    line: {
      text: isBeyond ? 'Dashed: published up to 200 GB, beyond extrapolated by its author' : 'Dashed: published',
      points: isBeyond ? [...PUBLISHED_SCANS, ...EXTRAPOLATED_SCANS.slice(1)] : PUBLISHED_SCANS,
    },
  };
}

function describeOwn({ checkpoints, databases, chosenBy }: OwnScanCost): string {
  const chosen = chosenBy === 'log bytes' ? 'that wrote least log' : 'of all kinds, because their log is not known';
  return `One of ten checkpoints was no longer: ${countOf(checkpoints, t('{0} automatic checkpoint'), t('{0} automatic checkpoints'))} of ${countOf(databases, t('{0} database'), t('{0} databases'))} ${chosen}.`;
}

function createCadenceTable(cadence: CadenceSet | null, nameOf: WriteWorkPageInput['nameOf']): EvidenceTable {
  const rows = (cadence?.databases ?? []).map(({ database, intervals, medianMs, p25Ms, p75Ms, drift }) => {
    const { databaseId, name } = nameOf(database);
    const half = p25Ms === null || p75Ms === null ? '–' : `${formatDuration(p25Ms)} to ${formatDuration(p75Ms)}`;
    const third = (ms: number | undefined): EvidenceCell =>
      ms === undefined ? { text: 'too few', value: null } : writeFigure(ms, formatDuration);
    const count = writeFigure(intervals, formatCount);
    return {
      databaseId,
      cells: [writeCell(name), count, third(medianMs ?? undefined), writeCell(half), third(drift?.firstThirdMs), third(drift?.lastThirdMs)],
    };
  });
  return {
    id: 'cadence',
    heading: 'Intervals between checkpoints',
    columns: [
      wordColumn('Database', 'Name of the database'),
      figureColumn('Intervals', 'Between begins of its checkpoints, none of them over a gap'),
      figureColumn('Median', 'Of the intervals'),
      wordColumn('Middle half', 'Half of the intervals lie between these two'),
      figureColumn('First third', 'Median of the intervals in the first third of the time'),
      figureColumn('Last third', 'Median of the intervals in the last third of the time'),
    ],
    rows,
    empty: cadence === null ? NOTHING_CAPTURED : 'No checkpoint was seen.',
  };
}

function createSilentTable(silent: SilentDatabases | null, nameOf: WriteWorkPageInput['nameOf']): EvidenceTable {
  const rows = (silent?.silent ?? []).map(({ database, logWrittenBytes, observedMs }) => {
    const { databaseId, name } = nameOf(database);
    return {
      databaseId,
      cells: [writeCell(name), writeFigure(logWrittenBytes, formatBytes), writeFigure(observedMs, formatDuration)],
    };
  });
  return {
    id: 'silent',
    heading: 'Databases that wrote log and had no checkpoint',
    columns: [
      wordColumn('Database', 'Name of the database'),
      figureColumn('Log written', 'In quarters of an hour that were wholly watched'),
      figureColumn('In', 'How long those are together'),
    ],
    rows,
    empty: silent === null ? NOTHING_CAPTURED : 'None is known.',
  };
}

function describeSilence(silent: SilentDatabases | null): readonly string[] {
  if (silent === null) return [];
  const { idle, unknown } = silent;
  const quiet =
    idle.length === 0
      ? []
      : [
          `${countOf(idle.length, t('{0} tracked database'), t('{0} tracked databases'))} had no checkpoint and wrote no log: idle, not silent.`,
        ];
  const reasons = [...new Set(unknown.map(({ reason }) => reason))];
  const unseen =
    unknown.length === 0
      ? []
      : [
          `Of ${countOf(unknown.length, t('{0} database'), t('{0} databases'))} without a checkpoint it is not known whether they wrote log. ${reasons.join(' ')}`,
        ];
  return [...quiet, ...unseen];
}
