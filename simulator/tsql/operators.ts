/** Arithmetic, concatenation and comparison by SQL Server's rules of type precedence. */
import { SqlError, type SqlType } from '../tds/handler';
import {
  knownCondition,
  literal,
  nullLiteral,
  physicalType,
  settledType,
  type Bound,
  type BoundCondition,
} from './bound';
import { callFunction, coerce, collationOf, convert, equalityKeyOf, orderKeyOf } from './coerce';
import { equalityKey, orderKey } from './collation';
import { messageName } from './convert';
import { decimalArithmetic } from './decimal';
import type { Duck } from './duck';
import { invalidOperator, notModelled, operandClash, overflow } from './errors';
import type { Arithmetic, Comparison } from './syntax';
import {
  asDecimal,
  concatenated,
  decimalResult,
  isBinary,
  isDate,
  isInteger,
  isNumber,
  isString,
  isUnicode,
  unify,
  type Type,
  type Value,
} from './types';
import { variantKey } from './variant';
import { sqlError } from '../tds/messages';

const words: Readonly<Record<Arithmetic, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '&': '&',
  '|': '|',
  '^': '^',
};

export function arithmetic(duck: Duck, operator: Arithmetic, left: Bound, right: Bound, line: number): Bound {
  if (left.type.name === 'null' && right.type.name === 'null') return nullLiteral;
  const a = left.type.name === 'null' ? neutral(right.type) : left.type;
  const b = right.type.name === 'null' ? neutral(left.type) : right.type;
  if (operator === '+' && ((isString(a) && isString(b)) || (isBinary(a) && isBinary(b))))
    return concatenate(duck, left, right, concatenated(a, b), line);
  if (a.name === 'sql_variant' || b.name === 'sql_variant') throw variantOperand(words[operator], line);
  if (isDate(a) || isDate(b)) throw notModelled(`${operator} of ${messageName(isDate(a) ? a : b)}`, line);
  if (!isNumber(a) && !isNumber(b))
    throw invalidOperator(messageName(a), messageName(b), words[operator], line);
  const common = unify(a, b);
  if (!isNumber(common)) throw operandClash(messageName(a), messageName(b), line);
  if (common.name === 'decimal') return decimalOperation(duck, operator, left, right, a, b, line);
  if (common.name === 'float' || common.name === 'real')
    return floatOperation(duck, operator, left, right, common as SqlType, line);
  return integerOperation(duck, operator, left, right, common as SqlType, line);
}

/** The type of an untyped NULL beside a value: that of the value. */
const neutral = (type: Type): SqlType => settledType(type);

function variantOperand(word: string, line: number): SqlError {
  return new SqlError(402, `Operand data type sql_variant is invalid for ${word} operator.`, 16, 1, line);
}

function concatenate(duck: Duck, left: Bound, right: Bound, type: SqlType, line: number): Bound {
  const [l, r] = [coerceText(duck, left, type, line), coerceText(duck, right, type, line)];
  const limit = 'length' in type && type.length !== 'max' ? type.length : undefined;
  if (isBinary(type))
    return callFunction(duck, 'concatenate', [l, r], type, (x, y) =>
      x === null || y === null ? null : Buffer.concat([x as Uint8Array, y as Uint8Array]),
    );
  const cut = (text: string): string => (limit === undefined ? text : text.slice(0, limit));
  const collation = left.collation ?? right.collation;
  if (l.constant !== undefined && r.constant !== undefined) {
    const [x, y] = [l.constant.value, r.constant.value];
    return {
      ...literal(x === null || y === null ? null : cut(`${x as string}${y as string}`), type),
      ...(collation && { collation }),
    };
  }
  const sum = lengthOf(l.type) + lengthOf(r.type);
  const joined = `(${l.sql} || ${r.sql})`;
  const sql = limit !== undefined && sum > limit ? `left(${joined}, ${limit})` : joined;
  return { sql, type, nullable: l.nullable || r.nullable, ...(collation && { collation }) };
}

/** Each side keeps its own length; only its kind changes. */
function coerceText(duck: Duck, side: Bound, type: SqlType, line: number): Bound {
  if (side.type.name === 'null') return literal(null, type);
  return coerce(
    duck,
    side,
    'length' in side.type && 'length' in type ? ({ ...side.type, name: type.name } as SqlType) : type,
    line,
  );
}

const lengthOf = (type: Type): number =>
  'length' in type ? (type.length === 'max' ? Infinity : type.length) : 0;

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  bit: [0, 1],
  tinyint: [0, 255],
  smallint: [-32768, 32767],
  int: [-2147483648, 2147483647],
};

function integerOperation(
  duck: Duck,
  operator: Arithmetic,
  left: Bound,
  right: Bound,
  type: SqlType,
  line: number,
): Bound {
  if (type.name === 'bit' && !'&|^'.includes(operator)) throw sqlError(8117, ['bit', words[operator]], line);
  const [l, r] = [coerce(duck, left, type, line), coerce(duck, right, type, line)];
  if (l.constant !== undefined && r.constant !== undefined)
    return callFunction(duck, `int${operator}`, [l, r], type, (x, y) =>
      foldInteger(operator, x ?? null, y ?? null, type),
    );
  const nullable = l.nullable || r.nullable;
  if (type.name === 'tinyint') throw notModelled(`${operator} of two tinyint columns`, line);
  return { sql: `CAST(${nativeInteger(operator, l, r)} AS ${physicalType(type)})`, type, nullable };
}

function nativeInteger(operator: Arithmetic, l: Bound, r: Bound): string {
  if (operator === '/' || operator === '%') {
    const native = operator === '/' ? '//' : '%';
    const nonZero = r.constant !== undefined && r.constant.value !== null && Number(r.constant.value) !== 0;
    if (nonZero) return `(${l.sql} ${native} ${r.sql})`;
    return `(CASE WHEN ${r.sql} = 0 THEN error('${divideByZero}') ELSE ${l.sql} ${native} ${r.sql} END)`;
  }
  if (operator === '^') return `xor(${l.sql}, ${r.sql})`;
  return `(${l.sql} ${operator} ${r.sql})`;
}

const divideByZero = `SqlError:${JSON.stringify([8134, 'Divide by zero error encountered.', 16, 1])}SqlError:`;

function foldInteger(operator: Arithmetic, x: Value, y: Value, type: SqlType): Value {
  if (x === null || y === null) return null;
  const [a, b] = [BigInt(x as number), BigInt(y as number)];
  if ((operator === '/' || operator === '%') && b === 0n) throw sqlError(8134);
  const results: Readonly<Record<Arithmetic, () => bigint>> = {
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => a / b,
    '%': () => a % b,
    '&': () => a & b,
    '|': () => a | b,
    '^': () => a ^ b,
  };
  return inRange(results[operator](), type);
}

function inRange(result: bigint, type: SqlType): Value {
  if (type.name === 'bigint') {
    if (BigInt.asIntN(64, result) !== result) throw overflow('bigint');
    return result;
  }
  const [low, high] = ranges[type.name] as readonly [number, number];
  if (result < low || result > high) throw overflow(type.name);
  return Number(result);
}

function floatOperation(
  duck: Duck,
  operator: Arithmetic,
  left: Bound,
  right: Bound,
  type: SqlType,
  line: number,
): Bound {
  if (!'+-*/'.includes(operator))
    throw invalidOperator(
      messageName(settledType(left.type)),
      messageName(settledType(right.type)),
      words[operator],
      line,
    );
  const [l, r] = [coerce(duck, left, type, line), coerce(duck, right, type, line)];
  return callFunction(duck, `float${operator}`, [l, r], type, (x, y) => {
    if (x === null || y === null) return null;
    const [a, b] = [x as number, y as number];
    if (operator === '/' && b === 0) throw sqlError(8134);
    const result = operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a / b;
    if (!Number.isFinite(result)) throw overflow('float');
    const rounded = type.name === 'real' ? Math.fround(result) : result;
    if (!Number.isFinite(rounded)) throw overflow('real');
    return rounded;
  });
}

function decimalOperation(
  duck: Duck,
  operator: Arithmetic,
  left: Bound,
  right: Bound,
  a: SqlType,
  b: SqlType,
  line: number,
): Bound {
  if (!'+-*/%'.includes(operator))
    throw invalidOperator(messageName(a), messageName(b), words[operator], line);
  const kinds = [decimalKind(left, a), decimalKind(right, b)];
  const leftType = kinds[0] ?? kinds[1];
  const rightType = kinds[1] ?? kinds[0];
  if (leftType === undefined || rightType === undefined)
    throw operandClash(messageName(a), messageName(b), line);
  const type = decimalResult(operator, leftType, rightType);
  if (operator === '+' || operator === '-') {
    const [l, r] = [coerce(duck, left, type, line), coerce(duck, right, type, line)];
    if (l.constant === undefined || r.constant === undefined)
      return {
        sql: `CAST((${l.sql} ${operator} ${r.sql}) AS ${physicalType(type)})`,
        type,
        nullable: l.nullable || r.nullable,
      };
    const negate = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text}`);
    return callFunction(duck, `decimal${operator}`, [l, r], type, (x, y) =>
      x === null || y === null
        ? null
        : addDecimals(x as string, operator === '+' ? (y as string) : negate(y as string), type),
    );
  }
  const [l, r] = [coerce(duck, left, leftType, line), coerce(duck, right, rightType, line)];
  return callFunction(duck, `decimal${operator}`, [l, r], type, (x, y) =>
    x === null || y === null
      ? null
      : decimalArithmetic(operator as '*', x as string, leftType, y as string, rightType, type),
  );
}

function decimalKind(side: Bound, type: SqlType): Extract<SqlType, { name: 'decimal' }> | undefined {
  if (side.digits !== undefined) return { name: 'decimal', precision: side.digits, scale: 0 };
  return isNumber(type) ? asDecimal(type) : undefined;
}

function addDecimals(x: string, y: string, type: Extract<SqlType, { name: 'decimal' }>): string {
  const one: Extract<SqlType, { name: 'decimal' }> = { name: 'decimal', precision: 38, scale: type.scale };
  const digits = (text: string): bigint =>
    BigInt(
      decimalArithmetic('*', text, one, '1', { name: 'decimal', precision: 1, scale: 0 }, one).replace(
        '.',
        '',
      ),
    );
  const sum = digits(x) + digits(y);
  if ((sum < 0n ? -sum : sum) >= 10n ** BigInt(type.precision)) throw overflow('numeric');
  const text = (sum < 0n ? -sum : sum).toString().padStart(type.scale + 1, '0');
  const at = text.length - type.scale;
  return `${sum < 0n ? '-' : ''}${text.slice(0, at)}${type.scale === 0 ? '' : `.${text.slice(at)}`}`;
}

export function compare(
  duck: Duck,
  operator: Comparison,
  left: Bound,
  right: Bound,
  line: number,
): BoundCondition {
  const [l, r] = alignSides(duck, left, right, line);
  const collation = collationOf(left, right);
  if (l.constant !== undefined && r.constant !== undefined && l.type.name !== 'xml') {
    if (l.constant.value === null || r.constant.value === null) return knownCondition(null);
    const type = isUnicode(r.type) ? r.type : l.type;
    const order = compareValues(l.constant.value, r.constant.value, type, collation, operator);
    return knownCondition(holds(operator, order));
  }
  const unicode = isUnicode(l.type) || isUnicode(r.type);
  const key = (side: Bound): string =>
    operator === '=' || operator === '<>'
      ? equalityKeyOf(duck, side, collation)
      : orderKeyOf(duck, side, collation, unicode);
  return { sql: `(${key(l)} ${operator} ${key(r)})` };
}

export function alignSides(duck: Duck, left: Bound, right: Bound, line: number): readonly [Bound, Bound] {
  const type = settledType(unify(left.type, right.type));
  return [alignTo(duck, left, type, line), alignTo(duck, right, type, line)];
}

/** Character values of different lengths compare without conversion. */
export function alignTo(duck: Duck, side: Bound, type: SqlType, line: number): Bound {
  if (isString(type) && isString(side.type)) return { ...side, type: side.type };
  if (type.name === 'decimal' && isInteger(side.type)) return convert(duck, side, asDecimal(side.type));
  if (type.name === 'decimal' && side.type.name === 'decimal') return side;
  return coerce(duck, side, type, line);
}

function holds(operator: Comparison, order: number): boolean {
  const results: Readonly<Record<Comparison, boolean>> = {
    '=': order === 0,
    '<>': order !== 0,
    '<': order < 0,
    '<=': order <= 0,
    '>': order > 0,
    '>=': order >= 0,
  };
  return results[operator];
}

function compareValues(
  a: Exclude<Value, null>,
  b: Exclude<Value, null>,
  type: Type,
  collation: ReturnType<typeof collationOf>,
  operator: Comparison,
): number {
  if (isString(type)) {
    const key = (text: Value): string =>
      operator === '=' || operator === '<>'
        ? equalityKey(text as string, collation)
        : orderKey(text as string, collation, isUnicode(type));
    return order(key(a), key(b));
  }
  if (type.name === 'decimal') return order(decimalDigits(a as string), decimalDigits(b as string));
  if (type.name === 'datetimeoffset') return order((a as bigint) / 4096n, (b as bigint) / 4096n);
  if (type.name === 'sql_variant') return order(variantKey(a as string), variantKey(b as string));
  if (isBinary(type)) return order(significantHex(a as Uint8Array), significantHex(b as Uint8Array));
  return order(a as string, b as string);
}

function order<T extends string | number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const significantHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').replace(/0+$/, '');

function decimalDigits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole === '' || whole === '-' ? `${whole}0` : whole}${fraction.padEnd(38, '0')}`);
}
