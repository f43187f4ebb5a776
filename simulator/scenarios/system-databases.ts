import type { DatabaseDescription, WorkloadShape } from '../engine/databases';
import type { ServerDescription } from './scenario';

const QUIET: WorkloadShape = {
  activity: 'idle',
  logRecordsPerSecond: 0,
  bytesPerLogRecord: 100,
  logRecordsPerTransaction: 10,
  logRecordsPerCheckpoint: 25_000,
  workingSetPages: 100,
  logRecordsPerPage: 10,
  pagesPerWrite: 2,
};
/** Jobs and backup history: a checkpoint every quarter of an hour or so. */
const MSDB: WorkloadShape = { ...QUIET, activity: 'light', logRecordsPerSecond: 30, workingSetPages: 900 };

/** The four of an instance that was upgraded in place: all at 0, model too, so that new databases are automatic as well. docs/facts.md, SQL Server 1. */
export function listSystemDatabases(server: ServerDescription): readonly DatabaseDescription[] {
  const make = (id: number, name: string, own: Partial<DatabaseDescription>): DatabaseDescription => ({
    id,
    name,
    targetRecoverySeconds: 0,
    createdLocal: '2003-04-08T09:13:36.390',
    state: 'ONLINE',
    isReadOnly: false,
    isInStandby: false,
    recoveryModel: 'SIMPLE',
    compatibilityLevel: 150,
    logReuseWait: { id: 0, name: 'NOTHING' },
    pageVerify: 'CHECKSUM',
    collation: server.collation,
    dataVolume: 'C:\\',
    logVolume: 'C:\\',
    dataMb: 8,
    logMb: 8,
    vlfCount: 4,
    workload: QUIET,
    ...own,
  });
  return [
    make(1, 'master', {}),
    make(2, 'tempdb', {
      createdLocal: '2026-02-21T03:39:26.000',
      dataVolume: 'D:\\',
      logVolume: 'D:\\',
      dataMb: 8_192,
      logMb: 2_048,
      vlfCount: 32,
    }),
    make(3, 'model', { recoveryModel: 'FULL', logReuseWait: { id: 2, name: 'LOG_BACKUP' } }),
    make(4, 'msdb', { createdLocal: '2009-11-12T10:05:44.620', dataMb: 1_400, logMb: 220, vlfCount: 26, workload: MSDB }),
  ];
}
