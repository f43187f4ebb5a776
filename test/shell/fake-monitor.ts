import { oneWave } from '../core/script/scripts-of';
import type { AdoptableSession } from '../../src/core/session/event-session';
import { type EvidencePage, type EvidencePages, NOTHING_READING } from '../../src/core/pages/evidence-page';
import { NO_TIME_MARKS } from '../../src/core/timeline/time-marks';
import type { TimelineEvidence } from '../../src/monitor/evidence/evidence-world';
import { AlreadySo } from '../../src/monitor/queries/failure';
import { type SessionElsewhere, StartedElsewhere } from '../../src/monitor/tracking/session-owner';
import type {
  ReviewedSwitch,
  ServerChange,
  ServerMonitor,
  ServerSnapshot,
  SwitchReview,
} from '../../src/monitor/server-monitor';
import type { ScriptSet } from '../../src/core/script/script-set';
import type { ReviewText } from '../../src/core/script/text';
import { Emitter } from '../emitter';

const emptyPage: EvidencePage = { summary: '', tables: [], notes: [] };

/** The scripts of that many waves, each a change and its rollback. */
export function scriptsOf(waves: number): ScriptSet {
  const scripts = Array.from({ length: waves }, (_, at) =>
    (['change', 'rollback'] as const).map((kind) => {
      const title = `${kind} ${at + 1}`;
      return { title, kind, wave: at + 1, text: title as ReviewText };
    }),
  );
  return { scripts: scripts.flat(), record: '# Record' };
}

/** A review of which nothing is known but its steps and scripts. */
export const reviewOf = (
  scripts: ScriptSet | null,
  steps: SwitchReview['plan']['steps'] = [],
): SwitchReview => ({
  plan: { targetSeconds: 60, waves: oneWave, steps, exclusions: [] },
  preflight: { server: [], databases: new Map(), unseen: [] },
  forecast: null,
  mediansMs: new Map(),
  previews: [],
  scripts,
});

/** A monitor that does nothing but write down what it was asked. */
export class FakeMonitor implements ServerMonitor {
  readonly asked: unknown[] = [];
  readonly capture = null;
  isDisposed = false;
  leftFiles: readonly string[] = [];
  /** What was started elsewhere: the user has to agree to the last of them, one after the other. */
  elsewhere: SessionElsewhere[] = [];
  adoptable: readonly AdoptableSession[] = [];
  pages: EvidencePages = { beforeAfter: emptyPage, writeWork: emptyPage, errorLog: emptyPage };
  review = reviewOf(scriptsOf(1));
  private readonly changes = new Emitter<ServerChange>();

  constructor(
    readonly id: string,
    /** What the next refresh finds. */
    public found: ServerSnapshot,
    public snapshot: ServerSnapshot = { ...found, connection: 'not connected', facts: null },
  ) {}

  private readonly note = (asked: unknown): void => void this.asked.push(asked);
  private readonly find = (): void => {
    this.snapshot = this.found;
    this.change('facts');
  };
  protected readonly ground = (review: SwitchReview): ReviewedSwitch => {
    const { facts, instance, verdicts } = this.found;
    if (facts === null) throw new Error('The server was not read.');
    return { ...review, facts, instance, verdicts };
  };
  /** The first is what is there now; where the user agreed to it, and it was the last, the step is taken. */
  private readonly takeStep = (asked: unknown, agreed: SessionElsewhere | null = null): void => {
    if (agreed !== null && agreed === this.elsewhere[0]) this.elsewhere.shift();
    const [now] = this.elsewhere;
    if (now !== undefined) throw new StartedElsewhere(this.snapshot.label, now);
    this.note(asked);
  };
  private readonly isTracking = (): boolean => this.snapshot.tracking.state === 'tracking';

  readonly timeline: TimelineEvidence = {
    known: { marks: NO_TIME_MARKS, offsets: [], state: NOTHING_READING },
    readSamples: () => null,
    cancelReading: () => this.note('cancelReading'),
  };
  readonly onDidChange = this.changes.event;
  readonly change = this.changes.fire;
  /** The server says something else. */
  readonly become = (more: Partial<ServerSnapshot>, change: ServerChange = 'tracking'): void => {
    this.snapshot = { ...this.snapshot, ...more };
    this.change(change);
  };
  readonly refresh: ServerMonitor['refresh'] = async () => (this.note('refresh'), this.find());
  look: ServerMonitor['look'] = async (when) => (
    this.note(when === 'now' ? 'look now' : 'look'),
    this.find()
  );
  readonly readAlong: ServerMonitor['readAlong'] = async () => ({ counters: null, errorLog: null });
  readonly pauseReading = (): void => this.note('pauseReading');
  readonly readOn = (): void => this.note('readOn');
  startTracking: ServerMonitor['startTracking'] = async (databaseIds, _, agreed) => {
    if (this.isTracking()) throw new AlreadySo('Checkpoints are already being tracked.');
    this.takeStep(['startTracking', databaseIds], agreed);
  };
  readonly changeTrackedDatabases: ServerMonitor['changeTrackedDatabases'] = async (databaseIds, _, agreed) =>
    this.takeStep(['changeTrackedDatabases', databaseIds], agreed);
  readonly stopTracking: ServerMonitor['stopTracking'] = async (_, agreed) => {
    if (!this.isTracking()) throw new AlreadySo('Checkpoints are not being tracked.');
    this.takeStep('stopTracking', agreed);
  };
  readonly removeTracking: ServerMonitor['removeTracking'] = async (_, agreed) => {
    this.takeStep('removeTracking', agreed);
    return this.leftFiles;
  };
  readonly showTrackingTexts: ServerMonitor['showTrackingTexts'] = (databaseIds) => (
    this.note(['showTrackingTexts', databaseIds]),
    []
  );
  reviewSwitch: ServerMonitor['reviewSwitch'] = async () => (
    this.note('reviewSwitch'),
    this.ground(this.review)
  );
  replanSwitch: ServerMonitor['replanSwitch'] = async () => (
    this.note('replanSwitch'),
    this.ground(this.review)
  );
  readonly writeScript: ServerMonitor['writeScript'] = async (request) => {
    this.note(['writeScript', request]);
    return this.review.scripts?.scripts ?? [];
  };
  readonly askForEvidence = (): null => null;
  readonly gatherEvidence: ServerMonitor['gatherEvidence'] = async () => (
    this.note('gatherEvidence'),
    this.pages
  );
  readonly setChanges: ServerMonitor['setChanges'] = async (...change) => (
    this.note(['setChanges', ...change]),
    false
  );
  readonly keepNow: ServerMonitor['keepNow'] = async () => (this.note('keepNow'), true);
  readonly keepForecast: ServerMonitor['keepForecast'] = async ({ forecast }) =>
    this.note(['keepForecast', forecast]);
  readonly listAdoptable: ServerMonitor['listAdoptable'] = async () => this.adoptable;
  readonly adopt: ServerMonitor['adopt'] = async (sessionName) => this.note(['adopt', sessionName]);
  readonly leave: ServerMonitor['leave'] = async (reason) => this.note(['leave', reason]);
  readonly dispose = async (): Promise<void> => {
    this.isDisposed = true;
    this.changes.dispose();
  };
}
