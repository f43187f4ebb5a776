/** STRING_SPLIT (Microsoft documentation, its page). */
import { SqlError } from '../tds/handler';
import { bindExpression } from './bind-expression';
import { addDerived } from './bind-source';
import type { Binding } from './binding';
import type { Bound } from './bound';
import { coerce } from './coerce';
import { argumentCount, invalidObject, notModelled } from './errors';
import { releaseOf } from './release';
import type { Scope } from './scope';
import type { Source } from './syntax';
import { bigint, isString, isUnicode, nvarchar, varchar } from './types';

type FunctionSource = Extract<Source, { readonly kind: 'function' }>;
type RowsetRule = (source: FunctionSource, names: readonly string[], scope: Scope, binding: Binding) => string;

/** Undefined if no built-in rowset function has this name, or the server is older than the function. */
export function findRowset(name: string, binding: Binding, line: number): RowsetRule | undefined {
  const found = rowsets[name.toUpperCase()];
  if (found !== undefined && releaseOf(binding.facts.instance) < found.since) throw invalidObject(name, line);
  if (found !== undefined && found.bind === undefined) throw notModelled(name.toUpperCase(), line);
  return found?.bind;
}

/** Unicode if one of the arguments is; as long as the text. */
function bindSplit(source: FunctionSource, names: readonly string[], scope: Scope, binding: Binding): string {
  const { args, line } = source;
  const ordinal = splitOrdinal(source, binding);
  const [given, separator] = args.slice(0, 2).map((arg) => bindExpression(arg, binding)) as [Bound, Bound];
  const mark = separator.constant?.value;
  if (!isString(separator.type) || (typeof mark === 'string' && mark.length !== 1))
    throw new SqlError(214, "Procedure expects parameter 'separator' of type 'nchar(1)/nvarchar(1)'.", 16, 11, line);
  const unicode = isUnicode(given.type) || isUnicode(separator.type);
  const length = isString(given.type) ? given.type.length : unicode ? 4000 : 8000;
  const type = unicode ? nvarchar(length === 'max' ? length : Math.min(4000, length)) : varchar(length);
  const text = coerce(binding.duck, given, type, line);
  const parts = `string_split(${text.sql}, ${separator.sql})`;
  const place = ordinal ? `, unnest(range(1, len(${parts}) + 1)) AS c2` : '';
  const sql = `SELECT unnest(${parts}) AS c1${place} WHERE ${text.sql} IS NOT NULL`;
  const columns = [{ name: 'value', type, nullable: true }, ...(ordinal ? [{ name: 'ordinal', type: bigint, nullable: true }] : [])];
  return addDerived(sql, renamed(columns, source), names, scope, binding, line);
}

function splitOrdinal({ args, line }: FunctionSource, binding: Binding): boolean {
  if (args.length < 2) throw argumentCount('STRING_SPLIT', '2', line);
  if (args.length > (releaseOf(binding.facts.instance) < 2022 ? 2 : 3))
    throw new SqlError(8144, 'Procedure or function string_split has too many arguments specified.', 16, 3, line);
  const [, , flag] = args;
  if (flag === undefined) return false;
  const value = bindExpression(flag, binding).constant?.value;
  if (value !== 0 && value !== 1 && value !== null) throw notModelled('STRING_SPLIT with a flag that is not constant', line);
  return value === 1;
}

const renamed = <T extends { readonly name: string }>(columns: readonly T[], { columns: names }: FunctionSource): readonly T[] =>
  columns.map((column, index) => ({ ...column, name: names?.[index] ?? column.name }));

const rowsets: Readonly<Record<string, { readonly since: number; readonly bind?: RowsetRule }>> = {
  STRING_SPLIT: { since: 2016, bind: bindSplit },
  GENERATE_SERIES: { since: 2022 },
  OPENJSON: { since: 2016 },
};
