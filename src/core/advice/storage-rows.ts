/** Rows about logs, files and volumes. */
import { addToList } from '../lists';
import {
  decimal,
  defineRow,
  integer,
  nullable,
  type Readings,
  readRows,
  readValues,
  type RowOf,
  text,
  type TextRows,
} from '../rows';
import type { FileReading } from '../write-work/work-readings';
import { FILE_FIGURES } from '../write-work/work-samples';
import type { DatabaseFiles, DatabaseLog, EventVolume } from './facts';
import type { LogUse } from './limits';

const logRow = defineRow({
  database_id: integer(),
  vlf_count: nullable(integer()),
  since_checkpoint_mb: nullable(decimal()),
});
const fileRow = defineRow({
  database_id: integer(),
  file_type: integer(),
  files: integer(),
  size_mb: decimal(),
});
const volumeRow = defineRow({
  database_id: integer(),
  file_type: integer(),
  volume_name: nullable(text()),
  free_mb: nullable(integer()),
});
const eventVolumeRow = defineRow({ volume_name: text(), free_mb: integer() });

/** One database's log; left out if this replica does not know it. */
type LogReading = readonly [databaseId: number, log: DatabaseLog];

/** The answer of sql/read/database-logs.sql. */
export function readDatabaseLogs(set: TextRows): Readings<LogReading> {
  const { rows, problems } = readRows(logRow, set);
  const values = rows.flatMap(({ databaseId, vlfCount, sinceCheckpointMb }): LogReading[] =>
    vlfCount === null ? [] : [[databaseId, { vlfCount, sinceCheckpointMb }]],
  );
  return { values, problems };
}

/** Data or log files of one database. */
export interface FileSize {
  readonly databaseId: number;
  readonly isLog: boolean;
  readonly sizeMb: number;
}

/** The answer of sql/read/database-files.sql. */
export function readFileSizes(set: TextRows): Readings<FileSize> {
  const keyOf = (row: RowOf<typeof fileRow>): string => `${row.databaseId} ${row.fileType}`;
  return readValues(fileRow, set, keyOf, (row) => ({
    databaseId: row.databaseId,
    isLog: row.fileType === 1,
    sizeMb: row.sizeMb,
  }));
}

/** A volume on which data or log files of one database lie. */
export interface FileVolume {
  readonly databaseId: number;
  readonly isLog: boolean;
  readonly volume: string;
  readonly freeMb: number | null;
}

/** The answer of sql/read/file-volumes.sql; volumes without a name are left out, because nothing tells them apart. */
export function readFileVolumes(set: TextRows): Readings<FileVolume> {
  const { rows, problems } = readRows(volumeRow, set);
  const values = rows.flatMap(({ databaseId, fileType, volumeName, freeMb }): FileVolume[] =>
    volumeName === null || volumeName === ''
      ? []
      : [{ databaseId, isLog: fileType === 1, volume: volumeName, freeMb }],
  );
  return { values, problems };
}

/** The answer of sql/read/event-volume.sql; no value if no file of a system database lies on that volume. */
export function readEventVolume(set: TextRows): Readings<EventVolume> {
  return readValues(eventVolumeRow, set, null, ({ volumeName: volume, freeMb }) => ({ volume, freeMb }));
}

/**
 * Puts sizes, volumes and latencies together, by database_id; only databases whose sizes are known.
 * @param volumes those that could be read
 * @param writes figures since the server opened the files
 */
export function joinDatabaseFiles(
  sizes: readonly FileSize[],
  volumes: readonly FileVolume[],
  writes: readonly FileReading[],
): ReadonlyMap<number, DatabaseFiles> {
  const ioOf = new Map(writes.map((each) => [each.databaseId, each]));
  const volumesOf = groupByDatabase(volumes);
  const joined = new Map<number, DatabaseFiles>();
  for (const [databaseId, own] of groupByDatabase(sizes)) {
    const listVolumes = (isLog: boolean): readonly string[] => [
      ...new Set(
        (volumesOf.get(databaseId) ?? []).filter((each) => each.isLog === isLog).map(({ volume }) => volume),
      ),
    ];
    joined.set(databaseId, {
      dataMb: own.reduce((sum, { isLog, sizeMb }) => (isLog ? sum : sum + sizeMb), 0),
      logMb: own.reduce((sum, { isLog, sizeMb }) => (isLog ? sum + sizeMb : sum), 0),
      dataVolumes: listVolumes(false),
      logVolumes: listVolumes(true),
      dataWriteMs: averageWrite(ioOf.get(databaseId)),
    });
  }
  return joined;
}

/** Free megabytes by mount point. Rows are read one after another, so the least value counts. */
export function listFreeMb(volumes: readonly FileVolume[]): ReadonlyMap<string, number> {
  const free = new Map<string, number>();
  for (const { volume, freeMb } of volumes)
    if (freeMb !== null) free.set(volume, Math.min(freeMb, free.get(volume) ?? freeMb));
  return free;
}

function groupByDatabase<T extends { readonly databaseId: number }>(
  rows: readonly T[],
): ReadonlyMap<number, readonly T[]> {
  const grouped = new Map<number, T[]>();
  for (const row of rows) addToList(grouped, row.databaseId, row);
  return grouped;
}

/** Average of a write to data files since the server opened them; null if nothing was written, or it cannot be seen. */
function averageWrite(io: FileReading | undefined): number | null {
  const [ms = NaN, writes = NaN] = (['dataWriteStallMs', 'dataWrites'] as const).map(
    (figure) => io?.figures[FILE_FIGURES.indexOf(figure)],
  );
  return writes > 0 && ms >= 0 ? ms / writes : null;
}

const logUseRow = defineRow({ database_name: text(), used_percent: integer() });
const backoffsRow = defineRow({ backoffs: integer() });

/** The answer of sql/read/log-used.sql. */
export function readLogUse(set: TextRows): Readings<LogUse> {
  return readValues(logUseRow, set, null, (row) => ({
    database: row.databaseName,
    usedShare: row.usedPercent / 100,
  }));
}

/** The answer of sql/read/dirty-page-spinlock.sql. */
export function readBackoffs(set: TextRows): Readings<number> {
  return readValues(backoffsRow, set, null, ({ backoffs }) => backoffs);
}
