import { foldName, type Database, type Databases } from '../databases';
import type { World } from '../world';
import type { Group } from './group';

const MASTER = { id: 1, name: 'master' };
const MSDB = { id: 4, name: 'msdb' };

/**
 * A server as a connection through the listener of a contained group sees it: the group's own master and msdb under those names, with the ids of master and
 * msdb, and in sys.databases nothing but tempdb and the group's databases; other databases are there by name. That msdb has its id too is the model's choice.
 * Microsoft Learn, "What is a contained availability group?".
 */
export function makeContainedWorld(world: World, group: Group): World {
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
  const system = [rename(masterName(group), MASTER), all.byName('tempdb'), rename(msdbName(group), MSDB)].filter(
    (each) => each !== undefined,
  );
  const own = new Set([masterName(group), msdbName(group)].map(foldName));
  const members = new Set(group.databases.map(({ name }) => foldName(name)));
  const users = all.all.filter(({ name }) => members.has(foldName(name)) && !own.has(foldName(name)));
  const byName = new Map(system.map((database) => [foldName(database.name), database]));
  const byId = new Map(system.map((database) => [database.id, database]));
  return {
    all: all.all,
    listed: [...system, ...users].sort((a, b) => a.id - b.id),
    get version() {
      return all.version;
    },
    setTarget: (database, seconds) => all.setTarget(database, seconds),
    remakeTempdb: (createdLocal) => all.remakeTempdb(createdLocal),
    drop: (database) => all.drop(database),
    rename: (database, name) => all.rename(database, name),
    remake: (database, createdLocal, targetSeconds) => all.remake(database, createdLocal, targetSeconds),
    byName: (name) => byName.get(foldName(name)) ?? all.byName(name),
    byId: (id) => byId.get(id) ?? all.byId(id),
  };
}

/** The same database under another name and id: what changes in one changes in the other. */
function renameDatabase(database: Database, as: typeof MASTER): Database {
  return new Proxy(database, {
    get: (target, key) => (key === 'id' ? as.id : key === 'name' ? as.name : Reflect.get(target, key)),
    set: (target, key, value) => Reflect.set(target, key, value),
  });
}
