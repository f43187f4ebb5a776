import type { Database } from './databases';

export interface DatabaseFile {
  readonly database: Database;
  /** 1 data, 2 log. */
  readonly id: 1 | 2;
  readonly volume: string;
  readonly sizeMb: number;
  readonly logicalName: string;
}

const SYSTEM_FILES: Readonly<Record<string, readonly [string, string]>> = {
  master: ['master', 'mastlog'],
  tempdb: ['tempdev', 'templog'],
  model: ['modeldev', 'modellog'],
  msdb: ['MSDBData', 'MSDBLog'],
};

export function listFiles(databases: readonly Database[]): readonly DatabaseFile[] {
  return databases.flatMap((database) => {
    const [data, log] = SYSTEM_FILES[database.name] ?? [database.name, `${database.name.slice(0, 124)}_log`];
    return [
      { database, id: 1, volume: database.dataVolume, sizeMb: database.dataMb, logicalName: data },
      { database, id: 2, volume: database.logVolume, sizeMb: database.logMb, logicalName: log },
    ];
  });
}

/**
 * Characters that Windows does not allow in a file name become underscores. On Linux a volume is the directory itself.
 */
export function physicalName(file: DatabaseFile): string {
  const stem = file.database.name.replace(/[<>:"/\\|?*]/g, '_').trim();
  if (file.volume.startsWith('/')) return `${file.volume}/${stem}${file.id === 1 ? '.mdf' : '_log.ldf'}`;
  return `${file.volume}${file.id === 1 ? 'Data' : 'Log'}\\${stem}${file.id === 1 ? '.mdf' : '_log.ldf'}`;
}

/** Paths of the data file and the log file of a database. */
export function physicalNames(database: Database): readonly string[] {
  return listFiles([database]).map(physicalName);
}
