/**
 * Queries -> DuckDB's SQL. In DuckDB the columns of every query are c1, c2...; their SQL Server names and types are
 * kept here.
 */
import type { SqlType } from '../tds/handler';
import { bindFor } from './bind-for';
import { bindSelect } from './bind-select';
import { nextAlias, type Binding } from './binding';
import { physicalType, settledType, type Bound } from './bound';
import { coerce, equalityKeyOf, orderKeyOf } from './coerce';
import { ambiguousColumn } from './errors';
import { type Collation, unify, type Type } from './types';
import type { Expression, OrderItem, Query, QueryBody } from './syntax';
import { sqlError } from '../tds/messages';

export interface BoundColumn {
  readonly name: string;
  readonly type: Type;
  readonly nullable: boolean;
  readonly collation?: Collation;
}

export interface BoundQuery {
  readonly sql: string;
  readonly columns: readonly BoundColumn[];
}

export interface QueryUse {
  /** Only the existence of rows is asked. */
  readonly exists?: boolean;
  /** The outermost query may have ORDER BY without TOP. */
  readonly outermost?: boolean;
  /** The caller wants the keys of its order as columns. */
  readonly keys?: boolean;
}

/** Which rows of an ordered query are wanted, as DuckDB's text. */
export interface Paging {
  readonly limit?: string;
  /** The caller wants the keys of the order as columns o1, o2... besides the query's own. */
  readonly keys?: boolean;
}

/** Column of an order's key, by its place. */
export const orderColumn = (index: number): string => `o${index + 1}`;

export function bindQuery(query: Query, binding: Binding, use: QueryUse = {}): BoundQuery {
  if (query.for === undefined) return bindRows(query, binding, use);
  const { for: clause, ...rows } = query;
  return bindFor(query, clause, bindRows(rows, binding, { outermost: true, keys: true }), binding, use);
}

function bindRows(query: Query, binding: Binding, use: QueryUse): BoundQuery {
  const inner: Binding = { ...binding, grouping: undefined, windows: false };
  const paging: Paging = use.keys === true ? { keys: true } : {};
  if (query.body.kind === 'select') {
    const limited = query.body.top !== undefined;
    if (query.orderBy.length > 0 && !limited && use.outermost !== true && use.exists !== true)
      throw sqlError(1033, [], query.line);
    return bindSelect(query.body, query.orderBy, paging, inner);
  }
  if (query.orderBy.length > 0 && use.outermost !== true) throw sqlError(1033, [], query.line);
  const body = bindBody(query.body, inner);
  return query.orderBy.length === 0 ? body : orderCombined(body, query.orderBy, paging, inner);
}

function bindBody(body: QueryBody, binding: Binding): BoundQuery {
  if (body.kind === 'select') return bindSelect(body, [], {}, binding);
  if (body.kind === 'nested') return bindQuery(body.query, binding);
  return combine(body, bindBody(body.left, binding), bindBody(body.right, binding), binding);
}

function combine(
  body: Extract<QueryBody, { readonly left: QueryBody }>,
  left: BoundQuery,
  right: BoundQuery,
  binding: Binding,
): BoundQuery {
  if (left.columns.length !== right.columns.length) throw sqlError(205, [], body.line);
  const columns = left.columns.map((column, index): BoundColumn => {
    const other = right.columns[index] as BoundColumn;
    return {
      ...column,
      type: settledType(unify(column.type, other.type)),
      nullable: column.nullable || other.nullable,
    };
  });
  const [l, r] = [left, right].map((side) => castColumns(side, columns, binding, body.line)) as [
    string,
    string,
  ];
  if (body.kind === 'unionAll') return { sql: `${l} UNION ALL ${r}`, columns };
  const keys = columns.map((column, index) => equalityKeyOf(binding.duck, columnAt(column, 'u', index)));
  return { sql: `SELECT DISTINCT ON (${keys.join(', ')}) * FROM (${l} UNION ALL ${r}) AS u`, columns };
}

export function columnAt(column: BoundColumn, alias: string, index: number): Bound {
  return { ...column, sql: `${alias}.c${index + 1}` };
}

function castColumns(
  side: BoundQuery,
  columns: readonly BoundColumn[],
  binding: Binding,
  line: number,
): string {
  const alias = nextAlias(binding);
  const casts = columns.map((column, index) => {
    const from = side.columns[index] as BoundColumn;
    const bound = coerce(binding.duck, columnAt(from, alias, index), column.type as SqlType, line);
    const sql = from.type.name === 'null' ? `CAST(NULL AS ${physicalType(column.type)})` : bound.sql;
    return `${sql} AS c${index + 1}`;
  });
  return `SELECT ${casts.join(', ')} FROM (${side.sql}) AS ${alias}`;
}

/** ORDER BY after UNION knows only the columns of the result. */
function orderCombined(
  body: BoundQuery,
  orderBy: readonly OrderItem[],
  paging: Paging,
  binding: Binding,
): BoundQuery {
  const keys = orderBy.map((item) => {
    const index = outputIndex(item.expression, body.columns);
    if (index === undefined) throw sqlError(104, [], item.expression.line);
    return { key: orderKeyOf(binding.duck, columnAt(body.columns[index] as BoundColumn, 'o', index)), item };
  });
  const order = keys.map(({ key, item }) => orderTerm(key, item.descending)).join(', ');
  const wanted =
    paging.keys === true ? keys.map(({ key }, index) => `, ${key} AS ${orderColumn(index)}`).join('') : '';
  return {
    sql: `SELECT o.*${wanted} FROM (${body.sql}) AS o ORDER BY ${order}${pagingText(paging)}`,
    columns: body.columns,
  };
}

export const orderTerm = (key: string, descending: boolean): string =>
  `${key} ${descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;

export const pagingText = ({ limit }: Paging): string => (limit === undefined ? '' : ` LIMIT ${limit}`);

/** A position or the name of an output column. @throws SqlError 108. */
export function outputIndex(expression: Expression, columns: readonly BoundColumn[]): number | undefined {
  if (expression.kind === 'literal' && expression.type === 'number' && /^\d+$/.test(expression.text)) {
    const index = Number(expression.text) - 1;
    if (columns[index] === undefined) throw sqlError(108, [expression.text], expression.line);
    return index;
  }
  if (expression.kind !== 'column' || expression.parts.length !== 1) return undefined;
  const name = (expression.parts[0] as string).toLowerCase();
  const index = columns.findIndex((column) => column.name.toLowerCase() === name);
  if (columns.slice(index + 1).some((column) => column.name.toLowerCase() === name && index >= 0))
    throw ambiguousColumn(expression.parts[0] as string, expression.line);
  return index < 0 ? undefined : index;
}

export function bindScalarQuery(query: Query, binding: Binding): Bound {
  const bound = bindQuery(query, binding);
  const [column] = bound.columns;
  if (bound.columns.length !== 1 || column === undefined) throw sqlError(116, [], query.line);
  return {
    sql: `(${bound.sql})`,
    type: settledType(column.type),
    nullable: true,
    ...(column.collation && { collation: column.collation }),
  };
}
