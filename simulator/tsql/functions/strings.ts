/** Character functions. Positions and lengths count UTF-16 units, as SQL Server does outside _SC collations. */
import type { SqlType } from '../../tds/handler';
import { bindBranches } from '../bind-expression';
import { nullLiteral, settledType, type Bound } from '../bound';
import { callFunction, coerce, collationOf } from '../coerce';
import { notModelled } from '../errors';
import { compare } from '../operators';
import {
  bigint,
  describeType,
  int,
  isBinary,
  isString,
  isUnicode,
  nvarchar,
  varchar,
  type Type,
  type Value,
} from '../types';
import { arg, asInt, rule, strict, text, varying, type FunctionTable, type Invocation } from './rule';
import { sqlError } from '../../tds/messages';

const isLong = (type: Type): boolean => 'length' in type && type.length === 'max';

const keepCollation = (bound: Bound, from: Bound): Bound =>
  from.collation === undefined ? bound : { ...bound, collation: from.collation };

function mapped(invocation: Invocation, evaluate: (value: string) => string): Bound {
  const input = text(invocation, 0);
  return keepCollation(strict(invocation, [input], varying(input.type), evaluate as never), input);
}

/** Replaces one character by one, so ß has no capital. */
const cased = (value: string, change: (c: string) => string): string =>
  Array.from(value, (c) => (change(c).length === c.length ? change(c) : c)).join('');

function bindLen(invocation: Invocation): Bound {
  const input = text(invocation, 0);
  return strict(
    invocation,
    [input],
    isLong(input.type) ? bigint : int,
    ((value: string) => {
      const { length } = value.replace(/ +$/, '');
      return isLong(input.type) ? BigInt(length) : length;
    }) as never,
    `LEN${isLong(input.type)}`,
  );
}

function bindDataLength(invocation: Invocation): Bound {
  const input = arg(invocation, 0);
  const type = settledType(input.type);
  const result = isLong(type) ? bigint : int;
  const wrap = (size: number): Value => (result.name === 'bigint' ? BigInt(size) : size);
  return strict(
    invocation,
    [input],
    result,
    ((value: Exclude<Value, null>) => wrap(sizeOf(value, type))) as never,
    `DATALENGTH${result.name}`,
  );
}

function sizeOf(value: Exclude<Value, null>, type: SqlType): number {
  if (isString(type)) return (value as string).length * (isUnicode(type) ? 2 : 1);
  if (isBinary(type)) return (value as Uint8Array).length;
  throw notModelled(`DATALENGTH of ${describeType(type)}`);
}

function bindEdge(invocation: Invocation, side: 'LEFT' | 'RIGHT'): Bound {
  const input = text(invocation, 0);
  const count = asInt(invocation, 1, bigint);
  const length =
    count.constant?.value === undefined || count.constant.value === null
      ? undefined
      : Number(count.constant.value);
  const limited =
    length === undefined || isLong(input.type)
      ? undefined
      : Math.max(1, Math.min(length, (input.type as { length: number }).length));
  const evaluate = (value: string, size: bigint): string => {
    if (size < 0n) throw sqlError(side === 'RIGHT' ? 536 : 537);
    const wanted = Number(size);
    return side === 'LEFT' ? value.slice(0, wanted) : wanted === 0 ? '' : value.slice(-wanted);
  };
  return keepCollation(
    strict(invocation, [input, count], varying(input.type, limited), evaluate as never),
    input,
  );
}

function bindSubstring(invocation: Invocation): Bound {
  const source = arg(invocation, 0);
  const input = isBinary(source.type) ? source : text(invocation, 0);
  const evaluate = (value: string | Uint8Array, from: bigint, length: bigint): Value => {
    if (length < 0n) throw sqlError(537);
    const start = Number(from) - 1;
    return value.slice(Math.max(0, start), Math.max(0, start + Number(length)));
  };
  const size = invocation.args[2]?.constant?.value;
  const own = 'length' in input.type ? input.type.length : 'max';
  const limited = typeof size === 'number' && size > 0 && own !== 'max' ? Math.min(size, own) : own;
  const type: SqlType = isBinary(source.type)
    ? { name: 'varbinary', length: limited }
    : varying(input.type, limited);
  return keepCollation(
    strict(
      invocation,
      [input, asInt(invocation, 1, bigint), asInt(invocation, 2, bigint)],
      type,
      evaluate as never,
    ),
    input,
  );
}

function bindCharIndex(invocation: Invocation): Bound {
  const [needle, hay] = [text(invocation, 0), text(invocation, 1)];
  const fold =
    collationOf(needle, hay) === 'ci' ? (value: string) => value.toLowerCase() : (value: string) => value;
  const result = isLong(hay.type) ? bigint : int;
  const start = invocation.args.length > 2 ? [asInt(invocation, 2, bigint)] : [];
  const evaluate = (search: string, within: string, from = 1n): Value => {
    const at = search === '' ? 0 : fold(within).indexOf(fold(search), Math.max(0, Number(from) - 1)) + 1;
    return result.name === 'bigint' ? BigInt(at) : at;
  };
  return strict(
    invocation,
    [needle, hay, ...start],
    result,
    evaluate as never,
    `CHARINDEX${collationOf(needle, hay)}${result.name}`,
  );
}

function bindReplace(invocation: Invocation): Bound {
  const parts = [text(invocation, 0), text(invocation, 1), text(invocation, 2)] as const;
  const flags = collationOf(...parts) === 'ci' ? 'gi' : 'g';
  const evaluate = (value: string, from: string, to: string): string =>
    from === ''
      ? value
      : value.replace(new RegExp(from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), flags), () => to);
  const long = parts.some((part) => isLong(part.type));
  const unicode = parts.some((part) => isUnicode(part.type));
  return strict(
    invocation,
    parts,
    unicode ? nvarchar(long ? 'max' : 4000) : varchar(long ? 'max' : 8000),
    evaluate as never,
    `REPLACE${flags}`,
  );
}

function bindConcat(invocation: Invocation): Bound {
  const parts = invocation.args.map((_, index) => text(invocation, index));
  return joined(invocation, parts, (values) =>
    values.map((value) => (value as string | null) ?? '').join(''),
  );
}

function joined(
  invocation: Invocation,
  parts: readonly Bound[],
  evaluate: (values: readonly Value[]) => string,
): Bound {
  const long = invocation.args.some((part) => isLong(part.type));
  const unicode = invocation.args.some((part) => isUnicode(part.type));
  const limit = unicode ? 4000 : 8000;
  const type = unicode ? nvarchar(long ? 'max' : limit) : varchar(long ? 'max' : limit);
  return {
    ...callFunction(invocation.binding.duck, invocation.name, parts, type, (...values) =>
      long ? evaluate(values) : evaluate(values).slice(0, limit),
    ),
    nullable: false,
  };
}

function bindIsNull(invocation: Invocation): Bound {
  const [first, second] = [arg(invocation, 0), arg(invocation, 1)];
  if (first.type.name === 'null') return second.type.name === 'null' ? nullLiteral : second;
  const type = settledType(first.type);
  const fallback = coerce(invocation.binding.duck, second, type, invocation.line);
  if (first.constant !== undefined && fallback.constant !== undefined)
    return first.constant.value === null ? fallback : first;
  return keepCollation(
    { sql: `coalesce(${first.sql}, ${fallback.sql})`, type, nullable: first.nullable && fallback.nullable },
    first,
  );
}

function bindReplicate(invocation: Invocation): Bound {
  const input = text(invocation, 0);
  const limit = isLong(input.type) ? 20_000_000 : isUnicode(input.type) ? 4000 : 8000;
  const evaluate = (value: string, count: bigint): Value =>
    count < 0n
      ? null
      : value.repeat(Math.min(Number(count), Math.ceil(limit / Math.max(1, value.length)))).slice(0, limit);
  return strict(
    invocation,
    [input, asInt(invocation, 1, bigint)],
    varying(input.type, isLong(input.type) ? 'max' : limit),
    evaluate as never,
    `REPLICATE${limit}`,
  );
}

function bindNullIf(invocation: Invocation): Bound {
  const [first, second] = [arg(invocation, 0), arg(invocation, 1)];
  if (first.type.name === 'null') throw sqlError(4151, [], invocation.line);
  const same = compare(invocation.binding.duck, '=', first, second, invocation.line);
  return {
    ...bindBranches(invocation.binding, [{ when: same, then: nullLiteral }], first, invocation.line),
    nullable: true,
  };
}

export const stringFunctions: FunctionTable = {
  LEN: rule(1, 1, bindLen),
  DATALENGTH: rule(1, 1, bindDataLength),
  UPPER: rule(1, 1, (invocation) => mapped(invocation, (value) => cased(value, (c) => c.toUpperCase()))),
  LOWER: rule(1, 1, (invocation) => mapped(invocation, (value) => cased(value, (c) => c.toLowerCase()))),
  LTRIM: rule(1, 1, (invocation) => mapped(invocation, (value) => value.replace(/^ +/, ''))),
  RTRIM: rule(1, 1, (invocation) => mapped(invocation, (value) => value.replace(/ +$/, ''))),
  REVERSE: rule(1, 1, (invocation) => mapped(invocation, (value) => value.split('').reverse().join(''))),
  LEFT: rule(2, 2, (invocation) => bindEdge(invocation, 'LEFT')),
  RIGHT: rule(2, 2, (invocation) => bindEdge(invocation, 'RIGHT')),
  SUBSTRING: rule(3, 3, bindSubstring),
  CHARINDEX: rule(2, 3, bindCharIndex),
  REPLACE: rule(3, 3, bindReplace),
  REPLICATE: rule(2, 2, bindReplicate),
  SPACE: rule(1, 1, (invocation) =>
    strict(invocation, [asInt(invocation, 0)], varchar(8000), ((count: number) =>
      count < 0 ? null : ' '.repeat(Math.min(count, 8000))) as never),
  ),
  CONCAT: rule(2, 254, bindConcat),
  ISNULL: rule(2, 2, bindIsNull),
  NULLIF: rule(2, 2, bindNullIf),
};
