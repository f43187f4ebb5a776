/** The clock, offsets, and dates made from parts. */
import { SqlError, type SqlType } from '../../tds/handler';
import { literal, type Bound } from '../bound';
import { convert } from '../coerce';
import { roundTo } from '../convert';
import { packOffset, ticksOfDate, ticksOfUtcMs, unpackOffset } from '../datetime';
import { int, isDate, isString, type Value } from '../types';
import { arg, asInt, rule, strict, type FunctionTable, type Invocation } from './rule';

const isZoned = (type: SqlType): boolean => type.name === 'datetimeoffset';

/** All clock functions of one statement return the same moment. */
function now(local: boolean, type: SqlType): (invocation: Invocation) => Bound {
  return ({ binding }) => {
    const utc = ticksOfUtcMs(binding.clock.utcMs);
    const { offsetMinutes } = binding.clock;
    if (isZoned(type)) return { ...literal(packOffset(utc, offsetMinutes), type), nullable: false };
    return { ...literal(roundTo(local ? utc + BigInt(offsetMinutes) * 600_000_000n : utc, type, type), type), nullable: false };
  };
}

function bindSwitchOffset(invocation: Invocation, keepLocal: boolean): Bound {
  const bound = arg(invocation, 0);
  const source: SqlType = keepLocal ? { name: 'datetime2', scale: 7 } : { name: 'datetimeoffset', scale: 7 };
  const input = convert(
    invocation.binding.duck,
    bound,
    isDate(bound.type) && 'scale' in bound.type ? ({ ...source, scale: bound.type.scale } as SqlType) : source,
  );
  const zone = arg(invocation, 1);
  const evaluate = (value: bigint, offset: string | number): Value => {
    const minutes = typeof offset === 'number' ? offset : parseOffset(offset);
    if (minutes === undefined || Math.abs(minutes) > 840)
      throw new SqlError(9812, 'The timezone provided to builtin function is invalid.', 16, 0);
    return packOffset(keepLocal ? value - BigInt(minutes) * 600_000_000n : unpackOffset(value).utcTicks, minutes);
  };
  return strict(
    invocation,
    [input, isString(zone.type) ? zone : asInt(invocation, 1)],
    { name: 'datetimeoffset', scale: 'scale' in input.type ? input.type.scale : 7 },
    evaluate as never,
  );
}

function parseOffset(textual: string): number | undefined {
  const found = /^\s*([+-])(\d{2}):(\d{2})\s*$/.exec(textual);
  if (found === null) return undefined;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3]));
}

function bindFromParts(invocation: Invocation): Bound {
  const args = invocation.args.map((_, index) => asInt(invocation, index));
  return strict(invocation, args, { name: 'date' }, ((year: number, month: number, day: number) => {
    const ticks = ticksOfDate(year, month, day);
    if (ticks === undefined)
      throw new SqlError(289, 'Cannot construct data type date, some of the arguments have values which are not valid.');
    return ticks;
  }) as never);
}

function bindIsDate(invocation: Invocation): Bound {
  const tried = convert(invocation.binding.duck, arg(invocation, 0), { name: 'datetime' }, undefined, true);
  if (tried.constant !== undefined) return literal(tried.constant.value === null ? 0 : 1, int);
  return { sql: `CAST(${tried.sql} IS NOT NULL AS INTEGER)`, type: int, nullable: false };
}

const datetime2: SqlType = { name: 'datetime2', scale: 7 };

export const clockFunctions: FunctionTable = {
  DATEFROMPARTS: rule(3, 3, bindFromParts),
  ISDATE: rule(1, 1, bindIsDate),
  GETDATE: rule(0, 0, now(true, { name: 'datetime' })),
  CURRENT_TIMESTAMP: rule(0, 0, now(true, { name: 'datetime' })),
  GETUTCDATE: rule(0, 0, now(false, { name: 'datetime' })),
  SYSDATETIME: rule(0, 0, now(true, datetime2)),
  SYSUTCDATETIME: rule(0, 0, now(false, datetime2)),
  SYSDATETIMEOFFSET: rule(0, 0, now(true, { name: 'datetimeoffset', scale: 7 })),
  SWITCHOFFSET: rule(2, 2, (invocation) => bindSwitchOffset(invocation, false)),
  TODATETIMEOFFSET: rule(2, 2, (invocation) => bindSwitchOffset(invocation, true)),
};
