import { createCatalog } from './catalog/catalog';
import { databaseProperty, serverProperty } from './catalog/properties';
import type { VirtualClock } from './time/clock';
import {
  makeDatabaseLevers,
  openDatabase,
  runCheckpoint,
  setTargetRecoveryTime,
  switchDatabase,
} from './commands/database-commands';
import { makeEventSessions } from './commands/event-session-commands';
import type { Instance } from './interface/instance';
import type { RegisteredServer } from '../scenarios/scenario';
import { makeVersionText } from '../scenarios/host-system';
import type { Ledger } from './ledger/ledger';
import { type LoginDescription, findAdministrator } from './permissions/permissions-logins';
import { makeErrorLogs, makeSettings } from './commands/instance-commands';
import type { World } from './world/world';

type ClockControl = Pick<VirtualClock, 'advance' | 'pause' | 'resume' | 'setBack' | 'changeOffset'>;

/** An Instance with its ledger and its clock. */
export interface ModelledServer extends Instance, ClockControl {
  readonly ledger: Ledger;
  readonly serverName: string;
  readonly version: readonly [number, number, number];
  /** Every login that it knows. The first one, in RDS the one named admin, may do all that a customer may. */
  readonly logins: readonly LoginDescription[];
  readonly administrator: LoginDescription;
  /**
   * Stops writes to event files for this many virtual milliseconds from now. What sessions cannot buffer meanwhile is
   * lost.
   */
  stallEventFiles(durationMs: number): void;
  /**
   * Fills the volume of event files, or makes room there: no session with a file starts (25602). What a running session
   * does then is not published.
   */
  fillEventVolume(isFull?: boolean): void;
  /** Restarts the server in no time. Only event sessions, the creation of tempdb and the start time change. */
  restart(options?: { readonly isCrash?: boolean }): void;
  /** Servers that are registered here, as on a central management server; add some. */
  readonly registered: RegisteredServer[];
  /** What others do to its databases. */
  readonly databases: ReturnType<typeof makeDatabaseLevers>;
  readonly windowsDomain: string | undefined;
  authenticate(user: string, password: string): boolean;
  authenticateWindows(user: string, knows: (password: string) => boolean): boolean;
  findTokenLogin(token: string): LoginDescription | undefined;
  isLogin(user: string): boolean;
  /** What an administrator does to a SQL login's password. */
  changePassword(user: string, password: string): void;
  /** REVOKE of a server permission; GRANT with `isGranted`. */
  setGranted(user: string, permission: string, isGranted: boolean): void;
  /**
   * While it is set, every login fails with it: for example it is disabled or locked, its database is gone, or a
   * trigger ends it.
   */
  refusal: { readonly number: number; readonly message: string } | null;
  noteLogin(login: string, application: string, error: number | null): void;
}

/** Who may log in, and what a login may do. */
function letIn(world: World) {
  const { permissions, ledger, clock } = world;
  return {
    windowsDomain: permissions.windowsDomain,
    authenticate: (user, password) => permissions.authenticate(user, password),
    authenticateWindows: (user, knows) => permissions.authenticateWindows(user, knows),
    findTokenLogin: (token) => permissions.findTokenLogin(token),
    isLogin: (user) => permissions.isLogin(user),
    changePassword: (user, password) => permissions.changePassword(user, password),
    setGranted: (...change) => permissions.setGranted(...change),
    noteLogin: (login, application, error) =>
      ledger.loginSent({ atUtcMs: clock.nowUtcMs(), application, login, error }),
    hasPermission: (...question) => hasPermission(world, ...question),
    isServerRoleMember: (role, principal) => permissions.isServerRoleMember(role, principal.login),
    requireErrorLog: (procedure, { login }) => permissions.requireErrorLog(login, procedure),
  } satisfies Partial<ModelledServer>;
}

/** One server of a landscape, as T-SQL and tests see it. */
export function makeModelledServer(world: World): ModelledServer {
  const { clock, databases } = world;
  const { server } = world.scenario;
  const catalog = createCatalog(world);
  const [major, minor, build] = server.build.version;
  const now = <T>(act: (nowUs: number) => T): T => act(world.catchUp());
  return {
    serverName: server.name,
    version: [major, minor, build],
    platform: server.platform,
    release: server.release,
    versionText: makeVersionText(server),
    logins: world.permissions.logins,
    administrator: findAdministrator(server),
    clock,
    get ledger() {
      world.catchUp();
      return world.ledger;
    },
    advance: (durationMs) => {
      clock.advance(durationMs);
      world.catchUp();
    },
    pause: () => clock.pause(),
    resume: () => clock.resume(),
    ...makeLevers(world, now),
    ...letIn(world),
    refusal: null,
    relation: (database, schema, name, principal) =>
      catalog.findRelation({ kind: 'view', database, schema, name, args: [], principal }),
    tableFunction: (database, schema, name, args, principal) =>
      catalog.findRelation({ kind: 'function', database, schema, name, args, principal }),
    serverProperty: (name) => serverProperty(server, name),
    databaseProperty: (database, name) => databaseProperty(databases.byName(database), name),
    objectId: (database, schema, name) => catalog.findObjectId(database, schema, name),
    lacksObject: (schema, name) => catalog.lacks(schema, name),
    errorLog: () => now(() => world.errorLog.rows),
    findDatabase: (name) => databases.byName(name),
    openDatabase: (name, principal) => openDatabase(world, name, principal),
    switchDatabase: (name, principal) => switchDatabase(world, name, principal),
    databaseName: (id) => databases.byId(id)?.name,
    nameDatabase: (wanted, principal) => nameDatabase(world, wanted, principal),
    setTargetRecoveryTime: (database, seconds, principal) =>
      now((nowUs) => setTargetRecoveryTime(world, nowUs, database, seconds, principal)),
    checkpoint: (database, seconds, principal, signal) =>
      runCheckpoint(world, database, seconds, principal, signal),
    noteCommand: (command, application, { login }) =>
      world.ledger.commandGiven({ atUtcMs: clock.nowUtcMs(), application, login, command }),
    eventSessions: makeEventSessions(world),
    connectionEra: (database) => databases.byName(database)?.availability?.era ?? 0,
    settings: makeSettings(world),
    errorLogs: makeErrorLogs(world),
  };
}

function makeLevers(world: World, now: <T>(act: (nowUs: number) => T) => T) {
  return {
    registered: world.registered,
    setBack: (byMs) => world.clock.setBack(byMs),
    changeOffset: (byMinutes) => world.clock.changeOffset(byMinutes),
    stallEventFiles: (durationMs) => now((nowUs) => world.disk.stallUntil(nowUs + durationMs * 1000)),
    fillEventVolume: (isFull = true) => void (world.disk.isFull = isFull),
    restart: ({ isCrash = false } = {}) => now((nowUs) => restartServer(world, nowUs, isCrash)),
    databases: makeDatabaseLevers(world),
  } satisfies Partial<ModelledServer>;
}

function restartServer(world: World, nowUs: number, isCrash: boolean): void {
  world.uptime.startedUs = nowUs;
  world.databases.remakeTempdb(world.clock.localMoment(nowUs));
  world.sessions.restart(nowUs, nowUs, isCrash);
}

function nameDatabase(
  world: World,
  ...[wanted, principal]: Parameters<Instance['nameDatabase']>
): ReturnType<Instance['nameDatabase']> {
  const database = typeof wanted === 'number' ? world.databases.byId(wanted) : world.databases.byName(wanted);
  return database !== undefined && world.permissions.canName(principal, database) ? database : undefined;
}

/** HAS_PERMS_BY_NAME: an object's name may say which database it is in. */
function hasPermission(
  world: World,
  ...[securable, securableClass, permission, principal]: Parameters<Instance['hasPermission']>
): 0 | 1 | null {
  const parts = securableClass?.trim().toUpperCase() === 'OBJECT' ? (securable ?? '').split('.') : [];
  const object = parts[parts.length - 1]?.toLowerCase();
  const name = (object === undefined ? securable : parts[parts.length - 3]) ?? '';
  const database = world.databases.byName(name === '' ? principal.database : name);
  const asked = { login: principal.login, securableClass, permission, database };
  return world.permissions.hasPermission(object === undefined ? asked : { ...asked, object });
}
