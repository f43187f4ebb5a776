/** Aggregates, over groups or as windows. */
import { SqlError, type SqlType } from '../tds/handler';
import { bindExpression } from './bind-expression';
import type { Binding } from './binding';
import { physicalType, settledType, type Bound } from './bound';
import { coerce, convert, equalityKeyOf, orderKeyOf } from './coerce';
import { argumentCount, notModelled, overflow } from './errors';
import type { Call } from './syntax';
import { bigint, float, int, isInteger, isNumber, isString, isUnicode, nvarchar, nvarcharMax, varchar, type Value } from './types';
import { sqlError } from '../tds/messages';

const names = new Set([
  'COUNT',
  'COUNT_BIG',
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'STRING_AGG',
  'STDEV',
  'STDEVP',
  'VAR',
  'VARP',
  'CHECKSUM_AGG',
  'APPROX_COUNT_DISTINCT',
]);

export const isAggregate = (call: Call): boolean => call.name.length === 1 && names.has((call.name[0] as string).toUpperCase());

/** The DuckDB text of an aggregate, with SQL Server's type; `over` is empty or ` OVER (...)`. */
interface Aggregate {
  readonly sql: (over: string) => string;
  readonly type: SqlType;
  readonly nullable: boolean;
}

export function bindAggregate(call: Call, binding: Binding): Bound {
  const { grouping } = binding;
  if (grouping === undefined) throw sqlError(147, [], call.line);
  const aggregate = makeAggregate(call, { ...grouping.inner, windows: false });
  const sql = aggregate.sql('');
  let known = grouping.aggregates.find((each) => each.sql === sql);
  if (known === undefined) {
    known = { sql, name: `a${grouping.aggregates.length + 1}` };
    grouping.aggregates.push(known);
  }
  return { sql: `${grouping.alias}.${known.name}`, type: aggregate.type, nullable: aggregate.nullable };
}

export function makeAggregate(call: Call, binding: Binding): Aggregate {
  const name = (call.name[0] as string).toUpperCase();
  const [argument] = call.args;
  if (name === 'COUNT' || name === 'COUNT_BIG') return makeCount(call, binding, name === 'COUNT' ? int : bigint);
  if (argument === undefined || call.star) throw argumentCount(name, '1', call.line);
  const bound = bindExpression(argument, binding);
  switch (name) {
    case 'SUM':
    case 'AVG':
      return makeSum(name, bound, call, binding);
    case 'MIN':
    case 'MAX':
      return makeExtreme(name, bound, call, binding);
    case 'STRING_AGG':
      return makeStringAggregate(bound, call, binding);
    default:
      throw notModelled(name, call.line);
  }
}

function makeCount(call: Call, binding: Binding, type: SqlType): Aggregate {
  const make = (argument: string): Aggregate => ({
    sql: (over) => `CAST(count(${argument})${over} AS ${physicalType(type)})`,
    type,
    nullable: false,
  });
  if (call.star) return make('*');
  if (call.args.length !== 1) throw argumentCount(call.name[0] as string, '1', call.line);
  const bound = bindExpression(call.args[0] as Call, binding);
  const counted = call.distinct ? `DISTINCT ${equalityKeyOf(binding.duck, bound)}` : bound.sql;
  return make(counted);
}

function numeric(name: string, bound: Bound, line: number): SqlType {
  const type = settledType(bound.type);
  if (!isNumber(type) || type.name === 'bit')
    throw new SqlError(8117, `Operand data type ${type.name} is invalid for ${name.toLowerCase()} operator.`, 16, 1, line);
  return type;
}

/** SUM(int) is an int and overflows as one; AVG(int) is an int, cut towards zero. */
function makeSum(name: string, bound: Bound, call: Call, binding: Binding): Aggregate {
  const type = numeric(name, bound, call.line);
  const distinct = call.distinct ? 'DISTINCT ' : '';
  const total = (over: string): string => `sum(${distinct}${bound.sql})${over}`;
  const count = (over: string): string => `count(${distinct}${bound.sql})${over}`;
  if (isInteger(type)) {
    const result = type.name === 'bigint' ? bigint : int;
    // The mean of integers is an integer quotient; avg of DuckDB is a double.
    const sql = name === 'SUM' ? total : (over: string) => `CAST(${total(over)} AS HUGEINT) // nullif(${count(over)}, 0)`;
    return { sql: (over) => `CAST(${sql(over)} AS ${physicalType(result)})`, type: result, nullable: true };
  }
  if (type.name === 'decimal') {
    const sum: SqlType = { ...type, precision: 38 };
    const checked = binding.duck.registerFunction(`sum limit ${sum.scale}`, [sum], sum, (value) => withinDigits(value ?? null), false);
    const sql = (over: string): string => `${checked}(CAST(${total(over)} AS ${physicalType(sum)}))`;
    return name === 'SUM' ? { sql, type: sum, nullable: true } : makeDecimalMean(sql, count, type.scale, binding);
  }
  const inner = convert(binding.duck, bound, float).sql;
  return { sql: (over) => `${name.toLowerCase()}(${distinct}${inner})${over}`, type: float, nullable: true };
}

/** A sum in DuckDB may have one digit more than decimal(38). @throws SqlError 8115. */
function withinDigits(value: Value): Value {
  if (value !== null && BigInt(String(value).replace(/[-.]/g, '')) >= 10n ** 38n) throw overflow('numeric');
  return value;
}

function makeDecimalMean(total: Aggregate['sql'], count: Aggregate['sql'], from: number, binding: Binding): Aggregate {
  const scale = Math.max(from, 6);
  const result: SqlType = { name: 'decimal', precision: 38, scale };
  const evaluate = (sum: Value = null, rows: Value = null): Value =>
    sum === null || rows === 0n ? null : meanOf(sum as string, rows as bigint, from, scale);
  const name = binding.duck.registerFunction(
    `mean:${from}:${scale}`,
    [{ name: 'decimal', precision: 38, scale: from }, bigint],
    result,
    evaluate as never,
    false,
  );
  return { sql: (over) => `${name}(${total(over)}, CAST(${count(over)} AS BIGINT))`, type: result, nullable: true };
}

function meanOf(total: string, count: bigint, from: number, to: number): string {
  const digits = (BigInt(total.replace('.', '')) * 10n ** BigInt(to - from)) / count;
  const text = (digits < 0n ? -digits : digits).toString().padStart(to + 1, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, text.length - to)}.${text.slice(text.length - to)}`;
}

function makeExtreme(name: string, bound: Bound, call: Call, binding: Binding): Aggregate {
  const type = settledType(bound.type);
  if (type.name === 'bit')
    throw new SqlError(8117, `Operand data type bit is invalid for ${name.toLowerCase()} operator.`, 16, 1, call.line);
  const key = orderKeyOf(binding.duck, bound);
  const lower = name.toLowerCase();
  const aggregate = key === bound.sql ? `${lower}(${bound.sql})` : `arg_${lower}(${bound.sql}, ${key})`;
  return { sql: (over) => aggregate + over, type, nullable: true };
}

function makeStringAggregate(bound: Bound, call: Call, binding: Binding): Aggregate {
  if (call.args.length !== 2) throw argumentCount('STRING_AGG', '2', call.line);
  const separator = bindExpression(call.args[1] as Call, binding);
  const text = isString(bound.type) ? bound : coerce(binding.duck, bound, nvarchar(4000), call.line);
  const long = 'length' in text.type && text.type.length === 'max';
  const type = long ? (text.type as SqlType) : isUnicode(text.type) ? nvarchar(4000) : varchar(8000);
  const order = call.withinGroup?.map((item) => {
    const key = orderKeyOf(binding.duck, bindExpression(item.expression, binding));
    return `${key} ${item.descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;
  });
  const limit = isUnicode(type) ? 4000 : 8000;
  const joined = `string_agg(${text.sql}, ${separator.sql}${order === undefined ? '' : ` ORDER BY ${order.join(', ')}`})`;
  return { sql: (over) => (long ? joined + over : `${limitFunction(binding, limit)}(${joined}${over})`), type, nullable: true };
}

function limitFunction(binding: Binding, limit: number): string {
  const evaluate = (text: unknown): string | null => {
    if (typeof text === 'string' && text.length > limit) throw sqlError(9829);
    return text as string | null;
  };
  return binding.duck.registerFunction(`string_agg limit ${limit}`, [nvarcharMax], nvarcharMax, evaluate, false);
}
