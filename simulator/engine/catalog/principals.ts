import type { World } from '../world/world';
import { listServerRoles } from '../permissions/permissions-catalog';
import { CONSTANT, view, type CatalogObject } from './object';
import { INSTANCES } from '../../scenarios/platform';
import { listSentences, type Sentence } from '../error-log/messages';
import {
  bit,
  char,
  datetime,
  field,
  int,
  need,
  nvarchar,
  since,
  smallint,
  sysname,
  tinyint,
  uniqueidentifier,
  varbinary,
  type Field,
} from './relation';

interface ServerPrincipal {
  readonly name: string;
  readonly id: number;
  readonly isRole: boolean;
  readonly isWindows?: boolean;
  readonly isExternal?: boolean;
}

const FIRST_LOGIN_ID = 259;
const CREATED = '2019-11-04T09:12:51.437';

function listPrincipals({ scenario, permissions }: World): readonly ServerPrincipal[] {
  return [
    { name: 'sa', id: 1, isRole: false },
    { name: 'public', id: 2, isRole: true },
    ...listServerRoles(scenario.server).map((name, i) => ({ name, id: 3 + i, isRole: true })),
    ...permissions.logins.map(({ name, isWindows = false, accessToken }, i) => ({
      name,
      id: FIRST_LOGIN_ID + i,
      isRole: false,
      isWindows,
      isExternal: accessToken !== undefined,
    })),
  ];
}

/** 0x01 for sa, its number for a fixed role, else 16 bytes. */
function makeSid({ id }: { readonly id: number }): Uint8Array {
  if (id < FIRST_LOGIN_ID) return Uint8Array.of(id);
  return Uint8Array.from({ length: 16 }, (_, i) => (id * 131 + i * 29) & 255);
}

/** sys.databases.owner_sid: here sa, unless a login owns the database. */
export function ownerSid({ permissions }: World, database: { readonly id: number; readonly name: string }): Uint8Array {
  const owner = permissions.ownerOf(database);
  return makeSid({ id: owner === undefined ? 1 : FIRST_LOGIN_ID + permissions.logins.indexOf(owner) });
}

function typeOf({ isRole, isWindows, isExternal }: ServerPrincipal): readonly [string, string] {
  if (isRole) return ['R', 'SERVER_ROLE'];
  if (isExternal === true) return ['E', 'EXTERNAL_LOGIN'];
  return isWindows === true ? ['U', 'WINDOWS_LOGIN'] : ['S', 'SQL_LOGIN'];
}

/** Microsoft Learn, "sys.server_principals". */
const FIELDS: readonly Field<ServerPrincipal>[] = [
  need('name', sysname, (p) => p.name),
  need('principal_id', int, (p) => p.id),
  field('sid', varbinary(85), makeSid),
  need('type', char(1), (p) => typeOf(p)[0]),
  field('type_desc', nvarchar(60), (p) => typeOf(p)[1]),
  field('is_disabled', bit, (p) => p.name === 'sa'),
  need('create_date', datetime, () => CREATED),
  need('modify_date', datetime, () => CREATED),
  field('default_database_name', sysname, (p) => (p.isRole ? null : 'master')),
  field('default_language_name', sysname, (p) => (p.isRole ? null : 'us_english')),
  field('credential_id', int, () => null),
  field('owning_principal_id', int, (p) => (p.isRole ? 1 : null)),
  need('is_fixed_role', bit, (p) => p.isRole && p.name !== 'public'),
  // Seen on 2025; published definitions of the view have the same for 2022.
  ...since(
    2022,
    field('tenant_id', uniqueidentifier, (p: ServerPrincipal) => (p.isRole ? null : '00000000-0000-0000-0000-000000000000')),
  ),
];

/** Microsoft Learn, "sys.messages". */
const MESSAGE_FIELDS: readonly Field<Sentence>[] = [
  need('message_id', int, (m) => m.id),
  need('language_id', smallint, (m) => m.languageId),
  need('severity', tinyint, () => 10),
  need('is_event_logged', bit, () => true),
  need('text', nvarchar(2048), (m) => m.text),
];

interface Session {
  readonly id: number;
  readonly login: string;
  readonly database: number;
  readonly isUser: boolean;
}

const EPOCH = '1900-01-01T00:00:00.000';
const off = (name: string): Field<Session> => need(name, bit, () => false);
const on = (name: string): Field<Session> => need(name, bit, (s) => s.isUser);
const zero = (name: string): Field<Session> => need(name, int, () => 0);
const none = (name: string, length: number): Field<Session> => field(name, nvarchar(length), () => null);
const big = (name: string): Field<Session> => need(name, { name: 'bigint' }, () => 0n);

/** Microsoft Learn, "sys.dm_exec_sessions". The model shows the two checkpointing tasks and the session that asks, no other clients. */
const SESSION_FIELDS: readonly Field<Session>[] = [
  need('session_id', smallint, (s) => s.id),
  need('login_time', datetime, () => EPOCH),
  none('host_name', 128),
  none('program_name', 128),
  field('host_process_id', int, () => null),
  field('client_version', int, () => null),
  none('client_interface_name', 32),
  need('security_id', varbinary(85), () => Uint8Array.of(1)),
  need('login_name', nvarchar(128), (s) => s.login),
  none('nt_domain', 128),
  none('nt_user_name', 128),
  need('status', nvarchar(30), (s) => (s.isUser ? 'running' : 'sleeping')),
  field('context_info', varbinary(128), () => null),
  zero('cpu_time'),
  zero('memory_usage'),
  zero('total_scheduled_time'),
  zero('total_elapsed_time'),
  zero('endpoint_id'),
  need('last_request_start_time', datetime, () => EPOCH),
  field('last_request_end_time', datetime, () => null),
  big('reads'),
  big('writes'),
  big('logical_reads'),
  need('is_user_process', bit, (s) => s.isUser),
  zero('text_size'),
  field('language', nvarchar(128), () => 'us_english'),
  field('date_format', nvarchar(3), () => 'mdy'),
  need('date_first', smallint, () => 7),
  on('quoted_identifier'),
  off('arithabort'),
  on('ansi_null_dflt_on'),
  off('ansi_defaults'),
  on('ansi_warnings'),
  on('ansi_padding'),
  on('ansi_nulls'),
  on('concat_null_yields_null'),
  need('transaction_isolation_level', smallint, () => 2),
  need('lock_timeout', int, () => -1),
  zero('deadlock_priority'),
  big('row_count'),
  zero('prev_error'),
  need('original_security_id', varbinary(85), () => Uint8Array.of(1)),
  need('original_login_name', nvarchar(128), (s) => s.login),
  field('last_successful_logon', datetime, () => null),
  field('last_unsuccessful_logon', datetime, () => null),
  field('unsuccessful_logons', { name: 'bigint' }, () => null),
  need('group_id', int, (s) => (s.isUser ? 2 : 1)),
  need('database_id', smallint, (s) => s.database),
  field('authenticating_database_id', int, () => 1),
  zero('open_transaction_count'),
  ...since(2019, big('page_server_reads')),
  ...since(
    2022,
    field('contained_availability_group_id', uniqueidentifier, () => null),
  ),
];

export const PRINCIPAL_OBJECTS: readonly CatalogObject[] = [
  // Everyone sees their own login, sa and the roles; other logins need VIEW ANY DEFINITION.
  view(
    'sys.server_principals',
    FIELDS,
    (world, { principal: { login } }) =>
      world.permissions.holds(login, 'VIEW ANY DEFINITION')
        ? listPrincipals(world)
        : listPrincipals(world).filter((each) => each.isRole || each.name === 'sa' || each.name.toLowerCase() === login.toLowerCase()),
    { ...CONSTANT, presence: { on: INSTANCES } },
  ),
  view('sys.messages', MESSAGE_FIELDS, ({ scenario: { server } }) => listSentences(server), CONSTANT),
  // Everyone sees their own session; to see all takes VIEW SERVER STATE.
  view('sys.dm_exec_sessions', SESSION_FIELDS, (world, { principal }) => {
    const own = { id: principal.spid, login: principal.login, database: world.databases.byName(principal.database)?.id ?? 1, isUser: true };
    const permission = world.scenario.server.release >= 2022 ? 'VIEW SERVER PERFORMANCE STATE' : 'VIEW SERVER STATE';
    if (!world.permissions.holds(principal.login, permission)) return [own];
    return [
      ...world.backgroundTasks.map((task) => ({ id: task.sessionId, login: 'sa', database: task.contextDatabaseId, isUser: false })),
      own,
    ];
  }),
];
