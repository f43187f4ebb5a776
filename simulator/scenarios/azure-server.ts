import type { DatabaseDescription } from './database';
import type { Build, Release } from './releases';
import type { Platform } from './platform';
import type { ServerDescription } from './scenario';
import { describeVolume } from './windows-server';

/**
 * The version that both services tell, whatever they are built from. Microsoft Learn, "SERVERPROPERTY", ProductVersion
 * in Azure.
 */
const BUILD: Build = { version: [12, 0, 2000, 8], level: 'RTM', updateLevel: null, updateReference: null };

/** The volume of databases in Azure, as their paths show it. */
export const AZURE_VOLUME = 'C:\\WFRoot\\DB.7\\';

interface AzureServerOptions {
  readonly name: string;
  readonly platform: Extract<Platform, 'managed-instance' | 'azure-sql-database'>;
  /** The release whose columns and permissions it has. */
  readonly release: Release;
  readonly engineEdition: 5 | 8;
  readonly cpuCount: number;
  readonly memoryGb: number;
  readonly storageGb: number;
  readonly upDays: number;
}

/**
 * The server below a service of Azure. Time is UTC, and nobody can choose where files are. Paths resemble published
 * ones.
 */
export function describeAzureServer({
  memoryGb,
  storageGb,
  upDays,
  ...own
}: AzureServerOptions): ServerDescription {
  return {
    ...own,
    build: BUILD,
    edition: 'SQL Azure',
    collation: 'SQL_Latin1_General_CP1_CI_AS',
    maxServerMemoryMb: memoryGb * 1024,
    bufferPoolGb: memoryGb,
    physicalMemoryMb: memoryGb * 2048,
    utcOffsetMinutes: 0,
    recoveryIntervalMinutes: 0,
    logDirectory: `${AZURE_VOLUME}Fabric\\work\\Applications\\Worker.CL_App7\\work\\log`,
    backupDirectory: 'https://contosobackups.blob.core.windows.net/backups',
    volumes: [describeVolume(AZURE_VOLUME, 'Data', storageGb, 0.4)],
    upMs: upDays * 86_400_000 + 2_345_000,
  };
}

/**
 * Every user database of Azure is in the FULL recovery model; as everywhere in the model, log is kept until the next
 * log backup.
 */
export function inFullRecovery(database: DatabaseDescription): DatabaseDescription {
  const isIdle = database.workload.activity === 'idle';
  return {
    ...database,
    recoveryModel: 'FULL',
    logReuseWait: isIdle ? { id: 0, name: 'NOTHING' } : { id: 2, name: 'LOG_BACKUP' },
  };
}
