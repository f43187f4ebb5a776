import type { SqlType, SqlValue } from '../../tds/handler';
import type { Platform, Presence } from '../../scenarios/platform';
import type { Release } from '../../scenarios/releases';
import type { RelationColumn } from '../interface/instance';

export const bit: SqlType = { name: 'bit' };
export const tinyint: SqlType = { name: 'tinyint' };
export const smallint: SqlType = { name: 'smallint' };
export const int: SqlType = { name: 'int' };
export const bigint: SqlType = { name: 'bigint' };
export const float: SqlType = { name: 'float' };
export const real: SqlType = { name: 'real' };
export const datetime: SqlType = { name: 'datetime' };
export const uniqueidentifier: SqlType = { name: 'uniqueidentifier' };
export const sqlVariant: SqlType = { name: 'sql_variant' };
export const nvarcharMax: SqlType = { name: 'nvarchar', length: 'max' };
export const sysname: SqlType = { name: 'nvarchar', length: 128 };
export const datetime2 = (scale: number): SqlType => ({ name: 'datetime2', scale });
export const numeric = (precision: number, scale: number): SqlType => ({ name: 'decimal', precision, scale });
export const nvarchar = (length: number): SqlType => ({ name: 'nvarchar', length });
export const nchar = (length: number): SqlType => ({ name: 'nchar', length });
export const char = (length: number): SqlType => ({ name: 'char', length });
export const varbinary = (length: number): SqlType => ({ name: 'varbinary', length });

export function column(name: string, type: SqlType, nullable = true): RelationColumn {
  return { name, type, nullable };
}

/** One column of a relation, and how to get its value from the subject of the row. */
export interface Field<T> {
  readonly presence?: Presence;
  readonly column: RelationColumn;
  readonly value: (item: T) => SqlValue;
}

export function field<T>(name: string, type: SqlType, value: (item: T) => SqlValue): Field<T> {
  return { column: column(name, type), value };
}

/** Fields that came with a release. */
export function since<T>(release: Release, ...fields: readonly Field<T>[]): readonly Field<T>[] {
  return fields.map((each) => ({ ...each, presence: { ...each.presence, since: release } }));
}

/** Fields that a later release dropped. */
export function until<T>(release: Release, ...fields: readonly Field<T>[]): readonly Field<T>[] {
  return fields.map((each) => ({ ...each, presence: { ...each.presence, until: release } }));
}

/** Fields that only some platforms have. */
export function only<T>(on: readonly Platform[], ...fields: readonly Field<T>[]): readonly Field<T>[] {
  return fields.map((each) => ({ ...each, presence: { ...each.presence, on } }));
}

/**
 * Columns that SQL Server has and the model does not: their names with blanks between, those of a release behind its
 * year.
 */
export function unmodelled<T>(names: string): readonly Field<T>[] {
  let presence: Presence = {};
  return names.split(/\s+/).flatMap((name) => {
    if (!/^\d+$/.test(name))
      return { presence, column: { ...column(name, int), isModelled: false }, value: () => null };
    presence = { since: Number(name) as Release };
    return [];
  });
}

/** A field that is never NULL. */
export function need<T>(name: string, type: SqlType, value: (item: T) => SqlValue): Field<T> {
  return { column: column(name, type, false), value };
}
