import type { Database } from '../databases/databases';
import type { World } from '../world/world';
import { tableFunction, type CatalogObject } from './object';
import type { Presence } from '../../scenarios/platform';
import { bigint, field, float, int, need, type Field, unmodelled } from './relation';

const MB = 1_048_576;
/** Share of the file that an empty log uses. The model's choice. */
const EMPTY_SHARE = 0.01;
const MOST_SHARE = 0.98;

interface LogSpace {
  /** Log that the next log backup will free; under SIMPLE, the next checkpoint. */
  readonly heldBytes: number;
  /** Share of the file in use, from 0 to 1. */
  readonly usedShare: number;
}

/**
 * How full a log is: it fills until a log backup has finished, SIMPLE until a checkpoint. Microsoft Learn, "The
 * transaction log", log truncation.
 */
export function measureLog(world: World, database: Database, nowUs: number): LogSpace {
  const work = world.works.get(database.id);
  if (work === undefined) return { heldBytes: 0, usedShare: EMPTY_SHARE };
  const heldBytes =
    database.recoveryModel === 'SIMPLE'
      ? work.logRecordsSinceCheckpoint(nowUs) * database.workload.bytesPerLogRecord
      : world.backups.logBytesSinceBackup(work, nowUs);
  return { heldBytes, usedShare: Math.min(MOST_SHARE, EMPTY_SHARE + heldBytes / (database.logMb * MB)) };
}

interface LogState {
  readonly database: Database;
  readonly sinceCheckpointBytes: number;
}

function* listStates(
  world: World,
  nowUs: number,
  argument: unknown,
  ownDatabase: string,
): Generator<LogState> {
  const database =
    argument === null || argument === undefined
      ? world.databases.byName(ownDatabase)
      : world.databases.byId(Number(argument));
  const work = database === undefined ? undefined : world.works.get(database.id);
  if (database === undefined || work === undefined || database.state !== 'ONLINE') return;
  yield {
    database,
    sinceCheckpointBytes: work.logRecordsSinceCheckpoint(nowUs) * database.workload.bytesPerLogRecord,
  };
}

/** Microsoft Learn, "sys.dm_db_log_stats". */
const LOG_STATS: readonly Field<LogState>[] = [
  need('database_id', int, (s) => s.database.id),
  field('total_vlf_count', bigint, (s) => BigInt(s.database.vlfCount)),
  field('log_since_last_checkpoint_mb', float, (s) => s.sinceCheckpointBytes / MB),
  ...unmodelled(`recovery_model log_min_lsn log_end_lsn current_vlf_sequence_number current_vlf_size_mb total_log_size_mb active_vlf_count
    active_log_size_mb log_truncation_holdup_reason log_backup_time log_backup_lsn log_since_last_log_backup_mb
    log_checkpoint_lsn log_recovery_lsn log_recovery_size_mb recovery_vlf_count`),
];

/** Since 2016 SP2: every build of that release here has it. */
const PRESENCE: Presence = { since: 2016 };

export const LOG_OBJECTS: readonly CatalogObject[] = [
  tableFunction(
    'sys.dm_db_log_stats',
    LOG_STATS,
    (world, { nowUs, principal }, [id]) => listStates(world, nowUs, id, principal.database),
    PRESENCE,
  ),
];
