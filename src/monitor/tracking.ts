import type { Capture } from '../core/capture/capture';
import type { EventSessionState } from '../core/capture/event-session';
import { findEventSpan, type KeptFollowing, skipEarlier } from '../core/capture/following';
import type { Gap } from '../core/capture/gap';
import { compareSights, describeDatabasesChange, findEarlierLoss, findSessionStart, measureSettleLag } from '../core/capture/session-sight';
import { ConnectionError } from '../hosts/host';
import { openEventSource } from './event-sources';
import type { EventSource, SourceRows } from './event-source';
import type { ServerQuery } from './server-query';
import { readServerClock, readSessionState } from './session-control';

/** Another server answers in place of the one that is followed: nothing of it was read. */
export class AnotherServer extends Error {
  constructor(
    readonly serverName: string,
    /** By its clock. */
    readonly nowUtcMs: number,
  ) {
    super(`Another server, ${serverName}, answers now.`);
  }
}

export interface TrackingPlan {
  readonly sessionName: string;
  readonly isOwn: boolean;
  readonly hasTimestampUtc: boolean;
  /** The look with which following begins; of a capture that goes on, the last one before. */
  readonly sight: EventSessionState;
  /** null: the session was running before us, and how far back its target reaches is found by reading it. */
  readonly beginUtcMs: number | null;
  /** Of a capture that goes on. */
  readonly kept: KeptFollowing | null;
}

/**
 * Follows one event session into one capture, through its runs: incrementally, from what was read last, with a gap for all that may have been lost. It knows
 * nothing of timers; whoever owns it says when.
 */
export class Tracking {
  isRunning = true;
  /** What the session says of itself where it does not run as it should; null while it does. */
  trouble: string | null = null;
  private source: EventSource;
  /** The last look at which the session ran, and after which everything was read. */
  private sight: EventSessionState;
  private begin: number | null;
  /** The start of the run with which the source was opened: events from before are another run's. */
  private earliestUtcMs: number;
  private firstEventUtcMs: number | null = null;
  /** The source is read from its beginning now, where files of earlier runs may come first. */
  private isFromBeginning = false;
  /** Events of an earlier run were there. The oldest file goes first, so that none of this run has gone. */
  private hasEarlier = false;
  private lostBefore: { readonly events: number; readonly buffers: number };
  private permissionGap: Gap | null = null;
  private isHalted = false;
  /** The look before a change of the databases that was sent, and not looked at since. */
  private changedBehind: EventSessionState | null = null;

  constructor(
    private readonly query: ServerQuery,
    readonly capture: Capture,
    private readonly plan: TrackingPlan,
  ) {
    this.sight = plan.sight;
    this.begin = plan.kept?.beginUtcMs ?? plan.beginUtcMs;
    this.earliestUtcMs = findSessionStart(plan.sight) ?? this.begin ?? plan.sight.nowUtcMs;
    this.lostBefore = { events: plan.kept?.lostEvents ?? 0, buffers: plan.kept?.lostBuffers ?? 0 };
    this.source = openEventSource(query, plan, plan.sight, plan.kept);
    if (plan.beginUtcMs !== null && plan.kept === null) capture.observe(plan.beginUtcMs, plan.sight.nowUtcMs);
  }

  get serverName(): string | null {
    return this.plan.sight.serverName;
  }

  /** Since when the session is followed; null before the first reading of a session that was running already. */
  get beginUtcMs(): number | null {
    return this.begin;
  }

  get sessionName(): string {
    return this.plan.sessionName;
  }

  get isOwn(): boolean {
    return this.plan.isOwn;
  }

  /** Whether what was recorded is gone when the session stops, and each look costs its whole text. */
  get isInMemory(): boolean {
    return !this.source.outlivesSession;
  }

  /** The predicate of the session, as it was seen last. */
  get predicate(): string | null {
    return this.sight.predicate;
  }

  /** Single events that the server lost while they were followed; null: not observable. */
  get lostEvents(): number | null {
    return this.sight.droppedEvents === null ? null : this.lostBefore.events + this.sight.droppedEvents;
  }

  /** Whole buffers of events that it lost. */
  get lostBuffers(): number | null {
    return this.sight.droppedBuffers === null ? null : this.lostBefore.buffers + this.sight.droppedBuffers;
  }

  /** What is needed to go on later. */
  keep(): KeptFollowing {
    const { sessionName, isOwn } = this.plan;
    const { position } = this.source;
    const { events, buffers } = this.lostBefore;
    const beginUtcMs = this.begin ?? this.sight.nowUtcMs;
    return { sessionName, isOwn, sight: this.sight, position, beginUtcMs, lostEvents: events, lostBuffers: buffers };
  }

  /**
   * Looks at the session, notes what may have been lost since the last look, and reads what is new. A session that does not run any more is read to its end;
   * where it runs again, it is followed again. @throws AnotherServer, ConnectionError; then nothing of what is in the files is lost
   */
  async readOn(): Promise<EventSessionState> {
    try {
      const sight = await this.look();
      const isRead = await this.follow(sight);
      if (!isRead && this.isRunning) throw new ConnectionError('queryFailed', 'The files of the event session were not found.');
      this.takeBackPermissionGap();
      return sight;
    } catch (error) {
      if (error instanceof ConnectionError && error.reason === 'permissionDenied') await this.notePermissionLost();
      throw error;
    }
  }

  /** After our own stop: reads what stopping wrote out and settles everything. A ring buffer is gone then, and was read before. @throws ConnectionError */
  async readToEnd(stoppedUtcMs: number): Promise<void> {
    if (this.source.outlivesSession) {
      await this.readSource(stoppedUtcMs);
      this.capture.observe(this.begin ?? stoppedUtcMs, stoppedUtcMs);
    }
    this.isRunning = false;
    this.settleAll();
  }

  /** A change of the databases is sent now: up to the next look events may be missing, whatever comes of it. */
  noteChange(before: EventSessionState): void {
    this.changedBehind = before;
  }

  get isChangeOpen(): boolean {
    return this.changedBehind !== null;
  }

  /** From now on nothing gets into the capture, not even what is being read at this moment: it is being kept as it is. */
  halt(): void {
    this.isHalted = true;
  }

  /** Nothing more will be read: what is open stays open no longer. */
  settleAll(): void {
    this.capture.settle(Infinity);
  }

  /** Another server answers now: what happens here from the last look on is not known. @param nowUtcMs by that other server's clock */
  noteFailover(otherServer: string, nowUtcMs: number): void {
    const beginUtcMs = this.sight.nowUtcMs;
    const endUtcMs = Math.max(beginUtcMs + 1, nowUtcMs);
    this.capture.observe(this.begin ?? beginUtcMs, endUtcMs);
    this.capture.addGap({ kind: 'failover', beginUtcMs, endUtcMs, reason: `Another server, ${otherServer}, answered in its place.` });
  }

  private async look(): Promise<EventSessionState> {
    const sight = await readSessionState(this.query, this.plan.sessionName);
    this.requireGoing();
    if (sight.serverName !== this.serverName) throw new AnotherServer(sight.serverName ?? 'of unknown name', sight.nowUtcMs);
    return sight;
  }

  /** @returns whether there was anything to be read */
  private async follow(sight: EventSessionState): Promise<boolean> {
    const change = compareSights(this.sight, sight);
    for (const gap of change.gaps) this.capture.addGap(gap);
    if (this.changedBehind !== null) this.capture.addGap(describeDatabasesChange(this.changedBehind, sight));
    this.changedBehind = null;
    if (change.lasting !== null) return this.readStopped(sight, change.lasting);
    const isNewRun = this.sight.startedLocalMs !== sight.startedLocalMs;
    if (change.readsFrom === 'beginning') {
      if (this.source.outlivesSession) await this.readSource(sight.nowUtcMs);
      this.source = openEventSource(this.query, this.plan, sight, null);
      this.earliestUtcMs = findSessionStart(sight) ?? sight.nowUtcMs;
    }
    this.source.notice(sight);
    const isRead = await this.readSource(sight.nowUtcMs);
    if (!isRead) return false;
    if (isNewRun) {
      const { droppedEvents, droppedBuffers } = this.sight;
      this.lostBefore = { events: this.lostBefore.events + (droppedEvents ?? 0), buffers: this.lostBefore.buffers + (droppedBuffers ?? 0) };
    }
    this.isRunning = true;
    this.trouble = null;
    this.sight = sight;
    if (this.begin === null) this.takeUp(sight);
    this.capture.observe(this.begin ?? sight.nowUtcMs, sight.nowUtcMs);
    this.capture.settle(sight.nowUtcMs - measureSettleLag(sight));
    return true;
  }

  private async readStopped(sight: EventSessionState, lasting: Gap): Promise<boolean> {
    const isFirst = this.isRunning;
    this.isRunning = false;
    this.trouble = lasting.reason;
    if (!isFirst) return true;
    if (this.source.outlivesSession) await this.readSource(sight.nowUtcMs);
    const beginUtcMs = this.begin ?? lasting.beginUtcMs;
    this.capture.observe(beginUtcMs, Math.max(beginUtcMs, lasting.endUtcMs));
    this.capture.addGap(lasting);
    this.capture.settle(sight.nowUtcMs);
    return true;
  }

  private async readSource(nowUtcMs: number): Promise<boolean> {
    const { file, ring } = this.source.position;
    this.isFromBeginning = file === null && ring === null;
    const isRead = await this.source.read(
      (step) => this.take(step, nowUtcMs),
      () => this.confirmServer(),
    );
    this.requireGoing();
    return isRead;
  }

  private requireGoing(): void {
    if (this.isHalted) throw new ConnectionError('cancelled', 'The window is being closed.');
  }

  private async confirmServer(): Promise<void> {
    await this.look();
  }

  private take({ rows, lossBefore, lossWithin, lossBehind }: SourceRows, nowUtcMs: number): void {
    this.requireGoing();
    const lagMs = measureSettleLag(this.sight);
    const readToUtcMs = this.sight.nowUtcMs - lagMs;
    if (lossBefore !== null) {
      this.isFromBeginning = true;
      // What is missing was written behind what was read at the last look and before the first event that is left, give or take the order of the buffers.
      const first = findEventSpan(rows, readToUtcMs)?.firstUtcMs;
      const endUtcMs = first === undefined ? nowUtcMs : Math.min(first + lagMs, nowUtcMs);
      this.capture.addGap({ ...lossBefore, beginUtcMs: Math.min(readToUtcMs, endUtcMs), endUtcMs });
    }
    if (lossWithin) {
      // Somewhere between the last event before these rows and the last of them.
      const span = findEventSpan(rows, -Infinity);
      const before = this.capture.lastEventUtcMs ?? readToUtcMs;
      const beginUtcMs = Math.min(before, span?.firstUtcMs ?? before) - lagMs;
      this.capture.addGap({ ...lossWithin, beginUtcMs, endUtcMs: Math.min((span?.lastUtcMs ?? nowUtcMs) + lagMs, nowUtcMs) });
    }
    const own = this.isFromBeginning ? skipEarlier(rows, this.earliestUtcMs) : rows;
    this.hasEarlier ||= own.length < rows.length;
    if (this.begin === null) this.firstEventUtcMs ??= findEventSpan(own, -Infinity)?.firstUtcMs ?? null;
    this.capture.append(own);
    if (lossBehind !== null) {
      const last = findEventSpan(rows, -Infinity)?.lastUtcMs ?? readToUtcMs;
      this.capture.addGap({ ...lossBehind, beginUtcMs: Math.min(last - lagMs, nowUtcMs), endUtcMs: nowUtcMs });
    }
  }

  /** After the first reading of a session that was running before us. */
  private takeUp(sight: EventSessionState): void {
    this.begin = this.findBegin(sight);
    const loss = findEarlierLoss(sight, this.begin);
    if (loss !== null) this.capture.addGap(loss);
  }

  /** Of a session that was running before us: its start, or, where its first events may be gone, behind the first event that is left. */
  private findBegin(sight: EventSessionState): number {
    if (this.source.isWhole || this.hasEarlier) return this.earliestUtcMs;
    const first = this.firstEventUtcMs ?? sight.nowUtcMs;
    return Math.max(this.earliestUtcMs, Math.min(first + measureSettleLag(sight), sight.nowUtcMs));
  }

  private async notePermissionLost(): Promise<void> {
    const beginUtcMs = this.permissionGap?.beginUtcMs ?? this.sight.nowUtcMs;
    const nowUtcMs = (await readServerClock(this.query, this.serverName).catch(() => null))?.nowUtcMs ?? null;
    if (nowUtcMs === null || nowUtcMs <= beginUtcMs) return;
    const reason = 'The login was not allowed to read the events any more.';
    this.permissionGap = { kind: 'permission lost', beginUtcMs, endUtcMs: nowUtcMs, reason };
    this.capture.observe(this.begin ?? beginUtcMs, nowUtcMs);
    this.capture.addGap(this.permissionGap);
  }

  /** The events waited where they were: what was missing is read now, or a gap of its own says why not. */
  private takeBackPermissionGap(): void {
    if (this.permissionGap === null) return;
    if (this.isRunning) this.capture.removeGap('permission lost', this.permissionGap.beginUtcMs);
    this.permissionGap = null;
  }
}
