import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as format from '../../src/captures/capture-format';
import type { KeptCapture } from '../../src/captures/capture-header';
import { restoreCapture } from '../../src/core/capture/capture';
import { findUnaccountedRows } from '../../src/core/capture/ledger';
import { finishSteps } from '../../src/core/steps';
import {
  decodeCapture,
  encodeCapture,
  eventAt,
  makeFollowingCapture,
  makeKeptCapture,
  trimCapture,
} from './kept-captures';
import { everySecond } from '../core/capture/record-of';

/** What is said against a capture, read from its bytes. */
const problemOf = (capture: KeptCapture): string | null => decodeCapture(encodeCapture(capture)).problem;
const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));

/** The first checkpoint of the oldest files. */
const T_FIRST = 1_772_438_400_123;
const EARLIER = join(__dirname, 'earlier');

describe('a capture that an earlier version kept', () => {
  const T0 = Date.UTC(2026, 0, 5, 10);
  for (const file of readdirSync(EARLIER))
    it(`is read, and goes on if it has what that needs: ${file}`, () => {
      const { capture, problem } = decodeCapture(readFileSync(join(EARLIER, file)));
      assert.ok(capture !== null, problem ?? '');
      const { columns, state, following, ledger } = capture;
      const isFirst = file.startsWith('1');
      const [begins, durations] = isFirst
        ? [
            [T_FIRST, T_FIRST + 1, T_FIRST + 877],
            [0, 2, 4_294_967_295],
          ]
        : [
            [T0, T0 + 2_000, T0 + 4_000],
            [1_000, 1_000, 1_000],
          ];
      assert.deepEqual(
        [[...columns.beginUtcMs].sort(), [...columns.durationMs], findUnaccountedRows(ledger)],
        [begins, durations, 0],
      );
      assert.equal(
        following?.snapshot.isRunning ?? null,
        isFirst || file === '2-vendor.checkpoints' ? null : true,
      );
      assert.deepEqual(decodeCapture(encodeCapture(capture)).capture, capture, 'kept again, it is the same');
      assert.equal(state === null, isFirst || file === '2-sight.checkpoints');
      if (state === null) return;
      const going = finishSteps(restoreCapture(state));
      going.append([eventAt(30, 'end', 5, 8)]);
      going.settle(T0 + 40_000);
      assert.deepEqual(
        [going.columns.rows, going.columns.durationMs[3], findUnaccountedRows(going.ledger())],
        [4, 5_000, 0],
      );
    });
});

describe('a capture as bytes', () => {
  const bytes = encodeCapture(makeKeptCapture());
  const following = encodeCapture(makeFollowingCapture());

  const observation = makeKeptCapture().observation ?? assert.fail('nothing observed');
  const { beginUtcMs, endUtcMs } = observation;
  const changedUtcMs = beginUtcMs + 10;
  const databases = { before: null, after: [5, 7] };
  const changed = {
    kind: 'databases changed',
    beginUtcMs,
    endUtcMs: changedUtcMs,
    reason: 'Changed.',
    databases,
  } as const;
  const unrecorded = [{ database: 0, beginUtcMs: changedUtcMs, endUtcMs }];
  for (const [what, kept] of Object.entries({
    'as it was kept, without the spare capacity of its columns': {},
    'with all that is needed to go on with it, and with what others keep beside it': makeFollowingCapture(),
    'with the databases that were not recorded all the time': {
      observation: { ...observation, gaps: [changed], unrecorded },
    },
    'when nothing was captured': { databases: [], observation: null, columns: everySecond(0) },
  }))
    it(`comes back ${what}`, () => {
      const capture = makeKeptCapture(kept);
      assert.deepEqual(decodeCapture(encodeCapture(capture)), {
        capture: trimCapture(capture),
        problem: null,
      });
    });

  it('is refused where the part that it needs to continue lists more than any server has, and read whatever commas its names have', () => {
    const kept = makeFollowingCapture();
    const state = kept.state ?? assert.fail();
    const pendingSources = many(1_100_000, () => ({ fileName: null, fileOffset: null }));
    const long = { ...state, plain: { ...state.plain, pendingSources } };
    assert.equal(problemOf({ ...kept, state: long }), 'the part that it needs to continue is damaged');
    const name = ',"\\'.repeat(42);
    const databases = many(5_000, (databaseId) => ({ databaseId, createdLocal: null, name }));
    assert.equal(problemOf(makeKeptCapture({ databases })), null);
  });

  it('is refused with a sentence, and at once, where its first line tells of what no server has', () => {
    const kept = makeKeptCapture();
    const gap = { kind: 'unknown', beginUtcMs, endUtcMs: beginUtcMs + 1, reason: 'x' } as const;
    const list = (count: number) =>
      many(count, (at) => ({ databaseId: 5, name: `D${at}`, createdLocal: null }));
    const observed = (more: Partial<typeof observation>) => ({ observation: { ...observation, ...more } });
    const LONG = 'its first line is longer than any server needs';
    const MORE = 'its first line lists more than any server has';
    const DATABASES = 'it names more databases than a server can have (32,767)';
    const unrecorded = many(250_000, () => ({ database: 0, beginUtcMs, endUtcMs }));
    const otherByName = new Map(many(3_000, (at) => [`n${at}`, 0] as const));
    const wrong = [
      [{ databases: list(1_000_000) }, LONG],
      [observed({ unrecorded }), LONG],
      [{ databases: list(70_000) }, DATABASES],
      [{ databases: list(33_000).map((one, databaseId) => ({ ...one, databaseId })) }, DATABASES],
      [observed({ gaps: many(20_000, () => gap) }), 'it has more than 10,000 gaps'],
      [{ trackedDatabaseIds: many(1_100_000, () => 5) }, MORE],
      [{ ledger: { ...kept.ledger, otherByName } }, 'its header is damaged at otherByName'],
      [
        { sections: many(2_000, () => ({ name: '', bytes: new Uint8Array(0) })) },
        'its header is damaged at sections',
      ],
      [observed({ endUtcMs: 1e300 }), 'its header is damaged at observation'],
    ] as const;
    for (const [more, problem] of wrong) {
      const given = encodeCapture({ ...kept, ...more });
      const startedMs = performance.now();
      assert.equal(decodeCapture(given).problem, problem);
      assert.ok(performance.now() - startedMs < 1_000, problem);
    }
    // One database that was dropped and made again 40,000 times stands there as often.
    assert.equal(problemOf({ ...kept, databases: [...kept.databases, ...list(40_000)] }), null);
    // A clock that was moved makes the time long, and loses nothing.
    assert.equal(problemOf({ ...kept, ...observed({ endUtcMs: Date.UTC(2199, 0, 1) }) }), null);
  });

  it('with a state of another shape, or of another capture, is refused in one clause', () => {
    const whole = makeFollowingCapture();
    const { state } = whole;
    assert.ok(state !== null);
    const isDamaged = 'the part that it needs to continue is damaged';
    const isAnothers = 'the part that it needs to continue belongs to another capture';
    const { plain } = state;
    const twice = plain.databases.map((one) => ({
      ...one,
      databaseId: 5,
      createdLocal: '2014-02-03T04:05:06.700',
    }));
    for (const [changes, problem] of [
      [{ databases: null }, isDamaged],
      [{ databases: [{}] }, isDamaged],
      [{ gaps: [{ kind: 'of a later version', beginUtcMs: 1, endUtcMs: 2, reason: '' }] }, isDamaged],
      [{ gaps: [{ kind: 'unknown', beginUtcMs: 1, endUtcMs: 1e300, reason: '' }] }, isDamaged],
      [{ otherByName: { x: 1 } }, isDamaged],
      [{ generation: 0.5 }, isDamaged],
      [{ pendingSources: [] }, isDamaged],
      [{ unpairedReasons: [] }, isDamaged],
      [{ databases: twice }, isDamaged],
      [{ id: 'capture-2' }, isAnothers],
      [{ rowsRead: 13 }, isAnothers],
      [{ databases: plain.databases.slice().reverse() }, isAnothers],
    ] as const) {
      const changed: typeof state = { ...state, plain: { ...plain, ...changes } as unknown as typeof plain };
      assert.equal(problemOf({ ...whole, state: changed }), problem, JSON.stringify(changes));
    }
    const columns = { ...state.columns, beginUtcMs: Float64Array.of(NaN, 1, 2) };
    const problem = problemOf({ ...whole, columns, state: { ...state, columns } });
    assert.equal(problem, 'it has a checkpoint at an impossible time');
  });

  it('comes back from the middle of a larger buffer', () => {
    const larger = new Uint8Array(bytes.length + 3);
    larger.set(bytes, 3);
    assert.deepEqual(decodeCapture(larger.subarray(3)).capture, trimCapture(makeKeptCapture()));
  });

  it('is refused at every length but its own', () => {
    for (const whole of [bytes, following]) {
      for (let length = 0; length < whole.length; length++) {
        const { capture, problem } = decodeCapture(whole.subarray(0, length));
        assert.equal(capture, null, `length ${length}`);
        assert.equal(
          problem,
          length <= whole.indexOf(10) ? 'it is not a capture of Checkpoint Health' : 'it ends too early',
        );
      }
    }
    assert.equal(
      decodeCapture(Buffer.concat([bytes, Buffer.from([0])])).problem,
      'it is longer than it should be',
    );
  });

  it('is refused when any one of its bytes changed', () => {
    for (const whole of [bytes, following]) {
      for (let at = 0; at < whole.length; at++) {
        for (const bit of [0x04, 0x20]) {
          const damaged = whole.slice();
          damaged[at] = (damaged[at] ?? 0) ^ bit;
          assert.equal(decodeCapture(damaged).capture, null, `byte ${at}`);
        }
      }
    }
  });

  it('of a later version is refused with both versions', () => {
    const later = Buffer.from(
      Buffer.from(bytes).toString('latin1').replace('"version":3', '"version":4'),
      'latin1',
    );
    assert.equal(
      decodeCapture(later).problem,
      'it has version 4, and only versions up to 3 can be read. Use the version that wrote it',
    );
  });

  it('that names a database beyond its list is refused', () => {
    const capture = makeKeptCapture({ databases: [{ databaseId: 5, createdLocal: null, name: 'only' }] });
    assert.equal(problemOf(capture), 'it names a database that it does not list');
  });

  it('of something else is refused, whatever it is', () => {
    for (const text of [
      '',
      '\n',
      '{}\n',
      '[]\n',
      'null\n',
      '<event/>\n',
      '{"format":"other"}\n1234',
      'PK\u0003\u0004',
    ]) {
      assert.equal(
        decodeCapture(Buffer.from(text)).problem,
        'it is not a capture of Checkpoint Health',
        JSON.stringify(text),
      );
    }
  });

  it('of a million checkpoints comes back byte for byte', () => {
    const rows = 1_000_000;
    const columns = {
      rows,
      beginUtcMs: new Float64Array(rows),
      durationMs: new Uint32Array(rows),
      database: new Uint16Array(rows),
    };
    for (let row = 0; row < rows; row++) {
      columns.beginUtcMs[row] = 1_772_438_400_000 + row * 7;
      columns.durationMs[row] = Math.imul(row, 2_654_435_761) >>> 8;
      columns.database[row] = row % 500;
    }
    const databases = many(500, (at) => ({ databaseId: at + 5, createdLocal: null, name: `db${at}` }));
    const million = encodeCapture(makeKeptCapture({ columns, databases }));
    const { capture } = decodeCapture(million);
    assert.ok(capture);
    assert.equal(Buffer.compare(encodeCapture(capture), million), 0);
    assert.equal(
      Buffer.compare(Buffer.from(capture.columns.durationMs.buffer), Buffer.from(columns.durationMs.buffer)),
      0,
    );
    assert.ok(million.length < rows * 14 + 30_000);
    // 8, 4 and 2 MB of columns in pieces of 4, as much again for the checksum: no step has more than 4 MB to do.
    assert.ok([...format.encodeCapture(capture)].length >= 4 + 3);
    assert.ok([...format.decodeCapture(million)].length >= 4 + 3 + 1);
  });
});
