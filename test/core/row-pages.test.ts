import assert from 'node:assert/strict';
import fc from 'fast-check';
import { defineRow, integer, readRows, text, readRowPages } from '../../src/core/rows';
import { finishSteps } from '../../src/core/steps';

const spec = defineRow({ id: integer(), name: text() });

describe('Rows read in steps', () => {
  it('are the rows and the problems that they are at once', () => {
    const cell = fc.constantFrom('1', 'x', null);
    const columns = fc.constantFrom(['id', 'name'], ['id'], ['id', 'name', 'more']);
    fc.assert(
      fc.property(columns, fc.integer({ min: 0, max: 1_700 }), fc.array(cell, { minLength: 7, maxLength: 7 }), (names, rows, cells) => {
        const set = {
          columns: names,
          rows: Array.from({ length: rows }, (_, row) => names.map((__, column) => cells[(row * 3 + column) % 7] ?? null)),
        };
        assert.deepEqual(finishSteps(readRowPages(spec, set)), readRows(spec, set));
      }),
      { numRuns: 40 },
    );
  });
});
