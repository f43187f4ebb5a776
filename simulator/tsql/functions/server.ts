/** Functions that ask the modelled server or the session. */
import { SqlError, type SqlType } from '../../tds/handler';
import { literal, type Bound } from '../bound';
import { callFunction, coerce } from '../coerce';
import { notModelled } from '../errors';
import { fromSqlValue } from '../sql-value';
import { int, nvarchar, nvarcharMax, sysname, type Value } from '../types';
import { arg, asInt, rule, text, type FunctionRule, type FunctionTable, type Invocation } from './rule';

const variant: SqlType = { name: 'sql_variant' };

/** Asks the server as this session: now if the arguments are known, else row by row. */
function ask(
  invocation: Invocation,
  args: readonly Bound[],
  result: SqlType,
  evaluate: (...values: Value[]) => Value,
): Bound {
  const { facts } = invocation.binding;
  return callFunction(invocation.binding.duck, `${invocation.name}@${facts.key}`, args, result, evaluate);
}

/** Asks by a name; NULL for NULL. */
const askByName = (invocation: Invocation, result: SqlType, find: (name: string) => Value): Bound =>
  ask(invocation, [text(invocation, 0)], result, (name = null) =>
    name === null ? null : find(String(name)),
  );

const asText = (value: Value | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

function bindServerProperty(invocation: Invocation): Bound {
  const { instance } = invocation.binding.facts;
  return askByName(invocation, variant, (name) => fromSqlValue(instance.serverProperty(name), variant));
}

function bindDatabaseProperty(invocation: Invocation): Bound {
  const { instance } = invocation.binding.facts;
  return ask(
    invocation,
    [text(invocation, 0), text(invocation, 1)],
    variant,
    (database = null, name = null) =>
      database === null || name === null || instance.findDatabase(String(database)) === undefined
        ? null
        : fromSqlValue(instance.databaseProperty(String(database), String(name)), variant),
  );
}

function bindDbId(invocation: Invocation): Bound {
  const { facts } = invocation.binding;
  const smallint: SqlType = { name: 'smallint' };
  if (invocation.args.length === 0)
    return literal(facts.instance.findDatabase(facts.principal().database)?.id ?? null, smallint);
  return askByName(
    invocation,
    smallint,
    (name) => facts.instance.nameDatabase(name.replace(/ +$/, ''), facts.principal())?.id ?? null,
  );
}

function bindDbName(invocation: Invocation): Bound {
  const { facts } = invocation.binding;
  if (invocation.args.length === 0) return literal(facts.principal().database, sysname);
  return ask(invocation, [asInt(invocation, 0)], sysname, (id = null) =>
    id === null ? null : (facts.instance.nameDatabase(Number(id), facts.principal())?.name ?? null),
  );
}

/** 1, 0, or NULL if there is no such database. */
function bindDatabaseAccess(invocation: Invocation): Bound {
  const { facts } = invocation.binding;
  return askByName(invocation, int, (name) => {
    if (facts.instance.findDatabase(name) === undefined) return null;
    try {
      facts.instance.openDatabase(name, facts.principal());
      return 1;
    } catch (error) {
      if (error instanceof SqlError) return 0;
      throw error;
    }
  });
}

function bindPermission(invocation: Invocation): Bound {
  const { facts } = invocation.binding;
  if (invocation.args.length > 3) throw notModelled('HAS_PERMS_BY_NAME of a sub-securable', invocation.line);
  const args = [0, 1, 2].map((index) =>
    coerce(invocation.binding.duck, arg(invocation, index), nvarcharMax, invocation.line),
  );
  return ask(invocation, args, int, (securable, kind, permission) =>
    facts.instance.hasPermission(
      readSecurable(asText(securable), asText(kind)),
      asText(kind),
      asText(permission),
      facts.principal(),
    ),
  );
}

/**
 * A database name may have brackets, as from QUOTENAME. It is a sysname: cut at 128 characters with the brackets, and
 * then it names nothing.
 */
function readSecurable(securable: string | null, kind: string | null): string | null {
  if (securable === null || kind?.trim().toUpperCase() !== 'DATABASE' || !securable.startsWith('['))
    return securable;
  const name = securable.slice(0, 128);
  return /^\[(?:[^\]]|\]\])*\]$/.test(name) ? name.slice(1, -1).replace(/\]\]/g, ']') : name;
}

function bindServerRole(invocation: Invocation): Bound {
  const { facts } = invocation.binding;
  if (invocation.args.length > 1) throw notModelled('IS_SRVROLEMEMBER of another login', invocation.line);
  return askByName(invocation, int, (role) => facts.instance.isServerRoleMember(role, facts.principal()));
}

/** The name of the session's own login; other logins are not modelled. */
function bindLogin(invocation: Invocation): Bound {
  if (invocation.args.length > 0) throw notModelled(`${invocation.name} with an argument`, invocation.line);
  return literal(invocation.binding.facts.principal().login, sysname);
}

function objectId(name: string, { binding }: Invocation): Value {
  const parts = splitName(name);
  const last = parts[parts.length - 1] ?? '';
  const { facts } = binding;
  if (last.startsWith('#')) return facts.table(last)?.objectId ?? null;
  const written = parts[parts.length - 3];
  const database =
    written === undefined || written === ''
      ? facts.principal().database
      : facts.instance.findDatabase(written)?.name;
  if (database === undefined) return null;
  const schema = (parts[parts.length - 2] ?? '').toLowerCase() || 'dbo';
  return facts.instance.objectId(database, schema, last.toLowerCase()) ?? null;
}

/** `[a.b].c` is two parts. */
function splitName(name: string): readonly string[] {
  const parts = name.match(/\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*"|[^.]+|(?<=\.)(?=\.)/g) ?? [];
  return parts.map((part) =>
    part.startsWith('[')
      ? part.slice(1, -1).replace(/\]\]/g, ']')
      : part.startsWith('"')
        ? part.slice(1, -1).replace(/""/g, '"')
        : part.trim(),
  );
}

type CaughtError = NonNullable<ReturnType<Invocation['binding']['facts']['caught']>>;

/** What a CATCH block may ask of its error; NULL outside of one. */
function caught(type: SqlType, pick: (error: CaughtError) => Value): FunctionRule {
  return rule(0, 0, ({ binding }) => {
    const error = binding.facts.caught();
    return literal(error === undefined ? null : pick(error), type);
  });
}

export const serverFunctions: FunctionTable = {
  SERVERPROPERTY: rule(1, 1, bindServerProperty),
  DATABASEPROPERTYEX: rule(2, 2, bindDatabaseProperty),
  DB_ID: rule(0, 1, bindDbId),
  DB_NAME: rule(0, 1, bindDbName),
  OBJECT_ID: rule(1, 2, (invocation) => askByName(invocation, int, (name) => objectId(name, invocation))),
  HAS_DBACCESS: rule(1, 1, bindDatabaseAccess),
  HAS_PERMS_BY_NAME: rule(3, 5, bindPermission),
  IS_SRVROLEMEMBER: rule(1, 2, bindServerRole),
  SUSER_SNAME: rule(0, 2, bindLogin),
  XACT_STATE: rule(0, 0, ({ binding }) => literal(binding.facts.transactionState(), { name: 'smallint' })),
  ERROR_NUMBER: caught(int, (error) => error.number),
  ERROR_MESSAGE: caught(nvarchar(4000), (error) => error.message),
  ERROR_SEVERITY: caught(int, (error) => error.severity),
  ERROR_STATE: caught(int, (error) => error.state),
  ERROR_LINE: caught(int, (error) => error.line),
  ERROR_PROCEDURE: caught(nvarchar(128), (error) => error.procedure ?? null),
};
