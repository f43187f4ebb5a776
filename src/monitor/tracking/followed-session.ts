import type { Capture } from '../../core/capture/capture';
import { type KeptBeside, type KeptSection, keepRecord } from '../../core/capture/capture-record';
import type { SessionSnapshot } from '../../core/session/event-session';
import { findCurrentFile, findFirstFile } from '../../core/session/session-snapshots';
import type { TrackingStatus } from '../../core/capture/tracking-status';
import {
  beginFollowing,
  describeFollowing,
  type FollowingEffect,
  type FollowingChange,
  type Followed,
  type Following,
  onFollowing,
  planNext,
} from './following';
import { AnotherServer, describeError } from '../queries/failure';
import type { ServerQuery } from '../queries/server-query';
import { Alarm } from '../queries/slices';
import type { MonitorSurroundings } from '../queries/surroundings';
import { type FollowingPlan, keepReading, onReading } from './reading';
import { SessionReader } from './session-reader';

/** When the editor ends, keeping holds it up for this long at most. */
const PATIENCE_MS = 3_000;

export interface FollowingWorld {
  readonly query: ServerQuery;
  readonly surroundings: MonitorSurroundings;
  /** Runs the work when nothing else is being done on this server. */
  readonly enqueue: (work: () => Promise<void>) => void;
  readonly report: (state: TrackingStatus['state'], message: string | null) => void;
  /** The status has changed. */
  readonly changed: () => void;
  /** Rows were read, or the capture ended. It may be a new capture. */
  readonly read: (isFinal: boolean) => void;
  /** Gives what else is kept with the capture, as far as it is new. */
  readonly keepAlong: () => Promise<readonly KeptSection[]>;
  /** Takes the samples that are due, together with a read of the events. Never fails. */
  readonly sampleAlong: () => Promise<void>;
  /** A target recovery time, or the list of databases, is another one now. */
  readonly targetsChanged: () => void;
  /** Another server answers now. */
  readonly left: (other: AnotherServer) => Promise<void>;
}

/** Follows one session into one capture, from beginning to end: does what `following` says, and nothing else. */
export class FollowedSession {
  readonly reader: SessionReader;
  private following: Following;
  /** Reads the newest file. Its capture is shown until all files are read in order, and is then thrown away. */
  private recent: SessionReader | null;
  private readonly timer: Alarm;
  private lastKeep: Promise<void> = Promise.resolve();

  /** @param preview an empty capture of the same id, for the events of the newest file; used if there are older ones */
  constructor(
    private readonly world: FollowingWorld,
    private readonly whole: Capture,
    plan: FollowingPlan,
    preview: Capture,
  ) {
    this.reader = new SessionReader(world.query, whole, plan);
    this.recent = hasOlderFiles(plan)
      ? new SessionReader(world.query, preview, { ...plan, isNewestOnly: true })
      : null;
    this.following = beginFollowing(this.reader.reading);
    this.timer = new Alarm(world.surroundings.schedule);
  }

  get now(): Followed {
    const { following, whole, recent, reader, world } = this;
    const { pollIntervalMs, elapsedMs } = world.surroundings;
    const subject = { reading: reader.reading, whole, hasRecent: recent !== null };
    return {
      ...following,
      ...subject,
      pollIntervalMs,
      isLoginForEach: world.query.link.isLoginForEach,
      elapsedMs: elapsedMs(),
    };
  }

  /** The capture to show. */
  get capture(): Capture {
    return this.recent?.capture ?? this.whole;
  }

  get captures(): readonly Capture[] {
    return this.recent === null ? [this.whole] : [this.whole, this.recent.capture];
  }

  /** Something happens: the one place where that changes anything, and where its effects are run, in their order. */
  async tell<Rest extends readonly unknown[]>(
    event: (now: Followed, ...rest: Rest) => FollowingChange,
    ...rest: Rest
  ): Promise<void> {
    const { now } = this;
    const { change, effects } = planNext(now, event(now, ...rest));
    this.following = { ...this.following, ...change };
    if (this.following.next !== 'timer') this.timer.stop();
    for (const effect of effects) {
      const work =
        typeof effect === 'number'
          ? this.timer.set(effect, () => void this.tell(onFollowing.tick))
          : this.effects[effect]();
      // What takes no time takes no turn of the event loop either.
      if (work !== undefined) await work;
    }
  }

  private readonly effects: Readonly<Record<Exclude<FollowingEffect, number>, () => Promise<void> | void>> = {
    queue: () =>
      this.world.enqueue(async () => void (this.following.isOn && (await this.tell(onFollowing.turn)))),
    readWhole: () => this.read(null),
    readNewest: () => this.read(this.recent),
    report: () => this.report(null),
    changed: () => this.world.changed(),
    rows: () => this.world.read(false),
    allRows: () => this.world.read(true),
    settleAll: () => this.reader.tell(onReading.end),
    showWhole: () => this.showWhole(),
    keep: () => this.keep(),
    readFacts: () => this.world.targetsChanged(),
    goOn: () => this.tell(onFollowing.goOn),
  };

  /** @param note what is told in the place of the usual sentence */
  private report(note: string | null): void {
    const { state, message } = describeFollowing(this.now);
    this.world.report(state, note ?? message);
  }

  /**
   * Reads one page, of the newest file if its reader is given. An error is shown, and the next turn goes on from the
   * same place.
   */
  private async read(recent: SessionReader | null): Promise<void> {
    const { reader, world } = this;
    const { spentMs } = world.query.answering;
    try {
      if (recent !== null) return await this.tell(onFollowing.newest, await recent.takeTurn());
      const along = world.sampleAlong();
      // oxlint-disable-next-line typescript/no-misused-promises -- finally waits for it
      const turn = await reader.takeTurn().finally(() => along);
      await this.tell(onFollowing.page, turn, world.query.answering.spentMs - spentMs);
    } catch (error) {
      if (!this.following.isOn) return;
      if (error instanceof AnotherServer) return world.left(error);
      await this.tell(onFollowing.failure, describeError(error), world.query.answering.spentMs - spentMs);
    }
  }

  /** Everything was read in order, up to where the newest file was read: the whole capture takes its place. */
  private showWhole(): void {
    if (this.recent === null) return;
    this.whole.replace(this.recent.capture);
    this.recent = null;
    this.world.read(true);
  }

  /**
   * Looks at the session, has its databases changed, and looks again, so that the gap is no longer than the change. If
   * that fails, following goes on.
   * @param prepare gives the function that sends the change, or throws if nothing is to be sent
   * @throws Error with one sentence, ConnectionError, AnotherServer
   */
  async changeDatabases(prepare: (before: SessionSnapshot) => () => Promise<string | null>): Promise<void> {
    const { reader } = this;
    await this.tell(onFollowing.hold);
    try {
      const before = await reader.lookNow();
      const send = prepare(before);
      reader.tell(onReading.change, before);
      await this.lookAgain(await send());
    } catch (error) {
      // The look may fail too; the next one tells then. What counts is why the change failed.
      if (reader.reading.changedBehind !== null) await this.lookAgain(null).catch(() => undefined);
      this.report(null);
      throw error;
    } finally {
      await this.tell(onFollowing.goOn);
    }
  }

  private async lookAgain(note: string | null): Promise<void> {
    await this.reader.lookNow();
    await this.reader.takeTurn();
    await this.tell(onFollowing.changed);
    this.report(this.reader.reading.isRunning ? note : null);
    this.world.read(false);
  }

  /** The window ends, and another window may go on following. Takes a bounded time. */
  async leave(): Promise<void> {
    if (!this.following.isOn) return this.waitInTime(this.lastKeep);
    // From now on nothing gets into the capture.
    const beside = this.describeKept();
    void this.tell(onFollowing.close);
    this.reader.tell(onReading.close);
    const work = this.world.keepAlong().then((sections) => this.store({ ...beside, sections }));
    await this.waitInTime(work);
  }

  /**
   * Another server answers: the capture ends with a gap, and may go on when this server is back.
   * @param nowUtcMs by the other server's clock
   */
  async leaveFor(name: string, nowUtcMs: number): Promise<void> {
    await this.tell(onFollowing.hold);
    if (!this.following.isOn) return;
    if (this.reader.reading.isRunning) this.reader.tell(onReading.failover, name, nowUtcMs);
    await this.keep();
    await this.tell(onFollowing.close);
  }

  /** If the capture cannot be kept, it is still on screen: the failure is reported, and nothing else stops. */
  keep(): Promise<void> {
    return (this.lastKeep = this.keepWhole());
  }

  private async keepWhole(): Promise<void> {
    const sections = await this.world.keepAlong();
    // The window was closed meanwhile: it keeps the same capture itself, and notes that following goes on.
    if (this.reader.reading.isHalted) return;
    const failure = await this.store({ ...this.describeKept(), sections });
    if (failure !== null) this.report(failure);
  }

  /** @returns one sentence if it could not be kept: it is still on screen, and nothing else stops */
  private async store(beside: KeptBeside): Promise<string | null> {
    const { access, captures, log } = this.world.surroundings;
    this.following = { ...this.following, keptToUtcMs: this.whole.observation?.endUtcMs ?? -Infinity };
    try {
      await captures.keep(keepRecord(this.whole, beside));
      return null;
    } catch (error) {
      log.warn(`${access.label}: ${describeError(error)}`);
      return describeError(error);
    }
  }

  /** Waits for the work while the editor ends, but not for long: a disk that hangs must not hold the editor up. */
  private async waitInTime(work: Promise<unknown>): Promise<void> {
    const patience = new Alarm(this.world.surroundings.schedule);
    await Promise.race([work, new Promise<void>((resolve) => patience.set(PATIENCE_MS, resolve))]);
    patience.stop();
  }

  private describeKept(): Omit<KeptBeside, 'sections'> {
    const { reading, isOn, ending, databaseIds } = this.now;
    const following = isOn && ending === null ? keepReading(reading) : null;
    return { serverName: reading.plan.snapshot.serverName, following, trackedDatabaseIds: databaseIds };
  }
}

/** Whether a session that ran before us has older files than the one it writes now, and none of them was read. */
function hasOlderFiles({ snapshot, beginUtcMs, kept }: FollowingPlan): boolean {
  const newest = findCurrentFile(snapshot);
  return (
    beginUtcMs === null &&
    kept === null &&
    snapshot.configuredFile !== null &&
    newest !== null &&
    newest !== findFirstFile(snapshot)
  );
}
