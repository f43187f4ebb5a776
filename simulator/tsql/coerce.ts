/**
 * Conversions, keys and operators over bound expressions: DuckDB's own if it agrees with SQL Server, else functions
 * written here.
 */
import { SqlError, type SqlType } from '../tds/handler';
import { literal, physicalType, type Bound } from './bound';
import { equalityKeySql, orderKeySql } from './collation';
import { convertValue, messageName } from './convert';
import type { Duck, ScalarFunction } from './duck';
import { notModelled } from './errors';
import {
  type Collation,
  describeType,
  isBinary,
  isDate,
  isInteger,
  isNumber,
  isString,
  isUnicode,
  type Type,
} from './types';
import { variantKey } from './variant';
import { sqlError } from '../tds/messages';

/** Calls a function written here: at once if every argument is known, else inside DuckDB. */
export function callFunction(
  duck: Duck,
  key: string,
  args: readonly Bound[],
  result: Type,
  evaluate: ScalarFunction,
  volatile = false,
): Bound {
  if (!volatile && args.every((arg) => arg.constant !== undefined)) {
    try {
      return literal(evaluate(...args.map((arg) => arg.constant?.value ?? null)), result);
    } catch (error) {
      // Left to execution, because only a branch that runs may fail.
      if (!(error instanceof SqlError)) throw error;
    }
  }
  const types = args.map((arg) => arg.type);
  const full = `${key}(${types.map((type) => describeType(type)).join(',')})${describeType(result)}`;
  const name = duck.registerFunction(full, types, result, evaluate, volatile);
  return { sql: `${name}(${args.map((arg) => arg.sql).join(', ')})`, type: result, nullable: true };
}

const wider: Readonly<Record<string, readonly string[]>> = {
  bit: ['tinyint', 'smallint', 'int', 'bigint', 'float'],
  tinyint: ['smallint', 'int', 'bigint', 'real', 'float'],
  smallint: ['int', 'bigint', 'real', 'float'],
  int: ['bigint', 'float'],
  bigint: ['float'],
  real: ['float'],
};

export function convert(duck: Duck, from: Bound, to: SqlType, style?: number, attempt = false): Bound {
  if (from.type.name === 'null') return literal(null, to);
  const source = from.type;
  if (describeType(source) === describeType(to) && to.name !== 'char' && to.name !== 'nchar') return from;
  if (isWidening(source, to)) return { ...from, type: to, ...(from.constant && { constant: from.constant }) };
  if (!attempt && from.constant === undefined && (wider[source.name]?.includes(to.name) ?? false))
    return { sql: `CAST(${from.sql} AS ${physicalType(to)})`, type: to, nullable: from.nullable };
  if (!attempt && from.constant === undefined && isInteger(source) && to.name === 'decimal')
    return { sql: `CAST(${from.sql} AS ${physicalType(to)})`, type: to, nullable: from.nullable };
  if (from.constant === undefined && style === undefined && holdsDigits(source, to))
    return { sql: `CAST(${from.sql} AS VARCHAR)`, type: to, nullable: from.nullable || attempt };
  const key = `${attempt ? 'try_' : ''}convert:${style ?? ''}`;
  const evaluate: ScalarFunction = attempt
    ? (value) => tryConvert(value ?? null, source, to, style)
    : (value) => convertValue(value ?? null, source, to, style);
  const result = callFunction(duck, key, [from], to, evaluate);
  return {
    ...result,
    nullable: from.nullable || attempt,
    ...(from.collation && isString(to) && { collation: from.collation }),
  };
}

function tryConvert(
  value: Parameters<typeof convertValue>[0],
  from: SqlType,
  to: SqlType,
  style?: number,
): ReturnType<typeof convertValue> {
  try {
    return convertValue(value, from, to, style);
  } catch (error) {
    // A conversion that is never allowed, or not modelled, fails in TRY_CONVERT too.
    if (error instanceof SqlError && ![281, 529, 50000].includes(error.number)) return null;
    throw error;
  }
}

/** The most characters of each integer type, with the sign. */
const digits: Readonly<Record<string, number>> = { bit: 1, tinyint: 3, smallint: 6, int: 11, bigint: 20 };

/** Whether every value fits as written, without padding. */
function holdsDigits(from: SqlType, to: SqlType): boolean {
  const most = digits[from.name];
  return (
    most !== undefined &&
    (to.name === 'varchar' || to.name === 'nvarchar') &&
    (to.length === 'max' || to.length >= most)
  );
}

/** Whether it is only a longer character type: then there is nothing to convert. */
function isWidening(from: SqlType, to: SqlType): boolean {
  if (isString(from) && isString(to)) {
    if (to.name === 'char' || to.name === 'nchar') return false;
    if (isUnicode(from) && !isUnicode(to)) return false;
    return to.length === 'max' || (from.length !== 'max' && from.length <= to.length);
  }
  if (from.name === 'varbinary' && to.name === 'varbinary')
    return to.length === 'max' || (from.length !== 'max' && from.length <= to.length);
  if (from.name === 'datetime2' && to.name === 'datetime2') return from.scale <= to.scale;
  return false;
}

/** An implicit conversion: some are not allowed. @throws SqlError 257, 206. */
export function coerce(duck: Duck, from: Bound, to: SqlType, line: number): Bound {
  const source = from.type;
  if (source.name === 'null') return literal(null, to);
  const explicitOnly =
    (source.name === 'sql_variant' && to.name !== 'sql_variant') ||
    (isBinary(to) && isString(source)) ||
    (isDate(source) && isNumber(to)) ||
    (source.name === 'xml' && isString(to));
  if (explicitOnly) throw sqlError(257, [messageName(source), messageName(to)], line);
  const clash =
    (isNumber(source) && isDate(to) && !/^(small)?datetime$/.test(to.name)) ||
    (source.name === 'uniqueidentifier' && (isNumber(to) || isDate(to))) ||
    (to.name === 'uniqueidentifier' && isNumber(source));
  if (clash) throw sqlError(206, [messageName(source), messageName(to)], line);
  return convert(duck, from, to);
}

/** An explicit COLLATE decides; two different ones cannot be compared. */
export function collationOf(...sides: readonly Bound[]): Collation {
  const collations = new Set(sides.flatMap((side) => side.collation ?? []));
  if (collations.size > 1) throw notModelled('comparing values of different COLLATE clauses');
  return [...collations][0] ?? 'ci';
}

/** A key that is the same for equal values. */
export function equalityKeyOf(duck: Duck, bound: Bound, collation: Collation = collationOf(bound)): string {
  if (isString(bound.type)) return equalityKeySql(bound.sql, collation);
  return otherKey(duck, bound);
}

/** A key that sorts like the values. */
export function orderKeyOf(
  duck: Duck,
  bound: Bound,
  collation: Collation = collationOf(bound),
  unicode = isUnicode(bound.type),
): string {
  if (isString(bound.type)) return orderKeySql(bound.sql, collation, unicode);
  if (bound.type.name === 'uniqueidentifier') return guidOrderSql(bound.sql);
  return otherKey(duck, bound);
}

function otherKey(duck: Duck, bound: Bound): string {
  if (bound.type.name === 'datetimeoffset') return `(${bound.sql} // 4096)`;
  // Zeros at the end do not count: 0x01 = 0x0100 (Microsoft's answer to "Invalid equality comparison for varbinary data
  // with right padded zeros").
  if (isBinary(bound.type)) return `rtrim(hex(${bound.sql}), '0')`;
  if (bound.type.name === 'sql_variant') {
    const name = duck.registerFunction(
      'variantKey',
      [bound.type],
      { name: 'varchar', length: 'max' },
      (value) => (value === null ? null : variantKey(value as string)),
      false,
    );
    return `${name}(${bound.sql})`;
  }
  if (bound.type.name === 'xml') throw sqlError(305);
  return bound.sql;
}

/** SQL Server sorts uniqueidentifier from its last group to its first. */
function guidOrderSql(sql: string): string {
  const part = (from: number, length: number): string => `substr(${sql}, ${from}, ${length})`;
  return `(${[part(25, 12), part(20, 4), part(17, 2), part(15, 2), part(12, 2), part(10, 2), part(7, 2), part(5, 2), part(3, 2), part(1, 2)].join(' || ')})`;
}
