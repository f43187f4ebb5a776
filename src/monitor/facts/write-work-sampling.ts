import { findCounterColumn } from '../../core/advice/platform';
import { BLOCK_MS } from '../../core/write-work/block';
import {
  readCounterWork,
  readFileWork,
  readInstanceWork,
  type WorkReading,
} from '../../core/write-work/work-readings';
import type { WriteWorkLog } from '../../core/write-work/write-work-log';
import { isLacking, type TextRows } from '../../core/rows';
import { type Steps, takeSteps } from '../../core/steps';
import { fillTemplate } from '../../core/script/template';
import type { ReadText } from '../../core/script/text';
import { readTemplates } from '../../texts';
import { isLate, observe } from '../queries/observed-read';
import { spaceOut } from '../queries/observer-cost';
import type { MonitorSurroundings, SamplingIntervals } from '../queries/surroundings';
import { t } from '../../core/language';

/** A refused read is asked again after this time: the permission may have been granted. */
const RETRY_MS = 600_000;
/** Samples further apart than this many intervals are not compared. */
const MOST_INTERVALS_APART = 3;
/** But closer ones always are, because other work on the server may hold a sample up. */
const NEAR_ENOUGH_MS = 180_000;

export type SampledPart = 'instance' | 'files' | 'counters';

export interface PartStatus {
  /** Why it is not observable; null: it is observable, or was not asked yet. */
  readonly reason: string | null;
  /** The server's clock at the last reading; null: none yet. */
  readonly readUtcMs: number | null;
}

export interface SamplingWorld extends Pick<MonitorSurroundings, 'elapsedMs'> {
  readonly query: { run(text: ReadText): Promise<TextRows> };
  /** Lets others have the thread for a moment: reading thousands of databases takes too long for one go. */
  readonly pause: () => Promise<void>;
}

interface Lane {
  readonly nominalMs: number;
  readonly dueMs: number;
  readonly costMs: number;
  /** When the last successful reading began. */
  readonly readMs: number;
  /** This reading and the one before give no figure if they are further apart, in milliseconds. */
  readonly longestMs: number;
}

/** Milliseconds between two readings as they are planned: longer than the setting if the server answers slowly. */
export const intervalOf = ({ nominalMs, costMs }: Pick<Lane, 'nominalMs' | 'costMs'>): number =>
  Math.min(BLOCK_MS, spaceOut(nominalMs, costMs));

const on = {
  /**
   * The next reading is due an interval later, even if this one fails. This one and the one before may be a few
   * intervals apart, more if the server is slow, but never more than a block: else its figures would be spread over
   * more than two blocks.
   */
  begin: (lane: Lane, nowMs: number): Lane => {
    const plannedMs = Math.max(lane.nominalMs, lane.dueMs - lane.readMs || 0);
    const longestMs = Math.min(BLOCK_MS, Math.max(NEAR_ENOUGH_MS, plannedMs * MOST_INTERVALS_APART));
    return { ...lane, dueMs: nowMs + intervalOf(lane), costMs: 0, longestMs };
  },
  answer: (lane: Lane, askedMs: number, tookMs: number): Lane => {
    const costMs = Math.max(lane.costMs, tookMs);
    return { ...lane, costMs, dueMs: Math.max(lane.dueMs, askedMs + intervalOf({ ...lane, costMs })) };
  },
  reading: (lane: Lane, readMs: number): Lane => ({ ...lane, readMs }),
  refusal: (lane: Lane, nowMs: number): Lane => ({ ...lane, dueMs: Math.max(lane.dueMs, nowMs + RETRY_MS) }),
  /**
   * A sample at the border of two blocks need not be split between them: if the next one would come later, it comes at
   * the border.
   */
  sample: (lane: Lane, nowMs: number, { nowUtcMs }: { readonly nowUtcMs: number }): Lane => {
    const toBorderMs = BLOCK_MS - (nowUtcMs % BLOCK_MS);
    return toBorderMs >= spaceOut(0, lane.costMs)
      ? { ...lane, dueMs: Math.min(lane.dueMs, nowMs + toBorderMs) }
      : lane;
  },
};

type LaneName = 'instance' | 'databases';

/** When the counters of a server are read, and how that went. */
export interface Sampled extends Readonly<Record<LaneName, Lane>> {
  readonly parts: Readonly<Record<SampledPart, PartStatus>>;
}

export function beginSampling({ instanceMs, databasesMs }: SamplingIntervals): Sampled {
  const unread = { dueMs: -Infinity, costMs: 0, readMs: -Infinity, longestMs: NEAR_ENOUGH_MS };
  return {
    instance: { nominalMs: instanceMs, ...unread },
    databases: { nominalMs: databasesMs, ...unread },
    parts: { instance: UNASKED, files: UNASKED, counters: UNASKED },
  };
}

/** Puts the value that this gives in the place of the one before. */
type Tell = (event: (was: Sampled) => Sampled) => Sampled;

interface Sampling {
  readonly world: SamplingWorld;
  readonly log: WriteWorkLog;
  readonly tell: Tell;
}

const inLane =
  <Rest extends readonly unknown[]>(
    name: LaneName,
    event: (lane: Lane, ...rest: Rest) => Lane,
    ...rest: Rest
  ) =>
  (was: Sampled): Sampled => ({ ...was, [name]: event(was[name], ...rest) });

/**
 * Reads the cumulative counters that are due into the log. They are rarer if the server is slow. A refused read is not
 * observable, and is asked again later.
 * @param engineEdition SERVERPROPERTY('EngineEdition'): counters of a Managed Instance use other names of databases
 * (docs/facts.md, SQL Server 6)
 * @returns milliseconds until something is due again
 * @throws ConnectionError if the connection was lost; reads are due again later then too
 */
export async function sampleDue(sampling: Sampling, was: Sampled, engineEdition: number): Promise<number> {
  // At the same moment, so that they go in one text. What that takes is the databases' cost.
  const { elapsedMs } = sampling.world;
  const isInstanceDue = was.instance.dueMs <= elapsedMs();
  const areDatabasesDue = was.databases.dueMs <= elapsedMs();
  const mostCostMs = areDatabasesDue ? was.instance.costMs : Infinity;
  await Promise.all([
    isInstanceDue && sampleInstance(sampling, mostCostMs),
    areDatabasesDue && sampleDatabases(sampling, engineEdition),
  ]);
  const { instance, databases } = sampling.tell((now) => now);
  return Math.max(0, Math.min(instance.dueMs, databases.dueMs) - elapsedMs());
}

async function sampleInstance(sampling: Sampling, mostCostMs: number): Promise<void> {
  const { world, log, tell } = sampling;
  const { instance } = tell(inLane('instance', on.begin, world.elapsedMs()));
  const text = fillTemplate(readTemplates.instanceWork, {});
  const reading = await ask(sampling, 'instance', text, async (set) => readInstanceWork(set), mostCostMs);
  if (reading === null) return;
  log.appendInstance(reading, instance.longestMs);
  tell(inLane('instance', on.sample, world.elapsedMs(), reading.moment));
}

async function sampleDatabases(sampling: Sampling, engineEdition: number): Promise<void> {
  const { world, log, tell } = sampling;
  const { databases } = tell(inLane('databases', on.begin, world.elapsedMs()));
  const take = <T>(steps: Steps<T>): Promise<T> => takeSteps(steps, world.pause);
  const [files, counters] = await Promise.all([
    ask(sampling, 'files', writeFileRead(engineEdition), (set) => take(readFileWork(set))),
    ask(sampling, 'counters', fillTemplate(readTemplates.databaseCounters, {}), (set) =>
      take(readCounterWork(set)),
    ),
  ]);
  if (files === null) return;
  await take(log.appendDatabases(files, counters, databases.longestMs));
  tell(inLane('databases', on.sample, world.elapsedMs(), files.moment));
}

async function ask<T extends { readonly moment: { readonly nowUtcMs: number } }>(
  { world: { query, elapsedMs }, tell }: Sampling,
  part: SampledPart,
  text: ReadText,
  read: (set: TextRows) => Promise<WorkReading<T>>,
  mostCostMs = Infinity,
): Promise<T | null> {
  const name = part === 'instance' ? 'instance' : 'databases';
  const fromMs = elapsedMs();
  const answer = await observe(() => query.run(text), isLate);
  // Other reads of the same text are in it too: better too much than too little.
  tell(inLane(name, on.answer, fromMs, Math.min(mostCostMs, elapsedMs() - fromMs)));
  const { value, problems } =
    answer.kind === 'observed' ? await read(answer.value) : { value: null, problems: [] };
  const lacking = problems.find(isLacking)?.message ?? t('The server answered with no row.');
  const reason = answer.kind === 'not observable' ? answer.reason : value === null ? lacking : null;
  if (part !== 'counters')
    tell(reason === null ? inLane(name, on.reading, fromMs) : inLane(name, on.refusal, elapsedMs()));
  tell((was) => {
    const status = { reason, readUtcMs: value?.moment.nowUtcMs ?? was.parts[part].readUtcMs };
    return { ...was, parts: { ...was.parts, [part]: status } };
  });
  return value;
}

/** The text that reads the files of every database. @param engineEdition SERVERPROPERTY('EngineEdition') */
export function writeFileRead(engineEdition: number): ReadText {
  return fillTemplate(readTemplates.fileIo, {
    counter_instance_column: findCounterColumn({ engineEdition }),
  });
}

const UNASKED: PartStatus = { reason: null, readUtcMs: null };
