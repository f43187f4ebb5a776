import assert from 'node:assert/strict';
import type { Answer, Cell, ResultSet, ServerMessage } from './client';

const isoMoment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?$/;
const decimalNumber = /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i;

/** How a client shows the same value; identity for most. */
export type Show = (cell: Cell) => Cell;

/** Fails unless a client was answered as the reference was: the same sets, rows, errors and messages, as far as it tells of them. */
export function assertSameAnswer(actual: Answer, expected: Answer, options: { readonly joinsSets?: boolean; readonly show?: Show }): void {
  const show = options.show ?? ((cell) => cell);
  if (options.joinsSets) assertSameRows(joinSets(actual.sets), joinSets(expected.sets), show);
  else {
    assert.deepEqual(
      actual.sets.map(({ columns, rows }) => [columns, rows.length]),
      expected.sets.map(({ columns, rows }) => [columns, rows.length]),
    );
    for (const [index, set] of actual.sets.entries()) assertSameRows(set.rows, expected.sets[index]?.rows ?? [], show);
  }
  assertSameMessages(actual.errors, expected.errors);
  assert.equal(joinTexts(actual.infos), joinTexts(expected.infos));
}

function joinSets(sets: readonly ResultSet[]): readonly (readonly Cell[])[] {
  return sets.flatMap(({ columns, rows }) => [columns, ...rows]);
}

/* Two clients are the same here that cut a long text of several PRINTs differently; 5701 is not passed on by all. */
function joinTexts(messages: readonly ServerMessage[]): string {
  return messages
    .filter(({ text }) => !text.startsWith('Changed database context'))
    .map(({ text }) => text)
    .join('\n');
}

function assertSameRows(actual: readonly (readonly Cell[])[], expected: readonly (readonly Cell[])[], show: Show): void {
  assert.equal(actual.length, expected.length);
  for (const [at, row] of actual.entries()) {
    const wanted = expected[at] ?? [];
    assert.equal(row.length, wanted.length, `row ${at}`);
    const differs = row.findIndex((cell, column) => !isShown(cell, wanted[column] ?? null, show));
    if (differs >= 0) assert.equal(row[differs], wanted[differs], `row ${at}, column ${differs}`);
  }
}

function isShown(cell: Cell, value: Cell, show: Show): boolean {
  return isSameCell(cell, value) || isSameCell(cell, show(value));
}

/** Equal text; or equal numbers that are not integers, real compared as real; or the same moment as far as both show it. */
export function isSameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (decimalNumber.test(a) && decimalNumber.test(b) && /[.e]/i.test(a + b))
    return Number(a) === Number(b) || Math.fround(Number(a)) === Math.fround(Number(b));
  const [one, other] = [isoMoment.exec(a), isoMoment.exec(b)];
  if (!one || !other) return false;
  const fraction = (match: RegExpExecArray): string => (match[4] ?? '.').slice(1);
  const lengths = [fraction(one).length, fraction(other).length];
  const digits = lengths.includes(0) ? Math.max(...lengths) : Math.min(...lengths);
  const whole = (match: RegExpExecArray): string =>
    [match[1], match[2], match[3] ?? '00', fraction(match).padEnd(digits, '0').slice(0, digits)].join(' ');
  return whole(one) === whole(other);
}

/** Errors in order; a field that the client does not tell is not compared. */
function assertSameMessages(actual: readonly ServerMessage[], expected: readonly ServerMessage[]): void {
  const told = actual.map((message, index) => {
    const wanted = expected[index];
    const { number, state, severity, line, text } = message;
    return {
      number: number ?? wanted?.number,
      state: state ?? wanted?.state,
      severity: severity ?? wanted?.severity,
      line: line ?? wanted?.line,
      text,
    };
  });
  assert.deepEqual(
    told,
    expected.map(({ number, state, severity, line, text }) => ({ number, state, severity, line, text })),
  );
}
