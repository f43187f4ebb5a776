import assert from 'node:assert/strict';
import * as format from '../../src/captures/capture-format';
import { readStateSections, writeStateSections } from '../../src/captures/state-sections';
import { finishSteps } from '../../src/core/steps';
import type { KeptCapture } from '../../src/captures/capture-header';
import { GUID } from '../core/events/event-rows';
import { decodeCapture, encodeCapture, makeFollowingCapture, makeKeptCapture, trimCapture } from './kept-captures';

/** A capture as version 1 of the format had it: no sections, no way to go on, a checksum byte by byte. Written down here once more, so that no later change can touch it. */
function writeVersion1(capture: KeptCapture): Buffer {
  const { id, serverLabel, serverName, databases, observation, ledger, columns } = capture;
  const counts = { ...ledger, otherByName: Object.fromEntries(ledger.otherByName) };
  const names = { format: 'checkpoint-health capture', version: 1, captureId: id, serverLabel, serverName };
  const header = Buffer.from(`${JSON.stringify({ ...names, databases, observation, ledger: counts, rows: columns.rows, layout: '' })}\n`);
  const { rows } = columns;
  const body = Buffer.alloc(rows * 14);
  for (let row = 0; row < rows; row++) {
    body.writeDoubleLE(columns.beginUtcMs[row] ?? 0, row * 8);
    body.writeUInt32LE(columns.durationMs[row] ?? 0, rows * 8 + row * 4);
    body.writeUInt16LE(columns.database[row] ?? 0, rows * 12 + row * 2);
  }
  const bytes = Buffer.concat([header, body, Buffer.alloc(4)]);
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.length - 4; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  bytes.writeUInt32LE(hash >>> 0, bytes.length - 4);
  return bytes;
}

describe('a capture as bytes', () => {
  const bytes = encodeCapture(makeKeptCapture());
  const following = encodeCapture(makeFollowingCapture());

  const none = { rows: 0, beginUtcMs: new Float64Array(0), durationMs: new Uint32Array(0), database: new Uint16Array(0) };
  const observation = makeKeptCapture().observation ?? assert.fail('nothing observed');
  const { beginUtcMs, endUtcMs } = observation;
  const changedUtcMs = beginUtcMs + 10;
  const databases = { before: null, after: [5, 7] };
  const changed = { kind: 'databases changed', beginUtcMs, endUtcMs: changedUtcMs, reason: 'Changed.', databases } as const;
  const unrecorded = [{ database: 0, beginUtcMs: changedUtcMs, endUtcMs }];
  for (const [what, kept] of Object.entries({
    'as it was kept, without the spare capacity of its columns': {},
    'with all that is needed to go on with it, and with what others keep beside it': makeFollowingCapture(),
    'with the databases that were not recorded all the time': { observation: { ...observation, gaps: [changed], unrecorded } },
    'when nothing was captured': { databases: [], observation: null, columns: none },
  }))
    it(`comes back ${what}`, () => {
      const capture = makeKeptCapture(kept);
      assert.deepEqual(decodeCapture(encodeCapture(capture)), { capture: trimCapture(capture), problem: null });
    });

  it('comes back with a single reason why events did not pair', () => {
    const kept = makeFollowingCapture();
    const state = kept.state ?? assert.fail();
    const plain = { ...state.plain, unpairedReasons: ['overlap'] as const };
    const unpaired = { ...state.unpaired, reason: Uint8Array.of(0) };
    assert.equal(decodeCapture(encodeCapture({ ...kept, state: { ...state, plain, unpaired } })).problem, null);
  });

  it('is refused where the part that it needs to continue lists more than any server has, and read whatever commas its names have', () => {
    const kept = makeFollowingCapture();
    const state = kept.state ?? assert.fail();
    const scanTexts = Array.from({ length: 1_100_000 }, () => '');
    const given = encodeCapture({ ...kept, state: { ...state, plain: { ...state.plain, scanTexts } } });
    assert.equal(decodeCapture(given).problem, 'the part that it needs to continue is damaged');
    const databases = Array.from({ length: 5_000 }, (_, at) => ({ databaseId: at, createdLocal: null, name: ',"\\'.repeat(42) }));
    assert.equal(decodeCapture(encodeCapture(makeKeptCapture({ databases }))).problem, null);
  });

  it('is refused with a sentence, and at once, where its first line tells of what no server has', () => {
    const kept = makeKeptCapture();
    const gap = { kind: 'unknown', beginUtcMs, endUtcMs: beginUtcMs + 1, reason: 'x' } as const;
    const list = (count: number, databaseId = 5) =>
      Array.from({ length: count }, (_, at) => ({ databaseId, name: `D${at}`, createdLocal: null }));
    const MORE = 'its first line lists more than any server has';
    const wrong = [
      [{ databases: list(1_000_000) }, 'its first line is longer than that of any server'],
      [{ databases: list(70_000) }, 'it names more databases than a server can have, which is 32,767'],
      [
        { databases: Array.from({ length: 33_000 }, (_, databaseId) => ({ databaseId, name: null, createdLocal: null })) },
        'it names more databases than a server can have, which is 32,767',
      ],
      [{ observation: { ...observation, gaps: Array.from({ length: 50_000 }, () => gap) } }, 'it has more than 10,000 gaps'],
      [{ trackedDatabaseIds: Array.from({ length: 1_100_000 }, () => 5) }, MORE],
      [
        {
          observation: {
            ...observation,
            gaps: [{ ...gap, databases: { before: null, after: Array.from({ length: 1_100_000 }, () => 5) } }],
          },
        },
        MORE,
      ],
      [
        { ledger: { ...kept.ledger, otherByName: new Map(Array.from({ length: 3_000 }, (_, at) => [`n${at}`, 0])) } },
        'its header is damaged at otherByName',
      ],
      [{ sections: Array.from({ length: 2_000 }, () => ({ name: '', bytes: new Uint8Array(0) })) }, 'its header is damaged at sections'],
      [{ observation: { ...observation, endUtcMs: 1e300 } }, 'its header is damaged at endUtcMs'],
    ] as const;
    for (const [more, problem] of wrong) {
      const given = encodeCapture({ ...kept, ...more });
      const startedMs = performance.now();
      assert.equal(decodeCapture(given).problem, problem);
      assert.ok(performance.now() - startedMs < 1_000, problem);
    }
    // One database that was dropped and made again 40,000 times stands there as often.
    assert.equal(decodeCapture(encodeCapture({ ...kept, databases: [...kept.databases, ...list(40_000)] })).problem, null);
    // A clock that was moved makes the time long, and loses nothing.
    assert.equal(decodeCapture(encodeCapture({ ...kept, observation: { ...observation, endUtcMs: Date.UTC(2199, 0, 1) } })).problem, null);
  });

  it('that an earlier version kept without tasks says that they are not known', () => {
    const kept = makeFollowingCapture();
    const { task, ...columns } = kept.columns;
    assert.notEqual(task, undefined);
    const earlier = { ...kept, columns, state: kept.state && { ...kept.state, columns, taskGuids: new Int32Array(0) } };
    assert.deepEqual(decodeCapture(encodeCapture(earlier)), { capture: trimCapture(earlier), problem: null });
  });

  it('of a version that called snapshots of the session sights goes on with them', () => {
    const { following, ...whole } = makeFollowingCapture();
    const { snapshot, ...others } = following ?? assert.fail();
    const takingUp = { firstEventUtcMs: 5, hasEarlier: true, files: ['f_0_1.xel'] };
    const unread = { readToUtcMs: null, earliestUtcMs: 4, isFromBeginning: true };
    const now = { ...others, snapshot, unread: { ...unread, takingUp: { ...takingUp, snapshot } } };
    const then = { ...others, sight: snapshot, unread: { ...unread, takingUp: { ...takingUp, sight: snapshot } } };
    const kept = { ...whole, following: then as unknown as KeptCapture['following'] };
    assert.deepEqual(decodeCapture(encodeCapture(kept)).capture?.following, now);
  });

  it('of a version that kept undecided events as JSON goes on with them', () => {
    const { state } = makeFollowingCapture();
    assert.ok(state !== null);
    const { pendingSources, ...plain } = state.plain;
    const source = { kind: 'begin', ...pendingSources[0] };
    const pending = [
      { ...source, databaseId: 5, atUtcMs: Date.UTC(2026, 0, 5, 10, 0, 25), guid: GUID, sequence: 7 },
      { ...source, databaseId: 8, atUtcMs: Date.UTC(2026, 0, 5, 10, 0, 21), guid: null, sequence: null },
    ];
    const sections = finishSteps(writeStateSections(state)).flatMap((section) => {
      if (section.name === 'pending') return [];
      return section.name === 'state' ? [{ name: 'state', bytes: Buffer.from(JSON.stringify({ ...plain, pending })) }] : [section];
    });
    const { taskGuids, columns, ...read } = finishSteps(readStateSections(sections, state.columns)).state ?? assert.fail();
    assert.deepEqual([read.pending, read.plain], [state.pending, state.plain]);
    assert.deepEqual([taskGuids, columns.rows], [state.taskGuids, state.columns.rows]);
    const without = sections.map((section) =>
      section.name === 'state' ? { name: 'state', bytes: Buffer.from(JSON.stringify(plain)) } : section,
    );
    assert.equal(finishSteps(readStateSections(without, state.columns)).problem, 'the part that it needs to continue is damaged');
  });

  it('with a state of another shape, or of another capture, is refused in one clause', () => {
    const whole = makeFollowingCapture();
    const { state } = whole;
    assert.ok(state !== null);
    const isDamaged = 'the part that it needs to continue is damaged';
    const isAnothers = 'the part that it needs to continue is of another capture';
    const { plain } = state;
    const twice = plain.databases.map((one) => ({ ...one, databaseId: 5, createdLocal: '2014-02-03T04:05:06.700' }));
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
      assert.equal(decodeCapture(encodeCapture({ ...whole, state: changed })).problem, problem, JSON.stringify(changes));
    }
    const columns = { ...state.columns, beginUtcMs: Float64Array.of(NaN, 1, 2) };
    const { problem } = decodeCapture(encodeCapture({ ...whole, columns, state: { ...state, columns } }));
    assert.equal(problem, 'it has a checkpoint at no time that there is');
  });

  it('of version 1 is read as before, and says nothing of what that version did not keep', () => {
    const { capture, problem } = decodeCapture(writeVersion1(makeKeptCapture()));
    const known: Partial<KeptCapture> = trimCapture(makeKeptCapture());
    delete (known as { trackedDatabaseIds?: unknown }).trackedDatabaseIds;
    assert.deepEqual([capture, problem], [known, null]);
    const damaged = writeVersion1(makeKeptCapture());
    damaged[damaged.length - 9] = 77;
    assert.equal(decodeCapture(damaged).problem, 'its checksum does not match its content');
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
        assert.equal(problem, length <= whole.indexOf(10) ? 'it is not a capture of Checkpoint Health' : 'it ends too early');
      }
    }
    assert.equal(decodeCapture(Buffer.concat([bytes, Buffer.from([0])])).problem, 'it is longer than it should be');
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
    const later = Buffer.from(Buffer.from(bytes).toString('latin1').replace('"version":2', '"version":3'), 'latin1');
    assert.equal(decodeCapture(later).problem, 'it has version 3, and only versions 1 and 2 can be read');
  });

  for (const [field, from, to] of [
    ['rows', '"rows":3', '"rows":-3'],
    ['captureId', '"captureId":"capture-1"', '"captureId":null'],
    ['databases', '"databases":[', '"databases":[7,'],
    ['endUtcMs', '"endUtcMs":1772442000000', '"endUtcMs":null'],
    ['checkpoints', '"checkpoints":3', '"checkpoints":0.5'],
    ['buffer_pool_scan_complete', '"buffer_pool_scan_complete":1', '"buffer_pool_scan_complete":"1"'],
  ] as const) {
    it(`with a wrong ${field} is refused by that name`, () => {
      const text = Buffer.from(bytes).toString('latin1');
      assert.ok(text.includes(from));
      assert.equal(decodeCapture(Buffer.from(text.replace(from, to), 'latin1')).problem, `its header is damaged at ${field}`);
    });
  }

  it('that names a database beyond its list is refused', () => {
    const capture = makeKeptCapture({ databases: [{ databaseId: 5, createdLocal: null, name: 'only' }] });
    assert.equal(decodeCapture(encodeCapture(capture)).problem, 'it names a database that it does not list');
  });

  it('of something else is refused, whatever it is', () => {
    for (const text of ['', '\n', '{}\n', '[]\n', 'null\n', '<event/>\n', '{"format":"other"}\n1234', 'PK\u0003\u0004']) {
      assert.equal(decodeCapture(Buffer.from(text)).problem, 'it is not a capture of Checkpoint Health', JSON.stringify(text));
    }
  });

  it('of a million checkpoints comes back byte for byte', () => {
    const rows = 1_000_000;
    const columns = { rows, beginUtcMs: new Float64Array(rows), durationMs: new Uint32Array(rows), database: new Uint16Array(rows) };
    for (let row = 0; row < rows; row++) {
      columns.beginUtcMs[row] = 1_772_438_400_000 + row * 7;
      columns.durationMs[row] = Math.imul(row, 2_654_435_761) >>> 8;
      columns.database[row] = row % 500;
    }
    const databases = Array.from({ length: 500 }, (_, index) => ({ databaseId: index + 5, createdLocal: null, name: `db${index}` }));
    const million = encodeCapture(makeKeptCapture({ columns, databases }));
    const { capture } = decodeCapture(million);
    assert.ok(capture);
    assert.equal(Buffer.compare(encodeCapture(capture), million), 0);
    assert.equal(Buffer.compare(Buffer.from(capture.columns.durationMs.buffer), Buffer.from(columns.durationMs.buffer)), 0);
    assert.ok(million.length < rows * 14 + 30_000);
    // 8, 4 and 2 MB of columns in pieces of 4, as much again for the checksum: no step has more than 4 MB to do.
    assert.ok([...format.encodeCapture(capture)].length >= 4 + 3);
    assert.ok([...format.decodeCapture(million)].length >= 4 + 3 + 1);
  });
});
