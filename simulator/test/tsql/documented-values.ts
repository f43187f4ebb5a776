import assert from 'node:assert/strict';
import type { SqlValue } from '../../tds/handler';
import type { Client } from './client';

/** [expression, value] */
export type DocumentedValue = readonly [string, SqlValue];

export const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));

/** The same expression whose strings come from rows: a scalar subquery is no constant, so what was computed at once is computed row by row. */
export const fromRows = (expression: string): string => expression.replace(/N?'(?:[^']|'')*'/g, (literal) => `(SELECT ${literal})`);

/** A test for each expression as a constant, and one for all of them through rows. */
export function itGives(client: () => Client, values: readonly DocumentedValue[]): void {
  for (const [expression, expected] of values)
    it(`gives ${shown(expected)} for ${expression}`, async () => assert.deepEqual(await client().value(expression), expected));

  it('gives the same values where the strings come from rows', async () => {
    for (const [expression, expected] of values) assert.deepEqual(await client().value(fromRows(expression)), expected, expression);
  });
}

/** A test for each expression that fails, with the start of the error. */
export function itRefuses(client: () => Client, failures: readonly (readonly [string, string])[]): void {
  for (const [expression, expected] of failures)
    it(`answers ${expected} for ${expression}`, async () => {
      const error = await client().error(/^\s*(SELECT|DECLARE|WITH)\b/i.test(expression) ? expression : `SELECT ${expression}`);
      assert.ok(error.startsWith(expected), error);
    });
}
