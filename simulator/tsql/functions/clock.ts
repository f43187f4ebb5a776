/** The clock, and dates made from parts. */
import { type SqlType } from '../../tds/handler';
import { literal, type Bound } from '../bound';
import { convert } from '../coerce';
import { roundTo } from '../convert';
import { packOffset, ticksOfUtcMs } from '../datetime';
import { int } from '../types';
import { arg, rule, type FunctionTable, type Invocation } from './rule';

const isZoned = (type: SqlType): boolean => type.name === 'datetimeoffset';

/** All clock functions of one statement return the same moment. */
function now(local: boolean, type: SqlType): (invocation: Invocation) => Bound {
  return ({ binding }) => {
    const utc = ticksOfUtcMs(binding.clock.utcMs);
    const { offsetMinutes } = binding.clock;
    if (isZoned(type)) return { ...literal(packOffset(utc, offsetMinutes), type), nullable: false };
    return {
      ...literal(roundTo(local ? utc + BigInt(offsetMinutes) * 600_000_000n : utc, type, type), type),
      nullable: false,
    };
  };
}

function bindIsDate(invocation: Invocation): Bound {
  const tried = convert(invocation.binding.duck, arg(invocation, 0), { name: 'datetime' }, undefined, true);
  if (tried.constant !== undefined) return literal(tried.constant.value === null ? 0 : 1, int);
  return { sql: `CAST(${tried.sql} IS NOT NULL AS INTEGER)`, type: int, nullable: false };
}

const datetime2: SqlType = { name: 'datetime2', scale: 7 };

export const clockFunctions: FunctionTable = {
  ISDATE: rule(1, 1, bindIsDate),
  GETDATE: rule(0, 0, now(true, { name: 'datetime' })),
  CURRENT_TIMESTAMP: rule(0, 0, now(true, { name: 'datetime' })),
  GETUTCDATE: rule(0, 0, now(false, { name: 'datetime' })),
  SYSDATETIME: rule(0, 0, now(true, datetime2)),
  SYSUTCDATETIME: rule(0, 0, now(false, datetime2)),
  SYSDATETIMEOFFSET: rule(0, 0, now(true, { name: 'datetimeoffset', scale: 7 })),
};
