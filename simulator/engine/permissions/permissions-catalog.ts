import type { Release } from '../../scenarios/releases';
import type { Platform } from '../../scenarios/platform';
import type { ServerDescription } from '../../scenarios/scenario';

type Since = readonly [since: Release, names: readonly string[]];

/**
 * The server permissions by the release that brought them. Microsoft Learn, "Permissions (Database Engine)",
 * "sys.fn_builtin_permissions".
 */
// oxfmt-ignore
const SERVER_PERMISSIONS: readonly Since[] = [
  [2012, [
    'ADMINISTER BULK OPERATIONS', 'ALTER ANY AVAILABILITY GROUP', 'ALTER ANY CONNECTION', 'ALTER ANY CREDENTIAL', 'ALTER ANY DATABASE', 'ALTER ANY ENDPOINT',
    'ALTER ANY EVENT NOTIFICATION', 'ALTER ANY EVENT SESSION', 'ALTER ANY LINKED SERVER', 'ALTER ANY LOGIN', 'ALTER ANY SERVER AUDIT', 'ALTER ANY SERVER ROLE',
    'ALTER RESOURCES', 'ALTER SERVER STATE', 'ALTER SETTINGS', 'ALTER TRACE', 'AUTHENTICATE SERVER', 'CONNECT SQL', 'CONTROL SERVER', 'CREATE ANY DATABASE',
    'CREATE AVAILABILITY GROUP', 'CREATE DDL EVENT NOTIFICATION', 'CREATE ENDPOINT', 'CREATE SERVER ROLE', 'CREATE TRACE EVENT NOTIFICATION',
    'EXTERNAL ACCESS ASSEMBLY', 'SHUTDOWN', 'UNSAFE ASSEMBLY', 'VIEW ANY DATABASE', 'VIEW ANY DEFINITION', 'VIEW SERVER STATE',
  ]],
  [2014, ['CONNECT ANY DATABASE', 'IMPERSONATE ANY LOGIN', 'SELECT ALL USER SECURABLES']],
  [2022, [
    'ALTER ANY EVENT SESSION ADD EVENT', 'ALTER ANY EVENT SESSION ADD TARGET', 'ALTER ANY EVENT SESSION DISABLE', 'ALTER ANY EVENT SESSION DROP EVENT',
    'ALTER ANY EVENT SESSION DROP TARGET', 'ALTER ANY EVENT SESSION ENABLE', 'ALTER ANY EVENT SESSION OPTION', 'CREATE ANY EVENT SESSION',
    'CREATE LOGIN', 'DROP ANY EVENT SESSION', 'VIEW ANY CRYPTOGRAPHICALLY SECURED DEFINITION', 'VIEW ANY ERROR LOG', 'VIEW ANY PERFORMANCE DEFINITION',
    'VIEW ANY SECURITY DEFINITION', 'VIEW SERVER PERFORMANCE STATE', 'VIEW SERVER SECURITY AUDIT', 'VIEW SERVER SECURITY STATE',
  ]],
];

/** Part of the permissions of a database. */
// oxfmt-ignore
const DATABASE_PERMISSIONS: readonly Since[] = [
  [2012, [
    'ALTER', 'BACKUP DATABASE', 'BACKUP LOG', 'CHECKPOINT', 'CONNECT', 'CONTROL', 'CREATE TABLE', 'EXECUTE', 'SELECT', 'INSERT', 'UPDATE', 'DELETE',
    'VIEW DATABASE STATE', 'VIEW DEFINITION',
  ]],
  [2014, ['ALTER ANY DATABASE EVENT SESSION']],
  [2022, [
    'ALTER ANY DATABASE EVENT SESSION ADD EVENT', 'ALTER ANY DATABASE EVENT SESSION ADD TARGET', 'ALTER ANY DATABASE EVENT SESSION DISABLE',
    'ALTER ANY DATABASE EVENT SESSION DROP EVENT', 'ALTER ANY DATABASE EVENT SESSION DROP TARGET', 'ALTER ANY DATABASE EVENT SESSION ENABLE',
    'ALTER ANY DATABASE EVENT SESSION OPTION', 'CREATE ANY DATABASE EVENT SESSION', 'DROP ANY DATABASE EVENT SESSION', 'VIEW DATABASE PERFORMANCE STATE',
    'VIEW DATABASE SECURITY STATE', 'VIEW PERFORMANCE DEFINITION', 'VIEW SECURITY DEFINITION',
  ]],
];

/**
 * For each permission another one that includes it, besides CONTROL SERVER and CONTROL. Microsoft Learn, "Permissions
 * (Database Engine)", and its poster. That no other one covers VIEW ANY ERROR LOG is not published: assumed, because it
 * is granted besides VIEW SERVER STATE.
 */
const COVERED_BY: Readonly<Record<string, string>> = {
  'CREATE ANY DATABASE': 'ALTER ANY DATABASE',
  'CREATE AVAILABILITY GROUP': 'ALTER ANY AVAILABILITY GROUP',
  'CREATE DDL EVENT NOTIFICATION': 'ALTER ANY EVENT NOTIFICATION',
  'CREATE TRACE EVENT NOTIFICATION': 'ALTER ANY EVENT NOTIFICATION',
  'CREATE ENDPOINT': 'ALTER ANY ENDPOINT',
  'CREATE LOGIN': 'ALTER ANY LOGIN',
  'CREATE SERVER ROLE': 'ALTER ANY SERVER ROLE',
  'EXTERNAL ACCESS ASSEMBLY': 'UNSAFE ASSEMBLY',
  'VIEW ANY DATABASE': 'VIEW ANY DEFINITION',
  'VIEW ANY PERFORMANCE DEFINITION': 'VIEW ANY DEFINITION',
  'VIEW ANY SECURITY DEFINITION': 'VIEW ANY DEFINITION',
  'VIEW SERVER STATE': 'ALTER SERVER STATE',
  'VIEW SERVER PERFORMANCE STATE': 'VIEW SERVER STATE',
  'VIEW SERVER SECURITY STATE': 'VIEW SERVER STATE',
  'VIEW DATABASE PERFORMANCE STATE': 'VIEW DATABASE STATE',
  'VIEW DATABASE SECURITY STATE': 'VIEW DATABASE STATE',
  'VIEW PERFORMANCE DEFINITION': 'VIEW DEFINITION',
  'VIEW SECURITY DEFINITION': 'VIEW DEFINITION',
};

/** For a permission of a database, the one of the server that includes it in every database. */
const CONTAINED_IN: Readonly<Record<string, string>> = {
  ALTER: 'ALTER ANY DATABASE',
  CONNECT: 'CONNECT ANY DATABASE',
  'VIEW DATABASE STATE': 'VIEW SERVER STATE',
  'VIEW DATABASE PERFORMANCE STATE': 'VIEW SERVER PERFORMANCE STATE',
  'VIEW DATABASE SECURITY STATE': 'VIEW SERVER SECURITY STATE',
  'VIEW DEFINITION': 'VIEW ANY DEFINITION',
  'VIEW PERFORMANCE DEFINITION': 'VIEW ANY PERFORMANCE DEFINITION',
  'VIEW SECURITY DEFINITION': 'VIEW ANY SECURITY DEFINITION',
};

const EVENT_SESSION_PART = /^(CREATE ANY|DROP ANY|ALTER ANY)( DATABASE)? EVENT SESSION( .+)?$/;

/** The permission of the same securable that includes this one; undefined if only CONTROL does. */
export function coverOf(permission: string): string | undefined {
  const [, verb, database = '', part] = EVENT_SESSION_PART.exec(permission) ?? [];
  if (verb !== undefined && (verb !== 'ALTER ANY' || part !== undefined))
    return `ALTER ANY${database} EVENT SESSION`;
  return COVERED_BY[permission];
}

export function containerOf(databasePermission: string): string | undefined {
  return EVENT_SESSION_PART.test(databasePermission)
    ? databasePermission.replace(' DATABASE', '')
    : CONTAINED_IN[databasePermission];
}

const CLASSIC: readonly Platform[] = ['windows', 'linux', 'managed-instance', 'rds'];

interface ServerRole {
  readonly permissions: readonly string[];
  readonly since?: Release;
  readonly on?: readonly Platform[];
}

/**
 * Microsoft Learn, "Server-level roles" and, for Azure SQL Database, "Azure SQL Database server roles for permission
 * management". In the order of sys.server_principals.
 */
// oxfmt-ignore
export const SERVER_ROLES: Readonly<Record<string, ServerRole>> = {
  sysadmin: { permissions: ['CONTROL SERVER'] },
  securityadmin: { permissions: ['ALTER ANY LOGIN'] },
  serveradmin: { permissions: ['ALTER ANY ENDPOINT', 'ALTER RESOURCES', 'ALTER SERVER STATE', 'ALTER SETTINGS', 'SHUTDOWN'] },
  setupadmin: { permissions: ['ALTER ANY LINKED SERVER'] },
  processadmin: { permissions: ['ALTER ANY CONNECTION', 'ALTER SERVER STATE'] },
  diskadmin: { permissions: ['ALTER RESOURCES'] },
  dbcreator: { permissions: ['CREATE ANY DATABASE', 'ALTER ANY DATABASE'] },
  bulkadmin: { permissions: ['ADMINISTER BULK OPERATIONS'] },
  '##MS_ServerStateReader##': { since: 2022, permissions: ['VIEW SERVER STATE'] },
  '##MS_ServerStateManager##': { since: 2022, permissions: ['ALTER SERVER STATE'] },
  '##MS_DefinitionReader##': { since: 2022, permissions: ['VIEW ANY DATABASE', 'VIEW ANY DEFINITION'] },
  '##MS_DatabaseConnector##': { since: 2022, permissions: ['CONNECT ANY DATABASE'] },
  '##MS_DatabaseManager##': { since: 2022, permissions: ['CREATE ANY DATABASE', 'ALTER ANY DATABASE'] },
  '##MS_LoginManager##': { since: 2022, permissions: ['CREATE LOGIN', 'ALTER ANY LOGIN'] },
  '##MS_SecurityDefinitionReader##': { since: 2022, permissions: ['VIEW ANY SECURITY DEFINITION'] },
  '##MS_PerformanceDefinitionReader##': { since: 2022, on: CLASSIC, permissions: ['VIEW ANY PERFORMANCE DEFINITION'] },
  '##MS_ServerSecurityStateReader##': { since: 2022, on: CLASSIC, permissions: ['VIEW SERVER SECURITY STATE'] },
  '##MS_ServerPerformanceStateReader##': { since: 2022, on: CLASSIC, permissions: ['VIEW SERVER PERFORMANCE STATE'] },
};

/** The fixed server roles of one server, without public. */
export function listServerRoles({ release, platform }: ServerDescription): readonly string[] {
  return Object.entries(SERVER_ROLES).flatMap(([name, { since = release, on = [platform] }]) =>
    since <= release && on.includes(platform) ? [name] : [],
  );
}

const upTo = (lists: readonly Since[], release: Release): ReadonlySet<string> =>
  new Set(lists.flatMap(([since, names]) => (since <= release ? names : [])));

export const listServerPermissions = (release: Release): ReadonlySet<string> =>
  upTo(SERVER_PERMISSIONS, release);
export const listDatabasePermissions = (release: Release): ReadonlySet<string> =>
  upTo(DATABASE_PERMISSIONS, release);
