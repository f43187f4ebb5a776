/** `FOR XML PATH('')` in a subquery: the values of a column without a name as one text, in the query's order. */
import { orderColumn, type BoundQuery, type QueryUse } from './bind-query';
import { nextAlias, type Binding } from './binding';
import { settledType } from './bound';
import { notModelled } from './errors';
import { xmlText } from './for-xml';
import type { ForClause, Query } from './syntax';
import { nvarcharMax, type Value } from './types';

/** @param rows the query itself, with its order as columns o1, o2... */
export function bindFor(
  query: Query,
  clause: ForClause,
  rows: BoundQuery,
  binding: Binding,
  use: QueryUse,
): BoundQuery {
  const [column] = rows.columns;
  if (use.outermost === true) throw notModelled('FOR XML outside a subquery', clause.line);
  if (column === undefined || rows.columns.length > 1 || column.name !== '')
    throw notModelled("FOR XML PATH('') of other than one column without a name", clause.line);
  const type = settledType(column.type);
  const evaluate = (value: Value = null): Value => (value === null ? null : xmlText(value, type));
  const text = binding.duck.registerFunction(
    `for ${JSON.stringify(type)}`,
    [type],
    nvarcharMax,
    evaluate,
    false,
  );
  const alias = nextAlias(binding);
  const order = query.orderBy.map(
    (item, index) =>
      `${alias}.${orderColumn(index)} ${item.descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`,
  );
  const sorted = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  return {
    sql: `SELECT string_agg(${text}(${alias}.c1), ''${sorted}) AS c1 FROM (${rows.sql}) AS ${alias}`,
    columns: [{ name: '', type: nvarcharMax, nullable: true }],
  };
}
