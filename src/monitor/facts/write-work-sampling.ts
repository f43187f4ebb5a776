import { findCounterColumn } from '../../core/advice/platform';
import { BLOCK_MS } from '../../core/write-work/block';
import { readCounterWork, readFileWork, readInstanceWork, type WorkReading } from '../../core/write-work/work-readings';
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

/** A refused read is asked again after this time: somebody may have granted the permission. */
const RETRY_MS = 600_000;
/** Samples further apart than this many intervals are not compared. */
const MOST_INTERVALS_APART = 3;
/** But closer ones always are, because other work on the server may hold a sample up. */
const NEAR_ENOUGH_MS = 180_000;

export type SampledPart = 'instance' | 'files' | 'counters';

/** The state of one part of the sampling. */
export interface PartStatus {
  /** Why it is not observable; null: it is observable, or was not asked yet. */
  readonly reason: string | null;
  /** The server's clock at the last reading; null: none yet. */
  readonly readUtcMs: number | null;
}

export interface SamplingStatus {
  readonly parts: Readonly<Record<SampledPart, PartStatus>>;
  /** The planned interval in milliseconds: longer than the setting if the server answers slowly. */
  readonly instanceIntervalMs: number;
  readonly databasesIntervalMs: number;
  /** Two samples give no figure if they are further apart than this, in milliseconds. */
  readonly instanceLongestMs: number;
  readonly databasesLongestMs: number;
}

export interface SamplingWorld extends Pick<MonitorSurroundings, 'elapsedMs'> {
  readonly query: { run(text: ReadText): Promise<TextRows> };
  /** SERVERPROPERTY('EngineEdition'): counters of a Managed Instance use other names of databases (docs/facts.md, SQL Server 6). */
  readonly engineEdition: number;
  /** Lets others have the thread for a moment: reading thousands of databases takes too long for one go. */
  readonly pause: () => Promise<void>;
  readonly intervals: SamplingIntervals;
}

interface Lane {
  readonly nominalMs: number;
  readonly dueMs: number;
  readonly costMs: number;
  /** When the last successful reading began. */
  readonly readMs: number;
  /** This reading and the one before may be this far apart. */
  readonly longestMs: number;
}

const intervalOf = ({ nominalMs, costMs }: Pick<Lane, 'nominalMs' | 'costMs'>): number => Math.min(BLOCK_MS, spaceOut(nominalMs, costMs));

/** What each event makes of a lane. */
const on = {
  /**
   * The next reading is due an interval later, even if this one fails. This one and the one before may be a few intervals apart, more if the server
   * is slow, but never more than a block: else its figures would be spread over more than two blocks.
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
  /** A sample at the border of two blocks need not be split between them: if the next one would come later, it comes at the border. */
  sample: (lane: Lane, nowMs: number, { nowUtcMs }: { readonly nowUtcMs: number }): Lane => {
    const toBorderMs = BLOCK_MS - (nowUtcMs % BLOCK_MS);
    return toBorderMs >= spaceOut(0, lane.costMs) ? { ...lane, dueMs: Math.min(lane.dueMs, nowMs + toBorderMs) } : lane;
  },
};

interface Sampled {
  readonly instance: Lane;
  readonly databases: Lane;
  readonly parts: Readonly<Record<SampledPart, PartStatus>>;
}

/**
 * Samples cumulative counters of one server into one log. It has no timers: its owner calls `sample` and is told when to call again.
 * Samples never overlap, and are rarer if the server is slow.
 */
export class WriteWorkSampling {
  private sampled: Sampled;
  private running: Promise<number> | null = null;

  constructor(
    private readonly world: SamplingWorld,
    readonly log: WriteWorkLog,
  ) {
    const { instanceMs, databasesMs } = world.intervals;
    const unread = { dueMs: -Infinity, costMs: 0, readMs: -Infinity, longestMs: NEAR_ENOUGH_MS };
    this.sampled = {
      instance: { nominalMs: instanceMs, ...unread },
      databases: { nominalMs: databasesMs, ...unread },
      parts: { instance: UNASKED, files: UNASKED, counters: UNASKED },
    };
  }

  get status(): SamplingStatus {
    const { instance, databases, parts } = this.sampled;
    return {
      parts,
      instanceIntervalMs: intervalOf(instance),
      databasesIntervalMs: intervalOf(databases),
      instanceLongestMs: instance.longestMs,
      databasesLongestMs: databases.longestMs,
    };
  }

  /** Something happens in a lane. @returns what becomes of it */
  private tell<Rest extends readonly unknown[]>(name: LaneName, event: (lane: Lane, ...rest: Rest) => Lane, ...rest: Rest): Lane {
    const lane = event(this.sampled[name], ...rest);
    this.sampled = { ...this.sampled, [name]: lane };
    return lane;
  }

  /**
   * Reads what is due. A call while it reads gets the same answer. A refused read is not observable, and is asked again later.
   * @returns milliseconds until something is due again
   * @throws ConnectionError if the connection was lost; reads are due again later then too
   */
  sample(): Promise<number> {
    this.running ??= this.sampleDue().finally(() => (this.running = null));
    return this.running;
  }

  private async sampleDue(): Promise<number> {
    // At the same moment, so that they go in one text. What that takes is the databases' cost.
    const nowMs = this.world.elapsedMs();
    const [isInstanceDue, areDatabasesDue] = [this.sampled.instance.dueMs <= nowMs, this.sampled.databases.dueMs <= nowMs];
    const mostCostMs = areDatabasesDue ? this.sampled.instance.costMs : Infinity;
    await Promise.all([isInstanceDue && this.sampleInstance(mostCostMs), areDatabasesDue && this.sampleDatabases()]);
    return Math.max(0, Math.min(this.sampled.instance.dueMs, this.sampled.databases.dueMs) - this.world.elapsedMs());
  }

  private async sampleInstance(mostCostMs: number): Promise<void> {
    const { longestMs } = this.tell('instance', on.begin, this.world.elapsedMs());
    const text = fillTemplate(readTemplates.instanceWork, {});
    const reading = await this.ask('instance', text, async (set) => readInstanceWork(set), mostCostMs);
    if (reading === null) return;
    this.log.appendInstance(reading, longestMs);
    this.tell('instance', on.sample, this.world.elapsedMs(), reading.moment);
  }

  private async sampleDatabases(): Promise<void> {
    const { longestMs } = this.tell('databases', on.begin, this.world.elapsedMs());
    const [files, counters] = await Promise.all([
      this.ask('files', writeFileRead(this.world.engineEdition), (set) => this.take(readFileWork(set))),
      this.ask('counters', fillTemplate(readTemplates.databaseCounters, {}), (set) => this.take(readCounterWork(set))),
    ]);
    if (files === null) return;
    await this.take(this.log.appendDatabases(files, counters, longestMs));
    this.tell('databases', on.sample, this.world.elapsedMs(), files.moment);
  }

  private async ask<T extends { readonly moment: { readonly nowUtcMs: number } }>(
    part: SampledPart,
    text: ReadText,
    read: (set: TextRows) => Promise<WorkReading<T>>,
    mostCostMs = Infinity,
  ): Promise<T | null> {
    const name = part === 'instance' ? 'instance' : 'databases';
    const fromMs = this.world.elapsedMs();
    const answer = await observe(() => this.world.query.run(text), isLate);
    // Other reads of the same text are in it too: better too much than too little.
    this.tell(name, on.answer, fromMs, Math.min(mostCostMs, this.world.elapsedMs() - fromMs));
    const { value, problems } = answer.kind === 'observed' ? await read(answer.value) : { value: null, problems: [] };
    const lacking = problems.find(isLacking)?.message ?? t('The server answered with no row.');
    const reason = answer.kind === 'not observable' ? answer.reason : value === null ? lacking : null;
    if (part !== 'counters' && reason === null) this.tell(name, on.reading, fromMs);
    if (part !== 'counters' && reason !== null) this.tell(name, on.refusal, this.world.elapsedMs());
    const { parts } = this.sampled;
    const status = { reason, readUtcMs: value?.moment.nowUtcMs ?? parts[part].readUtcMs };
    this.sampled = { ...this.sampled, parts: { ...parts, [part]: status } };
    return value;
  }

  private take<T>(steps: Steps<T>): Promise<T> {
    return takeSteps(steps, this.world.pause);
  }
}

type LaneName = 'instance' | 'databases';

/** The text that reads the files of every database. @param engineEdition SERVERPROPERTY('EngineEdition') */
export function writeFileRead(engineEdition: number): ReadText {
  return fillTemplate(readTemplates.fileIo, { counter_instance_column: findCounterColumn({ engineEdition }) });
}

const UNASKED: PartStatus = { reason: null, readUtcMs: null };
