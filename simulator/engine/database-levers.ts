import { formatMoment } from './clock';
import type { Database } from './databases';
import type { World } from './world';

/** What somebody else does to databases meanwhile: levers of tests, not statements. Not of databases in an availability group. */
export interface DatabaseLevers {
  drop(name: string): void;
  rename(name: string, to: string): void;
  /** Dropped, and another one created under its name at this moment, with model's target recovery time. */
  remake(name: string): void;
  /** A lock that ALTER DATABASE does not get (5061), or its end. */
  lock(name: string, isLocked?: boolean): void;
  /** Target recovery times by name, in seconds: the truth of the model. */
  targets(): ReadonlyMap<string, number>;
}

/** @throws Error for a database that is not there: a mistake of the test */
export function makeDatabaseLevers(world: World): DatabaseLevers {
  const { databases } = world;
  const find = (name: string): Database => {
    const database = databases.byName(name);
    if (database === undefined) throw new Error(`There is no database ${name}`);
    return database;
  };
  return {
    drop: (name) => databases.drop(find(name)),
    rename: (name, to) => databases.rename(find(name), to),
    remake: (name) => {
      const createdLocal = formatMoment(world.catchUp(), world.scenario.server.utcOffsetMinutes);
      databases.remake(find(name), createdLocal, databases.byName('model')?.targetRecoverySeconds ?? 0);
    },
    targets: () => new Map(databases.listed.map((database) => [database.name, database.targetRecoverySeconds])),
    lock: (name, isLocked = true) => void (find(name).isLocked = isLocked),
  };
}
