import type { SqlError } from '../../tds/handler';
import type { DatabaseDescription, DatabaseState } from '../../scenarios/database';

/** What a database has on this server because it is joined to an availability group. */
interface AvailabilityPart {
  readonly replicaId: string;
  readonly groupDatabaseId: string;
  /** Whether it takes writes here: a primary does, unless it is a forwarder. */
  readonly isWritable: boolean;
  /** Rises whenever the server ends the connections that are in the database. */
  readonly era: number;
  /** Why a connection cannot be in it: 976, 978, 983; undefined if it can. */
  refuse(readOnlyIntent: boolean): SqlError | undefined;
}

/** Without a lever of a test, only its target recovery time and its role in an availability group ever change. */
export interface Database extends Omit<
  DatabaseDescription,
  'targetRecoverySeconds' | 'createdLocal' | 'name' | 'state'
> {
  targetRecoverySeconds: number;
  createdLocal: string;
  name: string;
  state: DatabaseState;
  /** Somebody holds a lock on it, so that ALTER DATABASE fails. */
  isLocked?: boolean;
  /** Absent if the database is in no group. */
  availability?: AvailabilityPart;
}

/** A key that is the same for two names if they are equal in the server's collation. */
export function foldName(name: string): string {
  return name.replace(/ +$/, '').toLowerCase();
}

const MB = 1_048_576;
/** A log has long grown to hold this many times what comes between two truncations. The model's choice. */
const SPARE = 1.6;
/** Size of the log file: as described, or larger if it had to grow. */
function logFileMb({ logMb, recoveryModel, workload }: DatabaseDescription): number {
  const { logRecordsPerSecond, logRecordsPerCheckpoint, bytesPerLogRecord, batch } = workload;
  if (logRecordsPerSecond === 0) return logMb;
  const jobs = batch === undefined ? 1 : 1 + ((batch.factor - 1) * batch.lengthMinutes) / batch.everyMinutes;
  const records =
    recoveryModel === 'SIMPLE' ? logRecordsPerCheckpoint * 2 : logRecordsPerSecond * jobs * 3600;
  return Math.max(logMb, 64 * Math.ceil((records * bytesPerLogRecord * SPARE) / MB / 64));
}

export type Databases = ReturnType<typeof createDatabases>;

export function createDatabases(descriptions: readonly DatabaseDescription[]) {
  const all: Database[] = descriptions
    .map((description) => ({ ...description, logMb: logFileMb(description) }))
    .sort((a, b) => a.id - b.id);
  const ids = new Map(all.map((database) => [database.id, database]));
  const names = new Map(all.map((database) => [foldName(database.name), database]));
  const dropped = new Set<Database>();
  let version = 1;
  return {
    all: all as readonly Database[],
    /** The databases that catalog views list: all, except through the listener of a contained availability group. */
    get listed(): readonly Database[] {
      return dropped.size === 0 ? all : all.filter((database) => !dropped.has(database));
    },
    /**
     * Rises with every change of a target recovery time, when tempdb is created, and with other changes of databases in
     * no availability group.
     */
    get version() {
      return version;
    },
    setTarget(database: Database, seconds: number): void {
      database.targetRecoverySeconds = seconds;
      version += 1;
    },
    /** Makes tempdb again, as each start of the server does. */
    remakeTempdb(createdLocal: string): void {
      const tempdb = names.get('tempdb');
      if (tempdb !== undefined) tempdb.createdLocal = createdLocal;
      version += 1;
    },
    /** From then on nobody finds it. Its workload goes on: the model does not stop it. */
    drop(database: Database): void {
      dropped.add(database);
      ids.delete(database.id);
      names.delete(foldName(database.name));
      // An offline database has no open files.
      database.state = 'OFFLINE';
      version += 1;
    },
    rename(database: Database, name: string): void {
      names.delete(foldName(database.name));
      database.name = name;
      names.set(foldName(name), database);
      version += 1;
    },
    /** Another database under its name and id, with another creation date. */
    remake(database: Database, createdLocal: string, targetSeconds: number): void {
      Object.assign(database, { createdLocal, targetRecoverySeconds: targetSeconds });
      version += 1;
    },
    byId: (id: number): Database | undefined => ids.get(id),
    /** Case-insensitive, trailing blanks ignored, as under SQL_Latin1_General_CP1_CI_AS. */
    byName: (name: string): Database | undefined => names.get(foldName(name)),
  };
}
