/**
 * What is known of gathering the evidence about one server, and what each event makes of it: what is shown, and what is
 * to be done. Values only.
 */
import type { Facts } from '../../core/advice/facts';
import type { KeptForecast } from '../../core/advice/forecast';
import { choosePlan } from '../../core/advice/forecast-seen';
import type { NearestLimit } from '../../core/advice/limits';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import { type EvidencePages, type EvidenceState, NOTHING_READING } from '../../core/pages/evidence-page';
import type { DatabaseChange } from '../../core/task/change-moment';
import { NO_TIME_MARKS, type TimeMarks } from '../../core/timeline/time-marks';
import { WriteWorkLog } from '../../core/write-work/write-work-log';
import type { JudgedOn } from '../facts/server-judgement';
import { beginSampling, type Sampled } from '../facts/write-work-sampling';
import type { SamplingIntervals } from '../queries/surroundings';
import { ANOTHER_SERVER } from '../queries/failure';
import type { computePages, joinEvidence } from './evidence-pages';
import { type EvidenceReadings, isDue, NOTHING_READ, onReadings } from './evidence-readings';
import { joinChanges, joinPlans, type KeptWatch } from './kept-changes';
import { addRedo, NO_REDO } from './known-of-databases';
import { t } from '../../core/language';

/** Pages are computed again after this time at the earliest. */
const LEAST_INTERVAL_MS = 10_000;
/** After the user cancelled, reading begins again after this time, or when it is asked for. */
const HOLD_MS = 10 * 60_000;
/** How long a value must stay below its limit. */
const HOLD_ENDS_MS = 10 * 60_000;
/** A sample goes with the next read of the events, if one comes within this time, or within an interval. */
const GRACE_MS = 12_000;
/** After a sample lost the connection: the next read of the events connects again. */
const RETRY_MS = 15_000;

/** Write work that was sampled, and the sampling of it, before it begins. */
const NOT_SAMPLED = {
  isGoingOn: false,
  dueMs: Infinity,
  /** How often the next sample was planned. */
  plans: 0,
  /** The last sample had no answer, and that was told. */
  isLost: false,
  /** SERVERPROPERTY('EngineEdition'). */
  engineEdition: NaN,
  intervals: null as SamplingIntervals | null,
  /** null: sampling never began. */
  sampled: null as Sampled | null,
};
interface Work extends Readonly<typeof NOT_SAMPLED> {
  /** It grows. */
  readonly log: WriteWorkLog;
}

/** What is known at first, and of another server again: pages begun for one server are not shown for another. */
const NOTHING_KNOWN = {
  marks: NO_TIME_MARKS as TimeMarks,
  offsets: [] as readonly OffsetPeriod[],
  pages: null as EvidencePages | null,
  /**
   * Changes of target recovery time that we saw or the user entered; and those with what the error log tells, as far as
   * it was read.
   */
  ownChanges: [] as readonly DatabaseChange[],
  changes: [] as readonly DatabaseChange[],
  /** What verdicts take from the pages; empty: they were not computed yet. */
  told: {} as Partial<Pick<JudgedOn, 'known' | 'missed' | 'soFar' | 'logWrites' | 'byWaits'>>,
  /** The plans whose scripts were opened, oldest first. */
  plans: [] as readonly KeptForecast[],
  /**
   * The most important limit at the last look, or one that was exceeded in the last ten minutes; null: none is exceeded
   * or near.
   */
  nearestLimit: null as NearestLimit | null,
  exceededMs: -Infinity,
  readings: NOTHING_READ as EvidenceReadings,
  redo: NO_REDO,
  isStale: true,
  heldBackUntilMs: -Infinity,
  /** What is being done, in a few words; null: nothing that the user could cancel. And what of it is shown. */
  doing: null as string | null,
  state: NOTHING_READING,
  /** Which log of write work was written out last, and when. */
  written: null as { readonly log: WriteWorkLog; readonly atMs: number } | null,
};

type Gathered = Readonly<typeof NOTHING_KNOWN> & {
  readonly work: Work;
  /** Counts the servers that answered. */
  readonly server: number;
  readonly isOver: boolean;
};

export function beginGathering(): Gathered {
  return { ...NOTHING_KNOWN, work: { ...NOT_SAMPLED, log: new WriteWorkLog() }, server: 0, isOver: false };
}

/** The same, with what it rests on at the moment. */
export interface Gathering extends Gathered {
  readonly facts: Facts | null;
  readonly elapsedMs: number;
  /** Pages are being made, or will be after a while. */
  readonly isBusy: boolean;
}

/**
 * The effects of an event. `pagesInMs`, `sampleInMs`: milliseconds until pages are made, or a sample is taken, by
 * itself. `begin`: the user can cancel what begins; `cancel`: what goes on ends.
 */
export type GatheringEffect =
  | 'begin'
  | 'cancel'
  | { readonly pagesInMs: number }
  | { readonly sampleInMs: number };
export type GatheringChange = readonly [Partial<Gathered>, ...GatheringEffect[]];
type Joined = ReturnType<typeof joinEvidence> extends Generator<unknown, infer Result> ? Result : never;
type Computed = ReturnType<typeof computePages> extends Generator<unknown, infer Result> ? Result : never;

const holding = (now: Gathering, durationMs: number): EvidenceReadings => ({
  ...now.readings,
  ...onReadings.hold(now.readings, now.elapsedMs + durationMs),
});
const shown = (now: Gathering, news: Partial<EvidenceState>): EvidenceState => ({ ...now.state, ...news });

export const onGathering = {
  /** A person looks at the pages. */
  look: (now: Gathering): GatheringChange => {
    const isNeeded = now.isStale || (now.facts !== null && isDue(now.readings, now.elapsedMs));
    const isNow = isNeeded && !now.isBusy && now.elapsedMs >= now.heldBackUntilMs;
    return isNow ? [{}, { pagesInMs: now.pages === null ? 0 : LEAST_INTERVAL_MS }] : [{}];
  },
  /** A person asks for it: what was cancelled goes on. */
  goOn: (now: Gathering): GatheringChange => {
    if (now.state.stopped === null) return [{}];
    return [
      {
        heldBackUntilMs: -Infinity,
        isStale: true,
        readings: holding(now, 0),
        state: shown(now, { stopped: null }),
      },
    ];
  },
  /** The same, and error log and backups are read again even if they were read just now. */
  refresh: (now: Gathering): GatheringChange => [{ ...onGathering.goOn(now)[0], readings: holding(now, 0) }],
  /** Something that the pages rest on has changed. */
  touch: (): GatheringChange => [{ isStale: true }],
  compute: (now: Gathering, facts: Facts): GatheringChange => [
    { isStale: false, redo: addRedo(now.redo, facts) },
  ],
  begin: (now: Gathering, doing: string): GatheringChange => [
    { doing, state: shown(now, { reading: null }) },
    'begin',
  ],
  /** Error log and backups are read: what was cancelled before is no news any more. */
  read: (now: Gathering): GatheringChange => {
    const [news, ...effects] = onGathering.begin(now, t('Reading the error log and the backups…'));
    return [{ ...news, state: NOTHING_READING }, ...effects];
  },
  /** It takes long enough to be told. */
  tell: (now: Gathering): GatheringChange => [
    { state: shown(now, { reading: now.doing === null ? null : { text: now.doing } }) },
  ],
  cancel: ({ doing }: Gathering): GatheringChange => {
    if (doing === null) return [{}];
    const stopped = t(
      'Cancelled. The page shows what was read before. Reading continues in 10 minutes, or with Refresh.',
    );
    return [{ doing: null, state: { reading: null, stopped } }, 'cancel'];
  },
  /** Reading was cancelled, and is over. */
  unread: (now: Gathering): GatheringChange => [{ readings: holding(now, HOLD_MS) }],
  /** Computing was cancelled, or what was read before it; and it is over. */
  cancelled: (now: Gathering): GatheringChange => [{ heldBackUntilMs: now.elapsedMs + HOLD_MS }],
  readings: (now: Gathering, news: Partial<EvidenceReadings>): GatheringChange => [
    { readings: { ...now.readings, ...news } },
  ],
  joined: (now: Gathering, { marks, offsets, changes: found }: Joined): GatheringChange => {
    // The same list stays the same value, so that nothing is judged again.
    const changes = JSON.stringify(found) === JSON.stringify(now.changes) ? now.changes : found;
    return [{ marks, offsets, changes }];
  },
  /**
   * One that is exceeded counts until none was for ten minutes, so that a hold does not come and go with a value at its
   * limit.
   */
  pages: (
    now: Gathering,
    { known, nearestLimit, missed, soFar, logWrites, byWaits, ...pages }: Computed,
  ): GatheringChange => {
    const isExceeded = nearestLimit?.isUp === true;
    const limit = isExceeded
      ? { nearestLimit, exceededMs: now.elapsedMs }
      : isHeld(now)
        ? {}
        : { nearestLimit };
    return [{ pages, told: { known, missed, soFar, logWrites, byWaits }, ...limit }];
  },
  end: (now: Gathering, failure: string | null): GatheringChange => [
    { doing: null, state: shown(now, { reading: null }), isStale: now.isStale || failure !== null },
  ],
  /** Changes of target recovery time were seen, or entered. */
  changes: ({ ownChanges, changes }: Gathering, more: readonly DatabaseChange[]): GatheringChange =>
    more.length === 0
      ? [{}]
      : [{ ownChanges: [...ownChanges, ...more], changes: [...changes, ...more], isStale: true }],
  keptChanges: ({ ownChanges, changes }: Gathering, kept: readonly DatabaseChange[]): GatheringChange => [
    { ownChanges: joinChanges(kept, ownChanges), changes: joinChanges(kept, changes) },
  ],
  forecast: ({ plans, changes }: Gathering, fresh: KeptForecast): GatheringChange => [
    { plans: joinPlans([...plans, fresh], changes), isStale: true },
  ],
  keptWatch: ({ plans, changes, readings }: Gathering, kept: KeptWatch): GatheringChange => [
    {
      plans: joinPlans([...kept.plans, ...plans], changes),
      readings: { ...readings, ...onReadings.keptLooks(readings, kept.looks) },
    },
  ],
  /** @param log null: the next time everything is written out */
  written: (now: Gathering, log: WriteWorkLog | null): GatheringChange => [
    { written: log && { log, atMs: now.elapsedMs } },
  ],
  /** Write work is sampled while checkpoints are tracked, and only then. */
  follow: (now: Gathering, isFollowing: boolean, intervals: SamplingIntervals | null): GatheringChange => {
    if (!isFollowing || now.facts === null) return [{ work: endSampling(now.work) }];
    if (now.work.isGoingOn || intervals === null) return [{}];
    return planSample(now, beginWork(now.work, now.facts.server.engineEdition, intervals), 0);
  },
  sampling: ({ work }: Gathering, sampled: Sampled): GatheringChange => [{ work: { ...work, sampled } }],
  /**
   * @param plans as they were when the sample began: unless sampling ended meanwhile, or began again, the next one is
   * planned
   * @param delayMs until something is due again; null: the connection was lost
   */
  sample: (now: Gathering, plans: number, delayMs: number | null): GatheringChange => {
    const work = { ...now.work, isLost: delayMs === null };
    const [news, ...effects] = plans === work.plans ? planSample(now, work, delayMs ?? RETRY_MS) : [{ work }];
    return [delayMs === null ? news : { ...news, isStale: true }, ...effects];
  },
  /** An earlier window kept samples. What is sampled from now on goes to them. */
  keptWork: (now: Gathering, log: WriteWorkLog): GatheringChange => {
    const work = forgetWork(now.work, log);
    const { isGoingOn, intervals, engineEdition } = now.work;
    return isGoingOn && intervals !== null
      ? planSample(now, beginWork(work, engineEdition, intervals), 0)
      : [{ work }];
  },
  /** Another server answers: what was sampled, read and cancelled of the one before is forgotten. */
  leave: ({ server, work }: Gathering): GatheringChange => [
    { ...NOTHING_KNOWN, server: server + 1, work: forgetWork(work, new WriteWorkLog()) },
    'cancel',
  ],
  close: ({ work }: Gathering): GatheringChange => [{ isOver: true, work: endSampling(work) }],
};

function planSample(now: Gathering, work: Work, delayMs: number): GatheringChange {
  const planned = { ...work, isGoingOn: true, dueMs: now.elapsedMs + delayMs, plans: work.plans + 1 };
  return [{ work: planned }, { sampleInMs: delayMs + Math.min(GRACE_MS, delayMs) }];
}

function beginWork(work: Work, engineEdition: number, intervals: SamplingIntervals): Work {
  return { ...work, engineEdition, intervals, sampled: work.sampled ?? beginSampling(intervals) };
}

const endSampling = (work: Work): Work => ({ ...work, isGoingOn: false, plans: work.plans + 1 });
const forgetWork = ({ plans }: Work, log: WriteWorkLog): Work => ({ ...NOT_SAMPLED, log, plans: plans + 1 });

/** Why there are no pages, in one sentence. */
export const sentences = {
  over: t('The window is being closed.'),
  unasked: t('The server has not answered yet. Try again.'),
  left: ANOTHER_SERVER,
  cancelled: t('Gathering the evidence was cancelled.'),
};

/** Whether a limit that was exceeded in the last ten minutes keeps the next wave on hold. */
export function isHeld({ nearestLimit, exceededMs, elapsedMs }: Gathering): boolean {
  return nearestLimit?.isUp === true && elapsedMs - exceededMs < HOLD_ENDS_MS;
}

/** The forecast to compare with; null: none was made. */
export const findForecast = ({ plans, changes }: Gathered): KeptForecast | null => choosePlan(plans, changes);
