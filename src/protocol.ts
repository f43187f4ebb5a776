/**
 * Every message between the extension and its webviews, first those of the dashboard. The webview begins with `ready`
 * and names what it already holds; the extension sends what is missing. Bulk data travels as exact ArrayBuffers, never
 * mixed with bulk JSON (docs/facts.md, Hosts 5).
 *
 * Both ends check each message by the schema that `npm run schemas` makes of these types (`received.ts`). Tags such as
 * `@maximum` are a part of it.
 */
import type { ForecastSteps } from './core/advice/forecast';
import type { InstanceState, RunWave } from './core/advice/instance';
import type { InstanceWords } from './core/pages/instance-words';
import type { Group, Part } from './core/advice/verdict-names';
import type { Verdict } from './core/advice/verdict';
import type { DatabaseChange } from './core/task/change-moment';
import type { Observation } from './core/capture/checkpoint-columns';
import type { Gap } from './core/session/gap';
import type { OffsetPeriod } from './core/errorlog/server-clock';
import type { ExportRequest } from './core/export/export-request';
import type { EvidencePage, EvidencePages, EvidenceState } from './core/pages/evidence-page';
import type { ReviewDraft } from './core/review/review-draft';
import type { ReviewPage } from './core/review/review-page';
import type { Count, WholeNumber } from './core/schema';
import type { OlderMarks, TimeMark } from './core/timeline/time-marks';
import type { TrackingObstacle, TrackingStatus } from './core/capture/tracking-status';

/** One database as the dashboard shows it. The `database` column holds its position in the list. */
export interface DatabaseView extends Pick<Verdict, 'verdict' | 'reason'> {
  /** Below zero: another database has its id now, so nothing can be asked for it. */
  readonly databaseId: WholeNumber;
  readonly name: string;
  /** target_recovery_time_in_seconds; null if it could not be read. */
  readonly targetSeconds: number | null;
  /** null: not known, or no automatic checkpoints. */
  readonly part: Part | null;
  /** null: not judged. */
  readonly group: Group | null;
  /** A system database; counts of databases name these separately. */
  readonly isSystem?: true;
}

export interface ServerView {
  readonly name: string;
  /** "SQL01 · SQL Server 2019 · 256 GB memory · UTC+1": its own name only where the list has another. */
  readonly description: string;
  readonly automatic: Count;
  readonly databases: Count;
  /** Minutes to add to UTC for the server's local time now. */
  readonly utcOffsetMinutes: number;
  /** Known offsets of its clock, in order of time. */
  readonly offsets: readonly OffsetPeriod[];
  /** Duration from which a checkpoint is logged as FlushCache. */
  readonly recoveryIntervalMs: number;
  /**
   * The next wave to review, from 1, with the ids of its databases that are still automatic; null: no wave was run yet,
   * or all were.
   */
  readonly nextWave: { readonly wave: Count; readonly databaseIds: readonly WholeNumber[] } | null;
  /** null: not judged yet. */
  readonly instance: InstanceView | null;
  /**
   * The time before the first change and since the last one that counts, each as begins and ends in turn, in UTC
   * milliseconds; null: nothing was changed, and figures are of all that was observed.
   */
  readonly sides: { readonly before: readonly number[]; readonly since: readonly number[] } | null;
}

/** The verdict on the instance as the dashboard shows it. */
export interface InstanceView {
  /** What speaks against the next wave, if anything does. */
  readonly state: InstanceState | 'stop' | 'just switched' | 'missed';
  readonly words: InstanceWords;
  /** The forecast of the checkpoint task after each wave; null: no switch is advised, or nothing was measured. */
  readonly forecast: ForecastSteps | null;
  readonly isAdvised: boolean;
  /** What can be rolled back; null: nothing was switched. */
  readonly lastWave: Pick<RunWave, 'wave' | 'databaseIds'> | null;
}

export interface TrackingView extends TrackingStatus {
  /** What keeps tracking from being started; null: nothing known. */
  readonly obstacle: TrackingObstacle | null;
  /** What the user is being asked, as a part of a sentence: a password, an approval. Absent: nothing. */
  readonly asked?: string;
}
export type ChangeView = DatabaseChange;

export type ToWebview =
  | { readonly type: 'server'; readonly server: ServerView }
  | { readonly type: 'tracking'; readonly tracking: TrackingView }
  | { readonly type: 'databases'; readonly captureId: string; readonly databases: readonly DatabaseView[] }
  | { readonly type: 'changes'; readonly changes: readonly ChangeView[] }
  /** Before / after, I/O and error log, as sentences and tables. */
  | { readonly type: 'evidence'; readonly evidence: EvidencePages }
  | {
      /**
       * Rows fromRow .. fromRow+rows-1 of the capture, which has `ofRows` by now. `generation` rises when rows sent
       * earlier are no longer true. At most 1 MB a message.
       */
      readonly type: 'columns';
      readonly captureId: string;
      readonly generation: Count;
      readonly fromRow: Count;
      readonly rows: Count;
      readonly ofRows: Count;
      /** With the other columns at most 1 MB. @bytesEach {"rows": 8} @maxBytes 533328 */
      readonly beginUtcMs: ArrayBuffer;
      /** @bytesEach {"rows": 4} */
      readonly durationMs: ArrayBuffer;
      /** @bytesEach {"rows": 2} */
      readonly database: ArrayBuffer;
      /** Who asked for it: 1, a session; 2, the engine; 0, not known. @bytesEach {"rows": 1} */
      readonly caller: ArrayBuffer;
    }
  /**
   * What is drawn over the lanes. `older`: how many of each sort are left out as too many; `undated`: how many have no
   * known time in UTC.
   */
  | {
      readonly type: 'marks';
      readonly marks: readonly TimeMark[];
      readonly older: readonly OlderMarks[];
      readonly undated: Count;
    }
  /** What the extension reads from the server for the pages, sent once that takes long. */
  | ({ readonly type: 'evidenceState' } & EvidenceState)
  | ErrorLogTaken
  | {
      /**
       * Samples for the strips, at most 1 MB a message. `replaces`: drop all samples held before; else these follow
       * them. `values` holds the series of STRIP_SERIES one after the other, each `samples` long, as Float32.
       */
      readonly type: 'samples';
      readonly replaces: boolean;
      readonly samples: Count;
      /** With the other two at most 1 MB. @bytesEach {"samples": 8} @maxBytes 222216 */
      readonly beginUtcMs: ArrayBuffer;
      /** @bytesEach {"samples": 8} */
      readonly endUtcMs: ArrayBuffer;
      /** @bytesEach {"samples": 20} */
      readonly values: ArrayBuffer;
    }
  /** Select a database and scroll its lane and row into view. */
  | { readonly type: 'reveal'; readonly databaseId: WholeNumber };

export type DashboardCommand =
  | 'startTracking'
  | 'stopTracking'
  | 'reviewScript'
  | 'rollBack'
  | 'refresh'
  | 'readErrorLog'
  | 'followEventSession'
  | 'showEvidence'
  | 'setChangeMoment';

export type ToExtension =
  | {
      readonly type: 'ready';
      readonly captureId: string | null;
      readonly generation: Count;
      readonly rows: Count;
    }
  | {
      readonly type: 'received';
      readonly captureId: string;
      readonly generation: Count;
      readonly rows: Count;
    }
  | {
      readonly type: 'invoke';
      readonly command: DashboardCommand;
      readonly databaseIds: readonly WholeNumber[];
    }
  /** The extension writes the file and asks where to. */
  | ({ readonly type: 'export' } & ExportRequest)
  /**
   * A picture made in the webview, to be saved. The extension puts server and time into its name. `name`: what it
   * shows, such as `timeline`.
   */
  | {
      readonly type: 'save';
      readonly format: 'png' | 'svg';
      readonly name: string;
      readonly bytes: ArrayBuffer;
    }
  | ErrorLogPiece
  /** Stop reading for the pages. */
  | { readonly type: 'cancelReading' }
  /** Pause reading what the event session had stored, or go on. */
  | { readonly type: 'pauseReading' | 'readOn' }
  | Failed;

/** What failed in a webview, to be logged. */
export interface Failed {
  readonly type: 'failed';
  readonly message: string;
}

/** What the extension is doing for a review, and what came of it. */
export interface ReviewStatus {
  /** null: nothing; the page answers the draft, or there is no draft. */
  readonly doing: 'reading' | 'planning' | null;
  /** Why there is no answer to the draft, or why nothing was opened, in one or two sentences; null: nothing failed. */
  readonly failure: string | null;
  /** What was done after the reader's click, as one sentence. */
  readonly notice: string | null;
  /** Scripts were opened for this server before, and they differ from those of the page. */
  readonly canCompare: boolean;
}

/**
 * To the review of scripts. The draft comes after `ready`, and when the reader chose other databases outside of the
 * review; in between the webview owns it.
 */
export type ToReview =
  | { readonly type: 'draft'; readonly draft: ReviewDraft }
  | { readonly type: 'page'; readonly page: ReviewPage }
  | { readonly type: 'status'; readonly status: ReviewStatus };

/** `open`, `openRecord` and `compare` name the draft whose answer the reader saw; only that one is opened. */
export type FromReview =
  | { readonly type: 'ready' }
  | { readonly type: 'choose'; readonly draft: ReviewDraft }
  | { readonly type: 'readAgain' }
  | { readonly type: 'open' | 'openRecord' | 'compare'; readonly revision: Count }
  | Failed;

/**
 * A piece of a dropped file, at most 1 MB, that begins at `fromByte`; 0 begins another file. The next piece follows
 * `errorLogTaken`.
 */
export interface ErrorLogPiece {
  readonly type: 'errorLogFile';
  readonly name: string;
  readonly totalBytes: Count;
  readonly fromByte: Count;
  /** @maxBytes 1000000 */
  readonly bytes: ArrayBuffer;
}

/**
 * The answer to a piece: the extension has taken this many bytes of the file and wants the next; null: it wants no
 * more.
 */
export interface ErrorLogTaken {
  readonly type: 'errorLogTaken';
  readonly bytes: Count | null;
}

/** To the page of an error log that was opened without a server, or of one message that is explained (`isMessage`). */
export type ToErrorLog =
  | {
      readonly type: 'errorLog';
      readonly name: string;
      readonly page: EvidencePage;
      readonly isMessage?: true;
    }
  | ErrorLogTaken;

/** `markdown`: open the page as a Markdown text; `readErrorLog`: let the reader choose another log. */
export type FromErrorLog =
  | { readonly type: 'ready' | 'markdown' | 'readErrorLog' }
  | { readonly type: 'save'; readonly format: 'svg'; readonly name: string; readonly bytes: ArrayBuffer }
  | ErrorLogPiece
  | Failed;

export type { Gap, Observation };
