/**
 * What happened to an event session between two looks at it. Whatever may have cost events becomes a gap of its kind,
 * from the last look at which all was well. Nothing is guessed. If a time cannot be told, the gap is the longer one.
 */
import { countOf, countEvents } from '../format';
import { isUtcMs, toUtcMs } from '../time';
import { type SessionSnapshot, readPredicateIds } from './event-session';
import type { Gap, GapKind } from './gap';
import { decodeXml } from '../events/xml-walk';
import { joinSentences, t } from '../language';

/**
 * How long an event may lie in the server's buffers if the session does not say: the server's default (docs/facts.md,
 * SQL Server 3).
 */
const DEFAULT_LATENCY_MS = 30_000;
/**
 * Without a limit, events come when a buffer is full or when the target is looked at, as every look does
 * (docs/facts.md, SQL Server 4).
 */
const ENDLESS_LATENCY_MS = 60_000;
const CLOCK_SLACK_MS = 5_000;
/** Two starts this close belong together: sessions that start with the server do so within minutes of tempdb. */
const STARTUP_MS = 5 * 60_000;
/** An event file has in its name when it was made: 100 ns since 1601, in UTC (docs/facts.md, SQL Server 4). */
const FILE_TIME = /_0_(\d{17,19})\.xel$/i;
/**
 * How far clocks may have gone since a start: back, not at all, forward; on Lord Howe Island, which has 10:30 with
 * Adelaide and 11:00 with Sydney, by half an hour.
 */
const CLOCK_CHANGES = [-60, 0, 60];
const HALF_HOUR_CHANGES: Readonly<Record<number, readonly number[]>> = {
  630: [-30, 0, 60],
  660: [-60, -30, 0, 30, 60],
};
const FILE_TIME_EPOCH_MS = Date.UTC(1601, 0, 1);

interface SnapshotChange {
  readonly gaps: readonly Gap[];
  /** A gap that is not over: the session does not run as it should. It ends when the session runs again. */
  readonly lasting: Gap | null;
  /** Where reading goes on: after the cursor, or at the beginning of other files or another ring. */
  readonly readsFrom: 'cursor' | 'beginning';
}

/** Whether events of the session can be followed: it runs, has both events, and has a target that can be read. */
export function isFollowable(session: SessionSnapshot): boolean {
  return session.isRunning && session.hasBothEvents && (session.configuredFile !== null || session.hasRing);
}

/**
 * Whether a capture can go on with this session: it is the same one on the same server. It may have been stopped and
 * started again.
 */
export function canGoOn(before: SessionSnapshot, after: SessionSnapshot): boolean {
  return before.serverName === after.serverName && isFollowable(after) && !isReplaced(before, after);
}

/**
 * Twice the milliseconds that an event may lie in the server's buffers, and a little for the clock. Until then an
 * earlier event can arrive after a later one.
 */
export function measureSettleLag({ dispatchLatencyMs }: Pick<SessionSnapshot, 'dispatchLatencyMs'>): number {
  const latencyMs =
    dispatchLatencyMs === null
      ? DEFAULT_LATENCY_MS
      : dispatchLatencyMs <= 0
        ? ENDLESS_LATENCY_MS
        : dispatchLatencyMs;
  return 2 * latencyMs + CLOCK_SLACK_MS;
}

/**
 * When the session was started, in UTC milliseconds; null while it is stopped. It is not documented that create_time is
 * of the server's wall clock. The oldest session shows it, because it starts with the server. The clocks may have
 * changed since the start. The first file tells whether they did: its name has UTC. If nothing tells, the latest
 * reading counts, so that no time counts as observed that may not be.
 * @param files names of files of the session that were read, besides the one that it writes now
 */
export function findSessionStart(session: SessionSnapshot, files: readonly string[] = []): number | null {
  const { startedLocalMs, nowUtcMs, utcOffsetMinutes } = session;
  if (startedLocalMs === null) return null;
  const asLocalMs = toUtcMs(startedLocalMs, utcOffsetMinutes);
  const zone = findStartZone(session);
  const changes = listClockChanges(session);
  const local = zone === 'utc' ? [] : changes.map((changeMs) => asLocalMs + changeMs);
  const readings = zone === 'local' ? local : [...local, startedLocalMs];
  const current = findFileTime(findCurrentFile(session));
  const made = files.map(findFileTime);
  // Only the present file can tell an earlier reading: another may be of an earlier run, and where nothing tells, the
  // clock may have been set back.
  const isEarlier = (each: number): boolean =>
    changes.some((changeMs) => changeMs < 0 && each === asLocalMs + changeMs);
  const told = readings.filter((each) =>
    [current, ...(isEarlier(each) ? [] : made)].some((madeUtcMs) => isSameStart(madeUtcMs, each)),
  );
  const possible = readings.filter(
    (each) => !isEarlier(each) && each < Math.min(nowUtcMs, current ?? Infinity),
  );
  return Math.min(
    nowUtcMs,
    Math.max(...(told.length > 0 ? told : possible.length > 0 ? possible : [nowUtcMs])),
  );
}

function listClockChanges({
  utcOffsetMinutes,
}: Pick<SessionSnapshot, 'utcOffsetMinutes'>): readonly number[] {
  return (HALF_HOUR_CHANGES[utcOffsetMinutes] ?? CLOCK_CHANGES).map((minutes) => minutes * 60_000);
}

function isSameStart(madeUtcMs: number | null, startUtcMs: number): boolean {
  return madeUtcMs !== null && Math.abs(madeUtcMs - startUtcMs) <= CLOCK_SLACK_MS;
}

function findStartZone({
  serverStartedLocalMs,
  firstStartedLocalMs,
  utcOffsetMinutes,
}: SessionSnapshot): 'local' | 'utc' | null {
  if (utcOffsetMinutes === 0) return 'local';
  if (serverStartedLocalMs === null || firstStartedLocalMs === null) return null;
  const behindMs = firstStartedLocalMs - serverStartedLocalMs;
  if (Math.abs(behindMs) <= STARTUP_MS) return 'local';
  const isUtc = listClockChanges({ utcOffsetMinutes }).some(
    (changeMs) => Math.abs(behindMs + utcOffsetMinutes * 60_000 + changeMs) <= STARTUP_MS,
  );
  return isUtc ? 'utc' : null;
}

/**
 * The file that a session writes now, as its target says; null if it does not say, for instance while the session is
 * stopped.
 */
export function findCurrentFile({ targetData }: SessionSnapshot): string | null {
  const name = /<File name="([^"]+)"/.exec(targetData ?? '')?.[1];
  return name === undefined ? null : decodeXml(name);
}

/**
 * The file in which the present run of a session begins: the one that it writes now, if that was made when the run
 * started. Then the whole run is in it and in later files, and files of earlier runs need not be read. null if that is
 * not so, or cannot be told.
 */
export function findFirstFile(session: SessionSnapshot): string | null {
  const [file, startUtcMs] = [findCurrentFile(session), findSessionStart(session)];
  return startUtcMs !== null && isSameStart(findFileTime(file), startUtcMs) ? file : null;
}

/** When an event file was made; null if its name does not say. */
function findFileTime(file: string | null): number | null {
  const ticks = FILE_TIME.exec(file ?? '')?.[1];
  const madeUtcMs = ticks === undefined ? null : Number(ticks) / 10_000 + FILE_TIME_EPOCH_MS;
  return isUtcMs(madeUtcMs) ? madeUtcMs : null;
}

/**
 * A gap for events lost before the session was followed. When is not known, so it is the whole time until then. null:
 * none were lost.
 */
export function findEarlierLoss(snapshot: SessionSnapshot, beginUtcMs: number): Gap | null {
  const [events, buffers] = [snapshot.droppedEvents ?? 0, snapshot.droppedBuffers ?? 0];
  if (events <= 0 && buffers <= 0) return null;
  return {
    kind: 'events lost',
    beginUtcMs,
    endUtcMs: snapshot.nowUtcMs,
    reason: describeLoss(events, buffers),
  };
}

/**
 * Compares two looks at a session of one server. At the look `before` it could be followed.
 * @param lasting the gap of a look between them, at which it could not be followed: in the same run it may have lasted
 * until `after`
 */
export function compareSnapshots(
  before: SessionSnapshot,
  after: SessionSnapshot,
  lasting: Gap | null = null,
): SnapshotChange {
  const clock = findClockGap(before, after);
  const gaps = clock === null ? [] : [clock];
  const sinceUtcMs = Math.min(before.nowUtcMs, after.nowUtcMs);
  if (isSameRun(before, after)) {
    const whole = lasting === null ? [] : [{ ...lasting, endUtcMs: after.nowUtcMs }];
    return { gaps: [...gaps, ...whole, ...findLosses(before, after)], lasting: null, readsFrom: 'cursor' };
  }
  const { kind, reason } = explainEnd(before, after);
  // A server that crashed lost the events that were not in the files yet.
  const beginUtcMs = kind === 'server restarted' ? sinceUtcMs - measureSettleLag(before) : sinceUtcMs;
  const readsFrom =
    before.configuredFile !== null && before.configuredFile === after.configuredFile ? 'cursor' : 'beginning';
  if (!isFollowable(after))
    return { gaps, lasting: { kind, beginUtcMs, endUtcMs: after.nowUtcMs, reason }, readsFrom: 'cursor' };
  const startUtcMs = findSessionStart(after) ?? after.nowUtcMs;
  // A start before the last look says nothing: the clock was moved, or the time is of another zone.
  const endUtcMs = startUtcMs > before.nowUtcMs ? startUtcMs : after.nowUtcMs;
  // Its databases may have been changed while it was stopped: what it records now does not tell what it recorded
  // before.
  const databases = hasOtherDatabases(before, after) ? describeDatabases(before, after) : {};
  gaps.push({ kind, beginUtcMs, endUtcMs: Math.max(beginUtcMs, endUtcMs), reason, ...databases });
  const loss = findEarlierLoss(after, Math.min(startUtcMs, endUtcMs));
  return { gaps: loss === null ? gaps : [...gaps, loss], lasting: null, readsFrom };
}

function isSameRun(before: SessionSnapshot, after: SessionSnapshot): boolean {
  const isOneStart = before.startedLocalMs === after.startedLocalMs && !isRestarted(before, after);
  return isOneStart && isFollowable(after) && !isReplaced(before, after);
}

function isReplaced(before: SessionSnapshot, after: SessionSnapshot): boolean {
  const hasOtherMark = before.mark !== undefined && after.mark !== undefined && before.mark !== after.mark;
  return (
    hasOtherMark ||
    before.definitionId !== after.definitionId ||
    before.configuredFile !== after.configuredFile
  );
}

function isRestarted(before: SessionSnapshot, after: SessionSnapshot): boolean {
  const [earlier, later] = [before.serverStartedLocalMs, after.serverStartedLocalMs];
  return earlier !== null && later !== null && earlier !== later;
}

function explainEnd(
  before: SessionSnapshot,
  after: SessionSnapshot,
): { readonly kind: GapKind; readonly reason: string } {
  if (isRestarted(before, after)) return { kind: 'server restarted', reason: describeRestart(after) };
  if (!after.isDefined) return { kind: 'session dropped', reason: t('The event session was dropped.') };
  if (!isReplaced(before, after) && !after.hasBothEvents)
    return {
      kind: 'session replaced',
      reason: joinSentences(
        t('The event session was changed, or a change to it was interrupted.'),
        describeLack(after),
      ),
    };
  if (isReplaced(before, after))
    return {
      kind: 'session replaced',
      reason: joinSentences(t('Someone else recreated or changed the event session.'), describeLack(after)),
    };
  if (after.isRunning)
    return { kind: 'session stopped', reason: t('The event session was stopped and started again.') };
  return {
    kind: 'session stopped',
    reason: t('The event session was stopped outside Checkpoint Health, or by its own time limit.'),
  };
}

function describeRestart(after: SessionSnapshot): string {
  if (!after.isDefined) return t('The server restarted. The event session is gone.');
  return after.isRunning
    ? t('The server restarted.')
    : t('The server restarted. The event session is not running.');
}

function describeLack(after: SessionSnapshot): string {
  if (!after.hasBothEvents) return t('It does not record both the begin and the end of checkpoints.');
  return after.configuredFile === null && !after.hasRing ? t('It has no target that can be read.') : '';
}

/** What one run lost, or did not record, between the two looks. */
function findLosses(before: SessionSnapshot, after: SessionSnapshot): readonly Gap[] {
  const gaps: Gap[] = [];
  const events = (after.droppedEvents ?? 0) - (before.droppedEvents ?? 0);
  const buffers = (after.droppedBuffers ?? 0) - (before.droppedBuffers ?? 0);
  // A lost buffer holds events from before it was full.
  const lagMs = buffers > 0 ? measureSettleLag(after) : 0;
  const [beginUtcMs, endUtcMs] = [Math.min(before.nowUtcMs - lagMs, after.nowUtcMs), after.nowUtcMs];
  if (events > 0 || buffers > 0)
    gaps.push({ kind: 'events lost', beginUtcMs, endUtcMs, reason: describeLoss(events, buffers) });
  if (hasOtherDatabases(before, after)) gaps.push({ ...describeDatabasesChange(before, after), beginUtcMs });
  return gaps;
}

/**
 * The gap for a change of the databases between two looks. A change that was put back is one too: an event that is
 * dropped and added again was not recorded for that moment, though the predicate is as before.
 */
export function describeDatabasesChange(before: SessionSnapshot, after: SessionSnapshot): Gap {
  const reason = t('The list of tracked databases was changed while the event session ran.');
  const beginUtcMs = Math.min(before.nowUtcMs, after.nowUtcMs);
  return {
    kind: 'databases changed',
    beginUtcMs,
    endUtcMs: after.nowUtcMs,
    reason,
    ...describeDatabases(before, after),
  };
}

function hasOtherDatabases(before: SessionSnapshot, after: SessionSnapshot): boolean {
  return before.predicate !== after.predicate || before.endPredicate !== after.endPredicate;
}

/** Empty unless both looks say of which databases both events are recorded. */
function describeDatabases(before: SessionSnapshot, after: SessionSnapshot): Pick<Gap, 'databases'> {
  const isKnown = ({ hasBothEvents, predicate, endPredicate }: SessionSnapshot): boolean =>
    hasBothEvents && predicate === endPredicate && readPredicateIds(predicate)?.length !== 0;
  if (!isKnown(before) || !isKnown(after)) return {};
  return {
    databases: { before: readPredicateIds(before.predicate), after: readPredicateIds(after.predicate) },
  };
}

function describeLoss(events: number, buffers: number): string {
  const lostEvents = countEvents(events);
  const lostBuffers = countOf(buffers, t('{0} whole buffer of events'), t('{0} whole buffers of events'));
  const lost =
    buffers === 0 ? lostEvents : events === 0 ? lostBuffers : t('{0} and {1}', lostEvents, lostBuffers);
  return t("The event session lost {0}: the server's own counters say so.", lost);
}

/**
 * Time that the server's clock went through twice, give or take events in buffers. Nothing tells which event belongs to
 * which time.
 */
function findClockGap(before: SessionSnapshot, after: SessionSnapshot): Gap | null {
  if (after.nowUtcMs >= before.nowUtcMs) return null;
  const lagMs = measureSettleLag(before);
  const reason = t("The server's clock was moved back.");
  return {
    kind: 'clock moved back',
    beginUtcMs: after.nowUtcMs - lagMs,
    endUtcMs: before.nowUtcMs + lagMs,
    reason,
  };
}
