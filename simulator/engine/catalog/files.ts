import { listFiles, physicalName, type DatabaseFile } from '../databases/database-files';
import { QUIET_LATENCY_MS, QUIET_READ_MS } from '../databases/physics';
import type { World } from '../world/world';
import { readId, tableFunction, view, type CatalogObject } from './object';
import { INSTANCES } from '../../scenarios/platform';
import {
  bigint,
  field,
  int,
  need,
  nvarchar,
  smallint,
  sysname,
  tinyint,
  until,
  type Field,
  unmodelled,
} from './relation';

/**
 * Microsoft Learn, "sys.master_files"; the product also has is_persistent_log_buffer, since 2016 SP1 like the feature.
 */
const MASTER_FILES: readonly Field<DatabaseFile>[] = [
  need('database_id', int, (f) => f.database.id),
  need('file_id', int, (f) => f.id),
  need('type', tinyint, (f) => f.id - 1),
  need('name', sysname, (f) => f.logicalName),
  need('physical_name', nvarchar(260), physicalName),
  need('size', int, (f) => f.sizeMb * 128),
  ...unmodelled(`file_guid type_desc data_space_id state state_desc max_size growth is_media_read_only is_read_only is_sparse
    is_percent_growth is_name_reserved create_lsn drop_lsn read_only_lsn read_write_lsn differential_base_lsn
    differential_base_guid differential_base_time redo_start_lsn redo_start_fork_guid redo_target_lsn redo_target_fork_guid
    backup_lsn 2014 credential_id 2016 is_persistent_log_buffer`),
];

interface FileStats {
  readonly file: DatabaseFile;
  readonly writes: number;
  readonly writtenBytes: number;
  readonly writeStallMs: number;
  readonly reads: number;
  readonly readStallMs: number;
}

const whole = (name: string, value: (stats: FileStats) => number): Field<FileStats> =>
  need(name, bigint, (stats) => BigInt(Math.floor(value(stats))));

/**
 * Microsoft Learn, "sys.dm_io_virtual_file_stats". Figures begin with the model; only sample_ms includes the time
 * before.
 */
const FILE_STATS: readonly Field<FileStats>[] = [
  need('database_id', smallint, (s) => s.file.database.id),
  need('file_id', smallint, (s) => s.file.id),
  whole('num_of_reads', (s) => s.reads),
  whole('io_stall_read_ms', (s) => s.readStallMs),
  whole('num_of_writes', (s) => s.writes),
  whole('num_of_bytes_written', (s) => s.writtenBytes),
  whole('io_stall_write_ms', (s) => s.writeStallMs),
  ...unmodelled(`num_of_bytes_read io_stall size_on_disk_bytes file_handle 2014 io_stall_queued_read_ms io_stall_queued_write_ms 2016
    sample_ms`),
  ...until(2014, ...unmodelled('sample_ms')),
];

function measure(world: World, file: DatabaseFile, nowUs: number): FileStats {
  const work = world.works.get(file.database.id)?.at(nowUs);
  if (work === undefined)
    return { file, writes: 0, writtenBytes: 0, writeStallMs: 0, reads: 0, readStallMs: 0 };
  if (file.id === 2) {
    return {
      file,
      writes: work.transactions,
      writtenBytes: work.logBytes,
      writeStallMs: work.logStallMs,
      reads: Math.floor(work.transactions / 1000),
      readStallMs: Math.floor(work.transactions / 1000) * QUIET_READ_MS,
    };
  }
  const writes = work.checkpointWrites + work.backgroundWrites;
  const writtenBytes = (work.checkpointPages + work.backgroundPages) * 8192;
  return {
    file,
    writes,
    writtenBytes,
    writeStallMs: work.checkpointStallMs + work.backgroundWrites * QUIET_LATENCY_MS,
    reads: work.reads,
    readStallMs: work.readStallMs,
  };
}

interface FileVolume {
  readonly file: DatabaseFile;
  readonly volume: World['scenario']['server']['volumes'][number];
}

/** Microsoft Learn, "sys.dm_os_volume_stats". */
const VOLUME_STATS: readonly Field<FileVolume>[] = [
  need('database_id', int, (v) => v.file.database.id),
  need('file_id', int, (v) => v.file.id),
  field('volume_mount_point', nvarchar(512), (v) => v.volume.mount),
  need('available_bytes', bigint, (v) => v.volume.freeBytes),
  ...unmodelled(`volume_id logical_volume_name file_system_type total_bytes supports_compression supports_alternate_streams
    supports_sparse_files is_read_only is_compressed 2019 incurs_seek_penalty`),
];

/**
 * Files of open databases by the two id arguments of the functions here; in Azure SQL Database only of the database
 * that asks.
 */
function matchFiles(
  world: World,
  here: string,
  databaseId: number | undefined,
  fileId: number | undefined,
): readonly DatabaseFile[] {
  const isAzure = world.scenario.server.platform === 'azure-sql-database';
  // Looks one up directly: scripts call the functions for each file of thousands of databases.
  const asked = databaseId === undefined ? world.databases.all : [world.databases.byId(databaseId)];
  const open = asked.flatMap((each) =>
    each?.state === 'ONLINE' && (!isAzure || each.name === here) ? [each] : [],
  );
  return listFiles(open).filter((file) => (fileId ?? file.id) === file.id);
}

export const FILE_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.master_files',
    MASTER_FILES,
    (world, { principal: { login } }) =>
      // Any of the three; without them there are no rows, rather than an error. Microsoft Learn, "sys.master_files".
      ['VIEW ANY DEFINITION', 'ALTER ANY DATABASE', 'CREATE ANY DATABASE'].some((permission) =>
        world.permissions.holds(login, permission),
      )
        ? listFiles(world.databases.listed)
        : [],
    { presence: { on: INSTANCES } },
  ),
  tableFunction('sys.dm_io_virtual_file_stats', FILE_STATS, (world, { nowUs, principal }, [database, file]) =>
    matchFiles(world, principal.database, readId(database), readId(file)).map((each) =>
      measure(world, each, nowUs),
    ),
  ),
  tableFunction(
    'sys.dm_os_volume_stats',
    VOLUME_STATS,
    (world, { principal }, [database, file]) =>
      matchFiles(world, principal.database, Number(database ?? -1), Number(file ?? -1)).flatMap((each) => {
        const volume = world.scenario.server.volumes.find((candidate) => candidate.mount === each.volume);
        return volume === undefined ? [] : [{ file: each, volume }];
      }),
    { on: INSTANCES },
  ),
];
