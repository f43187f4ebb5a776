import type { Facts } from '../../core/advice/facts';
import type { KeptForecast } from '../../core/advice/forecast';
import { choosePlan, listPlanned } from '../../core/advice/forecast-seen';
import type { NearestLimit } from '../../core/advice/limits';
import type { KeptSection } from '../../core/capture/capture-record';
import { TARGET_MISS } from '../../core/script/session';
import { type DatabaseChange, findSwitches } from '../../core/task/change-moment';
import { BLOCK_MS } from '../../core/write-work/block';
import { WriteWorkLog } from '../../core/write-work/write-work-log';
import { decodeWriteWork, encodeWriteWork, joinWriteWork } from '../../core/write-work/write-work-bytes';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import type { EvidencePages, EvidenceState } from '../../core/pages/evidence-page';
import { readStripSamples, type StripPosition, type StripUpdate } from '../../core/timeline/strip-series';
import { NO_TIME_MARKS, type TimeMarks } from '../../core/timeline/time-marks';
import { describeError } from '../queries/failure';
import type { JudgedServer } from '../facts/server-judgement';
import {
  CHANGES_SECTION,
  decodeChanges,
  decodeWatch,
  joinChanges,
  joinPlans,
  WATCH_SECTION,
  WORK_SECTION,
  writeNoted,
} from './kept-changes';
import { EvidenceReadings } from './evidence-readings';
import { computePages, joinEvidence } from './evidence-pages';
import type { EvidenceWorld, TimelineEvidence } from './evidence-world';
import { ReadingProgress } from './reading-progress';
import { RedoSamples } from './known-of-databases';
import { pauseBy, runInSlices, untilAborted } from '../queries/slices';
import { WorkFollowing } from './work-following';
import { t } from '../../core/language';

/** Pages are computed again after this time at the earliest. */
const LEAST_INTERVAL_MS = 10_000;
const CANCELLED = t('Gathering the evidence was cancelled.');
/** After the user cancelled, reading begins again after this time, or if somebody asks for it. */
const HOLD_MS = 10 * 60_000;
/** How long a value must stay below its limit. */
const HOLD_ENDS_MS = 10 * 60_000;
const STOPPED = t('Cancelled. The page shows what was read before. Reading continues in 10 minutes, or with Refresh.');

/** What is known of one server. Another one has another value: pages that were begun for one are not shown for another. */
const NOTHING_KNOWN = {
  ...{ marks: NO_TIME_MARKS as TimeMarks, offsets: [] as readonly OffsetPeriod[], pages: null as EvidencePages | null },
  /** Changes of target recovery time that we saw or the user entered; and those with what the error log tells, as far as it was read. */
  ...{ ownChanges: [] as readonly DatabaseChange[], changes: [] as readonly DatabaseChange[] },
  /** What verdicts take from the pages; empty: they were not computed yet. */
  told: {} as Partial<Pick<JudgedServer, 'known' | 'missed' | 'logWrites' | 'byWaits'>>,
  /** The plans whose scripts were opened, oldest first. */
  plans: [] as readonly KeptForecast[],
  /** The most important limit at the last look, or one that was exceeded in the last ten minutes; null: none is exceeded or near. */
  ...{ nearestLimit: null as NearestLimit | null, exceededMs: -Infinity },
  ...{ isStale: true, heldBackUntilMs: -Infinity, server: 0 },
};
type Known = Readonly<typeof NOTHING_KNOWN>;

/**
 * The evidence about one server besides its checkpoints: write work, sampled while tracking; error log and backups, read when somebody looks; and the pages
 * made of all of it, computed in slices when somebody asks for them.
 */
export class ServerEvidence implements TimelineEvidence {
  known: Known = NOTHING_KNOWN;
  private readings: EvidenceReadings;
  private readonly progress: ReadingProgress;
  private following: WorkFollowing;
  private redo = new RedoSamples();
  private working: Promise<string | null> | null = null;
  private next: { dispose(): void } | null = null;
  private isDisposed = false;
  /** Which log was written out last, and when. */
  private written: { readonly log: WriteWorkLog; readonly atMs: number } | null = null;

  constructor(private readonly world: EvidenceWorld) {
    this.readings = this.createReadings();
    this.progress = new ReadingProgress({ schedule: world.schedule, changed: () => void (this.isDisposed || world.progressed()) });
    this.following = this.createFollowing(new WriteWorkLog());
  }

  get state(): EvidenceState {
    return this.progress.state;
  }

  readSamples(held: StripPosition | null): StripUpdate | null {
    return readStripSamples(this.following.log, this.following.isGoingOn, held);
  }

  cancelReading(): void {
    this.progress.cancel(STOPPED);
  }

  /** Somebody asks for it: what was cancelled goes on. @param isAllDue error log and backups are read again, even if they were read just now */
  goOn(isAllDue = false): void {
    if (isAllDue) this.readings.hold(0);
    if (this.state.stopped === null) return;
    this.note({ heldBackUntilMs: -Infinity, isStale: true });
    this.readings.hold(0);
    this.progress.goOn();
  }

  /** See WorkFollowing. */
  sampleAlong(): Promise<void> {
    return this.following.along();
  }

  /**
   * What verdicts rest on besides checkpoints. `known`: by database_id, null if it was not read yet; `grounds`: what tells the task's checkpoints
   * from others.
   */
  get grounds(): Partial<JudgedServer> {
    const { changes, offsets, nearestLimit, told } = this.known;
    const { forecast } = this;
    return {
      ...told,
      hold: nearestLimit?.isUp === true ? nearestLimit : null,
      planned: forecast && listPlanned(forecast, findSwitches(changes, forecast.madeUtcMs)),
      grounds: { backups: this.readings.knownBackups, changes, offsets },
    };
  }

  /** The pages as they were computed last; newer ones follow if something changed. null: none yet. */
  ask(): EvidencePages | null {
    const { facts } = this.world.subject();
    const { isStale, heldBackUntilMs, pages } = this.known;
    const isDue = isStale || (facts !== null && this.readings.isDue);
    const isHeldBack = this.world.elapsedMs() < heldBackUntilMs;
    if (isDue && !isHeldBack && this.working === null && this.next === null) this.computeIn(pages === null ? 0 : LEAST_INTERVAL_MS);
    return pages;
  }

  /** The pages as of now. Cancelling ends the wait at once. @throws Error with one sentence if they could not be gathered */
  async gather(signal?: AbortSignal): Promise<EvidencePages> {
    this.goOn();
    const failure = await untilAborted(this.computeInTurn(signal), signal, CANCELLED);
    if (failure !== null) throw new Error(failure);
    if (this.known.pages === null) throw new Error(t('Another server answers now. Try again.'));
    return this.known.pages;
  }

  /** Something that the pages rest on has changed. */
  touch(): void {
    this.note({ isStale: true });
  }

  private note(news: Partial<Known>): void {
    this.known = { ...this.known, ...news };
  }

  addChanges(changes: readonly DatabaseChange[]): void {
    if (changes.length === 0) return;
    const { ownChanges, changes: all } = this.known;
    this.note({ ownChanges: [...ownChanges, ...changes], changes: [...all, ...changes], isStale: true });
  }

  /** The forecast to compare with; null: none was made. */
  get forecast(): KeptForecast | null {
    return choosePlan(this.known.plans, this.known.changes);
  }

  keepForecast(fresh: KeptForecast | null): void {
    const { plans, changes } = this.known;
    if (fresh !== null) this.note({ plans: joinPlans([...plans, fresh], changes), isStale: true });
  }

  /** Begins or ends sampling, which goes on while tracking. */
  follow(isFollowing: boolean): void {
    const { facts } = this.world.subject();
    if (!isFollowing || facts === null) this.following.end();
    else this.following.begin(facts.server.engineEdition);
  }

  /** Has the next `keep` give everything. */
  keepAll(): void {
    this.written = null;
  }

  /** Gives what is new to keep with a capture, for the next window. While a long log grows, it is written out once in each block, and at the end. */
  async keep(): Promise<readonly KeptSection[]> {
    const { plans, ownChanges, changes } = this.known;
    const kept = writeNoted(ownChanges, { plans, looks: this.readings.looks }, changes);
    const { log } = this.following;
    const atMs = this.world.elapsedMs();
    const isFresh = this.following.isGoingOn && this.written?.log === log && atMs - this.written.atMs < BLOCK_MS && !this.isDisposed;
    if (isFresh) return kept;
    this.written = { log, atMs };
    const bytes = await runInSlices(encodeWriteWork(log), () => false, this.world);
    return bytes === null ? kept : [{ name: WORK_SECTION, bytes, join: (earlier, own) => joinWriteWork(own, earlier) }, ...kept];
  }

  /** Takes up what an earlier window kept. Kept samples are ignored if something was sampled since. */
  async takeUp(sections: readonly KeptSection[]): Promise<void> {
    let work: Uint8Array | null = null;
    for (const { name, bytes } of sections) {
      if (name === CHANGES_SECTION) this.takeUpChanges(bytes);
      if (name === WATCH_SECTION) this.takeUpWatch(bytes);
      if (name !== WORK_SECTION) continue;
      const joined: Uint8Array | null =
        work === null ? bytes : await runInSlices(joinWriteWork(work, bytes), () => this.isDisposed, this.world);
      work = joined ?? work;
    }
    if (work !== null) await this.takeUpWork(work);
    this.touch();
  }

  /** Another server answers: forgets what was sampled, read and cancelled of the one before. */
  forget(): void {
    this.following.end();
    this.readings = this.createReadings();
    this.following = this.createFollowing(new WriteWorkLog());
    this.redo = new RedoSamples();
    this.known = { ...NOTHING_KNOWN, server: this.known.server + 1 };
    this.progress.drop();
  }

  dispose(): void {
    this.isDisposed = true;
    this.following.end();
    this.next?.dispose();
  }

  private createReadings(): EvidenceReadings {
    return new EvidenceReadings(this.world.query, this.world.elapsedMs, pauseBy(this.world));
  }

  private createFollowing(log: WriteWorkLog): WorkFollowing {
    return new WorkFollowing({ ...this.world, sampled: () => this.touch() }, log);
  }

  private async takeUpWork(bytes: Uint8Array): Promise<void> {
    const { server } = this.known;
    const isOver = (): boolean => this.isDisposed || this.known.server !== server || this.following.log.databases.length > 0;
    const decoded = isOver() ? null : await runInSlices(decodeWriteWork(bytes), isOver, this.world);
    if (decoded === null || isOver()) return;
    const { log, problem } = decoded;
    if (log === null) return this.world.warn(`Write work that was kept could not be read: ${problem}`);
    const wasGoingOn = this.following.isGoingOn;
    this.following.end();
    this.following = this.createFollowing(log);
    if (wasGoingOn) this.follow(true);
  }

  private takeUpChanges(bytes: Uint8Array): void {
    const { changes, problem } = decodeChanges(bytes);
    if (problem !== null) this.world.warn(`Changes that were kept could not be read: ${problem}`);
    const { ownChanges, changes: all } = this.known;
    this.note({ ownChanges: joinChanges(changes, ownChanges), changes: joinChanges(changes, all) });
  }

  private takeUpWatch(bytes: Uint8Array): void {
    const { plans, looks, problem } = decodeWatch(bytes);
    if (problem !== null) this.world.warn(`The forecast that was kept could not be read: ${problem}`);
    this.note({ plans: joinPlans([...plans, ...this.known.plans], this.known.changes) });
    this.readings.takeUpLooks(looks);
  }

  private computeIn(delayMs: number): void {
    this.next = this.world.schedule(delayMs, () => {
      this.next = null;
      void this.compute();
    });
  }

  private async computeInTurn(signal?: AbortSignal): Promise<string | null> {
    while (this.working !== null && signal?.aborted !== true) await this.working;
    return signal?.aborted === true ? CANCELLED : this.compute();
  }

  /**
   * Reads what is due, then computes. A failure goes to the log, and it is tried again when somebody looks.
   * @returns one sentence if there are no new pages
   */
  private async compute(): Promise<string | null> {
    const { facts } = this.world.subject();
    if (this.isDisposed) return t('The window is being closed.');
    if (facts === null) return t('The server has not answered yet. Try again.');
    if (this.working !== null) return null;
    this.note({ isStale: false });
    this.working = this.renew(facts).catch((error: unknown) => describeError(error));
    const failure = await this.working;
    this.working = null;
    this.progress.end();
    if (failure !== null) {
      this.touch();
      if (!this.isDisposed && failure !== CANCELLED) this.world.warn(`Evidence could not be gathered: ${failure}`);
    }
    if (!this.isDisposed) this.world.changed();
    return failure;
  }

  /** If reading is cancelled, the pages are made of what was read before. @returns one sentence if there are no new pages */
  private async renew(facts: Facts): Promise<string | null> {
    const { server } = this.known;
    if (this.readings.isDue) {
      this.progress.goOn();
      await this.read(facts, this.progress.begin(t('Reading the error log and the backups…')));
    }
    const signal = this.progress.begin(t('Computing the pages…'));
    const isOver = (): boolean => this.isDisposed || this.known.server !== server || signal.aborted;
    const joined = isOver() ? null : await runInSlices(joinEvidence(this.listSources(facts)), isOver, this.world);
    if (joined !== null) {
      const { changes: before } = this.known;
      // The same list stays the same value, so that nothing is judged again.
      const changes = JSON.stringify(joined.changes) === JSON.stringify(before) ? before : joined.changes;
      this.note({ marks: joined.marks, offsets: joined.offsets, changes });
      await this.world.judge();
    }
    const computed =
      joined === null || isOver() ? null : await runInSlices(computePages(this.listSources(facts), joined), isOver, this.world);
    if (this.isDisposed) return t('The window is being closed.');
    if (this.known.server !== server) return t('Another server answers now. Try again.');
    if (signal.aborted) this.note({ heldBackUntilMs: this.world.elapsedMs() + HOLD_MS });
    if (signal.aborted || computed === null) return CANCELLED;
    const { known, nearestLimit, missed, logWrites, byWaits, ...pages } = computed;
    this.note({ pages, told: { known, missed, logWrites, byWaits } });
    this.hold(nearestLimit);
    return null;
  }

  private get isHeld(): boolean {
    const { nearestLimit, exceededMs } = this.known;
    return nearestLimit?.isUp === true && this.world.elapsedMs() - exceededMs < HOLD_ENDS_MS;
  }

  /** One that is exceeded counts until none was for ten minutes, so that a hold does not come and go with a value at its limit. */
  private hold(nearest: NearestLimit | null): void {
    if (nearest?.isUp === true) this.note({ nearestLimit: nearest, exceededMs: this.world.elapsedMs() });
    else if (!this.isHeld) this.note({ nearestLimit: nearest });
  }

  private listSources(facts: Facts): Parameters<typeof computePages>[0] {
    const { readings, redo, isHeld } = this;
    const { forecast } = this;
    const { ownChanges: changes } = this.known;
    const { log: work, status: sampling, isGoingOn: isSampling } = this.following;
    redo.add(facts);
    return { ...this.world.subject(), facts, changes, forecast, readings, work, sampling, isSampling, redo, isHeld };
  }

  /** Reads when it has its turn on this server. If the server could not be asked, or the user cancels, what was read before stays. */
  private async read(facts: Facts, signal: AbortSignal): Promise<void> {
    const { readings } = this;
    const { capture } = this.world.subject();
    const misses = capture === null ? null : (capture.ledger().otherByName.get(TARGET_MISS) ?? 0);
    const reading = this.world.enqueue(() => readings.read(facts, misses, signal), signal);
    try {
      await untilAborted(reading, signal, undefined);
    } catch (error) {
      if (!this.isDisposed && !signal.aborted) this.world.warn(`Error log and backups could not be read: ${describeError(error)}`);
    }
    if (signal.aborted) readings.hold(HOLD_MS);
  }
}
