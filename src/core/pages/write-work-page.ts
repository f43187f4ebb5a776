/** Write work, the checkpoint task and their cost, as a page. */
import type { CheckpointLoop } from '../task/loops';
import type { ServerTime } from '../errorlog/server-clock';
import type { LatencyAnswer } from '../write-work/latency-during';
import type { OwnScanCost, ScanCostEstimate } from '../task/scan-cost';
import type { SilentDatabases } from '../write-work/silent-databases';
import type { TaskStatistics } from '../task/task-statistics';
import type { WorkScope } from '../write-work/work-deltas';
import type { InstanceWriteFigures, QueueBusy } from '../write-work/write-figures';
import { countDatabases, countOf, countSome, formatDuration, formatNumber, NOT_OBSERVABLE } from '../format';
import type { Observed } from '../observed';
import {
  column,
  DATABASE_COLUMN,
  type EvidenceCell,
  type EvidencePage,
  type EvidenceTable,
  type NamedDatabase,
  writeCell,
  writeFigure,
  writeRow,
} from './evidence-page';
import {
  createBesideTable,
  createDelayTable,
  createLoopTable,
  describeByWaits,
  describeEvents,
  describeTaskShare,
  NOTHING_CAPTURED,
} from './task-tables';
import {
  createDatabaseTable,
  createInstanceTable,
  describeLatency,
  formatBytes,
  type WrittenDatabase,
} from './write-tables';
import { joinSentences, listSentences, t } from '../language';

/** One answer to the latency question, of a database or of the instance. */
export interface LatencyOf {
  readonly what: string;
  /** null: the instance. */
  readonly databaseId: number | null;
  readonly answer: LatencyAnswer | null;
}

export interface WriteWorkPageInput {
  /** What the server's clock showed at a moment. */
  readonly localMsOf: ServerTime;
  /** By index in the capture; higher indexes are databases that are not in it. */
  readonly nameOf: (database: number) => NamedDatabase;
  /** null: nothing was captured. */
  readonly task: TaskStatistics | null;
  /** The task by its own waits: how busy, and of how much time; null: not sampled. */
  readonly queueBusy: QueueBusy | null;
  readonly silent: SilentDatabases | null;
  /** null: not sampled. */
  readonly instance: InstanceWriteFigures | null;
  readonly databases: readonly WrittenDatabase[];
  readonly writelog: LatencyAnswer | null;
  readonly latencies: readonly LatencyOf[];
  readonly loops: readonly CheckpointLoop[];
  /** null: the size of the buffer pool was not read, or could not be. */
  readonly scanCost: ScanCostEstimate | null;
  readonly ownScanCost: Observed<OwnScanCost> | null;
  /** Why figures are missing, each as a sentence. */
  readonly unsampled: Readonly<Record<WorkScope, string>>;
  /** The permission that sampling needs, if this login lacks it; null: it has it. */
  readonly missingPermission: string | null;
  readonly notes: readonly string[];
}

export function createWriteWorkPage(input: WriteWorkPageInput): EvidencePage {
  const { task, nameOf, localMsOf, missingPermission } = input;
  if (missingPermission !== null && task === null && input.instance === null && input.databases.length === 0)
    return {
      summary: t('Write work was not sampled.'),
      tables: [],
      notes: [],
      missing: describeRefused(missingPermission),
    };
  return {
    summary: joinSentences(
      describeLatency(
        t('Log write wait (WRITELOG)'),
        input.writelog,
        input.instance === null ? '' : NOTHING_CAPTURED,
      ),
      task === null ? t('No checkpoint has been captured yet.') : describeTaskShare(task),
      describeByWaits(input.queueBusy, task && describeEvents(task)),
    ),
    tables: [
      createInstanceTable(input.instance),
      createDatabaseTable(input.databases),
      createLatencyTable(input),
      createScanTable(input),
      createDelayTable(task, nameOf),
      createBesideTable(task, localMsOf, nameOf),
      createLoopTable(input.loops, localMsOf),
      createSilentTable(input.silent, nameOf),
    ].filter(({ rows }) => rows.length > 0),
    notes: listSentences(
      missingPermission === null
        ? ''
        : t(
            'Write work is not sampled now: it needs {0}, which this login does not have.',
            missingPermission,
          ),
      ...new Set([
        input.instance === null ? input.unsampled.instance : '',
        input.databases.length === 0 ? input.unsampled.databases : '',
      ]),
      ...input.notes,
      ...(input.scanCost?.cautions ?? []),
      ...describeSilence(input.silent),
    ),
  };
}

/** docs/facts.md, SQL Server 6: the figures of files and the counters need it. */
function describeRefused(permission: string): NonNullable<EvidencePage['missing']> {
  return {
    title: t('This login has no permission to see what the server writes'),
    text: joinSentences(
      t('Write work is sampled while checkpoints are tracked, and both need {0}.', permission),
      t('Ask an administrator to grant it.'),
      t('The list of databases and the review of scripts work without it.'),
    ),
  };
}

/** Why there is no figure. */
const ANSWER_NAMES: Readonly<Record<LatencyAnswer['kind'], string>> = {
  answered: '',
  'resolution too coarse': t('resolution too coarse'),
  'not enough samples': t('not enough samples'),
};

function createLatencyTable({ latencies }: WriteWorkPageInput): EvidenceTable {
  const side = (answer: LatencyAnswer | null, of: 'during' | 'outside'): EvidenceCell =>
    answer?.kind === 'answered'
      ? writeFigure(answer[of].averageMs, formatDuration)
      : writeCell(answer === null ? t('not known') : ANSWER_NAMES[answer.kind]);
  const rows = latencies.map(({ what, databaseId, answer }) => ({
    databaseId,
    cells: [
      writeCell(what),
      side(answer, 'during'),
      side(answer, 'outside'),
      writeCell(describeLatency(what, answer, NOTHING_CAPTURED)),
    ],
  }));
  return {
    id: 'latency',
    heading: t('Latency during and outside checkpoints'),
    columns: [
      column.word('writes', t('Writes'), t('Whose writes, to which files')),
      column.ms('during', t('During'), t('Average while a checkpoint ran')),
      column.ms('outside', t('Outside'), t('Average while none ran')),
      column.word('answer', t('Answer'), t('With its samples, or why there is no answer')),
    ],
    rows,
  };
}

function createScanTable({ scanCost, ownScanCost }: WriteWorkPageInput): EvidenceTable {
  const cache = writeFigure(scanCost?.cacheGb ?? null, (gigabytes) => `${formatNumber(gigabytes, 1)} GB`);
  const estimate = scanCost && [
    writeCell(t('Estimate from the size of the buffer pool')),
    cache,
    writeFigure(scanCost.estimateMs, formatDuration),
    writeCell(scanCost.source),
  ];
  const own =
    ownScanCost &&
    (ownScanCost.kind === 'observed'
      ? [
          writeCell(t('Seen here, 10th percentile')),
          cache,
          writeFigure(ownScanCost.value.costMs, formatDuration),
          writeCell(describeOwn(ownScanCost.value)),
        ]
      : [writeCell(t('Seen here')), cache, writeCell(NOT_OBSERVABLE), writeCell(ownScanCost.reason)]);
  const rows = [estimate, own].flatMap((cells) => (cells === null ? [] : [{ databaseId: null, cells }]));
  return {
    id: 'scan-cost',
    heading: t('Cost of a scan'),
    columns: [
      column.word(
        'scan_of_the_buffer_pool',
        t('Scan of the buffer pool'),
        t('What one automatic checkpoint costs, however little it writes'),
      ),
      column.gigabytes('buffer_pool', t('Buffer pool'), t('How large it is now')),
      column.ms('cost', t('Cost'), t('Of one scan')),
      column.word('basis', t('Basis'), t('Where the value comes from')),
    ],
    rows,
  };
}

function describeOwn({ checkpoints, databases, chosenBy }: OwnScanCost): string {
  const seen = countOf(checkpoints, t('{0} automatic checkpoint'), t('{0} automatic checkpoints'));
  const of = countDatabases(databases);
  return joinSentences(
    t('One in ten checkpoints took this long or less, scan included. Other scans may have taken longer.'),
    chosenBy === 'log bytes'
      ? t('Measured: {0} of {1}, those that wrote the least log.', seen, of)
      : t('Measured: {0} of {1}, busy or idle, because their log is not known.', seen, of),
  );
}

function createSilentTable(
  silent: SilentDatabases | null,
  nameOf: WriteWorkPageInput['nameOf'],
): EvidenceTable {
  const rows = (silent?.silent ?? []).map(({ database, logWrittenBytes, observedMs }) =>
    writeRow(
      nameOf(database),
      writeFigure(logWrittenBytes, formatBytes),
      writeFigure(observedMs, formatDuration),
    ),
  );
  return {
    id: 'silent',
    heading: t('Databases that wrote log but had no checkpoint'),
    columns: [
      DATABASE_COLUMN,
      column.bytes('log_written', t('Log written'), t('In fully observed quarter hours')),
      column.ms('observed', t('Observed'), t('These quarter hours together')),
    ],
    rows,
  };
}

function describeSilence(silent: SilentDatabases | null): readonly string[] {
  const { idle = [], unknown = [] } = silent ?? {};
  const wroteNone = countSome(
    idle.length,
    t('{0} tracked database had no checkpoint and wrote no log: idle.'),
    t('{0} tracked databases had no checkpoint and wrote no log: idle.'),
  );
  const mayHaveWritten = countSome(
    unknown.length,
    t('{0} database without a checkpoint: log written not known.'),
    t('{0} databases without a checkpoint: log written not known.'),
  );
  return listSentences(
    wroteNone,
    joinSentences(mayHaveWritten, ...new Set(unknown.map(({ reason }) => reason))),
  );
}
