/**
 * What ROLLBACK needs to undo changes of #temporary tables: a copy of each table from before its first change in the transaction. Table variables, identity
 * values and variables are not undone, as on SQL Server (Microsoft Learn, "DECLARE @local_variable", "table").
 */
import type { StoredTable } from './binding';
import type { SessionState } from './session-state';
import { dropStored } from './tables';

interface Transaction {
  /** Lower case; empty if BEGIN TRANSACTION has no name. */
  readonly name: string;
  readonly copies: Map<StoredTable, string>;
  /** They undo the changes, the last one first. */
  readonly steps: (() => Promise<void>)[];
  /** Kept until COMMIT. */
  readonly dropped: StoredTable[];
}

export class Undo {
  private open: Transaction | undefined;

  constructor(private readonly session: SessionState) {}

  begin(name: string): void {
    this.open = { name: name.toLowerCase(), copies: new Map(), steps: [], dropped: [] };
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  isTransaction(name: string): boolean {
    return this.open?.name === name.toLowerCase();
  }

  /** Call it before rows of the table change. */
  async beforeChange(table: StoredTable): Promise<void> {
    if (this.open === undefined || !table.name.startsWith('#') || this.open.copies.has(table)) return;
    const { connection, host, temporary } = this.session;
    const copy = host.nextName('u');
    this.open.copies.set(table, copy);
    await connection.run(`CREATE TABLE ${copy} AS SELECT * FROM ${table.duckName}`);
    this.open.steps.push(async () => {
      if (!temporary.has(table)) return;
      await connection.run(`DELETE FROM ${table.duckName}`);
      await connection.run(`INSERT INTO ${table.duckName} SELECT * FROM ${copy}`);
    });
  }

  created(table: StoredTable): void {
    this.open?.steps.push(async () => {
      if (!this.session.temporary.has(table)) return;
      this.session.temporary.removeTable(table.name);
      await dropStored(this.session, table);
    });
  }

  /** Drops the table now, or at COMMIT if ROLLBACK could still bring it back. */
  async drop(table: StoredTable): Promise<void> {
    const restore = this.session.temporary.removeTable(table.name);
    const { open } = this;
    if (open === undefined) return dropStored(this.session, table);
    open.dropped.push(table);
    open.steps.push(async () => {
      open.dropped.splice(open.dropped.indexOf(table), 1);
      if (!restore()) await dropStored(this.session, table);
    });
  }

  async rollBack(): Promise<void> {
    const { open } = this;
    this.open = undefined;
    for (const step of [...(open?.steps ?? [])].reverse()) await step();
    if (open !== undefined) await this.forget(open);
  }

  async commit(): Promise<void> {
    const { open } = this;
    this.open = undefined;
    if (open !== undefined) await this.forget(open);
  }

  private async forget({ copies, dropped }: Transaction): Promise<void> {
    for (const copy of copies.values()) await this.session.connection.run(`DROP TABLE IF EXISTS ${copy}`);
    for (const table of dropped) await dropStored(this.session, table);
  }
}
