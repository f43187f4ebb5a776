import type { Facts } from '../core/advice/facts';
import { DEFAULT_BOUND } from '../core/advice/instance';
import { keepForecast } from '../core/advice/forecast';
import { type Choice, listWaves } from '../core/advice/plan';
import { noPolicy } from '../core/advice/policy';
import type { CaptureRecord } from '../core/capture/capture-record';
import type { ScriptRequest } from '../core/script/script-request';
import type { ReviewScript } from '../core/script/script-set';
import type { EvidencePages } from '../core/pages/evidence-page';
import { DATABASES_A_STEP, ROWS_A_STEP } from '../core/steps';
import { findChanges, readFacts } from './facts/facts-reading';
import { readMoreFacts } from './facts/more-facts-reading';
import { readAlong } from './evidence/along-reading';
import { onGathering } from './evidence/gathering';
import { ServerEvidence } from './evidence/server-evidence';
import { AnotherServer, describeError } from './queries/failure';
import type { Click } from './queries/login-standing';
import { type LifeChange, NOT_ASKED, onServer, type ServerLife, type ServerNow } from './server-life';
import type {
  ReviewedSwitch,
  ServerChange,
  ServerMonitor,
  ServerSnapshot,
  SwitchReview,
} from './server-monitor';
import { writeScripts } from './script-writing';
import { ServerJudgement } from './facts/server-judgement';
import { ServerQuery } from './queries/server-query';
import { readAdoptable } from './tracking/session-looks';
import { Alarm, pauseBy, takeShortSteps } from './queries/slices';
import type { MonitorSurroundings } from './queries/surroundings';
import { reviewSwitch } from './switch-review';
import { onFollowing } from './tracking/following';
import { Tracking } from './tracking/tracking';
import { WorkQueue } from './queries/work-queue';
import { t } from '../core/language';

class MonitoredServer implements ServerMonitor {
  readonly id: string;
  readonly timeline: ServerEvidence;
  private readonly query: ServerQuery;
  private readonly tracking: Tracking;
  private readonly listeners = new Set<(change: ServerChange) => void>();
  private known: ServerLife = NOT_ASKED;
  private readonly judgement = new ServerJudgement(
    () => this.surroundings.policy?.current ?? noPolicy,
    () => this.surroundings.busyBound?.() ?? DEFAULT_BOUND,
  );
  private readonly listening: { dispose(): void } | undefined;
  private readonly queue = new WorkQueue();
  private readonly nextRefresh: Alarm;

  // Clicks about tracking: each is the next thing that is done on this server.
  readonly startTracking: ServerMonitor['startTracking'] = (databaseIds, signal, agreed = null) =>
    this.onClick(
      async (before) => this.tracking.start(await this.requireFacts(before), databaseIds, agreed),
      signal,
    );
  readonly listAdoptable: ServerMonitor['listAdoptable'] = (signal) =>
    this.onClick(() => readAdoptable(this.query), signal);
  readonly adopt: ServerMonitor['adopt'] = (sessionName, signal) =>
    this.onClick(async (before) => this.tracking.adopt(await this.requireFacts(before), sessionName), signal);
  readonly stopTracking: ServerMonitor['stopTracking'] = (signal, agreed = null) =>
    this.onClick(() => this.tracking.stop(this.known.facts, agreed), signal);
  readonly removeTracking: ServerMonitor['removeTracking'] = (signal, agreed = null) =>
    this.onClick(async (before) => this.tracking.remove(await this.requireFacts(before), agreed), signal);
  readonly changeTrackedDatabases: ServerMonitor['changeTrackedDatabases'] = (
    databaseIds,
    signal,
    agreed = null,
  ) =>
    this.onClick(
      async (before) => this.tracking.changeDatabases(await this.requireFacts(before), databaseIds, agreed),
      signal,
    );
  readonly gatherEvidence: ServerMonitor['gatherEvidence'] = (signal) => this.timeline.gather(signal);
  readonly pauseReading = (): void => void this.tracking.followed?.tell(onFollowing.pause);
  readonly readOn = (): void => void this.tracking.followed?.tell(onFollowing.readOn);

  readonly readAlong: ServerMonitor['readAlong'] = (request, signal) =>
    this.enqueue(() => readAlong(this.query, request, this.surroundings), signal);

  constructor(private readonly surroundings: MonitorSurroundings) {
    this.id = surroundings.access.id;
    this.nextRefresh = new Alarm(surroundings.schedule);
    const listener = {
      standingChanged: () => this.tell(onServer.standing),
      silenceChanged: () => this.notify('facts'),
    };
    this.query = new ServerQuery(surroundings.access, surroundings.breaker, listener, surroundings.recorder);
    this.tracking = new Tracking(this.query, surroundings, {
      changed: () => {
        const isTracking = this.tracking.state === 'tracking' || this.tracking.state === 'stopping';
        this.timeline.tell(onGathering.follow, isTracking, surroundings.sampling);
        this.notify('tracking');
      },
      read: (isFinal) => this.afterRead(isFinal),
      enqueue: (work) => this.behind(work),
      keepAlong: () => this.timeline.keep(),
      sampleAlong: () => this.timeline.sampleAlong(),
      targetsChanged: () => this.tell(onServer.change, surroundings.elapsedMs()),
      serverChanged: () => this.askAnew(),
    });
    this.timeline = new ServerEvidence({
      query: this.query,
      schedule: surroundings.schedule,
      elapsedMs: surroundings.elapsedMs,
      pause: pauseBy(surroundings),
      enqueue: (work, signal) => this.enqueue(work, signal),
      letClicksPass: this.queue.letClicksPass,
      warn: (message) => surroundings.log.warn(`${surroundings.access.label}: ${message}`),
      subject: () => {
        const { evidence, instance } = this.judgement;
        const { result = null, since = null } = evidence ?? {};
        return {
          facts: this.known.facts,
          capture: this.capture,
          trackedDatabaseIds: this.tracking.databaseIds,
          result,
          since,
          instance,
        };
      },
      targetMisses: () => this.tracking.targetMisses,
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
      id: this.id,
      label: this.surroundings.access.label,
      standing: this.query.door.standing,
      silentSinceMs,
      lastReadMs,
      waitsFor: this.query.door.waitsFor,
      cost: { lastMinute: this.query.lastMinute, ...this.tracking.cost },
      connection,
      failure,
      facts,
      instance,
      verdicts,
      statistics,
      preflight,
      result: evidence?.result ?? null,
      tracking: this.tracking.describe(connection === 'connected' && silentSinceMs === null),
      trackingSinceUtcMs: this.tracking.sinceUtcMs,
      trackedDatabaseIds: this.tracking.databaseIds,
      adoptedSession: this.tracking.adoptedSession,
      changes,
      nearestLimit,
      forecast,
    };
  }

  onDidChange(listener: (change: ServerChange) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  askForEvidence(): EvidencePages | null {
    void this.tracking.followed?.tell(onFollowing.look);
    return this.timeline.ask();
  }

  setChanges(databaseIds: readonly number[], atUtcMs: number): Promise<boolean> {
    const change = {
      atUtcMs,
      notBeforeUtcMs: atUtcMs,
      source: 'user',
      fromSeconds: null,
      toSeconds: null,
    } as const;
    this.timeline.addChanges(databaseIds.map((databaseId) => ({ databaseId, ...change })));
    this.notify('facts');
    return this.tracking.keepNow();
  }

  keepNow(): Promise<boolean> {
    this.timeline.tell(onGathering.written, null);
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
    this.timeline.tell(onGathering.refresh);
    this.readOn();
    const wasConnected = this.known.connection === 'connected';
    await this.onClick(() => this.readFacts(signal), signal);
    const logs = this.known.facts?.logs;
    // Whatever the user asks for next goes first, and may read the same.
    if (wasConnected)
      this.behind(
        async () => void (this.known.facts?.logs === logs && (await this.readFacts(undefined, 'more'))),
      );
  }

  look(when: 'when due' | 'now' = 'when due'): Promise<void> {
    if (when === 'now') this.query.door.hurry();
    return this.enqueue(() => this.readFacts());
  }

  showTrackingTexts(databaseIds: readonly number[] | null): ReturnType<ServerMonitor['showTrackingTexts']> {
    return this.tracking.own.listTexts(this.known.facts, databaseIds);
  }

  async reviewSwitch(choice: Choice, signal?: AbortSignal): Promise<ReviewedSwitch> {
    const { facts: before } = this.known;
    await this.onClick(() => this.readFacts(signal).then(() => this.readFacts(signal, 'more')), signal);
    // A limit that is exceeded keeps the next wave on hold, whether or not the pages were opened.
    if (this.judgement.isWaveWatched || (this.judgement.instance?.ran ?? 0) > 0)
      await this.timeline.gather(signal).catch(() => signal?.throwIfAborted());
    await this.judgeAgain();
    return this.planOf(choice, this.currentFacts(before));
  }

  /** Does not wait for the server: the facts that were read stay as they are while it is planned. */
  async replanSwitch(choice: Choice): Promise<ReviewedSwitch> {
    return this.planOf(choice, this.known.facts ?? this.currentFacts());
  }

  private async planOf(choice: Choice, facts: Facts): Promise<ReviewedSwitch> {
    const { evidence, policy, instance, verdicts } = this.judgement;
    const grounds = { inForce: policy, hash: this.surroundings.hash, instance, verdicts };
    const steps = reviewSwitch(choice, facts, evidence, this.capture, grounds);
    const review = await takeShortSteps(
      steps,
      choice.databaseIds.length <= 2 * DATABASES_A_STEP,
      this.surroundings,
    );
    return { ...review, facts, instance, verdicts };
  }

  writeScript(request: ScriptRequest, signal?: AbortSignal): Promise<readonly ReviewScript[]> {
    return this.onClick(async (before) => {
      await this.readFacts(signal);
      return writeScripts(request, this.currentFacts(before), this.judgement);
    }, signal);
  }

  leave(reason: string): Promise<void> {
    return this.enqueue(async () => {
      if (
        this.known.connection !== 'connected' ||
        this.tracking.state === 'tracking' ||
        this.tracking.isFinishing
      )
        return;
      this.tell(onServer.hold);
      await this.query.link.close();
      this.query.door.hold(reason);
    });
  }

  async dispose(): Promise<void> {
    this.tell(onServer.close);
    this.listeners.clear();
    this.listening?.dispose();
    this.timeline.dispose();
    await this.tracking.followed?.leave();
    await this.query.dispose();
  }

  /**
   * Does what the user asked for, by the facts of then: it may log in again after an earlier refusal, and ask for a
   * password.
   */
  private onClick<T>(work: (before: Facts | null) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { facts } = this.known;
    const done = this.enqueue(() => work(facts), signal, this.surroundings.breaker.click());
    done.catch((error: unknown) => error instanceof AnotherServer && this.askAnew());
    return done;
  }

  /** Another server answers now: nothing is done by the facts of the one before. */
  private askAnew(): void {
    this.tell(onServer.leave);
    this.behind();
  }

  private enqueue<T>(work: () => Promise<T>, signal?: AbortSignal, click: Click = null): Promise<T> {
    return this.queue.add(() => this.query.during(signal, click, work), click !== null);
  }

  /** Does what no click waits for: what has not begun when the window closes is left. */
  private behind(work = (): Promise<void> => this.readFacts()): void {
    this.enqueue(work).catch(
      (error: unknown) => void (this.known.isOver || this.surroundings.log.warn(describeError(error))),
    );
  }

  private notify(change: ServerChange): void {
    for (const listener of [...this.listeners]) listener(change);
  }

  private async requireFacts(before: Facts | null): Promise<Facts> {
    if (!this.known.isTakenUp || this.known.connection !== 'connected') await this.readFacts();
    return this.currentFacts(before);
  }

  /**
   * @param before the facts by which the user chose: ids of databases of one server say nothing of another
   * @throws AnotherServer, and Error with the sentence of the failure if the last reading failed
   */
  private currentFacts(before: Facts | null = null): Facts {
    const { facts, connection, failure } = this.known;
    if (facts === null || connection !== 'connected')
      throw new Error(failure ?? t('{0} is not connected.', this.surroundings.access.label));
    const { serverName, nowUtcMs } = facts.server;
    if (before !== null && before.server.serverName !== serverName)
      throw new AnotherServer(serverName, nowUtcMs);
    return facts;
  }

  /**
   * Reads the facts. `more`: those that take longer. A failure is kept as a sentence, and what was known stays. If the
   * user gave up, the server has not failed.
   */
  private async readFacts(signal?: AbortSignal, what: 'quick' | 'more' = 'quick'): Promise<void> {
    const { connection, isOver, facts } = this.known;
    if (isOver || (what === 'more' && connection !== 'connected')) return;
    this.tell(onServer.begin, this.query.isForClick);
    // While connecting: a server may take long to answer, and what was kept is on the disk.
    const shown = facts === null ? this.tracking.showKept() : null;
    // It is waited for only while the server is open.
    shown?.catch(() => undefined);
    try {
      await this.takeFacts(await this.askFacts(what), shown);
      void this.tracking.followed?.tell(onFollowing.resume);
      this.tell(onServer.end, connection !== 'connected');
      if (this.judgement.isWaveWatched) this.timeline.ask();
    } catch (error) {
      if (this.known.isOver) return;
      if (signal?.aborted === true && connection === 'connected') {
        this.tell(onServer.cancel);
        throw error;
      }
      await shown;
      this.tell(onServer.failure, describeError(error));
    }
  }

  private async askFacts(what: 'quick' | 'more'): Promise<Facts> {
    const { query, queue, surroundings, known } = this;
    const { spentMs } = query.answering;
    const reading =
      what === 'more' && known.facts !== null
        ? readMoreFacts(query, known.facts, queue.letClicksPass, () => this.known.facts)
        : readFacts(query, known.facts);
    const { facts, problems } = await reading;
    const answeredMs = surroundings.elapsedMs();
    this.tell(onServer.answer, { factsCostMs: query.answering.spentMs - spentMs, answeredMs });
    for (const problem of problems) surroundings.log.warn(`${surroundings.access.label}: ${problem.message}`);
    return facts;
  }

  /** @param shown ends when what was kept is on the screen */
  private async takeFacts(facts: Facts, shown: Promise<void> | null): Promise<void> {
    const { facts: before } = this.known;
    if (before !== null && before.server.serverName !== facts.server.serverName) {
      // Before the samples are forgotten: they are kept with the capture.
      await this.tracking.leaveOther(facts);
      this.timeline.tell(onGathering.leave);
      this.judgement.forget();
      this.tell(onServer.leave);
    }
    const isNew = !this.known.isTakenUp || before?.server.startedUtcMs !== facts.server.startedUtcMs;
    if (isNew && this.surroundings.isElsewhere?.(facts.server) === true) return;
    this.timeline.addChanges(findChanges(before, facts));
    await shown;
    this.tell(onServer.answer, { facts });
    if (!this.known.isTakenUp) {
      this.tell(onServer.answer, { isTakenUp: await this.tracking.takeUp(facts) });
      await this.timeline.takeUp(this.tracking.recovered.takeSections());
    }
    // What follows takes longer than reading did, and is announced when it is done.
    this.tell(onServer.connect);
    const isShort = (this.capture?.columns.rows ?? 0) <= ROWS_A_STEP;
    await takeShortSteps(this.tracking.nameDatabases(facts), isShort, this.surroundings);
    this.judgement.summarize(this.capture, facts, this.tracking.isReadWhole);
    await this.judgeAgain();
  }

  /** Something happens: the one place where that changes anything, and where its effects are run, in their order. */
  private tell<Rest extends readonly unknown[]>(
    event: (now: ServerNow, ...rest: Rest) => LifeChange,
    ...rest: Rest
  ): void {
    const { standing, retryInMs } = this.query.door;
    const { refreshIntervalMs } = this.surroundings;
    const [news, ...effects] = event({ ...this.known, standing, retryInMs, refreshIntervalMs }, ...rest);
    this.known = { ...this.known, ...news };
    for (const effect of effects) {
      if (effect === 'tell') this.notify('facts');
      else if (effect === 'wait') this.nextRefresh.stop();
      else this.nextRefresh.set(effect, () => this.behind());
    }
  }

  private afterRead(isFinal: boolean): void {
    // A record is judged once all of it is taken up.
    const isAwaited = this.surroundings.isRecord === true && !this.known.isTakenUp;
    const grown = !isAwaited && (isFinal || this.judgement.hasGrown(this.capture?.columns.rows ?? 0));
    if (grown && this.known.facts !== null)
      this.judgement.summarize(this.capture, this.known.facts, this.tracking.isReadWhole);
    this.timeline.tell(onGathering.touch);
    this.notify('capture');
    if (grown) void this.judgeAgain();
  }

  /** The policy, or something else that verdicts rest on, has changed. */
  private async judgeAgain(): Promise<void> {
    const [{ facts }, { surroundings, judgement }] = [this.known, this];
    if (this.known.isOver) return;
    if (facts !== null) {
      const steps = judgement.judge({
        facts,
        ...this.tracking.listMeasured(facts),
        ...this.timeline.grounds,
      });
      await takeShortSteps(
        steps,
        facts.databases.length <= 2 * DATABASES_A_STEP && judgement.isShort(ROWS_A_STEP),
        surroundings,
      );
    }
    if (!this.known.isOver) this.notify('facts');
  }
}

/** Watches one server. Nothing is asked of the server before `refresh` or another method is called. */
export function createServerMonitor(surroundings: MonitorSurroundings): ServerMonitor {
  return new MonitoredServer(surroundings);
}
