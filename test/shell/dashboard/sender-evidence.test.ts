import assert from 'node:assert/strict';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { STRIP_SERIES } from '../../../src/core/timeline/strip-samples';
import { NO_TIME_MARKS } from '../../../src/core/timeline/time-marks';
import type { ToWebview } from '../../../src/protocol';
import { LEAST_SEND_INTERVAL_MS } from '../../../src/shell/dashboard/sender';
import { NO_SAMPLES, receiveSamples } from '../../../src/webview/model/replica';
import { instanceAt, MIDNIGHT_MS } from '../../core/write-work/work-readings-of';
import { Bench, createSource } from './sender-bench';

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
