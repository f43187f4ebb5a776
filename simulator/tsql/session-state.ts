/** What a session remembers between statements and batches. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Instance, Principal } from '../engine/interface/instance';
import type { Login, SqlType } from '../tds/handler';
import type { CaughtError, StoredTable } from './binding';
import type { Duck } from './duck';
import type { Relations } from './relations';
import { TemporaryObjects } from './temporary-objects';
import type { Value } from './types';

export interface Variable {
  readonly type: SqlType;
  value: Value;
}

/** The variables of one batch; dynamic SQL has its own. */
export interface Frame {
  readonly level: number;
  readonly variables: Map<string, Variable>;
  readonly tables: Map<string, StoredTable>;
  /** The procedure whose statements these are. */
  readonly procedure?: string;
  /** The value of RETURN. */
  status: number;
}

export interface Options {
  noCount: boolean;
  xactAbort: boolean;
  noExec: boolean;
  parseOnly: boolean;
  implicitTransactions: boolean;
  /** OFF: text between double quotation marks is a string. */
  quotedIdentifier: boolean;
  rowCount: number;
  lockTimeout: number;
  /** Here it only shows in @@OPTIONS. */
  cursorCloseOnCommit: boolean;
  ansiNullDefault: boolean;
  arithmeticAbort: boolean;
}

export interface Host {
  readonly instance: Instance;
  readonly duck: Duck;
  readonly relations: Relations;
  readonly serverName: string;
  /** Major, minor, build. */
  readonly version: readonly [number, number, number];
  /** A new name for a DuckDB table or sequence, never used by any session. */
  readonly nextName: (prefix: string) => string;
}

const defaults: Options = {
  noCount: false,
  xactAbort: false,
  noExec: false,
  parseOnly: false,
  implicitTransactions: false,
  quotedIdentifier: true,
  rowCount: 0,
  lockTimeout: -1,
  cursorCloseOnCommit: false,
  ansiNullDefault: true,
  arithmeticAbort: false,
};

export class SessionState {
  /** Unique among the open sessions. The next session of this number uses again what DuckDB keeps for it. */
  readonly key: string;
  database: string;
  options: Options = { ...defaults };
  transactions = 0;
  /** XACT_STATE() -1: only ROLLBACK is left. */
  doomed = false;
  /** The name that BEGIN TRANSACTION gave the open transaction, in lower case; empty if it has none. */
  transactionName = '';
  rowCount = 0;
  /** Number of statements that changed rows of table variables and #tables. */
  changes = 0;
  error = 0;
  tryDepth = 0;
  /** The connection era of the database when this session entered it. */
  era: { readonly database: string; readonly value: number } | undefined;
  /** How many statements are running, each inside of the one before. */
  depth = 0;
  /** @@NESTLEVEL. */
  nesting = 0;
  /** @@TRANCOUNT when the innermost INSERT ... EXEC began, or -1. */
  capturing = -1;
  readonly caught: CaughtError[] = [];
  readonly temporary = new TemporaryObjects();
  /** The text that the client sent: a batch, or the first argument of a call. */
  inputText = '';
  signal: AbortSignal = new AbortController().signal;

  constructor(
    readonly host: Host,
    readonly spid: number,
    readonly login: Login,
    database: string,
    readonly connection: DuckDBConnection,
  ) {
    this.database = database;
    this.key = `session${spid}`;
  }

  principal(): Principal {
    const { user, readOnlyIntent } = this.login;
    return {
      spid: this.spid,
      login: user,
      database: this.database,
      ...(readOnlyIntent && { readOnlyIntent }),
    };
  }

  /** The principal, with what event sessions tell about a client. */
  client(): Principal {
    return {
      ...this.principal(),
      client: { hostName: this.login.host, programName: this.login.application, sqlText: this.inputText },
    };
  }
}
