import type { Capture } from '../../core/capture/capture';
import type { SessionSnapshot } from '../../core/session/event-session';
import { type KeptFollowing, listLossGaps, type UnreadStretch } from '../../core/capture/following';
import type { Gap } from '../../core/session/gap';
import {
  compareSnapshots,
  describeDatabasesChange,
  findEarlierLoss,
  findSessionStart,
  measureSettleLag,
} from '../../core/session/session-snapshots';
import { ConnectionError } from '../../hosts/host';
import { type OpenSource, openEventSource, type FollowingPlan } from './following-plan';
import { AnotherServer } from '../queries/failure';
import type { AskedPage, EventSource, SourceRows } from './event-source';
import type { ServerQuery } from '../queries/server-query';
import { PermissionGap } from './permission-gap';
import { lookAtSession, readServerClock } from './session-looks';
import { t } from '../../core/language';

/** The result of a turn. `more`: there is more to read now; `end`: everything was read; `nothing`: the session does not run, and there was nothing to read. */
export type Turn = 'more' | 'end' | 'nothing';

/**
 * Reads one event session into one capture, through all its runs: page by page, on from what was read last, with a gap for everything that may have
 * been lost. Whenever it is interrupted, the observed time ends where reading ended. It has no timers: its owner says when to read.
 */
export class SessionReader {
  isRunning = true;
  /** Why the session does not run as it should, as one sentence; null while it does. */
  trouble: string | null = null;
  /** The last look, even if the session did not run. */
  seen: SessionSnapshot;
  /** The source that is being read, then those that follow it. */
  private sources: OpenSource[];
  /** The last look at which the session ran. */
  private snapshot: SessionSnapshot;
  private begin: number | null;
  /** Up to when everything was read; null: the session was running before us, and nothing was read yet. */
  private readToUtcMs: number | null;
  /** Not everything was read since the last look. */
  private isReading = false;
  /** The page that was read last had others after it. */
  private isLong = false;
  /** Rows of this reading so far. */
  private rows = 0;
  /** The last turn failed, so the next one looks at the session again. */
  private hasFailed = false;
  /** The gap that began when it was first seen not to run as it should; null while it does. */
  private lasting: Gap | null = null;
  /** A look showed that the session does not run, and what it wrote before is still being read. */
  private stopped: SessionSnapshot | null = null;
  /** Following ends here: what was written until then is still read. */
  private endUtcMs: number | null = null;
  /** The server's clock at the last look. */
  private nowUtcMs: number;
  /** If the session was running before us: the look with which it was taken up, and its first event. */
  private readonly takenUp: SessionSnapshot;
  private firstEventUtcMs: number | null;
  /** Events of an earlier run were there. The server deletes the oldest file first, so all events of this run are there. */
  private hasEarlier: boolean;
  private lostBefore: { readonly events: number; readonly buffers: number };
  private readonly permissionGap: PermissionGap;
  private isHalted = false;
  /**
   * The look before a change of the databases that is sent now: until the next look events may be missing, even if the change fails. null once a later
   * look has seen the change.
   */
  changedBehind: SessionSnapshot | null = null;

  constructor(
    private readonly query: ServerQuery,
    readonly capture: Capture,
    readonly plan: FollowingPlan,
  ) {
    const { snapshot, kept } = plan;
    const takingUp = kept?.unread?.takingUp ?? null;
    this.snapshot = this.seen = snapshot;
    this.takenUp = takingUp?.snapshot ?? snapshot;
    this.begin = takingUp !== null ? null : (kept?.beginUtcMs ?? plan.beginUtcMs);
    this.firstEventUtcMs = takingUp?.firstEventUtcMs ?? null;
    this.hasEarlier = takingUp?.hasEarlier ?? false;
    this.permissionGap = new PermissionGap(capture, kept?.permissionGap ?? null);
    this.nowUtcMs = snapshot.nowUtcMs;
    this.readToUtcMs = kept?.unread !== undefined ? kept.unread.readToUtcMs : this.begin === null ? null : snapshot.nowUtcMs;
    this.lostBefore = { events: kept?.lostEvents ?? 0, buffers: kept?.lostBuffers ?? 0 };
    this.sources = [this.open(this.takenUp, kept)];
    if (plan.beginUtcMs !== null && kept === null) capture.observe(plan.beginUtcMs, snapshot.nowUtcMs);
  }

  /** Since when the session is followed; null before the first reading of a session that was running already. */
  get beginUtcMs(): number | null {
    return this.begin ?? this.findBeginSoFar();
  }

  /** Whether the events are gone when the session stops, and each look costs their whole text. */
  get isInMemory(): boolean {
    return !this.first.source.outlivesSession;
  }

  /** Single events that the server lost while the session was followed; null: not observable. */
  get lostEvents(): number | null {
    return this.snapshot.droppedEvents === null ? null : this.lostBefore.events + this.snapshot.droppedEvents;
  }

  /** Whole buffers of events that the server lost. */
  get lostBuffers(): number | null {
    return this.snapshot.droppedBuffers === null ? null : this.lostBefore.buffers + this.snapshot.droppedBuffers;
  }

  /** Number of stored events that were read so far; null: no such reading is under way. */
  get storedRead(): number | null {
    return this.isLong || (this.begin === null && !this.hasFailed) ? this.rows : null;
  }

  /** What is needed to go on later. */
  keep(): KeptFollowing {
    const { sessionName, isOwn } = this.plan;
    const { source, snapshot } = this.first;
    const { events, buffers } = this.lostBefore;
    const beginUtcMs = this.beginUtcMs ?? this.snapshot.nowUtcMs;
    const kept = { sessionName, isOwn, snapshot, position: source.position, beginUtcMs, lostEvents: events, lostBuffers: buffers };
    return {
      ...kept,
      ...(this.permissionGap.current === null ? {} : { permissionGap: this.permissionGap.current }),
      ...(this.readToUtcMs === snapshot.nowUtcMs && this.begin !== null ? {} : { unread: this.keepUnread() }),
    };
  }

  private keepUnread(): UnreadStretch {
    const { readToUtcMs, takenUp, firstEventUtcMs, hasEarlier } = this;
    const { source, earliestUtcMs, isFromBeginning } = this.first;
    const takingUp = this.begin === null ? { snapshot: takenUp, firstEventUtcMs, hasEarlier, files: source.files } : null;
    return { readToUtcMs, earliestUtcMs, isFromBeginning, takingUp };
  }

  /**
   * Looks at the session, if everything of the last look was read, and reads the next page. If the session does not run any more, the rest of it is
   * read; if it runs again, it is followed again. @throws AnotherServer, ConnectionError; nothing that is in the files is lost then
   */
  async takeTurn(): Promise<Turn> {
    return this.trying(async () => {
      const ahead = !this.isReading || this.hasFailed ? await this.lookWithPage() : null;
      this.hasFailed = false;
      return this.isReading ? this.readPage(ahead) : 'nothing';
    });
  }

  /** After most looks there is something to read, and we know where: so the page is asked for at the same moment. */
  private async lookWithPage(): Promise<AskedPage | null> {
    const looking = this.lookOn();
    const asked = this.isRunning && this.endUtcMs === null ? this.first.source.askAhead() : null;
    await looking;
    return asked;
  }

  /** Looks at the session and notes what may have been lost since the last look. The next turns read what there is. @throws AnotherServer, ConnectionError */
  async lookNow(): Promise<SessionSnapshot> {
    return this.trying(() => this.lookOn());
  }

  /** Ends following at this time. The next turns read what was written until then. A ring buffer is gone now, and was read before. */
  endAt(endUtcMs: number): void {
    this.endUtcMs = endUtcMs;
    this.isReading ||= !this.isInMemory;
    if (!this.isReading) this.settleAll();
  }

  /** From now on nothing gets into the capture, not even a page under way: the capture is being kept as it is. */
  halt(): void {
    this.isHalted = true;
  }

  /** Another server answers now: nobody knows what happens on this one after what was read last. @param nowUtcMs by that other server's clock */
  noteFailover(otherServer: string, nowUtcMs: number): void {
    const beginUtcMs = this.readToUtcMs ?? this.snapshot.nowUtcMs;
    const endUtcMs = Math.max(beginUtcMs + 1, nowUtcMs);
    this.capture.observe(this.beginUtcMs ?? beginUtcMs, endUtcMs);
    this.capture.addGap({ kind: 'failover', beginUtcMs, endUtcMs, reason: t('Another server, {0}, answered in its place.', otherServer) });
  }

  private get first(): OpenSource {
    return this.sources[0] as OpenSource;
  }

  private open(snapshot: SessionSnapshot, kept: KeptFollowing | null): OpenSource {
    const source = openEventSource(this.query, this.plan, snapshot, kept);
    const { earliestUtcMs, isFromBeginning } = kept?.unread ?? {
      earliestUtcMs: findSessionStart(snapshot) ?? this.begin ?? snapshot.nowUtcMs,
      isFromBeginning: false,
    };
    return { source, snapshot: kept?.snapshot ?? snapshot, earliestUtcMs, isFromBeginning };
  }

  private async trying<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.hasFailed = true;
      if (error instanceof ConnectionError && error.reason === 'permissionDenied') await this.notePermissionLost();
      throw error;
    }
  }

  private async lookOn(): Promise<SessionSnapshot> {
    const snapshot = await this.look();
    // After our own stop the session does not run, as expected.
    if (this.endUtcMs === null) this.notice(snapshot);
    return snapshot;
  }

  private async look(): Promise<SessionSnapshot> {
    const snapshot = await lookAtSession(this.query, this.plan.sessionName);
    this.requireGoing();
    if (snapshot.serverName !== this.plan.snapshot.serverName)
      throw new AnotherServer(snapshot.serverName ?? t('name not known'), snapshot.nowUtcMs);
    this.nowUtcMs = snapshot.nowUtcMs;
    return snapshot;
  }

  private notice(snapshot: SessionSnapshot): void {
    this.seen = snapshot;
    const change = compareSnapshots(this.snapshot, snapshot, this.lasting);
    for (const gap of change.gaps) this.capture.addGap(this.reachBack(gap));
    if (this.changedBehind !== null) this.capture.addGap(describeDatabasesChange(this.changedBehind, snapshot));
    this.changedBehind = null;
    if (change.lasting !== null) return this.noticeEnd(snapshot, change.lasting);
    this.stopped = this.lasting = null;
    if (this.snapshot.startedLocalMs !== snapshot.startedLocalMs) {
      const { droppedEvents, droppedBuffers } = this.snapshot;
      this.lostBefore = { events: this.lostBefore.events + (droppedEvents ?? 0), buffers: this.lostBefore.buffers + (droppedBuffers ?? 0) };
    }
    if (change.readsFrom === 'beginning') {
      const next = this.open(snapshot, null);
      if (this.isInMemory) this.sources = [next];
      else this.sources.push(next);
    }
    for (const open of this.sources) open.isFromBeginning ||= isAtBeginning(open.source);
    const last = this.sources[this.sources.length - 1] as OpenSource;
    last.snapshot = this.snapshot = snapshot;
    last.source.notice(snapshot);
    this.isReading = true;
  }

  private noticeEnd(snapshot: SessionSnapshot, lasting: Gap): void {
    const isFirst = this.isRunning;
    this.isRunning = false;
    this.trouble = lasting.reason;
    if (!isFirst) return;
    [this.stopped, this.lasting] = [snapshot, lasting];
    this.isReading = !this.isInMemory;
    if (!this.isReading) this.finishReading(false);
  }

  /** When a session ends, the events in its ring buffer are gone, also those that were not read. */
  private reachBack(gap: Gap): Gap {
    const isGone = this.isInMemory && gap.kind !== 'clock moved back' && gap.kind !== 'events lost';
    return isGone ? { ...gap, beginUtcMs: Math.min(gap.beginUtcMs, this.readToUtcMs ?? Infinity) } : gap;
  }

  private async readPage(ahead: AskedPage | null): Promise<Turn> {
    const open = this.first;
    const take = (step: SourceRows): void => this.take(open, step);
    const read = await open.source.readPage(take, () => this.look(), ahead);
    this.requireGoing();
    if (this.stopped === null && this.endUtcMs === null && read !== 'nothing there') [this.isRunning, this.trouble] = [true, null];
    if (read === 'more' || this.sources.length > 1) {
      if (read !== 'more') this.sources.shift();
      this.isLong = true;
      return 'more';
    }
    // Another server may have taken its place meanwhile: it gives no rows, and that looks like the end.
    if (this.isLong) await this.look();
    this.finishReading(read === 'end');
    return 'end';
  }

  private requireGoing(): void {
    if (this.isHalted) throw new ConnectionError('cancelled', t('The window is being closed.'));
  }

  private take(open: OpenSource, step: SourceRows): void {
    this.requireGoing();
    const { capture } = this;
    const isLost = step.lossBefore !== null;
    const lagMs = measureSettleLag(this.snapshot);
    const before = capture.lastEventUtcMs;
    const readToUtcMs = (this.readToUtcMs ?? open.earliestUtcMs) - lagMs;
    open.isFromBeginning ||= isLost;
    open.earliestUtcMs = Math.min(open.earliestUtcMs, findSessionStart(open.snapshot, open.source.files) ?? Infinity);
    const earliestUtcMs = open.isFromBeginning ? open.earliestUtcMs : -Infinity;
    const events = capture.append(step.rows, earliestUtcMs, isLost ? readToUtcMs : -Infinity, this.snapshot.nowUtcMs);
    this.rows += step.rows.length;
    this.hasEarlier ||= events.hasEarlier;
    if (this.begin === null && events.firstBehindUtcMs !== Infinity) this.firstEventUtcMs ??= events.firstBehindUtcMs;
    for (const gap of listLossGaps(step, events, { before, readToUtcMs, lagMs, nowUtcMs: this.nowUtcMs })) capture.addGap(gap);
    if (events.lastUtcMs !== -Infinity) this.settleTo(Math.min(events.lastUtcMs - 2 * lagMs, this.snapshot.nowUtcMs - lagMs));
  }

  /**
   * Everything before this time was read. An earlier event comes at most one lag later, and a gap of the next page may reach back by one lag more. If
   * the session lost events before it was taken up, nothing is decided until the beginning is known: then one gap covers all of it.
   */
  private settleTo(horizonUtcMs: number): void {
    this.readToUtcMs = Math.max(this.readToUtcMs ?? horizonUtcMs, horizonUtcMs);
    const { beginUtcMs } = this;
    if (beginUtcMs === null || horizonUtcMs <= beginUtcMs || (this.begin === null && findEarlierLoss(this.takenUp, beginUtcMs) !== null))
      return;
    this.capture.observe(beginUtcMs, horizonUtcMs);
    this.capture.settle(horizonUtcMs);
  }

  /** @param isRead whether there was anything that could be read */
  private finishReading(isRead: boolean): void {
    const { capture, stopped, lasting, snapshot } = this;
    this.isReading = this.isLong = false;
    this.rows = 0;
    if (!isRead && stopped === null && this.endUtcMs === null) {
      if (this.isRunning) throw new ConnectionError('queryFailed', t('The files of the event session were not found.'));
      return;
    }
    this.first.isFromBeginning = false;
    const begin = this.takeUp();
    if (stopped === null || lasting === null) {
      capture.observe(begin, snapshot.nowUtcMs);
      capture.settle(snapshot.nowUtcMs - measureSettleLag(snapshot));
    } else {
      const gap = isRead ? lasting : { ...lasting, beginUtcMs: Math.min(lasting.beginUtcMs, this.readToUtcMs ?? Infinity) };
      capture.observe(begin, Math.max(begin, gap.endUtcMs));
      capture.addGap(gap);
      capture.settle(stopped.nowUtcMs);
    }
    this.stopped = null;
    this.readToUtcMs = snapshot.nowUtcMs;
    this.permissionGap.end(this.isRunning);
    if (this.endUtcMs === null) return;
    if (isRead) capture.observe(begin, this.endUtcMs);
    this.settleAll();
  }

  /** Nothing more will be read: begins without an end wait no longer. */
  private settleAll(): void {
    this.isRunning = false;
    this.capture.settle(Infinity);
  }

  /** After the first reading of a session that was running before us. @returns since when it is followed */
  private takeUp(): number {
    if (this.begin !== null) return this.begin;
    const begin = (this.begin = this.findBegin());
    const loss = findEarlierLoss(this.takenUp, begin);
    if (loss !== null) this.capture.addGap(loss);
    return begin;
  }

  /** If the session was running before us: its start, or, if its first events may be gone, just after the first event that is left. */
  private findBegin(): number {
    const { source, earliestUtcMs } = this.first;
    const { nowUtcMs } = this.takenUp;
    if (source.isWhole || this.hasEarlier) return earliestUtcMs;
    const first = this.firstEventUtcMs ?? nowUtcMs;
    return Math.max(earliestUtcMs, Math.min(first + measureSettleLag(this.takenUp), nowUtcMs));
  }

  /** The same while it is being read, and never earlier than it will be in the end. null: no event was read yet. */
  private findBeginSoFar(): number | null {
    if (this.firstEventUtcMs === null) return null;
    const { earliestUtcMs } = this.first;
    return this.hasEarlier ? earliestUtcMs : Math.max(earliestUtcMs, this.firstEventUtcMs + measureSettleLag(this.takenUp));
  }

  private async notePermissionLost(): Promise<void> {
    const nowUtcMs = (await readServerClock(this.query, this.plan.snapshot.serverName).catch(() => null))?.nowUtcMs ?? null;
    if (nowUtcMs !== null) this.permissionGap.reach(this.readToUtcMs ?? this.snapshot.nowUtcMs, nowUtcMs, this.beginUtcMs);
  }
}

function isAtBeginning({ position }: EventSource): boolean {
  return position.file === null && position.ring === null;
}
