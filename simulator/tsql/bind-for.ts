/** `FOR XML PATH`: the rows of a query as one text, in the query's order. */
import { SqlError, type SqlType } from '../tds/handler';
import { orderColumn, type BoundColumn, type BoundQuery, type QueryUse } from './bind-query';
import { nextAlias, type Binding } from './binding';
import { settledType } from './bound';
import { notModelled } from './errors';
import { pathRow } from './for-xml';
import type { ForClause, Query } from './syntax';
import { nvarcharMax, type Value } from './types';
import { canonicalXml } from './xml-tree';

const xml: SqlType = { name: 'xml' };
const columnName = 'F52E2B61-18A1-11d1-B105-00805F49916B';

/** @param rows the query itself, with its order as columns o1, o2... */
export function bindFor(query: Query, clause: ForClause, rows: BoundQuery, binding: Binding, use: QueryUse): BoundQuery {
  const alias = nextAlias(binding);
  const columns = rows.columns.map((column) => ({ name: column.name, type: settledType(column.type) }));
  const make = pathRow(columns, clause.element);
  const types = columns.map(({ type }) => type);
  const key = `for ${JSON.stringify([clause, columns])}`;
  const row = binding.duck.registerFunction(key, types, nvarcharMax, (...values) => make(values), false);
  const order = query.orderBy.map(
    (item, index) => `${alias}.${orderColumn(index)} ${item.descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`,
  );
  const separator = listSeparator(clause, columns);
  const args = columns.map((_, index) => `${alias}.c${index + 1}`).join(', ');
  const sorted = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  const joined = `string_agg(${row}(${args}), '${separator}'${sorted})`;
  const from = `FROM (${rows.sql}) AS ${alias}`;
  const { typed } = clause;
  const column: BoundColumn = {
    name: use.outermost === true && !typed ? `XML_${columnName}` : '',
    type: typed ? xml : nvarcharMax,
    nullable: true,
  };
  const whole = `${wrapper(clause, binding)}(${joined})`;
  if (typed || use.outermost !== true) return { sql: `SELECT ${whole} AS c1 ${from}`, columns: [column] };
  // A client gets the text in pieces, and no row if there is no text.
  const pieces = binding.duck.registerFunction('for pieces', [nvarcharMax], nvarcharMax, cutToPieces as never, false);
  return {
    sql: `SELECT unnest(string_split(p.t, chr(2))) AS c1 FROM (SELECT ${pieces}(${whole}) AS t ${from} HAVING count(*) > 0) AS p`,
    columns: [{ ...column, nullable: false }],
  };
}

/** `[data()]` in PATH('') lists the values of all rows, with blanks between them. */
function listSeparator(clause: ForClause, columns: readonly { readonly name: string }[]): string {
  if (clause.element !== '') return '';
  const lists = columns.filter(({ name }) => name === 'data()').length;
  if (lists > 0 && lists < columns.length) throw notModelled("FOR XML PATH('') of data() beside other columns", clause.line);
  return lists > 0 ? ' ' : '';
}

/** Pieces of 2,033 characters. The separator is never in XML, which would escape it. */
const cutToPieces = (text: string | null): string | null => text?.match(/[\s\S]{1,2033}/g)?.join('\u0002') ?? text;

/** What stands around the rows: the root. */
function wrapper(clause: ForClause, binding: Binding): string {
  const evaluate = (text: Value = null): Value => {
    if (text === null && clause.root === undefined) return null;
    if (text === null) throw new SqlError(50000, 'simulator: FOR XML ... ROOT over no rows is not modelled');
    const whole = clause.root === undefined ? (text as string) : `<${clause.root}>${text as string}</${clause.root}>`;
    return clause.typed ? canonicalXml(whole) : whole;
  };
  return binding.duck.registerFunction(`for whole ${JSON.stringify(clause)}`, [nvarcharMax], nvarcharMax, evaluate as never, false);
}
