import type { Capture } from '../../core/capture/capture';
import type { KeptBeside, KeptSection } from '../../core/capture/capture-record';
import { type SessionSnapshot, readPredicateIds } from '../../core/session/event-session';
import { findCurrentFile, findFirstFile } from '../../core/session/session-snapshots';
import type { TrackingStatus } from '../../core/capture/tracking-status';
import { CaptureKeeping } from './capture-keeping';
import type { FollowingPlan } from './following-plan';
import { AnotherServer, describeError } from '../queries/failure';
import type { ServerQuery } from '../queries/server-query';
import type { MonitorSurroundings } from '../queries/surroundings';
import { SessionReader, type Turn } from './session-reader';
import * as say from './tracking-sentences';

/** A session that does not run is looked at less often: this many times the interval between two reads. */
const WAITING_FACTOR = 15;
/** A ring buffer is read whole each time. */
const MEMORY_FACTOR = 5;
/** Where each query is a login. */
const LOGIN_FACTOR = 2;
/** Where nothing has come for this many reads, and nobody has looked since, each interval is longer than the one before, up to this many times the usual one. */
const QUIET_READS = 6;
const MOST_QUIET_FACTOR = 12;

export interface FollowingWorld {
  readonly query: ServerQuery;
  readonly surroundings: MonitorSurroundings;
  /** Runs the work when nothing else is being done on this server. */
  readonly enqueue: (work: () => Promise<void>) => void;
  readonly report: (state: TrackingStatus['state'], message: string | null) => void;
  /** What tracking says of itself is another thing now. */
  readonly changed: () => void;
  /** Rows were read, or the capture ended; it may be a new one. */
  readonly read: (isFinal: boolean) => void;
  /** What else is kept with the capture: what is new of it. */
  readonly keepAlong: () => Promise<readonly KeptSection[]>;
  /** Samples what is due together with a read of the events. Never fails. */
  readonly sampleAlong: () => Promise<void>;
  /** Another server answers now. */
  readonly left: (other: AnotherServer) => Promise<void>;
}

/** One session that is followed into one capture, from the begin of following to its end: while it runs, and while it is waited for to run again. */
export class FollowedSession {
  readonly reader: SessionReader;
  /** The databases that the session records; null: all. */
  databaseIds: readonly number[] | null;
  isOn = true;
  /** The session was stopped by us, or is left alone from now on; what it recorded until then is being read. null: it is followed. */
  ending: 'Stopped' | 'Removed' | null = null;
  /** The last read failed. */
  private isUnread = false;
  /** The user wants no more of what is stored to be read for now. */
  private isPaused = false;
  /** A turn waits in the queue. */
  private isQueued = false;
  /** The window is being closed: what is kept then is the last. */
  private isLeft = false;
  private lastKeep: Promise<void> = Promise.resolve();
  /** What the newest file holds, which is shown until all files are read in their order; then it is thrown away. */
  private recent: SessionReader | null;
  /** When it is to be read again. */
  private recentDueMs = -Infinity;
  /** The turn before left more to be read. */
  private hadMore = false;
  /** How much of what was stored was read, as far as is known. */
  private storedRead = 0;
  /** Reads in a row that brought nothing and that nobody looked at. */
  private quiet = 0;
  private rowsRead = 0;
  private readonly keeping: CaptureKeeping;
  /** The next read, once its time comes. */
  private next: { dispose(): void } | null = null;

  /** @param preview an empty capture of the same id, for what the newest file holds; used where there are others before it */
  constructor(
    private readonly world: FollowingWorld,
    private readonly whole: Capture,
    plan: FollowingPlan,
    preview: Capture,
  ) {
    this.reader = new SessionReader(world.query, whole, plan);
    this.recent = hasOlderFiles(plan) ? new SessionReader(world.query, preview, { ...plan, isNewestOnly: true }) : null;
    this.databaseIds = listTracked(plan.snapshot);
    this.keeping = new CaptureKeeping(world.surroundings, plan.snapshot.nowUtcMs);
  }

  /** The one to be shown. */
  get capture(): Capture {
    return this.recent?.capture ?? this.whole;
  }

  /** All that it holds. */
  get captures(): readonly Capture[] {
    return this.recent === null ? [this.whole] : [this.whole, this.recent.capture];
  }

  get trouble(): TrackingStatus['trouble'] {
    if (!this.isOn) return null;
    if (this.ending === null && !this.reader.isRunning) return 'session gone';
    return this.isUnread ? 'not read' : null;
  }

  /** See TrackingStatus. */
  get reading(): TrackingStatus['reading'] {
    const events = this.reader.storedRead ?? (this.recent === null ? null : this.storedRead);
    return events === null || !this.isOn ? null : { events, isPaused: this.isPaused };
  }

  /** See ServerMonitor. */
  pauseReading(): void {
    this.isPaused ||= this.reading !== null;
    this.world.changed();
  }

  /** See ServerMonitor. */
  readOn(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.queueTurn();
    this.world.changed();
  }

  /** Reads at the next opportunity, where no read is to come. */
  resume(): void {
    if (this.next === null && !this.isQueued) this.readIn(0);
  }

  /** No read until `goOn`. */
  pause(): void {
    this.next?.dispose();
    this.next = null;
  }

  goOn(): void {
    if (!this.isQueued) this.readIn(this.world.surroundings.pollIntervalMs * this.findFactor());
  }

  /** In place of the read that was to come; none once following is over. */
  private readIn(delayMs: number): void {
    this.pause();
    if (!this.isOn) return;
    this.next = this.world.surroundings.schedule(delayMs, () => {
      this.next = null;
      this.queueTurn();
    });
  }

  private findFactor(): number {
    const { isRunning, isInMemory } = this.reader;
    if (!isRunning && this.ending === null) return WAITING_FACTOR;
    const factor = Math.max(isInMemory ? MEMORY_FACTOR : 1, this.world.query.isLoginForEach ? LOGIN_FACTOR : 1);
    return Math.max(factor, Math.min(MOST_QUIET_FACTOR, this.quiet - QUIET_READS));
  }

  /** Somebody looks: what is read at longer intervals is read now. */
  noteLook(): void {
    const wasQuiet = this.quiet > QUIET_READS;
    this.quiet = 0;
    if (wasQuiet && this.next !== null && this.reader.isRunning) this.readIn(0);
  }

  private noteRead(): void {
    const { rowsRead } = this.whole.ledger();
    this.quiet = rowsRead === this.rowsRead ? this.quiet + 1 : 0;
    this.rowsRead = rowsRead;
  }

  /**
   * Looks at the session, has its databases changed, and looks again, so that the gap is no longer than the change. Where that fails, following goes on.
   * @param prepare gives what sends the change, or throws where nothing is to be sent @throws Error with one sentence, ConnectionError, AnotherServer
   */
  async changeDatabases(prepare: (before: SessionSnapshot) => () => Promise<string | null>): Promise<void> {
    this.pause();
    try {
      const before = await this.reader.lookNow();
      const send = prepare(before);
      this.reader.noteChange(before);
      await this.lookAgain(await send());
    } catch (error) {
      // The look may fail too, and the next one tells then; why the change failed is what counts.
      if (this.reader.isChangeOpen) await this.lookAgain(null).catch(() => undefined);
      throw error;
    } finally {
      this.goOn();
    }
  }

  /** The session was stopped, or is left alone: reads what it recorded until then, the first page now, the others in turns of their own, and keeps it. */
  async finish(): Promise<void> {
    this.ending = 'Stopped';
    this.pause();
    this.report();
    if (!this.isPaused) await this.takeTurn();
  }

  /** The session was dropped, which leaves its files: what is still to be read of them is read. */
  noteRemoved(): void {
    this.ending = 'Removed';
    this.report();
  }

  /** Following is over; what was captured is kept. */
  async end(): Promise<void> {
    this.isOn = false;
    this.pause();
    this.showWhole();
    await this.keep();
  }

  /** The window ends, following does not: another window goes on. In bounded time. */
  async leave(): Promise<void> {
    this.pause();
    if (!this.isOn) return this.keeping.waitInTime(this.lastKeep);
    // As it is now: nothing gets into the capture any more.
    const beside = this.describeKept();
    this.isOn = false;
    this.isLeft = true;
    this.reader.halt();
    const work = this.world.keepAlong().then((sections) => this.keeping.keep(this.whole, { ...beside, sections }));
    await this.keeping.waitInTime(work);
  }

  /** Another server answers: what is known ends with a gap, and may go on when this one is back. @param nowUtcMs by the other's clock */
  async leaveFor(other: string, nowUtcMs: number): Promise<void> {
    this.pause();
    if (!this.isOn) return;
    if (this.reader.isRunning) this.reader.noteFailover(other, nowUtcMs);
    await this.keep();
    this.isOn = false;
  }

  /** A capture that can not be kept is still on screen: the failure is reported, and nothing else stops. */
  keep(): Promise<void> {
    return (this.lastKeep = this.keepWhole());
  }

  private async keepWhole(): Promise<void> {
    const sections = await this.world.keepAlong();
    // The window was closed meanwhile: what it keeps then is as new, and knows that following goes on.
    if (this.isLeft) return;
    const failure = await this.keeping.keep(this.whole, { ...this.describeKept(), sections });
    if (failure !== null) this.world.report(this.state, failure);
  }

  private get state(): 'tracking' | 'stopped' | 'not tracking' {
    if (this.ending === 'Removed') return 'not tracking';
    return this.isOn && this.ending === null && this.reader.isRunning ? 'tracking' : 'stopped';
  }

  /** Where following is, and what needs attention. */
  private report(failure: string | null = null): void {
    const { ending, reader } = this;
    if (ending !== null) this.world.report(this.state, say.describeEnding(ending, reader.storedRead ?? 0, failure));
    else if (reader.isRunning) this.world.report('tracking', failure === null ? null : `New events could not be read: ${failure}`);
  }

  private async lookAgain(note: string | null): Promise<void> {
    await this.reader.lookNow();
    await this.reader.takeTurn();
    this.databaseIds = listTracked(this.reader.seen);
    if (this.reader.isRunning) this.world.report('tracking', note);
    else this.world.report('stopped', say.describeStopped(this.reader.trouble ?? ''));
    this.world.read(false);
  }

  private describeKept(): Omit<KeptBeside, 'sections'> {
    const following = this.isOn && this.ending === null ? this.reader.keep() : null;
    return { serverName: this.reader.serverName, following, trackedDatabaseIds: this.databaseIds };
  }

  private queueTurn(): void {
    if (!this.isOn || this.isQueued) return;
    this.isQueued = true;
    this.pause();
    this.world.enqueue(async () => {
      this.isQueued = false;
      if (this.isOn) await this.takeTurn();
    });
  }

  /** One page. An error is shown, and the next turn goes on from the same place: the events wait where they are. */
  private async takeTurn(): Promise<void> {
    const { recent } = this;
    // What is stored waits for the user; so does what is new, where it lies behind it.
    const isHeld = this.isPaused && this.reading !== null;
    const isRecentNext = recent !== null && this.ending === null && (isHeld || this.world.surroundings.elapsedMs() >= this.recentDueMs);
    if (isHeld && !isRecentNext) return;
    const wasRunning = this.reader.isRunning;
    try {
      if (isRecentNext) return await this.readRecent(recent, isHeld);
      const along = this.world.sampleAlong();
      const turn = await this.reader.takeTurn().finally(() => along);
      this.noteRead();
      this.databaseIds = listTracked(this.reader.seen);
      this.isUnread = false;
      await this.afterTurn(turn, wasRunning);
    } catch (error) {
      if (this.isOn) await this.handleFailure(error);
    }
  }

  /** What is new goes on being shown at the usual pace while older files are read. @param isAlone nothing else is read meanwhile */
  private async readRecent(recent: SessionReader, isAlone: boolean): Promise<void> {
    const turn = await recent.takeTurn();
    const { pollIntervalMs, elapsedMs } = this.world.surroundings;
    if (turn !== 'more') this.recentDueMs = elapsedMs() + pollIntervalMs;
    this.world.read(false);
    if (isAlone && turn !== 'more') this.readIn(pollIntervalMs);
    else this.queueTurn();
  }

  /** All was read in order, as far as the newest file was: it takes its place. */
  private showWhole(): void {
    if (this.recent === null) return;
    this.whole.replace(this.recent.capture);
    this.recent = null;
    this.world.read(true);
  }

  private async afterTurn(turn: Turn, wasRunning: boolean): Promise<void> {
    const { reader, world, ending, hadMore } = this;
    this.hadMore = turn === 'more';
    this.storedRead = reader.storedRead ?? this.storedRead;
    if (turn === 'end' && ending !== null) return this.endWhole(ending);
    if (ending !== null || reader.isRunning) this.report();
    else if (wasRunning) world.report('stopped', say.describeStopped(reader.trouble ?? ''));
    if (turn !== 'nothing') world.read(turn === 'end' && !reader.isRunning);
    // What came while older files were read is in the newest one already, so it is read once more before it takes that one's place.
    if (turn === 'more' || (turn === 'end' && hadMore && this.recent !== null && reader.isRunning)) return this.queueTurn();
    this.showWhole();
    this.isPaused = false;
    if (turn === 'end' && (!reader.isRunning || this.keeping.isDue(this.whole))) await this.keep();
    this.goOn();
  }

  /** Everything was read that the session recorded. */
  private async endWhole(ending: 'Stopped' | 'Removed'): Promise<void> {
    this.world.report(ending === 'Removed' ? 'not tracking' : 'stopped', null);
    this.world.read(true);
    await this.end();
  }

  private async handleFailure(error: unknown): Promise<void> {
    if (error instanceof AnotherServer) return this.world.left(error);
    this.isUnread = true;
    this.report(describeError(error));
    this.goOn();
  }
}

/** Whether a session that was running before us has files before the one that it writes now, none of which was read. */
function hasOlderFiles({ snapshot, beginUtcMs, kept }: FollowingPlan): boolean {
  const newest = findCurrentFile(snapshot);
  return beginUtcMs === null && kept === null && snapshot.configuredFile !== null && newest !== null && newest !== findFirstFile(snapshot);
}

/** Databases that both events of the session are recorded of; null: all; none where its predicates are not of our form. */
function listTracked({ predicate, endPredicate }: SessionSnapshot): readonly number[] | null {
  return predicate === endPredicate ? readPredicateIds(predicate) : [];
}
