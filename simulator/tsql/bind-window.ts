/** Functions with OVER. */
import type { SqlType } from '../tds/handler';
import { isAggregate, makeAggregate } from './bind-aggregate';
import { bindExpression } from './bind-expression';
import type { Binding } from './binding';
import { settledType, type Bound } from './bound';
import { coerce, convert, equalityKeyOf, orderKeyOf } from './coerce';
import { notModelled } from './errors';
import type { Call, OrderItem } from './syntax';
import { bigint, int } from './types';
import { sqlError } from '../tds/messages';

const shifts: Readonly<Record<string, string>> = { LAG: 'lag', LEAD: 'lead' };

export function bindWindow(call: Call, binding: Binding): Bound {
  if (!binding.windows) throw sqlError(4108, [], call.line);
  const name = call.name.length === 1 ? (call.name[0] as string).toUpperCase() : '';
  const inner: Binding = { ...binding, windows: false };
  const over = bindOver(call, inner);
  if (name === 'ROW_NUMBER') return bindRowNumber(call, over);
  if (shifts[name] !== undefined) return bindShift(name, call, inner, over);
  if (!isAggregate(call)) throw notModelled(name, call.line);
  if (call.distinct) throw sqlError(10759, [], call.line);
  // Over grouped rows the arguments are the groups' columns.
  const aggregate = makeAggregate(call, inner);
  return { sql: aggregate.sql(` OVER (${over})`), type: aggregate.type, nullable: aggregate.nullable };
}

function bindOver(call: Call, binding: Binding): string {
  const { partitionBy = [], orderBy = [], frame } = call.over ?? {};
  const partition = partitionBy.map((item) => equalityKeyOf(binding.duck, bindExpression(item, binding)));
  const order = orderBy.map((item) => orderText(item, binding));
  if (frame !== undefined && order.length === 0) throw sqlError(10756, [], call.line);
  if (frame !== undefined && /^\s*RANGE\b.*\d/i.test(frame)) throw sqlError(4194, [], call.line);
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
  if (expression.kind === 'literal') throw sqlError(5308, [], expression.line);
  return `${orderKeyOf(binding.duck, bindExpression(expression, binding))} ${item.descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;
}

/** @throws SqlError 4112. */
function requireOrder(name: string, call: Call): void {
  if ((call.over?.orderBy.length ?? 0) === 0) throw sqlError(4112, [name], call.line);
}

function bindRowNumber(call: Call, over: string): Bound {
  requireOrder('ROW_NUMBER', call);
  return { sql: `CAST(row_number() OVER (${over}) AS BIGINT)`, type: bigint, nullable: false };
}

function bindShift(name: string, call: Call, binding: Binding, over: string): Bound {
  requireOrder(name, call);
  const [value, offset, fallback] = call.args.map((arg) => bindExpression(arg, binding));
  if (value === undefined) throw notModelled(name, call.line);
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
