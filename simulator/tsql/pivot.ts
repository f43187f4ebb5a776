/** PIVOT and UNPIVOT, as equivalent queries (Microsoft documentation, "FROM - Using PIVOT and UNPIVOT"). */
import { SqlError } from '../tds/handler';
import { isAggregate } from './bind-aggregate';
import type { Binding } from './binding';
import { bindSource } from './bind-source';
import { invalidColumn } from './errors';
import { Scope } from './scope';
import type { Expression, Query, Select, SelectItem, Source } from './syntax';
import { describeType } from './types';

type Of<K extends Source['kind']> = Extract<Source, { readonly kind: K }>;

const column = (name: string, line: number): Expression => ({ kind: 'column', parts: [name], line });
const text = (value: string, line: number): Expression => ({ kind: 'literal', type: 'nstring', text: value, line });
const item = (expression: Expression, alias: string): SelectItem => ({ kind: 'expression', expression, alias });
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The columns of the source, each name once. @throws SqlError 8156. */
function namesOf(source: Of<'pivot' | 'unpivot'>, binding: Binding): readonly string[] {
  const scope = new Scope(binding.scope);
  bindSource(source.source, scope, binding, '');
  const names = scope.sources.flatMap((each) => each.columns.map(({ name }) => name));
  const twice = names.find((name, index) => names.findIndex((each) => same(each, name)) !== index);
  if (twice !== undefined)
    throw new SqlError(8156, `The column '${twice}' was specified multiple times for '${source.alias}'.`, 16, 1, source.line);
  return names;
}

/** @throws SqlError 8167 if the columns that become one differ in type or length. */
function checkTypes(source: Of<'unpivot'>, binding: Binding): void {
  const scope = new Scope(binding.scope);
  bindSource(source.source, scope, binding, '');
  const columns = source.columns.map((name) => scope.find([name], source.line));
  const other = columns.find(({ bound }) => describeType(bound.type) !== describeType((columns[0] as (typeof columns)[number]).bound.type));
  const message = `The type of column "${other?.name ?? ''}" conflicts with the type of other columns specified in the UNPIVOT list.`;
  if (other !== undefined) throw new SqlError(8167, message, 16, 1, source.line);
}

function asQuery(select: Omit<Select, 'kind' | 'distinct' | 'line'>, line: number): Query {
  return { with: [], body: { kind: 'select', distinct: false, line, ...select }, orderBy: [], line };
}

/** A group for each combination of the columns that are neither aggregated nor pivoted; a column for each value. */
export function pivotQuery(source: Of<'pivot'>, binding: Binding): Query {
  const { line, aggregate } = source;
  const [argument] = aggregate.args;
  if (!isAggregate(aggregate) || argument?.kind !== 'column' || aggregate.args.length !== 1)
    throw new SqlError(102, `Incorrect syntax near '${aggregate.name.join('.')}'.`, 15, 1, line);
  const names = namesOf(source, binding);
  const measured = argument.parts[argument.parts.length - 1] as string;
  for (const name of [measured, source.column]) if (!names.some((each) => same(each, name))) throw invalidColumn(name, line);
  const kept = names.filter((name) => !same(name, measured) && !same(name, source.column));
  const values = source.values.map((value) => {
    const when = { kind: 'compare' as const, operator: '=' as const, left: column(source.column, line), right: text(value, line), line };
    const chosen: Expression = { kind: 'case', whens: [{ when, then: column(measured, line) }], line };
    return item({ ...aggregate, args: [chosen] }, value);
  });
  const keys = kept.map((name) => column(name, line));
  return asQuery(
    { items: [...keys.map((key, index) => item(key, kept[index] as string)), ...values], from: [source.source], groupBy: keys },
    line,
  );
}

/** A row for each of the columns, without NULLs. */
export function unpivotQuery(source: Of<'unpivot'>, binding: Binding): Query {
  const { line } = source;
  const names = namesOf(source, binding);
  for (const name of source.columns) if (!names.some((each) => same(each, name))) throw invalidColumn(name, line);
  checkTypes(source, binding);
  const kept = names.filter((name) => !source.columns.some((each) => same(each, name)));
  const alias = 'unpivoted\u0000';
  const rows = source.columns.map((name) => [column(name, line), text(name, line)]);
  const applied: Source = { kind: 'values', rows, alias, columns: [source.value, source.column], line };
  const own = (name: string): Expression => ({ kind: 'column', parts: [alias, name], line });
  const named: Expression = { kind: 'cast', operand: own(source.column), type: { name: 'sysname', line }, attempt: false, line };
  return asQuery(
    {
      items: [...kept.map((name) => item(column(name, line), name)), item(own(source.value), source.value), item(named, source.column)],
      from: [{ kind: 'apply', outer: false, left: source.source, right: applied, line }],
      where: { kind: 'isNull', operand: own(source.value), negated: true, line },
      groupBy: [],
    },
    line,
  );
}
