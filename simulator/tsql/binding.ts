/** What the binder knows about one statement and its session. */
import type { Instance, Principal } from '../engine/interface/instance';
import type { SqlType } from '../tds/handler';
import type { Bound } from './bound';
import type { Duck } from './duck';
import type { Relations, TableHandle } from './relations';
import type { Scope } from './scope';
import type { Expression } from './syntax';
import type { Value } from './types';

/** A session's answers to functions about it. */
export interface SessionFacts {
  /** Identifies this session, for functions that answer in its name. */
  readonly key: string;
  readonly instance: Instance;
  readonly principal: () => Principal;
  readonly variable: (name: string) => { readonly type: SqlType; readonly value: Value } | undefined;
  /** `@@ROWCOUNT` and similar; undefined if not known. */
  readonly global: (name: string) => { readonly type: SqlType; readonly value: Value } | undefined;
  /** ERROR_NUMBER() and similar, null outside CATCH. */
  readonly caught: () => CaughtError | undefined;
  readonly transactionState: () => number;
  readonly table: (name: string) => StoredTable | undefined;
  readonly host: string;
  readonly application: string;
  readonly serverName: string;
}

export interface CaughtError {
  readonly number: number;
  readonly message: string;
  readonly severity: number;
  readonly state: number;
  readonly line: number;
  readonly procedure: string | undefined;
}

export interface StoredColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** DuckDB's sequence of an IDENTITY column. */
  readonly sequence?: string;
  readonly defaultValue?: Expression;
}

/** Columns whose values must be unique together. */
export interface StoredKey {
  readonly kind: 'PRIMARY KEY' | 'UNIQUE KEY';
  readonly name: string;
  readonly columns: readonly number[];
}

/** A table variable or temporary table: DuckDB's table and its columns c1, c2... */
export interface StoredTable {
  readonly duckName: string;
  readonly name: string;
  readonly objectId: number;
  readonly columns: readonly StoredColumn[];
  readonly keys: readonly StoredKey[];
}

export interface Binding {
  readonly duck: Duck;
  readonly facts: SessionFacts;
  readonly relations: Relations;
  /** Relations named so far; they are copied to DuckDB before the statement runs. */
  readonly used: Set<TableHandle>;
  /** Results of table functions whose arguments come from other rows, by call. */
  readonly dependent: Map<string, TableHandle>;
  /** Counts the aliases s1, s2... of the statement. */
  readonly aliases: { last: number };
  readonly clock: { readonly utcMs: number; readonly offsetMinutes: number };
  readonly scope: Scope | undefined;
  readonly grouping: Grouping | undefined;
  /** The clause of an expression of a grouped query; the error about a column of the rows names it. */
  readonly clause?: 'HAVING' | 'ORDER BY';
  /** Whether window functions are allowed: only in SELECT and ORDER BY. */
  readonly windows: boolean;
}

/** Columns of the grouped rows: keys k1..., aggregates a1... of the alias. */
export interface Grouping {
  readonly alias: string;
  readonly inner: Binding;
  readonly keys: readonly { readonly match: string; readonly bound: Bound }[];
  readonly aggregates: { readonly sql: string; readonly name: string }[];
}

export const withScope = (binding: Binding, scope: Scope | undefined): Binding => ({
  ...binding,
  scope,
  grouping: undefined,
  windows: false,
});

export function nextAlias(binding: Binding): string {
  binding.aliases.last++;
  return `s${binding.aliases.last}`;
}

/**
 * Thrown if the arguments of a table function come from rows. The statement is bound again once its results are known.
 */
export class DependentCall extends Error {
  constructor(
    readonly key: string,
    readonly argumentsSql: string,
    readonly types: readonly SqlType[],
    readonly objectName: readonly string[],
    readonly line: number,
  ) {
    super('table function whose arguments come from rows');
  }
}
