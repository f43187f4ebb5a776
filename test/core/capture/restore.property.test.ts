import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Capture, createCapture, restoreCapture } from '../../../src/core/capture/capture';
import type { CaptureState } from '../../../src/core/capture/capture-state';
import { createCatalog } from '../../../src/core/capture/catalog';
import { callerOfRow } from '../../../src/core/capture/checkpoint-columns';
import type { EventRow } from '../../../src/core/events/event';
import {
  isSessionCaller,
  isSystemCaller,
  packCaller,
  sessionOfCaller,
} from '../../../src/core/events/event-register';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { writeUtcTime } from '../../../src/core/time';
import { TaskNames } from '../../../src/core/pairing/task-table';
import { GUID, writeCaller, writeEventRow } from '../events/event-rows';
import { countPauses, nameDatabases } from '../finished';
import { disturb, generateHistory, summarize, T0, type TimedRow, TOLD } from './histories';
import { finishSteps } from '../../../src/core/steps';
import { forAll } from '../../for-all';
import { gapOf } from '../gap-of';

const RUNS = 150;

/** As if written to disk and read again. */
function copyState(state: CaptureState): CaptureState {
  const plain = JSON.parse(JSON.stringify(state.plain)) as CaptureState['plain'];
  assert.deepEqual(plain, state.plain);
  return structuredClone({ ...state, plain });
}

/** A capture that was watched, has a gap, and knows one database by its name. */
function createNamed(): Capture {
  const capture = createCapture({ id: 'one' });
  nameDatabases(
    capture,
    createCatalog([{ databaseId: 7, name: 'a', createdLocal: '2020-01-01T00:00:00.000' }], T0, 60),
  );
  capture.observe(T0, T0 + 10);
  capture.addGap(gapOf('session stopped', T0 + 20_000, T0 + 21_000, 'stopped'));
  return capture;
}

/** A row of database 7. */
function rowAt(kind: 'begin' | 'end', at: number, activity: string | null): EventRow {
  return writeEventRow({ kind, databaseId: 7, at: T0 + at, activity });
}

function feed(capture: Capture, rows: readonly TimedRow[], horizonUtcMs: number): void {
  capture.append(rows.map(({ row }) => row));
  capture.settle(horizonUtcMs);
  assert.equal(findUnaccountedRows(capture.ledger()), 0);
}

describe('a capture that was kept', () => {
  for (const told of TOLD) {
    it(`goes on as if it had never stopped, wherever it was kept, where events tell ${told} of their task`, () => {
      const cases = generateHistory({ told, tasks: 4 })
        .chain(({ rows }) => disturb(rows))
        .chain((rows) =>
          fc.tuple(
            fc.constant(rows),
            fc.array(fc.integer({ min: 0, max: rows.length }), { maxLength: 3 }),
            fc.boolean(),
          ),
        );
      forAll(cases, RUNS, ([unordered, cuts, readAgain]) => {
        // What could not be read is placed by what was read before it: read again, it has another place.
        const known = readAgain
          ? unordered.filter(({ row }) => row.eventData?.endsWith('</event>') === true)
          : unordered;
        const rows = [...known].sort((a, b) => a.atUtcMs - b.atUtcMs);
        const bounds = [
          0,
          ...cuts.map((cut) => Math.min(cut, rows.length)).sort((a, b) => a - b),
          rows.length,
        ];
        let [whole, kept] = [createNamed(), createNamed()];
        for (let i = 0; i + 1 < bounds.length; i++) {
          const page = rows.slice(bounds[i], bounds[i + 1]);
          const horizonUtcMs = rows[bounds[i + 1] ?? 0]?.atUtcMs ?? Infinity;
          feed(whole, page, horizonUtcMs);
          // A file that is read from its beginning again gives what was read before once more.
          const again = readAgain ? rows.slice(0, bounds[i]) : [];
          feed(kept, [...again, ...page], horizonUtcMs);
          kept = finishSteps(restoreCapture(copyState(kept.keepState())));
          assert.equal(findUnaccountedRows(kept.ledger()), 0);
        }
        const know = ({ gaps, databases, observation, lastEventUtcMs }: Capture): unknown => [
          gaps,
          databases,
          observation,
          lastEventUtcMs,
        ];
        assert.deepEqual(know(kept), know(whole));
        if (!readAgain) assert.deepEqual(kept.malformed(), whole.malformed());
        whole = finishSteps(restoreCapture(copyState(whole.keepState())));
        const [expected, found] = [summarize(whole), summarize(kept)];
        if (!readAgain) assert.deepEqual(found, expected);
        assert.deepEqual([found.checkpoints, found.unpaired], [expected.checkpoints, expected.unpaired]);
      });
    });
  }

  it('knows a task again by the id of its events, and not one whose events have none', () => {
    const other = GUID.replace('770C', 'A70C');
    const parts = [
      [
        rowAt('begin', 0, `${GUID}-1`),
        rowAt('end', 10, `${GUID}-2`),
        rowAt('begin', 20, `${other}-1`),
        rowAt('end', 30, `${other}-2`),
      ],
      [
        rowAt('begin', 40, `${other}-3`),
        rowAt('end', 50, `${other}-4`),
        rowAt('begin', 60, `${GUID}-3`),
        rowAt('end', 70, `${GUID}-4`),
      ],
      [rowAt('begin', 80, null), rowAt('end', 90, null)],
    ];
    let capture = createCapture({ id: 'one' });
    parts.forEach((rows, part) => {
      capture.append(rows);
      capture.settle(T0 + 40 * (part + 1) - 1);
      capture = finishSteps(restoreCapture(copyState(capture.keepState())));
    });
    capture.settle(Infinity);
    const { rows, task } = capture.columns;
    const [first = 0, second = 0, ...rest] = task?.slice(0, rows) ?? [];
    assert.ok(first > 0 && second > 0 && first !== second);
    assert.deepEqual(rest, [second, first, 0]);
  });

  it('names 65,534 tasks, in two bytes each, and never forgets them; of any more it knows only who asked', () => {
    const guid = (number: number): Int32Array => Int32Array.of(number, 2, 3, 4);
    const [engine, session] = [true, false].map((isSystem) => packCaller({ isSystem, sessionId: 57 }));
    let names = new TaskNames();
    assert.equal(names.nameOf(guid(-1), engine ?? 0), 1);
    // A session has a task for each of its statements.
    for (let number = 0; number < 100_000; number++)
      assert.equal(names.nameOf(guid(number), session ?? 0), 2);
    for (let number = 0; number < 65_532; number++) assert.equal(names.nameOf(guid(number), 0), 3 + number);
    assert.equal(names.nameOf(guid(65_532), 0), 0);
    names.sweep();
    for (let look = 0; look < 2; look++) {
      assert.equal(names.nameOf(guid(-1), 0), 1);
      assert.equal(names.nameOf(guid(70_000), session ?? 0), 2);
      assert.deepEqual([...names.callers.subarray(0, 4)], [0, engine, session, 0]);
      const again = new TaskNames();
      again.restore(names.keep(), names.callers);
      names = again;
    }
  });

  it('leaves a task its name where there is no room for more, and makes no task of statements without one', () => {
    const guid = (number: number): Int32Array => Int32Array.of(number, 2, 3, 4);
    const someone = packCaller({ isSystem: null, sessionId: 57 });
    const names = new TaskNames();
    for (let number = 0; number < 40_000; number++)
      assert.equal(names.nameOf(guid(number), someone), number < 32_767 ? 1 + number : 0);
    assert.equal(names.nameOf(guid(0), someone), 1);
    assert.equal(names.nameOf(guid(1), packCaller({ isSystem: true, sessionId: 9 })), 2);
  });

  it('knows who asked where events have no activity id, whichever event says it, and pairs those of one session', () => {
    const row = (kind: 'begin' | 'end', at: number, caller = ''): EventRow =>
      writeEventRow({ kind, databaseId: 7, at: T0 + at, activity: null, actions: caller });
    const [engine, session, isSystem] = [writeCaller(true, 9), writeCaller(false, 57), writeCaller(true, 0)];
    const minutes = Array.from({ length: 100 }, (_, place) => 300 + place * 60_000);
    const parts = [
      [row('begin', 0, engine), row('end', 10), row('begin', 20), row('end', 30, session)],
      [row('begin', 40, isSystem), row('begin', 60, engine), row('begin', 70, session)],
      [row('end', 80, engine), row('end', 90, session), row('end', 95, isSystem)],
      // Of these no event says which are of one checkpoint, and of the last two that they are of none.
      [row('begin', 100), row('begin', 110, session), row('end', 120), row('end', 130)],
      [row('begin', 140, session), row('end', 150, engine)],
      // An end of this session was lost: of 270, or of 275.
      [row('begin', 270, session), row('begin', 275, session), row('end', 275, session)],
      // Two that always overlap, for longer than an end may be awaited.
      ...minutes.map((at, place) => {
        const caller = place % 2 === 0 ? engine : session;
        return [row('begin', at, caller), row('end', at + 90_000, caller)];
      }),
    ];
    let capture = createCapture({ id: 'one' });
    for (const rows of parts) {
      capture.append(rows);
      capture = finishSteps(restoreCapture(copyState(capture.keepState())));
    }
    capture.settle(Infinity);
    const { columns } = capture;
    const found = Array.from({ length: columns.rows }, (_, at) => {
      const caller = callerOfRow(columns, at);
      return [(columns.beginUtcMs[at] ?? 0) - T0, isSystemCaller(caller), sessionOfCaller(caller)];
    });
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
    assert.deepEqual(found, [
      [0, true, 9],
      [20, false, 57],
      ...minutes.map((at, place) => [at, place % 2 === 0, place % 2 === 0 ? 9 : 57]),
    ]);
  });

  it('knows of each task who asked, whatever came first, and nothing where its events contradict each other', () => {
    const asked = [
      [writeCaller(true, 9), ''],
      ['', writeCaller(false, 57)],
      [writeCaller(false, 58), writeCaller(true, 58)],
      ['', ''],
    ];
    const rows = asked.flatMap(([first = '', second = ''], task) => {
      const activity = (number: number): string => `770C3538-EC3F-4A27-86A9-31A2FC777D0${task}-${number}`;
      const at = T0 + 100 * task;
      return [
        writeEventRow({ kind: 'begin', databaseId: 5, at, activity: activity(1), actions: first }),
        writeEventRow({ kind: 'end', databaseId: 5, at: at + 10, activity: activity(2), actions: second }),
      ];
    });
    for (const order of [rows, [...rows].reverse()]) {
      const capture = createCapture({ id: 'one' });
      capture.append(order);
      capture.settle(Infinity);
      const restored = finishSteps(restoreCapture(copyState(capture.keepState())));
      for (const { columns } of [capture, restored]) {
        const callers = asked.map((_, row) => callerOfRow(columns, row));
        assert.deepEqual(
          [callers.map(isSystemCaller), callers.map(isSessionCaller), callers.map(sessionOfCaller)],
          [
            [true, false, false, false],
            [false, true, false, false],
            [9, 57, 58, 0],
          ],
        );
      }
    }
  });

  it('of a version that did not keep tasks goes on with tasks that are not known', () => {
    const capture = createCapture({ id: 'one' });
    const rowsAt = (at: number, number: number): readonly EventRow[] => [
      rowAt('begin', at, `${GUID}-${number}`),
      rowAt('end', at + 10, `${GUID}-${number + 1}`),
    ];
    capture.append(rowsAt(0, 1));
    capture.settle(T0 + 11);
    const state = copyState(capture.keepState());
    const { rows, beginUtcMs, durationMs, database } = state.columns;
    const older = finishSteps(
      restoreCapture({
        ...state,
        columns: { rows, beginUtcMs, durationMs, database },
        taskGuids: new Int32Array(0),
      }),
    );
    older.append(rowsAt(20, 3));
    older.settle(Infinity);
    assert.deepEqual([...(older.columns.task ?? [])].slice(0, older.columns.rows), [0, 1]);
  });

  it('takes its undecided events back a few thousand at a time, however many there are', () => {
    const events = 20_000;
    const capture = createCapture({ id: 'one' });
    for (const activity of [true, false])
      capture.append(
        Array.from({ length: events / 2 }, (_, i) => {
          const event = {
            kind: i % 2 === 0 ? 'begin' : 'end',
            databaseId: activity ? 7 : 8,
            at: T0 + i,
          } as const;
          return writeEventRow(
            { ...event, activity: activity ? `${GUID}-${i + 1}` : null },
            { fileOffset: String(512 * i) },
          );
        }),
      );
    const state = copyState(capture.keepState());
    const { pending, pendingSources } = { ...state, ...state.plain };
    assert.deepEqual(
      [pending.rows, pending.kind.length, pendingSources.length],
      [events, events, events / 2],
    );
    const { pauses, value: restored } = countPauses(restoreCapture(state));
    assert.ok(pauses + 1 >= events / 4096, `${pauses} pauses`);
    assert.deepEqual(restored.ledger(), capture.ledger());
    for (const each of [capture, restored]) each.settle(Infinity);
    assert.deepEqual([restored.ledger(), restored.columns.rows], [capture.ledger(), events / 2]);
  });
});

describe('two databases of one id', () => {
  const checkpoint = fc.record({
    at: fc.integer({ min: 1, max: 2000 }),
    lasts: fc.integer({ min: 0, max: 60 }),
    lost: fc.constantFrom('', '', 'begin', 'end'),
  });

  it('never share a checkpoint, whatever is lost and whenever the catalog is read', () => {
    const cases = fc.record({
      runs: fc.uniqueArray(checkpoint, { selector: ({ at }) => at, maxLength: 20 }),
      createdAt: fc.integer({ min: 10, max: 1990 }),
      looks: fc.array(fc.integer({ min: 0, max: 2100 }), { maxLength: 4 }),
      shiftMinutes: fc.constantFrom(0, 0, 60, -60),
      hasCausality: fc.boolean(),
      isCut: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ runs, createdAt, looks, shiftMinutes, hasCausality, isCut }) => {
        const minute = (count: number): number => T0 + count * 60_000;
        const truth = new Set<string>();
        const rows: TimedRow[] = [];
        for (const { at, lasts, lost } of [...runs].sort((a, b) => a.at - b.at)) {
          const owner = at < createdAt ? 'old' : 'new';
          const endAt = owner === 'old' ? Math.min(at + lasts, createdAt - 0.5) : at + lasts;
          truth.add(`${owner} ${at} ${endAt}`);
          for (const kind of ['begin', 'end'] as const) {
            const atUtcMs = minute(kind === 'begin' ? at : endAt);
            const activity = hasCausality
              ? `770C3538-EC3F-4A27-86A9-31A2FC777DBC-${at * 10 + (kind === 'end' ? 1 : 0)}`
              : null;
            if (kind !== lost)
              rows.push({ atUtcMs, row: writeEventRow({ kind, databaseId: 7, at: atUtcMs, activity }) });
          }
        }
        const capture = createCapture({ id: 'one' });
        const look = (at: number): void => {
          const [name, created] = at < createdAt ? ['old', -90_000] : ['new', createdAt];
          // By a clock that was changed since the database was created; two looks see the change too.
          const createdLocal = writeUtcTime(minute(created + 120 + shiftMinutes));
          nameDatabases(
            capture,
            createCatalog(
              [{ databaseId: 7, name, createdLocal }],
              minute(at),
              at < createdAt ? 120 + shiftMinutes : 120,
            ),
          );
        };
        const moments = [...new Set(looks)].sort((a, b) => a - b);
        let from = 0;
        for (const at of moments) {
          const to = isCut ? rows.filter(({ atUtcMs }) => atUtcMs < minute(at)).length : from;
          if (to > from) feed(capture, rows.slice(from, to), minute(at));
          from = Math.max(from, to);
          look(at);
          assert.equal(findUnaccountedRows(capture.ledger()), 0);
        }
        feed(capture, rows.slice(from), Infinity);
        if (moments.length > 0) look(Math.max(2101, ...moments));
        assert.equal(findUnaccountedRows(capture.ledger()), 0);
        if (moments.length === 0) return;
        const { rows: count, beginUtcMs, durationMs, database } = capture.columns;
        for (let row = 0; row < count; row++) {
          const begin = ((beginUtcMs[row] ?? 0) - T0) / 60_000;
          const name = capture.databases[database[row] ?? 0]?.name ?? 'old';
          const ran = hasCausality || [...truth].some((each) => each.startsWith(`${name} ${begin} `));
          assert.ok(ran, `${name} never had a checkpoint at ${begin}`);
          assert.equal(name, begin < createdAt ? 'old' : 'new');
          const end = begin + (durationMs[row] ?? 0) / 60_000;
          assert.ok(begin >= createdAt || end < createdAt, `${begin} to ${end} spans ${createdAt}`);
        }
      }),
      {
        numRuns: 400,
        // Clocks went back between its creation and the reading, which then seemed to be the moment of its creation.
        examples: [
          [
            {
              runs: [{ at: 1985, lasts: 0, lost: '' }],
              createdAt: 1985,
              looks: [2044],
              shiftMinutes: 60,
              hasCausality: false,
              isCut: false,
            },
          ],
        ],
      },
    );
  });
});
