/**
 * #tables and #procedures of a session. Those made in a procedure or in dynamic SQL hide outer ones of the same name,
 * and end with it.
 */
import type { StoredTable } from './binding';
import type { TemporaryProcedure } from './statements';

interface Level {
  readonly tables: Map<string, StoredTable>;
  readonly procedures: Map<string, TemporaryProcedure>;
}

const makeLevel = (): Level => ({ tables: new Map(), procedures: new Map() });

export class TemporaryObjects {
  private readonly levels: Level[] = [makeLevel()];

  /** The innermost table of that name. */
  table(name: string): StoredTable | undefined {
    return this.innermost((level) => level.tables.get(name.toLowerCase()));
  }

  procedure(name: string): TemporaryProcedure | undefined {
    return this.innermost((level) => level.procedures.get(name.toLowerCase()));
  }

  private innermost<T>(find: (level: Level) => T | undefined): T | undefined {
    for (let at = this.levels.length - 1; at >= 0; at--) {
      const found = find(this.levels[at] as Level);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether the current level has a table or procedure of that name. */
  hasOwn(name: string): boolean {
    const level = this.levels[this.levels.length - 1] as Level;
    return level.tables.has(name.toLowerCase()) || level.procedures.has(name.toLowerCase());
  }

  addTable(name: string, table: StoredTable): void {
    (this.levels[this.levels.length - 1] as Level).tables.set(name.toLowerCase(), table);
  }

  addProcedure(procedure: TemporaryProcedure): void {
    (this.levels[this.levels.length - 1] as Level).procedures.set(procedure.name.toLowerCase(), procedure);
  }

  /** Forgets the innermost table of that name. */
  removeTable(name: string): void {
    const key = name.toLowerCase();
    [...this.levels].reverse().some((level) => level.tables.delete(key));
  }

  /** @returns whether there was one. */
  removeProcedure(name: string): boolean {
    return [...this.levels].reverse().some((level) => level.procedures.delete(name.toLowerCase()));
  }

  /** Begins a procedure or dynamic SQL. */
  enter(): void {
    this.levels.push(makeLevel());
  }

  /** Ends it. @returns the tables that end with it */
  leave(): readonly StoredTable[] {
    return [...(this.levels.pop() as Level).tables.values()];
  }

  allTables(): readonly StoredTable[] {
    return this.levels.flatMap((level) => [...level.tables.values()]);
  }
}
