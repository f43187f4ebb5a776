import assert from 'node:assert/strict';
import { createCapture, type Capture } from '../../../src/core/capture/capture';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { GUID, writeEventRow, type EventValues } from '../events/event-rows';
import { countReasons } from './histories';

const T0 = Date.UTC(2026, 0, 5, 10);

/** `b5@0#1`: begin of database 5, 0 ms after T0, sequence 1 of the task; without `#` there is no causality. */
function rowsOf(...events: string[]) {
  return events.map((text) => {
    const [, kind, id, at, sequence] = /^([be])(\d+)@(-?\d+)(?:#(\d+))?$/.exec(text) ?? [];
    const values: EventValues = {
      kind: kind === 'b' ? 'begin' : 'end',
      databaseId: Number(id),
      at: T0 + Number(at),
      activity: sequence === undefined ? null : `${GUID}-${sequence}`,
    };
    return writeEventRow(values);
  });
}

/** A capture of these events, nothing of which is left open. */
function captureOf(...events: string[]): Capture {
  const capture = createCapture({ id: 'one' });
  capture.append(rowsOf(...events));
  capture.settle(Infinity);
  return capture;
}

function checkpointsOf(capture: Capture): string[] {
  const { rows, beginUtcMs, durationMs, database } = capture.columns;
  return Array.from({ length: rows }, (_, i) => {
    return `${capture.databases[database[i] ?? 0]?.databaseId}@${(beginUtcMs[i] ?? 0) - T0}+${durationMs[i]}`;
  });
}

describe('capture', () => {
  it('pairs begin and end into checkpoints and accounts for every row', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@0#1', 'e5@40#2', 'b7@50#3', 'e7@9850#4', 'b5@60000#5'));
    capture.settle(T0 + 60001);
    assert.deepEqual(checkpointsOf(capture), ['5@0+40', '7@50+9800']);
    assert.equal(capture.ledger().open, 1);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
    capture.settle(Infinity);
    assert.deepEqual(capture.unpaired(), [{ databaseId: 5, atUtcMs: T0 + 60000, kind: 'begin', reason: 'begin without end' }]);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });

  it('takes a second begin of one task for the proof that the end of the first was lost', () => {
    const capture = captureOf('b5@0#1', 'b5@100#3', 'e5@140#4', 'e5@190#6', 'b5@200#7', 'b5@300#9', 'b5@400#11', 'e5@450#12');
    assert.deepEqual(checkpointsOf(capture), ['5@100+40', '5@400+50']);
    assert.deepEqual(
      capture.unpaired().map(({ kind, atUtcMs, reason }) => `${kind} ${atUtcMs - T0} ${reason}`),
      ['begin 0 begin without end', 'end 190 end without begin', 'begin 200 begin without end', 'begin 300 begin without end'],
    );
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });

  it('pairs none of two begins and two ends that may be of two tasks', () => {
    const capture = captureOf('b5@0', 'b5@100', 'e5@140', 'e5@190');
    assert.deepEqual(checkpointsOf(capture), []);
    assert.deepEqual([...countReasons(capture)], [['overlap without activity id', 4]]);
  });

  it('holds events until they are settled', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@0#1', 'e5@40#2'));
    assert.equal(capture.columns.rows, 0);
    assert.equal(capture.ledger().held, 2);
    capture.settle(T0 + 40);
    assert.deepEqual([capture.ledger().open, capture.ledger().held], [1, 1]);
    capture.settle(T0 + 41);
    assert.deepEqual(checkpointsOf(capture), ['5@0+40']);
  });

  it('counts rows that are read again as duplicates, settled or not', () => {
    const capture = createCapture({ id: 'one' });
    const rows = rowsOf('b5@0', 'e5@40', 'e6@50', 'b7@100');
    capture.append(rows);
    capture.append(rows);
    assert.equal(capture.ledger().duplicates, 4);
    capture.settle(T0 + 1000);
    capture.append(rows);
    capture.settle(Infinity);
    capture.append(rows);
    capture.settle(Infinity);
    const { checkpoints, unpaired, duplicates } = capture.ledger();
    assert.deepEqual({ checkpoints, unpaired, duplicates }, { checkpoints: 1, unpaired: 2, duplicates: 12 });
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });

  it('counts malformed rows and events of other names, and lists them', () => {
    const capture = createCapture({ id: 'one' });
    capture.append([
      { objectName: 'checkpoint_begin', eventData: '<event name="checkp', fileName: 'a_0_1.xel', fileOffset: '512' },
      { objectName: 'wait_info', eventData: '<event/>', fileName: null, fileOffset: null },
    ]);
    const ledger = capture.ledger();
    assert.deepEqual([ledger.malformed, ledger.other, ledger.otherByName.get('wait_info')], [1, 1, 1]);
    assert.equal(capture.malformed()[0]?.reason, 'truncated');
    assert.equal(capture.malformed()[0]?.fileOffset, '512');
    assert.equal(findUnaccountedRows(ledger), 0);
  });

  it('says how many events did not pair, by reason, and lists any part of them', () => {
    const capture = captureOf('e5@0', 'e5@10', 'b6@20', 'e7@30');
    assert.deepEqual(
      [...countReasons(capture)],
      [
        ['end without begin', 3],
        ['begin without end', 1],
      ],
    );
    assert.deepEqual(
      capture.unpaired(1, 3).map((event) => `${event.databaseId} ${event.reason}`),
      ['5 end without begin', '6 begin without end'],
    );
  });

  it('gives up an event that arrives after later ones of its task were settled', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@1000#7'));
    capture.settle(T0 + 5000);
    capture.append(rowsOf('e5@900#6', 'e5@1040#8'));
    capture.settle(Infinity);
    assert.deepEqual(checkpointsOf(capture), ['5@1000+40']);
    assert.deepEqual([...countReasons(capture)], [['arrived late', 1]]);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });

  it('does not take a late event for a duplicate unless it was settled before', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@0', 'e5@40', 'b7@0', 'e7@50'));
    capture.settle(T0 + 5000);
    capture.append(rowsOf('b5@0', 'e7@40', 'b6@40', 'e6@60', 'e5@40'));
    capture.settle(Infinity);
    assert.deepEqual(checkpointsOf(capture), ['5@0+40', '7@0+50', '6@40+20']);
    assert.equal(capture.ledger().duplicates, 2);
    assert.deepEqual([...countReasons(capture)], [['end without begin', 1]]);
  });

  it('goes on after everything was settled', () => {
    const capture = captureOf('b5@0', 'e5@40');
    capture.append(rowsOf('b5@100', 'e5@140'));
    capture.settle(Infinity);
    assert.deepEqual(checkpointsOf(capture), ['5@0+40', '5@100+40']);
  });

  it('does not pair across a gap', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@100#1'));
    assert.equal(capture.lastEventUtcMs, T0 + 100);
    capture.addGap({ kind: 'files rolled over', beginUtcMs: T0 + 100, endUtcMs: T0 + 800, reason: 'rolled over' });
    capture.append(rowsOf('b5@100#1', 'e5@900#8', 'e7@800#9'));
    capture.settle(Infinity);
    assert.equal(countReasons(capture).get('across a gap'), 2);
    assert.equal(capture.columns.rows, 0);
  });

  it('does not pair a begin that the session recorded after it was read last with an end of its next run', () => {
    const gap = { beginUtcMs: T0 + 100, endUtcMs: T0 + 800, reason: 'stopped at 300, started again at 800' } as const;
    for (const kind of ['session stopped', 'session dropped', 'session replaced', 'server restarted'] as const) {
      const capture = createCapture({ id: 'one' });
      capture.append(rowsOf('b5@200', 'b7@210', 'e7@250', 'b6@800', 'e6@820', 'e5@900'));
      capture.addGap({ kind, ...gap });
      capture.settle(Infinity);
      assert.deepEqual(checkpointsOf(capture), ['7@210+40', '6@800+20'], kind);
      assert.deepEqual([...countReasons(capture)], [['across a gap', 2]], kind);
    }
  });

  it('pairs a begin with its end if both are of one run, although the begin lies in a gap', () => {
    // Behind a failover, the same run may have gone on.
    for (const kind of ['failover', 'permission lost'] as const) {
      const capture = createCapture({ id: 'one' });
      capture.addGap({ kind, beginUtcMs: T0 + 100, endUtcMs: T0 + 800, reason: kind });
      capture.append(rowsOf('b5@790', 'e5@900'));
      capture.settle(Infinity);
      assert.deepEqual(checkpointsOf(capture), ['5@790+110'], kind);
    }
  });

  it('pairs nothing where files rolled over: the last begin before the loss and the first end behind it lie in the gap', () => {
    const capture = createCapture({ id: 'one' });
    capture.append(rowsOf('b5@110'));
    capture.addGap({ kind: 'files rolled over', beginUtcMs: T0 + 100, endUtcMs: T0 + 800, reason: 'rolled over' });
    capture.append(rowsOf('e5@790', 'b5@900', 'e5@950'));
    capture.settle(Infinity);
    assert.deepEqual(checkpointsOf(capture), ['5@900+50']);
    assert.deepEqual([...countReasons(capture)], [['across a gap', 2]]);
  });

  it('keeps the gaps in order of time', () => {
    const capture = createCapture({ id: 'one' });
    assert.equal(capture.observation, null);
    capture.addGap({ kind: 'session stopped', beginUtcMs: 50, endUtcMs: 60, reason: 'b' });
    capture.addGap({ kind: 'events lost', beginUtcMs: 10, endUtcMs: 20, reason: 'a' });
    capture.observe(0, 70);
    capture.observe(40, 100);
    assert.deepEqual(capture.observation, {
      beginUtcMs: 0,
      endUtcMs: 100,
      gaps: [
        { kind: 'events lost', beginUtcMs: 10, endUtcMs: 20, reason: 'a' },
        { kind: 'session stopped', beginUtcMs: 50, endUtcMs: 60, reason: 'b' },
      ],
    });
  });

  it('lists the first thousand malformed rows and counts them all', () => {
    const capture = createCapture({ id: 'one' });
    const row = { objectName: null, eventData: '<'.repeat(500), fileName: null, fileOffset: null };
    capture.append(Array.from({ length: 1500 }, () => row));
    assert.deepEqual([capture.ledger().malformed, capture.malformed().length], [1500, 1000]);
    assert.equal(capture.malformed()[0]?.excerpt.length, 200);
  });

  it('tells how many rows are not accounted for', () => {
    const ledger = { ...createCapture({ id: 'one' }).ledger(), rowsRead: 20, checkpoints: 3, unpaired: 1, duplicates: 2 };
    assert.equal(findUnaccountedRows(ledger), 11);
    assert.equal(findUnaccountedRows({ ...ledger, malformed: 1, other: 4, open: 2, held: 4 }), 0);
  });
});
