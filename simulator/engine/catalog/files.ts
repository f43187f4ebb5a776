import { listFiles, physicalName, type DatabaseFile } from '../databases/database-files';
import { QUIET_LATENCY_MS, QUIET_READ_MS } from '../databases/physics';
import type { World } from '../world/world';
import { databaseGuid } from './databases';
import { readId, tableFunction, view, type CatalogObject } from './object';
import { INSTANCES } from '../../scenarios/platform';
import {
  bigint,
  bit,
  datetime,
  field,
  int,
  need,
  numeric,
  nvarchar,
  since,
  smallint,
  sysname,
  tinyint,
  uniqueidentifier,
  until,
  varbinary,
  type Field,
} from './relation';

const lsn = numeric(25, 0);
const noLsn = (name: string): Field<DatabaseFile> => field(name, lsn, () => null);
const FILE_STATES = { ONLINE: 0, RESTORING: 1, OFFLINE: 6 } as const;

/** Microsoft Learn, "sys.master_files"; the product also has is_persistent_log_buffer, since 2016 SP1 like the feature. */
const MASTER_FILES: readonly Field<DatabaseFile>[] = [
  need('database_id', int, (f) => f.database.id),
  need('file_id', int, (f) => f.id),
  field('file_guid', uniqueidentifier, (f) => databaseGuid(f.database, 10 + f.id)),
  need('type', tinyint, (f) => f.id - 1),
  field('type_desc', nvarchar(60), (f) => (f.id === 1 ? 'ROWS' : 'LOG')),
  need('data_space_id', int, (f) => (f.id === 1 ? 1 : 0)),
  need('name', sysname, (f) => f.logicalName),
  need('physical_name', nvarchar(260), physicalName),
  field('state', tinyint, (f) => FILE_STATES[f.database.state]),
  field('state_desc', nvarchar(60), (f) => f.database.state),
  need('size', int, (f) => f.sizeMb * 128),
  need('max_size', int, (f) => (f.id === 1 ? -1 : 268_435_456)),
  need('growth', int, () => 8_192),
  need('is_media_read_only', bit, () => false),
  need('is_read_only', bit, () => false),
  need('is_sparse', bit, () => false),
  need('is_percent_growth', bit, () => false),
  need('is_name_reserved', bit, () => false),
  ...since(
    2016,
    need('is_persistent_log_buffer', bit, () => false),
  ),
  noLsn('create_lsn'),
  noLsn('drop_lsn'),
  noLsn('read_only_lsn'),
  noLsn('read_write_lsn'),
  noLsn('differential_base_lsn'),
  field('differential_base_guid', uniqueidentifier, () => null),
  field('differential_base_time', datetime, () => null),
  noLsn('redo_start_lsn'),
  field('redo_start_fork_guid', uniqueidentifier, () => null),
  noLsn('redo_target_lsn'),
  field('redo_target_fork_guid', uniqueidentifier, () => null),
  noLsn('backup_lsn'),
  ...since(
    2014,
    field('credential_id', int, () => null),
  ),
];

interface FileStats {
  readonly file: DatabaseFile;
  readonly sampleMs: number;
  readonly writes: number;
  readonly writtenBytes: number;
  readonly writeStallMs: number;
  readonly reads: number;
  readonly readStallMs: number;
}

const whole = (name: string, value: (stats: FileStats) => number): Field<FileStats> =>
  need(name, bigint, (stats) => BigInt(Math.floor(value(stats))));

/** Microsoft Learn, "sys.dm_io_virtual_file_stats". Figures begin with the model; only sample_ms includes the time before. */
const FILE_STATS: readonly Field<FileStats>[] = [
  need('database_id', smallint, (s) => s.file.database.id),
  need('file_id', smallint, (s) => s.file.id),
  ...until(
    2014,
    need('sample_ms', int, (s: FileStats) => Math.floor(s.sampleMs)),
  ),
  ...since(
    2016,
    whole('sample_ms', (s) => s.sampleMs),
  ),
  whole('num_of_reads', (s) => s.reads),
  whole('num_of_bytes_read', (s) => s.reads * 65_536),
  whole('io_stall_read_ms', (s) => s.readStallMs),
  whole('num_of_writes', (s) => s.writes),
  whole('num_of_bytes_written', (s) => s.writtenBytes),
  whole('io_stall_write_ms', (s) => s.writeStallMs),
  whole('io_stall', (s) => s.writeStallMs + s.readStallMs),
  whole('size_on_disk_bytes', (s) => s.file.sizeMb * 1_048_576),
  need('file_handle', varbinary(8), (s) => Uint8Array.of(0, 0, s.file.database.id >> 8, s.file.database.id & 255, 0, 0, 0, s.file.id)),
  ...since(
    2014,
    whole('io_stall_queued_read_ms', () => 0),
    whole('io_stall_queued_write_ms', () => 0),
  ),
];

function measure(world: World, file: DatabaseFile, nowUs: number): FileStats {
  const work = world.works.get(file.database.id)?.at(nowUs);
  const sampleMs = (nowUs - world.startUs) / 1000 + world.scenario.server.upMs;
  if (work === undefined) return { file, sampleMs, writes: 0, writtenBytes: 0, writeStallMs: 0, reads: 0, readStallMs: 0 };
  if (file.id === 2) {
    return {
      file,
      sampleMs,
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
    sampleMs,
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

const isUnix = ({ volume }: FileVolume): boolean => volume.mount.startsWith('/');

/** Microsoft Learn, "sys.dm_os_volume_stats". */
const VOLUME_STATS: readonly Field<FileVolume>[] = [
  need('database_id', int, (v) => v.file.database.id),
  need('file_id', int, (v) => v.file.id),
  field('volume_mount_point', nvarchar(512), (v) => v.volume.mount),
  field('volume_id', nvarchar(512), (v) =>
    isUnix(v) ? '' : `\\\\?\\Volume{${databaseGuid({ id: v.volume.mount.charCodeAt(0) }, 20).toLowerCase()}}\\`,
  ),
  field('logical_volume_name', nvarchar(512), (v) => v.volume.label),
  // Not documented for Linux.
  field('file_system_type', nvarchar(512), (v) => (isUnix(v) ? 'xfs' : 'NTFS')),
  need('total_bytes', bigint, (v) => v.volume.totalBytes),
  need('available_bytes', bigint, (v) => v.volume.freeBytes),
  field('supports_compression', tinyint, () => 1),
  field('supports_alternate_streams', tinyint, () => 1),
  field('supports_sparse_files', tinyint, () => 1),
  field('is_read_only', tinyint, () => 0),
  field('is_compressed', tinyint, () => 0),
  // Which release brought it is not documented.
  ...since(
    2019,
    field('incurs_seek_penalty', tinyint, () => 0),
  ),
];

/** Files of open databases by the two id arguments of the functions here; in Azure SQL Database only of the database that asks. */
function matchFiles(world: World, here: string, databaseId: number | undefined, fileId: number | undefined): readonly DatabaseFile[] {
  const isAzure = world.scenario.server.platform === 'azure-sql-database';
  // Looks one up directly: scripts call the functions for each file of thousands of databases.
  const asked = databaseId === undefined ? world.databases.all : [world.databases.byId(databaseId)];
  const open = asked.flatMap((each) => (each?.state === 'ONLINE' && (!isAzure || each.name === here) ? [each] : []));
  return listFiles(open).filter((file) => (fileId ?? file.id) === file.id);
}

export const FILE_OBJECTS: readonly CatalogObject[] = [
  view(
    'sys.master_files',
    MASTER_FILES,
    (world, { principal: { login } }) =>
      // Any of the three; without them there are no rows, rather than an error. Microsoft Learn, "sys.master_files".
      ['VIEW ANY DEFINITION', 'ALTER ANY DATABASE', 'CREATE ANY DATABASE'].some((permission) => world.permissions.holds(login, permission))
        ? listFiles(world.databases.listed)
        : [],
    { presence: { on: INSTANCES } },
  ),
  tableFunction('sys.dm_io_virtual_file_stats', FILE_STATS, (world, { nowUs, principal }, [database, file]) =>
    matchFiles(world, principal.database, readId(database), readId(file)).map((each) => measure(world, each, nowUs)),
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
