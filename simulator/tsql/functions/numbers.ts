/** Mathematical and logical functions, hashes and identifiers. */
import { createHash, randomUUID } from 'node:crypto';
import { SqlError, type SqlType } from '../../tds/handler';
import { bindBranches } from '../bind-expression';
import { nullLiteral, settledType, type Bound } from '../bound';
import { codePageBytes } from '../code-page';
import { callFunction, convert } from '../coerce';
import { scaledText, unscaled } from '../decimal';
import { overflow } from '../errors';
import { compare } from '../operators';
import { parseFloatText } from '../number-text';
import { float, int, isBinary, isInteger, isNumber, isString, isUnicode, type Value } from '../types';
import { arg, asInt, rule, strict, text, type FunctionTable, type Invocation } from './rule';

/** An integer narrower than int counts as int; characters count as float. */
function numberArgument(invocation: Invocation): Bound {
  const bound = arg(invocation, 0);
  const type = settledType(bound.type);
  if (isInteger(type) && type.name !== 'bigint') return convert(invocation.binding.duck, bound, int);
  if (isNumber(type) && type.name !== 'real') return convert(invocation.binding.duck, bound, type);
  if (isString(type) || type.name === 'real') return convert(invocation.binding.duck, bound, float);
  throw new SqlError(
    8116,
    `Argument data type ${type.name} is invalid for argument 1 of ${invocation.name.toLowerCase()} function.`,
    16,
    1,
    invocation.line,
  );
}

/** One function for floats, one for exact digits at a scale. */
function numeric(
  invocation: Invocation,
  ofFloat: (value: number) => number,
  ofDigits: (digits: bigint, unit: bigint) => bigint,
  scale?: number,
): Bound {
  const bound = numberArgument(invocation);
  const type = bound.type as SqlType;
  if (type.name === 'float') return strict(invocation, [bound], type, ofFloat as never);
  if (type.name === 'decimal') {
    const result: SqlType = { ...type, scale: scale ?? type.scale };
    const evaluate = (value: string): string =>
      scaledText(
        ofDigits(unscaled(value, type.scale), 10n ** BigInt(type.scale)) / (scale === 0 ? 10n ** BigInt(type.scale) : 1n),
        scale ?? type.scale,
      );
    return strict(invocation, [bound], result, evaluate as never);
  }
  return strict(invocation, [bound], type, ((value: number | bigint): Value => narrowed(ofDigits(BigInt(value), 1n), type)) as never);
}

function narrowed(result: bigint, type: SqlType): Value {
  if (type.name === 'bigint') {
    if (BigInt.asIntN(64, result) !== result) throw overflow('bigint');
    return result;
  }
  if (BigInt.asIntN(32, result) !== result) throw overflow('int');
  return Number(result);
}

const floorTo = (digits: bigint, unit: bigint): bigint =>
  digits % unit === 0n ? digits : digits < 0n ? (digits / unit - 1n) * unit : (digits / unit) * unit;
const absolute = (digits: bigint): bigint => (digits < 0n ? -digits : digits);

function bindRound(invocation: Invocation): Bound {
  const bound = numberArgument(invocation);
  const type = bound.type as SqlType;
  const scale = type.name === 'decimal' ? type.scale : 0;
  const rest = invocation.args.slice(1).map((_, index) => asInt(invocation, index + 1));
  const evaluate = (value: Exclude<Value, null>, places: number, mode = 0): Value => {
    if (type.name === 'float') return roundFloat(value as number, places, mode !== 0);
    const digits = type.name === 'decimal' ? unscaled(value as string, scale) : BigInt(value as number);
    const rounded = roundDigits(digits, scale - places, mode !== 0);
    if (type.name !== 'decimal') return narrowed(rounded, type);
    if (absolute(rounded) >= 10n ** BigInt(type.precision)) throw overflow('numeric');
    return scaledText(rounded, scale);
  };
  return strict(invocation, [bound, ...rest], type, evaluate as never);
}

function roundDigits(digits: bigint, drop: number, cut: boolean): bigint {
  if (drop <= 0) return digits;
  const unit = 10n ** BigInt(drop);
  const half = cut ? 0n : digits < 0n ? -unit / 2n : unit / 2n;
  return ((digits + half) / unit) * unit;
}

function roundFloat(value: number, places: number, cut: boolean): number {
  const shift = (number: number, by: number): number =>
    Number(`${number.toExponential().split('e')[0]}e${Number(number.toExponential().split('e')[1]) + by}`);
  const scaled = shift(value, places);
  return shift(cut ? Math.trunc(scaled) : Math.sign(scaled) * Math.round(Math.abs(scaled)), -places);
}

function bindPower(invocation: Invocation): Bound {
  const bound = numberArgument(invocation);
  const type = bound.type as SqlType;
  const power = strict(
    invocation,
    [convert(invocation.binding.duck, bound, float), convert(invocation.binding.duck, arg(invocation, 1), float)],
    float,
    ((a: number, b: number) => finite(a ** b)) as never,
  );
  return convert(invocation.binding.duck, power, type);
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new SqlError(3623, 'An invalid floating point operation occurred.');
  return value;
}

function ofFloat(evaluate: (value: number) => number): (invocation: Invocation) => Bound {
  return (invocation) =>
    strict(invocation, [convert(invocation.binding.duck, arg(invocation, 0), float)], float, ((value: number) =>
      finite(evaluate(value))) as never);
}

/** The natural logarithm, or to a base. */
function bindLogarithm(invocation: Invocation): Bound {
  const evaluate = (value: number, base?: number): Value => finite(base === undefined ? Math.log(value) : baseLogarithm(value, base));
  return strict(invocation, floats(invocation), float, evaluate as never);
}

/** Exact for the two bases that have a function of their own. */
const baseLogarithm = (value: number, base: number): number =>
  base === 2 ? Math.log2(value) : base === 10 ? Math.log10(value) : Math.log(value) / Math.log(base);

const floats = (invocation: Invocation): readonly Bound[] => invocation.args.map((each) => convert(invocation.binding.duck, each, float));

function bindNullIf(invocation: Invocation): Bound {
  const [first, second] = [arg(invocation, 0), arg(invocation, 1)];
  if (first.type.name === 'null')
    throw new SqlError(
      4151,
      'The type of the first argument to NULLIF cannot be the NULL constant because the type of the first argument has to be known.',
      16,
      1,
      invocation.line,
    );
  const same = compare(invocation.binding.duck, '=', first, second, invocation.line);
  return { ...bindBranches(invocation.binding, [{ when: same, then: nullLiteral }], first, invocation.line), nullable: true };
}

function bindChoose(invocation: Invocation): Bound {
  const index = asInt(invocation, 0);
  const whens = invocation.args.slice(1).map((then, at) => ({
    when: compare(
      invocation.binding.duck,
      '=',
      index,
      convert(invocation.binding.duck, { sql: String(at + 1), type: int, nullable: false, constant: { value: at + 1 } }, int),
      invocation.line,
    ),
    then,
  }));
  return { ...bindBranches(invocation.binding, whens, nullLiteral, invocation.line), nullable: true };
}

function bindIsNumeric(invocation: Invocation): Bound {
  const bound = arg(invocation, 0);
  const evaluate = (value: Value = null): Value => {
    if (value === null) return 0;
    if (!isString(bound.type)) return isNumber(bound.type) ? 1 : 0;
    const trimmed = String(value)
      .trim()
      .replace(/,/g, '')
      .replace(/^([+-]?)\$/, '$1');
    // A sign, a point, a comma or a currency sign alone is valid money.
    if (trimmed === '') return /[$,]/.test(String(value)) ? 1 : 0;
    if (/^[+-]?[.]?$/.test(trimmed)) return 1;
    return parseFloatText(trimmed) !== undefined ? 1 : 0;
  };
  return { ...callFunction(invocation.binding.duck, 'ISNUMERIC', [bound], int, evaluate), nullable: false };
}

const algorithms: Readonly<Record<string, string>> = { MD5: 'md5', SHA: 'sha1', SHA1: 'sha1', SHA2_256: 'sha256', SHA2_512: 'sha512' };

function bindHash(invocation: Invocation): Bound {
  const input = arg(invocation, 1);
  if (!isString(input.type) && !isBinary(input.type))
    throw new SqlError(
      8116,
      `Argument data type ${input.type.name} is invalid for argument 2 of hashbytes function.`,
      16,
      1,
      invocation.line,
    );
  const evaluate = (name: string, value: string | Uint8Array): Value => {
    const algorithm = algorithms[name.toUpperCase()];
    if (algorithm === undefined) return null;
    const bytes = typeof value === 'string' ? (isUnicode(input.type) ? Buffer.from(value, 'utf16le') : codePageBytes(value)) : value;
    return new Uint8Array(createHash(algorithm).update(bytes).digest());
  };
  return strict(invocation, [text(invocation, 0), input], { name: 'varbinary', length: 8000 }, evaluate as never);
}

export const numberFunctions: FunctionTable = {
  ABS: rule(1, 1, (invocation) => numeric(invocation, Math.abs, absolute)),
  SIGN: rule(1, 1, (invocation) => numeric(invocation, Math.sign, (digits, unit) => (digits > 0n ? unit : digits < 0n ? -unit : 0n))),
  FLOOR: rule(1, 1, (invocation) => numeric(invocation, Math.floor, floorTo, 0)),
  CEILING: rule(1, 1, (invocation) => numeric(invocation, Math.ceil, (digits, unit) => -floorTo(-digits, unit), 0)),
  ROUND: rule(2, 3, bindRound),
  POWER: rule(2, 2, bindPower),
  SQRT: rule(1, 1, ofFloat(Math.sqrt)),
  SQUARE: rule(
    1,
    1,
    ofFloat((value) => value * value),
  ),
  EXP: rule(1, 1, ofFloat(Math.exp)),
  LOG10: rule(1, 1, ofFloat(Math.log10)),
  LOG: rule(1, 2, bindLogarithm),
  PI: rule(0, 0, () => ({ sql: String(Math.PI), type: float, nullable: false, constant: { value: Math.PI } })),
  NULLIF: rule(2, 2, bindNullIf),
  CHOOSE: rule(2, 254, bindChoose),
  ISNUMERIC: rule(1, 1, bindIsNumeric),
  NEWID: rule(0, 0, (invocation) => ({
    ...callFunction(invocation.binding.duck, 'NEWID', [], { name: 'uniqueidentifier' }, () => randomUUID().toUpperCase(), true),
    nullable: false,
  })),
  HASHBYTES: rule(2, 2, bindHash),
};
