import assert from 'node:assert/strict';
import { type Capture, createCapture, restoreCapture } from '../../../src/core/capture/capture';
import { type Catalog, createCatalog } from '../../../src/core/capture/catalog';
import { MOST_DATABASES } from '../../../src/core/capture/database-index';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { writeUtcTime } from '../../../src/core/time';
import { GUID, writeEventRow } from '../events/event-rows';
import { finishSteps } from '../../../src/core/steps';
import { nameDatabases } from '../finished';
import { countReasons, T0 } from './histories';

const minutes = (count: number): number => T0 + count * 60_000;
type Step = (capture: Capture) => void;

/**
 * A look at the catalog, which shows database 7 with that name and create_date, by a clock that was this many minutes
 * ahead of UTC then.
 */
function look(minute: number, name: string, created: number, { clock = 60, offset = 60 } = {}): Step {
  return (capture) => nameDatabases(capture, catalogAt(minute, name, created, { clock, offset }));
}

function catalogAt(minute: number, name: string, created: number, { clock = 60, offset = 60 } = {}): Catalog {
  return createCatalog(
    [{ databaseId: 7, name, createdLocal: writeUtcTime(minutes(created + clock)) }],
    minutes(minute),
    offset,
  );
}

/** A checkpoint of database 7 that takes 40 ms, in each of these minutes; all is settled then. */
function run(...at: readonly number[]): Step {
  return (capture) => {
    for (const minute of at) {
      const [begin, end] = [0, 1].map((n) => ({
        databaseId: 7,
        activity: `${GUID}-${minute * 60_000 + 1e9 + n}`,
      }));
      capture.append([
        writeEventRow({ kind: 'begin', at: minutes(minute), ...begin! }),
        writeEventRow({ kind: 'end', at: minutes(minute) + 40, ...end! }),
      ]);
    }
    capture.settle(Infinity);
  };
}

function captureOf(...steps: readonly Step[]): Capture {
  const capture = createCapture({ id: 'one' });
  for (const step of steps) {
    step(capture);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  }
  return capture;
}

/** `name of the database @ minutes since T0` of each checkpoint. */
function list({ columns: { rows, beginUtcMs, database }, databases }: Capture): string[] {
  return Array.from(
    { length: rows },
    (_, row) => `${databases[database[row] ?? 0]?.name} @ ${((beginUtcMs[row] ?? 0) - T0) / 60_000}`,
  ).sort();
}

describe('databases of a capture', () => {
  it('have each its column from first sight on, and names without changing a list that was given out', () => {
    const capture = createCapture({ id: 'one' });
    const see = (...ids: readonly number[]): void => {
      capture.append(
        ids.map((databaseId) => writeEventRow({ kind: 'begin', databaseId, at: T0 + databaseId })),
      );
    };
    see(9);
    const before = capture.databases;
    const createdLocal = '2020-01-01T00:00:00.000';
    nameDatabases(
      capture,
      createCatalog(
        [9, 14].map((databaseId) => ({ databaseId, name: `a]b${databaseId}`, createdLocal })),
        T0,
        0,
      ),
    );
    see(5, 14, 9);
    assert.deepEqual(before, [{ databaseId: 9, createdLocal: null, name: null }]);
    assert.deepEqual(capture.databases, [
      { databaseId: 9, createdLocal, name: 'a]b9' },
      { databaseId: 5, createdLocal: null, name: null },
      { databaseId: 14, createdLocal, name: 'a]b14' },
    ]);
  });

  it('are 65,535 at most, and a row of one more is malformed with the reason', () => {
    const capture = createCapture({ id: 'wide' });
    capture.append(
      Array.from({ length: MOST_DATABASES + 1 }, (_, i) =>
        writeEventRow({ kind: 'begin', databaseId: i + 1, at: 1.7e12 }),
      ),
    );
    assert.equal(capture.databases.length, 65_535);
    assert.equal(capture.malformed()[0]?.reason, 'too many databases');
    assert.match(capture.malformed()[0]?.detail ?? '', /65535/);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });
});

/** Created at minute 0 by a clock that was then an hour ahead of what it is now: its time seems an hour later. */
const MOVED = { clock: 120, offset: 60 };
/** Another server answers: its database 7 is years old, and was not here a minute ago. */
const ANOTHER = [look(0, 'here', -9000), run(-1, 1, 4), look(2, 'there', -90_000), run(5)];

/** What happens; the checkpoints of each database; events that belong to nobody; databases. */
const CASES: readonly (readonly [string, readonly Step[], readonly string[], number, number])[] = [
  [
    'keeps the database without a name that bore the id before the first look at the catalog',
    [run(-300, -200, -1), look(0, 'new', -100)],
    ['new @ -1', 'null @ -200', 'null @ -300'],
    0,
    2,
  ],
  [
    'is that of one database where every event is of the one that the catalog shows, renamed or not',
    [run(1, 2), look(3, 'only', -9000), look(4, 'renamed', -9000)],
    ['renamed @ 1', 'renamed @ 2'],
    0,
    1,
  ],
  [
    'gives events to nobody in the hour in which clocks may have been changed',
    [run(-90, -30, -5, 5, 50, 70, 130), look(140, 'new', 0, MOVED)],
    ['new @ 130', 'null @ -30', 'null @ -5', 'null @ -90'],
    6,
    2,
  ],
  [
    'gives them to either where two looks at the catalog tell',
    [look(-2, 'old', -9000, { clock: 120, offset: 120 }), run(-90, -30, -5, 5, 50), look(2, 'new', 0, MOVED)],
    ['new @ 5', 'new @ 50', 'old @ -30', 'old @ -5', 'old @ -90'],
    0,
    2,
  ],
  [
    'believes two looks at the catalog more than a create_date that can not be',
    ANOTHER,
    ['here @ -1', 'there @ 4', 'there @ 5'],
    2,
    2,
  ],
  [
    'gives events to nobody where nobody can tell whose the id was between two looks',
    [...ANOTHER, look(8, 'here', -9000), run(9)],
    ['here @ -1', 'here @ 9'],
    6,
    2,
  ],
  [
    'is sure of a create_date within an hour where the offset is the same at both ends of a week',
    [look(0, 'old', -9000), run(1199, 1201), look(48 * 60, 'new', 1200)],
    ['new @ 1201', 'old @ 1199'],
    0,
    2,
  ],
];

describe('a database_id that is given again', () => {
  const first = [look(0, 'old', -9000), run(1, 5, 9)];

  for (const [title, happened, checkpoints, ofNobody, databases] of CASES)
    it(title, () => {
      const capture = captureOf(...happened);
      const replaced = countReasons(capture).get('database replaced') ?? 0;
      assert.deepEqual(
        [list(capture), replaced, capture.databases.length],
        [checkpoints, ofNobody, databases],
      );
    });

  it('parts what was captured before the catalog was read at the create_date, and says by the generation that rows changed', () => {
    const capture = captureOf(...first);
    assert.deepEqual([capture.generation, list(capture)], [1, ['old @ 1', 'old @ 5', 'old @ 9']]);
    look(11, 'new', 6)(capture);
    assert.deepEqual([capture.generation, list(capture)], [2, ['new @ 9', 'old @ 1', 'old @ 5']]);
    assert.deepEqual(
      capture.databases.map(({ databaseId, name, createdLocal }) => [
        databaseId,
        name,
        createdLocal?.slice(11, 16),
      ]),
      [
        [7, 'old', '05:00'],
        [7, 'new', '11:06'],
      ],
    );
    run(12)(capture);
    look(13, 'renamed', 6)(capture);
    assert.deepEqual(
      [capture.generation, list(capture)],
      [2, ['old @ 1', 'old @ 5', 'renamed @ 12', 'renamed @ 9']],
    );
  });

  it('is parted in steps, goes on meanwhile, and is never kept with the names of one catalog and the rows of another', () => {
    const capture = captureOf(...first);
    const steps = capture.nameDatabases(catalogAt(11, 'new', 6));
    assert.equal(steps.next().done, false);
    run(12)(capture);
    assert.equal(capture.generation, 1);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
    const parted = ['new @ 12', 'new @ 9', 'old @ 1', 'old @ 5'];
    assert.deepEqual(list(finishSteps(restoreCapture(capture.keepState()))), parted);
    assert.deepEqual([steps.next().done, capture.generation, list(capture)], [true, 2, parted]);
  });

  it('is parted for the one catalog before the next is taken', () => {
    const capture = captureOf(...first);
    capture.nameDatabases(catalogAt(6, 'second', 4)).next();
    look(11, 'third', 8)(capture);
    assert.deepEqual(list(capture), ['old @ 1', 'second @ 5', 'third @ 9']);
  });

  it('takes tempdb for the same database though it is created with every start of the server', () => {
    const capture = createCapture({ id: 'one' });
    for (const start of [0, 60, 120]) {
      const createdLocal = writeUtcTime(minutes(start));
      nameDatabases(
        capture,
        createCatalog([{ databaseId: 2, name: 'tempdb', createdLocal }], minutes(start + 1), 0),
      );
      capture.append(
        [2, 3].map((n) =>
          writeEventRow({ kind: n === 2 ? 'begin' : 'end', databaseId: 2, at: minutes(start + n) }),
        ),
      );
      capture.settle(minutes(start + 10));
    }
    assert.deepEqual(
      [capture.columns.rows, capture.databases.length, capture.databases[0]?.name],
      [3, 1, 'tempdb'],
    );
  });
});
