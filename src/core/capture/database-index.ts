import type { CapturedDatabase } from './checkpoint-columns';

/** The `database` column is 16 bits wide. */
export const MOST_DATABASES = 65_535;

/** The one place that knows which database stands behind a value of the `database` column. */
export class DatabaseIndex {
  private readonly indexes = new Map<number, number>();
  private items: readonly CapturedDatabase[] = [];

  /** In index order. A new array whenever something changes, so that a view of it stays as it was. */
  get databases(): readonly CapturedDatabase[] {
    if (this.items.length < this.indexes.size) {
      const known = this.items.length;
      this.items = [
        ...this.items,
        ...[...this.indexes.keys()].slice(known).map((databaseId) => ({ databaseId, createdLocal: null, name: null })),
      ];
    }
    return this.items;
  }

  /** The index of a database, given on first sight; null where no more fit. */
  indexOf(databaseId: number): number | null {
    const index = this.indexes.get(databaseId);
    if (index !== undefined) return index;
    if (this.indexes.size >= MOST_DATABASES) return null;
    this.indexes.set(databaseId, this.indexes.size);
    return this.indexes.size - 1;
  }

  /** Names as the server's catalog gives them now; ids not seen yet are ignored. */
  name(names: ReadonlyMap<number, string>): void {
    this.items = this.databases.map((database) => {
      const name = names.get(database.databaseId);
      return name === undefined || name === database.name ? database : { ...database, name };
    });
  }
}
