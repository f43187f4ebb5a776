/** Aggregates, over groups or as windows. */
import type { SqlType } from '../tds/handler';
import { bindExpression } from './bind-expression';
import type { Binding } from './binding';
import { physicalType, settledType, type Bound } from './bound';
import { convert, equalityKeyOf, orderKeyOf } from './coerce';
import { argumentCount, notModelled, overflow } from './errors';
import type { Call } from './syntax';
import { bigint, float, int, isInteger, isNumber, type Value } from './types';
import { sqlError } from '../tds/messages';
import { wordSet } from './word-set';

const names = wordSet(`COUNT COUNT_BIG SUM AVG MIN MAX STRING_AGG STDEV STDEVP VAR VARP CHECKSUM_AGG
  APPROX_COUNT_DISTINCT`);

export const isAggregate = (call: Call): boolean =>
  call.name.length === 1 && names.has((call.name[0] as string).toUpperCase());

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
  if (name === 'COUNT' || name === 'COUNT_BIG')
    return makeCount(call, binding, name === 'COUNT' ? int : bigint);
  if (argument === undefined || call.star) throw argumentCount(name, '1', call.line);
  const bound = bindExpression(argument, binding);
  switch (name) {
    case 'SUM':
      return makeSum(name, bound, call, binding);
    case 'MIN':
    case 'MAX':
      return makeExtreme(name, bound, call, binding);
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
  if (!isNumber(type) || type.name === 'bit') throw sqlError(8117, [type.name, name.toLowerCase()], line);
  return type;
}

/** SUM(int) is an int and overflows as one. */
function makeSum(name: string, bound: Bound, call: Call, binding: Binding): Aggregate {
  const type = numeric(name, bound, call.line);
  const distinct = call.distinct ? 'DISTINCT ' : '';
  const total = (over: string): string => `sum(${distinct}${bound.sql})${over}`;
  if (isInteger(type)) {
    const result = type.name === 'bigint' ? bigint : int;
    return { sql: (over) => `CAST(${total(over)} AS ${physicalType(result)})`, type: result, nullable: true };
  }
  if (type.name === 'decimal') {
    const sum: SqlType = { ...type, precision: 38 };
    const checked = binding.duck.registerFunction(
      `sum limit ${sum.scale}`,
      [sum],
      sum,
      (value) => withinDigits(value ?? null),
      false,
    );
    return {
      sql: (over) => `${checked}(CAST(${total(over)} AS ${physicalType(sum)}))`,
      type: sum,
      nullable: true,
    };
  }
  const inner = convert(binding.duck, bound, float).sql;
  return { sql: (over) => `sum(${distinct}${inner})${over}`, type: float, nullable: true };
}

/** A sum in DuckDB may have one digit more than decimal(38). @throws SqlError 8115. */
function withinDigits(value: Value): Value {
  if (value !== null && BigInt(String(value).replace(/[-.]/g, '')) >= 10n ** 38n) throw overflow('numeric');
  return value;
}

function makeExtreme(name: string, bound: Bound, call: Call, binding: Binding): Aggregate {
  const type = settledType(bound.type);
  if (type.name === 'bit') throw sqlError(8117, ['bit', name.toLowerCase()], call.line);
  const key = orderKeyOf(binding.duck, bound);
  const lower = name.toLowerCase();
  const aggregate = key === bound.sql ? `${lower}(${bound.sql})` : `arg_${lower}(${bound.sql}, ${key})`;
  return { sql: (over) => aggregate + over, type, nullable: true };
}
