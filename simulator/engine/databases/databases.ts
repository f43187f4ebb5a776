import type { SqlError } from '../../tds/handler';
import type { DatabaseDescription, DatabaseState } from '../../scenarios/database';

/** What being joined to an availability group makes of a database on this server. */
interface AvailabilityPart {
  readonly replicaId: string;
  readonly groupDatabaseId: string;
  /** Here it is written: the primary, unless it only forwards what another primary writes. */
  readonly isWritable: boolean;
  /** Rises whenever the server ends the connections that are in the database. */
  readonly era: number;
  /** Why a connection cannot be in it, if it cannot: 976, 978, 983. */
  refuse(readOnlyIntent: boolean): SqlError | undefined;
}

/** Only the target recovery time and its role in an availability group ever change by the model's own accord. */
export interface Database extends Omit<DatabaseDescription, 'targetRecoverySeconds' | 'createdLocal' | 'name' | 'state'> {
  targetRecoverySeconds: number;
  createdLocal: string;
  name: string;
  state: DatabaseState;
  /** Somebody holds a lock on it that ALTER DATABASE does not get. */
  isLocked?: boolean;
  /** Absent where the database is in no group. */
  availability?: AvailabilityPart;
}

export interface Databases {
  readonly all: readonly Database[];
  /** Those that catalog views list: all, unless the connection is one to a contained availability group. */
  readonly listed: readonly Database[];
  /** Rises with every change of a target recovery time, and with tempdb's creation; and with what else is changed of a database that is in no availability group. */
  readonly version: number;
  setTarget(database: Database, seconds: number): void;
  /** tempdb is made again at each start of the server. */
  remakeTempdb(createdLocal: string): void;
  /** From then on nobody finds it. What it would have written is written on: the model does not take its work away. */
  drop(database: Database): void;
  rename(database: Database, name: string): void;
  /** Another database under its name and id, with another creation date. */
  remake(database: Database, createdLocal: string, targetSeconds: number): void;
  byId(id: number): Database | undefined;
  /** Case-insensitive, trailing blanks ignored, as under SQL_Latin1_General_CP1_CI_AS. */
  byName(name: string): Database | undefined;
}

/** The key under which two names are one to the server's collation. */
export function foldName(name: string): string {
  return name.replace(/ +$/, '').toLowerCase();
}

const MB = 1_048_576;
/** A log is large enough for what comes between two truncations, and half as much again: it has grown to that long ago. The model's choice. */
const SPARE = 1.6;
/** Size of the log file: as described, or as large as it has had to become. */
function logFileMb({ logMb, recoveryModel, workload }: DatabaseDescription): number {
  const { logRecordsPerSecond, logRecordsPerCheckpoint, bytesPerLogRecord, batch } = workload;
  if (logRecordsPerSecond === 0) return logMb;
  const jobs = batch === undefined ? 1 : 1 + ((batch.factor - 1) * batch.lengthMinutes) / batch.everyMinutes;
  const records = recoveryModel === 'SIMPLE' ? logRecordsPerCheckpoint * 2 : logRecordsPerSecond * jobs * 3600;
  return Math.max(logMb, 64 * Math.ceil((records * bytesPerLogRecord * SPARE) / MB / 64));
}

export function createDatabases(descriptions: readonly DatabaseDescription[]): Databases {
  const all: Database[] = descriptions
    .map((description) => ({ ...description, logMb: logFileMb(description) }))
    .sort((a, b) => a.id - b.id);
  const ids = new Map(all.map((database) => [database.id, database]));
  const names = new Map(all.map((database) => [foldName(database.name), database]));
  const dropped = new Set<Database>();
  let version = 1;
  return {
    all,
    get listed() {
      return dropped.size === 0 ? all : all.filter((database) => !dropped.has(database));
    },
    get version() {
      return version;
    },
    setTarget(database, seconds) {
      database.targetRecoverySeconds = seconds;
      version += 1;
    },
    remakeTempdb(createdLocal) {
      const tempdb = names.get('tempdb');
      if (tempdb !== undefined) tempdb.createdLocal = createdLocal;
      version += 1;
    },
    drop(database) {
      dropped.add(database);
      ids.delete(database.id);
      names.delete(foldName(database.name));
      // What is offline has no open files.
      database.state = 'OFFLINE';
      version += 1;
    },
    rename(database, name) {
      names.delete(foldName(database.name));
      database.name = name;
      names.set(foldName(name), database);
      version += 1;
    },
    remake(database, createdLocal, targetSeconds) {
      Object.assign(database, { createdLocal, targetRecoverySeconds: targetSeconds });
      version += 1;
    },
    byId: (id) => ids.get(id),
    byName: (name) => names.get(foldName(name)),
  };
}
