import assert from 'node:assert/strict';
import { readErrorLog } from '../../../src/core/errorlog/error-log';
import { listFlushCacheMoments, listLoggedChanges } from '../../../src/core/errorlog/logged-evidence';
import {
  createLocalTimeReader,
  listOffsetPeriods,
  type OffsetObservation,
  type OffsetPeriod,
} from '../../../src/core/errorlog/server-clock';
import { createMessage, makeRow, observeClock } from './log-texts';
import { changedAt } from '../task/changed';
import { valuesOf } from '../values-of';

/** Berlin in 2026: +1, from 29 March 01:00 UTC +2, from 25 October 01:00 UTC +1. */
const PERIODS: readonly OffsetPeriod[] = [
  { fromUtcMs: -Infinity, offsetMinutes: 60 },
  { fromUtcMs: Date.UTC(2026, 2, 29, 1), offsetMinutes: 120 },
  { fromUtcMs: Date.UTC(2026, 9, 25, 1), offsetMinutes: 60 },
];
const ZONE = observeClock(PERIODS);
const local = (month: number, day: number, hour: number, minute = 0): number =>
  Date.UTC(2026, month - 1, day, hour, minute);
const change = (date: string): ReturnType<typeof makeRow> =>
  makeRow("Setting database option target_recovery_time to 60 for database 'x'.", date, 'spid60');

function readTimes(
  dates: readonly string[],
  clock: readonly OffsetObservation[],
): readonly (readonly [string | null, string])[] {
  const { changes } = readErrorLog(dates.map(change), { clock });
  return changes.map(({ atUtcMs, sureness }) => [
    atUtcMs === null ? null : new Date(atUtcMs).toISOString().slice(5, 16),
    sureness,
  ]);
}

describe('Local time in an error log', () => {
  /** Dates in the order of the log, each with what becomes of it. */
  const READ: readonly (readonly [string, readonly (readonly [string, string | null, string])[]])[] = [
    [
      'becomes UTC with the offset in force on its date',
      [
        ['03-29 01:59', '03-29T00:59', 'known'],
        ['03-29 03:00', '03-29T01:00', 'known'],
        ['10-25 01:59', '10-24T23:59', 'known'],
        ['10-25 03:00', '10-25T02:00', 'known'],
      ],
    ],
    ['is unknown in the hour that is left out', [['03-29 02:30', null, 'unknown']]],
    [
      'of the hour that comes twice is decided by the order of the lines, whichever way they run',
      [
        ['10-25 01:30', '10-24T23:30', 'known'],
        ['10-25 02:50', '10-25T00:50', 'by order'],
        ['10-25 02:10', '10-25T01:10', 'by order'],
        ['10-25 02:55', '10-25T01:55', 'by order'],
        ['10-25 03:10', '10-25T02:10', 'known'],
      ],
    ],
    [
      'of the hour that comes twice stays open where the order says nothing',
      [
        ['10-25 01:30', '10-24T23:30', 'known'],
        ['10-25 02:10', null, 'ambiguous'],
        ['10-25 02:50', null, 'ambiguous'],
        ['10-25 03:10', '10-25T02:10', 'known'],
      ],
    ],
  ];
  for (const [title, lines] of READ)
    it(title, () => {
      for (const order of [lines, [...lines].reverse()])
        assert.deepEqual(
          readTimes(
            order.map(([date]) => `2026-${date}:00.00`),
            ZONE,
          ),
          order.map(([, time, sureness]) => [time, sureness]),
        );
    });

  it('is known between observations of one offset, assumed outside of them, and open between different ones', () => {
    const observations = [
      { localMs: local(10, 20, 12), offsetMinutes: 120 },
      { localMs: local(10, 24, 12), offsetMinutes: 120 },
      { localMs: local(10, 26, 12), offsetMinutes: 60 },
    ];
    const read = createLocalTimeReader(observations);
    const seen = [local(10, 19, 12), local(10, 22, 12), local(10, 25, 12), local(10, 27, 12)].map((time) =>
      read(time, 1),
    );
    assert.deepEqual(seen, [
      { atUtcMs: local(10, 19, 10), sureness: 'assumed' },
      { atUtcMs: local(10, 22, 10), sureness: 'known' },
      { atUtcMs: null, sureness: 'ambiguous' },
      { atUtcMs: local(10, 27, 11), sureness: 'assumed' },
    ]);
  });

  it('between observations that are months apart is assumed, because the offset may have changed and changed back', () => {
    const observations = [
      { localMs: local(1, 10, 12), offsetMinutes: 60 },
      { localMs: local(12, 10, 12), offsetMinutes: 60 },
    ];
    assert.equal(createLocalTimeReader(observations)(local(7, 1, 12), 1).sureness, 'assumed');
  });

  it('of the half hour that comes twice on Lord Howe Island is decided by the order too, and of the one that is left out unknown', () => {
    const clock = observeClock([
      { fromUtcMs: -Infinity, offsetMinutes: 660 },
      { fromUtcMs: Date.UTC(2026, 3, 4, 15), offsetMinutes: 630 },
      { fromUtcMs: Date.UTC(2026, 9, 3, 15, 30), offsetMinutes: 660 },
    ]);
    const times = [
      ['04-05 01:20', '04-04T14:20'],
      ['04-05 01:50', '04-04T14:50'],
      ['04-05 01:40', '04-04T15:10'],
      ['04-05 02:10', '04-04T15:40'],
      ['10-04 01:59', '10-03T15:29'],
      ['10-04 02:15', null],
      ['10-04 02:30', '10-03T15:30'],
    ] as const;
    const dates = times.map(([date]) => `2026-${date}:00.00`);
    assert.deepEqual(valuesOf(readTimes(dates, clock), '0'), valuesOf(times, '1'));
  });

  it('without any offset is unknown', () => {
    assert.deepEqual(readTimes(['2026-07-01 12:00:00.00'], []), [[null, 'unknown']]);
  });

  it('takes the offset that the log itself tells at its beginning, also of half hours west of Greenwich', () => {
    const rows = [
      makeRow('UTC adjustment: -3:30', '2026-01-05 10:00:00.00', 'Server'),
      change('2026-01-05 10:00:30.00'),
    ];
    const { changes, observations } = readErrorLog(rows);
    assert.deepEqual(observations, [{ localMs: local(1, 5, 10), offsetMinutes: -210 }]);
    assert.deepEqual([changes[0]?.atUtcMs, changes[0]?.sureness], [local(1, 5, 13, 30) + 30_000, 'known']);
  });

  it('of a small step back of the clock is not taken for the end of summer time', () => {
    const observations = [
      { localMs: local(10, 1, 12), offsetMinutes: 120 },
      { localMs: local(11, 1, 12), offsetMinutes: 60 },
    ];
    const dates = ['2026-10-10 12:05:00.00', '2026-10-10 12:03:00.00', '2026-10-10 12:09:00.00'];
    assert.ok(readTimes(dates, observations).every(([, sureness]) => sureness === 'ambiguous'));
  });

  it('gives offsets as periods', () => {
    const observations = [120, 120, 60].map((offsetMinutes, at) => ({
      localMs: local(10, 20 + at * 4, 12),
      offsetMinutes,
    }));
    assert.deepEqual(listOffsetPeriods(observations), [
      { fromUtcMs: -Infinity, offsetMinutes: 120 },
      { fromUtcMs: local(10, 28, 11), offsetMinutes: 60 },
    ]);
  });
});

describe('What the log says for a comparison', () => {
  it('is the moments of certain changes, with the value before where it was logged', () => {
    const rows = [
      makeRow(
        "Setting database option target_recovery_time to 60 for database 'x'.",
        '2026-07-01 12:00:00.01',
      ),
      makeRow("Setting database option RECOVERY to SIMPLE for database 'x'.", '2026-07-01 12:00:00.02'),
      makeRow(
        "Setting database option target_recovery_time to 0 for database 'x'.",
        '2026-07-02 12:00:00.00',
      ),
      change('2026-10-25 02:30:00.00'),
    ];
    const { changes, uncertain } = listLoggedChanges(readErrorLog(rows, { clock: ZONE }).changes);
    const [first, second] = [local(7, 1, 10) + 10, local(7, 2, 10)];
    assert.deepEqual(changes, [
      { databaseName: 'x', moment: changedAt(first, { source: 'error log', fromSeconds: null }) },
      {
        databaseName: 'x',
        moment: changedAt(second, { source: 'error log', fromSeconds: 60, toSeconds: 0 }),
      },
    ]);
    assert.deepEqual(valuesOf(uncertain, 'sureness'), ['ambiguous']);
  });

  it('is when long checkpoints ended, by database', () => {
    const rows = ['2026-07-01 12:00:00.01', '2026-10-25 02:30:00.00'].flatMap((date) =>
      createMessage(1000, 900, 61_000, 7).map((text) => makeRow(text, date)),
    );
    const { byDatabaseId, uncertain } = listFlushCacheMoments(readErrorLog(rows, { clock: ZONE }).groups);
    assert.deepEqual([[...byDatabaseId], uncertain.length], [[[7, [local(7, 1, 10) + 10]]], 1]);
  });
});
