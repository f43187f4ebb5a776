import type { Capture } from '../core/capture/capture';
import type { KeptBeside, KeptSection } from '../core/capture/capture-record';
import { type EventSessionState, readPredicateIds } from '../core/capture/event-session';
import type { TrackingStatus } from '../core/capture/tracking-status';
import { CaptureKeeping } from './capture-keeping';
import { describeError } from './failure';
import { PollTimer } from './poll-timer';
import type { ServerQuery } from './server-query';
import type { MonitorSurroundings } from './surroundings';
import { AnotherServer, Tracking, type TrackingPlan } from './tracking';
import * as say from './tracking-sentences';

/** A session that does not run is looked at less often: so many times the interval between two reads. */
const waitingFactor = 15;
/** A ring buffer is read whole each time. */
const memoryFactor = 5;

export interface FollowingWorld {
  readonly query: ServerQuery;
  readonly surroundings: MonitorSurroundings;
  /** Runs the work when nothing else is being done on this server. */
  readonly enqueue: (work: () => Promise<void>) => void;
  readonly report: (state: TrackingStatus['state'], message: string | null) => void;
  /** Rows were read, or the capture ended. */
  readonly read: (isFinal: boolean) => void;
  /** What else is kept with the capture: what is new of it. */
  readonly keepAlong: () => Promise<readonly KeptSection[]>;
  /** Another server answers now. */
  readonly left: (other: AnotherServer) => Promise<void>;
}

/** One session that is followed into one capture, from the begin of following to its end: while it runs, and while it is waited for to run again. */
export class FollowedSession {
  readonly tracking: Tracking;
  /** The databases that the session records; null: all. */
  databaseIds: readonly number[] | null;
  isOn = true;
  /** See TrackingStatus. */
  reading: TrackingStatus['reading'] = null;
  /** The last read failed. */
  private isUnread = false;
  /** The window is being closed: what is kept then is the last. */
  private isLeft = false;
  private lastKeep: Promise<void> = Promise.resolve();
  private readonly timer: PollTimer;
  private readonly keeping: CaptureKeeping;

  constructor(
    private readonly world: FollowingWorld,
    readonly capture: Capture,
    plan: TrackingPlan,
  ) {
    this.tracking = new Tracking(world.query, capture, plan);
    this.databaseIds = listTracked(plan.sight);
    this.timer = new PollTimer(world.surroundings, () => world.enqueue(() => this.poll()));
    this.keeping = new CaptureKeeping(world.surroundings);
    this.keeping.begin(plan.sight.nowUtcMs);
  }

  get serverName(): string | null {
    return this.tracking.serverName;
  }

  get trouble(): TrackingStatus['trouble'] {
    if (!this.isOn) return null;
    if (!this.tracking.isRunning) return 'session gone';
    return this.isUnread ? 'not read' : null;
  }

  /** See ServerMonitor. */
  pauseReading(): void {
    if (this.reading !== null) this.reading = { ...this.reading, isPaused: true };
  }

  /** See ServerMonitor. */
  readOn(): void {
    if (this.reading !== null) this.reading = { ...this.reading, isPaused: false };
  }

  /** Reads at the next opportunity, where no read is to come. */
  resume(): void {
    if (this.isOn && !this.timer.isSet) this.timer.set(0);
  }

  /** No read until `goOn`. */
  pause(): void {
    this.timer.cancel();
  }

  goOn(): void {
    const { isRunning, isInMemory } = this.tracking;
    const factor = !isRunning ? waitingFactor : isInMemory ? memoryFactor : 1;
    if (this.isOn) this.timer.set(this.world.surroundings.pollIntervalMs * factor);
  }

  /**
   * Reads to the present, has the databases of the session changed, and looks again, so that the gap is no longer than the change. Where that fails, following goes on.
   * @param prepare gives what sends the change, or throws where nothing is to be sent @throws Error with one sentence, ConnectionError, AnotherServer
   */
  async changeDatabases(prepare: (before: EventSessionState) => () => Promise<string | null>): Promise<void> {
    this.pause();
    try {
      const before = await this.tracking.readOn();
      const send = prepare(before);
      this.tracking.noteChange(before);
      await this.lookAgain(await send());
    } catch (error) {
      // The look may fail too, and the next one tells then; why the change failed is what counts.
      if (this.tracking.isChangeOpen) await this.lookAgain(null).catch(() => undefined);
      throw error;
    } finally {
      this.goOn();
    }
  }

  /** Following is over; what was captured is kept. */
  async end(): Promise<void> {
    this.isOn = false;
    this.timer.end();
    await this.keep();
  }

  /** The window ends, following does not: another window goes on. In bounded time. */
  async leave(): Promise<void> {
    this.timer.end();
    if (!this.isOn) return this.keeping.waitInTime(this.lastKeep);
    // As it is now: nothing gets into the capture any more.
    const beside = this.describeKept();
    this.isOn = false;
    this.isLeft = true;
    this.tracking.halt();
    const work = this.world.keepAlong().then((sections) => this.keeping.keep(this.capture, { ...beside, sections }));
    await this.keeping.waitInTime(work);
  }

  /** Another server answers: what is known ends with a gap, and may go on when this one is back. @param nowUtcMs by the other's clock */
  async leaveFor(other: string, nowUtcMs: number): Promise<void> {
    this.timer.end();
    if (!this.isOn) return;
    if (this.tracking.isRunning) this.tracking.noteFailover(other, nowUtcMs);
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
    const failure = await this.keeping.keep(this.capture, { ...this.describeKept(), sections });
    if (failure !== null) this.world.report(this.isOn && this.tracking.isRunning ? 'tracking' : 'stopped', failure);
  }

  private async lookAgain(note: string | null): Promise<void> {
    this.databaseIds = listTracked(await this.tracking.readOn());
    if (this.tracking.isRunning) this.world.report('tracking', note);
    else this.world.report('stopped', say.describeStopped(this.tracking.trouble ?? ''));
    this.world.read(false);
  }

  private describeKept(): Omit<KeptBeside, 'sections'> {
    const following = this.isOn ? this.tracking.keep() : null;
    return { serverName: this.serverName, following, trackedDatabaseIds: this.databaseIds };
  }

  /** One read. An error is shown, and the next read goes on from the same place: the events wait where they are. */
  private async poll(): Promise<void> {
    if (!this.isOn) return;
    const { tracking, world } = this;
    const wasRunning = tracking.isRunning;
    try {
      this.databaseIds = listTracked(await tracking.readOn());
      this.isUnread = false;
      if (tracking.isRunning) world.report('tracking', null);
      else if (wasRunning) world.report('stopped', say.describeStopped(tracking.trouble ?? ''));
      if (tracking.isRunning || wasRunning) world.read(!tracking.isRunning);
      if ((wasRunning && !tracking.isRunning) || this.keeping.isDue(this.capture)) await this.keep();
      this.goOn();
    } catch (error) {
      if (this.isOn) await this.handleFailure(error);
    }
  }

  private async handleFailure(error: unknown): Promise<void> {
    if (error instanceof AnotherServer) return this.world.left(error);
    this.isUnread = true;
    if (this.tracking.isRunning) this.world.report('tracking', `New events could not be read: ${describeError(error)}`);
    this.goOn();
  }
}

/** Databases that both events of the session are recorded of; null: all; none where its predicates are not of our form. */
function listTracked({ predicate, endPredicate }: EventSessionState): readonly number[] | null {
  return predicate === endPredicate ? readPredicateIds(predicate) : [];
}
