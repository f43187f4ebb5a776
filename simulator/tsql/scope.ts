/** What names mean at one place of a query. */
import type { Bound } from './bound';
import { ambiguousColumn, invalidColumn, multiPart } from './errors';
import type { SqlType } from '../tds/handler';

export interface ScopeColumn {
  readonly name: string;
  readonly bound: Bound & { readonly type: SqlType };
  /** Called when the column is used, so that only used columns are copied. */
  readonly use?: () => void;
}

export interface ScopeSource {
  /** The alias, or without one the parts of the name; empty parts match nothing. */
  readonly names: readonly string[];
  readonly columns: readonly ScopeColumn[];
}

export class Scope {
  readonly sources: ScopeSource[] = [];
  /** DuckDB's FROM text of the sources bound so far, for calls whose arguments depend on them. */
  fromSql = '';

  constructor(readonly parent: Scope | undefined) {}

  /** @throws SqlError 207, 209, 4104. */
  find(parts: readonly string[], line: number): ScopeColumn {
    const found = this.findHere(parts, line);
    if (found !== undefined) {
      found.use?.();
      return found;
    }
    if (this.parent !== undefined) return this.parent.find(parts, line);
    throw parts.length === 1 ? invalidColumn(parts[0] as string, line) : multiPart(parts.join('.'), line);
  }

  findHere(parts: readonly string[], line: number): ScopeColumn | undefined {
    const name = (parts[parts.length - 1] as string).toLowerCase();
    const qualifier = parts.slice(0, -1);
    const matching = this.sources.filter((source) => qualifier.length === 0 || isNamed(source, qualifier));
    const found = matching.flatMap((source) =>
      source.columns.filter((column) => column.name.toLowerCase() === name),
    );
    if (found.length > 1) throw ambiguousColumn(parts[parts.length - 1] as string, line);
    if (found.length === 0 && qualifier.length > 0 && matching.length > 0)
      throw invalidColumn(parts[parts.length - 1] as string, line);
    return found[0];
  }

  /** A column of this scope as messages name it, after its source. */
  nameOf(parts: readonly string[]): string {
    const name = parts[parts.length - 1] as string;
    const owner = this.sources.find((source) =>
      source.columns.some((column) => column.name.toLowerCase() === name.toLowerCase()),
    );
    return parts.length > 1 || owner === undefined
      ? parts.join('.')
      : [...owner.names.slice(-2), name].join('.');
  }

  /** The columns of `*` or `qualifier.*`. @throws SqlError 107. */
  star(qualifier: readonly string[] | undefined): readonly ScopeColumn[] | undefined {
    const matching = this.sources.filter((source) => qualifier === undefined || isNamed(source, qualifier));
    return matching.length === 0 ? undefined : matching.flatMap((source) => source.columns);
  }
}

/** `sys.databases` matches `databases`, `sys.databases` and `master.sys.databases`. */
function isNamed(source: ScopeSource, qualifier: readonly string[]): boolean {
  const names = source.names.map((name) => name.toLowerCase());
  const wanted = qualifier.map((name) => name.toLowerCase());
  if (names.length === 0 || wanted.length > names.length) return false;
  return wanted.every((name, index) => name === '' || name === names[names.length - wanted.length + index]);
}
