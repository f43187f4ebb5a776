/**
 * What ROLLBACK needs to undo changes of #temporary tables: a copy of each table from before its first change since the last mark. Table variables, identity
 * values and variables are not undone, as on SQL Server (Microsoft Learn, "DECLARE @local_variable", "table").
 */
import type { StoredTable } from './binding';
import type { SessionState } from './session-state';
import { dropStored } from './tables';

type Step = () => Promise<void>;

interface Mark {
  /** Lower case; empty if BEGIN TRANSACTION has no name. */
  readonly name: string;
  readonly copies: Map<StoredTable, string>;
  /** They undo the changes since the mark, the last one first. */
  readonly steps: Step[];
  /** Tables dropped since the mark, kept until COMMIT. */
  readonly dropped: StoredTable[];
}

export class Undo {
  private readonly marks: Mark[] = [];

  constructor(private readonly session: SessionState) {}

  /** BEGIN and SAVE TRANSACTION. */
  mark(name: string): void {
    this.marks.push({ name: name.toLowerCase(), copies: new Map(), steps: [], dropped: [] });
  }

  get isOpen(): boolean {
    return this.marks.length > 0;
  }

  /** The transaction's own name. */
  isTransaction(name: string): boolean {
    return this.marks[0]?.name === name.toLowerCase();
  }

  hasSavepoint(name: string): boolean {
    return this.marks.slice(1).some((mark) => mark.name === name.toLowerCase());
  }

  /** Call it before rows of the table change. */
  async beforeChange(table: StoredTable): Promise<void> {
    const mark = this.marks[this.marks.length - 1];
    if (mark === undefined || !table.name.startsWith('#') || mark.copies.has(table)) return;
    const { connection, host, temporary } = this.session;
    const copy = host.nextName('u');
    mark.copies.set(table, copy);
    await connection.run(`CREATE TABLE ${copy} AS SELECT * FROM ${table.duckName}`);
    mark.steps.push(async () => {
      if (!temporary.has(table)) return;
      await connection.run(`DELETE FROM ${table.duckName}`);
      await connection.run(`INSERT INTO ${table.duckName} SELECT * FROM ${copy}`);
    });
  }

  /** Adds a step that undoes a change other than of rows. */
  changed(step: Step): void {
    this.marks[this.marks.length - 1]?.steps.push(step);
  }

  created(table: StoredTable): void {
    this.marks[this.marks.length - 1]?.steps.push(async () => {
      if (!this.session.temporary.has(table)) return;
      this.session.temporary.removeTable(table.name);
      await dropStored(this.session, table);
    });
  }

  /** Drops the table now, or at COMMIT if ROLLBACK could still bring it back. */
  async drop(table: StoredTable): Promise<void> {
    const restore = this.session.temporary.removeTable(table.name);
    const mark = this.marks[this.marks.length - 1];
    if (mark === undefined) return dropStored(this.session, table);
    mark.dropped.push(table);
    mark.steps.push(async () => {
      mark.dropped.splice(mark.dropped.indexOf(table), 1);
      if (!restore()) await dropStored(this.session, table);
    });
  }

  /** Goes back to the savepoint, which stays, or to before the transaction. */
  async rollBack(savepoint?: string): Promise<void> {
    const first = savepoint === undefined ? 0 : this.marks.map((mark) => mark.name).lastIndexOf(savepoint.toLowerCase(), this.marks.length);
    const undone = this.marks.splice(first);
    for (const mark of [...undone].reverse()) {
      for (const step of [...mark.steps].reverse()) await step();
      await this.forget(mark);
    }
    if (savepoint !== undefined) this.mark(savepoint);
  }

  async commit(): Promise<void> {
    for (const mark of this.marks.splice(0)) await this.forget(mark);
  }

  private async forget(mark: Mark): Promise<void> {
    for (const copy of mark.copies.values()) await this.session.connection.run(`DROP TABLE IF EXISTS ${copy}`);
    for (const table of mark.dropped) await dropStored(this.session, table);
  }
}
