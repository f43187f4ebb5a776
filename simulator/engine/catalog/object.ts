import type { SqlValue } from '../../tds/handler';
import type { Principal, RelationColumn } from '../instance';
import type { World } from '../world';
import type { Field } from './relation';

/** What is asked for, by whom and when. */
export interface Asked {
  readonly principal: Principal;
  readonly nowUs: number;
}

/** One view or table function of the catalog: its documented columns, what it takes to read it, and its rows when asked. */
export interface CatalogObject {
  /** Absent for what is in every database. */
  readonly database?: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'view' | 'function';
  readonly columns: readonly RelationColumn[];
  readonly needs?: 'VIEW SERVER STATE' | 'CONTROL SERVER';
  /** Rises when the rows change; absent where they change all the time. */
  readonly version?: (world: World) => number;
  rows(world: World, asked: Asked, args: readonly SqlValue[]): Iterable<readonly SqlValue[]>;
}

export interface ViewOptions {
  readonly database?: string;
  readonly needs?: CatalogObject['needs'];
  readonly version?: (world: World) => number;
}

type Items<T> = (world: World, asked: Asked, args: readonly SqlValue[]) => Iterable<T>;

export function view<T>(name: string, fields: readonly Field<T>[], items: Items<T>, options: ViewOptions = {}): CatalogObject {
  return { ...makeObject('view', name, fields, items), ...options };
}

export function tableFunction<T>(name: string, fields: readonly Field<T>[], items: Items<T>): CatalogObject {
  return { ...makeObject('function', name, fields, items), needs: 'VIEW SERVER STATE' };
}

/** Rows that never change and anyone may see. */
export const CONSTANT: ViewOptions = { version: () => 1 };
export const STATE: ViewOptions = { needs: 'VIEW SERVER STATE' };

function makeObject<T>(kind: CatalogObject['kind'], fullName: string, fields: readonly Field<T>[], items: Items<T>): CatalogObject {
  const [schema = '', name = ''] = fullName.split('.');
  return {
    schema,
    name,
    kind,
    columns: fields.map((field) => field.column),
    *rows(world, asked, args) {
      for (const item of items(world, asked, args)) yield fields.map((field) => field.value(item));
    },
  };
}

/** An id argument: NULL and 0 mean all. */
export function readId(value: SqlValue | undefined): number | undefined {
  return value === null || value === undefined || Number(value) === 0 ? undefined : Number(value);
}
