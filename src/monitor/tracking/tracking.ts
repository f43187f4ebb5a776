import type { Facts } from '../../core/advice/facts';
import type { JudgedOn } from '../facts/server-judgement';
import { type Capture, createCapture } from '../../core/capture/capture';
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { SessionSnapshot } from '../../core/session/event-session';
import type { KeptFollowing } from '../../core/capture/following';
import { isFollowable } from '../../core/session/session-snapshots';
import type { TrackingStatus } from '../../core/capture/tracking-status';
import { SESSION_NAME, TARGET_MISS } from '../../core/script/session';
import { finishSteps, type Steps } from '../../core/steps';
import { ConnectionError } from '../../hosts/host';
import { AlreadySo, AnotherServer, describeError } from '../queries/failure';
import { isAnswer } from '../queries/observed-read';
import { FollowedSession, type FollowingWorld } from './followed-session';
import { listRecorded } from '../facts/captured-databases';
import { describeLeftSession } from './event-files';
import { OwnSession } from './own-session';
import { nameDatabases, RecoveredCapture } from './recovered-capture';
import type { ServerQuery } from '../queries/server-query';
import { lookAtSession, lookIfVisible } from './session-looks';
import { type SessionElsewhere, StartedElsewhere } from './session-owner';
import type { MonitorSurroundings } from '../queries/surroundings';
import { findTrackingObstacle } from '../facts/tracking-permission';
import { describeFollowing, measureCost, onFollowing } from './following';
import { countLost, findBegin } from './reading';
import * as say from './tracking-sentences';
import { t } from '../../core/language';

interface TrackingListener extends Omit<FollowingWorld, 'query' | 'surroundings' | 'report' | 'left'> {
  /** Another server answers now, behind a listener or an address that leads elsewhere: its facts must be read. */
  readonly serverChanged: () => void;
}

/**
 * Starts, follows and stops one event session of a server, and owns its capture. Its callers make sure that no two
 * methods run at once.
 */
export class Tracking {
  private told = { state: 'not tracking' as TrackingStatus['state'], message: null as string | null };
  /** The session that is followed, or was followed last. */
  followed: FollowedSession | null = null;
  readonly recovered: RecoveredCapture;
  readonly own: OwnSession;
  private readonly world: FollowingWorld;

  constructor(
    private readonly query: ServerQuery,
    private readonly surroundings: MonitorSurroundings,
    private readonly listener: TrackingListener,
  ) {
    const report = (state: TrackingStatus['state'], message: string | null): void =>
      this.change(state, message);
    const left = async ({ serverName, nowUtcMs }: AnotherServer): Promise<void> => {
      await this.leaveServer(serverName, nowUtcMs);
      listener.serverChanged();
    };
    this.world = { ...listener, query, surroundings, report, left };
    this.own = new OwnSession(query, surroundings);
    this.recovered = new RecoveredCapture(surroundings, (problem) =>
      surroundings.log.warn(`${this.label}: ${problem}`),
    );
  }

  get state(): TrackingStatus['state'] {
    return this.told.state;
  }

  /** The capture of the running session, else of the last one, else the one that was kept before. */
  get capture(): CaptureRecord | null {
    return this.followed?.capture ?? this.recovered.found.record;
  }

  /** The databases that the capture's session records, or recorded; null: all, or not known. */
  get databaseIds(): readonly number[] | null {
    return this.followed !== null ? this.followed.now.databaseIds : this.recovered.databaseIds;
  }

  /**
   * `tracked`: the databases of which the capture says something, also that they had no checkpoint; `recorded`: those
   * that its session records. null: all.
   */
  listMeasured(facts: Facts): Pick<JudgedOn, 'tracked' | 'recorded' | 'isRecording'> {
    const { followed, recovered, databaseIds } = this;
    const tracked =
      followed === null ? recovered.listMeasured(facts) : listRecorded(followed.capture, databaseIds);
    const recorded = followed === null ? databaseIds && new Set(databaseIds) : tracked;
    return { tracked, recorded, isRecording: this.state === 'tracking' };
  }

  get sinceUtcMs(): number | null {
    return this.state === 'tracking' && this.followed !== null
      ? findBegin(this.followed.reader.reading)
      : null;
  }

  /** Whether no stored events wait to be read. */
  get isReadWhole(): boolean {
    return this.followed === null || describeFollowing(this.followed.now).reading === null;
  }

  /** The state of tracking, and what it has read. @param isInTouch whether the server answers now */
  describe(isInTouch: boolean): TrackingStatus {
    const [{ capture, followed }, { state, message }] = [this, this.told];
    const {
      rowsRead = 0,
      checkpoints = 0,
      unpaired = 0,
      duplicates = 0,
      malformed = 0,
      other = 0,
    } = capture?.ledger() ?? {};
    const { isRecord } = this.surroundings;
    const following = followed === null ? null : describeFollowing(followed.now);
    const { kept, isUnverified } = this.recovered.found;
    const lost = followed !== null ? countLost(followed.reader.reading) : isRecord ? kept?.following : null;
    return {
      state,
      // Its session ran when another window read its server last, and this window has not read the server yet.
      isLastSeen: state === 'tracking' ? !isInTouch : !isRecord && isUnverified && kept?.following != null,
      unverified: followed === null && !isRecord ? this.recovered.unverified : null,
      observation: capture?.observation ?? null,
      rowsRead,
      checkpoints,
      unpaired,
      duplicates,
      malformed,
      otherEvents: other,
      lostEvents: lost?.lostEvents ?? null,
      lostBuffers: lost?.lostBuffers ?? null,
      trouble: following?.trouble ?? null,
      reading: following?.reading ?? null,
      ...(isRecord ? { record: { utcOffsetMinutes: this.recovered.utcOffsetMinutes } } : {}),
      message: this.recovered.tellWith(message),
    };
  }

  /** See LimitLook. null: none is recorded now, or what is stored was not all read. */
  get targetMisses(): number | null {
    const { state, trouble, reading } = this.describe(true);
    const isWhole = state === 'tracking' && trouble === null && reading === null;
    return isWhole ? (this.capture?.ledger().otherByName.get(TARGET_MISS) ?? 0) : null;
  }

  /** See ServerSnapshot. */
  get cost(): ReturnType<typeof measureCost> {
    return this.followed !== null
      ? measureCost(this.followed.now)
      : { sessionBytes: null, readEveryMs: null, isSpacedOut: false };
  }

  /** The session of someone else that is followed; null: ours, or none. */
  get adoptedSession(): string | null {
    const plan = this.followed?.now.isOn === true ? this.followed.reader.reading.plan : null;
    return plan?.isOwn === false ? plan.sessionName : null;
  }

  /** @param agreed see ServerMonitor @throws StartedElsewhere, AlreadySo, Error with one sentence, ConnectionError */
  async start(
    facts: Facts,
    databaseIds: readonly number[] | null,
    agreed: SessionElsewhere | null,
  ): Promise<void> {
    const obstacle = findTrackingObstacle(facts.server);
    if (obstacle !== null && this.state !== 'tracking') throw new Error(obstacle.sentence);
    await this.beginWith(async () => {
      const before = await lookAtSession(this.query, facts.server.serverName);
      const owner = this.own.findOwner(before);
      if (before.isRunning && !isFollowable(before))
        throw new Error(say.describeUnreadableSession(this.label, before, owner !== 'a stranger'));
      if (before.isRunning) return () => this.goOnOrTakeUp(before, facts, say.TAKEN_UP);
      this.own.checkPlace(facts, before, agreed);
      return async () => {
        const { session, space } = await this.own.start(facts, databaseIds, agreed);
        const capture = createCapture({ id: this.surroundings.newCaptureId() });
        this.follow(capture, session, facts, { beginUtcMs: session.nowUtcMs }, space);
      };
    });
  }

  /** Follows a session of someone else: it is read, never changed. @throws Error with one sentence, ConnectionError */
  async adopt(facts: Facts, name: string): Promise<void> {
    await this.beginWith(async () => {
      const session = await lookAtSession(this.query, facts.server.serverName, name);
      if (!isFollowable(session)) throw new Error(say.describeUnadoptable(name, session));
      return () => this.goOnOrTakeUp(session, facts, say.describeAdopted(name), name);
    });
  }

  /**
   * Stops it. What it recorded until then is read in turns, and then kept. If the stop fails, tracking goes on.
   * @throws StartedElsewhere, AlreadySo, Error with one sentence, ConnectionError
   */
  async stop(facts: Facts | null, agreed: SessionElsewhere | null): Promise<void> {
    const followed = this.requireFollowed();
    this.change('stopping', null);
    await followed.tell(onFollowing.hold);
    try {
      await this.own.stop(followed.reader, facts, agreed);
    } catch (error) {
      this.change(
        'tracking',
        error instanceof StartedElsewhere
          ? null
          : t('Tracking could not be stopped: {0}', describeError(error)),
      );
      await followed.tell(onFollowing.goOn);
      throw error;
    }
    await followed.tell(onFollowing.stopped);
  }

  /** The session was stopped, and what it recorded is still being read. */
  get isFinishing(): boolean {
    return this.followed?.now.isOn === true && this.followed.now.ending !== null;
  }

  /**
   * Stops if need be and drops our session.
   * @returns the event files that stay on the server.
   * @throws StartedElsewhere, Error with one sentence, ConnectionError
   */
  async remove(facts: Facts, agreed: SessionElsewhere | null): Promise<readonly string[]> {
    const followed = this.followed?.reader.reading.plan.isOwn === true ? this.followed : null;
    const stop = followed !== null && this.state === 'tracking' ? () => this.stop(facts, agreed) : null;
    const left = await this.own.remove(followed, stop, facts, agreed);
    if (this.isFinishing) await this.followed?.tell(onFollowing.removed);
    else if (this.adoptedSession === null) this.change('not tracking', null);
    return left;
  }

  /**
   * Changes the databases of our running session, with a gap for the moment of the change.
   * @param databaseIds null: all
   * @throws StartedElsewhere, Error with one sentence, ConnectionError
   */
  async changeDatabases(
    facts: Facts,
    databaseIds: readonly number[] | null,
    agreed: SessionElsewhere | null,
  ): Promise<void> {
    const followed = this.requireFollowed();
    if (!followed.reader.reading.plan.isOwn)
      throw new Error(say.describeOnlyRead(followed.reader.reading.plan.sessionName));
    await followed.changeDatabases((before) => this.own.prepareChange(facts, databaseIds, before, agreed));
  }

  /**
   * Called when a server is seen for the first time. Goes on following the session of the capture kept last, or takes
   * up ours, if it is running; else shows the capture kept last. Only reads. What this login may not see is left alone.
   * @returns false: the server did not say what runs, so it is to be asked again
   */
  async takeUp(facts: Facts): Promise<boolean> {
    await this.leaveOther(facts);
    if (this.followed !== null) return true;
    const before = this.capture;
    await this.recovered.recoverOf(facts);
    try {
      await this.takeUpSeen(facts, before);
      return true;
    } catch (error) {
      if (!(error instanceof ConnectionError && isAnswer(error))) throw error;
      this.change('failed', say.describeUntold(this.label, describeError(error)));
      if (this.capture !== null) this.listener.read(true);
      return false;
    }
  }

  private async takeUpSeen(facts: Facts, before: CaptureRecord | null): Promise<void> {
    // A file has no session to look at.
    if (this.surroundings.isRecord) {
      this.recovered.note({ isUnverified: false });
      return this.showRecovered(null, null);
    }
    const { serverName } = facts.server;
    const adopted =
      this.recovered.found.kept?.following?.isOwn === false
        ? this.recovered.found.kept.following.sessionName
        : null;
    const snapshot = adopted === null ? null : await lookIfVisible(this.query, serverName, adopted);
    if (adopted !== null && snapshot !== null && this.recovered.canGoOn(snapshot))
      return this.goOnOrTakeUp(snapshot, facts, say.describeAdopted(adopted), adopted);
    const session = await lookIfVisible(this.query, serverName, SESSION_NAME);
    if (session !== null && isFollowable(session)) return this.goOnOrTakeUp(session, facts, say.TAKEN_UP);
    this.recovered.note({ isUnverified: false });
    if (this.state === 'failed') this.change('not tracking', null);
    this.showRecovered(
      before,
      say.RECOVERED_MESSAGE,
      session === null ? null : describeLeftSession(session, this.own.findOwner(session)),
    );
  }

  /** Ends following if these facts are of another server than the one that is followed. */
  async leaveOther({ server }: Facts): Promise<void> {
    if (this.followed !== null && this.followed.reader.reading.plan.snapshot.serverName !== server.serverName)
      await this.leaveServer(server.serverName, server.nowUtcMs);
  }

  /**
   * Shows the capture kept last before the server has answered. It is not known yet whether it is of this server, and
   * whether the server is being tracked now.
   */
  async showKept(): Promise<void> {
    if (this.capture !== null) return;
    await this.recovered.recoverAhead();
    this.showRecovered(null, null);
  }

  /**
   * Tells the capture which database each database_id belongs to, by the server's catalog as it is now. The names are
   * complete only after the last step.
   */
  *nameDatabases(facts: Facts): Steps<void> {
    for (const capture of this.followed?.captures ?? []) yield* nameDatabases(capture, facts);
  }

  /** @returns whether there is a capture; it was kept with all that belongs to it */
  async keepNow(): Promise<boolean> {
    if (this.followed !== null) await this.followed.keep();
    else await this.recovered.keepAgain(await this.listener.keepAlong());
    return this.capture !== null;
  }

  private get label(): string {
    return this.surroundings.access.label;
  }

  private requireFollowed(): FollowedSession {
    if (this.followed === null || this.state !== 'tracking')
      throw new AlreadySo(t('Checkpoints of {0} are not being tracked.', this.label));
    return this.followed;
  }

  /**
   * @param prepare changes nothing, and gives the function that begins to follow. If the user has to be asked first,
   * everything stays as before.
   */
  private async beginWith(prepare: () => Promise<() => Promise<void>>): Promise<void> {
    if (this.state === 'tracking')
      throw new AlreadySo(
        t('Checkpoints of {0} are already being tracked. Stop tracking first.', this.label),
      );
    const { state, message } = this.told;
    this.recovered.note({ setAside: null });
    this.change('starting', null);
    try {
      const begin = await prepare();
      await this.endFollowing();
      await begin();
    } catch (error) {
      if (error instanceof StartedElsewhere || error instanceof AnotherServer) this.change(state, message);
      else await this.endFollowing().then(() => this.change('failed', describeError(error)));
      throw error;
    }
  }

  private async endFollowing(): Promise<void> {
    if (this.followed?.now.isOn === true) await this.followed.tell(onFollowing.end);
  }

  /**
   * Goes on with the capture kept last if it is of this session; else a new one begins with what the target still
   * holds.
   */
  private async goOnOrTakeUp(
    snapshot: SessionSnapshot,
    facts: Facts,
    message: string,
    name = SESSION_NAME,
  ): Promise<void> {
    const { kept } = this.recovered.found;
    const state =
      kept?.following?.sessionName === name && this.recovered.canGoOn(snapshot) ? kept.state : null;
    const capture = state === null ? null : await this.recovered.restore(state, facts);
    if (kept?.following == null || capture === null)
      this.follow(
        createCapture({ id: this.surroundings.newCaptureId() }),
        snapshot,
        facts,
        { name },
        message,
      );
    else this.follow(capture, kept.following.snapshot, facts, { kept: kept.following }, null);
  }

  private follow(
    capture: Capture,
    snapshot: SessionSnapshot,
    facts: Facts,
    from: { readonly name?: string; readonly beginUtcMs?: number; readonly kept?: KeptFollowing },
    message: string | null,
  ): void {
    // In one go: a new capture has no rows yet, and one that goes on was told in steps.
    const preview = createCapture({ id: capture.id });
    for (const each of [capture, preview]) finishSteps(nameDatabases(each, facts));
    const hasTimestampUtc = facts.state.kind === 'observed' && facts.state.value.hasTimestampUtc;
    const name = from.kept?.sessionName ?? from.name ?? SESSION_NAME;
    const beginUtcMs = from.beginUtcMs ?? null;
    const owner = name === SESSION_NAME ? this.own.findOwner(snapshot) : 'a stranger';
    const plan = {
      sessionName: name,
      isOwn: owner !== 'a stranger',
      hasTimestampUtc,
      snapshot,
      beginUtcMs,
      kept: from.kept ?? null,
    };
    this.recovered.note({ isUnverified: false });
    this.followed = new FollowedSession(this.world, capture, plan, preview);
    this.change('tracking', say.describeFollowed(name, owner, message, snapshot));
    this.listener.read(false);
    void this.followed.tell(onFollowing.resume);
  }

  /** The capture of one server is never mixed with another's: it is kept, and leaves the screen. */
  private async leaveServer(other: string, nowUtcMs: number): Promise<void> {
    const { followed } = this;
    this.followed = null;
    await followed?.leaveFor(other, nowUtcMs);
    this.recovered.forget();
    this.change('stopped', say.describeOtherServer(this.label, other));
    this.listener.read(true);
  }

  private showRecovered(
    before: CaptureRecord | null,
    message: string | null,
    left: string | null = null,
  ): void {
    const isThere = this.recovered.found.record !== null;
    if (isThere) this.change('stopped', left === null ? message : `${message} ${left}`);
    else if (before !== null || left !== null || this.recovered.found.setAside !== null)
      this.change('not tracking', left);
    if (isThere || before !== null) this.listener.read(true);
  }

  private change(state: TrackingStatus['state'], message: string | null): void {
    this.told = { state, message };
    this.listener.changed();
  }
}
