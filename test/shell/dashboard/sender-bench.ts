import { sliceColumns } from '../../../src/core/capture/checkpoint-store';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import type { EvidencePages } from '../../../src/core/pages/evidence-page';
import type { EvidenceState } from '../../../src/core/pages/evidence-page';
import { readStripSamples } from '../../../src/core/timeline/strip-series';
import type { TimeMarks } from '../../../src/core/timeline/time-marks';
import type { ToWebview } from '../../../src/protocol';
import { type CaptureSource, DashboardSender } from '../../../src/shell/dashboard/sender';
import { notTracking } from '../sample';

export type Columns = Extract<ToWebview, { type: 'columns' }>;

/** A capture whose row i begins at i. */
export function createSource(id: string, generation: number, rows: number): CaptureSource {
  const columns = {
    rows,
    beginUtcMs: Float64Array.from({ length: rows }, (_, at) => at),
    durationMs: new Uint32Array(rows),
    database: new Uint16Array(rows),
  };
  return { id, generation, rows, slice: (from, to) => sliceColumns(columns, from, to) };
}

/** A dashboard whose clock and webview are in the test's hands. */
export class Bench {
  capture: CaptureSource | null = null;
  automatic = 312;
  evidence: EvidencePages | null = null;
  state: EvidenceState | null = null;
  marks: TimeMarks | null = null;
  log = new WriteWorkLog();
  /** Cursors with which samples were asked for. */
  readonly asked: unknown[] = [];
  readonly posted: ToWebview[] = [];
  readonly tasks: { readonly delayMs: number; readonly run: () => void }[] = [];
  readonly sender = new DashboardSender(
    {
      server: () => ({
        name: 's',
        description: '',
        automatic: this.automatic,
        databases: 400,
        utcOffsetMinutes: 0,
        offsets: [],
        recoveryIntervalMs: 60_000,
        nextWave: null,
        instance: null,
      }),
      tracking: () => ({ ...notTracking, obstacle: null }),
      databases: () => [],
      changes: () => [],
      evidence: () => this.evidence,
      evidenceState: () => this.state,
      marks: () => this.marks,
      samples: (held) => {
        this.asked.push(held);
        return readStripSamples(this.log, true, held);
      },
      capture: () => this.capture,
    },
    {
      post: (message) => this.posted.push(message),
      schedule: (delayMs, run) => {
        const task = { delayMs, run };
        this.tasks.push(task);
        return { dispose: () => void this.tasks.splice(this.tasks.indexOf(task), this.tasks.includes(task) ? 1 : 0) };
      },
    },
  );

  ready(captureId: string | null = null, generation = 0, rows = 0): void {
    this.sender.receive({ type: 'ready', captureId, generation, rows });
  }

  receive(captureId: string, generation: number, rows: number): void {
    this.sender.receive({ type: 'received', captureId, generation, rows });
  }

  /** Runs what is due after that time. */
  pass(delayMs: number): void {
    for (const task of this.tasks.filter((one) => one.delayMs === delayMs)) {
      this.tasks.splice(this.tasks.indexOf(task), 1);
      task.run();
    }
  }

  take(): readonly ToWebview[] {
    return this.posted.splice(0);
  }

  takeColumns(): readonly (readonly [number, number])[] {
    return this.take()
      .filter((message): message is Columns => message.type === 'columns')
      .map(({ fromRow, rows }) => [fromRow, rows] as const);
  }
}
