/**
 * SQL Server's data types: how they are declared, ranked and combined (Microsoft documentation, "Data type precedence"
 * and "Precision, scale, and length").
 */
import type { SqlType } from '../tds/handler';
import { notModelled } from './errors';
import type { TypeName } from './syntax';
import { sqlError } from '../tds/messages';
import { wordSet } from './word-set';

/** The type of an expression; an untyped NULL gets the type of the other side. */
export type Type = SqlType | { readonly name: 'null' };

/** How text is compared: ignoring case, with case, or by code point. */
export type Collation = 'ci' | 'cs' | 'bin';

/**
 * A value inside this folder. bit and integers up to 32 bits are numbers, bigint is a bigint, decimal is its text.
 * Character types, xml and uniqueidentifier are strings. Dates and times are ticks of 100 ns since 0001-01-01 (time:
 * since midnight; datetimeoffset: see datetime.ts). For sql_variant see variant.ts.
 */
export type Value = null | number | bigint | string | Uint8Array;

export const int: SqlType = { name: 'int' };
export const bigint: SqlType = { name: 'bigint' };
export const float: SqlType = { name: 'float' };
export const bit: SqlType = { name: 'bit' };
export const sysname: SqlType = { name: 'nvarchar', length: 128 };
export const nvarcharMax: SqlType = { name: 'nvarchar', length: 'max' };
export const nvarchar = (length: number | 'max'): SqlType => ({ name: 'nvarchar', length });
export const varchar = (length: number | 'max'): SqlType => ({ name: 'varchar', length });

const integers = ['bit', 'tinyint', 'smallint', 'int', 'bigint'];
const dates = ['date', 'time', 'smalldatetime', 'datetime', 'datetime2', 'datetimeoffset'];

type StringType = Extract<
  SqlType,
  { name: 'char' | 'varchar' | 'nchar' | 'nvarchar' | 'binary' | 'varbinary' }
>;
type DecimalType = Extract<SqlType, { name: 'decimal' }>;

export const isInteger = (type: Type): boolean => integers.includes(type.name);
export const isNumber = (type: Type): boolean =>
  isInteger(type) || ['decimal', 'real', 'float'].includes(type.name);
export const isDate = (type: Type): boolean => dates.includes(type.name);
export const isString = (type: Type): type is StringType =>
  ['char', 'varchar', 'nchar', 'nvarchar'].includes(type.name);
export const isBinary = (type: Type): type is StringType =>
  type.name === 'binary' || type.name === 'varbinary';
export const isUnicode = (type: Type): boolean => type.name === 'nchar' || type.name === 'nvarchar';

/** Highest first. */
const precedence = [
  ...[
    'sql_variant',
    'xml',
    'datetimeoffset',
    'datetime2',
    'datetime',
    'smalldatetime',
    'date',
    'time',
    'float',
    'real',
    'decimal',
  ],
  ...'bigint int smallint tinyint bit uniqueidentifier nvarchar nchar varchar char varbinary binary null'.split(
    ' ',
  ),
];

const rank = (type: Type): number => precedence.indexOf(type.name);

const isHigher = (a: Type, b: Type): boolean => rank(a) < rank(b);

const digits: Readonly<Record<string, number>> = { bit: 1, tinyint: 3, smallint: 5, int: 10, bigint: 19 };

/** An integer type as decimal, for the rules of arithmetic and UNION. */
export function asDecimal(type: Type): DecimalType {
  return type.name === 'decimal' ? type : { name: 'decimal', precision: digits[type.name] ?? 10, scale: 0 };
}

const cap = (name: string): number => (name.startsWith('n') ? 4000 : 8000);

/** The common type of both sides in CASE, UNION, COALESCE and comparison. */
export function unify(a: Type, b: Type): Type {
  if (a.name === 'null') return b;
  if (b.name === 'null') return a;
  const [high, low] = isHigher(a, b) ? [a, b] : [b, a];
  if (high.name === 'decimal') return unifyDecimal(high, isNumber(low) ? asDecimal(low) : high);
  if ((isString(high) && isString(low)) || (isBinary(high) && isBinary(low))) return unifyStrings(high, low);
  if ('scale' in high && 'scale' in low)
    return { ...high, scale: Math.max(high.scale, low.scale) } as SqlType;
  return high;
}

function unifyDecimal(a: DecimalType, b: DecimalType): DecimalType {
  const scale = Math.max(a.scale, b.scale);
  const whole = Math.max(a.precision - a.scale, b.precision - b.scale);
  const precision = Math.min(38, whole + scale);
  return { name: 'decimal', precision, scale: Math.min(scale, Math.max(0, precision - whole)) };
}

function unifyStrings(a: StringType, b: StringType): SqlType {
  const unicode = isUnicode(a) || isUnicode(b);
  const varying = a.name.includes('var') || b.name.includes('var');
  const base = isBinary(a) ? 'binary' : 'char';
  const name = `${unicode ? 'n' : ''}${varying ? 'var' : ''}${base}` as 'varchar';
  if (a.length === 'max' || b.length === 'max') return { name, length: 'max' };
  return { name, length: Math.min(cap(name), Math.max(a.length, b.length)) };
}

/** Type of `a + b` for strings. */
export function concatenated(a: StringType, b: StringType): SqlType {
  const { name } = unifyStrings(a, b) as StringType;
  const varying = name.replace(/^(n?)char$/, '$1varchar').replace(/^binary$/, 'varbinary') as 'varchar';
  if (a.length === 'max' || b.length === 'max') return { name: varying, length: 'max' };
  return { name: varying, length: Math.min(cap(name), Math.max(1, a.length + b.length)) };
}

/** Precision and scale of decimal arithmetic, with SQL Server's reduction beyond 38 digits. */
export function decimalResult(operator: string, a: DecimalType, b: DecimalType): DecimalType {
  const { precision, scale } = rawDecimal(operator, a, b);
  if (precision <= 38) return { name: 'decimal', precision, scale };
  const whole = precision - scale;
  const additive = operator === '+' || operator === '-' || operator === '%';
  const reduced = additive
    ? Math.max(0, 38 - whole)
    : whole < 32
      ? Math.min(scale, 38 - whole)
      : Math.min(scale, 6);
  return { name: 'decimal', precision: 38, scale: reduced };
}

function rawDecimal(operator: string, a: DecimalType, b: DecimalType): { precision: number; scale: number } {
  const scale = Math.max(a.scale, b.scale);
  if (operator === '*') return { precision: a.precision + b.precision + 1, scale: a.scale + b.scale };
  if (operator === '/') {
    const quotient = Math.max(6, a.scale + b.precision + 1);
    return { precision: a.precision - a.scale + b.scale + quotient, scale: quotient };
  }
  if (operator === '%')
    return { precision: Math.min(a.precision - a.scale, b.precision - b.scale) + scale, scale };
  return { precision: Math.max(a.precision - a.scale, b.precision - b.scale) + scale + 1, scale };
}

const plain = wordSet(`bit tinyint smallint int bigint real uniqueidentifier xml sql_variant date datetime
  smalldatetime`);
const known = wordSet(`money smallmoney text ntext image timestamp rowversion hierarchyid geography geometry
  cursor table json vector`);

/**
 * @param defaultLength of a character or binary type without one: 1 in a declaration, 30 in CAST and CONVERT.
 * @throws SqlError 243 for an unknown type.
 */
export function resolveType(written: TypeName, defaultLength = 1): SqlType {
  const { name, first, second, line } = written;
  if (plain.has(name)) return { name: name as 'int' };
  switch (name) {
    case 'sysname':
      return sysname;
    case 'integer':
      return int;
    case 'float':
      return typeof first === 'number' && first <= 24 ? { name: 'real' } : float;
    case 'decimal':
    case 'numeric':
    case 'dec':
      return resolveDecimal(first, second, line);
    case 'time':
    case 'datetime2':
    case 'datetimeoffset':
      return resolveScaled(name, first, line);
    case 'char':
    case 'varchar':
    case 'nchar':
    case 'nvarchar':
    case 'binary':
    case 'varbinary':
      return { name, length: resolveLength(name, first ?? defaultLength, line) };
    default:
      throw known.has(name) ? notModelled(`type ${name}`, line) : sqlError(243, [name], line);
  }
}

function resolveDecimal(
  precision: number | 'max' | undefined,
  scale: number | undefined,
  line: number,
): SqlType {
  const p = typeof precision === 'number' ? precision : 18;
  if (p < 1 || p > 38) throw sqlError(2750, [p], line);
  if ((scale ?? 0) > p) throw sqlError(183, [scale, p], line);
  return { name: 'decimal', precision: p, scale: scale ?? 0 };
}

function resolveScaled(
  name: 'time' | 'datetime2' | 'datetimeoffset',
  scale: number | 'max' | undefined,
  line: number,
): SqlType {
  if (scale === undefined) return { name, scale: 7 };
  if (scale === 'max' || scale > 7) throw sqlError(1002, [line, scale], line);
  return { name, scale };
}

function resolveLength(name: string, length: number | 'max', line: number): number | 'max' {
  if (length === 'max' && name.includes('var')) return length;
  if (length === 'max' || length < 1) throw sqlError(1001, [line, length], line);
  if (length > cap(name)) throw sqlError(131, [length, name, cap(name)], line);
  return length;
}

/** `nvarchar(128)`, `decimal(10,2)`: also part of the key of functions registered in DuckDB. */
export function describeType(type: Type): string {
  if ('length' in type) return `${type.name}(${type.length})`;
  if ('precision' in type) return `decimal(${type.precision},${type.scale})`;
  if ('scale' in type) return `${type.name}(${type.scale})`;
  return type.name;
}
