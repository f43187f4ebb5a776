import type { ServerDescription } from '../scenarios/scenario';
import type { SqlError } from '../tds/handler';
import { errors } from './errors';

/** Logins of the modelled server. The passwords are public: it listens to this machine only and holds nothing. */
export interface LoginDescription {
  readonly name: string;
  readonly password: string;
  readonly isSysadmin: boolean;
  /** Server permissions granted beyond CONNECT SQL and what public has (VIEW ANY DATABASE). */
  readonly granted: readonly string[];
}

const PASSWORD = 'Str0ng!Passw0rd';
export const LOGINS: readonly LoginDescription[] = [
  { name: 'dba', password: PASSWORD, isSysadmin: true, granted: [] },
  { name: 'viewer', password: PASSWORD, isSysadmin: false, granted: ['VIEW SERVER STATE', 'VIEW ANY DEFINITION'] },
  { name: 'reader', password: PASSWORD, isSysadmin: false, granted: [] },
];

const PUBLIC = ['CONNECT SQL', 'VIEW ANY DATABASE'];

/** The server permissions of SQL Server 2019: sys.fn_builtin_permissions('SERVER'). Later ones are NULL to HAS_PERMS_BY_NAME. docs/facts.md, SQL Server 6. */
// prettier-ignore
const SERVER_PERMISSIONS: readonly string[] = [
  'ADMINISTER BULK OPERATIONS', 'ALTER ANY AVAILABILITY GROUP', 'ALTER ANY CONNECTION', 'ALTER ANY CREDENTIAL', 'ALTER ANY DATABASE', 'ALTER ANY ENDPOINT',
  'ALTER ANY EVENT NOTIFICATION', 'ALTER ANY EVENT SESSION', 'ALTER ANY LINKED SERVER', 'ALTER ANY LOGIN', 'ALTER ANY SERVER AUDIT', 'ALTER ANY SERVER ROLE',
  'ALTER RESOURCES', 'ALTER SERVER STATE', 'ALTER SETTINGS', 'ALTER TRACE', 'AUTHENTICATE SERVER', 'CONNECT ANY DATABASE', 'CONNECT SQL', 'CONTROL SERVER',
  'CREATE ANY DATABASE', 'CREATE AVAILABILITY GROUP', 'CREATE DDL EVENT NOTIFICATION', 'CREATE ENDPOINT', 'CREATE SERVER ROLE',
  'CREATE TRACE EVENT NOTIFICATION', 'EXTERNAL ACCESS ASSEMBLY', 'IMPERSONATE ANY LOGIN', 'SELECT ALL USER SECURABLES', 'SHUTDOWN', 'UNSAFE ASSEMBLY',
  'VIEW ANY DATABASE', 'VIEW ANY DEFINITION', 'VIEW SERVER STATE',
];

// prettier-ignore
const SINCE_2022: readonly string[] = [
  'VIEW SERVER PERFORMANCE STATE', 'VIEW SERVER SECURITY STATE', 'VIEW ANY ERROR LOG', 'CREATE ANY EVENT SESSION', 'DROP ANY EVENT SESSION',
  'ALTER ANY EVENT SESSION ENABLE', 'ALTER ANY EVENT SESSION DISABLE',
];

// prettier-ignore
const DATABASE_PERMISSIONS: readonly string[] = [
  'ALTER', 'ALTER ANY DATABASE EVENT SESSION', 'BACKUP DATABASE', 'BACKUP LOG', 'CHECKPOINT', 'CONNECT', 'CONTROL', 'CREATE TABLE', 'EXECUTE', 'SELECT', 'INSERT',
  'UPDATE', 'DELETE', 'VIEW DATABASE STATE', 'VIEW DEFINITION',
];

// prettier-ignore
export const SERVER_ROLES: readonly string[] = [
  'sysadmin', 'securityadmin', 'serveradmin', 'setupadmin', 'processadmin', 'diskadmin', 'dbcreator', 'bulkadmin', 'public',
];

/** What a statement does to an event session. Since 2022 each is a permission of its own; before, ALTER ANY EVENT SESSION is all of them. */
// prettier-ignore
export type EventSessionAction = 'create' | 'drop' | 'option' | 'add event' | 'drop event' | 'add target' | 'drop target' | 'enable' | 'disable';

/** Who may do what on one server: its release and platform decide which permissions there are. */
export interface Permissions {
  readonly logins: readonly LoginDescription[];
  authenticate(user: string, password: string): boolean;
  isLogin(user: string): boolean;
  /** IS_SRVROLEMEMBER: null for a role that this release does not know. */
  isServerRoleMember(role: string, login: string): 0 | 1 | null;
  /** Whether a login holds a server permission, by grant, through public or as sysadmin. */
  holds(login: string, permission: string): boolean;
  /** HAS_PERMS_BY_NAME; the securable's existence is checked by the caller. `ANY` asks for any permission at all. */
  hasPermission(securableClass: string | null, permission: string | null, login: string): 0 | 1 | null;
  /**
   * The gate of dynamic management views and functions.
   * @throws SqlError 300, followed by 297 as the server does (ChainedSqlError)
   */
  requireViewServerState(login: string): void;
  /** @throws `refused`: 15247 where a new session is refused; altering and dropping answer 15151, as if it were not there */
  requireEventSession(login: string, action: EventSessionAction, refused: SqlError): void;
}

function findLogin(login: string): LoginDescription | undefined {
  return LOGINS.find((each) => each.name.toLowerCase() === login.toLowerCase());
}

export function createPermissions(server: ServerDescription): Permissions {
  const known = server.release < 2022 ? SERVER_PERMISSIONS : [...SERVER_PERMISSIONS, ...SINCE_2022];
  const holds: Permissions['holds'] = (login, permission) => {
    const found = findLogin(login);
    return found !== undefined && (found.isSysadmin || found.granted.includes(permission) || PUBLIC.includes(permission));
  };
  return {
    logins: LOGINS,
    holds,
    authenticate: (user, password) => findLogin(user)?.password === password,
    isLogin: (user) => findLogin(user) !== undefined,
    isServerRoleMember,
    hasPermission: (securableClass, permission, login) =>
      hasPermission(known, securableClass, permission, (wanted) => holds(login, wanted)),
    requireViewServerState(login) {
      if (!holds(login, 'VIEW SERVER STATE')) throw errors.viewServerStateDenied();
    },
    requireEventSession(login, _action, refused) {
      if (!holds(login, 'ALTER ANY EVENT SESSION')) throw refused;
    },
  };
}

function isServerRoleMember(role: string, login: string): 0 | 1 | null {
  const known = SERVER_ROLES.find((each) => each === role.toLowerCase());
  if (known === undefined) return null;
  return known === 'public' || (known === 'sysadmin' && findLogin(login)?.isSysadmin === true) ? 1 : 0;
}

function hasPermission(
  known: readonly string[],
  securableClass: string | null,
  permission: string | null,
  holds: (permission: string) => boolean,
): 0 | 1 | null {
  if (permission === null) return null;
  const wanted = permission.trim().toUpperCase();
  const kind = (securableClass ?? 'SERVER').trim().toUpperCase();
  if (kind === 'SERVER') return wanted === 'ANY' ? 1 : known.includes(wanted) ? (holds(wanted) ? 1 : 0) : null;
  if (kind !== 'DATABASE' && kind !== 'OBJECT') return null;
  if (!DATABASE_PERMISSIONS.includes(wanted) && wanted !== 'ANY') return null;
  if (holds('CONTROL SERVER')) return 1;
  // The other logins have no user in the databases; guest may connect to master, tempdb and msdb only.
  return wanted === 'VIEW DEFINITION' && holds('VIEW ANY DEFINITION')
    ? 1
    : wanted === 'VIEW DATABASE STATE' && holds('VIEW SERVER STATE')
      ? 1
      : 0;
}
