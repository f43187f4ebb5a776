/** One database as sql/read/database-facts.sql tells of it, column by column. */
import {
  bit,
  defineRow,
  integer,
  later,
  localTime,
  nullable,
  type Readings,
  readValues,
  text,
  type TextRows,
} from '../rows';

/** One database (sql/read/database-facts.sql). */
export interface DatabaseFacts {
  readonly databaseId: number;
  readonly name: string;
  /**
   * create_date as the server wrote it, style 126, server local time. With the id it tells a database from a later one
   * of the same name.
   */
  readonly createdLocal: string;
  /** 0 automatic checkpoints, above 0 indirect ones; null if the server did not say. */
  readonly targetSeconds: number | null;
  /** ONLINE, RESTORING, RECOVERING, OFFLINE, ... */
  readonly state: string;
  readonly isReadOnly: boolean;
  readonly isInStandby: boolean;
  readonly isSnapshot: boolean;
  /** The id of the database that it is a snapshot of; null or absent: it is none. */
  readonly snapshotOf?: number | null;
  readonly recoveryModel: string;
  readonly logReuseWait: string;
  /** DATABASEPROPERTYEX Updateability; null: it cannot be changed (docs/facts.md, SQL Server 2). */
  readonly updateability: string | null;
  readonly inAvailabilityGroup: boolean;
  /** The distribution database of replication; null or absent: an earlier version did not ask. */
  readonly isDistributor?: boolean | null;
}

const databaseRow = defineRow({
  database_id: integer(),
  database_name: text(),
  created_local: localTime(),
  target_seconds: nullable(integer()),
  state_name: text(),
  is_read_only: nullable(bit()),
  is_in_standby: nullable(bit()),
  source_database_id: nullable(integer()),
  recovery_model: nullable(text()),
  log_reuse_wait: nullable(text()),
  updateability: nullable(text()),
  in_availability_group: bit(),
  is_distributor: later(bit()),
});

/** The answer of sql/read/database-facts.sql; a database whose row could not be read is among the problems. */
export function readDatabaseFacts(set: TextRows): Readings<DatabaseFacts> {
  return readValues(
    databaseRow,
    set,
    ({ databaseId }) => databaseId,
    ({ databaseName: name, stateName: state, sourceDatabaseId: snapshotOf, ...row }) => ({
      ...row,
      name,
      state,
      isReadOnly: row.isReadOnly === true,
      isInStandby: row.isInStandby === true,
      isSnapshot: snapshotOf !== null,
      snapshotOf,
      recoveryModel: row.recoveryModel ?? 'UNKNOWN',
      logReuseWait: row.logReuseWait ?? 'UNKNOWN',
    }),
  );
}
