/** The abstract syntax of T-SQL's statements; queries and expressions are in syntax.ts. */
import type {
  EventSessionChange,
  EventDefinition,
  EventSessionScope,
  TargetDefinition,
} from '../scenarios/event-session';
import type { Condition, Expression, Query, Source, Top, TypeName } from './syntax';
import type { DeclaredParameter } from './parse-parameters';

export interface TableColumn {
  readonly name: string;
  readonly type: TypeName;
  readonly nullable: boolean;
  readonly identity?: { readonly seed: number; readonly increment: number };
  readonly defaultValue?: Expression;
}

export interface KeyDefinition {
  readonly primary: boolean;
  readonly columns: readonly string[];
  /** The name of the CONSTRAINT; without one the server makes it up. */
  readonly name?: string;
}

export interface TableDefinition {
  readonly columns: readonly TableColumn[];
  /** Sets of columns, each of which must be unique: PRIMARY KEY and UNIQUE. */
  readonly keys: readonly KeyDefinition[];
}

export interface Argument {
  /** With its `@`; absent when positional. */
  readonly name?: string;
  readonly value: Expression;
  readonly output: boolean;
}

export type InsertSource =
  | { readonly kind: 'values'; readonly rows: readonly (readonly Expression[])[] }
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'execute'; readonly statement: Statement }
  | { readonly kind: 'defaults' };

export const dbccCommands = ['TRACEON', 'TRACEOFF', 'TRACESTATUS'] as const;
export type DbccCommand = (typeof dbccCommands)[number];

/** `name` of a transaction statement: as written, with the `@` of a variable; empty if there is none. */
export type TransactionAction = 'begin' | 'commit' | 'rollback';

export type Statement = { readonly line: number } & (
  | {
      readonly kind: 'declare';
      readonly variables: readonly {
        readonly name: string;
        readonly type: TypeName;
        readonly value?: Expression;
      }[];
    }
  | { readonly kind: 'declareTable'; readonly name: string; readonly table: TableDefinition }
  | { readonly kind: 'set'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'setOption'; readonly option: string; readonly value: Expression | string }
  | { readonly kind: 'query'; readonly query: Query }
  | {
      readonly kind: 'if';
      readonly condition: Condition;
      readonly then: Statement;
      readonly otherwise?: Statement;
    }
  | { readonly kind: 'while'; readonly condition: Condition; readonly body: Statement }
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'break' | 'continue' }
  | { readonly kind: 'return'; readonly value?: Expression }
  | { readonly kind: 'try'; readonly body: readonly Statement[]; readonly handler: readonly Statement[] }
  | { readonly kind: 'throw'; readonly args?: readonly [Expression, Expression, Expression] }
  | { readonly kind: 'raiserror'; readonly args: readonly Expression[]; readonly options: readonly string[] }
  | { readonly kind: 'print'; readonly value: Expression }
  | { readonly kind: 'executeText'; readonly text: Expression }
  | {
      readonly kind: 'executeProcedure';
      readonly name: readonly string[] | string;
      readonly args: readonly Argument[];
      readonly result?: string;
    }
  | {
      readonly kind: 'insert';
      readonly target: readonly string[];
      readonly columns?: readonly string[];
      readonly source: InsertSource;
    }
  | {
      readonly kind: 'update';
      readonly target: readonly string[];
      readonly top?: Top;
      readonly sets: readonly {
        readonly column?: string;
        readonly variable?: string;
        readonly value: Expression;
      }[];
      readonly from: readonly Source[];
      readonly where?: Condition;
    }
  | {
      readonly kind: 'delete';
      readonly target: readonly string[];
      readonly top?: Top;
      readonly from: readonly Source[];
      readonly where?: Condition;
    }
  | { readonly kind: 'createTable'; readonly name: readonly string[]; readonly table: TableDefinition }
  | { readonly kind: 'dropTable'; readonly names: readonly (readonly string[])[]; readonly ifExists: boolean }
  | { readonly kind: 'createProcedure'; readonly procedure: TemporaryProcedure; readonly replaces: boolean }
  | {
      readonly kind: 'dropProcedure';
      readonly names: readonly (readonly string[])[];
      readonly ifExists: boolean;
    }
  | { readonly kind: 'waitfor'; readonly type: 'delay' | 'time'; readonly value: Expression }
  | { readonly kind: 'use'; readonly database: string }
  | { readonly kind: 'transaction'; readonly action: TransactionAction; readonly name: string }
  | { readonly kind: 'checkpoint'; readonly duration?: Expression }
  | { readonly kind: 'reconfigure'; readonly withOverride: boolean }
  | {
      readonly kind: 'dbcc';
      readonly command: DbccCommand;
      readonly args: readonly (number | string)[];
      /** WITH NO_INFOMSGS. */
      readonly silent: boolean;
    }
  /** `database` absent: CURRENT. */
  | { readonly kind: 'targetRecoveryTime'; readonly database?: string; readonly seconds: number }
  | {
      readonly kind: 'createEventSession';
      readonly name: string;
      readonly scope: EventSessionScope;
      readonly events: readonly EventDefinition[];
      readonly targets: readonly TargetDefinition[];
      readonly options: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'alterEventSession';
      readonly name: string;
      readonly scope: EventSessionScope;
      readonly changes: readonly EventSessionChange[];
    }
  | { readonly kind: 'dropEventSession'; readonly name: string; readonly scope: EventSessionScope }
);

/** A procedure for its own session: CREATE PROCEDURE #name. Permanent ones are refused. */
export interface TemporaryProcedure {
  readonly name: string;
  readonly parameters: readonly DeclaredParameter[];
  /** Lines count from the start of the batch that created it, as in SQL Server. */
  readonly body: readonly Statement[];
}
