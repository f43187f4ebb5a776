/** Names and ids of objects, schemas, columns, types, files and logins, as the catalog of the modelled server has them. */
import type { Relation } from '../../engine/interface/instance';
import type { SqlType, SqlValue } from '../../tds/handler';
import { literal, type Bound } from '../bound';
import { callFunction, coerce } from '../coerce';
import { notModelled } from '../errors';
import { fromSqlValue } from '../sql-value';
import { describeType, int, isBinary, isString, isUnicode, nvarcharMax, sysname, type Type, type Value } from '../types';
import { unpackVariant } from '../variant';
import { arg, asInt, rule, text, type FunctionTable, type Invocation } from './rule';

const variant: SqlType = { name: 'sql_variant' };

type Row = Readonly<Record<string, SqlValue>>;

/** The rows of a view of sys as records; none if the view is not modelled. */
function rowsOf(invocation: Invocation, view: string, database?: string): readonly Row[] {
  const { instance, principal } = invocation.binding.facts;
  const relation = instance.relation(database ?? principal().database, 'sys', view, principal());
  return relation === undefined ? [] : Array.from(relation.rows(), (row) => recordOf(relation, row));
}

const recordOf = (relation: Relation, row: readonly SqlValue[]): Row =>
  Object.fromEntries(relation.columns.map((column, index) => [column.name, row[index] ?? null]));

/** Answers row by row, as this session; reads the view once for a statement. */
function ask(invocation: Invocation, args: readonly Bound[], result: SqlType, evaluate: (...values: Value[]) => Value): Bound {
  const { facts } = invocation.binding;
  return callFunction(invocation.binding.duck, `${invocation.name}@${facts.key}`, args, result, (...values) =>
    values.some((value) => value === null) ? null : evaluate(...values),
  );
}

function bindObject(invocation: Invocation, pick: (row: Row) => Value): Bound {
  const { instance } = invocation.binding.facts;
  const args = invocation.args.map((_, index) => asInt(invocation, index));
  let known: ReadonlyMap<number, Row> | undefined;
  return ask(invocation, args, sysname, (id = null, database = null) => {
    if (database !== null && instance.databaseName(Number(database)) === undefined) return null;
    known ??= new Map(rowsOf(invocation, 'all_objects').map((row) => [Number(row['object_id']), row]));
    const found = known.get(Number(id));
    return found === undefined ? null : pick(found);
  });
}

const schemaName = (invocation: Invocation, id: number): Value => {
  const found = rowsOf(invocation, 'schemas').find((row) => Number(row['schema_id']) === id);
  return found === undefined ? null : String(found['name']);
};

function bindSchemaName(invocation: Invocation): Bound {
  if (invocation.args.length === 0) return literal('dbo', sysname);
  return ask(invocation, [asInt(invocation, 0)], sysname, (id = null) => schemaName(invocation, Number(id)));
}

function bindSchemaId(invocation: Invocation): Bound {
  if (invocation.args.length === 0) return literal(1, int);
  return ask(invocation, [text(invocation, 0)], int, (name = null) => {
    const found = rowsOf(invocation, 'schemas').find((row) => sameName(row['name'], name));
    return found === undefined ? null : Number(found['schema_id']);
  });
}

const sameName = (a: SqlValue | undefined, b: Value): boolean => String(a).toLowerCase() === String(b).replace(/ +$/, '').toLowerCase();

function columnsOf(invocation: Invocation, object: number): readonly Row[] {
  return rowsOf(invocation, 'all_columns').filter((row) => Number(row['object_id']) === object);
}

function bindColumnName(invocation: Invocation): Bound {
  return ask(invocation, [asInt(invocation, 0), asInt(invocation, 1)], sysname, (object = null, id = null) => {
    const found = columnsOf(invocation, Number(object)).find((row) => Number(row['column_id']) === Number(id));
    return found === undefined ? null : String(found['name']);
  });
}

/** Bytes that the column may take, -1 for (max); NULL if there is no such column. */
function bindColumnLength(invocation: Invocation): Bound {
  const { facts } = invocation.binding;
  return ask(invocation, [text(invocation, 0), text(invocation, 1)], { name: 'smallint' }, (table = null, column = null) => {
    const parts = String(table).replace(/[[\]]/g, '').toLowerCase().split('.');
    const name = parts[parts.length - 1] as string;
    const id = facts.instance.objectId(parts[parts.length - 3] || facts.principal().database, parts[parts.length - 2] || 'dbo', name);
    const found = id === undefined ? undefined : columnsOf(invocation, id).find((row) => sameName(row['name'], column));
    return found === undefined ? null : Number(found['max_length']);
  });
}

/** Microsoft documentation, "sys.types": system_type_id of the types that the model has. */
const typeIds: Readonly<Record<string, number>> = {
  image: 34,
  text: 35,
  uniqueidentifier: 36,
  date: 40,
  time: 41,
  datetime2: 42,
  datetimeoffset: 43,
  tinyint: 48,
  smallint: 52,
  int: 56,
  smalldatetime: 58,
  real: 59,
  money: 60,
  datetime: 61,
  float: 62,
  sql_variant: 98,
  ntext: 99,
  bit: 104,
  decimal: 106,
  numeric: 108,
  smallmoney: 122,
  bigint: 127,
  hierarchyid: 128,
  geometry: 129,
  geography: 130,
  varbinary: 165,
  varchar: 167,
  binary: 173,
  char: 175,
  timestamp: 189,
  nvarchar: 231,
  nchar: 239,
  xml: 241,
  sysname: 256,
};

function bindTypeName(invocation: Invocation): Bound {
  return ask(
    invocation,
    [asInt(invocation, 0)],
    sysname,
    (id = null) => Object.entries(typeIds).find(([, each]) => each === id)?.[0] ?? null,
  );
}

function bindTypeId(invocation: Invocation): Bound {
  return ask(
    invocation,
    [text(invocation, 0)],
    int,
    (name = null) =>
      typeIds[
        String(name)
          .toLowerCase()
          .replace(/^sys\./, '')
      ] ?? null,
  );
}

function bindVariantProperty(invocation: Invocation): Bound {
  const source = arg(invocation, 0);
  const value = source.type.name === 'sql_variant' ? source : coerce(invocation.binding.duck, source, variant, invocation.line);
  return ask(invocation, [value, text(invocation, 1)], variant, (packed = null, name = null) => {
    const property = propertyOf(unpackVariant(String(packed)).type, String(name).toLowerCase());
    return property === undefined ? null : fromSqlValue(property, variant);
  });
}

/** Bytes of storage and digits, by type (Microsoft documentation, "SQL_VARIANT_PROPERTY"). TotalBytes is not modelled. */
const fixed: Readonly<Record<string, readonly [bytes: number, precision: number]>> = {
  bit: [1, 1],
  tinyint: [1, 3],
  smallint: [2, 5],
  int: [4, 10],
  bigint: [8, 19],
  real: [4, 24],
  float: [8, 53],
  uniqueidentifier: [16, 0],
  date: [3, 10],
  datetime: [8, 23],
  smalldatetime: [4, 16],
};

function propertyOf(type: SqlType, name: string): SqlValue | undefined {
  const number = (value: number | undefined): SqlValue | undefined => (value === undefined ? undefined : { type: int, value });
  // decimal and numeric are one type here; SQL Server would say which name was used.
  if (name === 'basetype' && type.name === 'decimal') throw notModelled('the base type of a decimal');
  if (name === 'basetype') return { type: sysname, value: type.name };
  if (name === 'precision') return number(type.name === 'decimal' ? type.precision : fixed[type.name]?.[1]);
  if (name === 'scale') return number('scale' in type ? type.scale : type.name === 'datetime' ? 3 : 0);
  if (name === 'maxlength') return number(maximum(type));
  return name === 'collation' && isString(type) ? { type: sysname, value: 'SQL_Latin1_General_CP1_CI_AS' } : undefined;
}

function maximum(type: Type): number | undefined {
  if ((isString(type) || isBinary(type)) && type.length !== 'max') return type.length * (isUnicode(type) ? 2 : 1);
  return fixed[describeType(type)]?.[0];
}

/** FILE_NAME(n) of the current database. */
function bindFileName(invocation: Invocation): Bound {
  const { instance, principal } = invocation.binding.facts;
  return ask(invocation, [asInt(invocation, 0)], sysname, (id = null) => {
    const database = instance.findDatabase(principal().database)?.id;
    const files = rowsOf(invocation, 'master_files', 'master');
    const found = files.find((row) => Number(row['database_id']) === database && Number(row['file_id']) === Number(id));
    return found === undefined ? null : String(found['name']);
  });
}

const ofLogins = (invocation: Invocation): readonly Row[] => rowsOf(invocation, 'server_principals', 'master');

/** The name of the login with a sid, or the caller's own; SUSER_NAME takes the id of a login. */
function bindLoginName(invocation: Invocation): Bound {
  const { facts, duck } = invocation.binding;
  if (invocation.args.length === 0) return literal(facts.principal().login, sysname);
  if (invocation.name === 'SUSER_NAME')
    return ask(invocation, [asInt(invocation, 0)], sysname, (id = null) => {
      const found = ofLogins(invocation).find((row) => Number(row['principal_id']) === Number(id));
      return found === undefined ? null : String(found['name']);
    });
  const sid = coerce(duck, arg(invocation, 0), { name: 'varbinary', length: 85 }, invocation.line);
  const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex');
  return ask(invocation, [sid], sysname, (bytes = null) => {
    const found = ofLogins(invocation).find((row) => row['sid'] instanceof Uint8Array && hex(row['sid']) === hex(bytes));
    return found === undefined ? null : String(found['name']);
  });
}

function bindLoginId(invocation: Invocation): Bound {
  const name = invocation.args.length === 0 ? literal(invocation.binding.facts.principal().login, sysname) : text(invocation, 0);
  const bytes = invocation.name === 'SUSER_SID';
  const named = coerce(invocation.binding.duck, name, nvarcharMax, invocation.line);
  return ask(invocation, [named], bytes ? { name: 'varbinary', length: 85 } : int, (login = null) => {
    const found = ofLogins(invocation).find((row) => sameName(row['name'], login));
    if (found === undefined) return null;
    return bytes ? (found['sid'] as Uint8Array) : Number(found['principal_id']);
  });
}

export const objectFunctions: FunctionTable = {
  OBJECT_NAME: rule(1, 2, (invocation) => bindObject(invocation, (row) => String(row['name']))),
  OBJECT_SCHEMA_NAME: rule(1, 2, (invocation) => bindObject(invocation, (row) => schemaName(invocation, Number(row['schema_id'])))),
  SCHEMA_NAME: rule(0, 1, bindSchemaName),
  SCHEMA_ID: rule(0, 1, bindSchemaId),
  COL_NAME: rule(2, 2, bindColumnName),
  COL_LENGTH: rule(2, 2, bindColumnLength),
  TYPE_NAME: rule(1, 1, bindTypeName),
  TYPE_ID: rule(1, 1, bindTypeId),
  FILE_NAME: rule(1, 1, bindFileName),
  SQL_VARIANT_PROPERTY: rule(2, 2, bindVariantProperty),
  SUSER_SNAME: rule(0, 2, bindLoginName),
  SUSER_NAME: rule(0, 1, bindLoginName),
  SUSER_ID: rule(0, 1, bindLoginId),
  SUSER_SID: rule(0, 2, bindLoginId),
};
