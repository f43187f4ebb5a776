/** Aggregates, over groups or as windows. */
import { SqlError, type SqlType } from '../tds/handler';
import { bindExpression } from './bind-expression';
import type { Binding } from './binding';
import { settledType, type Bound } from './bound';
import { coerce, convert, equalityKeyOf, orderKeyOf } from './coerce';
import { argumentCount, notModelled } from './errors';
import type { Call } from './syntax';
import { bigint, float, int, isInteger, isNumber, isString, isUnicode, nvarchar, nvarcharMax, varchar } from './types';

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
  'GROUPING',
]);

export const isAggregate = (call: Call): boolean => call.name.length === 1 && names.has((call.name[0] as string).toUpperCase());

/** An aggregate's call as DuckDB takes it, to be followed by OVER or not, and its result cast to what SQL Server gives. */
export interface Aggregate {
  readonly call: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** Turns the bare call's result into the declared type. */
  readonly finish: (sql: string) => string;
}

export function bindAggregate(call: Call, binding: Binding): Bound {
  const { grouping } = binding;
  if (grouping === undefined)
    throw new SqlError(
      147,
      'An aggregate may not appear in the WHERE clause unless it is in a subquery contained in a HAVING clause or a select list, and the column being aggregated is an outer reference.',
      15,
      1,
      call.line,
    );
  const aggregate = makeAggregate(call, { ...grouping.inner, windows: false });
  const sql = aggregate.finish(aggregate.call);
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
    case 'STDEV':
    case 'STDEVP':
    case 'VAR':
    case 'VARP':
      return makeSpread(name, bound, call, binding);
    default:
      throw notModelled(name, call.line);
  }
}

const plain = (sql: string): string => sql;
const castTo =
  (physical: string) =>
  (sql: string): string =>
    `CAST(${sql} AS ${physical})`;

function makeCount(call: Call, binding: Binding, type: SqlType): Aggregate {
  const finish = castTo(type.name === 'int' ? 'INTEGER' : 'BIGINT');
  if (call.star) return { call: 'count(*)', type, nullable: false, finish };
  if (call.args.length !== 1) throw argumentCount(call.name[0] as string, '1', call.line);
  const bound = bindExpression(call.args[0] as Call, binding);
  const counted = call.distinct ? `DISTINCT ${equalityKeyOf(binding.duck, bound)}` : bound.sql;
  return { call: `count(${counted})`, type, nullable: false, finish };
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
  const argument = `sum(${distinct}${bound.sql})`;
  if (isInteger(type)) {
    const result = type.name === 'bigint' ? bigint : int;
    const physical = result.name === 'int' ? 'INTEGER' : 'BIGINT';
    if (name === 'SUM') return { call: argument, type: result, nullable: true, finish: castTo(physical) };
    // The mean of integers through an exact list: DuckDB's own avg is a double.
    return {
      call: `list(${distinct}${bound.sql})`,
      type: result,
      nullable: true,
      finish: (sql) =>
        `CAST(list_sum(list_transform(${sql}, lambda e: CAST(e AS HUGEINT))) // nullif(list_count(${sql}), 0) AS ${physical})`,
    };
  }
  if (type.name === 'decimal') {
    if (name === 'SUM')
      return { call: argument, type: { ...type, precision: 38 }, nullable: true, finish: castTo(`DECIMAL(38,${type.scale})`) };
    return makeDecimalMean(bound, distinct, type, binding);
  }
  const inner = convert(binding.duck, bound, float).sql;
  return { call: `${name.toLowerCase()}(${distinct}${inner})`, type: float, nullable: true, finish: plain };
}

function makeDecimalMean(bound: Bound, distinct: string, type: Extract<SqlType, { name: 'decimal' }>, binding: Binding): Aggregate {
  const scale = Math.max(type.scale, 6);
  const result: SqlType = { name: 'decimal', precision: 38, scale };
  const sum: SqlType = { name: 'decimal', precision: 38, scale: type.scale };
  const name = binding.duck.registerFunction(
    `mean:${type.scale}:${scale}`,
    [sum, bigint],
    result,
    (total = null, count = null) => (total === null || count === 0n ? null : meanOf(total as string, count as bigint, type.scale, scale)),
    false,
  );
  return {
    call: `list(${distinct}${bound.sql})`,
    type: result,
    nullable: true,
    finish: (sql) => `${name}(CAST(list_sum(${sql}) AS DECIMAL(38,${type.scale})), CAST(list_count(${sql}) AS BIGINT))`,
  };
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
  return { call: key === bound.sql ? `${lower}(${bound.sql})` : `arg_${lower}(${bound.sql}, ${key})`, type, nullable: true, finish: plain };
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
  const check = (sql: string): string => (long ? sql : `${limitFunction(binding, limit)}(${sql})`);
  return {
    call: `string_agg(${text.sql}, ${separator.sql}${order === undefined ? '' : ` ORDER BY ${order.join(', ')}`})`,
    type,
    nullable: true,
    finish: check,
  };
}

function limitFunction(binding: Binding, limit: number): string {
  const evaluate = (text: unknown): string | null => {
    if (typeof text === 'string' && text.length > limit)
      throw new SqlError(9829, 'STRING_AGG aggregation result exceeded the limit of 8000 bytes. Use LOB types to avoid result truncation.');
    return text as string | null;
  };
  return binding.duck.registerFunction(`string_agg limit ${limit}`, [nvarcharMax], nvarcharMax, evaluate, false);
}

const spreads: Readonly<Record<string, string>> = { STDEV: 'stddev_samp', STDEVP: 'stddev_pop', VAR: 'var_samp', VARP: 'var_pop' };

function makeSpread(name: string, bound: Bound, call: Call, binding: Binding): Aggregate {
  numeric(name, bound, call.line);
  const inner = convert(binding.duck, bound, float).sql;
  return { call: `${spreads[name] as string}(${call.distinct ? 'DISTINCT ' : ''}${inner})`, type: float, nullable: true, finish: plain };
}
