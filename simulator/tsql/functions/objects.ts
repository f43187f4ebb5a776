/** Names and ids of objects, schemas and logins, as the catalog of the modelled server has them. */
import type { Relation } from '../../engine/interface/instance';
import type { SqlType, SqlValue } from '../../tds/handler';
import { literal, type Bound } from '../bound';
import { callFunction, coerce } from '../coerce';
import { int, nvarcharMax, sysname, type Value } from '../types';
import { arg, asInt, rule, text, type FunctionTable, type Invocation } from './rule';

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
  SUSER_SNAME: rule(0, 2, bindLoginName),
  SUSER_NAME: rule(0, 1, bindLoginName),
  SUSER_ID: rule(0, 1, bindLoginId),
  SUSER_SID: rule(0, 2, bindLoginId),
};
