import type { Facts } from '../core/advice/facts';
import { DEFAULT_BOUND } from '../core/advice/instance';
import { keepForecast } from '../core/advice/forecast';
import { type Choice, listWaves } from '../core/advice/plan';
import { noPolicy } from '../core/advice/policy';
import type { AdoptableSession } from '../core/session/event-session';
import type { CaptureRecord } from '../core/capture/capture-record';
import type { ScriptRequest } from '../core/script/script-request';
import type { ReviewScript } from '../core/script/script-set';
import type { EvidencePages } from '../core/pages/evidence-page';
import { DATABASES_A_STEP, ROWS_A_STEP } from '../core/steps';
import { findChanges, readFacts } from './facts/facts-reading';
import { readMoreFacts } from './facts/more-facts-reading';
import { readAlong } from './evidence/along-reading';
import { ServerEvidence } from './evidence/server-evidence';
import { AnotherServer, describeError } from './queries/failure';
import type { Click } from './queries/login-standing';
import { spaceOut } from './queries/observer-cost';
import type { ConnectionState, ReviewedSwitch, ServerChange, ServerMonitor, ServerSnapshot, SwitchReview } from './server-monitor';
import { writeScripts } from './script-writing';
import { ServerJudgement } from './facts/server-judgement';
import { ServerQuery } from './queries/server-query';
import { readAdoptable } from './tracking/session-looks';
import { takeShortSteps } from './queries/slices';
import type { SessionElsewhere } from './tracking/session-owner';
import type { MonitorSurroundings } from './queries/surroundings';
import { reviewSwitch } from './switch-review';
import { on } from './tracking/following';
import { Tracking } from './tracking/tracking';
import { WorkQueue } from './queries/work-queue';
import { t } from '../core/language';

/** What is known of a server that was not asked anything yet, and of the reading of its facts. */
const NOTHING_KNOWN = {
  ...{ connection: 'not connected' as ConnectionState, failure: null as string | null, facts: null as Facts | null },
  /** `isTakenUp`: it was asked if something is tracked; `isMoreDue`: reading the facts that take longer waits in the queue. */
  ...{ isTakenUp: false, isReading: false, isMoreDue: false, isDisposed: false },
  /** Milliseconds that the server took for the facts. */
  factsCostMs: 0,
};

class MonitoredServer implements ServerMonitor {
  readonly id: string;
  readonly timeline: ServerEvidence;
  private readonly query: ServerQuery;
  private readonly tracking: Tracking;
  private readonly listeners = new Set<(change: ServerChange) => void>();
  private known: Readonly<typeof NOTHING_KNOWN> = NOTHING_KNOWN;
  private readonly judgement = new ServerJudgement(
    () => this.surroundings.policy?.current ?? noPolicy,
    () => this.surroundings.busyBound?.() ?? DEFAULT_BOUND,
  );
  private readonly listening: { dispose(): void } | undefined;
  private readonly queue = new WorkQueue();
  private nextRefresh: { dispose(): void } | null = null;

  readonly pauseReading = (): void => void this.tracking.followed?.tell(on.pause);
  readonly readOn = (): void => void this.tracking.followed?.tell(on.readOn);

  readonly readAlong: ServerMonitor['readAlong'] = (request, signal) =>
    this.enqueue(() => readAlong(this.query, request, this.surroundings), signal);

  constructor(private readonly surroundings: MonitorSurroundings) {
    this.id = surroundings.access.id;
    const listener = { standingChanged: () => this.afterStanding(), silenceChanged: () => this.notify('facts') };
    this.query = new ServerQuery(surroundings.access, surroundings.breaker, listener, surroundings.recorder);
    this.tracking = new Tracking(this.query, surroundings, {
      // Write work is sampled while checkpoints are followed, and only then.
      changed: () => {
        this.timeline.follow(this.tracking.state === 'tracking' || this.tracking.state === 'stopping');
        this.notify('tracking');
      },
      read: (isFinal) => this.afterRead(isFinal),
      enqueue: (work) => this.behind(work),
      keepAlong: () => this.timeline.keep(),
      sampleAlong: () => this.timeline.sampleAlong(),
      serverChanged: () => this.askAnew(),
    });
    this.timeline = new ServerEvidence({
      query: this.query,
      schedule: surroundings.schedule,
      elapsedMs: surroundings.elapsedMs,
      intervals: surroundings.sampling,
      enqueue: (work, signal) => this.enqueue(work, signal),
      warn: (message) => surroundings.log.warn(`${surroundings.access.label}: ${message}`),
      subject: () => {
        const { evidence, instance } = this.judgement;
        const { result = null, since = null } = evidence ?? {};
        return { facts: this.known.facts, capture: this.capture, trackedDatabaseIds: this.tracking.databaseIds, result, since, instance };
      },
      judge: () => this.judgeAgain(),
      changed: () => {
        this.notify('evidence');
        void this.judgeAgain();
      },
      progressed: () => this.notify('evidence'),
    });
    this.listening = surroundings.policy?.onDidChange(() => void this.judgeAgain());
  }

  get capture(): CaptureRecord | null {
    return this.tracking.capture;
  }

  get snapshot(): ServerSnapshot {
    const { connection, failure, facts } = this.known;
    const { lastAnswerMs: lastReadMs, silentSinceMs } = this.query.answering;
    const { instance, verdicts, statistics, preflight, evidence } = this.judgement;
    const { forecast, known } = this.timeline;
    const { changes, nearestLimit } = known;
    return {
      ...{ id: this.id, label: this.surroundings.access.label, standing: this.query.door.standing },
      ...{ silentSinceMs, lastReadMs, waitsFor: this.query.door.waitsFor },
      cost: { lastMinute: this.query.lastMinute, ...this.tracking.cost },
      ...{ connection, failure, facts, instance, verdicts, statistics, preflight, result: evidence?.result ?? null },
      tracking: this.tracking.describe(connection === 'connected' && silentSinceMs === null),
      ...{ trackingSinceUtcMs: this.tracking.sinceUtcMs, trackedDatabaseIds: this.tracking.databaseIds },
      ...{ adoptedSession: this.tracking.adoptedSession, changes, nearestLimit, forecast },
    };
  }

  onDidChange(listener: (change: ServerChange) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  askForEvidence(): EvidencePages | null {
    void this.tracking.followed?.tell(on.look);
    return this.timeline.ask();
  }

  gatherEvidence(signal?: AbortSignal): Promise<EvidencePages> {
    return this.timeline.gather(signal);
  }

  setChanges(databaseIds: readonly number[], atUtcMs: number): Promise<boolean> {
    const change = { atUtcMs, notBeforeUtcMs: atUtcMs, source: 'user', fromSeconds: null, toSeconds: null } as const;
    this.timeline.addChanges(databaseIds.map((databaseId) => ({ databaseId, ...change })));
    this.notify('facts');
    return this.tracking.keepNow();
  }

  keepNow(): Promise<boolean> {
    this.timeline.keepAll();
    return this.tracking.keepNow();
  }

  async keepForecast({ forecast, plan }: SwitchReview): Promise<void> {
    const [{ facts }, { capture, judgement }] = [this.known, this];
    if (forecast === null || facts === null || capture?.observation == null) return;
    const { beginUtcMs, endUtcMs } = capture.observation;
    const fromUtcMs = Math.max(beginUtcMs, judgement.instance?.sinceUtcMs ?? -Infinity);
    const when = { madeUtcMs: facts.server.nowUtcMs, fromUtcMs, toUtcMs: endUtcMs };
    this.timeline.keepForecast(keepForecast(forecast, listWaves(plan.steps), when));
    await this.tracking.keepNow();
  }

  async refresh(signal?: AbortSignal): Promise<void> {
    this.timeline.refresh();
    this.readOn();
    const wasConnected = this.known.connection === 'connected';
    await this.onClick(() => this.readFacts(signal), signal);
    if (!wasConnected || this.known.isMoreDue) return;
    this.note({ isMoreDue: true });
    // Whatever the user asks for next goes first.
    this.behind(() => this.readFacts(undefined, 'more'));
  }

  look(when: 'when due' | 'now' = 'when due'): Promise<void> {
    if (when === 'now') this.query.door.hurry();
    return this.enqueue(() => this.readFacts());
  }

  startTracking(databaseIds: readonly number[] | null, signal?: AbortSignal, agreed: SessionElsewhere | null = null): Promise<void> {
    return this.onClick(async () => this.tracking.start(await this.requireFacts(), databaseIds, agreed), signal);
  }

  listAdoptable(signal?: AbortSignal): Promise<readonly AdoptableSession[]> {
    return this.onClick(() => readAdoptable(this.query), signal);
  }

  adopt(sessionName: string, signal?: AbortSignal): Promise<void> {
    return this.onClick(async () => this.tracking.adopt(await this.requireFacts(), sessionName), signal);
  }

  stopTracking(signal?: AbortSignal, agreed: SessionElsewhere | null = null): Promise<void> {
    return this.onClick(() => this.tracking.stop(this.known.facts, agreed), signal);
  }

  removeTracking(signal?: AbortSignal, agreed: SessionElsewhere | null = null): Promise<readonly string[]> {
    return this.onClick(async () => this.tracking.remove(await this.requireFacts(), agreed), signal);
  }

  changeTrackedDatabases(
    databaseIds: readonly number[] | null,
    signal?: AbortSignal,
    agreed: SessionElsewhere | null = null,
  ): Promise<void> {
    return this.onClick(async () => this.tracking.changeDatabases(await this.requireFacts(), databaseIds, agreed), signal);
  }

  showTrackingTexts(databaseIds: readonly number[] | null): ReturnType<ServerMonitor['showTrackingTexts']> {
    return this.tracking.own.listTexts(this.known.facts, databaseIds);
  }

  async reviewSwitch(choice: Choice, signal?: AbortSignal): Promise<ReviewedSwitch> {
    await this.onClick(() => this.readFacts(signal, 'all'), signal);
    // A limit that is exceeded keeps the next wave on hold, whether or not the pages were opened.
    if (this.judgement.isWaveWatched) await this.timeline.gather(signal).catch(() => signal?.throwIfAborted());
    await this.judgeAgain();
    return this.planOf(choice, this.currentFacts());
  }

  /** Does not wait for the server: the facts that were read stay as they are while it is planned. */
  async replanSwitch(choice: Choice): Promise<ReviewedSwitch> {
    return this.planOf(choice, this.known.facts ?? this.currentFacts());
  }

  private async planOf(choice: Choice, facts: Facts): Promise<ReviewedSwitch> {
    const { evidence, policy, instance, verdicts } = this.judgement;
    const grounds = { inForce: policy, hash: this.surroundings.hash, instance, verdicts };
    const steps = reviewSwitch(choice, facts, evidence, this.capture, grounds);
    const review = await takeShortSteps(steps, choice.databaseIds.length <= 2 * DATABASES_A_STEP, this.surroundings);
    return { ...review, facts, instance, verdicts };
  }

  writeScript(request: ScriptRequest, signal?: AbortSignal): Promise<readonly ReviewScript[]> {
    return this.onClick(() => this.readFacts(signal).then(() => writeScripts(request, this.currentFacts(), this.judgement)), signal);
  }

  leave(reason: string): Promise<void> {
    return this.enqueue(async () => {
      if (this.known.connection !== 'connected' || this.tracking.state === 'tracking' || this.tracking.isFinishing) return;
      this.nextRefresh?.dispose();
      await this.query.disconnect();
      this.query.door.hold(reason);
    });
  }

  async dispose(): Promise<void> {
    this.note({ isDisposed: true });
    this.nextRefresh?.dispose();
    this.listeners.clear();
    this.listening?.dispose();
    this.timeline.dispose();
    await this.tracking.followed?.leave();
    await this.query.dispose();
  }

  /** Does what the user asked for: it may log in again after an earlier refusal, and ask for a password. */
  private onClick<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const done = this.enqueue(work, signal, this.query.takeClick());
    done.catch((error: unknown) => error instanceof AnotherServer && this.askAnew());
    return done;
  }

  /** Another server answers now: nothing is done by the facts of the one before. */
  private askAnew(): void {
    this.note({ isTakenUp: false });
    this.behind();
  }

  private enqueue<T>(work: () => Promise<T>, signal?: AbortSignal, click: Click = null): Promise<T> {
    return this.queue.add(() => this.query.during(signal, click, work), click !== null);
  }

  /** Does what nobody waits for: what has not begun when the window closes is left. */
  private behind(work = (): Promise<void> => this.readFacts()): void {
    this.enqueue(work).catch((error: unknown) => void (this.known.isDisposed || this.surroundings.log.warn(describeError(error))));
  }

  /** Called when the state of the login changed, whether a poll, a sample or evidence found out. Shows it at once, and reads again once the server answers. */
  private afterStanding(): void {
    if (this.known.isDisposed) return;
    const { standing } = this.query.door;
    const wasAsked = this.known.connection === 'connected' || this.known.connection === 'failed';
    if (standing !== null && wasAsked) this.changeConnection('failed', standing.sentence);
    else this.notify('facts');
    if (this.known.connection === 'failed' && !this.known.isReading) this.scheduleRefresh(0);
  }

  private notify(change: ServerChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }

  private async requireFacts(): Promise<Facts> {
    if (!this.known.isTakenUp || this.known.connection !== 'connected') await this.readFacts();
    return this.currentFacts();
  }

  /** @throws Error with the sentence of the failure if the last reading failed */
  private currentFacts(): Facts {
    if (this.known.facts === null || this.known.connection !== 'connected')
      throw new Error(this.known.failure ?? t('{0} is not connected.', this.surroundings.access.label));
    return this.known.facts;
  }

  /**
   * Reads the facts. `more`: those that take longer. A failure is kept as a sentence, and what was known stays. If the user gave up, the server has
   * not failed.
   */
  private async readFacts(signal?: AbortSignal, what: 'quick' | 'more' | 'all' = 'quick'): Promise<void> {
    if (this.known.isDisposed) return;
    const wasConnected = this.known.connection === 'connected';
    if (what === 'more') this.note({ isMoreDue: false });
    if (what === 'more' && !wasConnected) return;
    this.nextRefresh?.dispose();
    // While a try runs in the background, the last failure stays on screen.
    if (this.known.connection === 'not connected' || (this.known.connection === 'failed' && this.query.isForClick))
      this.changeConnection('connecting', null);
    this.note({ isReading: true });
    const { spentMs } = this.query.answering;
    // While connecting: a server may take long to answer, and what was kept is on the disk.
    const shown = this.known.facts === null ? this.tracking.showKept() : null;
    try {
      const known = what === 'more' ? this.known.facts : null;
      const quick = known === null ? await readFacts(this.query, this.known.facts) : { facts: known, problems: [] };
      const reading = what === 'quick' ? quick : await readMoreFacts(this.query, quick, this.surroundings.elapsedMs);
      this.note({ factsCostMs: this.query.answering.spentMs - spentMs });
      for (const problem of reading.problems) this.surroundings.log.warn(`${this.surroundings.access.label}: ${problem.message}`);
      if (this.known.facts !== null && this.known.facts.server.serverName !== reading.facts.server.serverName) {
        // Before the samples are forgotten: they are kept with the capture.
        await this.tracking.leaveOther(reading.facts);
        this.timeline.forget();
        this.judgement.forget();
        this.note({ isTakenUp: false });
      }
      this.timeline.addChanges(findChanges(this.known.facts, reading.facts));
      await shown;
      this.note({ facts: reading.facts });
      if (!this.known.isTakenUp) {
        this.note({ isTakenUp: await this.tracking.takeUp(reading.facts) });
        await this.timeline.takeUp(this.tracking.recovered.takeSections());
      }
      // What follows takes longer than reading did, and is announced when it is done.
      this.changeConnection('connected', null);
      const isShort = (this.capture?.columns.rows ?? 0) <= ROWS_A_STEP;
      await takeShortSteps(this.tracking.nameDatabases(reading.facts), isShort, this.surroundings);
      this.judgement.summarize(this.capture, reading.facts);
      await this.judgeAgain();
      void this.tracking.followed?.tell(on.resume);
      // Soon after the first: two looks at the waits tell how busy the checkpoint task is.
      this.scheduleRefresh(spaceOut(this.surroundings.refreshIntervalMs / (wasConnected ? 1 : 2), this.known.factsCostMs));
      if (this.judgement.isWaveWatched) this.timeline.ask();
    } catch (error) {
      if (this.known.isDisposed) return;
      if (signal?.aborted === true && wasConnected) {
        this.scheduleRefresh();
        throw error;
      }
      await shown;
      this.changeConnection('failed', describeError(error));
      if (this.known.facts !== null || this.query.door.standing !== null) this.scheduleRefresh();
    } finally {
      this.note({ isReading: false });
    }
  }

  /** Plans the next read, unless only a click may ask the server. @param delayMs if nothing keeps the server from being asked */
  private scheduleRefresh(delayMs = spaceOut(this.surroundings.refreshIntervalMs, this.known.factsCostMs)): void {
    this.nextRefresh?.dispose();
    const { retryInMs } = this.query.door;
    if (retryInMs === null || this.known.isDisposed) return;
    this.nextRefresh = this.surroundings.schedule(retryInMs === 0 ? delayMs : retryInMs, () => this.behind());
  }

  private afterRead(isFinal: boolean): void {
    const grown = isFinal || this.judgement.hasGrown(this.capture?.columns.rows ?? 0);
    if (grown && this.known.facts !== null) this.judgement.summarize(this.capture, this.known.facts);
    this.timeline.touch();
    this.notify('capture');
    if (grown) void this.judgeAgain();
  }

  /** The policy, or something else that verdicts rest on, has changed. */
  private async judgeAgain(): Promise<void> {
    const [{ facts }, { surroundings, judgement }] = [this.known, this];
    if (this.known.isDisposed) return;
    if (facts !== null) {
      const steps = judgement.judge({ facts, ...this.tracking.listMeasured(facts), ...this.timeline.grounds });
      await takeShortSteps(steps, facts.databases.length <= 2 * DATABASES_A_STEP && judgement.isShort(ROWS_A_STEP), surroundings);
    }
    if (!this.known.isDisposed) this.notify('facts');
  }

  private note(news: Partial<typeof NOTHING_KNOWN>): void {
    this.known = { ...this.known, ...news };
  }

  private changeConnection(connection: ConnectionState, failure: string | null): void {
    this.note({ connection, failure });
    this.notify('facts');
  }
}

/** Watches one server. Nothing is asked of the server before `refresh` or another method is called. */
export function createServerMonitor(surroundings: MonitorSurroundings): ServerMonitor {
  return new MonitoredServer(surroundings);
}
