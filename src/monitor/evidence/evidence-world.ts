/** What the evidence about one server is given, and what others take from it besides its pages. */
import type { Timing } from '../queries/slices';
import type { Facts } from '../../core/advice/facts';
import type { InstanceVerdict } from '../../core/advice/instance';
import type { KeptForecast } from '../../core/advice/forecast';
import type { Result } from '../../core/comparison/result';
import type { Side } from '../../core/comparison/sides';
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { DatabaseChange } from '../../core/task/change-moment';
import type { Pause } from '../../core/steps';
import type { WriteWorkLog } from '../../core/write-work/write-work-log';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import type { EvidenceState } from '../../core/pages/evidence-page';
import type { StripPosition, StripUpdate } from '../../core/timeline/strip-series';
import type { TimeMarks } from '../../core/timeline/time-marks';
import type { Sampled } from '../facts/write-work-sampling';
import type { ServerQuery } from '../queries/server-query';
import type { EvidenceReadings } from './evidence-readings';
import type { RedoSamples } from './known-of-databases';

/** What the evidence is about, as it is now. */
interface EvidenceSubject {
  readonly facts: Facts | null;
  readonly capture: CaptureRecord | null;
  /** null: all databases are tracked. */
  readonly trackedDatabaseIds: readonly number[] | null;
  /** What became of the changes, as the verdicts know it; null: nothing was changed. */
  readonly result: Result | null;
  /** The time since the last change, where verdicts rest on that alone; null: on all that was observed. */
  readonly since: Side | null;
  /** The last verdict on the server; null: not judged. */
  readonly instance: InstanceVerdict | null;
}

export interface EvidenceWorld extends Timing {
  readonly query: ServerQuery;
  /** Lets others have the thread for a moment. */
  readonly pause: Pause;
  /** Runs the work when nothing else is being done on this server. Rejects if the monitor is gone before that. */
  readonly enqueue: (work: () => Promise<void>, signal?: AbortSignal) => Promise<void>;
  /** For work that runs, between two of its parts. */
  readonly letClicksPass: () => Promise<void>;
  readonly warn: (message: string) => void;
  readonly subject: () => EvidenceSubject;
  /** See LimitLook. */
  readonly targetMisses: () => number | null;
  /** Judges the server by the changes that are known now, so that pages and verdicts have one result. */
  readonly judge: () => Promise<void>;
  /** There are new pages. */
  readonly changed: () => void;
  /** Reading for the pages has become worth telling, or is over. */
  readonly progressed: () => void;
}

/** What the dashboard takes from the evidence besides the pages. */
export interface TimelineEvidence {
  /** `offsets` of the server's clock from UTC; empty if the log was not read yet. */
  readonly known: {
    readonly marks: TimeMarks;
    readonly offsets: readonly OffsetPeriod[];
    readonly state: EvidenceState;
  };
  /** Samples that are new since that position; null: none. */
  readSamples(held: StripPosition | null): StripUpdate | null;
  /** Ends reading and computing for the pages. */
  cancelReading(): void;
}

/** Everything that was read of one server. */
export interface EvidenceSources extends EvidenceSubject {
  /** Whether a limit that was exceeded in the last ten minutes keeps the next wave on hold. */
  readonly isHeld: boolean;
  readonly facts: Facts;
  /** Changes that we saw or the user entered. */
  readonly changes: readonly DatabaseChange[];
  /** The forecast to compare with; null: none was made. */
  readonly forecast: KeptForecast | null;
  readonly work: WriteWorkLog;
  /** null: sampling never began. */
  readonly sampling: Sampled | null;
  readonly isSampling: boolean;
  readonly readings: EvidenceReadings;
  readonly redo: RedoSamples;
}
