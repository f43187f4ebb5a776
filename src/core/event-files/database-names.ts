import { LAST_SYSTEM_ID } from '../capture/catalog';

const SYSTEM = ['master', 'tempdb', 'model', 'msdb'];

/**
 * Names beside database ids. A column of that name may also be an action: the database of whoever asked for the
 * checkpoint. So names count only if each belongs to one id, and each id to one name.
 */
export class DatabaseNames {
  private readonly names = new Map<number, string>();
  private readonly ids = new Map<string, number>();
  areDoubtful = false;

  see(databaseId: number, name: string): void {
    const isOfSystem = SYSTEM.includes(name.toLowerCase());
    this.areDoubtful ||=
      (this.names.get(databaseId) ?? name) !== name ||
      (this.ids.get(name) ?? databaseId) !== databaseId ||
      isOfSystem !== (databaseId <= LAST_SYSTEM_ID && SYSTEM[databaseId - 1] === name.toLowerCase());
    this.names.set(databaseId, name);
    this.ids.set(name, databaseId);
  }

  /** Empty if the names are doubtful. */
  list(): readonly { readonly databaseId: number; readonly name: string; readonly createdLocal: null }[] {
    if (this.areDoubtful) return [];
    return [...this.names].map(([databaseId, name]) => ({ databaseId, name, createdLocal: null }));
  }
}
