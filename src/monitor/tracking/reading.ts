/**
 * What is known of the reading of one session into one capture, through all its runs, and what each event changes: page
 * by page, on from what was read last, with a gap for everything that may have been lost. Values only. Whenever it is
 * interrupted, the observed time ends where reading ended.
 */
import type { AppendedEvents, Capture } from '../../core/capture/capture';
import { type KeptFollowing, listLossGaps, type TakingUp } from '../../core/capture/following';
import { readPredicateIds, type SessionSnapshot } from '../../core/session/event-session';
import type { Gap } from '../../core/session/gap';
import {
  compareSnapshots,
  describeDatabasesChange,
  findEarlierLoss,
  findSessionStart,
  measureSettleLag,
} from '../../core/session/session-snapshots';
import { ConnectionError } from '../../hosts/host';
import { t } from '../../core/language';
import {
  type EventPlace,
  hasAllEvents,
  namesOf,
  noticeIn,
  openPlace,
  type PageRead,
  type PlaceOptions,
  positionOf,
  type SourceRows,
} from './event-place';

export interface FollowingPlan extends PlaceOptions {
  readonly isOwn: boolean;
  /** The look with which following begins; if a capture goes on, the last look of the window before. */
  readonly snapshot: SessionSnapshot;
  /** null: the session was running before us, and only reading its target tells how far back it reaches. */
  readonly beginUtcMs: number | null;
  /** If a capture goes on: what is needed for that. */
  readonly kept: KeptFollowing | null;
}

/** Files of one name, or one ring buffer. It is read to its end before the next one. */
interface OpenSource {
  readonly place: EventPlace;
  /** The last look that showed this source. */
  readonly snapshot: SessionSnapshot;
  /**
   * When the run began for which it was opened: earlier events are another run's. Its first file may tell an earlier
   * moment than was known without it.
   */
  readonly earliestUtcMs: number;
  /** It is being read from its beginning, where files of earlier runs may come first. */
  readonly isFromBeginning: boolean;
}

export interface Reading {
  readonly plan: FollowingPlan;
  readonly isRunning: boolean;
  /** Why the session does not run as it should, as one sentence; null while it does. */
  readonly trouble: string | null;
  /** The last look, even if the session did not run. */
  readonly seen: SessionSnapshot;
  /** The last look at which the session ran. */
  readonly snapshot: SessionSnapshot;
  /** The server's clock at the last look. */
  readonly nowUtcMs: number;
  /** The source that is being read, and those that follow it. */
  readonly source: OpenSource;
  readonly later: readonly OpenSource[];
  readonly begin: number | null;
  /** Up to when everything was read; null: the session was running before us, and nothing was read yet. */
  readonly readToUtcMs: number | null;
  /** Not everything was read since the last look. */
  readonly isReading: boolean;
  /** The page that was read last had others after it. */
  readonly isLong: boolean;
  /** Rows of this reading so far. */
  readonly rows: number;
  /** The last turn failed, so the next one looks at the session again. */
  readonly hasFailed: boolean;
  /** The gap that began when it was first seen not to run as it should; null while it does. */
  readonly lasting: Gap | null;
  /** A look showed that the session does not run, and what it wrote before is still being read. */
  readonly stopped: SessionSnapshot | null;
  /** Following ends here: what was written until then is still read. */
  readonly endUtcMs: number | null;
  /** What was seen so far of a session that was running before us. */
  readonly takingUp: Omit<TakingUp, 'files'>;
  readonly lostBefore: { readonly events: number; readonly buffers: number };
  /**
   * The gap of a login that may not read the events: they wait in their files, and it goes once they are read, or
   * another gap says why not.
   */
  readonly permissionGap: Gap | null;
  /** The window is being closed: nothing gets into the capture any more, not even a page under way. */
  readonly isHalted: boolean;
  /**
   * The look before a change of the databases that is sent now: until the next look events may be missing, even if the
   * change fails. null once a later look has seen the change.
   */
  readonly changedBehind: SessionSnapshot | null;
}

/** What becomes of a reading, and what its capture is told then, in this order. */
export interface ReadingStep {
  readonly reading: Reading;
  readonly told: readonly ((capture: Capture) => void)[];
  /** Set if nothing was there to be read. */
  readonly failure?: ConnectionError | null;
}

type Told = ReadingStep['told'][number];
const gapOf =
  (gap: Gap): Told =>
  (capture) =>
    capture.addGap(gap);
const noGap =
  ({ kind, beginUtcMs }: Gap): Told =>
  (capture) =>
    capture.removeGap(kind, beginUtcMs);
const observe =
  (beginUtcMs: number, endUtcMs: number): Told =>
  (capture) =>
    capture.observe(beginUtcMs, endUtcMs);
const settle =
  (toUtcMs: number): Told =>
  (capture) =>
    capture.settle(toUtcMs);
const silent = (reading: Reading): ReadingStep => ({ reading, told: [] });

export const onReading = {
  // After our own stop the session does not run, as expected.
  look: (reading: Reading, snapshot: SessionSnapshot): ReadingStep => {
    const looked = { ...reading, nowUtcMs: snapshot.nowUtcMs, hasFailed: false };
    return reading.endUtcMs === null ? notice(looked, snapshot) : { reading: looked, told: [] };
  },
  lookBetween: (reading: Reading, { nowUtcMs }: SessionSnapshot): ReadingStep =>
    silent({ ...reading, nowUtcMs }),
  place: (reading: Reading, place: EventPlace): ReadingStep => {
    const { file, ring } = positionOf(reading.source.place);
    const isFromBeginning = reading.source.isFromBeginning || (file === null && ring === null);
    return silent({ ...reading, source: { ...reading.source, place, isFromBeginning } });
  },
  rows: takeRows,
  page: endPage,
  failure: (reading: Reading): ReadingStep => silent({ ...reading, hasFailed: true }),
  /** Not allowed any more to read. @param nowUtcMs by the server's clock */
  refusal: (reading: Reading, nowUtcMs: number): ReadingStep => {
    const beginUtcMs = reading.permissionGap?.beginUtcMs ?? reading.readToUtcMs ?? reading.snapshot.nowUtcMs;
    if (nowUtcMs <= beginUtcMs) return silent(reading);
    const reason = t('The login was no longer allowed to read the events.');
    const permissionGap: Gap = { kind: 'permission lost', beginUtcMs, endUtcMs: nowUtcMs, reason };
    return {
      reading: { ...reading, permissionGap },
      told: [observe(findBegin(reading) ?? beginUtcMs, nowUtcMs), gapOf(permissionGap)],
    };
  },
  /** Its databases are changed. @param changedBehind the look before that */
  change: (reading: Reading, changedBehind: SessionSnapshot): ReadingStep =>
    silent({ ...reading, changedBehind }),
  /** What happens on this one after what was read last cannot be known. @param nowUtcMs by the other server's clock */
  failover: (reading: Reading, name: string, nowUtcMs: number): ReadingStep => {
    const beginUtcMs = reading.readToUtcMs ?? reading.snapshot.nowUtcMs;
    const endUtcMs = Math.max(beginUtcMs + 1, nowUtcMs);
    const gap: Gap = {
      kind: 'failover',
      beginUtcMs,
      endUtcMs,
      reason: t('Another server, {0}, answered in its place.', name),
    };
    return { reading, told: [observe(findBegin(reading) ?? beginUtcMs, endUtcMs), gapOf(gap)] };
  },
  /** Following ends at this time. A ring buffer is gone now, and was read before. */
  stop: (reading: Reading, endUtcMs: number): ReadingStep => {
    const ending = { ...reading, endUtcMs, isReading: reading.isReading || !isInMemory(reading) };
    return ending.isReading ? silent(ending) : endAll(ending, []);
  },
  /** It is followed no longer, and what was not read yet stays unread. */
  end: (reading: Reading): ReadingStep => endAll(reading, []),
  close: (reading: Reading): ReadingStep => silent({ ...reading, isHalted: true }),
};

export function beginReading(plan: FollowingPlan): ReadingStep {
  const { snapshot, kept } = plan;
  const keptUp = kept?.unread?.takingUp ?? null;
  const takingUp = keptUp ?? { snapshot, firstEventUtcMs: null, hasEarlier: false };
  const begin = keptUp !== null ? null : (kept?.beginUtcMs ?? plan.beginUtcMs);
  const reading: Reading = {
    plan,
    isRunning: true,
    trouble: null,
    isReading: false,
    isLong: false,
    rows: 0,
    hasFailed: false,
    isHalted: false,
    lasting: null,
    stopped: null,
    endUtcMs: null,
    changedBehind: null,
    seen: snapshot,
    snapshot,
    nowUtcMs: snapshot.nowUtcMs,
    takingUp,
    begin,
    source: openSource(plan, begin, takingUp.snapshot, kept),
    later: [],
    readToUtcMs:
      kept?.unread !== undefined ? kept.unread.readToUtcMs : begin === null ? null : snapshot.nowUtcMs,
    lostBefore: { events: kept?.lostEvents ?? 0, buffers: kept?.lostBuffers ?? 0 },
    permissionGap: kept?.permissionGap ?? null,
  };
  return {
    reading,
    told: plan.beginUtcMs !== null && kept === null ? [observe(plan.beginUtcMs, snapshot.nowUtcMs)] : [],
  };
}

/** Whether the events are gone when the session stops, and each look costs their whole text. */
export const isInMemory = ({ source }: Reading): boolean => source.place.kind === 'ring';

/** The databases whose begins and ends the session records; null: all; none if its predicates are not of our form. */
export function listTracked({ seen: { predicate, endPredicate } }: Reading): readonly number[] | null {
  return predicate === endPredicate ? readPredicateIds(predicate) : [];
}

/** What the server lost while the session was followed: single events, and whole buffers. null: not observable. */
export function countLost({ snapshot, lostBefore }: Reading): {
  readonly lostEvents: number | null;
  readonly lostBuffers: number | null;
} {
  const add = (before: number, now: number | null): number | null => (now === null ? null : before + now);
  return {
    lostEvents: add(lostBefore.events, snapshot.droppedEvents),
    lostBuffers: add(lostBefore.buffers, snapshot.droppedBuffers),
  };
}

/** Number of stored events that were read so far; null: no such reading is under way. */
export const countStored = ({ isLong, begin, hasFailed, rows }: Reading): number | null =>
  isLong || (begin === null && !hasFailed) ? rows : null;

/**
 * Since when the session is followed, or, while the beginning of one that was running before us is being read, as far
 * as is known, and never earlier than it will be in the end. null: no event of it was read yet.
 */
export function findBegin({
  begin,
  source: { earliestUtcMs },
  takingUp: { firstEventUtcMs, hasEarlier, snapshot },
}: Reading): number | null {
  if (begin !== null || firstEventUtcMs === null) return begin;
  return hasEarlier ? earliestUtcMs : Math.max(earliestUtcMs, firstEventUtcMs + measureSettleLag(snapshot));
}

/** What is needed to go on later. */
export function keepReading(reading: Reading): KeptFollowing {
  const { plan, source, lostBefore, permissionGap, readToUtcMs, begin, takingUp } = reading;
  const { place, snapshot, earliestUtcMs, isFromBeginning } = source;
  const beginUtcMs = findBegin(reading) ?? reading.snapshot.nowUtcMs;
  const unread = {
    readToUtcMs,
    earliestUtcMs,
    isFromBeginning,
    takingUp: begin === null ? { ...takingUp, files: namesOf(place) } : null,
  };
  return {
    sessionName: plan.sessionName,
    isOwn: plan.isOwn,
    snapshot,
    position: positionOf(place),
    beginUtcMs,
    lostEvents: lostBefore.events,
    lostBuffers: lostBefore.buffers,
    ...(permissionGap === null ? {} : { permissionGap }),
    ...(readToUtcMs === snapshot.nowUtcMs && begin !== null ? {} : { unread }),
  };
}

/** The time before which rows are left out, and the time behind which the first of them tells the end of a loss. */
export function boundRows(
  { source, readToUtcMs, snapshot }: Reading,
  { lossBefore }: SourceRows,
): { readonly source: OpenSource; readonly earliestUtcMs: number; readonly behindUtcMs: number } {
  const earliestUtcMs = Math.min(
    source.earliestUtcMs,
    findSessionStart(source.snapshot, namesOf(source.place)) ?? Infinity,
  );
  const isFromBeginning = source.isFromBeginning || lossBefore !== null;
  const behindUtcMs =
    lossBefore === null ? -Infinity : (readToUtcMs ?? source.earliestUtcMs) - measureSettleLag(snapshot);
  const open = { ...source, earliestUtcMs, isFromBeginning };
  return { source: open, earliestUtcMs: isFromBeginning ? earliestUtcMs : -Infinity, behindUtcMs };
}

function openSource(
  plan: FollowingPlan,
  begin: number | null,
  snapshot: SessionSnapshot,
  kept: KeptFollowing | null,
): OpenSource {
  const startUtcMs = findSessionStart(snapshot) ?? begin ?? snapshot.nowUtcMs;
  const { takingUp, isFromBeginning, ...known } = kept?.unread ?? {
    takingUp: null,
    earliestUtcMs: startUtcMs,
    isFromBeginning: false,
  };
  // The beginning may become this: a changed file cannot put it before the start. Files that were read may (boundRows).
  const earliestUtcMs = takingUp === null ? known.earliestUtcMs : Math.max(known.earliestUtcMs, startUtcMs);
  return {
    place: openPlace(plan, snapshot, kept),
    snapshot: kept?.snapshot ?? snapshot,
    earliestUtcMs,
    isFromBeginning,
  };
}

/** Notes what may have been lost since the last look. The next turns read what there is. */
function notice(reading: Reading, seen: SessionSnapshot): ReadingStep {
  const { snapshot, changedBehind } = reading;
  const change = compareSnapshots(snapshot, seen, reading.lasting);
  const told = change.gaps.map((gap) => gapOf(reachBack(reading, gap)));
  if (changedBehind !== null) told.push(gapOf(describeDatabasesChange(changedBehind, seen)));
  const noticed = { ...reading, seen, changedBehind: null };
  if (change.lasting !== null) return noticeEnd(noticed, change.lasting, told);
  const isAgain = snapshot.startedLocalMs !== seen.startedLocalMs;
  const { events, buffers } = reading.lostBefore;
  const lostBefore = isAgain
    ? { events: events + (snapshot.droppedEvents ?? 0), buffers: buffers + (snapshot.droppedBuffers ?? 0) }
    : reading.lostBefore;
  const next = change.readsFrom === 'beginning' ? [openSource(reading.plan, reading.begin, seen, null)] : [];
  const isAnotherRing = next.length > 0 && isInMemory(reading);
  const open = isAnotherRing ? next : [reading.source, ...reading.later, ...next];
  const [source = reading.source, ...later] = open.map((one, i) =>
    i === open.length - 1 ? { ...one, snapshot: seen, place: noticeIn(one.place, seen) } : one,
  );
  return {
    reading: {
      ...noticed,
      source,
      later,
      snapshot: seen,
      lostBefore,
      lasting: null,
      stopped: null,
      isReading: true,
    },
    told,
  };
}

function noticeEnd(reading: Reading, lasting: Gap, told: readonly Told[]): ReadingStep {
  const ended = { ...reading, isRunning: false, trouble: lasting.reason };
  if (!reading.isRunning) return { reading: ended, told };
  const stopped = { ...ended, stopped: reading.seen, lasting, isReading: !isInMemory(reading) };
  const step = stopped.isReading ? silent(stopped) : finish(stopped, false);
  return { reading: step.reading, told: [...told, ...step.told] };
}

/** When a session ends, the events in its ring buffer are gone, also those that were not read. */
function reachBack(reading: Reading, gap: Gap): Gap {
  const isGone = isInMemory(reading) && gap.kind !== 'clock moved back' && gap.kind !== 'events lost';
  return isGone ? { ...gap, beginUtcMs: Math.min(gap.beginUtcMs, reading.readToUtcMs ?? Infinity) } : gap;
}

function takeRows(
  reading: Reading,
  rows: SourceRows,
  events: AppendedEvents,
  before: number | null,
): ReadingStep {
  const { begin, snapshot, nowUtcMs, takingUp, source } = reading;
  const lagMs = measureSettleLag(snapshot);
  const isFirst = begin === null && takingUp.firstEventUtcMs === null && events.firstBehindUtcMs !== Infinity;
  const firstEventUtcMs = isFirst ? events.firstBehindUtcMs : takingUp.firstEventUtcMs;
  const taken = {
    ...reading,
    source: boundRows(reading, rows).source,
    rows: reading.rows + rows.rows.length,
    takingUp: { ...takingUp, firstEventUtcMs, hasEarlier: takingUp.hasEarlier || events.hasEarlier },
  };
  // What was read before, give or take the order of the buffers.
  const readToUtcMs = (reading.readToUtcMs ?? source.earliestUtcMs) - lagMs;
  const told = listLossGaps(rows, events, { before, readToUtcMs, lagMs, nowUtcMs }).map(gapOf);
  if (events.lastUtcMs === -Infinity) return { reading: taken, told };
  const horizonUtcMs = Math.min(events.lastUtcMs - 2 * lagMs, snapshot.nowUtcMs - lagMs);
  const settled = { ...taken, readToUtcMs: Math.max(taken.readToUtcMs ?? horizonUtcMs, horizonUtcMs) };
  return { reading: settled, told: [...told, ...settleTo(settled, horizonUtcMs)] };
}

/**
 * Everything before this time was read. An earlier event comes at most one lag later, and a gap of the next page may
 * reach back by one lag more. If the session lost events before it was taken up, nothing is decided until the beginning
 * is known: then one gap covers all of it.
 */
function settleTo(reading: Reading, horizonUtcMs: number): readonly Told[] {
  const beginUtcMs = findBegin(reading);
  if (beginUtcMs === null || horizonUtcMs <= beginUtcMs) return [];
  if (reading.begin === null && findEarlierLoss(reading.takingUp.snapshot, beginUtcMs) !== null) return [];
  return [observe(beginUtcMs, horizonUtcMs), settle(horizonUtcMs)];
}

function endPage(reading: Reading, read: PageRead): ReadingStep {
  const { stopped, endUtcMs } = reading;
  const isFound = stopped === null && endUtcMs === null && read !== 'nothing there';
  const found = isFound ? { ...reading, isRunning: true, trouble: null } : reading;
  const [source, ...later] = reading.later;
  if (read === 'more') return silent({ ...found, isLong: true });
  if (source !== undefined) return silent({ ...found, isLong: true, source, later });
  return finish(found, read === 'end');
}

/** @param isRead whether there was anything that could be read */
function finish(reading: Reading, isRead: boolean): ReadingStep {
  const { stopped, lasting, snapshot, endUtcMs, isRunning, permissionGap, readToUtcMs } = reading;
  const over = { ...reading, isReading: false, isLong: false, rows: 0 };
  if (!isRead && stopped === null && endUtcMs === null) {
    const missing = new ConnectionError('queryFailed', t('The files of the event session were not found.'));
    return { reading: over, failure: isRunning ? missing : null, told: [] };
  }
  const begin = reading.begin ?? findFinalBegin(reading);
  const loss = reading.begin === null ? findEarlierLoss(reading.takingUp.snapshot, begin) : null;
  const told: Told[] = loss === null ? [] : [gapOf(loss)];
  if (stopped === null || lasting === null) {
    told.push(observe(begin, snapshot.nowUtcMs), settle(snapshot.nowUtcMs - measureSettleLag(snapshot)));
  } else {
    const gap = isRead
      ? lasting
      : { ...lasting, beginUtcMs: Math.min(lasting.beginUtcMs, readToUtcMs ?? Infinity) };
    told.push(observe(begin, Math.max(begin, gap.endUtcMs)), gapOf(gap), settle(stopped.nowUtcMs));
  }
  if (isRunning && permissionGap !== null) told.push(noGap(permissionGap));
  const source = { ...reading.source, isFromBeginning: false };
  const read = { ...over, source, begin, stopped: null, readToUtcMs: snapshot.nowUtcMs, permissionGap: null };
  if (endUtcMs === null) return { reading: read, told };
  // If it did not run any more, nothing was observed until then.
  return endAll(read, isRead && lasting === null ? [...told, observe(begin, endUtcMs)] : told);
}

/** Nothing more will be read: begins without an end wait no longer. */
function endAll(reading: Reading, told: readonly Told[]): ReadingStep {
  return { reading: { ...reading, isRunning: false }, told: [...told, settle(Infinity)] };
}

/**
 * If the session was running before us: its start, or, if its first events may be gone, just after the first event that
 * is left.
 */
function findFinalBegin({
  source: { place, earliestUtcMs },
  takingUp: { snapshot, hasEarlier, firstEventUtcMs },
}: Reading): number {
  if (hasAllEvents(place) || hasEarlier) return earliestUtcMs;
  const { nowUtcMs } = snapshot;
  return Math.max(
    earliestUtcMs,
    Math.min((firstEventUtcMs ?? nowUtcMs) + measureSettleLag(snapshot), nowUtcMs),
  );
}
