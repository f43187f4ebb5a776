import type { Group } from './availability/group';
import { foldName, type Database, type Databases } from './databases/databases';
import { makeModelledServer, type ModelledServer } from './modelled-server';
import type { World } from './world/world';

const MASTER = { id: 1, name: 'master' };
const MSDB = { id: 4, name: 'msdb' };

/** A server as connections through the listener of a contained group see it. */
export interface ContainedServer {
  readonly group: Group;
  readonly server: ModelledServer;
}

/** Makes one for each replica of each contained group: any of them may become the primary. */
export function makeContainedServers(
  groups: readonly Group[],
  worlds: readonly World[],
): readonly ContainedServer[] {
  return groups
    .filter(({ kind }) => kind === 'contained')
    .flatMap((group) =>
      group.replicas.flatMap(({ description }) => {
        const world = worlds.find(({ scenario }) => scenario.server.name === description.server);
        return world === undefined
          ? []
          : [{ group, server: contain(makeModelledServer(makeContainedWorld(world, group)), world) }];
      }),
    );
}

/**
 * The group's msdb is empty, and only logins of sysadmin exist (Microsoft Learn, "What is a contained availability
 * group?", Contained system databases).
 */
function contain(server: ModelledServer, world: World): ModelledServer {
  const isThere = (user: string): boolean => world.permissions.isServerRoleMember('sysadmin', user) === 1;
  const own: Partial<ModelledServer> = {
    authenticate: (user, password) => server.authenticate(user, password) && isThere(user),
    authenticateWindows: (user, knows) => server.authenticateWindows(user, knows) && isThere(user),
    findTokenLogin: (token) =>
      [server.findTokenLogin(token)].find((login) => login !== undefined && isThere(login.name)),
    relation(database, schema, name, principal) {
      const found = server.relation(database, schema, name, principal);
      return database === 'msdb' && schema === 'dbo' && found !== undefined
        ? { ...found, rows: () => [] }
        : found;
    },
  };
  return Object.assign(Object.create(server) as ModelledServer, own);
}

/**
 * A server as a connection through the listener of a contained group sees it. master and msdb are the group's own, with
 * the usual ids (for msdb the model's choice). sys.databases lists only these, tempdb and the group's databases; other
 * databases can be used by name. Microsoft Learn, "What is a contained availability group?".
 */
function makeContainedWorld(world: World, group: Group): World {
  const databases = containDatabases(world.databases, group);
  const works = new Map(world.works);
  for (const [name, { id }] of [
    [masterName(group), MASTER],
    [msdbName(group), MSDB],
  ] as const) {
    const own = world.databases.byName(name);
    const work = own === undefined ? undefined : world.works.get(own.id);
    if (work !== undefined) works.set(id, work);
  }
  return { ...world, databases, works };
}

const masterName = (group: Group): string => `${group.name}_master`;
const msdbName = (group: Group): string => `${group.name}_msdb`;

function containDatabases(all: Databases, group: Group): Databases {
  const rename = (name: string, as: typeof MASTER): Database | undefined => {
    const own = all.byName(name);
    return own === undefined ? undefined : renameDatabase(own, as);
  };
  const system = [
    rename(masterName(group), MASTER),
    all.byName('tempdb'),
    rename(msdbName(group), MSDB),
  ].filter((each) => each !== undefined);
  const ownNames = new Set([masterName(group), msdbName(group)].map(foldName));
  const members = new Set(group.databases.map(({ name }) => foldName(name)));
  const users = all.all.filter(({ name }) => members.has(foldName(name)) && !ownNames.has(foldName(name)));
  const byName = new Map(system.map((database) => [foldName(database.name), database]));
  const byId = new Map(system.map((database) => [database.id, database]));
  const own = {
    listed: [...system, ...users].sort((a, b) => a.id - b.id),
    byName: (name: string) => byName.get(foldName(name)) ?? all.byName(name),
    byId: (id: number) => byId.get(id) ?? all.byId(id),
  };
  return Object.create(all, Object.getOwnPropertyDescriptors(own)) as Databases;
}

/** The same database under another name and id: what changes in one changes in the other. */
function renameDatabase(database: Database, as: typeof MASTER): Database {
  return new Proxy(database, {
    get: (target, key) => (key === 'id' ? as.id : key === 'name' ? as.name : Reflect.get(target, key)),
    set: (target, key, value) => Reflect.set(target, key, value),
  });
}
