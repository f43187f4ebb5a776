import type { Facts } from '../../core/advice/facts';
import type { KeptForecast } from '../../core/advice/forecast';
import { listPlanned } from '../../core/advice/forecast-seen';
import type { KeptSection } from '../../core/capture/capture-record';
import { type DatabaseChange, findSwitches } from '../../core/task/change-moment';
import { BLOCK_MS } from '../../core/write-work/block';
import { decodeWriteWork, encodeWriteWork, joinWriteWork } from '../../core/write-work/write-work-bytes';
import type { EvidencePages } from '../../core/pages/evidence-page';
import { readStripSamples, type StripPosition, type StripUpdate } from '../../core/timeline/strip-series';
import { describeError } from '../queries/failure';
import type { JudgedOn } from '../facts/server-judgement';
import { sampleDue, type Sampled } from '../facts/write-work-sampling';
import {
  CHANGES_SECTION,
  decodeChanges,
  decodeWatch,
  WATCH_SECTION,
  WORK_SECTION,
  writeNoted,
} from './kept-changes';
import { isDue, onReadings, readMore } from './evidence-readings';
import { computePages, joinEvidence } from './evidence-pages';
import type { EvidenceWorld, TimelineEvidence } from './evidence-world';
import {
  beginGathering,
  type GatheringChange,
  type GatheringEffect,
  findForecast,
  type Gathering,
  isHeld,
  onGathering,
  sentences,
} from './gathering';
import { Alarm, runInSlices, untilAborted } from '../queries/slices';
import { t } from '../../core/language';

/** Work that ends sooner is not mentioned. */
const TELL_AFTER_MS = 1_000;

/**
 * The evidence about one server besides its checkpoints: write work, sampled while tracking; error log and backups,
 * read while a page is open; and the pages made of all of it, computed in slices when they are asked for. Does what
 * `gathering` says.
 */
export class ServerEvidence implements TimelineEvidence {
  known = beginGathering();
  private working: Promise<string | null> | null = null;
  private canceller = new AbortController();
  private readonly next: Alarm;
  private readonly telling: Alarm;
  private readonly nextSample: Alarm;

  constructor(private readonly world: EvidenceWorld) {
    this.next = new Alarm(world.schedule);
    this.telling = new Alarm(world.schedule);
    this.nextSample = new Alarm(world.schedule);
  }

  get now(): Gathering {
    const isBusy = this.working !== null || this.next.isSet;
    return { ...this.known, facts: this.world.subject().facts, elapsedMs: this.world.elapsedMs(), isBusy };
  }

  /** Something happens: the one place where that changes anything, and where its effects are run. */
  tell<Rest extends readonly unknown[]>(
    event: (now: Gathering, ...rest: Rest) => GatheringChange,
    ...rest: Rest
  ): void {
    const { state } = this.known;
    const [news, ...effects] = event(this.now, ...rest);
    this.known = { ...this.known, ...news };
    if (this.known.doing === null) this.telling.stop();
    if (!this.known.work.isGoingOn) this.nextSample.stop();
    for (const effect of effects) this.run(effect);
    const isShown = state.reading !== this.known.state.reading || state.stopped !== this.known.state.stopped;
    if (isShown && !this.known.isOver) this.world.progressed();
  }

  private run(effect: GatheringEffect): void {
    if (effect === 'cancel') return this.canceller.abort();
    if (effect === 'begin') {
      this.canceller = new AbortController();
      return this.telling.set(TELL_AFTER_MS, () => this.tell(onGathering.tell));
    }
    if ('pagesInMs' in effect) return this.next.set(effect.pagesInMs, () => void this.compute());
    // Only the end of the window refuses a sample, before it begins.
    this.nextSample.set(
      effect.sampleInMs,
      () => void this.world.enqueue(() => this.sample()).catch(() => undefined),
    );
  }

  readSamples(held: StripPosition | null): StripUpdate | null {
    return readStripSamples(this.known.work.log, this.known.work.isGoingOn, held);
  }

  cancelReading(): void {
    this.tell(onGathering.cancel);
  }

  /** The server is being asked something anyway: a sample that is due goes in the same text. Never fails. */
  async sampleAlong(): Promise<void> {
    if (this.known.work.dueMs <= this.world.elapsedMs()) await this.sample();
  }

  /**
   * What verdicts rest on besides checkpoints. `known`: by database_id, null if it was not read yet; `grounds`: what
   * tells the task's checkpoints from others.
   */
  get grounds(): Partial<JudgedOn> {
    const { changes, offsets, nearestLimit, told, readings } = this.known;
    const { forecast } = this;
    return {
      ...told,
      hold: nearestLimit?.isUp === true ? nearestLimit : null,
      planned: forecast && listPlanned(forecast, findSwitches(changes, forecast.madeUtcMs)),
      grounds: { backups: readings.knownBackups, changes, offsets },
    };
  }

  /** The pages as they were computed last; newer ones follow if something changed. null: none yet. */
  ask(): EvidencePages | null {
    this.tell(onGathering.look);
    return this.known.pages;
  }

  /**
   * The pages as of now. Cancelling ends the wait at once.
   * @throws Error with one sentence if they could not be gathered
   */
  async gather(signal?: AbortSignal): Promise<EvidencePages> {
    this.tell(onGathering.goOn);
    const failure = await untilAborted(this.computeInTurn(signal), signal, sentences.cancelled);
    if (failure !== null) throw new Error(failure);
    if (this.known.pages === null) throw new Error(sentences.left);
    return this.known.pages;
  }

  addChanges(changes: readonly DatabaseChange[]): void {
    this.tell(onGathering.changes, changes);
  }

  get forecast(): KeptForecast | null {
    return findForecast(this.known);
  }

  keepForecast(fresh: KeptForecast | null): void {
    if (fresh !== null) this.tell(onGathering.forecast, fresh);
  }

  /**
   * Gives what is new to keep with a capture, for the next window. While a long log grows, it is written out once in
   * each block, and at the end.
   */
  async keep(): Promise<readonly KeptSection[]> {
    const { plans, ownChanges, changes, readings, written, work, elapsedMs, isOver } = this.now;
    const kept = writeNoted(ownChanges, { plans, looks: readings.looks }, changes);
    const { log } = work;
    if (work.isGoingOn && written?.log === log && elapsedMs - written.atMs < BLOCK_MS && !isOver) return kept;
    this.tell(onGathering.written, log);
    const bytes = await runInSlices(encodeWriteWork(log), () => false, this.world);
    return bytes === null
      ? kept
      : [{ name: WORK_SECTION, bytes, join: (earlier, own) => joinWriteWork(own, earlier) }, ...kept];
  }

  /** Takes up what an earlier window kept. Kept samples are ignored if something was sampled since. */
  async takeUp(sections: readonly KeptSection[]): Promise<void> {
    let work: Uint8Array | null = null;
    for (const { name, bytes } of sections) {
      if (name === CHANGES_SECTION) {
        const { changes, problem } = decodeChanges(bytes);
        if (problem !== null) this.world.warn(`Changes that were kept could not be read: ${problem}`);
        this.tell(onGathering.keptChanges, changes);
      }
      if (name === WATCH_SECTION) {
        const { problem, ...kept } = decodeWatch(bytes);
        if (problem !== null) this.world.warn(`The forecast that was kept could not be read: ${problem}`);
        this.tell(onGathering.keptWatch, kept);
      }
      if (name !== WORK_SECTION) continue;
      const joined: Uint8Array | null =
        work === null
          ? bytes
          : await runInSlices(joinWriteWork(work, bytes), () => this.known.isOver, this.world);
      work = joined ?? work;
    }
    if (work !== null) await this.takeUpWork(work);
    this.tell(onGathering.touch);
  }

  dispose(): void {
    this.tell(onGathering.close);
    this.next.stop();
  }

  /** A refusal is in the status. A lost connection is told once, and the sample is tried again. */
  private async sample(): Promise<void> {
    const { world } = this;
    const { sampled: before, log, isGoingOn, plans, engineEdition } = this.known.work;
    if (before === null || !isGoingOn) return;
    const isLeft = this.watchServer();
    const tell = (event: (was: Sampled) => Sampled): Sampled => {
      const sampled = event(this.known.work.sampled ?? before);
      if (!isLeft()) this.tell(onGathering.sampling, sampled);
      return sampled;
    };
    try {
      this.tell(onGathering.sample, plans, await sampleDue({ world, log, tell }, before, engineEdition));
    } catch (error) {
      if (isLeft()) return;
      if (!this.known.work.isLost) world.warn(`Write work could not be sampled: ${describeError(error)}`);
      this.tell(onGathering.sample, plans, null);
    }
  }

  private async takeUpWork(bytes: Uint8Array): Promise<void> {
    const isLeft = this.watchServer();
    const isOver = (): boolean => isLeft() || this.known.work.log.databases.length > 0;
    const decoded = isOver() ? null : await runInSlices(decodeWriteWork(bytes), isOver, this.world);
    if (decoded === null || isOver()) return;
    const { log, problem } = decoded;
    if (log === null) return this.world.warn(`Write work that was kept could not be read: ${problem}`);
    this.tell(onGathering.keptWork, log);
  }

  private async computeInTurn(signal?: AbortSignal): Promise<string | null> {
    while (this.working !== null && signal?.aborted !== true) await this.working;
    return signal?.aborted === true ? sentences.cancelled : this.compute();
  }

  /**
   * Reads what is due, then computes. A failure goes to the log, and it is tried again while a page is open.
   * @returns one sentence if there are no new pages
   */
  private async compute(): Promise<string | null> {
    const { facts, isOver } = this.now;
    if (isOver || facts === null) return isOver ? sentences.over : sentences.unasked;
    if (this.working !== null) return null;
    this.tell(onGathering.compute, facts);
    this.working = this.renew(facts).catch((error: unknown) => describeError(error));
    const failure = await this.working;
    this.working = null;
    this.tell(onGathering.end, failure);
    if (this.known.isOver) return failure;
    if (failure !== null && failure !== sentences.cancelled)
      this.world.warn(`Evidence could not be gathered: ${failure}`);
    this.world.changed();
    return failure;
  }

  /**
   * If reading is cancelled, the pages are made of what was read before.
   * @returns one sentence if there are no new pages
   */
  private async renew(facts: Facts): Promise<string | null> {
    const isLeft = this.watchServer();
    if (isDue(this.known.readings, this.world.elapsedMs())) await this.read(facts, isLeft);
    this.tell(onGathering.begin, t('Computing the pages…'));
    const { signal } = this.canceller;
    const isOver = (): boolean => isLeft() || signal.aborted;
    const joined = isOver()
      ? null
      : await runInSlices(joinEvidence(this.listSources(facts)), isOver, this.world);
    if (joined !== null) {
      this.tell(onGathering.joined, joined);
      await this.world.judge();
    }
    const computed =
      joined === null || isOver()
        ? null
        : await runInSlices(computePages(this.listSources(facts), joined), isOver, this.world);
    if (isLeft()) return this.known.isOver ? sentences.over : sentences.left;
    if (signal.aborted) this.tell(onGathering.cancelled);
    if (signal.aborted || computed === null) return sentences.cancelled;
    this.tell(onGathering.pages, computed);
    return null;
  }

  /** Tells later whether another server answers since, or the window was closed. */
  private watchServer(): () => boolean {
    const { server } = this.known;
    return () => this.known.isOver || this.known.server !== server;
  }

  private listSources(facts: Facts): Parameters<typeof computePages>[0] {
    const { now, forecast } = this;
    const { ownChanges: changes, readings, redo } = now;
    const { log: work, sampled: sampling, isGoingOn: isSampling } = now.work;
    return {
      ...this.world.subject(),
      facts,
      changes,
      forecast,
      readings,
      work,
      sampling,
      isSampling,
      redo,
      isHeld: isHeld(now),
    };
  }

  /**
   * Reads when it has its turn on this server. If the server could not be asked, or the user cancels, what was read
   * before stays.
   */
  private async read(facts: Facts, isLeft: () => boolean): Promise<void> {
    const { world } = this;
    this.tell(onGathering.read);
    const { signal } = this.canceller;
    const reading = world.enqueue(async () => {
      for await (const news of readMore(world.query, facts, world, () => this.known.readings)) {
        if (isLeft()) return;
        this.tell(onGathering.readings, news);
        await world.letClicksPass();
      }
    }, signal);
    try {
      await untilAborted(reading, signal, undefined);
    } catch (error) {
      if (signal.aborted || isLeft()) return;
      this.tell(onGathering.readings, onReadings.lost(this.known.readings, world.elapsedMs()));
      world.warn(`Error log and backups could not be read: ${describeError(error)}`);
    } finally {
      if (signal.aborted && !isLeft()) this.tell(onGathering.unread);
    }
  }
}
