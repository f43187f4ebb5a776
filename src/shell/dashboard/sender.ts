/**
 * The extension's side of the protocol, for one dashboard. The webview says `ready` and what it holds, and gets what it
 * lacks. Columns come one slice at a time; the next slice waits until the webview has received the last one:
 *
 *   ready(rows 0) -> server, tracking, databases, changes, evidence, marks, samples, columns 0..66,000 ; received(66,000) -> columns 70,000..140,000 ; ...
 */
import type { CaptureRecord } from '../../core/capture/capture-record';
import type { EvidencePages, EvidenceState } from '../../core/pages/evidence-page';
import { STRIP_SERIES, type StripSamples } from '../../core/timeline/strip-samples';
import type { StripPosition, StripUpdate } from '../../core/timeline/strip-series';
import type { TimeMarks } from '../../core/timeline/time-marks';
import type {
  ChangeView,
  DatabaseView,
  ServerView,
  ToExtension,
  ToWebview,
  TrackingView,
} from '../../protocol';

/** 14 bytes a row, so 980,000 bytes. */
export const MOST_ROWS_IN_SLICE = 66_000;
/** Changes are sent at most four times a second. */
export const LEAST_SEND_INTERVAL_MS = 250;
/** A slice that was not received after this time is sent again: the webview may have lost it while hidden. */
export const ANSWER_TIMEOUT_MS = 10_000;

/** What there is to send; read again each time. */
interface DashboardSource {
  /** null if there is nothing to say yet. */
  readonly server: () => ServerView | null;
  readonly tracking: () => TrackingView;
  readonly databases: () => readonly DatabaseView[];
  readonly changes: () => readonly ChangeView[];
  /** null if there is nothing to say yet. */
  readonly evidence: () => EvidencePages | null;
  /** null if nothing reads evidence here. */
  readonly evidenceState: () => EvidenceState | null;
  /** The same object means the same marks. null if there is nothing to say yet. */
  readonly marks: () => TimeMarks | null;
  /** The samples that are new since the cursor; null if there are none. */
  readonly samples: (held: StripPosition | null) => StripUpdate | null;
  readonly capture: () => CaptureRecord | null;
}

interface SenderWorld {
  readonly post: (message: ToWebview) => void;
  readonly schedule: (delayMs: number, task: () => void) => { dispose(): void };
}

interface Position {
  readonly captureId: string;
  readonly generation: number;
  readonly rows: number;
}

export class DashboardSender {
  private isReady = false;
  /** The texts that were sent last, by type, so that the same text is not sent again. */
  private sent = new Map<ToWebview['type'], string>();
  /**
   * The objects that were sent last. Long messages are compared by object: writing thousands of rows as text four times
   * a second would be too much.
   */
  private sentEvidence: EvidencePages | null = null;
  private sentMarks: TimeMarks | null = null;
  /** How far samples were sent, and of which capture. */
  private sentSamples: { readonly captureId: string | null; readonly cursor: StripPosition } | null = null;
  /** What the webview holds, as far as we know. */
  private held: Position | null = null;
  private waiting: { dispose(): void } | null = null;
  private pending: { dispose(): void } | null = null;
  private revealed: number | null = null;

  constructor(
    private readonly source: DashboardSource,
    private readonly world: SenderWorld,
  ) {}

  /** Handles `ready` and `received`; the other messages are not about sending. */
  receive(message: ToExtension): void {
    if (message.type === 'ready')
      this.start(
        message.captureId === null
          ? null
          : { captureId: message.captureId, generation: message.generation, rows: message.rows },
      );
    if (message.type === 'received' && this.isReady) this.goOn(message);
  }

  /** Call if something may have changed. Sends soon, once for all changes until then. */
  update(): void {
    if (!this.isReady) return;
    this.pending ??= this.world.schedule(LEAST_SEND_INTERVAL_MS, () => {
      this.pending = null;
      this.sendAll();
    });
  }

  /** Asks the webview to show a database; waits if it is not ready yet. */
  reveal(databaseId: number): void {
    this.revealed = databaseId;
    if (this.isReady) this.sendReveal();
  }

  /** The webview is hidden and forgets everything. It will say `ready` again. */
  pause(): void {
    this.isReady = false;
    this.stopWaiting();
    this.pending?.dispose();
    this.pending = null;
  }

  private start(held: Position | null): void {
    this.stopWaiting();
    this.isReady = true;
    this.sent.clear();
    this.sentEvidence = this.sentMarks = this.sentSamples = null;
    this.held = held;
    this.sendAll();
    this.sendReveal();
  }

  private goOn(received: Position): void {
    this.stopWaiting();
    this.held = received;
    this.sendRows();
  }

  private sendAll(): void {
    const server = this.source.server();
    if (server !== null) this.sendChanged({ type: 'server', server });
    this.sendChanged({ type: 'tracking', tracking: this.source.tracking() });
    // Comes before the columns, which refer to databases that may be new.
    this.sendChanged({
      type: 'databases',
      captureId: this.source.capture()?.id ?? '',
      databases: this.source.databases(),
    });
    this.sendChanged({ type: 'changes', changes: this.source.changes() });
    this.sendEvidence(this.source.evidence());
    const state = this.source.evidenceState();
    if (state !== null) this.sendChanged({ type: 'evidenceState', ...state });
    this.sendMarks(this.source.marks());
    this.sendSamples();
    this.sendRows();
  }

  private sendChanged(message: Exclude<ToWebview, { type: 'columns' | 'samples' }>): void {
    const text = JSON.stringify(message);
    if (this.sent.get(message.type) === text) return;
    this.sent.set(message.type, text);
    this.world.post(message);
  }

  private sendEvidence(evidence: EvidencePages | null): void {
    if (evidence === null || evidence === this.sentEvidence) return;
    this.sendChanged({ type: 'evidence', evidence });
    this.sentEvidence = evidence;
  }

  private sendMarks(marks: TimeMarks | null): void {
    if (marks === null || marks === this.sentMarks) return;
    this.sendChanged({ type: 'marks', ...marks });
    this.sentMarks = marks;
  }

  /**
   * Sends all samples again if the capture is another one, because those shown before are of another time or another
   * server.
   */
  private sendSamples(): void {
    const captureId = this.source.capture()?.id ?? null;
    const update = this.source.samples(
      this.sentSamples?.captureId === captureId ? this.sentSamples.cursor : null,
    );
    if (update === null) return;
    this.sentSamples = { captureId, cursor: update.cursor };
    this.world.post(writeSamples(update));
  }

  private sendReveal(): void {
    if (this.revealed !== null) this.world.post({ type: 'reveal', databaseId: this.revealed });
    this.revealed = null;
  }

  private sendRows(): void {
    const capture = this.source.capture();
    if (capture === null || this.waiting !== null) return;
    const { rows } = capture.columns;
    const isSame =
      this.held?.captureId === capture.id &&
      this.held.generation === capture.generation &&
      this.held.rows <= rows;
    const fromRow = isSame ? (this.held as Position).rows : 0;
    // An empty slice of another capture is sent too: it tells the webview that what it holds is out of date.
    if (isSame && fromRow === rows) return;
    const slice = capture.slice(fromRow, Math.min(rows, fromRow + MOST_ROWS_IN_SLICE));
    this.waiting = this.world.schedule(ANSWER_TIMEOUT_MS, () => {
      this.waiting = null;
      this.sendRows();
    });
    this.world.post({
      type: 'columns',
      captureId: capture.id,
      generation: capture.generation,
      ofRows: rows,
      ...slice,
    });
  }

  private stopWaiting(): void {
    this.waiting?.dispose();
    this.waiting = null;
  }
}

function writeSamples({ replaces, samples }: StripUpdate): Extract<ToWebview, { type: 'samples' }> {
  return {
    type: 'samples',
    replaces,
    samples: samples.samples,
    beginUtcMs: copyExactly(samples.beginUtcMs),
    endUtcMs: copyExactly(samples.endUtcMs),
    values: joinSeries(samples),
  };
}

/** Copies the values, because a view would send the whole buffer behind it. */
function copyExactly(column: Float64Array): ArrayBuffer {
  return new Float64Array(column).buffer;
}

function joinSeries({ samples, values }: StripSamples): ArrayBuffer {
  const joined = new Float32Array(samples * STRIP_SERIES.length);
  STRIP_SERIES.forEach((series, at) => joined.set(values[series], at * samples));
  return joined.buffer;
}
