import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionSnapshot } from '../../../src/core/session/event-session';
import {
  compareSnapshots,
  findFirstFile,
  findSessionStart,
  isFollowable,
  measureSettleLag,
} from '../../../src/core/session/session-snapshots';
import { valuesOf } from '../values-of';
import { hour, snapshotOf } from './snapshot-of';
import { forAll } from '../../for-all';

describe('The start of an event session', () => {
  it('is read as local time where the session that starts with the server shows that it is', () => {
    assert.equal(findSessionStart(snapshotOf()), hour(-1));
  });

  for (const [title, firstStartedLocalMs, startedLocalMs, expectedMs] of [
    ['is read as UTC where that session shows so', hour(-50), hour(-1), hour(-1)],
    [
      'is the later reading where nothing shows it, so that no time counts as observed that may not be',
      hour(-7),
      hour(-5),
      hour(-5),
    ],
    ['is the earlier reading where the other lies ahead', hour(-7), hour(1), hour(-1)],
    ['is now where no reading is possible', null, hour(5), hour(0)],
  ] as const)
    it(title, () =>
      assert.equal(findSessionStart(snapshotOf({ firstStartedLocalMs, startedLocalMs })), expectedMs),
    );
});

describe('The start of an event session before the clocks changed', () => {
  /** The number in the name of a file that was made then. */
  const ticksAt = (utcMs: number): string => String((BigInt(utcMs) - BigInt(Date.UTC(1601, 0, 1))) * 10_000n);
  const writing = (madeUtcMs: number): string =>
    `<EventFileTarget><File name="C:\\x\\C_0_${ticksAt(madeUtcMs)}.xel"/></EventFileTarget>`;
  /** A start three hours ago, when the server was `thenMinutes` ahead of UTC. It is 120 ahead now. */
  const of = (thenMinutes: number, target: Partial<SessionSnapshot>): number | null =>
    findSessionStart(snapshotOf({ startedLocalMs: hour(-3) + thenMinutes * 60_000, ...target }));

  it('is rather an hour later than earlier where a later file is written, or none', () => {
    for (const target of [{ targetData: writing(hour(-0.4)) }, { configuredFile: null, hasRing: true }]) {
      assert.equal(of(60, target), hour(-3), 'daylight saving has begun');
      assert.equal(of(120, target), hour(-2), 'nothing shows that the clocks did not change');
    }
  });

  it('is told by its first file too where that was read, and a later one is written', () => {
    const session = { targetData: writing(hour(-0.4)) };
    for (const offset of [60, 120]) {
      const snapshot = snapshotOf({ startedLocalMs: hour(-3) + offset * 60_000, ...session });
      assert.equal(
        findSessionStart(snapshot, [`C_0_${ticksAt(hour(-20))}.xel`, `C_0_${ticksAt(hour(-3) + 900)}.xel`]),
        hour(-3),
      );
    }
    const hourly = snapshotOf({ startedLocalMs: hour(-3) + 120 * 60_000, ...session });
    assert.equal(
      findSessionStart(hourly, [`C_0_${ticksAt(hour(-4))}.xel`]),
      hour(-2),
      'the file of a run that began an hour before tells nothing',
    );
  });

  it('is the local reading where the next one is impossible: it lies ahead, or behind the time at which the file was made', () => {
    assert.equal(findSessionStart(snapshotOf({ startedLocalMs: hour(-0.5 + 2) })), hour(-0.5));
    assert.equal(of(120, { targetData: writing(hour(-2.5)) }), hour(-3));
  });

  it('is now where the clock was set back behind it, so that no time counts twice', () => {
    assert.equal(findSessionStart(snapshotOf({ startedLocalMs: hour(0.5 + 2) })), hour(0));
    assert.equal(
      findSessionStart(snapshotOf({ startedLocalMs: hour(0.5 + 2), targetData: writing(hour(0.5)) })),
      hour(0),
    );
  });

  it('is never before the true start, whatever file is written and wherever the clocks went', () => {
    const moments = fc.record({
      agoMs: fc.integer({ min: 1_000, max: 9 * 3_600_000 }),
      // 570 and 630 are of Adelaide, the last two of Lord Howe Island.
      zone: fc.constantFrom(
        ...[-600, -60, 0, 60, 330, 345, 570, 720].flatMap((at) => [-60, 0, 60].map((by) => [at, by])),
        [630, -60],
        [660, -30],
        [630, 30],
      ),
      rolledMs: fc.option(fc.integer({ min: 0, max: 9 * 3_600_000 })),
    });
    forAll(moments, ({ agoMs, zone: [offset = 0, change = 0], rolledMs }) => {
      const startUtcMs = hour(0) - agoMs;
      const madeUtcMs = rolledMs === null ? null : Math.min(startUtcMs + rolledMs, hour(0));
      const found = findSessionStart(
        snapshotOf({
          utcOffsetMinutes: offset + change,
          startedLocalMs: startUtcMs + offset * 60_000,
          serverStartedLocalMs: hour(-100),
          firstStartedLocalMs: hour(-100),
          targetData: madeUtcMs === null ? null : writing(madeUtcMs),
        }),
      );
      assert.ok(found !== null && found >= startUtcMs && found <= hour(0));
      assert.ok(rolledMs === null || rolledMs > 5_000 || found === startUtcMs, 'its first file tells it');
    });
  });
});

describe('The file in which a run of an event session begins', () => {
  /** As Microsoft's page names it: `_0_131150744126230000` beside an event of 2016-08-07 20:13:35.827 UTC. */
  const published = 'C:\\junk\\a &amp; b-_0_131150744126230000.xel';
  const startedUtcMs = Date.UTC(2016, 7, 7, 20, 13, 32, 620);
  const writing = (file: string): string =>
    `<EventFileTarget truncated="0"><Buffers logged="1" dropped="0"/><File name="${file}"/></EventFileTarget>`;
  const of = (startMs: number, targetData: string | null = writing(published)): string | null =>
    findFirstFile(snapshotOf({ utcOffsetMinutes: 0, startedLocalMs: startMs, targetData }));

  it('is the one that is written now, where its name says that it was made when the run started', () => {
    assert.equal(of(startedUtcMs), 'C:\\junk\\a & b-_0_131150744126230000.xel');
    assert.equal(of(startedUtcMs - 2_000), of(startedUtcMs));
  });

  it('is not known where that file was made later or earlier, or where nothing tells', () => {
    for (const startMs of [startedUtcMs - 60_000, startedUtcMs + 60_000]) assert.equal(of(startMs), null);
    for (const data of [
      null,
      '',
      '<RingBufferTarget truncated="0"/>',
      writing('C:\\junk\\a_0_1.xel'),
      writing('C:\\junk\\a.xel'),
    ])
      assert.equal(of(startedUtcMs, data), null);
  });
});

describe('Two looks at an event session', () => {
  /** An hour later, with what is different then; and what was different before. */
  const lookAgain = (changes: Partial<SessionSnapshot> = {}, before: Partial<SessionSnapshot> = {}) =>
    compareSnapshots(snapshotOf(before), snapshotOf({ nowUtcMs: hour(1), ...changes }));

  it('show nothing where the session goes on', () => {
    assert.deepEqual(lookAgain(), { gaps: [], lasting: null, readsFrom: 'cursor' });
  });

  it('name the reason that explains most: the server, then the session, then its run', () => {
    const kindOf = (changes: Partial<SessionSnapshot>): string | undefined => {
      const { gaps, lasting } = lookAgain(changes);
      return (lasting ?? gaps[0])?.kind;
    };
    const gone = {
      isDefined: false,
      isRunning: false,
      definitionId: null,
      configuredFile: null,
      startedLocalMs: null,
    };
    assert.equal(kindOf({ serverStartedLocalMs: hour(2), ...gone }), 'server restarted');
    assert.equal(kindOf(gone), 'session dropped');
    assert.equal(kindOf({ configuredFile: 'D.xel', startedLocalMs: hour(2) }), 'session replaced');
    assert.equal(kindOf({ isRunning: false, startedLocalMs: null }), 'session stopped');
    assert.equal(kindOf({ startedLocalMs: hour(2.5) }), 'session stopped');
  });

  it('say which databases were recorded before and behind, also where the session was changed while it was stopped or made again', () => {
    const of = (id: number): Partial<SessionSnapshot> => ({
      predicate: `[database_id]=(${id})`,
      endPredicate: `[database_id]=(${id})`,
    });
    const pair = { before: [5], after: [6] };
    const ways: readonly Partial<SessionSnapshot>[] = [
      {},
      { startedLocalMs: hour(2.5) },
      { configuredFile: 'D.xel', startedLocalMs: hour(2.5) },
      { definitionId: 2 },
      { serverStartedLocalMs: hour(2), startedLocalMs: hour(2.1) },
    ];
    for (const way of ways) {
      const { gaps } = lookAgain({ ...way, ...of(6) }, of(5));
      assert.deepEqual(valuesOf(gaps, 'databases'), [pair], gaps[0]?.kind);
    }
    const same = lookAgain({ startedLocalMs: hour(2.5), ...of(5) }, of(5));
    assert.deepEqual([same.gaps.length, same.gaps[0]?.databases], [1, undefined]);
  });

  it('blame nobody where one of the two events is missing of the same session', () => {
    const { lasting } = lookAgain({ hasBothEvents: false });
    assert.equal(lasting?.kind, 'session replaced');
    assert.doesNotMatch(lasting.reason, /someone else/);
  });

  it('read other files from their beginning, and the same ones behind the cursor', () => {
    assert.equal(lookAgain({ startedLocalMs: hour(2) }).readsFrom, 'cursor');
    assert.equal(lookAgain({ configuredFile: 'D.xel' }).readsFrom, 'beginning');
  });

  it('call the whole time between them a gap where the new start lies before the first', () => {
    const { gaps } = lookAgain({ startedLocalMs: hour(-3) });
    assert.deepEqual([gaps[0]?.beginUtcMs, gaps[0]?.endUtcMs], [hour(0), hour(1)]);
  });
});

describe('A session that can be followed', () => {
  it('runs, has both events, and files or a ring buffer', () => {
    assert.ok(isFollowable(snapshotOf()));
    assert.ok(isFollowable(snapshotOf({ configuredFile: null, hasRing: true })));
    for (const lack of [{ isRunning: false }, { hasBothEvents: false }, { configuredFile: null }])
      assert.ok(!isFollowable(snapshotOf(lack)));
  });

  it('is waited for as long as its events may lie in buffers', () => {
    assert.equal(measureSettleLag(snapshotOf()), 15_000);
    assert.equal(measureSettleLag(snapshotOf({ dispatchLatencyMs: null })), 65_000);
    assert.equal(measureSettleLag(snapshotOf({ dispatchLatencyMs: -1 })), 125_000);
  });
});
