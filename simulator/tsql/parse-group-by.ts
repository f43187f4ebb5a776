/** GROUP BY, with ROLLUP, CUBE and GROUPING SETS expanded to their sets (Microsoft documentation, "SELECT - GROUP BY"). */
import { SqlError } from '../tds/handler';
import { notModelled } from './errors';
import { parseExpression } from './parse-expression';
import type { Expression } from './syntax';
import type { TokenReader } from './token-reader';

export interface GroupBy {
  /** Every expression, once. */
  readonly keys: readonly Expression[];
  /** Sets of keys to group by; absent if the only set has all keys. */
  readonly sets?: readonly (readonly number[])[];
}

type Keys = readonly Expression[];

export function parseGroupBy(reader: TokenReader): GroupBy {
  if (reader.is('ALL')) throw notModelled('GROUP BY ALL', reader.line);
  const items = reader.commaList(() => parseItem(reader));
  const plain = items.every((item) => item.length === 1);
  const suffix = reader.is('WITH') && ['ROLLUP', 'CUBE'].includes(reader.peek(1).upper) ? reader.peek(1).upper : undefined;
  if (suffix === undefined) return indexed(items.reduce(product), plain && items.every(([set]) => (set as Keys).length === 1));
  reader.expect('WITH', suffix);
  const parts = items.map(([set]) => set as Keys);
  return indexed(suffix === 'ROLLUP' ? rollup(parts) : cube(parts), false);
}

const product = (left: readonly Keys[], right: readonly Keys[]): readonly Keys[] => left.flatMap((a) => right.map((b) => [...a, ...b]));
const rollup = (parts: readonly Keys[]): readonly Keys[] =>
  [...parts, undefined].map((_, index) => parts.slice(0, parts.length - index).flat());
const cube = (parts: readonly Keys[]): readonly Keys[] =>
  parts.reduceRight<readonly Keys[]>((sets, part) => [...sets.map((set) => [...part, ...set]), ...sets], [[]]);

/** The sets that one element stands for. */
function parseItem(reader: TokenReader): readonly Keys[] {
  if (reader.is('ROLLUP', '(')) return rollup(parseParts(reader, 'ROLLUP'));
  if (reader.is('CUBE', '(')) return cube(parseParts(reader, 'CUBE'));
  if (reader.take('GROUPING', 'SETS'))
    return reader.parenthesised(() =>
      reader.commaList(() => (reader.isOneOf('ROLLUP', 'CUBE', 'GROUPING') ? parseItem(reader) : [parsePart(reader)])).flat(),
    );
  if (reader.take('(', ')')) return [[]];
  return [[parseExpression(reader)]];
}

function parseParts(reader: TokenReader, word: string): readonly Keys[] {
  reader.expect(word);
  return reader.parenthesised(() => reader.commaList(() => parsePart(reader)));
}

/** `a`, `(a, b)` or `()`. */
function parsePart(reader: TokenReader): Keys {
  if (reader.take('(', ')')) return [];
  if (!reader.is('(')) return [parseExpression(reader)];
  const start = reader.position;
  try {
    const list = reader.parenthesised(() => reader.commaList(() => parseExpression(reader)));
    if (reader.isOneOf(',', ')')) return list;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
  }
  reader.position = start;
  return [parseExpression(reader)];
}

function indexed(sets: readonly Keys[], plain: boolean): GroupBy {
  const keys: Expression[] = [];
  const names: string[] = [];
  const indexes = sets.map((set) =>
    set.map((key) => {
      const name = JSON.stringify(key, (field, value: unknown) =>
        field === 'line' ? undefined : typeof value === 'string' ? value.toLowerCase() : value,
      );
      if (!names.includes(name)) {
        keys.push(key);
        names.push(name);
      }
      return names.indexOf(name);
    }),
  );
  return plain ? { keys } : { keys, sets: indexes.map((set) => [...new Set(set)]) };
}
