/**
 * One object per server: it reads, follows, survives and reports, and owns the one capture. All it knows is in one
 * value, `snapshot`; it says when that changes.
 */
import type { Choice } from '../core/advice/plan';
import type { KeptForecast } from '../core/advice/forecast';
import type { AdoptableSession } from '../core/session/event-session';
import type { Result } from '../core/comparison/result';
import type { CaptureRecord } from '../core/capture/capture-record';
import type { ScriptRequest } from '../core/script/script-request';
import type { ReviewScript } from '../core/script/script-set';
import type { OwnSessionText } from '../core/script/text';
import type { TrackingStatus } from '../core/capture/tracking-status';
import type { EvidencePages } from '../core/pages/evidence-page';
import type { ReviewInput } from '../core/review/review-page';
import type { TimelineEvidence } from './evidence/evidence-world';
import type { Gathering } from './evidence/gathering';
import type { ServerJudgement } from './facts/server-judgement';
import type { AlongRequest, ReadAlong } from './evidence/along-reading';
import type { Standing } from './queries/login-standing';
import type { ObserverCost } from './queries/observer-cost';
import type { ServerLife } from './server-life';
import type { SessionElsewhere } from './tracking/session-owner';

/**
 * All that is known about one server now: of its connection, of its verdicts, and of what evidence tells of changes and
 * limits.
 */
export interface ServerSnapshot
  extends
    Pick<ServerLife, 'connection' | 'failure' | 'facts'>,
    Pick<ServerJudgement, 'instance' | 'verdicts' | 'statistics' | 'preflight'>,
    Pick<Gathering, 'changes' | 'nearestLimit'> {
  readonly id: string;
  readonly label: string;
  /** Why we do not log in to this server without a click; null: we do. */
  readonly standing: Standing | null;
  /** Since when a query of ours waits for an answer, by the clock of this computer; null: the server answers. */
  readonly silentSinceMs: number | null;
  /** When the server answered last, by the same clock; null: it has not answered in this window. */
  readonly lastReadMs: number | null;
  /** What the server pays for being followed. */
  readonly cost: ObserverCost;
  /** What we are asking the user for, as a part of a sentence; null: nothing. */
  readonly waitsFor: string | null;
  /** What became of changed target recovery times; null: nothing was changed. */
  readonly result: Result | null;
  readonly tracking: TrackingStatus;
  /** When tracking began, by the server's clock; null while not tracking. */
  readonly trackingSinceUtcMs: number | null;
  /** The databases chosen for tracking; null: all. */
  readonly trackedDatabaseIds: readonly number[] | null;
  /** The session of someone else that is followed; null: ours, or none. */
  readonly adoptedSession: string | null;
  /** The forecast that was made when scripts were opened, to be compared with what happens; null: none was made. */
  readonly forecast: KeptForecast | null;
}

/**
 * What changed: 'facts' (connection, facts, verdicts), 'tracking' (state and counts), 'capture' (new rows or a new
 * capture), 'evidence' (its pages).
 */
export type ServerChange = 'facts' | 'tracking' | 'capture' | 'evidence';

/** What a review found. */
export type SwitchReview = Omit<ReviewedSwitch, 'facts' | 'instance' | 'verdicts'>;

/** A review, and what it rests on. */
export type ReviewedSwitch = Omit<ReviewInput, 'revision' | 'namedIds'>;

/**
 * Every operation can be given a signal: aborting it ends what the server is being asked, and the operation throws
 * ConnectionError 'cancelled'.
 */
export interface ServerMonitor {
  readonly id: string;
  readonly snapshot: ServerSnapshot;
  /**
   * The capture on screen: of the running session, of the last one, or recovered from before the editor was closed;
   * null before the first.
   */
  readonly capture: CaptureRecord | null;
  /** What else the evidence knows, as far as its pages were asked for. */
  readonly timeline: TimelineEvidence;
  onDidChange(listener: (change: ServerChange) => void): { dispose(): void };
  /**
   * The pages of evidence as they were computed last, null before the first time. If they are out of date, newer ones
   * are made and announced by 'evidence'. Nothing is read or computed before that.
   */
  askForEvidence(): EvidencePages | null;
  /** Reads and computes the pages as of now. @throws Error with one sentence if it did not work */
  gatherEvidence(signal?: AbortSignal): Promise<EvidencePages>;
  /**
   * Takes changes of target recovery time that the user enters, because neither the error log nor we saw them.
   * @returns whether there is a capture to keep them with; without one they are known only in this window
   */
  setChanges(databaseIds: readonly number[], atUtcMs: number): Promise<boolean>;
  /** Keeps the capture with all that belongs to it. @returns whether there is one */
  keepNow(): Promise<boolean>;
  /**
   * The scripts of this review were opened: from now on its forecast is compared with what happens. It is kept with the
   * capture.
   */
  keepForecast(review: SwitchReview): Promise<void>;
  /**
   * Connects if need be and reads the facts. If the server was connected before, the facts that take longer are read
   * afterwards. A failure of the server is in `snapshot.failure` and is never thrown. If it is cancelled, everything
   * stays as it was.
   */
  refresh(signal?: AbortSignal): Promise<void>;
  /**
   * The same without a click: it asks the user nothing, and does not log in again after a refusal.
   * @param when `now`: tries a server at once that could not be reached
   */
  look(when?: 'when due' | 'now'): Promise<void>;
  /**
   * Creates (if absent) and starts our event session.
   * @param databaseIds null: all databases.
   * @param agreed here and below: the session that was started elsewhere, which the user was asked about and agreed to
   * change
   * @throws StartedElsewhere where that is to be asked, before anything was changed; ConnectionError, Error with one
   * sentence
   */
  startTracking(
    databaseIds: readonly number[] | null,
    signal?: AbortSignal,
    agreed?: SessionElsewhere | null,
  ): Promise<void>;
  /** Running event sessions of others that record both events of checkpoints. @throws ConnectionError */
  listAdoptable(signal?: AbortSignal): Promise<readonly AdoptableSession[]>;
  /**
   * Follows one of them, and only reads it. stopTracking ends following and leaves the session alone.
   * @throws ConnectionError, Error with one sentence
   */
  adopt(sessionName: string, signal?: AbortSignal): Promise<void>;
  /**
   * Stops the session. What it recorded is read afterwards, in turns, and kept when all was read; a ring buffer is read
   * before.
   * @throws StartedElsewhere, ConnectionError, Error with one sentence
   */
  stopTracking(signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<void>;
  /** Pauses the reading of stored events after the page that is under way. What was read stays. */
  pauseReading(): void;
  /** Goes on reading stored events; `refresh` does so too. */
  readOn(): void;
  /**
   * Changes the databases that our running session records. The capture stays; the moment of the change is a gap.
   * @param databaseIds null: all
   * @throws StartedElsewhere, ConnectionError, Error with one sentence
   */
  changeTrackedDatabases(
    databaseIds: readonly number[] | null,
    signal?: AbortSignal,
    agreed?: SessionElsewhere | null,
  ): Promise<void>;
  /**
   * Drops our event session.
   * @returns its files, which stay on the server
   * @throws StartedElsewhere, ConnectionError, Error with one sentence
   */
  removeTracking(signal?: AbortSignal, agreed?: SessionElsewhere | null): Promise<readonly string[]>;
  /** The T-SQL that Start, Stop and Remove would run now, for reading. */
  showTrackingTexts(
    databaseIds: readonly number[] | null,
  ): readonly { readonly title: string; readonly text: OwnSessionText }[];
  /**
   * Reads the facts again, then plans and writes the switch scripts and their rollback twins.
   * @throws ConnectionError, Error with one sentence
   */
  reviewSwitch(choice: Choice, signal?: AbortSignal): Promise<ReviewedSwitch>;
  /**
   * The same from the facts that were read last: the server is asked nothing.
   * @throws Error with one sentence if nothing was read yet
   */
  replanSwitch(choice: Choice): Promise<ReviewedSwitch>;
  /**
   * Reads the facts again, then writes another script: its parts in the order in which they are run, each rollback twin
   * after its change.
   * @throws ConnectionError, Error with one sentence
   */
  writeScript(request: ScriptRequest, signal?: AbortSignal): Promise<readonly ReviewScript[]>;
  /**
   * For collectors: reads once the cumulative counters, and what is new in the error log. What could not be read is not
   * observable, with the reason.
   * @throws ConnectionError if it was cancelled before it began
   */
  readAlong(request: AlongRequest, signal?: AbortSignal): Promise<ReadAlong>;
  /**
   * The user disconnected this server somewhere else: nothing is read until the user asks again. A tracked server is
   * still read.
   * @param reason one sentence
   */
  leave(reason: string): Promise<void>;
  dispose(): Promise<void>;
}
