import assert from 'node:assert/strict';
import { createCapture, type Capture, restoreCapture } from '../../../src/core/capture/capture';
import { keepRecord, restoreRecord } from '../../../src/core/capture/capture-record';
import { finishSteps } from '../../../src/core/steps';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import type { Gap, GapKind } from '../../../src/core/session/gap';
import { GUID, writeEventRow } from '../events/event-rows';
import { listCheckpoints, T0 } from './histories';

/** Rows to append, or a moment to settle up to, in milliseconds after T0, or a gap. */
type Step = readonly string[] | number | Gap;

/**
 * `b5@0#1/2`: begin of database 5, 0 ms after T0, sequence 1 of the task; without `#` there is no causality. It is in
 * the second event file.
 */
function rowsOf(events: readonly string[]) {
  return events.map((text) => {
    const [, kind, id, at, sequence, file = '1'] =
      /^([be])(\d+)@(-?\d+)(?:#(\d+))?(?:\/(\d))?$/.exec(text) ?? [];
    const activity = sequence === undefined ? null : `${GUID}-${sequence}`;
    return writeEventRow(
      { kind: kind === 'b' ? 'begin' : 'end', databaseId: Number(id), at: T0 + Number(at), activity },
      { fileName: file },
    );
  });
}

function take(capture: Capture, ...steps: readonly Step[]): Capture {
  for (const step of steps) {
    if (typeof step === 'number') capture.settle(T0 + step);
    else if ('kind' in step) capture.addGap(step);
    else capture.append(rowsOf(step));
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  }
  return capture;
}

const captureOf = (...steps: readonly Step[]): Capture => take(createCapture({ id: 'one' }), ...steps);
const gap = (kind: GapKind): Gap => ({ kind, beginUtcMs: T0 + 100, endUtcMs: T0 + 800, reason: kind });

function unpairedOf(capture: Capture): string[] {
  return capture
    .unpaired()
    .map(({ kind, databaseId, atUtcMs, reason }) => `${kind[0]}${databaseId}@${atUtcMs - T0} ${reason}`);
}

const OF_TWO_RUNS = [
  ['b5@200', 'b7@210', 'e7@250', 'b6@800', 'e6@820', 'e5@900'],
  ['7 210 40', '6 800 20'],
  ['b5@200 across a gap', 'e5@900 across a gap'],
] as const;

/** What happens; the checkpoints, each with its begin and duration; what did not pair, and why. */
const CASES: readonly (readonly [string, readonly Step[], readonly string[], readonly string[]])[] = [
  ['pairs begin and end of one millisecond', [['e5@0', 'b5@0']], ['5 0 0'], []],
  [
    'loses one begin with an end that was lost, without activity ids',
    [['b5@0', 'b5@60000', 'e5@61000', 'b5@120000', 'e5@122000']],
    ['5 60000 1000', '5 120000 2000'],
    ['b5@0 begin without end'],
  ],
  [
    'makes no huge duration of an end without a begin',
    [['b5@0', 'e5@40', 'e5@1200050', 'b5@1260000', 'e5@1260030']],
    ['5 0 40', '5 1260000 30'],
    ['e5@1200050 end without begin'],
  ],
  [
    'goes on with another database of the task behind a begin without an end',
    [['b5@0#1', 'b7@1000#2', 'e7@1250#3']],
    ['7 1000 250'],
    ['b5@0 begin without end'],
  ],
  [
    'takes an end for lost after an hour',
    [['b5@0', 'b5@3540000', 'e5@3541000', 'b5@3600001', 'e5@3602000', 'e5@3603000']],
    ['5 3540000 1000', '5 3600001 1999'],
    ['b5@0 begin without end', 'e5@3603000 end without begin'],
  ],
  [
    'does not guess which of two overlapping checkpoints ended first, without activity ids',
    [['b5@0', 'b5@1000', 'e5@2500', 'e5@9800', 'b5@60000', 'e5@60040']],
    ['5 60000 40'],
    ['b5@0', 'b5@1000', 'e5@2500', 'e5@9800'].map((event) => `${event} overlap without activity id`),
  ],
  [
    'does not guess either where the overlap goes on after a read',
    [['b5@0', 'b5@2000', 'e5@4000'], 5_000, ['b5@6000', 'e5@8000', 'e5@10000', 'b5@60000', 'e5@60040']],
    ['5 60000 40'],
    ['b5@0', 'b5@2000', 'e5@4000', 'b5@6000', 'e5@8000', 'e5@10000'].map(
      (event) => `${event} overlap without activity id`,
    ),
  ],
  [
    'takes a second begin of one task for the proof that the end of the first was lost',
    [['b5@0#1', 'b5@100#3', 'e5@140#4', 'e5@190#6', 'b5@200#7', 'b5@300#9', 'b5@400#11', 'e5@450#12']],
    ['5 100 40', '5 400 50'],
    [
      'b5@0 begin without end',
      'e5@190 end without begin',
      'b5@200 begin without end',
      'b5@300 begin without end',
    ],
  ],
  [
    'gives up an event that arrives after later ones of its task were settled',
    [['b5@1000#7'], 5000, ['e5@900#6', 'e5@1040#8']],
    ['5 1000 40'],
    ['e5@900 arrived late'],
  ],
  [
    'does not take a late event for a duplicate unless it was settled before',
    [['b5@0', 'e5@40', 'b7@0', 'e7@50'], 5000, ['b5@0', 'e7@40', 'b6@40', 'e6@60', 'e5@40']],
    ['5 0 40', '7 0 50', '6 40 20'],
    ['e7@40 end without begin'],
  ],
  [
    'goes on after everything was settled',
    [['b5@0', 'e5@40'], Infinity, ['b5@100', 'e5@140']],
    ['5 0 40', '5 100 40'],
    [],
  ],
  [
    'does not pair across a gap, with a begin that is read again behind it either',
    [['b5@100#1'], gap('files rolled over'), ['b5@100#1', 'e5@900#8', 'e7@800#9']],
    [],
    ['e7@800 end without begin', 'b5@100 across a gap', 'e5@900 across a gap'],
  ],
  ...(['session stopped', 'session dropped', 'session replaced', 'server restarted'] as const).map(
    (kind) =>
      [
        `does not pair a begin that was recorded after the last look with an end of the next run: ${kind}`,
        [OF_TWO_RUNS[0], gap(kind)],
        OF_TWO_RUNS[1],
        OF_TWO_RUNS[2],
      ] as const,
  ),
  [
    'does not pair events of two runs that came and went within one gap, each with a file of its own',
    [
      gap('session stopped'),
      ['b5@150', 'e5@160', 'b5@200', 'b7@310/2', 'e5@300/2', 'e5@350/2', 'e7@390/2', 'b5@800/3', 'e5@900/3'],
    ],
    ['5 150 10', '7 310 80', '5 800 100'],
    ['b5@200 across a gap', 'e5@300 across a gap', 'e5@350 end without begin'],
  ],
  // Behind a failover, the same run may have gone on.
  ...(['failover', 'permission lost'] as const).map(
    (kind) =>
      [
        `pairs a begin inside of a gap with its end, both being of one run: ${kind}`,
        [gap(kind), ['b5@790', 'e5@900']],
        ['5 790 110'],
        [],
      ] as const,
  ),
  [
    'pairs nothing where files rolled over: the last begin before the loss and the first end behind it lie in the gap',
    [['b5@110'], gap('files rolled over'), ['e5@790', 'b5@900', 'e5@950']],
    ['5 900 50'],
    ['b5@110 across a gap', 'e5@790 across a gap'],
  ],
];

describe('An event that could not be read', () => {
  const cut = writeEventRow({ kind: 'end', databaseId: 5, at: 'no time', activity: null });
  const gapsOf = (capture: Capture) =>
    capture.gaps.map(({ kind, beginUtcMs, endUtcMs }) => [kind, beginUtcMs - T0, endUtcMs - T0]);

  it('is a gap between its neighbours in the files, also of two reads and over a restart', () => {
    for (const isKept of [false, true]) {
      let capture = captureOf(['b5@100']);
      capture.append([cut]);
      if (isKept) capture = finishSteps(restoreCapture(capture.keepState()));
      take(capture, ['b7@900', 'e7@950'], Infinity);
      assert.deepEqual(gapsOf(capture), [['damaged file', 101, 899]]);
    }
  });

  it('reaches to the end of what was read where nothing comes behind it, and from its begin where nothing comes before', () => {
    for (const [next, endMs] of [
      [[], 59_999],
      [['b7@900', 'e7@950'], 899],
    ] as const) {
      const capture = createCapture({ id: 'one' });
      capture.append([cut, ...rowsOf(next)]);
      capture.observe(T0, T0 + 60_000);
      assert.deepEqual(gapsOf(capture), [['damaged file', 1, endMs]]);
    }
  });

  it('may be one of a clock that was ahead, which holds up none of those that came after it was set right', () => {
    const capture = captureOf(['b5@100', 'e5@200']);
    capture.append(
      rowsOf(['b5@90000000', 'e5@90000100', 'b5@300', 'e5@400']),
      -Infinity,
      -Infinity,
      T0 + 500,
    );
    take(capture, 500, Infinity);
    assert.deepEqual(
      [listCheckpoints(capture), gapsOf(capture)],
      [['5 100 100', '5 300 100'], [['damaged file', 201, 299]]],
    );
  });

  it('is told from another run of the session after a restart too: each file has its first event', () => {
    const two = take(createCapture({ id: 'one' }), gap('session stopped'), ['b5@150', 'b7@310/2']);
    const kept = finishSteps(restoreCapture(two.keepState()));
    assert.deepEqual(listCheckpoints(take(kept, ['e7@320/2', 'e5@350/2'], Infinity)), ['7 310 10']);
  });
});

describe('capture', () => {
  for (const [title, steps, checkpoints, unpaired] of CASES)
    it(title, () => {
      const capture = captureOf(...steps, Infinity);
      assert.deepEqual(
        [listCheckpoints(capture), unpairedOf(capture).sort()],
        [[...checkpoints].sort(), [...unpaired].sort()],
      );
    });

  it('knows which begins are open, and its kept history knows the same', () => {
    const capture = captureOf(
      ['b5@0#1', 'e5@40#2', 'b5@60#3', 'b6@80', 'e6@90', 'b7@95', 'e5@99#4', 'b8@120', 'e7@130'],
      97,
    );
    const { begins, untilUtcMs } = capture.open();
    assert.deepEqual(
      [begins.map(({ databaseId, atUtcMs }) => [databaseId, atUtcMs - T0]).sort(), untilUtcMs - T0],
      [
        [
          [5, 60],
          [7, 95],
        ],
        97,
      ],
    );
    const beside = { serverName: null, following: null, sections: [] };
    assert.deepEqual(restoreRecord(keepRecord(capture, beside)).open(), { begins, untilUtcMs });
    take(capture, Infinity);
    assert.deepEqual(
      [capture.open().begins, restoreRecord(keepRecord(capture, beside)).open().begins],
      [[], []],
    );
  });

  it('holds events until they are settled, and lists any part of what did not pair', () => {
    const capture = captureOf(['b5@0#1', 'e5@40#2', 'e5@50', 'e6@60', 'b6@70']);
    assert.deepEqual([capture.columns.rows, capture.ledger().held, capture.lastEventUtcMs], [0, 5, T0 + 70]);
    take(capture, 40);
    assert.deepEqual([capture.ledger().open, capture.ledger().held], [1, 4]);
    take(capture, 41);
    assert.deepEqual([listCheckpoints(capture), capture.ledger().open], [['5 0 40'], 0]);
    take(capture, Infinity);
    assert.deepEqual(
      capture.unpaired(1, 3).map(({ databaseId, reason }) => `${databaseId} ${reason}`),
      ['6 end without begin', '6 begin without end'],
    );
  });

  it('counts rows that are read again as duplicates, settled or not', () => {
    const rows = ['b5@0', 'e5@40', 'e6@50', 'b7@100'];
    const capture = captureOf(rows, rows);
    assert.equal(capture.ledger().duplicates, 4);
    take(capture, 1000, rows, Infinity, rows, Infinity);
    const { checkpoints, unpaired, duplicates } = capture.ledger();
    assert.deepEqual({ checkpoints, unpaired, duplicates }, { checkpoints: 1, unpaired: 2, duplicates: 12 });
  });

  it('keeps the gaps and what was watched in order of time', () => {
    const capture = captureOf();
    assert.equal(capture.observation, null);
    const [later, earlier] = [
      gap('session stopped'),
      { ...gap('events lost'), beginUtcMs: 10, endUtcMs: 20 },
    ];
    take(capture, later, earlier);
    capture.observe(0, 70);
    capture.observe(40, 100);
    assert.deepEqual(capture.observation, { beginUtcMs: 0, endUtcMs: 100, gaps: [earlier, later] });
  });

  it('lists the first thousand malformed rows with their places and counts them all', () => {
    const capture = createCapture({ id: 'one' });
    const row = { objectName: null, eventData: '<'.repeat(500), fileName: 'a_0_1.xel', fileOffset: '512' };
    capture.append(Array.from({ length: 1500 }, () => row));
    const [first] = capture.malformed();
    assert.deepEqual([capture.ledger().malformed, capture.malformed().length], [1500, 1000]);
    assert.deepEqual([first?.excerpt.length, first?.fileName, first?.fileOffset], [200, 'a_0_1.xel', '512']);
  });
});
