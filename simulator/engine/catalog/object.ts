import type { ServerDescription } from '../../scenarios/scenario';
import type { SqlValue } from '../../tds/handler';
import type { Principal, RelationColumn } from '../interface/instance';
import type { World } from '../world/world';
import { isPresent, type Presence } from '../../scenarios/platform';
import type { Field } from './relation';

/** One question to the catalog: in which database, by whom and when. */
export interface Asked {
  readonly principal: Principal;
  /** The database that asks. */
  readonly database: string;
  readonly nowUs: number;
}

/** One view or table function of the catalog: its documented columns, the permission to read it, and its rows. */
export interface CatalogObject {
  /** Absent if it is in every database. */
  readonly database?: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'view' | 'function';
  readonly columns: readonly RelationColumn[];
  /** For each column: the releases and platforms that have it. */
  readonly presences?: readonly (Presence | undefined)[];
  readonly presence?: Presence;
  /**
   * VIEW SERVER STATE means its part for performance since 2022. CONTROL SERVER stands for SELECT, which nobody has
   * been granted.
   */
  readonly needs?: 'VIEW SERVER STATE' | 'VIEW SERVER SECURITY STATE' | 'CONTROL SERVER';
  /** Rises when the rows change; absent if they change all the time. */
  readonly version?: (world: World) => number | undefined;
  /**
   * There may be millions of rows: they are made as they are read, the same each time. Columns that are not `used` are
   * null.
   */
  readonly isStream?: true;
  rows(
    world: World,
    asked: Asked,
    args: readonly SqlValue[],
    used?: ReadonlySet<number>,
  ): Iterable<readonly SqlValue[]>;
}

export interface ViewOptions {
  readonly presence?: Presence;
  readonly database?: string;
  readonly needs?: CatalogObject['needs'];
  readonly version?: (world: World) => number | undefined;
}

type Items<T> = (world: World, asked: Asked, args: readonly SqlValue[]) => Iterable<T>;

export function view<T>(
  name: string,
  fields: readonly Field<T>[],
  items: Items<T>,
  options: ViewOptions = {},
): CatalogObject {
  return { ...makeObject('view', name, fields, items), ...options };
}

export function tableFunction<T>(
  name: string,
  fields: readonly Field<T>[],
  items: Items<T>,
  presence: Presence = {},
): CatalogObject {
  return { ...makeObject('function', name, fields, items), presence, needs: 'VIEW SERVER STATE' };
}

/** Rows that never change and anyone may see. */
export const CONSTANT: ViewOptions = { version: () => 1 };
export const STATE: ViewOptions = { needs: 'VIEW SERVER STATE' };

function makeObject<T>(
  kind: CatalogObject['kind'],
  fullName: string,
  fields: readonly Field<T>[],
  items: Items<T>,
): CatalogObject {
  const [schema = '', name = ''] = fullName.split('.');
  return {
    schema,
    name,
    kind,
    columns: fields.map((field) => field.column),
    presences: fields.map((field) => field.presence),
    rows(world, asked, args, used) {
      const made = items(world, asked, args);
      const read = fields.map(({ value }, i) => (used === undefined || used.has(i) ? value : () => null));
      return {
        *[Symbol.iterator]() {
          for (const item of made) yield read.map((value) => value(item));
        },
      };
    },
  };
}

/** The object without the columns that this server's release or platform lacks; undefined if it lacks the object. */
export function fitObject(object: CatalogObject, server: ServerDescription): CatalogObject | undefined {
  if (!isPresent(object.presence, server)) return undefined;
  const kept = object.columns.flatMap((_, i) => (isPresent(object.presences?.[i], server) ? [i] : []));
  if (kept.length === object.columns.length) return object;
  const pick = <T>(cells: readonly T[]): readonly T[] => kept.map((i) => cells[i] as T);
  return {
    ...object,
    columns: pick(object.columns),
    rows(world, asked, args, used) {
      const source = object.rows(
        world,
        asked,
        args,
        used && new Set([...used].map((i) => kept[i] as number)),
      );
      return {
        *[Symbol.iterator]() {
          for (const row of source) yield pick(row);
        },
      };
    },
  };
}

/** An id argument: NULL and 0 mean all. */
export function readId(value: SqlValue | undefined): number | undefined {
  return value === null || value === undefined || Number(value) === 0 ? undefined : Number(value);
}
