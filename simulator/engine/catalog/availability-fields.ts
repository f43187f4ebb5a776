import type { SqlType } from '../../tds/handler';
import type { World } from '../world/world';
import { field, nvarchar, numeric, tinyint, type Field } from './relation';

export const lsn: SqlType = numeric(25, 0);
const name60 = nvarchar(60);

/** A code and its name: `x` and `x_desc`. NULL if unknown. */
export function described<T, K extends string>(
  name: string,
  codes: Readonly<Record<K, number>>,
  value: (item: T) => K | null,
): readonly Field<T>[] {
  return [
    field(name, tinyint, (item) => {
      const found = value(item);
      return found === null ? null : codes[found];
    }),
    field(`${name}_desc`, name60, value),
  ];
}

/** Without VIEW ANY DEFINITION there are no rows, rather than an error. Microsoft Learn, "sys.availability_groups", Permissions. */
export function maySeeGroups(world: World, login: string): boolean {
  return world.permissions.holds(login, 'VIEW ANY DEFINITION');
}

export const ROLES = { RESOLVING: 0, PRIMARY: 1, SECONDARY: 2 } as const;
