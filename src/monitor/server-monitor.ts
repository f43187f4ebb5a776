/**
 * One object per server: it reads, follows, survives and reports, and owns the one capture. What it knows is a value, `snapshot`; it says when that changed.
 */
import type { Facts } from '../core/advice/facts';
import type { Preflight } from '../core/advice/finding';
import type { Choice, Plan } from '../core/advice/plan';
import type { ForecastSteps, KeptForecast } from '../core/advice/forecast';
import type { InstanceVerdict } from '../core/advice/instance';
import type { StopSignFound } from '../core/advice/stop-signs';
import type { Verdict } from '../core/advice/verdict';
import type { AdoptableSession } from '../core/session/event-session';
import type { CaptureRecord } from '../core/capture/capture-record';
import type { ScriptRequest } from '../core/script/script-request';
import type { ReviewScript, ScriptSet } from '../core/script/script-set';
import type { OwnSessionText } from '../core/script/text';
import type { CheckpointStatistics } from '../core/statistics/statistics';
import type { DatabaseChange } from '../core/task/change-moment';
import type { TrackingStatus } from '../core/capture/tracking-status';
import type { EvidencePages } from '../core/pages/evidence-page';
import type { ScriptPreview } from '../core/review/script-preview';
import type { TimelineEvidence } from './evidence/evidence-world';
import type { Standing } from './queries/login-breaker';
import type { AskedQuery } from './queries/server-query';
import type { SessionElsewhere } from './tracking/session-owner';

export type ConnectionState = 'not connected' | 'connecting' | 'connected' | 'failed';

/** All that is known about one server now. */
export interface ServerSnapshot {
  readonly id: string;
  readonly label: string;
  readonly connection: ConnectionState;
  /** One sentence with what to do; null where nothing failed. */
  readonly failure: string | null;
  /** What keeps this server from being logged in to by itself; null: nothing. */
  readonly standing: Standing | null;
  /** Since when a query of ours has had no answer, by the clock of this computer; null: the server answers. */
  readonly silentSinceMs: number | null;
  /** When the server answered last, by the same clock; null: not in this window. */
  readonly lastReadMs: number | null;
  /** What the server was asked in the last minute. */
  readonly lastMinute: readonly AskedQuery[];
  /** What the user is being asked for, as a part of a sentence; null: nothing. */
  readonly waitsFor: string | null;
  /** null until the first read succeeded; kept, as last known, when a later one fails. */
  readonly facts: Facts | null;
  /** The verdict on the checkpoint task of the server; null until it was judged. */
  readonly instance: InstanceVerdict | null;
  /** By database_id. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** Figures of the capture by database_id, as the verdicts saw them: of databases that have a checkpoint. */
  readonly statistics: ReadonlyMap<number, CheckpointStatistics>;
  /** What stands for or against a change, of the server and of every database. */
  readonly preflight: Preflight;
  readonly tracking: TrackingStatus;
  /** When tracking began, by the server's clock; null while not tracking. */
  readonly trackingSinceUtcMs: number | null;
  /** The databases chosen for tracking; null: all. */
  readonly trackedDatabaseIds: readonly number[] | null;
  /** The session of someone else that is followed; null: ours, or none. */
  readonly adoptedSession: string | null;
  /** Changes of target recovery time: those that we saw happen, that were set by hand, and that the error log tells. */
  readonly changes: readonly DatabaseChange[];
  /** The stop sign that matters most since databases were switched, as far as somebody looked; null: none is up or near. */
  readonly stopSign: StopSignFound | null;
  /** The forecast that what happens is held to, made when scripts were opened; null: none was. */
  readonly forecast: KeptForecast | null;
}

/** What changed: 'facts' (connection, facts, verdicts), 'tracking' (state and counts), 'capture' (new rows or a new capture), 'evidence' (its pages). */
export type ServerChange = 'facts' | 'tracking' | 'capture' | 'evidence';

export interface SwitchReview {
  readonly plan: Plan;
  /** null where nothing that was chosen can be switched; the plan says why. */
  readonly scripts: ScriptSet | null;
  /** What would be opened, folded. */
  readonly previews: readonly ScriptPreview[];
  readonly preflight: Preflight;
  /** The checkpoint task after each wave of the plan; null: nothing was measured. */
  readonly forecast: ForecastSteps | null;
  /** How long half of the checkpoints of a database took at most, by database_id. */
  readonly mediansMs: ReadonlyMap<number, number>;
}

/** A review, and what it rests on. */
export interface ReviewedSwitch extends SwitchReview {
  readonly facts: Facts;
  /** null: not judged. */
  readonly instance: InstanceVerdict | null;
  /** By database_id. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
}

/** Every operation can be given a signal: aborting it ends what the server is being asked, and the operation throws ConnectionError 'cancelled'. */
export interface ServerMonitor {
  readonly id: string;
  readonly snapshot: ServerSnapshot;
  /** The capture on screen: of the running session, of the last one, or recovered from before the editor was closed; null before the first. */
  readonly capture: CaptureRecord | null;
  /** What else the evidence knows, as far as somebody asked for its pages. */
  readonly timeline: TimelineEvidence;
  onDidChange(listener: (change: ServerChange) => void): { dispose(): void };
  /**
   * The pages of evidence as they were computed last, null before the first; where they are not of now, newer ones are made and told of by 'evidence'. Only what
   * somebody asks for is read and computed.
   */
  askForEvidence(): EvidencePages | null;
  /** The pages of now, read and computed. @throws Error with one sentence where it did not work */
  gatherEvidence(signal?: AbortSignal): Promise<EvidencePages>;
  /**
   * Changes of target recovery time that neither the error log nor we saw, set by hand.
   * @returns whether there is a capture that they are kept with; without one they are known in this window only
   */
  setChanges(databaseIds: readonly number[], atUtcMs: number): Promise<boolean>;
  /** The scripts of this review were opened: what happens from now on is held to its forecast, which is kept with the capture. */
  keepForecast(review: SwitchReview): Promise<void>;
  /** Connects if need be and reads the facts; what takes longer to read of a server that was connected comes behind it. Never throws for what the world does: see `snapshot.failure`. Cancelled, it leaves everything as it was. */
  refresh(signal?: AbortSignal): Promise<void>;
  /** The same without a click: it asks the user nothing, and does not log in where a login was refused. @param when `now`: it does not wait until a server that was not reached is due */
  look(when?: 'when due' | 'now'): Promise<void>;
  /**
   * Creates (if absent) and starts our event session. @param databaseIds null: all databases.
   * @param agreed here and below: the session that was started elsewhere, which the user was asked about and agreed to change @throws StartedElsewhere where that is
   * to be asked, before anything was changed; ConnectionError, Error with one sentence
   */
  startTracking(databaseIds: readonly number[] | null, signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<void>;
  /** Running event sessions of others that record both events of checkpoints. @throws ConnectionError */
  listAdoptable(signal?: AbortSignal): Promise<readonly AdoptableSession[]>;
  /** Follows one of them: it is only read; stopTracking ends the following and leaves the session alone. @throws ConnectionError, Error with one sentence */
  adopt(sessionName: string, signal?: AbortSignal): Promise<void>;
  /** Stops the session. What it recorded until then is read after that, in turns, and the data is kept when all of it was; a ring buffer is read before. @throws StartedElsewhere, ConnectionError, Error with one sentence */
  stopTracking(signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<void>;
  /** Reads no more of what the session has stored, behind the page that is under way: what was read stays. */
  pauseReading(): void;
  /** Goes on with that; `refresh` does too. */
  readOn(): void;
  /** Changes the databases that our running session records; what was captured stays, and the moment of the change is a gap. @param databaseIds null: all databases. @throws StartedElsewhere, ConnectionError, Error with one sentence */
  changeTrackedDatabases(databaseIds: readonly number[] | null, signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<void>;
  /** Drops our event session; its files stay on the server and are named in the answer. @throws StartedElsewhere, ConnectionError, Error with one sentence */
  removeTracking(signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<readonly string[]>;
  /** The T-SQL that Start, Stop and Remove would run now, for reading. */
  showTrackingTexts(databaseIds: readonly number[] | null): readonly { readonly title: string; readonly text: OwnSessionText }[];
  /** Reads the facts again, then plans and writes the switch scripts and their rollback twins. @throws ConnectionError, Error with one sentence */
  reviewSwitch(choice: Choice, signal?: AbortSignal): Promise<ReviewedSwitch>;
  /** The same from what was read last: the server is asked nothing. @throws Error with one sentence where nothing was read yet */
  replanSwitch(choice: Choice): Promise<ReviewedSwitch>;
  /** Writes another script, in the order in which its parts are run, each rollback twin behind its change. Reads the facts again first. @throws ConnectionError, Error with one sentence */
  writeScript(request: ScriptRequest, signal?: AbortSignal): Promise<readonly ReviewScript[]>;
  /** The user disconnected this server somewhere else: nothing is read until it is asked for again. A server that is tracked goes on being read. @param reason one sentence */
  leave(reason: string): Promise<void>;
  dispose(): Promise<void>;
}
