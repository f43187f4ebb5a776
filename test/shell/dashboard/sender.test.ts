import assert from 'node:assert/strict';
import { ANSWER_TIMEOUT_MS, LEAST_SEND_INTERVAL_MS, MOST_ROWS_IN_SLICE } from '../../../src/shell/dashboard/sender';
import { fakeEvidence } from '../../webview/fake-evidence';
import { Bench, type Columns, createSource } from './sender-bench';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { STRIP_SERIES } from '../../../src/core/timeline/strip-samples';
import { NO_TIME_MARKS } from '../../../src/core/timeline/time-marks';
import type { ToWebview } from '../../../src/protocol';
import { NO_SAMPLES, receiveSamples } from '../../../src/webview/model/replica';
import { instanceAt, MIDNIGHT_MS } from '../../core/write-work/work-readings-of';

describe('sending to the dashboard', () => {
  it('says nothing before the webview is ready', () => {
    const bench = new Bench();
    bench.sender.update();
    assert.deepEqual([bench.take(), bench.tasks.length], [[], 0]);
  });

  it('answers ready with everything, names before the rows that use them', () => {
    const bench = new Bench();
    bench.capture = createSource('a', 1, 3);
    bench.ready();
    assert.deepEqual(
      bench.take().map(({ type }) => type),
      ['server', 'tracking', 'databases', 'changes', 'samples', 'columns'],
    );
  });

  it('sends a long capture in slices of at most 1 MB, each after the one before was received', () => {
    const bench = new Bench();
    bench.capture = createSource('a', 1, 2 * MOST_ROWS_IN_SLICE + 5);
    bench.ready();
    const [first] = bench.take().filter((message): message is Columns => message.type === 'columns');
    assert.equal(first?.rows, MOST_ROWS_IN_SLICE);
    assert.ok(first.beginUtcMs.byteLength + first.durationMs.byteLength + first.database.byteLength <= 1_000_000);
    bench.receive('a', 1, MOST_ROWS_IN_SLICE);
    assert.deepEqual(bench.takeColumns(), [[MOST_ROWS_IN_SLICE, MOST_ROWS_IN_SLICE]]);
    bench.receive('a', 1, 2 * MOST_ROWS_IN_SLICE);
    assert.deepEqual(bench.takeColumns(), [[2 * MOST_ROWS_IN_SLICE, 5]]);
    bench.receive('a', 1, 2 * MOST_ROWS_IN_SLICE + 5);
    assert.deepEqual(bench.takeColumns(), []);
  });

  it('sends only the rows that a webview lacks', () => {
    const bench = new Bench();
    bench.capture = createSource('a', 1, 10);
    bench.ready('a', 1, 7);
    const [columns] = bench.take().filter((message): message is Columns => message.type === 'columns');
    assert.deepEqual(
      [columns?.fromRow, columns?.rows, [...new Float64Array(columns?.beginUtcMs ?? new ArrayBuffer(0))]],
      [7, 3, [7, 8, 9]],
    );
  });

  it('begins again for another capture, another generation, and a webview that holds more than there is', () => {
    for (const [id, generation, rows] of [
      ['b', 1, 7],
      ['a', 2, 7],
      ['a', 1, 11],
    ] as const) {
      const bench = new Bench();
      bench.capture = createSource('a', 1, 10);
      bench.ready(id, generation, rows);
      assert.deepEqual(bench.takeColumns(), [[0, 10]]);
    }
  });

  it('replaces what is held when the generation rises while rows are on their way', () => {
    const bench = new Bench();
    bench.capture = createSource('a', 1, 10);
    bench.ready();
    bench.take();
    bench.capture = createSource('a', 2, 4);
    bench.receive('a', 1, 10);
    assert.deepEqual(bench.takeColumns(), [[0, 4]]);
  });

  it('empties a webview that holds rows of a capture that gave way to an empty one', () => {
    const bench = new Bench();
    bench.capture = createSource('b', 1, 0);
    bench.ready('a', 1, 10);
    assert.deepEqual(bench.takeColumns(), [[0, 0]]);
    bench.receive('b', 1, 0);
    assert.deepEqual(bench.takeColumns(), []);
  });

  it('sends a slice again when its receipt is lost, and not twice at once', () => {
    const bench = new Bench();
    bench.capture = createSource('a', 1, 10);
    bench.ready();
    bench.take();
    bench.sender.update();
    bench.pass(LEAST_SEND_INTERVAL_MS);
    assert.deepEqual(bench.takeColumns(), []);
    bench.pass(ANSWER_TIMEOUT_MS);
    assert.deepEqual(bench.takeColumns(), [[0, 10]]);
    bench.receive('a', 1, 10);
    bench.pass(ANSWER_TIMEOUT_MS);
    assert.deepEqual(bench.takeColumns(), []);
  });

  it('begins again for a webview that says ready twice', () => {
    const bench = new Bench();
    bench.capture = createSource('a', 1, 10);
    bench.ready();
    bench.take();
    bench.ready();
    assert.deepEqual(
      bench.take().map(({ type }) => type),
      ['server', 'tracking', 'databases', 'changes', 'samples', 'columns'],
    );
    assert.equal(bench.tasks.filter(({ delayMs }) => delayMs === ANSWER_TIMEOUT_MS).length, 1);
  });

  it('sends many changes once, and of them only what is different', () => {
    const bench = new Bench();
    bench.ready();
    bench.take();
    bench.automatic = 311;
    for (let at = 0; at < 100; at++) bench.sender.update();
    assert.deepEqual(bench.take(), []);
    bench.pass(LEAST_SEND_INTERVAL_MS);
    assert.deepEqual(
      bench.take().map(({ type }) => type),
      ['server'],
    );
    bench.sender.update();
    bench.pass(LEAST_SEND_INTERVAL_MS);
    assert.deepEqual(bench.take(), []);
  });

  it('sends evidence once there is some, and again where it says something else', () => {
    const bench = new Bench();
    const sent = (): number => {
      bench.sender.update();
      bench.pass(LEAST_SEND_INTERVAL_MS);
      return bench.take().filter(({ type }) => type === 'evidence').length;
    };
    bench.ready();
    bench.take();
    assert.equal(sent(), 0);
    bench.evidence = fakeEvidence();
    assert.deepEqual([sent(), sent()], [1, 0]);
    bench.evidence = fakeEvidence();
    assert.equal(sent(), 0, 'another object that says the same');
    bench.evidence = { ...fakeEvidence(), errorLog: { summary: 'The error log could not be read.', tables: [], notes: [] } };
    assert.deepEqual([sent(), sent()], [1, 0]);
    bench.ready();
    assert.equal(bench.take().filter(({ type }) => type === 'evidence').length, 1, 'a webview that begins anew has none');
  });

  it('sends the rows that were added since the last receipt', () => {
    const bench = new Bench();
    bench.capture = createSource('a', 1, 10);
    bench.ready();
    bench.receive('a', 1, 10);
    bench.take();
    bench.capture = createSource('a', 1, 12);
    bench.sender.update();
    bench.pass(LEAST_SEND_INTERVAL_MS);
    assert.deepEqual(bench.takeColumns(), [[10, 2]]);
  });

  it('is silent while the dashboard is hidden, and sends everything when it is back', () => {
    const bench = new Bench();
    bench.capture = createSource('a', 1, 10);
    bench.ready();
    bench.take();
    bench.sender.pause();
    bench.sender.update();
    bench.receive('a', 1, 10);
    assert.deepEqual([bench.take(), bench.tasks.length], [[], 0]);
    bench.ready();
    assert.deepEqual(bench.takeColumns(), [[0, 10]]);
  });

  it('reveals a database once, after the webview is ready', () => {
    const bench = new Bench();
    bench.sender.reveal(7);
    assert.deepEqual(bench.take(), []);
    bench.ready();
    assert.deepEqual(
      bench.take().filter(({ type }) => type === 'reveal'),
      [{ type: 'reveal', databaseId: 7 }],
    );
    bench.ready();
    assert.deepEqual(
      bench.take().filter(({ type }) => type === 'reveal'),
      [],
    );
  });
});

type Samples = Extract<ToWebview, { type: 'samples' }>;

describe('sending evidence to the dashboard', () => {
  it('sends marks by what they say, and never writes the same ones out twice', () => {
    const bench = new Bench();
    const sent = (): readonly ToWebview[] => {
      bench.sender.update();
      bench.pass(LEAST_SEND_INTERVAL_MS);
      return bench.take().filter(({ type }) => type === 'marks');
    };
    bench.marks = NO_TIME_MARKS;
    bench.ready();
    assert.equal(bench.take().filter(({ type }) => type === 'marks').length, 1);
    let written = 0;
    const mark = { kind: 'recovery', beginUtcMs: 1, endUtcMs: 2, databaseId: 5, database: 'a]b"', text: 'Recovery.' } as const;
    bench.marks = {
      marks: [{ ...mark, toJSON: () => (written++, mark) } as typeof mark],
      older: [{ text: '3 backups', lastUtcMs: 0 }],
      undated: 2,
    };
    const [message, ...others] = sent();
    assert.ok(message?.type === 'marks');
    assert.deepEqual([message.older, message.undated, others.length], [[{ text: '3 backups', lastUtcMs: 0 }], 2, 0]);
    assert.deepEqual([sent().length, sent().length, written], [0, 0, 1]);
  });

  it('sends what is being read, and that it is over', () => {
    const bench = new Bench();
    bench.ready();
    bench.take();
    for (const state of [
      { reading: { text: 'Reading…' }, stopped: null },
      { reading: null, stopped: 'Cancelled.' },
    ]) {
      bench.state = state;
      bench.sender.update();
      bench.pass(LEAST_SEND_INTERVAL_MS);
      assert.deepEqual(bench.take(), [{ type: 'evidenceState', ...state }]);
    }
  });

  it('sends all samples to a webview that is ready, and from then on what is new, in exact buffers', () => {
    const bench = new Bench();
    const append = (minute: number): void => bench.log.appendInstance(instanceAt(minute * 60_000, minute * 60), 180_000);
    const samples = (): readonly Samples[] => bench.take().filter((message): message is Samples => message.type === 'samples');
    const pass = (): readonly Samples[] => {
      bench.sender.update();
      bench.pass(LEAST_SEND_INTERVAL_MS);
      return samples();
    };
    for (let minute = 0; minute <= 10; minute++) append(minute);
    bench.ready();
    const [whole, ...more] = samples();
    assert.deepEqual([whole?.replaces, whole?.samples, more.length], [true, 8, 0], 'the newest wait for those of databases');
    assert.deepEqual(pass(), []);
    append(11);
    const [next] = pass();
    assert.deepEqual([next?.replaces, next?.samples], [false, 1]);
    assert.deepEqual([next?.beginUtcMs.byteLength, next?.endUtcMs.byteLength, next?.values.byteLength], [8, 8, 4 * STRIP_SERIES.length]);
    const held = receiveSamples(receiveSamples(NO_SAMPLES, whole ?? assert.fail()), next ?? assert.fail());
    assert.deepEqual(
      [...held.endUtcMs],
      Array.from({ length: 9 }, (_, at) => MIDNIGHT_MS + (at + 1) * 60_000),
    );
    assert.deepEqual(new Set(held.values.checkpointPagesPerSecond), new Set([1]));
  });

  it('replaces the samples of another server, and those beside another capture', () => {
    const bench = new Bench();
    const pass = (): readonly (readonly [boolean, number])[] => {
      bench.sender.update();
      bench.pass(LEAST_SEND_INTERVAL_MS);
      return bench
        .take()
        .filter((message): message is Samples => message.type === 'samples')
        .map(({ replaces, samples }) => [replaces, samples]);
    };
    for (let minute = 0; minute <= 4; minute++) bench.log.appendInstance(instanceAt(minute * 60_000, minute), 180_000);
    bench.ready();
    bench.take();
    bench.capture = createSource('a', 1, 10);
    assert.deepEqual(pass(), [[true, 2]]);
    bench.log = new WriteWorkLog();
    assert.deepEqual(pass(), [[true, 0]]);
    assert.deepEqual(pass(), []);
  });

  it('asks for no samples while the dashboard is hidden', () => {
    const bench = new Bench();
    bench.sender.update();
    bench.ready();
    bench.sender.pause();
    for (let at = 0; at < 10; at++) bench.sender.update();
    bench.pass(LEAST_SEND_INTERVAL_MS);
    assert.deepEqual(bench.asked, [null]);
  });
});
