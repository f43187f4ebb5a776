import type { Release } from '../../scenarios/releases';
import type { ServerDescription } from '../../scenarios/scenario';
import type { Agenda } from '../time/agenda';
import { physicalNames } from '../databases/database-files';
import {
  commandOf,
  type CheckpointListener,
  type RunningCheckpoint,
  type StorageStall,
} from '../checkpoints/running-checkpoint';
import type { InstanceConfiguration } from '../settings/configuration';
import type { Database } from '../databases/databases';
import type { ErrorLog } from './error-log';
import { BUFFERS_PER_GB, FLUSH_CACHE_MS, SCAN_MESSAGE_MS } from '../databases/physics';
import { unitOf } from '../../scenarios/random';
import { TRACE_FLAG, type TraceFlags } from '../settings/trace-flags';
import { writeLatencyMs } from '../databases/write-work';

interface CheckpointLogOptions {
  readonly log: ErrorLog;
  readonly agenda: Agenda;
  readonly server: ServerDescription;
  readonly traceFlags: TraceFlags;
  readonly configuration: InstanceConfiguration;
}

/**
 * What checkpoints leave in the error log: FlushCache, DirtyPageMgr, message 898, and the prints of trace flags 3502
 * and 3504. docs/facts.md, SQL Server 5.
 */
export function listenWithErrorLog(options: CheckpointLogOptions): CheckpointListener {
  const { log, agenda, server, traceFlags } = options;
  const isPrinting = (flag: number, { task }: RunningCheckpoint): boolean =>
    traceFlags.isOn(flag, task.sessionId);
  return {
    began(checkpoint) {
      const id = checkpoint.work.database.id;
      if (isPrinting(TRACE_FLAG.checkpointBeginEnd, checkpoint))
        write(
          log,
          checkpoint.beginUs,
          checkpoint,
          `Ckpt dbid ${id} started (0)`,
          'About to log Checkpoint begin.',
        );
      // Since 2016 SP3, 2017 CU23 and 2019 CU9. Microsoft Learn, "MSSQLSERVER_898".
      if (
        checkpoint.scanMs < SCAN_MESSAGE_MS ||
        server.release < 2016 ||
        isPrinting(TRACE_FLAG.noScanMessage, checkpoint)
      )
        return;
      agenda.enter(checkpoint.beginUs + Math.round(checkpoint.scanMs * 1000), (atUs) =>
        write(log, atUs, checkpoint, scanMessage(checkpoint, server.bufferPoolGb * BUFFERS_PER_GB)),
      );
    },
    stalled: (stall) => writeStall(stall, options),
    ended(checkpoint) {
      const { endUs, beginUs, work } = checkpoint;
      const id = work.database.id;
      const isPrinted = isPrinting(TRACE_FLAG.checkpointBeginEnd, checkpoint);
      const isLong =
        Math.floor((endUs - beginUs) / 1000) > options.configuration.recoveryIntervalMinutes * FLUSH_CACHE_MS;
      if (isPrinted) write(log, endUs, checkpoint, `Ckpt dbid ${id} phase 1 ended (0)`);
      if (isLong || isPrinting(TRACE_FLAG.checkpointDetails, checkpoint)) writeDetails(checkpoint, options);
      if (isPrinted)
        write(log, endUs, checkpoint, 'About to log Checkpoint end.', `Ckpt dbid ${id} complete`);
    },
  };
}

/** The process that reports slow storage. The message does not say whose write was slow. */
const LAZY_WRITER = 'spid5s';

/**
 * Message 833, a line for each file: Microsoft Learn, "MSSQLSERVER_833"; later releases also give the id and the
 * duration (published logs).
 */
function writeStall(
  { checkpoint, untilUs, stallMs, dataWrites, loggers }: StorageStall,
  { log, server: { release } }: CheckpointLogOptions,
): void {
  const report = (database: Database, file: 0 | 1, occurrences: number): void => {
    const key = unitOf(checkpoint.number, database.id, file);
    const handle = `0x${Math.floor(4_096 + key * 60_000)
      .toString(16)
      .toUpperCase()
      .padStart(16, '0')}`;
    const offset = `0x${(Math.floor(key * database.logMb * 128) * 8_192).toString(16).padStart(14, '0')}`;
    const where =
      release < RELEASE_WITH_DURATION
        ? `in database [${database.name}] (${database.id})`
        : `in database id ${database.id}`;
    const duration =
      release < RELEASE_WITH_DURATION ? '' : `  The duration of the long I/O is: ${stallMs} ms.`;
    log.write(
      untilUs,
      LAZY_WRITER,
      `SQL Server has encountered ${occurrences} occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [${physicalNames(database)[file]}] ${where}.  The OS file handle is ${handle}.  The offset of the latest long I/O is: ${offset}.${duration}`,
    );
  };
  report(checkpoint.work.database, 0, dataWrites);
  for (const { database } of loggers) report(database, 1, 1);
}

/** 2019 is the first release known to give the duration. 2017 is the model's choice: the real one is not published. */
const RELEASE_WITH_DURATION = 2017;

function write(log: ErrorLog, atUs: number, { task }: RunningCheckpoint, ...texts: readonly string[]): void {
  const processInfo = `spid${task.sessionId}${task.sessionId <= 50 ? 's' : ''}`;
  for (const text of texts) log.write(atUs, processInfo, text);
}

function scanMessage(checkpoint: RunningCheckpoint, buffers: number): string {
  const seconds = Math.floor(checkpoint.scanMs / 1000);
  return `Buffer Pool scan took ${seconds} seconds: database ID ${checkpoint.work.database.id}, command '${commandOf(checkpoint)}', operation 'FlushCache', scanned buffers ${checkpoint.pages}, total iterated buffers ${buffers}, wait time 0 ms. See 'https://go.microsoft.com/fwlink/?linkid=2132602' for more information.`;
}

function writeDetails(checkpoint: RunningCheckpoint, options: CheckpointLogOptions): void {
  const { log, agenda, server } = options;
  const { number, endUs, work } = checkpoint;
  // Without a scan the dirty page manager did the work.
  if (checkpoint.scanMs === 0) {
    const ms = Math.floor((endUs - checkpoint.beginUs) / 1000);
    const text = `DirtyPageMgr::ForceCatchupOrFlushCache: cleaned up ${checkpoint.pages} dirty pages in ${ms} ms for db ${work.database.id}`;
    return write(log, endUs, checkpoint, text);
  }
  const [head = '', ...rest] = listFlushCacheLines(checkpoint, server.release);
  write(log, endUs, checkpoint, head);
  if (server.hasFailedLogins !== true || unitOf(number, 5) > 0.4)
    return write(log, endUs, checkpoint, ...rest);
  // Lines of one group have different times, with another process between them: docs/facts.md, SQL Server 5.
  log.write(endUs, 'Logon', 'Error: 18456, Severity: 14, State: 8.');
  log.write(
    endUs,
    'Logon',
    "Login failed for user 'sa'. Reason: Password did not match that for the login provided. [CLIENT: 10.20.30.44]",
  );
  agenda.enter(endUs + 50_000, (atUs) => write(log, atUs, checkpoint, ...rest));
}

/** Values of the continuation lines stand in one column. docs/facts.md, SQL Server 5. */
const LABEL_WIDTH = 27;

/**
 * Four lines, in 2012 three: without the writes per second. docs/facts.md, SQL Server 5:
 * MB/s = bufs * 8 / 1024 / s and writes/s = writes * 1000 / ms.
 */
function listFlushCacheLines(checkpoint: RunningCheckpoint, release: Release): readonly string[] {
  const { pages, writes, number, work } = checkpoint;
  const ms = Math.max(1, Math.floor((checkpoint.endUs - checkpoint.beginUs) / 1000));
  const avoided = Math.floor(unitOf(number, 1) * 90);
  const saturation = Math.floor(writes * (0.1 + 0.1 * unitOf(number, 2)));
  const switches = Math.floor(writes * (0.3 + 0.1 * unitOf(number, 3)));
  const writesPerSecond =
    (writes * 1e6) / Math.max(1, checkpoint.endUs - checkpoint.beginUs - checkpoint.scanMs * 1000);
  const line = (label: string, value: string): string => `      ${label.padEnd(LABEL_WIDTH)}${value}`;
  return [
    `FlushCache: cleaned up ${pages} bufs with ${writes} writes in ${ms} ms (avoided ${avoided} new dirty bufs) for db ${work.database.id}:0`,
    ...(release >= 2014
      ? [line('average writes per second:', `${((writes * 1000) / ms).toFixed(2)} writes/sec`)]
      : []),
    line(
      'average throughput:',
      `${((pages * 8) / 1024 / (ms / 1000)).toFixed(2)} MB/sec, I/O saturation: ${saturation}, context switches ${switches}`,
    ),
    line(
      'last target outstanding:',
      `${Math.floor(pages * 1.6)}, avgWriteLatency ${Math.round(writeLatencyMs(writesPerSecond))}`,
    ),
  ];
}
