/** `FOR XML PATH('')` in a subquery: the values of a column without a name as one text, in the query's order. */
import { orderColumn, type BoundQuery, type QueryUse } from './bind-query';
import { nextAlias, type Binding } from './binding';
import { settledType } from './bound';
import { notModelled } from './errors';
import type { ForClause, Query } from './syntax';
import { nvarcharMax, type Value, isBinary, isString, type Type } from './types';
import type { SqlType } from '../tds/handler';
import { convertValue } from './convert';
import { unpackVariant } from './variant';

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

/** A value as content of XML: dates by style 126, floats by style 2, binary as base64. */
function xmlText(value: Exclude<Value, null>, type: Type): string {
  if (type.name === 'sql_variant') {
    const inner = unpackVariant(value as string);
    return xmlText(inner.value, inner.type);
  }
  if (isBinary(type)) return Buffer.from(value as Uint8Array).toString('base64');
  if (type.name === 'xml') return value as string;
  if (isString(type)) return escapeText(value as string);
  const style = type.name === 'float' || type.name === 'real' ? 2 : 126;
  return convertValue(value, type as SqlType, { name: 'nvarchar', length: 'max' }, style) as string;
}

const entity = (c: string): string => `&#x${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')};`;
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes a text of blanks as entities: otherwise a reader would drop them. */
function escapeText(text: string): string {
  if (text !== '' && /^[ \t\n]+$/.test(text)) return Array.from(text, entity).join('');
  return Array.from(text, (c) =>
    c === '"' ? c : (named[c] ?? (c < ' ' && c !== '\n' && c !== '\t' ? entity(c) : c)),
  ).join('');
}
