import type { Choice as SwitchChoice } from '../../src/core/advice/plan';
import { oneWave } from '../core/script/scripts-of';
import type { AdoptableSession } from '../../src/core/session/event-session';
import { type EvidencePage, type EvidencePages, NOTHING_READING } from '../../src/core/pages/evidence-page';
import { NO_TIME_MARKS } from '../../src/core/timeline/time-marks';
import type { TimelineEvidence } from '../../src/monitor/evidence/evidence-world';
import type { ReadAlong } from '../../src/monitor/evidence/along-reading';
import { AlreadySo } from '../../src/monitor/queries/failure';
import { type SessionElsewhere, StartedElsewhere } from '../../src/monitor/tracking/session-owner';
import type { ReviewedSwitch, ServerChange, ServerMonitor, ServerSnapshot, SwitchReview } from '../../src/monitor/server-monitor';
import type { ScriptRequest } from '../../src/core/script/script-request';
import type { ReviewScript } from '../../src/core/script/script-set';
import type { ReviewText } from '../../src/core/script/text';

const emptyPage: EvidencePage = { summary: '', tables: [], notes: [] };

/** A monitor that does nothing but write down what it was asked. */
export class FakeMonitor implements ServerMonitor {
  readonly asked: unknown[] = [];
  readonly capture = null;
  readonly timeline: TimelineEvidence = {
    marks: NO_TIME_MARKS,
    offsets: [],
    state: NOTHING_READING,
    readSamples: () => null,
    cancelReading: () => void this.asked.push('cancelReading'),
  };
  isDisposed = false;
  leftFiles: readonly string[] = [];
  /** What was started elsewhere: the user has to agree to the last of them, one after the other. */
  elsewhere: SessionElsewhere[] = [];
  adoptable: readonly AdoptableSession[] = [];
  isKept = false;
  pages: EvidencePages = { beforeAfter: emptyPage, writeWork: emptyPage, errorLog: emptyPage };
  review: SwitchReview = {
    plan: { targetSeconds: 60, waves: oneWave, steps: [], exclusions: [] },
    preflight: { server: [], databases: new Map(), unseen: [] },
    forecast: null,
    mediansMs: new Map(),
    previews: [],
    scripts: {
      scripts: (['change', 'rollback'] as const).map((kind) => ({ title: kind, kind, text: kind as string as ReviewText })),
      record: '',
    },
  };
  private readonly listeners = new Set<(change: ServerChange) => void>();

  constructor(
    readonly id: string,
    /** What the next refresh finds. */
    public found: ServerSnapshot,
    public snapshot: ServerSnapshot = { ...found, connection: 'not connected', facts: null },
  ) {}

  onDidChange(listener: (change: ServerChange) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  change(change: ServerChange): void {
    for (const listener of this.listeners) listener(change);
  }

  async refresh(): Promise<void> {
    this.asked.push('refresh');
    this.snapshot = this.found;
    this.change('facts');
  }

  async look(when: 'when due' | 'now' = 'when due'): Promise<void> {
    this.asked.push(when === 'now' ? 'look now' : 'look');
    this.snapshot = this.found;
    this.change('facts');
  }

  async readAlong(): Promise<ReadAlong> {
    return { counters: null, errorLog: null };
  }

  pauseReading(): void {
    this.asked.push('pauseReading');
  }

  readOn(): void {
    this.asked.push('readOn');
  }

  async startTracking(databaseIds: readonly number[] | null, _signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<void> {
    if (this.snapshot.tracking.state === 'tracking') throw new AlreadySo('Checkpoints are already being tracked.');
    this.checkAgreed(agreed);
    this.asked.push(['startTracking', databaseIds]);
  }

  async changeTrackedDatabases(
    databaseIds: readonly number[] | null,
    _signal?: AbortSignal,
    agreed?: SessionElsewhere | null,
  ): Promise<void> {
    this.checkAgreed(agreed);
    this.asked.push(['changeTrackedDatabases', databaseIds]);
  }

  async stopTracking(_signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<void> {
    if (this.snapshot.tracking.state !== 'tracking') throw new AlreadySo('Checkpoints are not being tracked.');
    this.checkAgreed(agreed);
    this.asked.push('stopTracking');
  }

  async removeTracking(_signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<readonly string[]> {
    this.checkAgreed(agreed);
    this.asked.push('removeTracking');
    return this.leftFiles;
  }

  /** The first is what is there now; where the user agreed to it, and it was the last, the step is taken. */
  private checkAgreed(agreed: SessionElsewhere | null = null): void {
    if (agreed !== null && agreed === this.elsewhere[0]) this.elsewhere.shift();
    const [now] = this.elsewhere;
    if (now !== undefined) throw new StartedElsewhere(this.snapshot.label, now);
  }

  showTrackingTexts(databaseIds: readonly number[] | null): ReturnType<ServerMonitor['showTrackingTexts']> {
    this.asked.push(['showTrackingTexts', databaseIds]);
    return [];
  }

  async reviewSwitch({ databaseIds, byName, targetSeconds }: SwitchChoice): Promise<ReviewedSwitch> {
    this.asked.push(['reviewSwitch', databaseIds, byName, targetSeconds]);
    return this.ground(this.review);
  }

  async replanSwitch({ databaseIds, byName, targetSeconds }: SwitchChoice): Promise<ReviewedSwitch> {
    this.asked.push(['replanSwitch', databaseIds, byName, targetSeconds]);
    return this.ground(this.review);
  }

  protected ground(review: SwitchReview): ReviewedSwitch {
    const { facts, instance, verdicts } = this.found;
    if (facts === null) throw new Error('The server was not read.');
    return { ...review, facts, instance, verdicts };
  }

  async writeScript(request: ScriptRequest): Promise<readonly ReviewScript[]> {
    this.asked.push(['writeScript', request]);
    return this.review.scripts?.scripts ?? [];
  }

  askForEvidence(): null {
    return null;
  }

  async gatherEvidence(): Promise<EvidencePages> {
    this.asked.push('gatherEvidence');
    return this.pages;
  }

  async setChanges(databaseIds: readonly number[], atUtcMs: number): Promise<boolean> {
    this.asked.push(['setChanges', databaseIds, atUtcMs]);
    return this.isKept;
  }

  async keepNow(): Promise<boolean> {
    this.asked.push(['keepNow']);
    return true;
  }

  async keepForecast(review: SwitchReview): Promise<void> {
    this.asked.push(['keepForecast', review.forecast]);
  }

  async listAdoptable(): Promise<readonly AdoptableSession[]> {
    return this.adoptable;
  }

  async adopt(sessionName: string): Promise<void> {
    this.asked.push(['adopt', sessionName]);
  }

  async leave(reason: string): Promise<void> {
    this.asked.push(['leave', reason]);
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
    this.listeners.clear();
  }
}
