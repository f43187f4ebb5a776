/** Rows as JSON (Microsoft documentation, "Format query results as JSON with FOR JSON", "How FOR JSON converts SQL Server data types to JSON data types"). */
import { SqlError } from '../tds/handler';
import { xmlText, type NamedColumn } from './for-xml';
import { escapeJson } from './json-text';
import { isNumber, type Type, type Value } from './types';
import { unpackVariant } from './variant';

export interface JsonColumn extends NamedColumn {
  /** Its text is JSON already: the result of an inner FOR JSON. */
  readonly json: boolean;
}

interface JsonObject {
  readonly [name: string]: string | JsonObject;
}

/** An object for each row; `a.b` nests in PATH mode. @throws SqlError 13601, 13605. */
export function jsonRow(columns: readonly JsonColumn[], nested: boolean, nulls: boolean): (values: readonly Value[]) => string {
  const paths = columns.map(({ name }) => {
    if (name === '')
      throw new SqlError(
        13605,
        'Column expressions and data sources without names or aliases cannot be formatted as JSON text using FOR JSON clause. Add alias to the unnamed column or table.',
      );
    return nested ? name.split('.') : [name];
  });
  checkConflicts(paths);
  return (values) => {
    const row: Record<string, string | JsonObject> = {};
    columns.forEach(({ type, json }, index) => {
      const value = values[index] ?? null;
      if (value !== null || nulls)
        place(row, paths[index] as readonly string[], value === null ? 'null' : json ? String(value) : jsonValue(value, type));
    });
    return print(row);
  };
}

function checkConflicts(paths: readonly (readonly string[])[]): void {
  let last: readonly string[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const conflict = path.find((_, depth) => {
      const key = JSON.stringify(path.slice(0, depth + 1));
      const continued = depth < path.length - 1 && JSON.stringify(last.slice(0, depth + 1)) === key && last.length > depth + 1;
      return seen.has(key) && !continued;
    });
    if (conflict !== undefined)
      throw new SqlError(
        13601,
        `Property '${path.join('.')}' cannot be generated in JSON output due to a conflict with another column name or alias. Use different names and aliases for each column in SELECT list.`,
      );
    path.forEach((_, depth) => seen.add(JSON.stringify(path.slice(0, depth + 1))));
    last = path;
  }
}

function place(row: Record<string, string | JsonObject>, path: readonly string[], text: string): void {
  const [name, ...rest] = path as readonly [string, ...string[]];
  if (rest.length === 0) row[` ${name}`] = text;
  else place((row[` ${name}`] ??= {}) as Record<string, string | JsonObject>, rest, text);
}

/** As keys names have a blank in front: without it JavaScript would sort names of digits first. */
function print(node: string | JsonObject): string {
  if (typeof node === 'string') return node;
  return `{${Object.entries(node)
    .map(([name, value]) => `"${escapeJson(name.slice(1))}":${print(value)}`)
    .join(',')}}`;
}

function jsonValue(value: Exclude<Value, null>, type: Type): string {
  if (type.name === 'sql_variant') {
    const inner = unpackVariant(value as string);
    return jsonValue(inner.value, inner.type);
  }
  if (type.name === 'bit') return value === 0 ? 'false' : 'true';
  const text = xmlText(value, type);
  return isNumber(type) ? text : `"${escapeJson(text)}"`;
}
