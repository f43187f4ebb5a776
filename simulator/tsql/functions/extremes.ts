/** GREATEST and LEAST, and the bit manipulation functions of SQL Server 2022 (Microsoft documentation, "Bit manipulation functions"). */
import { SqlError, type SqlType } from '../../tds/handler';
import { settledType, type Bound } from '../bound';
import { coerce } from '../coerce';
import { compare } from '../operators';
import { bigint, bit, isBinary, isInteger, unify, type Value } from '../types';
import { arg, asInt, rule, strict, type FunctionTable, type Invocation } from './rule';

/** Ignores NULLs; NULL if all are. The type is the one of highest precedence. */
function bindExtreme(invocation: Invocation): Bound {
  const { duck } = invocation.binding;
  const type = settledType(invocation.args.map((each) => each.type).reduce(unify));
  const operator = invocation.name === 'GREATEST' ? '>=' : '<=';
  const sides = invocation.args.map((each) => coerce(duck, each, type, invocation.line));
  return sides.reduce((best, next) => {
    const first = compare(duck, operator, best, next, invocation.line).sql;
    const sql = `(CASE WHEN ${next.sql} IS NULL OR ${first} THEN ${best.sql} ELSE ${next.sql} END)`;
    const collation = best.collation ?? next.collation;
    return { sql, type, nullable: best.nullable && next.nullable, ...(collation && { collation }) };
  });
}

const widths: Readonly<Record<string, number>> = { bit: 1, tinyint: 8, smallint: 16, int: 32, bigint: 64 };

function wholeNumber(invocation: Invocation): { readonly bound: Bound; readonly type: SqlType; readonly bits: number } {
  const bound = arg(invocation, 0);
  const type = settledType(bound.type);
  if (isBinary(type)) throw new SqlError(50000, `simulator: ${invocation.name} of binary is not modelled`, 16, 1, invocation.line);
  if (!isInteger(type))
    throw new SqlError(
      8116,
      `Argument data type ${type.name} is invalid for argument 1 of ${invocation.name.toLowerCase()} function.`,
      16,
      1,
      invocation.line,
    );
  return { bound, type, bits: widths[type.name] as number };
}

const back = (digits: bigint, type: SqlType, bits: number): Value => {
  const value = type.name === 'tinyint' || type.name === 'bit' ? BigInt.asUintN(bits, digits) : BigInt.asIntN(bits, digits);
  return type.name === 'bigint' ? value : Number(value);
};

function bindShift(invocation: Invocation): Bound {
  const { bound, type, bits } = wholeNumber(invocation);
  const left = invocation.name === 'LEFT_SHIFT';
  const evaluate = (value: number | bigint, by: number): Value => {
    const unsigned = BigInt.asUintN(bits, BigInt(value));
    const toLeft = left === by >= 0;
    const count = BigInt(Math.min(bits, Math.abs(by)));
    return back(toLeft ? unsigned << count : unsigned >> count, type, bits);
  };
  return strict(invocation, [bound, asInt(invocation, 1)], type, evaluate as never);
}

function checkOffset(invocation: Invocation, offset: number, bits: number): void {
  if (offset < 0 || offset >= bits)
    throw new SqlError(9838, `The value of the second argument of ${invocation.name} is out of range.`, 16, 1, invocation.line);
}

function bindGetBit(invocation: Invocation): Bound {
  const { bound, bits } = wholeNumber(invocation);
  const evaluate = (value: number | bigint, offset: number): Value => {
    checkOffset(invocation, offset, bits);
    return Number((BigInt.asUintN(bits, BigInt(value)) >> BigInt(offset)) & 1n);
  };
  return strict(invocation, [bound, asInt(invocation, 1)], bit, evaluate as never);
}

function bindSetBit(invocation: Invocation): Bound {
  const { bound, type, bits } = wholeNumber(invocation);
  const evaluate = (value: number | bigint, offset: number, to = 1): Value => {
    checkOffset(invocation, offset, bits);
    const mask = 1n << BigInt(offset);
    const unsigned = BigInt.asUintN(bits, BigInt(value));
    return back(to === 0 ? unsigned & ~mask : unsigned | mask, type, bits);
  };
  const rest = invocation.args.slice(1).map((_, index) => asInt(invocation, index + 1));
  return strict(invocation, [bound, ...rest], type, evaluate as never);
}

function bindBitCount(invocation: Invocation): Bound {
  const { bound, bits } = wholeNumber(invocation);
  const evaluate = (value: number | bigint): Value => BigInt.asUintN(bits, BigInt(value)).toString(2).replace(/0/g, '').length;
  return strict(invocation, [bound], bigint, ((value: number) => BigInt(evaluate(value) as number)) as never);
}

export const extremeFunctions: FunctionTable = {
  GREATEST: rule(1, 254, bindExtreme, 2022),
  LEAST: rule(1, 254, bindExtreme, 2022),
  LEFT_SHIFT: rule(2, 2, bindShift, 2022),
  RIGHT_SHIFT: rule(2, 2, bindShift, 2022),
  GET_BIT: rule(2, 2, bindGetBit, 2022),
  SET_BIT: rule(2, 3, bindSetBit, 2022),
  BIT_COUNT: rule(1, 1, bindBitCount, 2022),
};
