import type { ServerDescription } from '../../scenarios/scenario';

/** A login of the modelled server. The passwords are public: it listens to this machine only and holds nothing. */
export interface LoginDescription {
  readonly name: string;
  readonly password: string;
  /** What it shows, in one phrase. */
  readonly purpose: string;
  /** Server roles besides public. */
  readonly roles: readonly string[];
  /** Server permissions granted, except those that a release does not know. Azure SQL Database has none to grant. */
  readonly granted: readonly string[];
  readonly denied?: readonly string[];
  /** Procedures of master that it may execute by name, beyond what public may. */
  readonly executes?: readonly string[];
  /** The user databases where it is in the role db_owner: every fourth, or all. */
  readonly isDbOwnerOf?: 'a quarter' | 'all';
  /** It owns this database, so it is dbo there. */
  readonly ownsDatabaseId?: number;
  /** Only in Azure SQL Database: server roles, and permissions as a user of every user database. */
  readonly azure?: { readonly roles: readonly string[]; readonly grantedInDatabases: readonly string[] };
  /**
   * A Windows login: its name has a domain, and the password is that of the domain. Azure has none: there it is a SQL
   * login of that name.
   */
  readonly isWindows?: boolean;
  /** The token of a Microsoft Entra login, instead of a password. */
  readonly accessToken?: string;
}

const PASSWORD = 'Str0ng!Passw0rd';
const STATE_READER = {
  roles: ['##MS_ServerStateReader##', '##MS_DefinitionReader##', '##MS_DatabaseConnector##'],
  grantedInDatabases: [],
};

const make = (name: string, purpose: string, own: Partial<LoginDescription>): LoginDescription => ({
  name,
  password: PASSWORD,
  purpose,
  roles: [],
  granted: [],
  ...own,
});

/** The first is the administrator: sysadmin, and in Azure SQL Database the server admin. */
export const LOGINS: readonly LoginDescription[] = [
  make('dba', 'may do everything', { roles: ['sysadmin'] }),
  make('viewer', 'sees all and changes nothing', {
    granted: ['VIEW SERVER STATE', 'VIEW ANY DEFINITION'],
    azure: STATE_READER,
  }),
  make('reader', 'has what public has', {}),
  make('operator', 'watches the server and runs event sessions, without definitions', {
    granted: ['VIEW SERVER STATE', 'ALTER ANY EVENT SESSION'],
    azure: { roles: [], grantedInDatabases: ['VIEW DATABASE STATE', 'ALTER ANY DATABASE EVENT SESSION'] },
  }),
  make('session-creator', 'creates event sessions that it cannot start: nothing before 2022', {
    granted: ['CREATE ANY EVENT SESSION'],
    azure: { roles: [], grantedInDatabases: ['CREATE ANY DATABASE EVENT SESSION'] },
  }),
  make('performance', 'sees performance and nothing of security: nothing before 2022', {
    granted: ['VIEW SERVER PERFORMANCE STATE'],
    azure: { roles: [], grantedInDatabases: ['VIEW DATABASE PERFORMANCE STATE'] },
  }),
  make('owner', 'db_owner of a quarter of the databases, nobody elsewhere', { isDbOwnerOf: 'a quarter' }),
  make('security', 'reads the error log as securityadmin and no management view', {
    roles: ['securityadmin'],
  }),
  make('errorlog', 'reads the error log by the permission that 2022 brought', {
    granted: ['VIEW ANY ERROR LOG'],
  }),
  make('logreader', 'reads the error log by EXECUTE on xp_readerrorlog alone', {
    executes: ['xp_readerrorlog'],
  }),
  make('blind', 'is denied VIEW ANY DATABASE: sees master, tempdb and the one database that it owns', {
    denied: ['VIEW ANY DATABASE'],
    ownsDatabaseId: 6,
  }),
  make('CONTOSO\\svc-monitor', 'a service account with a domain in its name, as monitoring tools have', {
    granted: ['VIEW SERVER STATE', 'VIEW ANY DEFINITION', 'ALTER ANY EVENT SESSION'],
    azure: STATE_READER,
    isWindows: true,
  }),
];

/**
 * A Microsoft Entra login: SQL Server has them since 2022, Azure always (Microsoft Learn, "Microsoft Entra
 * authentication for SQL Server"). Its token never ends: the model's choice.
 */
export const ENTRA_LOGIN = make('svc-monitor@contoso.com', 'a service account of Microsoft Entra', {
  password: '',
  accessToken: 'access-token-of-svc-monitor',
  granted: ['VIEW SERVER STATE', 'VIEW ANY DEFINITION', 'ALTER ANY EVENT SESSION'],
  azure: STATE_READER,
});

/**
 * The login that Amazon RDS gives the customer, without sysadmin. Amazon keeps dba.
 * Amazon RDS User Guide, "Microsoft SQL Server security" and "Master user account privileges".
 */
const RDS_MASTER_USER = make('admin', 'the master user of Amazon RDS', {
  roles: ['processadmin', 'setupadmin'],
  // oxfmt-ignore
  granted: [
    'ADMINISTER BULK OPERATIONS', 'ALTER ANY CONNECTION', 'ALTER ANY CREDENTIAL', 'ALTER ANY EVENT SESSION', 'ALTER ANY LINKED SERVER', 'ALTER ANY LOGIN',
    'ALTER ANY SERVER AUDIT', 'ALTER ANY SERVER ROLE', 'ALTER SERVER STATE', 'ALTER TRACE', 'CREATE ANY DATABASE', 'VIEW ANY DATABASE',
    'VIEW ANY DEFINITION', 'VIEW SERVER STATE',
  ],
  isDbOwnerOf: 'all',
});

export function listLogins(server: ServerDescription): readonly LoginDescription[] {
  if (server.platform === 'rds') return [...LOGINS, RDS_MASTER_USER];
  return server.release >= 2022 || server.platform !== 'windows' ? [...LOGINS, ENTRA_LOGIN] : LOGINS;
}

/** The login that may do everything that a customer of this platform may. */
export function findAdministrator(server: ServerDescription): LoginDescription {
  return server.platform === 'rds' ? RDS_MASTER_USER : (LOGINS[0] as LoginDescription);
}
