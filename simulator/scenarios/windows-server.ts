import { BUILDS, type Release } from './releases';
import type { ServerDescription, VolumeDescription } from './scenario';

interface WindowsServerOptions {
  readonly name: string;
  readonly release: Release;
  /** Memory that the buffer pool may fill, in GB. */
  readonly bufferPoolGb: number;
  readonly cpuCount: number;
  readonly utcOffsetMinutes: number;
  readonly volumes: readonly VolumeDescription[];
  readonly backupDirectory: string;
  readonly upDays: number;
  readonly stallShare?: number;
  readonly hasFailedLogins?: boolean;
  readonly hasBackups?: boolean;
  readonly fullBackupDays?: number;
  readonly differentialAtMinute?: number;
}

/** Successful backups leave no line in the error log. Microsoft Learn, "DBCC TRACEON - trace flags". */
export const QUIET_BACKUPS = 3226;

const GB = 1_073_741_824n;

export function describeVolume(
  mount: string,
  label: string,
  totalGb: number,
  freeShare: number,
): VolumeDescription {
  const totalBytes = BigInt(totalGb) * GB;
  return { mount, label, totalBytes, freeBytes: (totalBytes * BigInt(Math.round(freeShare * 1000))) / 1000n };
}

/** Separate volumes for data, log and backups. */
export const SEPARATE_VOLUMES: readonly VolumeDescription[] = [
  describeVolume('C:\\', 'System', 127, 0.4),
  describeVolume('D:\\', 'Data', 4_096, 0.5),
  describeVolume('L:\\', 'Log', 1_024, 0.6),
  describeVolume('B:\\', 'Backup', 8_192, 0.5),
];

/** A default instance of Enterprise Edition on Windows, as setup leaves it. */
export function describeWindowsServer({
  release,
  bufferPoolGb,
  upDays,
  ...own
}: WindowsServerOptions): ServerDescription {
  const build = BUILDS[release];
  return {
    platform: 'windows',
    release,
    build,
    edition: 'Enterprise Edition: Core-based Licensing (64-bit)',
    engineEdition: 3,
    collation: 'SQL_Latin1_General_CP1_CI_AS',
    maxServerMemoryMb: bufferPoolGb * 1024,
    bufferPoolGb,
    physicalMemoryMb: Math.ceil(bufferPoolGb * 1.125) * 1024,
    recoveryIntervalMinutes: 0,
    traceFlags: [QUIET_BACKUPS],
    logDirectory: `C:\\Program Files\\Microsoft SQL Server\\MSSQL${build.version[0]}.MSSQLSERVER\\MSSQL\\Log`,
    upMs: upDays * 86_400_000 + 7_654_000,
    ...own,
  };
}
