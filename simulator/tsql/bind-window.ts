/** Functions with OVER. */
import { SqlError, type SqlType } from '../tds/handler';
import { isAggregate, makeAggregate } from './bind-aggregate';
import { bindExpression } from './bind-expression';
import type { Binding } from './binding';
import { settledType, type Bound } from './bound';
import { coerce, convert, equalityKeyOf, orderKeyOf } from './coerce';
import { notModelled, unknownFunction } from './errors';
import type { Call, OrderItem } from './syntax';
import { bigint, int } from './types';

/** Functions that SQL Server has and this file does not. */
const known = new Set('RANK DENSE_RANK NTILE PERCENT_RANK CUME_DIST FIRST_VALUE LAST_VALUE PERCENTILE_DISC PERCENTILE_CONT'.split(' '));
const shifts: Readonly<Record<string, string>> = { LAG: 'lag', LEAD: 'lead' };

export function bindWindow(call: Call, binding: Binding): Bound {
  if (!binding.windows) throw new SqlError(4108, 'Windowed functions can only appear in the SELECT or ORDER BY clauses.', 15, 1, call.line);
  const name = call.name.length === 1 ? (call.name[0] as string).toUpperCase() : '';
  const inner: Binding = { ...binding, windows: false };
  if (known.has(name)) throw notModelled(name, call.line);
  const over = bindOver(call, inner);
  if (name === 'ROW_NUMBER') return bindRowNumber(call, over);
  if (shifts[name] !== undefined) return bindShift(name, call, inner, over);
  if (!isAggregate(call)) throw unknownFunction(call.name.join('.'), call.line);
  if (call.distinct) throw new SqlError(10759, 'Use of DISTINCT is not allowed with the OVER clause.', 15, 1, call.line);
  // Over grouped rows the arguments are the groups' columns.
  const aggregate = makeAggregate(call, inner);
  return { sql: aggregate.sql(` OVER (${over})`), type: aggregate.type, nullable: aggregate.nullable };
}

function bindOver(call: Call, binding: Binding): string {
  const { partitionBy = [], orderBy = [], frame } = call.over ?? {};
  const partition = partitionBy.map((item) => equalityKeyOf(binding.duck, bindExpression(item, binding)));
  const order = orderBy.map((item) => orderText(item, binding));
  if (frame !== undefined && order.length === 0)
    throw new SqlError(10756, 'Window frame with ROWS or RANGE must have an ORDER BY clause.', 15, 1, call.line);
  if (frame !== undefined && /^\s*RANGE\b.*\d/i.test(frame))
    throw new SqlError(4194, 'RANGE is only supported with UNBOUNDED and CURRENT ROW window frame delimiters.', 16, 1, call.line);
  return [
    partition.length > 0 ? `PARTITION BY ${partition.join(', ')}` : '',
    order.length > 0 ? `ORDER BY ${order.join(', ')}` : '',
    frame ?? '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function orderText(item: OrderItem, binding: Binding): string {
  const { expression } = item;
  // (SELECT NULL) and (SELECT 1) mean any order.
  if (expression.kind === 'subquery') return 'NULL';
  if (expression.kind === 'literal')
    throw new SqlError(
      5308,
      'Windowed functions, aggregates and NEXT VALUE FOR functions do not support integer indices as ORDER BY clause expressions.',
      16,
      1,
      expression.line,
    );
  return `${orderKeyOf(binding.duck, bindExpression(expression, binding))} ${item.descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;
}

/** @throws SqlError 4112. */
function requireOrder(name: string, call: Call): void {
  if ((call.over?.orderBy.length ?? 0) === 0)
    throw new SqlError(4112, `The function '${name}' must have an OVER clause with ORDER BY.`, 15, 1, call.line);
}

function bindRowNumber(call: Call, over: string): Bound {
  requireOrder('ROW_NUMBER', call);
  return { sql: `CAST(row_number() OVER (${over}) AS BIGINT)`, type: bigint, nullable: false };
}

function bindShift(name: string, call: Call, binding: Binding, over: string): Bound {
  requireOrder(name, call);
  const [value, offset, fallback] = call.args.map((arg) => bindExpression(arg, binding));
  if (value === undefined) throw unknownFunction(name, call.line);
  const type: SqlType = settledType(value.type);
  const args = [value.sql];
  if (offset !== undefined) args.push(convert(binding.duck, offset, int).sql);
  if (fallback !== undefined) args.push(coerce(binding.duck, fallback, type, call.line).sql);
  return {
    sql: `${shifts[name] as string}(${args.join(', ')}) OVER (${over})`,
    type,
    nullable: true,
    ...(value.collation && { collation: value.collation }),
  };
}
