import assert from 'node:assert/strict';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import type { CaptureRecord } from '../../../src/core/capture/capture-record';
import type { EvidencePages, EvidenceState } from '../../../src/core/pages/evidence-page';
import { STRIP_SERIES } from '../../../src/core/timeline/strip-samples';
import { readStripSamples } from '../../../src/core/timeline/strip-series';
import { NO_TIME_MARKS, type TimeMarks } from '../../../src/core/timeline/time-marks';
import type { ServerView, ToWebview } from '../../../src/protocol';
import {
  ANSWER_TIMEOUT_MS,
  DashboardSender,
  LEAST_SEND_INTERVAL_MS,
  MOST_ROWS_IN_SLICE,
} from '../../../src/shell/dashboard/sender';
import { createServerView } from '../../../src/shell/dashboard/view';
import { NO_SAMPLES, receiveSamples } from '../../../src/webview/model/replica';
import { everySecond, recordOf } from '../../core/capture/record-of';
import { instanceAt, MIDNIGHT_MS } from '../../core/write-work/work-readings-of';
import { fakeEvidence } from '../../webview/fake-evidence';
import { notTracking, partsOf, shop } from '../sample';

type Message<Type extends ToWebview['type']> = Extract<ToWebview, { type: Type }>;

/** A dashboard whose clock and webview are in the test's hands. */
class Bench {
  capture: CaptureRecord | null = null;
  server: ServerView | null = createServerView(shop());
  evidence: EvidencePages | null = null;
  state: EvidenceState | null = null;
  marks: TimeMarks | null = null;
  log = new WriteWorkLog();
  readonly posted: ToWebview[] = [];
  readonly tasks: { readonly delayMs: number; readonly run: () => void }[] = [];
  readonly sender = new DashboardSender(
    {
      server: () => this.server,
      tracking: () => ({ ...notTracking, obstacle: null }),
      databases: () => [],
      changes: () => [],
      evidence: () => this.evidence,
      evidenceState: () => this.state,
      marks: () => this.marks,
      samples: (held) => readStripSamples(this.log, true, held),
      capture: () => this.capture,
    },
    {
      post: (message) => this.posted.push(message),
      schedule: (delayMs, run) => {
        const task = { delayMs, run };
        this.tasks.push(task);
        return {
          dispose: () => void this.tasks.splice(this.tasks.indexOf(task), this.tasks.includes(task) ? 1 : 0),
        };
      },
    },
  );

  /** A capture whose row i begins at second i. */
  hold(id: string, generation: number, rows: number): void {
    this.capture = recordOf(everySecond(rows), { id, generation });
  }

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

  /** Something may have changed, and the time until it is sent passes. */
  update(): void {
    this.sender.update();
    this.pass(LEAST_SEND_INTERVAL_MS);
  }

  take(): readonly ToWebview[] {
    return this.posted.splice(0);
  }

  takeOf<Type extends ToWebview['type']>(type: Type): readonly Message<Type>[] {
    return this.take().filter((message): message is Message<Type> => message.type === type);
  }

  takeRows(): readonly unknown[] {
    return partsOf(this.takeOf('columns'), 'fromRow', 'rows');
  }
}

const EVERYTHING = ['server', 'tracking', 'databases', 'changes', 'samples', 'columns'];

describe('sending to the dashboard', () => {
  let bench: Bench;
  beforeEach(() => (bench = new Bench()));

  it('says nothing before the webview is ready', () => {
    bench.sender.update();
    assert.deepEqual([bench.take(), bench.tasks.length], [[], 0]);
  });

  it('answers ready with everything, names before the rows that use them, and begins again where that is said twice', () => {
    bench.hold('a', 1, 3);
    for (let time = 0; time < 2; time++) {
      bench.ready();
      assert.deepEqual(partsOf(bench.take(), 'type'), EVERYTHING);
    }
    assert.equal(bench.tasks.filter(({ delayMs }) => delayMs === ANSWER_TIMEOUT_MS).length, 1);
  });

  it('sends a long capture in slices of at most 1 MB, each after the one before was received', () => {
    bench.hold('a', 1, 2 * MOST_ROWS_IN_SLICE + 5);
    bench.ready();
    const [first] = bench.takeOf('columns');
    assert.equal(first?.rows, MOST_ROWS_IN_SLICE);
    assert.ok(
      first.beginUtcMs.byteLength + first.durationMs.byteLength + first.database.byteLength <= 1_000_000,
    );
    for (const [received, sent] of [
      [MOST_ROWS_IN_SLICE, [[MOST_ROWS_IN_SLICE, MOST_ROWS_IN_SLICE]]],
      [2 * MOST_ROWS_IN_SLICE, [[2 * MOST_ROWS_IN_SLICE, 5]]],
      [2 * MOST_ROWS_IN_SLICE + 5, []],
    ] as const) {
      bench.receive('a', 1, received);
      assert.deepEqual(bench.takeRows(), sent);
    }
  });

  it('sends only the rows that a webview lacks', () => {
    bench.hold('a', 1, 10);
    bench.ready('a', 1, 7);
    const [columns = assert.fail()] = bench.takeOf('columns');
    assert.deepEqual(
      [columns.fromRow, columns.rows, [...new Float64Array(columns.beginUtcMs)]],
      [7, 3, [7_000, 8_000, 9_000]],
    );
  });

  it('begins again for another capture, another generation, and a webview that holds more than there is', () => {
    bench.hold('a', 1, 10);
    for (const [id, generation, rows] of [
      ['b', 1, 7],
      ['a', 2, 7],
      ['a', 1, 11],
    ] as const) {
      bench.ready(id, generation, rows);
      assert.deepEqual(bench.takeRows(), [[0, 10]], id);
    }
  });

  it('replaces what is held when the generation rises while rows are on their way', () => {
    bench.hold('a', 1, 10);
    bench.ready();
    bench.take();
    bench.hold('a', 2, 4);
    bench.receive('a', 1, 10);
    assert.deepEqual(bench.takeRows(), [[0, 4]]);
  });

  it('empties a webview that holds rows of a capture that gave way to an empty one', () => {
    bench.hold('b', 1, 0);
    bench.ready('a', 1, 10);
    assert.deepEqual(bench.takeRows(), [[0, 0]]);
    bench.receive('b', 1, 0);
    assert.deepEqual(bench.takeRows(), []);
  });

  it('sends a slice again when its receipt is lost, and not twice at once', () => {
    bench.hold('a', 1, 10);
    bench.ready();
    bench.take();
    bench.update();
    assert.deepEqual(bench.takeRows(), []);
    bench.pass(ANSWER_TIMEOUT_MS);
    assert.deepEqual(bench.takeRows(), [[0, 10]]);
    bench.receive('a', 1, 10);
    bench.pass(ANSWER_TIMEOUT_MS);
    assert.deepEqual(bench.takeRows(), []);
  });

  it('sends many changes once, and of them only what is different', () => {
    bench.ready();
    bench.take();
    bench.server = { ...(bench.server ?? assert.fail()), automatic: 311 };
    for (let at = 0; at < 100; at++) bench.sender.update();
    assert.deepEqual(bench.take(), []);
    bench.pass(LEAST_SEND_INTERVAL_MS);
    assert.deepEqual(partsOf(bench.take(), 'type'), ['server']);
    bench.update();
    assert.deepEqual(bench.take(), []);
  });

  it('sends the rows that were added since the last receipt', () => {
    bench.hold('a', 1, 10);
    bench.ready();
    bench.receive('a', 1, 10);
    bench.take();
    bench.hold('a', 1, 12);
    bench.update();
    assert.deepEqual(bench.takeRows(), [[10, 2]]);
  });

  it('is silent while the dashboard is hidden, and sends everything when it is back', () => {
    bench.hold('a', 1, 10);
    bench.ready();
    bench.take();
    bench.sender.pause();
    bench.sender.update();
    bench.receive('a', 1, 10);
    assert.deepEqual([bench.take(), bench.tasks.length], [[], 0]);
    bench.ready();
    assert.deepEqual(bench.takeRows(), [[0, 10]]);
  });

  it('reveals a database once, after the webview is ready', () => {
    bench.sender.reveal(7);
    assert.deepEqual(bench.take(), []);
    bench.ready();
    assert.deepEqual(bench.takeOf('reveal'), [{ type: 'reveal', databaseId: 7 }]);
    bench.ready();
    assert.deepEqual(bench.takeOf('reveal'), []);
  });
});

describe('sending evidence to the dashboard', () => {
  let bench: Bench;
  beforeEach(() => (bench = new Bench()));

  it('sends evidence once there is some, and again where it says something else', () => {
    const sent = (): number => {
      bench.update();
      return bench.takeOf('evidence').length;
    };
    bench.ready();
    assert.equal(bench.takeOf('evidence').length + sent(), 0);
    bench.evidence = fakeEvidence();
    assert.deepEqual([sent(), sent()], [1, 0]);
    bench.evidence = fakeEvidence();
    assert.equal(sent(), 0, 'another object that says the same');
    bench.evidence = {
      ...fakeEvidence(),
      errorLog: { summary: 'The error log could not be read.', tables: [], notes: [] },
    };
    assert.deepEqual([sent(), sent()], [1, 0]);
    bench.ready();
    assert.equal(bench.takeOf('evidence').length, 1, 'a webview that begins anew has none');
  });

  it('sends marks by what they say, and never writes the same ones out twice', () => {
    bench.marks = NO_TIME_MARKS;
    bench.ready();
    assert.equal(bench.takeOf('marks').length, 1);
    let written = 0;
    const mark = {
      kind: 'recovery',
      beginUtcMs: 1,
      endUtcMs: 2,
      databaseId: 5,
      database: 'a]b"',
      text: 'Recovery.',
    } as const;
    const older = [{ text: '3 backups', lastUtcMs: 0 }];
    bench.marks = { marks: [{ ...mark, toJSON: () => (written++, mark) } as typeof mark], older, undated: 2 };
    bench.update();
    assert.deepEqual(partsOf(bench.takeOf('marks'), 'older', 'undated'), [[older, 2]]);
    for (let time = 0; time < 2; time++) bench.update();
    assert.deepEqual([bench.take(), written], [[], 1]);
  });

  it('sends what is being read, and that it is over', () => {
    bench.ready();
    bench.take();
    for (const state of [
      { reading: { text: 'Reading…' }, stopped: null },
      { reading: null, stopped: 'Cancelled.' },
    ]) {
      bench.state = state;
      bench.update();
      assert.deepEqual(bench.take(), [{ type: 'evidenceState', ...state }]);
    }
  });

  it('sends all samples to a webview that is ready, and from then on what is new, in exact buffers', () => {
    const append = (minute: number): void =>
      bench.log.appendInstance(instanceAt(minute * 60_000, minute * 60), 180_000);
    for (let minute = 0; minute <= 10; minute++) append(minute);
    bench.ready();
    const [whole = assert.fail(), ...more] = bench.takeOf('samples');
    assert.deepEqual(
      [whole.replaces, whole.samples, more.length],
      [true, 8, 0],
      'the newest wait for those of databases',
    );
    bench.update();
    assert.deepEqual(bench.takeOf('samples'), []);
    append(11);
    bench.update();
    const [next = assert.fail()] = bench.takeOf('samples');
    assert.deepEqual([next.replaces, next.samples], [false, 1]);
    assert.deepEqual(
      [next.beginUtcMs.byteLength, next.endUtcMs.byteLength, next.values.byteLength],
      [8, 8, 4 * STRIP_SERIES.length],
    );
    const held = receiveSamples(receiveSamples(NO_SAMPLES, whole), next);
    const minutes = Array.from({ length: 9 }, (_, at) => MIDNIGHT_MS + (at + 1) * 60_000);
    assert.deepEqual(
      [[...held.endUtcMs], new Set(held.values.checkpointPagesPerSecond)],
      [minutes, new Set([1])],
    );
  });

  it('replaces the samples of another server, and those beside another capture', () => {
    const pass = (): readonly unknown[] => {
      bench.update();
      return partsOf(bench.takeOf('samples'), 'replaces', 'samples');
    };
    for (let minute = 0; minute <= 4; minute++)
      bench.log.appendInstance(instanceAt(minute * 60_000, minute), 180_000);
    bench.ready();
    bench.take();
    bench.hold('a', 1, 10);
    assert.deepEqual(pass(), [[true, 2]]);
    bench.log = new WriteWorkLog();
    assert.deepEqual([pass(), pass()], [[[true, 0]], []]);
  });
});
