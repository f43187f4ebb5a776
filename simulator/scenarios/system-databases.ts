import type { DatabaseDescription, WorkloadShape } from './database';
import { MODEL_START_UTC_MS, type ServerDescription } from './scenario';
import { QUIET } from './workloads';

/** Jobs and backup history: a checkpoint every quarter of an hour or so. */
const MSDB: WorkloadShape = { ...QUIET, activity: 'light', logRecordsPerSecond: 30, workingSetPages: 900 };

interface SystemOptions {
  /**
   * A clean installation of 2016 or later: model, msdb and tempdb at 60, master at 0. Otherwise upgraded in place: all
   * at 0, also model, so that new databases are automatic too. docs/facts.md, SQL Server 1.
   */
  readonly isClean?: boolean;
  /** No jobs and no backups: nothing writes to msdb. */
  readonly isQuiet?: boolean;
  /** Volumes of the system databases and of tempdb. */
  readonly volume?: string;
  readonly tempdbVolume?: string;
}

export function listSystemDatabases(
  server: ServerDescription,
  { isClean = false, isQuiet = false, volume = 'C:\\', tempdbVolume = 'D:\\' }: SystemOptions = {},
): readonly DatabaseDescription[] {
  const target = isClean && server.release >= 2016 ? 60 : 0;
  // tempdb is made again at each start.
  const startedLocal = new Date(MODEL_START_UTC_MS - server.upMs + server.utcOffsetMinutes * 60_000)
    .toISOString()
    .slice(0, 19);
  const make = (id: number, name: string, own: Partial<DatabaseDescription>): DatabaseDescription => ({
    id,
    name,
    targetRecoverySeconds: 0,
    createdLocal: '2003-04-08T09:13:36.390',
    state: 'ONLINE',
    isReadOnly: false,
    isInStandby: false,
    recoveryModel: 'SIMPLE',
    logReuseWait: { id: 0, name: 'NOTHING' },
    collation: server.collation,
    dataVolume: volume,
    logVolume: volume,
    dataMb: 8,
    logMb: 8,
    vlfCount: 4,
    workload: QUIET,
    ...own,
  });
  return [
    make(1, 'master', {}),
    make(2, 'tempdb', {
      createdLocal: `${startedLocal}.000`,
      dataVolume: tempdbVolume,
      logVolume: tempdbVolume,
      targetRecoverySeconds: target,
      dataMb: 8_192,
      logMb: 2_048,
      vlfCount: 32,
    }),
    make(3, 'model', {
      targetRecoverySeconds: target,
      recoveryModel: 'FULL',
      logReuseWait: { id: 2, name: 'LOG_BACKUP' },
    }),
    make(4, 'msdb', {
      targetRecoverySeconds: target,
      createdLocal: '2009-11-12T10:05:44.620',
      dataMb: 1_400,
      logMb: 220,
      vlfCount: 26,
      workload: isQuiet ? QUIET : MSDB,
    }),
  ];
}
