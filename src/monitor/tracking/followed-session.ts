import type { Capture } from '../../core/capture/capture';
import type { KeptBeside, KeptSection } from '../../core/capture/capture-record';
import type { SessionSnapshot } from '../../core/session/event-session';
import { findCurrentFile, findFirstFile } from '../../core/session/session-snapshots';
import type { TrackingStatus } from '../../core/capture/tracking-status';
import { CaptureKeeping } from './capture-keeping';
import { countStored, type FollowingPlan, isInMemory, keepReading, listTracked } from './reading';
import { AnotherServer, describeError } from '../queries/failure';
import { type ObserverCost, spaceOut } from '../queries/observer-cost';
import type { ServerQuery } from '../queries/server-query';
import type { MonitorSurroundings } from '../queries/surroundings';
import { SessionReader, type Turn } from './session-reader';
import * as say from './tracking-sentences';
import { t } from '../../core/language';

/** A session that does not run is looked at less often: this many times the usual interval. */
const WAITING_FACTOR = 15;
/** A ring buffer is read less often, because it is read whole each time. */
const MEMORY_FACTOR = 5;
/** If each query is a login. */
const LOGIN_FACTOR = 2;
/** If nothing has come for this many reads, and nobody has looked since, each interval is longer than the one before, up to this many times the usual one. */
const QUIET_READS = 6;
const MOST_QUIET_FACTOR = 12;
/** After a read that failed, the next one comes within this time: a server that does not answer does no work for us. */
const RETRY_MS = 60_000;

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
  /** Another server answers now. */
  readonly left: (other: AnotherServer) => Promise<void>;
}

/** Follows one session into one capture, from beginning to end: while the session runs, and while we wait for it to run again. */
export class FollowedSession {
  readonly reader: SessionReader;
  /** The databases that the session records; null: all. */
  databaseIds: readonly number[] | null;
  isOn = true;
  /** We stopped the session, or leave it alone from now on; what it recorded until then is being read. null: it is followed. */
  ending: 'Stopped' | 'Removed' | null = null;
  /** The last read failed. */
  private isUnread = false;
  /** The user paused the reading of what is stored. */
  private isPaused = false;
  /** A turn waits in the queue. */
  private isQueued = false;
  /** The window is being closed: the capture is kept for the last time. */
  private isLeft = false;
  private lastKeep: Promise<void> = Promise.resolve();
  /** Reads the newest file. Its capture is shown until all files are read in order, and is then thrown away. */
  private recent: SessionReader | null;
  /** When the newest file is to be read again. */
  private recentDueMs = -Infinity;
  /** The last turn left more to be read. */
  private hadMore = false;
  /** Stored events that were read, as far as is known. */
  private storedRead = 0;
  /** Reads in a row that brought nothing and that nobody looked at. */
  private quiet = 0;
  private rowsRead = 0;
  /** Milliseconds that the server took for the last turn. */
  private costMs = 0;
  private readonly keeping: CaptureKeeping;
  /** The next read, once its time comes. */
  private next: { dispose(): void } | null = null;

  /** @param preview an empty capture of the same id, for the events of the newest file; used if there are older files */
  constructor(
    private readonly world: FollowingWorld,
    private readonly whole: Capture,
    plan: FollowingPlan,
    preview: Capture,
  ) {
    this.reader = new SessionReader(world.query, whole, plan);
    this.recent = hasOlderFiles(plan) ? new SessionReader(world.query, preview, { ...plan, isNewestOnly: true }) : null;
    this.databaseIds = listTracked(this.reader.reading);
    this.keeping = new CaptureKeeping(world.surroundings, plan.snapshot.nowUtcMs);
  }

  /** The capture to show. */
  get capture(): Capture {
    return this.recent?.capture ?? this.whole;
  }

  /** All captures that it holds. */
  get captures(): readonly Capture[] {
    return this.recent === null ? [this.whole] : [this.whole, this.recent.capture];
  }

  get trouble(): TrackingStatus['trouble'] {
    if (!this.isOn) return null;
    if (this.ending === null && !this.reader.reading.isRunning) return 'session gone';
    return this.isUnread ? 'not read' : null;
  }

  /** See TrackingStatus. */
  get reading(): TrackingStatus['reading'] {
    const events = countStored(this.reader.reading) ?? (this.recent === null ? null : this.storedRead);
    return events === null || !this.isOn ? null : { events, isPaused: this.isPaused };
  }

  /** See ServerMonitor. */
  pauseReading(): void {
    this.isPaused ||= this.reading !== null;
    this.world.changed();
  }

  /** See ServerMonitor. */
  readOn(): void {
    this.noteLook();
    if (!this.isPaused) return;
    this.isPaused = false;
    this.queueTurn();
    this.world.changed();
  }

  /** Reads at the next opportunity, unless a read is due anyway. */
  resume(): void {
    if (this.next === null && !this.isQueued) this.readIn(0);
  }

  /** No read until `goOn`. */
  pause(): void {
    this.next?.dispose();
    this.next = null;
  }

  goOn(): void {
    if (!this.isQueued) this.readIn(this.intervalMs);
  }

  /** What following costs the server, beside the queries. */
  get cost(): Omit<ObserverCost, 'lastMinute'> {
    const isFollowed = this.isOn && this.reader.reading.isRunning;
    const sessionBytes = (isFollowed ? this.reader.reading.seen.bufferBytes : null) ?? null;
    return { sessionBytes, readEveryMs: isFollowed ? this.intervalMs : null, isSpacedOut: isFollowed && this.intervalMs > this.usualMs };
  }

  /** Milliseconds between two reads, without the ceiling of what we cost. */
  private get usualMs(): number {
    return this.world.surroundings.pollIntervalMs * this.findFactor();
  }

  private get intervalMs(): number {
    const spacedMs = spaceOut(this.usualMs, this.costMs);
    return this.isUnread ? Math.min(spacedMs, Math.max(this.usualMs, RETRY_MS)) : spacedMs;
  }

  /** Replaces the read that was due. Once following is over, none is due. */
  private readIn(delayMs: number): void {
    this.pause();
    if (!this.isOn) return;
    this.next = this.world.surroundings.schedule(delayMs, () => {
      this.next = null;
      this.queueTurn();
    });
  }

  private findFactor(): number {
    const { isRunning } = this.reader.reading;
    if (!isRunning && this.ending === null) return WAITING_FACTOR;
    const factor = Math.max(isInMemory(this.reader.reading) ? MEMORY_FACTOR : 1, this.world.query.isLoginForEach ? LOGIN_FACTOR : 1);
    return Math.max(factor, Math.min(MOST_QUIET_FACTOR, this.quiet - QUIET_READS));
  }

  /** A person looks: if reads had become rare, or wait for a session that did not run, the next one comes now. */
  noteLook(): void {
    const isRare = this.quiet > QUIET_READS || !this.reader.reading.isRunning;
    this.quiet = 0;
    if (isRare && this.next !== null) this.readIn(0);
  }

  /**
   * Looks at the session, has its databases changed, and looks again, so that the gap is no longer than the change. If that fails, following goes on.
   * @param prepare gives the function that sends the change, or throws if nothing is to be sent @throws Error with one sentence, ConnectionError, AnotherServer
   */
  async changeDatabases(prepare: (before: SessionSnapshot) => () => Promise<string | null>): Promise<void> {
    this.pause();
    try {
      const before = await this.reader.lookNow();
      const send = prepare(before);
      this.reader.tell('change', before);
      await this.lookAgain(await send());
    } catch (error) {
      // The look may fail too; the next one tells then. What counts is why the change failed.
      if (this.reader.reading.changedBehind !== null) await this.lookAgain(null).catch(() => undefined);
      throw error;
    } finally {
      this.goOn();
    }
  }

  /** The session was stopped, or we leave it alone. Reads what it recorded until then, the first page now and the others in their own turns, and keeps it. */
  async finish(): Promise<void> {
    this.ending = 'Stopped';
    this.pause();
    this.report();
    if (!this.isPaused) await this.takeTurn();
  }

  /** The session was dropped. Its files stay, and the rest of them is read. */
  noteRemoved(): void {
    this.ending = 'Removed';
    this.report();
  }

  /** Ends following and keeps what was captured. */
  async end(): Promise<void> {
    this.isOn = false;
    this.pause();
    this.showWhole();
    await this.keep();
  }

  /** The window ends, and another window may go on following. Takes a bounded time. */
  async leave(): Promise<void> {
    this.pause();
    if (!this.isOn) return this.keeping.waitInTime(this.lastKeep);
    // From now on nothing gets into the capture.
    const beside = this.describeKept();
    this.isOn = false;
    this.isLeft = true;
    this.reader.tell('close', null);
    const work = this.world.keepAlong().then((sections) => this.keeping.keep(this.whole, { ...beside, sections }));
    await this.keeping.waitInTime(work);
  }

  /** Another server answers: the capture ends with a gap, and may go on when this server is back. @param nowUtcMs by the other server's clock */
  async leaveFor(other: string, nowUtcMs: number): Promise<void> {
    this.pause();
    if (!this.isOn) return;
    if (this.reader.reading.isRunning) this.reader.tell('failover', { name: other, nowUtcMs });
    await this.keep();
    this.isOn = false;
  }

  /** If the capture cannot be kept, it is still on screen: the failure is reported, and nothing else stops. */
  keep(): Promise<void> {
    return (this.lastKeep = this.keepWhole());
  }

  private async keepWhole(): Promise<void> {
    const sections = await this.world.keepAlong();
    // The window was closed meanwhile: it keeps the same capture itself, and notes that following goes on.
    if (this.isLeft) return;
    const failure = await this.keeping.keep(this.whole, { ...this.describeKept(), sections });
    if (failure !== null) this.world.report(this.state, failure);
  }

  private get state(): 'tracking' | 'stopped' | 'not tracking' {
    if (this.ending === 'Removed') return 'not tracking';
    return this.isOn && this.ending === null && this.reader.reading.isRunning ? 'tracking' : 'stopped';
  }

  /** Reports the state of following, and what needs attention. */
  private report(failure: string | null = null): void {
    const { ending, reader } = this;
    if (ending !== null) this.world.report(this.state, say.describeEnding(ending, countStored(reader.reading) ?? 0, failure));
    else if (reader.reading.isRunning)
      this.world.report('tracking', failure === null ? null : t('New events could not be read: {0}', failure));
  }

  private async lookAgain(note: string | null): Promise<void> {
    await this.reader.lookNow();
    await this.reader.takeTurn();
    this.databaseIds = listTracked(this.reader.reading);
    if (this.reader.reading.isRunning) this.world.report('tracking', note);
    else this.world.report('stopped', say.describeStopped(this.reader.reading.trouble ?? ''));
    this.world.read(false);
  }

  private describeKept(): Omit<KeptBeside, 'sections'> {
    const following = this.isOn && this.ending === null ? keepReading(this.reader.reading) : null;
    return { serverName: this.reader.reading.plan.snapshot.serverName, following, trackedDatabaseIds: this.databaseIds };
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

  /** Reads one page. An error is shown, and the next turn goes on from the same place: the events wait there. */
  private async takeTurn(): Promise<void> {
    const { recent } = this;
    // If the user paused, stored events wait, and so do the new ones after them.
    const isHeld = this.isPaused && this.reading !== null;
    const isRecentNext = recent !== null && this.ending === null && (isHeld || this.world.surroundings.elapsedMs() >= this.recentDueMs);
    if (isHeld && !isRecentNext) return;
    const wasRunning = this.reader.reading.isRunning;
    const { spentMs } = this.world.query;
    try {
      if (isRecentNext) return await this.readRecent(recent, isHeld);
      const along = this.world.sampleAlong();
      const turn = await this.reader
        .takeTurn()
        // oxlint-disable-next-line typescript/no-misused-promises -- finally waits for it
        .finally(() => along)
        .finally(() => (this.costMs = this.world.query.spentMs - spentMs));
      const { rowsRead } = this.whole.ledger();
      this.quiet = rowsRead === this.rowsRead ? this.quiet + 1 : 0;
      this.rowsRead = rowsRead;
      this.databaseIds = listTracked(this.reader.reading);
      this.isUnread = false;
      await this.afterTurn(turn, wasRunning);
    } catch (error) {
      if (this.isOn) await this.handleFailure(error);
    }
  }

  /** Shows new events at the usual pace while older files are read. @param isAlone nothing else is read meanwhile */
  private async readRecent(recent: SessionReader, isAlone: boolean): Promise<void> {
    const turn = await recent.takeTurn();
    const { pollIntervalMs, elapsedMs } = this.world.surroundings;
    if (turn !== 'more') this.recentDueMs = elapsedMs() + pollIntervalMs;
    this.world.read(false);
    if (isAlone && turn !== 'more') this.readIn(pollIntervalMs);
    else this.queueTurn();
  }

  /** Everything was read in order, up to where the newest file was read: the whole capture takes its place. */
  private showWhole(): void {
    if (this.recent === null) return;
    this.whole.replace(this.recent.capture);
    this.recent = null;
    this.world.read(true);
  }

  private async afterTurn(turn: Turn, wasRunning: boolean): Promise<void> {
    const { reader, world, ending, hadMore } = this;
    this.hadMore = turn === 'more';
    this.storedRead = countStored(reader.reading) ?? this.storedRead;
    if (turn === 'end' && ending !== null) {
      world.report(this.state, null);
      world.read(true);
      return this.end();
    }
    if (ending !== null || reader.reading.isRunning) this.report();
    else if (wasRunning) world.report('stopped', say.describeStopped(reader.reading.trouble ?? ''));
    if (turn !== 'nothing') world.read(turn === 'end' && !reader.reading.isRunning);
    // The newest file was read on meanwhile, so the whole capture is read once more before it takes its place.
    if (turn === 'more' || (turn === 'end' && hadMore && this.recent !== null && reader.reading.isRunning)) return this.queueTurn();
    this.showWhole();
    this.isPaused = false;
    if (turn === 'end' && (!reader.reading.isRunning || this.keeping.isDue(this.whole))) await this.keep();
    this.goOn();
  }

  private async handleFailure(error: unknown): Promise<void> {
    if (error instanceof AnotherServer) return this.world.left(error);
    this.isUnread = true;
    this.report(describeError(error));
    this.goOn();
  }
}

/** Whether a session that was running before us has older files than the one it writes now, and none of them was read. */
function hasOlderFiles({ snapshot, beginUtcMs, kept }: FollowingPlan): boolean {
  const newest = findCurrentFile(snapshot);
  return beginUtcMs === null && kept === null && snapshot.configuredFile !== null && newest !== null && newest !== findFirstFile(snapshot);
}
