import type { ServerDescription } from '../../scenarios/scenario';
import type { SqlError } from '../../tds/handler';
import type { Database } from '../databases/databases';
import { errors } from '../interface/errors';
import type { Principal } from '../interface/instance';
import {
  containerOf,
  coverOf,
  listDatabasePermissions,
  listServerPermissions,
  listServerRoles,
  SERVER_ROLES,
} from './permissions-catalog';
import { listLogins, type LoginDescription } from './permissions-logins';

/**
 * What a statement does to an event session. Since 2022 each needs its own permission; before, ALTER ANY EVENT SESSION
 * allows all.
 */
// oxfmt-ignore
export type EventSessionAction = 'create' | 'drop' | 'option' | 'add event' | 'drop event' | 'add target' | 'drop target' | 'enable' | 'disable';

/** What a management view tells. Since 2022 each needs its own permission; before, both need VIEW SERVER STATE. */
type StateKind = 'PERFORMANCE' | 'SECURITY';

type Named = Pick<Database, 'id' | 'name'>;

interface PermissionQuestion {
  readonly login: string;
  /** SERVER, DATABASE or OBJECT in any case; null is the server. */
  readonly securableClass: string | null;
  readonly permission: string | null;
  readonly database: Named | undefined;
  readonly object?: string;
}

/** Databases that guest may use, and so every login. */
const GUEST_DATABASES = ['master', 'tempdb', 'msdb', 'rdsadmin'];
const SYSTEM_DATABASES = [...GUEST_DATABASES, 'model'];
const PUBLIC = ['CONNECT SQL', 'VIEW ANY DATABASE'];

/** Who may do what on one server. Its release and platform decide which permissions and roles there are. */
export class Permissions {
  logins: readonly LoginDescription[];
  /** NetBIOS name of the domain that the server is in; undefined in Azure, where there are no Windows logins. */
  readonly windowsDomain: string | undefined;
  private readonly answers = new Map<string, boolean>();
  private readonly changedPasswords = new Map<string, string>();
  private readonly isAzure: boolean;
  private readonly roles: readonly string[];
  private readonly serverPermissions: ReadonlySet<string>;
  private readonly databasePermissions: ReadonlySet<string>;

  constructor(private readonly server: ServerDescription) {
    this.logins = listLogins(server);
    this.isAzure = server.platform === 'azure-sql-database';
    this.windowsDomain = this.isAzure || server.platform === 'managed-instance' ? undefined : 'CONTOSO';
    this.roles = listServerRoles(server);
    this.serverPermissions = listServerPermissions(server.release);
    this.databasePermissions = listDatabasePermissions(server.release);
  }

  /** Whether a SQL login has this password; false for a Windows login. */
  authenticate(user: string, password: string): boolean {
    const found = this.find(user);
    if (
      found === undefined ||
      found.accessToken !== undefined ||
      (found.isWindows === true && this.windowsDomain !== undefined)
    )
      return false;
    return (this.changedPasswords.get(found.name) ?? found.password) === password;
  }

  /** ALTER LOGIN ... WITH PASSWORD, of a SQL login. */
  changePassword(user: string, password: string): void {
    this.changedPasswords.set(user, password);
  }

  /** GRANT or REVOKE of a server permission. */
  setGranted(user: string, permission: string, isGranted: boolean): void {
    const change = (login: LoginDescription): LoginDescription => {
      const others = login.granted.filter((each) => each !== permission);
      return { ...login, granted: isGranted ? [...others, permission] : others };
    };
    this.logins = this.logins.map((login) => (login.name === user ? change(login) : login));
    this.answers.clear();
  }

  /** The same for a Windows login. @param knows whether its client has proved that it knows that password */
  authenticateWindows(user: string, knows: (password: string) => boolean): boolean {
    const found = this.find(user);
    return found?.isWindows === true && this.windowsDomain !== undefined && knows(found.password);
  }

  /** The login that has this access token. */
  findTokenLogin(token: string): LoginDescription | undefined {
    return this.logins.find(({ accessToken }) => accessToken === token);
  }

  isLogin(user: string): boolean {
    return this.find(user) !== undefined;
  }

  /** IS_SRVROLEMEMBER: null for a role that this server does not know. */
  isServerRoleMember(role: string, login: string): 0 | 1 | null {
    const wanted = role.trim().toLowerCase();
    const known = this.roles.find((each) => each.toLowerCase() === wanted);
    if (known === undefined) return wanted === 'public' ? 1 : null;
    const found = this.find(login);
    // The server admin of Azure SQL Database is in no classic role.
    return found !== undefined &&
      this.rolesOf(found).includes(known) &&
      !(this.isAzure && known === 'sysadmin')
      ? 1
      : 0;
  }

  /**
   * Whether a login holds a server permission: by grant, by role, through public, or because it holds one that covers
   * it.
   */
  holds(login: string, permission: string): boolean {
    // Kept, because grants rarely change here and sys.databases asks for each of thousands of databases.
    const key = `${login}\n${permission}`;
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const answer = this.findServerPermission(login, permission);
    this.answers.set(key, answer);
    return answer;
  }

  private findServerPermission(login: string, permission: string): boolean {
    const found = this.find(login);
    if (found === undefined || !this.serverPermissions.has(permission)) return false;
    if (found.roles.includes('sysadmin')) return true;
    const covers = listCovers(permission, 'CONTROL SERVER');
    if (covers.some((each) => found.denied?.includes(each))) return false;
    const granted = [
      ...PUBLIC,
      ...(this.isAzure ? [] : found.granted),
      ...this.rolesOf(found).flatMap((role) => SERVER_ROLES[role]?.permissions ?? []),
    ];
    return covers.some((each) => granted.includes(each));
  }

  /** The same for a permission of a database. */
  holdsIn(login: string, database: Named, permission: string): boolean {
    const found = this.find(login);
    if (found === undefined || !this.databasePermissions.has(permission)) return false;
    if (found.roles.includes('sysadmin') || this.isOwner(found, database)) return true;
    const covers = listCovers(permission, 'CONTROL');
    if (covers.some((each) => this.holds(login, containerOf(each) ?? 'CONTROL SERVER'))) return true;
    if (permission === 'CONNECT' && GUEST_DATABASES.includes(database.name)) return true;
    return this.userPermissions(found, database).some((each) => covers.includes(each));
  }

  /** Whether USE would let the login in. */
  canOpen(login: string, database: Named): boolean {
    return this.holdsIn(login, database, 'CONNECT');
  }

  /** Whether sys.databases shows the database. */
  canSee(principal: Principal, database: Pick<Database, 'id' | 'name' | 'state'>): boolean {
    const { login } = principal;
    const isCurrent = database.name === principal.database;
    if (this.isAzure && database.name === 'tempdb') return false;
    // Azure SQL Database shows every database only in master. Microsoft Learn, "sys.databases".
    if (this.isAzure && principal.database !== 'master') return isCurrent || database.name === 'master';
    const isOwn = this.ownerOf(database)?.name.toLowerCase() === login.toLowerCase();
    if (database.state === 'OFFLINE') return isOwn || this.holds(login, 'ALTER ANY DATABASE');
    if (isCurrent || isOwn || database.name === 'master' || database.name === 'tempdb') return true;
    return this.holds(login, 'VIEW ANY DATABASE') || this.holds(login, 'ALTER ANY DATABASE');
  }

  /** Whether DB_ID and DB_NAME know it. Microsoft Learn, "DB_ID": what sys.databases shows, and tempdb everywhere. */
  canName(principal: Principal, database: Pick<Database, 'id' | 'name' | 'state'>): boolean {
    return database.name === 'tempdb' || this.canSee(principal, database);
  }

  /** The login that owns the database, if it is not sa. */
  ownerOf(database: Named): LoginDescription | undefined {
    return this.logins.find(({ ownsDatabaseId }) => ownsDatabaseId === database.id);
  }

  /**
   * HAS_PERMS_BY_NAME: null for what this release does not know. The database is the securable, or the one that the
   * object is in. `ANY` asks whether there is any permission at all.
   */
  hasPermission({ login, securableClass, permission, database, object }: PermissionQuestion): 0 | 1 | null {
    if (permission === null) return null;
    const wanted = permission.trim().toUpperCase();
    const kind = (securableClass ?? 'SERVER').trim().toUpperCase();
    const answer = (isKnown: boolean, isHeld: () => boolean): 0 | 1 | null =>
      wanted === 'ANY' ? 1 : !isKnown ? null : isHeld() ? 1 : 0;
    if (kind === 'SERVER') return answer(this.serverPermissions.has(wanted), () => this.holds(login, wanted));
    if ((kind !== 'DATABASE' && kind !== 'OBJECT') || database === undefined) return null;
    if (wanted === 'ANY') return this.canOpen(login, database) ? 1 : 0;
    if (kind === 'OBJECT' && wanted === 'EXECUTE' && object !== undefined)
      return answer(true, () => this.mayExecute(login, object) || this.holdsIn(login, database, wanted));
    return answer(this.databasePermissions.has(wanted), () => this.holdsIn(login, database, wanted));
  }

  /**
   * Checks the permission for dynamic management views and functions. The database is that of the session.
   * @throws SqlError 300 (Azure SQL Database: 262), followed by 297 as the server does (ChainedSqlError)
   */
  requireState(login: string, kind: StateKind, database: Named): void {
    if (this.isAzure) {
      const permission = `VIEW DATABASE ${kind} STATE`;
      if (!this.holdsIn(login, database, permission))
        throw errors.viewDatabaseStateDenied(permission, database.name);
      return;
    }
    const permission = this.server.release >= 2022 ? `VIEW SERVER ${kind} STATE` : 'VIEW SERVER STATE';
    if (!this.holds(login, permission)) throw errors.viewServerStateDenied(permission);
  }

  /**
   * For an event session ON DATABASE, name the database.
   * @throws `refused`: 15247 for a new session; to alter or drop one gives 15151, as if it were not there
   */
  requireEventSession(login: string, action: EventSessionAction, refused: SqlError, database?: Named): void {
    const kind = database === undefined ? 'EVENT SESSION' : 'DATABASE EVENT SESSION';
    const whole = `ALTER ANY ${kind}`;
    const [verb, rest] = action === 'create' || action === 'drop' ? [action, ''] : ['alter', ` ${action}`];
    const permission = this.server.release >= 2022 ? `${verb} ANY ${kind}${rest}`.toUpperCase() : whole;
    const isHeld =
      database === undefined ? this.holds(login, permission) : this.holdsIn(login, database, permission);
    if (!isHeld) throw refused;
  }

  /**
   * sp_readerrorlog, xp_readerrorlog, sp_enumerrorlogs or rds_read_error_log.
   * @throws SqlError 27219 (before 2022: 15003) from the procedures that check, 229 from the one that needs EXECUTE
   */
  requireErrorLog(login: string, procedure: string): void {
    if (this.holds(login, 'CONTROL SERVER')) return;
    // In RDS one uses Amazon's own procedure. Whether and how the others are refused there is not published.
    if (procedure === 'rds_read_error_log') return;
    if (procedure === 'xp_readerrorlog' || this.server.platform === 'rds') {
      if (!this.mayExecute(login, 'xp_readerrorlog'))
        throw errors.executeDenied('xp_readerrorlog', 'mssqlsystemresource', 'sys');
      return;
    }
    if (this.isServerRoleMember('securityadmin', login) === 1) return;
    const isModern = this.server.release >= 2022;
    if (
      procedure === 'sp_readerrorlog' &&
      this.holds(login, isModern ? 'VIEW ANY ERROR LOG' : 'VIEW SERVER STATE')
    )
      return;
    throw isModern ? errors.callerMayNotExecute() : errors.onlyRoleMayExecute('securityadmin');
  }

  private find(login: string): LoginDescription | undefined {
    const wanted = login.toLowerCase();
    return this.logins.find((each) => each.name.toLowerCase() === wanted);
  }

  private rolesOf(login: LoginDescription): readonly string[] {
    const roles = this.isAzure
      ? [...login.roles.filter((role) => role === 'sysadmin'), ...(login.azure?.roles ?? [])]
      : login.roles;
    return roles.filter((role) => this.roles.includes(role));
  }

  private isOwner(login: LoginDescription, { id, name }: Named): boolean {
    if (SYSTEM_DATABASES.includes(name)) return false;
    if (login.ownsDatabaseId === id || login.isDbOwnerOf === 'all') return true;
    return login.isDbOwnerOf === 'a quarter' && id % 4 === 1;
  }

  private userPermissions(login: LoginDescription, database: Named): readonly string[] {
    const granted = login.azure?.grantedInDatabases ?? [];
    return this.isAzure && granted.length > 0 && database.name !== 'master' ? ['CONNECT', ...granted] : [];
  }

  /** Public may execute system procedures, but not the extended ones that read files. */
  private mayExecute(login: string, procedure: string): boolean {
    return /^(rds|sp)_/.test(procedure) || this.find(login)?.executes?.includes(procedure) === true;
  }
}

/** The permission itself and all that include it, widest last. */
function listCovers(permission: string, control: string): readonly string[] {
  const covers = [permission];
  for (let next = coverOf(permission); next !== undefined; next = coverOf(next)) covers.push(next);
  return permission === control ? covers : [...covers, control];
}
