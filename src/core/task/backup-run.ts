/** One backup of one database, from msdb.dbo.backupset (docs/facts.md, SQL Server 6). */
export interface BackupRun {
  readonly type: 'full' | 'differential' | 'log';
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  /** Uncompressed bytes: what the time has to be compared with. */
  readonly bytes: number;
}
