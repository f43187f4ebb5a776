import type { Facts } from '../core/advice/facts';
import type { Catalog } from '../core/capture/catalog';
import { type Capture, createCapture } from '../core/capture/capture';
import type { CaptureRecord, KeptBeside, KeptSection } from '../core/capture/capture-record';
import { type EventSessionState, readPredicateIds } from '../core/capture/event-session';
import { isFollowable } from '../core/capture/session-sight';
import type { TrackingStatus } from '../core/capture/tracking-status';
import { sessionName } from '../core/script/session';
import { ConnectionError } from '../hosts/host';
import { CaptureKeeping } from './capture-keeping';
import { describeError, mayRetry } from './failure';
import { listKnown } from './judgement';
import { OwnSession } from './own-session';
import { PollTimer } from './poll-timer';
import { RecoveredCapture } from './recovered-capture';
import type { ServerQuery } from './server-query';
import { readSessionState, type SessionTexts } from './session-control';
import type { MonitorSurroundings } from './surroundings';
import { AnotherServer, Tracking } from './tracking';
import { findMissingPermission, findPlatformObstacle } from './tracking-permission';
import * as say from './tracking-sentences';

/** A session that does not run is looked at less often: so many times the interval between two reads. */
const waitingFactor = 15;
/** A ring buffer is read whole each time. */
const memoryFactor = 5;
export interface TrackingListener {
  /** State or message changed. */
  readonly changed: () => void;
  /** Rows were read, or the capture ended; `capture` may be a new one. */
  readonly read: (isFinal: boolean) => void;
  /** Runs the work when nothing else is being done on this server. */
  readonly enqueue: (work: () => Promise<void>) => void;
  /** What else is kept with the capture. */
  readonly keepAlong: () => readonly KeptSection[];
  /** Another server answers now, behind a listener or an address that leads elsewhere: its facts are to be read. */
  readonly serverChanged: () => void;
}

/** Starts, follows and stops the one event session of a server, and owns its capture. Its callers see to it that no two methods run at once. */
export class TrackingControl {
  state: TrackingStatus['state'] = 'not tracking';
  message: string | null = null;
  private following: Capture | null = null;
  private readonly recovered: RecoveredCapture;
  /** The server that `following` is read from. */
  private serverName: string | null = null;
  /** null: all databases. */
  databaseIds: readonly number[] | null = null;
  private tracking: Tracking | null = null;
  private readonly timer: PollTimer;
  /** From the begin of following to its end: while the session runs, and while it is waited for to run again. */
  private isFollowing = false;
  private readonly keeping: CaptureKeeping;
  private readonly own: OwnSession;
  private isDisposed = false;

  constructor(
    private readonly query: ServerQuery,
    private readonly surroundings: MonitorSurroundings,
    private readonly listener: TrackingListener,
  ) {
    this.timer = new PollTimer(surroundings, () => listener.enqueue(() => this.poll()));
    this.own = new OwnSession(query, surroundings);
    this.keeping = new CaptureKeeping(surroundings);
    this.recovered = new RecoveredCapture(surroundings.captures, (problem) => surroundings.log.warn(`${this.label}: ${problem}`));
  }

  /** The capture of the running session, else of the last one, else the one kept before. */
  get capture(): CaptureRecord | null {
    return this.following ?? this.recovered.record;
  }

  /**
   * The databases of which the capture says something, a lack of checkpoints too; null: all. Which databases were tracked is not kept with a capture, so that of
   * a recovered one nothing is known about those without a checkpoint.
   */
  listMeasured(facts: Facts): ReadonlySet<number> | null {
    if (this.following === null && this.recovered.record !== null) return listKnown(this.recovered.record, facts);
    return this.databaseIds === null ? null : new Set(this.databaseIds);
  }

  get sinceUtcMs(): number | null {
    return this.state === 'tracking' ? (this.tracking?.beginUtcMs ?? null) : null;
  }

  get lostEvents(): number | null {
    return this.tracking?.lostEvents ?? null;
  }

  get lostBuffers(): number | null {
    return this.tracking?.lostBuffers ?? null;
  }

  /** @throws Error with one sentence, ConnectionError */
  async start(facts: Facts, databaseIds: readonly number[] | null): Promise<void> {
    if (this.state === 'tracking') throw new Error(`Checkpoints of ${this.label} are being tracked already. Stop tracking first.`);
    const missing = findPlatformObstacle(facts.server) ?? findMissingPermission(facts.server);
    if (missing !== null) throw new Error(missing);
    this.timer.cancel();
    this.isFollowing = false;
    this.change('starting', null);
    try {
      await this.begin(facts, databaseIds);
    } catch (error) {
      this.change('failed', describeError(error));
      throw error;
    }
  }

  /** Reads to the end, stops, reads what stopping wrote out. Where the stop fails, tracking goes on. @throws Error with one sentence, ConnectionError */
  async stop(facts: Facts | null): Promise<void> {
    const tracking = this.tracking;
    if (tracking === null || this.state !== 'tracking') throw new Error(`Checkpoints of ${this.label} are not being tracked.`);
    this.change('stopping', null);
    this.timer.cancel();
    try {
      await this.end(tracking, facts);
    } catch (error) {
      this.change('tracking', `Tracking could not be stopped: ${describeError(error)}`);
      this.schedulePoll();
      throw error;
    }
  }

  /** Stops if need be and drops the session. @returns the event files that stay on the server. @throws Error with one sentence, ConnectionError */
  async remove(facts: Facts | null): Promise<readonly string[]> {
    if (this.state === 'tracking') await this.stop(facts);
    const session = await readSessionState(this.query);
    if (!session.isDefined) throw new Error(`There is no event session of Checkpoint Health on ${this.label}.`);
    await this.own.drop(facts);
    const read = this.tracking?.fileNames ?? [];
    const files = read.length > 0 || session.configuredFile === null ? read : [session.configuredFile];
    this.timer.cancel();
    this.isFollowing = false;
    this.tracking = null;
    this.change('not tracking', null);
    return files;
  }

  /** The texts of our session as they would run now. */
  writeTexts(facts: Facts | null, databaseIds: readonly number[] | null): SessionTexts {
    return this.own.writeTexts(facts, databaseIds);
  }

  /**
   * On the sight of a server, the first or another one than before: goes on following our session where it is running; else shows the capture kept last. Reads
   * only. What this login may not see is left alone.
   */
  async takeUp(facts: Facts): Promise<void> {
    if (this.following !== null && this.serverName === facts.server.serverName) return;
    if (this.following !== null) await this.leaveServer(facts.server.serverName, facts.server.nowUtcMs);
    const session = await readSessionState(this.query).catch((error: unknown) => {
      if (error instanceof ConnectionError && (error.reason === 'permissionDenied' || error.reason === 'queryFailed')) return null;
      throw error;
    });
    if (session !== null && isFollowable(session)) this.follow(session, facts, null, say.takenUp);
    else if (this.recovered.isOf(facts)) this.change('stopped', say.recoveredMessage);
    else await this.recover(facts, say.recoveredMessage);
  }

  /** Shows the capture kept last where the server cannot be reached: whether it is being tracked now is not known then. */
  async showKept(): Promise<void> {
    if (this.capture === null) await this.recover(null, say.unreachedMessage);
  }

  private async recover(facts: Facts | null, message: string): Promise<void> {
    const before = this.capture;
    const isThere = await this.recovered.recover(facts);
    if (isThere) this.change('stopped', message);
    else if (before !== null) this.change('not tracking', null);
    if (isThere || before !== null) this.listener.read(true);
  }

  /** Names, and whose each database_id is, as the server's catalog says. */
  nameDatabases(catalog: Catalog): void {
    this.following?.nameDatabases(catalog);
  }

  /** After a failure that stopped the reading for good, and has been mended. */
  resume(): void {
    if (this.isFollowing && !this.timer.isSet) this.timer.set(0);
  }

  /** What was read is kept, so that another window can go on from there. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    this.timer.end();
    if (this.isFollowing && this.following !== null) await this.keeping.keepInTime(this.following, this.describeKept());
  }

  private get label(): string {
    return this.surroundings.access.label;
  }

  private async begin(facts: Facts, databaseIds: readonly number[] | null): Promise<void> {
    const before = await readSessionState(this.query);
    if (before.isRunning && !isFollowable(before)) throw new Error(say.describeUnreadable(this.label));
    if (before.isRunning) return this.follow(before, facts, null, say.takenUp);
    await this.own.start(facts, databaseIds, before);
    const session = await readSessionState(this.query);
    this.follow(session, facts, session.nowUtcMs, null);
  }

  /** @param beginUtcMs null: the session was running before us */
  private follow(session: EventSessionState, facts: Facts, beginUtcMs: number | null, message: string | null): void {
    const hasTimestampUtc = facts.state.kind === 'observed' && facts.state.value.hasTimestampUtc;
    const plan = { sessionName, isOwn: true, hasTimestampUtc, sight: session, beginUtcMs, kept: null };
    this.following = createCapture({ id: this.surroundings.newCaptureId() });
    this.serverName = facts.server.serverName;
    this.tracking = new Tracking(this.query, this.following, plan);
    this.databaseIds = listTracked(session);
    this.isFollowing = true;
    this.keeping.begin(session.nowUtcMs);
    this.change('tracking', message);
    this.listener.read(false);
    this.timer.set(0);
  }

  private async end(tracking: Tracking, facts: Facts | null): Promise<void> {
    const seen = await tracking.readOn();
    if (tracking.isRunning) {
      const isStopped = await this.own.stop(facts);
      await tracking.readToEnd(isStopped ? (await readSessionState(this.query)).nowUtcMs : seen.nowUtcMs);
    } else tracking.settleAll();
    this.isFollowing = false;
    this.change('stopped', null);
    this.listener.read(true);
    await this.keep();
  }

  /** A capture that can not be kept is still on screen: the failure is reported, and nothing else stops. */
  private async keep(): Promise<void> {
    const failure = this.following === null ? null : await this.keeping.keep(this.following, this.describeKept());
    if (failure === null) return;
    this.message = failure;
    this.listener.changed();
  }

  private describeKept(): KeptBeside {
    const following = this.isFollowing ? (this.tracking?.keep() ?? null) : null;
    return { serverName: this.serverName, following, trackedDatabaseIds: this.databaseIds, sections: this.listener.keepAlong() };
  }

  /** One read while tracking. An error is shown, and the next read goes on from the same place: the events wait where they are. */
  private async poll(): Promise<void> {
    const tracking = this.tracking;
    if (tracking === null || this.isDisposed || !this.isFollowing) return;
    const wasRunning = tracking.isRunning;
    try {
      this.databaseIds = listTracked(await tracking.readOn());
      if (tracking.isRunning) this.change('tracking', null);
      else if (wasRunning) this.change('stopped', say.describeStopped(tracking.trouble ?? ''));
      if (tracking.isRunning || wasRunning) this.listener.read(!tracking.isRunning);
      if ((wasRunning && !tracking.isRunning) || this.keeping.isDue(tracking.capture)) await this.keep();
      this.schedulePoll(tracking.isRunning);
    } catch (error) {
      await this.handlePollFailure(error, tracking);
    }
  }

  private async handlePollFailure(error: unknown, tracking: Tracking): Promise<void> {
    if (this.isDisposed) return;
    if (error instanceof AnotherServer) {
      await this.leaveServer(error.serverName, null);
      this.listener.serverChanged();
      return;
    }
    if (tracking.isRunning) {
      this.change('tracking', `New events could not be read: ${describeError(error)} The session goes on at the server.`);
    }
    if (mayRetry(error)) this.schedulePoll(tracking.isRunning);
  }

  /** What was captured of one server is never mixed with another's: it is kept, and leaves the screen. */
  private async leaveServer(other: string, nowUtcMs: number | null): Promise<void> {
    this.timer.cancel();
    if (this.isFollowing && this.tracking?.isRunning === true) this.tracking.noteFailover(other, nowUtcMs ?? 0);
    if (this.isFollowing) await this.keep();
    this.following = this.tracking = this.serverName = null;
    this.isFollowing = false;
    this.change('stopped', say.describeOtherServer(this.label, other));
    this.listener.read(true);
  }

  private schedulePoll(isRunning = true): void {
    const factor = !isRunning ? waitingFactor : this.tracking?.isInMemory === true ? memoryFactor : 1;
    this.timer.set(this.surroundings.pollIntervalMs * factor);
  }

  private change(state: TrackingStatus['state'], message: string | null): void {
    this.state = state;
    this.message = message;
    this.listener.changed();
  }
}

/** Databases that both events of the session are recorded of; null: all; none where its predicates are not of our form. */
function listTracked({ predicate, endPredicate }: EventSessionState): readonly number[] | null {
  return predicate === endPredicate ? readPredicateIds(predicate) : [];
}
