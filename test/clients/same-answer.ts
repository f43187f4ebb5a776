/** Whether a client was answered as tedious was, the client of the simulator's own tests. */
import assert from 'node:assert/strict';
import { toCell } from '../azdata/provider/cells';
import { type Login, logIn } from '../azdata/provider/login';
import type { Answer, Cell, Message, Target } from './client';

export function openReference({ port, user, password }: Target): Promise<Login> {
  return logIn({
    server: 'localhost',
    authentication: { type: 'default', options: { userName: user, password } },
    options: { port, encrypt: false, trustServerCertificate: true, requestTimeout: 120_000, useUTC: true },
  });
}

/** What tedious is answered, in the words of clients. */
export async function readReference({ run }: Login, sql: string): Promise<Answer> {
  const { sets, messages } = await run(sql);
  const display = { decimalMark: '.', bits: '1', maxChars: Infinity } as const;
  const told = (isErrors: boolean): Message[] =>
    messages.flatMap(({ isError, ...message }): Message[] => (isError === isErrors ? [message] : []));
  return {
    sets: sets.map(({ columns, rows }) => ({
      columns: columns.map(({ colName }) => colName),
      rows: rows.map((row) =>
        row.map((value, at) =>
          value === null ? null : toCell(value, columns[at]!, display).invariantCultureDisplayValue,
        ),
      ),
    })),
    infos: told(false),
    errors: told(true),
  };
}

/**
 * Fails unless a client was answered like that: the same sets, rows, errors and messages, as far as it tells of them.
 */
export function assertSameAnswer(actual: Answer, expected: Answer): void {
  const sizes = ({ sets }: Answer): readonly unknown[] =>
    sets.map(({ columns, rows }) => [columns, rows.length]);
  assert.deepEqual(sizes(actual), sizes(expected));
  for (const [at, { rows }] of actual.sets.entries())
    for (const [row, cells] of rows.entries()) {
      const wanted = expected.sets[at]?.rows[row] ?? [];
      const differs = cells.findIndex((cell, column) => !isSameCell(cell, wanted[column]!));
      if (differs >= 0 || cells.length !== wanted.length)
        assert.deepEqual(cells, wanted, `set ${at}, row ${row}, column ${differs}`);
    }
  // A field that the client does not tell is not compared.
  const told = actual.errors.map((error, at) =>
    Object.fromEntries(
      Object.entries(error).map(([name, value]) => [
        name,
        value ?? expected.errors[at]?.[name as keyof Message] ?? null,
      ]),
    ),
  );
  assert.deepEqual(told, expected.errors);
  assert.equal(joinTexts(actual.infos), joinTexts(expected.infos));
}

/** Two clients are the same here that cut a long text of several PRINTs differently; 5701 is not passed on by all. */
const joinTexts = (messages: readonly Message[]): string =>
  messages.flatMap(({ text }) => (text.startsWith('Changed database context') ? [] : [text])).join('\n');

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?$/;
const NUMBER = /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i;
/** A uniqueidentifier, or binary: upper or lower case, with 0x or without. */
const HEXADECIMAL = /^(0x)?[0-9a-f-]+$/i;

/**
 * Equal text; or equal numbers that are not integers, real compared as real; or the same moment as far as both show it.
 */
function isSameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (NUMBER.test(a) && NUMBER.test(b))
    return (
      /[.e]/i.test(a + b) && (Number(a) === Number(b) || Math.fround(Number(a)) === Math.fround(Number(b)))
    );
  if (HEXADECIMAL.test(a) && HEXADECIMAL.test(b))
    return a.replace(/^0x/, '').toLowerCase() === b.replace(/^0x/, '').toLowerCase();
  const [one, other] = [MOMENT.exec(a), MOMENT.exec(b)];
  if (!one || !other) return false;
  const lengths = [one, other].map((match) => match[4]?.length ?? 0);
  const digits = lengths.includes(0) ? Math.max(...lengths) : Math.min(...lengths);
  const whole = ([, date, minute, second = '00', fraction = '']: RegExpExecArray): string =>
    [date, minute, second, fraction.padEnd(digits, '0').slice(0, digits)].join(' ');
  return whole(one) === whole(other);
}
