import assert from 'node:assert/strict';
import { type Capture, createCapture, restoreCapture } from '../../../src/core/capture/capture';
import { type Catalog, createCatalog } from '../../../src/core/capture/catalog';
import { DatabaseIndex, MOST_DATABASES } from '../../../src/core/capture/database-index';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { writeUtcTime } from '../../../src/core/time';
import { GUID, writeEventRow } from '../events/event-rows';
import { finishSteps } from '../../../src/core/steps';
import { nameDatabases } from '../finished';
import { countReasons } from './histories';

const T0 = Date.UTC(2026, 0, 5, 10);
const HOUR = 3_600_000;

/** The catalog as the server shows it: database 7 with that name and create_date, by a clock this many minutes ahead of UTC. */
function catalogAt(readUtcMs: number, name: string, createdUtcMs: number, options: { clock?: number; offset?: number } = {}): Catalog {
  const createdLocal = writeUtcTime(createdUtcMs + (options.clock ?? options.offset ?? 60) * 60_000);
  return createCatalog([{ databaseId: 7, name, createdLocal }], readUtcMs, options.offset ?? 60);
}

/** A checkpoint of database 7 that takes 40 ms, at each of these times. */
function runCheckpoints(capture: Capture, ...timesUtcMs: readonly number[]): void {
  for (const at of timesUtcMs) {
    const values = { databaseId: 7, activity: `${GUID}-${at - T0 + 1e9}` };
    const end = { databaseId: 7, activity: `${GUID}-${at - T0 + 1e9 + 1}` };
    capture.append([writeEventRow({ kind: 'begin', at, ...values }), writeEventRow({ kind: 'end', at: at + 40, ...end })]);
  }
}

/** `name of the database @ minutes since T0` of each checkpoint. */
function list(capture: Capture): string[] {
  const { rows, beginUtcMs, database } = capture.columns;
  return Array.from({ length: rows }, (_, row) => {
    return `${capture.databases[database[row] ?? 0]?.name} @ ${((beginUtcMs[row] ?? 0) - T0) / 60_000}`;
  }).sort();
}

const minutes = (count: number): number => T0 + count * 60_000;

describe('database index', () => {
  it('gives each database its column on first sight and keeps it', () => {
    const index = new DatabaseIndex();
    const columns = [9, 5, 9].map((id) => index.columnOf(index.ownerAt(id, T0)));
    assert.deepEqual(columns, [0, 1, 0]);
    assert.deepEqual(index.databases, [
      { databaseId: 9, createdLocal: null, name: null },
      { databaseId: 5, createdLocal: null, name: null },
    ]);
  });

  it('names databases without changing a list that was given out, and those that are seen later', () => {
    const index = new DatabaseIndex();
    index.ownerAt(9, T0);
    const before = index.databases;
    const created = '2020-01-01T00:00:00.000';
    index.read(
      createCatalog(
        [9, 14].map((databaseId) => ({ databaseId, name: `a]b${databaseId}`, createdLocal: created })),
        T0,
        0,
      ),
    );
    index.ownerAt(14, T0);
    assert.deepEqual(before, [{ databaseId: 9, createdLocal: null, name: null }]);
    assert.deepEqual(index.databases, [
      { databaseId: 9, createdLocal: created, name: 'a]b9' },
      { databaseId: 14, createdLocal: created, name: 'a]b14' },
    ]);
  });

  it('takes 65,535 databases, and a row of one more is malformed with the reason', () => {
    const index = new DatabaseIndex();
    for (let id = 1; id <= MOST_DATABASES; id++) assert.equal(index.columnOf(index.ownerAt(id, T0)), id - 1);
    assert.equal(index.ownerAt(MOST_DATABASES + 1, T0), -1);
    assert.equal(index.columnOf(index.ownerAt(1, T0)), 0);

    const capture = createCapture({ id: 'wide' });
    capture.append(Array.from({ length: MOST_DATABASES + 1 }, (_, i) => writeEventRow({ kind: 'begin', databaseId: i + 1, at: 1.7e12 })));
    assert.equal(capture.databases.length, MOST_DATABASES);
    assert.equal(capture.malformed()[0]?.reason, 'too many databases');
    assert.match(capture.malformed()[0]?.detail ?? '', /65535/);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });
});

describe('a database_id that is given again', () => {
  /** Named `first` at minute 0, with checkpoints at minutes 1, 5 and 9. */
  const captureFirst = (first: string): Capture => {
    const capture = createCapture({ id: 'one' });
    nameDatabases(capture, catalogAt(minutes(0), first, minutes(-9000)));
    runCheckpoints(capture, minutes(1), minutes(5), minutes(9));
    capture.settle(minutes(10));
    return capture;
  };

  it('parts what was captured before the catalog was read at the create_date, and says by the generation that rows changed', () => {
    const capture = captureFirst('old');
    assert.deepEqual([capture.generation, list(capture)], [1, ['old @ 1', 'old @ 5', 'old @ 9']]);
    nameDatabases(capture, catalogAt(minutes(11), 'new', minutes(6)));
    assert.deepEqual([capture.generation, list(capture)], [2, ['new @ 9', 'old @ 1', 'old @ 5']]);
    assert.deepEqual(
      capture.databases.map(({ databaseId, name, createdLocal }) => [databaseId, name, createdLocal?.slice(11, 16)]),
      [
        [7, 'old', '05:00'],
        [7, 'new', '11:06'],
      ],
    );
    runCheckpoints(capture, minutes(12));
    capture.settle(Infinity);
    assert.deepEqual([capture.generation, list(capture).includes('new @ 12')], [2, true]);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
  });

  it('never pairs a begin of the one with an end of the other, whether that was paired already, waits, or is open', () => {
    const begin = writeEventRow({ kind: 'begin', databaseId: 7, at: minutes(1) });
    const end = writeEventRow({ kind: 'end', databaseId: 7, at: minutes(5) });
    for (const horizon of [minutes(0), minutes(2), minutes(6)]) {
      const capture = createCapture({ id: 'one' });
      nameDatabases(capture, catalogAt(minutes(0), 'old', minutes(-9000)));
      capture.append([begin, end]);
      capture.settle(horizon);
      nameDatabases(capture, catalogAt(minutes(7), 'new', minutes(3)));
      assert.equal(findUnaccountedRows(capture.ledger()), 0);
      capture.append([begin, end]);
      capture.settle(Infinity);
      assert.deepEqual([capture.columns.rows, capture.ledger().unpaired, capture.ledger().duplicates], [0, 2, 2]);
      assert.equal(findUnaccountedRows(capture.ledger()), 0);
    }
  });

  it('is parted in steps, goes on meanwhile, and is never kept with the names of one catalog and the rows of another', () => {
    const capture = captureFirst('old');
    const steps = capture.nameDatabases(catalogAt(minutes(11), 'new', minutes(6)));
    assert.equal(steps.next().done, false);
    runCheckpoints(capture, minutes(12));
    capture.settle(minutes(13));
    assert.equal(capture.generation, 1);
    assert.equal(findUnaccountedRows(capture.ledger()), 0);
    const parted = ['new @ 12', 'new @ 9', 'old @ 1', 'old @ 5'];
    assert.deepEqual(list(finishSteps(restoreCapture(capture.keepState()))), parted);
    assert.deepEqual([steps.next().done, capture.generation, list(capture)], [true, 2, parted]);
  });

  it('is parted for the one catalog before the next is taken', () => {
    const capture = captureFirst('first');
    capture.nameDatabases(catalogAt(minutes(6), 'second', minutes(4))).next();
    nameDatabases(capture, catalogAt(minutes(11), 'third', minutes(8)));
    assert.deepEqual(list(capture), ['first @ 1', 'second @ 5', 'third @ 9']);
  });

  it('keeps the database without a name that bore the id before the first look at the catalog', () => {
    const capture = createCapture({ id: 'one' });
    runCheckpoints(capture, minutes(-300), minutes(-200), minutes(-1));
    capture.settle(Infinity);
    nameDatabases(capture, catalogAt(minutes(0), 'new', minutes(-100)));
    assert.deepEqual(list(capture), ['new @ -1', 'null @ -200', 'null @ -300']);
    assert.deepEqual(capture.databases[0], { databaseId: 7, createdLocal: null, name: null });
  });

  it('changes nothing where every event is of the database that the catalog shows', () => {
    const capture = createCapture({ id: 'one' });
    runCheckpoints(capture, minutes(1), minutes(2));
    capture.settle(Infinity);
    nameDatabases(capture, catalogAt(minutes(3), 'only', minutes(-9000)));
    nameDatabases(capture, catalogAt(minutes(4), 'renamed', minutes(-9000)));
    assert.deepEqual([capture.generation, list(capture), capture.databases.length], [1, ['renamed @ 1', 'renamed @ 2'], 1]);
  });

  it('gives events to nobody in the hour in which clocks may have been changed, unless two looks at the catalog tell', () => {
    // Created at minute 0 by a clock that was then an hour ahead of what it is now: its time seems an hour later.
    const created = { clock: 120, offset: 60 };
    const blind = createCapture({ id: 'one' });
    runCheckpoints(blind, minutes(-90), minutes(-30), minutes(-5), minutes(5), minutes(50), minutes(70), minutes(130));
    blind.settle(Infinity);
    nameDatabases(blind, catalogAt(minutes(140), 'new', minutes(0), created));
    assert.deepEqual(list(blind), ['new @ 130', 'null @ -30', 'null @ -5', 'null @ -90']);
    assert.equal(countReasons(blind).get('database replaced'), 6);
    assert.equal(findUnaccountedRows(blind.ledger()), 0);

    const watched = createCapture({ id: 'two' });
    nameDatabases(watched, catalogAt(minutes(-2), 'old', minutes(-9000), { offset: 120 }));
    runCheckpoints(watched, minutes(-90), minutes(-30), minutes(-5), minutes(5), minutes(50));
    watched.settle(Infinity);
    nameDatabases(watched, catalogAt(minutes(2), 'new', minutes(0), created));
    assert.deepEqual(list(watched), ['new @ 5', 'new @ 50', 'old @ -30', 'old @ -5', 'old @ -90']);
  });

  it('believes two looks at the catalog more than a create_date that can not be', () => {
    // Another server answers: its database 7 is years old, and was not here a minute ago.
    const capture = createCapture({ id: 'one' });
    nameDatabases(capture, catalogAt(minutes(0), 'here', minutes(-9000)));
    runCheckpoints(capture, minutes(-1), minutes(1), minutes(4));
    capture.settle(Infinity);
    nameDatabases(capture, catalogAt(minutes(2), 'there', minutes(-90_000)));
    runCheckpoints(capture, minutes(5));
    capture.settle(Infinity);
    assert.deepEqual(list(capture), ['here @ -1', 'there @ 4', 'there @ 5']);
    nameDatabases(capture, catalogAt(minutes(8), 'here', minutes(-9000)));
    runCheckpoints(capture, minutes(9));
    capture.settle(Infinity);
    // Whose the id was between minutes 2 and 8, nobody can tell any more.
    assert.deepEqual(list(capture), ['here @ -1', 'here @ 9']);
    assert.equal(countReasons(capture).get('database replaced'), 6);
    assert.equal(capture.databases.length, 2);
  });

  it('takes tempdb for the same database though it is created with every start of the server', () => {
    const capture = createCapture({ id: 'one' });
    for (const start of [0, 60, 120]) {
      const createdLocal = writeUtcTime(minutes(start));
      nameDatabases(capture, createCatalog([{ databaseId: 2, name: 'tempdb', createdLocal }], minutes(start + 1), 0));
      capture.append([2, 3].map((n) => writeEventRow({ kind: n === 2 ? 'begin' : 'end', databaseId: 2, at: minutes(start + n) })));
      capture.settle(minutes(start + 10));
    }
    assert.deepEqual([capture.columns.rows, capture.databases.length, capture.databases[0]?.name], [3, 1, 'tempdb']);
  });

  it('is sure of a create_date within an hour where the offset is the same at both ends of a week', () => {
    const capture = createCapture({ id: 'one' });
    nameDatabases(capture, catalogAt(T0, 'old', minutes(-9000)));
    const created = T0 + 20 * HOUR;
    runCheckpoints(capture, created - 60_000, created + 60_000);
    capture.settle(Infinity);
    nameDatabases(capture, catalogAt(T0 + 48 * HOUR, 'new', created));
    assert.deepEqual(list(capture), ['new @ 1201', 'old @ 1199']);
  });
});
