import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EvidenceColumn, EvidenceRow } from '../../../src/core/pages/evidence-page';
import { chooseSort, selectEvidenceRows, type EvidenceSort } from '../../../src/core/pages/evidence-rows';

const column = (heading: string, isNumeric: boolean): EvidenceColumn => ({
  name: heading.toLowerCase(),
  heading,
  title: '',
  isNumeric,
});
const COLUMNS = [column('Time', false), column('Database', false), column('Duration', true)];

const row = (
  time: number,
  name: string,
  durationMs: number | null,
  databaseId: number | null = null,
): EvidenceRow => ({
  databaseId,
  cells: [
    { text: `at ${time}`, value: time },
    { text: name, value: null },
    { text: durationMs === null ? 'not observable' : `${durationMs} ms`, value: durationMs },
  ],
});

const sorted = (rows: readonly EvidenceRow[], sort: EvidenceSort | null, at: number): readonly unknown[] =>
  selectEvidenceRows({ columns: COLUMNS, rows }, sort).map(
    ({ cells }) => cells[at]!.value ?? cells[at]!.text,
  );

describe('Rows of evidence', () => {
  const rows = [row(9, 'db10', 900), row(10, 'db9', null), row(1, 'Db1', 1000)];

  it('are in their own order without a sort, or where its column is gone', () => {
    assert.deepEqual(sorted(rows, null, 0), [9, 10, 1]);
    assert.deepEqual(sorted(rows, { column: 'read', descending: true }, 0), [9, 10, 1]);
  });

  it('are filtered by their words, case aside; what is of no database stays', () => {
    const mixed = [row(1, 'dbA', 900, 5), row(2, 'Orders', 901, 6), row(3, 'whole instance', 902)];
    const left = selectEvidenceRows({ columns: COLUMNS, rows: mixed }, null, 'DBA').map(
      ({ cells }) => cells[1]!.text,
    );
    assert.deepEqual(left, ['dbA', 'whole instance']);
    assert.equal(
      selectEvidenceRows({ columns: COLUMNS, rows: mixed }, null, '901').length,
      1,
      'figures are no words',
    );
  });

  it('sort times by their moment and names as people count', () => {
    assert.deepEqual(sorted(rows, { column: 'time', descending: false }, 0), [1, 9, 10]);
    assert.deepEqual(sorted(rows, { column: 'database', descending: false }, 1), ['Db1', 'db9', 'db10']);
  });

  it('go by a heading that is clicked: figures from the top, words from A, then the other way, then as they were', () => {
    const clicks = (isNumeric: boolean): readonly (boolean | undefined)[] => {
      let sort: EvidenceSort | null = null;
      return [1, 2, 3].map(() => (sort = chooseSort(column('x', isNumeric), sort))?.descending);
    };
    assert.deepEqual(clicks(true), [true, false, undefined]);
    assert.deepEqual(clicks(false), [false, true, undefined]);
    assert.deepEqual(chooseSort(column('x', true), { column: 'y', descending: true }), {
      column: 'x',
      descending: true,
    });
  });

  const anyRow = fc
    .tuple(
      fc.integer(),
      fc.string({ maxLength: 2 }),
      fc.option(fc.double()),
      fc.option(fc.integer({ min: 1, max: 3 })),
    )
    .map(([time, name, durationMs, databaseId]) => row(time, name, durationMs, databaseId));

  it('are neither lost nor doubled by a sort, stand by exact values with what could not be observed last either way, and each has a key of its own', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow),
        fc.constantFrom('time', 'database', 'duration'),
        fc.boolean(),
        (any, name, descending) => {
          const selected = selectEvidenceRows({ columns: COLUMNS, rows: any }, { column: name, descending });
          assert.equal(new Set(selected.map(({ key }) => key)).size, any.length);
          assert.deepEqual(
            new Set(selected.map(({ cells }) => cells)),
            new Set(any.map(({ cells }) => cells)),
          );
          const values = selected.map(({ cells }) => cells[2]!.value);
          if (name !== 'duration') return;
          const observed = values.filter((value): value is number => value !== null && !Number.isNaN(value));
          assert.deepEqual(values.slice(0, observed.length), observed);
          observed.forEach((value, at) =>
            assert.ok(at === 0 || (descending ? observed[at - 1]! >= value : observed[at - 1]! <= value)),
          );
        },
      ),
    );
  });

  it('keep their keys while figures change', () => {
    const keys = (given: readonly EvidenceRow[]): readonly string[] =>
      selectEvidenceRows({ columns: COLUMNS, rows: given }, null).map(({ key }) => key);
    assert.deepEqual(
      keys([row(1, 'a', 5, 7), row(1, 'b', 6, 7)]),
      keys([row(1, 'x', 50, 7), row(1, 'y', null, 7)]),
    );
  });
});
