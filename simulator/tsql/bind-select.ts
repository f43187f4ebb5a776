/** One SELECT. */
import { isAggregate } from './bind-aggregate';
import { bindCondition } from './bind-condition';
import { bindExpression } from './bind-expression';
import {
  columnAt,
  orderColumn,
  orderTerm,
  outputIndex,
  pagingText,
  type BoundColumn,
  type BoundQuery,
  type Paging,
} from './bind-query';
import { bindSources } from './bind-source';
import { nextAlias, withScope, type Binding, type Grouping } from './binding';
import { type Bound } from './bound';
import { coerce, equalityKeyOf, orderKeyOf } from './coerce';
import { multiPart, notModelled } from './errors';
import { Scope } from './scope';
import type { Expression, OrderItem, Select, SelectItem } from './syntax';
import { sqlError } from '../tds/messages';

interface Item {
  readonly name: string;
  readonly bound: Bound;
}

export function bindSelect(
  select: Select,
  orderBy: readonly OrderItem[],
  paging: Paging,
  binding: Binding,
): BoundQuery {
  const scope = new Scope(binding.scope);
  const from = bindSources(select.from, scope, binding);
  const rows = withScope(binding, scope);
  const where = select.where === undefined ? '' : ` WHERE ${bindCondition(select.where, rows).sql}`;
  const source = `${from === '' ? '' : ` FROM ${from}`}${where}`;
  const grouping = isGrouped(select, orderBy) ? makeGrouping(select, rows) : undefined;
  const values: Binding =
    grouping === undefined
      ? { ...rows, windows: true }
      : { ...rows, windows: true, grouping, scope: groupedScope(scope, grouping) };
  const items = select.items.flatMap((item) => bindItem(item, scope, values));
  const having =
    select.having === undefined
      ? ''
      : ` WHERE ${bindCondition(select.having, { ...values, windows: false, clause: 'HAVING' }).sql}`;
  const columns = items.map(({ name, bound }): BoundColumn => ({
    name,
    type: bound.type,
    nullable: bound.nullable,
    ...(bound.collation && { collation: bound.collation }),
  }));
  const order = orderBy.map((item) =>
    bindOrder(item, items, columns, { ...values, clause: 'ORDER BY' }, select),
  );
  const input = grouping === undefined ? source : `${groupedSource(grouping, source)}${having}`;
  return { sql: assemble(select, items, order, input, paging, binding), columns };
}

function bindItem(item: SelectItem, scope: Scope, binding: Binding): readonly Item[] {
  if (item.kind === 'assign') throw sqlError(141, [], item.line);
  if (item.kind === 'expression') {
    const bound = bindExpression(item.expression, binding);
    return [{ name: item.alias ?? nameOf(item.expression), bound }];
  }
  const columns = scope.star(item.qualifier);
  if (columns === undefined) {
    if (item.qualifier === undefined) throw sqlError(263, [], item.line);
    throw multiPart(`${item.qualifier.join('.')}.*`, item.line);
  }
  if (binding.grouping !== undefined) throw notModelled('* in a grouped query', item.line);
  return columns.map((column) => {
    column.use?.();
    return { name: column.name, bound: column.bound };
  });
}

/** A column keeps its name; anything computed has none. */
function nameOf(expression: Expression): string {
  return expression.kind === 'column' ? (expression.parts[expression.parts.length - 1] as string) : '';
}

interface Order {
  readonly key: string;
  /** The output column it equals, if it is one. */
  readonly column: number | undefined;
  readonly descending: boolean;
}

function bindOrder(
  item: OrderItem,
  items: readonly Item[],
  columns: readonly BoundColumn[],
  binding: Binding,
  select: Select,
): Order {
  const named = outputIndex(item.expression, columns);
  const bound = named === undefined ? bindExpression(item.expression, binding) : (items[named] as Item).bound;
  const same = named ?? items.findIndex((each) => each.bound.sql === bound.sql);
  const column = same < 0 ? undefined : same;
  if (select.distinct && column === undefined) throw sqlError(145, [], item.expression.line);
  return { key: orderKeyOf(binding.duck, bound), column, descending: item.descending };
}

function assemble(
  select: Select,
  items: readonly Item[],
  order: readonly Order[],
  input: string,
  paging: Paging,
  binding: Binding,
): string {
  const list = items.map(({ bound }, index) => `${bound.sql} AS c${index + 1}`).join(', ');
  const { top } = select;
  const wanted = (keys: readonly Order[]): string =>
    paging.keys === true ? keys.map(({ key }, index) => `, ${key} AS ${orderColumn(index)}`).join('') : '';
  const limited: Paging = top === undefined ? paging : { limit: topCount(top.count, binding) };
  if (!select.distinct)
    return `SELECT ${list}${wanted(order)}${input}${orderText(order)}${pagingText(limited)}`;
  const keys = items.map(({ bound }) => equalityKeyOf(binding.duck, bound)).join(', ');
  const base = `SELECT DISTINCT ON (${keys}) ${list}${input}`;
  const outer = order.map((each) => ({
    ...each,
    key: orderKeyOf(
      binding.duck,
      columnAt({ ...(items[each.column as number] as Item).bound, name: '' }, 'd', each.column as number),
    ),
  }));
  const columns = items.map((_, index) => `d.c${index + 1} AS c${index + 1}`).join(', ');
  return `SELECT ${columns}${wanted(outer)} FROM (${base}) AS d${orderText(outer)}${pagingText(limited)}`;
}

const orderText = (order: readonly Order[]): string =>
  order.length === 0
    ? ''
    : ` ORDER BY ${order.map(({ key, descending }) => orderTerm(key, descending)).join(', ')}`;

/** @throws SqlError 1060 for a negative count or none. */
function topCount(count: Expression, binding: Binding): string {
  const { line } = count;
  const bound = coerce(binding.duck, bindExpression(count, binding), { name: 'bigint' }, line);
  const value = bound.constant?.value;
  if (value === undefined) throw notModelled('a row count that is not constant', line);
  if (value === null || (value as bigint) < 0n) throw sqlError(1060, [], line);
  return String(value);
}

function isGrouped(select: Select, orderBy: readonly OrderItem[]): boolean {
  if (select.groupBy.length > 0 || select.having !== undefined) return true;
  return [
    ...select.items.map((item) => (item.kind === 'expression' ? item.expression : undefined)),
    ...orderBy.map((item) => item.expression),
  ].some((each) => each !== undefined && holdsAggregate(each));
}

/** Whether it has an aggregate of this query, not of a subquery and not with OVER. */
function holdsAggregate(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(holdsAggregate);
  if (typeof node !== 'object' || node === null) return false;
  const { kind, over } = node as { kind?: string; over?: unknown };
  if (kind === 'subquery' || kind === 'exists' || (node as { body?: unknown }).body !== undefined)
    return false;
  if (kind === 'call' && over === undefined && isAggregate(node as never)) return true;
  return Object.values(node).some(holdsAggregate);
}

function makeGrouping(select: Select, rows: Binding): Grouping {
  const alias = nextAlias(rows);
  const keys = select.groupBy.map((expression, index) => {
    if (expression.kind === 'literal') throw sqlError(164, [], expression.line);
    const bound = bindExpression(expression, rows);
    return { match: bound.sql, bound: { ...bound, sql: `${alias}.k${index + 1}` } };
  });
  return { alias, inner: rows, keys, aggregates: [] };
}

/** The columns that a subquery of a grouped query sees: the keys that are columns. */
function groupedScope(scope: Scope, grouping: Grouping): Scope {
  const visible = new Scope(scope.parent);
  for (const source of scope.sources) {
    const columns = source.columns.flatMap((column) => {
      const key = grouping.keys.find((each) => each.match === column.bound.sql);
      return key === undefined ? [] : [{ name: column.name, bound: { ...column.bound, sql: key.bound.sql } }];
    });
    visible.sources.push({ names: source.names, columns });
  }
  return visible;
}

function groupedSource(grouping: Grouping, source: string): string {
  const { duck } = grouping.inner;
  const keys = grouping.keys.map(({ match, bound }) => equalityKeyOf(duck, { ...bound, sql: match }));
  const columns = [
    ...grouping.keys.map(({ match }, index) => `any_value(${match}) AS k${index + 1}`),
    ...grouping.aggregates.map(({ sql, name }) => `${sql} AS ${name}`),
    'count(*) AS a0',
  ];
  return ` FROM (SELECT ${columns.join(', ')}${source}${keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`}) AS ${grouping.alias}`;
}
