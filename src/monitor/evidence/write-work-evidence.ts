/** The page of write work and of the checkpoint task, from the capture and the samples. */
import type { ServerTime } from '../../core/errorlog/server-clock';
import { type Facts, findOf } from '../../core/advice/facts';
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { CapturedDatabase, CheckpointColumns, Observation } from '../../core/capture/checkpoint-columns';
import { BLOCK_MS, type DatabaseBlock } from '../../core/write-work/block';
import { addCutTurns } from '../../core/task/cut-turns';
import { type CheckpointTime, findCheckpointTime } from '../../core/statistics/checkpoint-time';
import {
  compareLatency,
  type LatencyAnswer,
  type LatencySamples,
  selectFileSamples,
  selectWritelogSamples,
} from '../../core/write-work/latency-during';
import type { TimeWindow } from '../../core/statistics/observed-time';
import { estimateScanCost, toCacheGb, measureOwnScanCost } from '../../core/task/scan-cost';
import { type BlocksByDatabase, findSilentDatabases } from '../../core/write-work/silent-databases';
import { describeTask } from '../../core/task/task-statistics';
import {
  type DatabaseWriteFigures,
  describeDatabaseWrites,
  describeInstanceWrites,
  measureQueueBusy,
  type QueueBusy,
} from '../../core/write-work/write-figures';
import { countSome, formatDateTime, formatDuration } from '../../core/format';
import type { WorkBreak, WorkScope } from '../../core/write-work/work-deltas';
import type { UnusedPair } from '../../core/write-work/write-work-log';
import type { LogWrites } from '../../core/advice/known-of-database';
import { readMajorVersion } from '../../core/advice/platform';
import type { EvidencePage, NamedDatabase } from '../../core/pages/evidence-page';
import {
  createWriteWorkPage,
  type LatencyOf,
  type WriteWorkPageInput,
} from '../../core/pages/write-work-page';
import type { Steps } from '../../core/steps';
import { lacksView, nameViewPermission } from '../facts/tracking-permission';
import { intervalOf, type Sampled, type SampledPart as Part } from '../facts/write-work-sampling';
import type { CheckpointLoop } from '../../core/task/loops';
import type { EvidenceSources } from './evidence-world';
import { listLoops, scopeTask } from './task-scope';
import type { JoinedDatabase } from './joined-database';
import type { KnownSources } from './known-of-databases';
import { listSentences, t } from '../../core/language';

/** Databases whose latency question is answered one by one: those that wrote most. */
const MOST_LATENCIES = 20;

type CapturedPart = Pick<WriteWorkPageInput, 'task' | 'silent' | 'ownScanCost'>;
type SampledPart = Pick<WriteWorkPageInput, 'instance' | 'databases' | 'writelog' | 'queueBusy'> &
  Pick<WriteWorkEvidence, 'neighbourLatencies'> & { readonly latencies: readonly FileLatency[] };

interface FileLatency extends LatencyOf {
  readonly databaseId: number;
  readonly files: 'data' | 'log';
}

/** The page, and what verdicts take from it. */
interface WriteWorkEvidence extends Required<
  Pick<KnownSources, 'logLatencies' | 'neighbourLatencies' | 'logRates'>
> {
  readonly page: EvidencePage;
  readonly loops: readonly CheckpointLoop[];
  readonly logWrites: LogWrites;
  readonly byWaits: QueueBusy | null;
}

/** What was written in the time of the capture; without a capture, in all the time that was sampled. */
export function* computeWriteWork(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  localMsOf: ServerTime,
  turns: History | null,
): Steps<WriteWorkEvidence> {
  const { facts, capture, work, sampling, since } = sources;
  const written = yield* summarizeWork(sources, databases);
  const whole =
    capture === null || capture.observation === null
      ? null
      : { columns: capture.columns, observation: capture.observation };
  // As verdicts: the time since the last change, if they rest on that alone.
  const history = whole === null || since === null ? whole : { ...whole, observation: since.observation };
  const captured =
    history === null
      ? NOTHING_CAPTURED
      : yield* computeCaptured(sources, databases, history, written, turns?.columns ?? history.columns);
  const sampled = yield* computeSampled(sources, databases, whole, written);
  const loops = whole === null ? [] : yield* listLoops(sources, databases, whole.columns, whole.observation);
  const missingPermission = lacksView(facts.server.permissions) ? nameViewPermission(facts.server) : null;
  const page = createWriteWorkPage({
    localMsOf,
    nameOf: nameDatabases(capture?.databases ?? [], databases),
    ...captured,
    ...sampled,
    loops: loops.filter(({ beginUtcMs }) => beginUtcMs >= (history?.observation.beginUtcMs ?? -Infinity)),
    scanCost:
      work.databasePages === null
        ? null
        : estimateScanCost(toCacheGb(work.databasePages), readMajorVersion(facts.server)),
    missingPermission,
    unsampled: {
      instance: explainUnsampled('instance', sources, missingPermission, localMsOf),
      databases: explainUnsampled('databases', sources, missingPermission, localMsOf),
    },
    notes: listSentences(
      since === null ? '' : t('This whole page covers the time since the last change.'),
      ...describeSampling(sampling, work.untypedDatabases),
      describeSetBack(work.breaks, localMsOf),
    ),
  });
  const logs = sampled.latencies.filter(({ files }) => files === 'log');
  return {
    page,
    loops,
    neighbourLatencies: sampled.neighbourLatencies,
    logLatencies: new Map(logs.map(({ databaseId, answer }) => [databaseId, answer])),
    logRates: new Map(
      sampled.databases.map(({ databaseId, figures }) => [
        databaseId,
        figures.logWrittenBytes / figures.observedMs,
      ]),
    ),
    byWaits: sampled.queueBusy,
    logWrites: sampled.writelog ?? (missingPermission === null ? 'not sampled' : 'refused'),
  };
}

const UNPAIRED_A_STEP = 16_384;

const NOTHING_CAPTURED: CapturedPart = { task: null, silent: null, ownScanCost: null };

export interface History {
  readonly columns: CheckpointColumns;
  readonly observation: Observation;
}

/**
 * What each database wrote in the time of the capture, by index in the capture's list. Databases without a checkpoint
 * have indexes after that list.
 */
interface WrittenWork {
  /** Only for databases that were sampled then. */
  readonly figures: ReadonlyMap<number, DatabaseWriteFigures>;
  /** Listed when asked for: the blocks of all databases over weeks would be hundreds of megabytes. */
  readonly blocks: BlocksByDatabase;
}

function* summarizeWork(
  { capture, work, since }: EvidenceSources,
  databases: readonly JoinedDatabase[],
): Steps<WrittenWork> {
  yield* work.prepareBlocks();
  const isWatched = findWatched(since?.observation ?? capture?.observation ?? null);
  const sampled = new Map(
    databases.flatMap(({ index, sampled: own }) => (own === null ? [] : [[index, own]])),
  );
  const blocks = {
    get: (index: number): readonly DatabaseBlock[] | undefined => {
      const database = sampled.get(index);
      return database === undefined ? undefined : work.databaseBlocks(database).filter(isWatched);
    },
  };
  const figures = new Map<number, DatabaseWriteFigures>();
  for (const index of sampled.keys()) {
    const list = blocks.get(index) ?? [];
    if (list.length > 0) figures.set(index, describeDatabaseWrites(list));
    yield;
  }
  return { figures, blocks };
}

/** Blocks that reach into that time: samples from before it do not count. */
function findWatched(watched: Observation | null): (block: { readonly beginUtcMs: number }) => boolean {
  const beginUtcMs = watched?.beginUtcMs ?? -Infinity;
  // If the clock was set back, such a gap may begin before the time and reach into it.
  const reaching = (watched?.gaps ?? []).filter(
    (gap) => gap.kind === 'clock moved back' && gap.endUtcMs >= beginUtcMs,
  );
  const fromUtcMs = Math.min(beginUtcMs, ...reaching.map((gap) => gap.beginUtcMs));
  return (block) =>
    watched === null || (block.beginUtcMs < watched.endUtcMs && block.beginUtcMs + BLOCK_MS > fromUtcMs);
}

/** The checkpoints of the capture, and the turns that an edge of its time cuts; null: there is none. */
export function* listTurns(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
): Steps<History | null> {
  const { capture } = sources;
  const observation = capture?.observation ?? null;
  if (capture === null || observation === null) return null;
  return {
    columns: yield* addCutTurns(capture, observation, scopeTask(sources, databases, observation).automatic),
    observation,
  };
}

function* computeCaptured(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  { columns, observation }: History,
  { figures, blocks }: WrittenWork,
  all: CheckpointColumns,
): Steps<CapturedPart> {
  const { capture, trackedDatabaseIds } = sources;
  const window: TimeWindow = observation;
  const halfSeenIds = capture === null ? new Set<number>() : yield* findHalfSeen(capture, window);
  const list = (isOne: (databaseId: number) => boolean): readonly number[] =>
    databases.flatMap(({ databaseId, index }) => (isOne(databaseId) ? [index] : []));
  const halfSeen = new Set(list((id) => halfSeenIds.has(id)));
  const tracked = list((id) => trackedDatabaseIds === null || trackedDatabaseIds.includes(id));
  const scope = scopeTask(sources, databases, observation);
  const { rows, ...task } = yield* describeTask(all, capture?.databases.length ?? 0, scope);
  const logBytes = new Map([...figures].map(([index, { logWrittenBytes }]) => [index, logWrittenBytes]));
  return {
    task,
    silent: yield* findSilentDatabases(
      columns,
      tracked,
      window,
      observation,
      halfSeen,
      figures.size === 0 ? null : blocks,
    ),
    ownScanCost: yield* measureOwnScanCost(all, rows, logBytes),
  };
}

/** Ids of databases with unpaired events in the window. */
function* findHalfSeen(capture: CaptureRecord, window: TimeWindow): Steps<ReadonlySet<number>> {
  const ids = new Set<number>();
  for (let from = 0; ; from += UNPAIRED_A_STEP) {
    const events = capture.unpaired(from, from + UNPAIRED_A_STEP);
    for (const { databaseId, atUtcMs } of events)
      if (atUtcMs >= window.beginUtcMs && atUtcMs <= window.endUtcMs) ids.add(databaseId);
    if (events.length < UNPAIRED_A_STEP) return ids;
    yield;
  }
}

function* computeSampled(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  history: History | null,
  { figures: figuresOf }: WrittenWork,
): Steps<SampledPart> {
  const { work, since } = sources;
  const instanceBlocks = work
    .instanceBlocks()
    .filter(findWatched(since?.observation ?? history?.observation ?? null));
  const written = databases.flatMap((one) => {
    const figures = figuresOf.get(one.index);
    return figures === undefined ? [] : [{ one, databaseId: one.databaseId, name: one.name, figures }];
  });
  yield;
  const most = written
    .filter(({ figures }) => figures.dataWrittenBytes > 0 || figures.logWrittenBytes > 0)
    .sort((a, b) => b.figures.dataWrittenBytes - a.figures.dataWrittenBytes)
    .slice(0, MOST_LATENCIES)
    .map(({ one }) => one);
  const latencies = yield* compareLatencies(sources, databases, history, most);
  return {
    ...latencies,
    instance: instanceBlocks.length === 0 ? null : describeInstanceWrites(instanceBlocks),
    databases: written.filter(({ figures }) => figures.observedMs > 0),
    queueBusy: measureQueueBusy(
      work.instanceSamples(),
      since ?? history?.observation ?? { beginUtcMs: -Infinity, endUtcMs: Infinity },
    ),
  };
}

/** Log writes of the instance, and writes of the databases that wrote most: during checkpoints, and outside them. */
function* compareLatencies(
  { work, since, facts }: EvidenceSources,
  databases: readonly JoinedDatabase[],
  history: History | null,
  most: readonly JoinedDatabase[],
): Steps<Pick<SampledPart, 'writelog' | 'latencies' | 'neighbourLatencies'>> {
  // A checkpoint may reach into the time in question.
  const findTime = function* (indexes: ReadonlySet<number> | null): Steps<CheckpointTime | null> {
    if (history === null) return null;
    return yield* findCheckpointTime(history.columns, history.observation, history.observation, indexes);
  };
  const compare = function* (
    samples: LatencySamples,
    time: CheckpointTime | null,
  ): Steps<LatencyAnswer | null> {
    if (history === null || time === null) return null;
    const watched = since?.observation ?? history.observation;
    return yield* compareLatency(samples, time, since ?? watched, watched);
  };
  const latencies: FileLatency[] = [];
  const neighbourLatencies = new Map<number, LatencyAnswer | null>();
  const anyTime = yield* findTime(null);
  for (const one of most) {
    const time = one.captured === null ? null : yield* findTime(new Set([one.captured]));
    latencies.push(...(yield* compareFiles(work, one, (samples) => compare(samples, time))));
    yield;
    if (one.sampled === null) continue;
    const beside = findOnVolume(one, databases, facts);
    const theirs = beside.size === 0 ? anyTime : yield* findTime(beside);
    neighbourLatencies.set(
      one.databaseId,
      yield* compare(selectFileSamples(work.databaseSamples(), 'log', one.sampled), theirs),
    );
    yield;
  }
  const samples = work.instanceSamples();
  return {
    latencies,
    neighbourLatencies,
    writelog: samples.rows === 0 ? null : yield* compare(selectWritelogSamples(samples), anyTime),
  };
}

/**
 * Indexes in the capture of the other databases with data files where its log is; empty: there are none, or volumes are
 * not known.
 */
function findOnVolume(
  { databaseId: own }: JoinedDatabase,
  databases: readonly JoinedDatabase[],
  { files }: Facts,
): ReadonlySet<number> {
  const volumes = findOf(files, own)?.logVolumes ?? [];
  const isBeside = (id: number): boolean =>
    id !== own && findOf(files, id)?.dataVolumes.some((one) => volumes.includes(one)) === true;
  return new Set(
    databases.flatMap(({ databaseId, captured }) =>
      captured !== null && isBeside(databaseId) ? [captured] : [],
    ),
  );
}

function* compareFiles(
  work: EvidenceSources['work'],
  { sampled, captured, name, databaseId }: JoinedDatabase,
  compare: (samples: LatencySamples) => Steps<LatencyOf['answer']>,
): Steps<readonly FileLatency[]> {
  if (sampled === null || captured === null) return [];
  const samples = work.databaseSamples();
  const answers: FileLatency[] = [];
  for (const files of ['data', 'log'] as const) {
    const answer = yield* compare(selectFileSamples(samples, files, sampled));
    answers.push({
      what: files === 'data' ? t('{0}, data files', name) : t('{0}, log files', name),
      databaseId,
      files,
      answer,
    });
  }
  return answers;
}

/** A database that is gone keeps its last name. */
function nameDatabases(
  captured: readonly CapturedDatabase[],
  databases: readonly JoinedDatabase[],
): WriteWorkPageInput['nameOf'] {
  return (index): NamedDatabase => {
    const one = captured[index];
    if (one !== undefined)
      return { databaseId: one.databaseId, name: one.name ?? t('database {0}', one.databaseId) };
    const joined = databases[index - captured.length];
    return { databaseId: joined?.databaseId ?? 0, name: joined?.name ?? t('not known') };
  };
}

/** Why there is no figure of the instance, or of databases: the known cause in one sentence. */
function explainUnsampled(
  scope: WorkScope,
  { work, sampling, isSampling }: EvidenceSources,
  missingPermission: string | null,
  localMsOf: ServerTime,
): string {
  if (missingPermission !== null)
    return t('Not sampled: it needs {0}, which this login does not have.', missingPermission);
  const part = sampling?.parts[scope === 'instance' ? 'instance' : 'files'];
  if (part?.reason != null) return t('Not observable: {0}', part.reason);
  const unused = work.unusedPair(scope);
  const show = (utcMs: number): string => formatDateTime(localMsOf(utcMs), 0);
  if (unused !== null) return explainUnused(unused, sampling?.[scope].longestMs ?? NaN, show);
  if (scope === 'databases' && work.untypedDatabases > 0)
    return t(
      'Not observable: this login cannot tell data from log files. VIEW ANY DEFINITION would show them.',
    );
  const { rows } = scope === 'instance' ? work.instanceSampleTable : work.databaseSampleTable;
  if (rows > 0) return t('No sample was taken while checkpoints were tracked.');
  if (!isSampling) return t('Not sampled: write work is sampled only while checkpoints are tracked.');
  if (part?.readUtcMs == null) return t('Not sampled yet: the first sample is still to come.');
  return t('No value yet: it takes two samples, and the first came at {0}.', show(part.readUtcMs));
}

const BREAK_NAMES: Readonly<Record<Exclude<UnusedPair['kind'], 'too far apart'>, string>> = {
  'clock set back': t("the server's clock was set back"),
  'clock set forward': t("the server's clock was set forward"),
  'server restarted': t('the server restarted'),
  'another server': t('another server took its place'),
  'counters fell': t('the counters started again'),
  'waits cleared': t('the waits were cleared'),
};

function explainUnused(
  { kind, fromUtcMs, toUtcMs }: UnusedPair,
  longestMs: number,
  show: (utcMs: number) => string,
): string {
  if (kind !== 'too far apart')
    return t(
      'No value yet: {0} between the last two samples, at {1} and {2}.',
      BREAK_NAMES[kind],
      show(fromUtcMs),
      show(toUtcMs),
    );
  const [apart, longest] = [toUtcMs - fromUtcMs, longestMs].map(formatDuration);
  return t('Samples too far apart ({0}; limit {1}).', apart!, longest!);
}

/** If time came twice, only the last samples of it count; a note says so. */
function describeSetBack(breaks: readonly WorkBreak[], localMsOf: ServerTime): string {
  const last = breaks.filter(({ kind }) => kind === 'clock set back').pop();
  if (last === undefined) return '';
  const [from, to] = [last.beginUtcMs, last.endUtcMs].map((utcMs) => formatDateTime(localMsOf(utcMs), 0));
  return t(
    "The server's clock was set back. What was written from {0} to {1} is counted once, from the last samples.",
    from!,
    to!,
  );
}

const PART_NAMES: Readonly<Record<Part, string>> = {
  instance: t('instance'),
  files: t('files'),
  counters: t('counters'),
};

function describeSampling(sampled: Sampled | null, untyped: number): readonly string[] {
  if (sampled === null) return [t('Write work is sampled while checkpoints are tracked.')];
  const { parts, instance, databases } = sampled;
  return listSentences(
    t('The instance is sampled every {0}.', formatDuration(intervalOf(instance))),
    t('Databases are sampled every {0}.', formatDuration(intervalOf(databases))),
    ...Object.entries(parts).map(([part, { reason }]) =>
      reason === null ? '' : t('Not observable ({0}): {1}', PART_NAMES[part as Part], reason),
    ),
    countSome(
      untyped,
      t('This login cannot tell data from log files of {0} database. VIEW ANY DEFINITION would show them.'),
      t('This login cannot tell data from log files of {0} databases. VIEW ANY DEFINITION would show them.'),
    ),
  );
}
