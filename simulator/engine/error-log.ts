import type { ServerDescription } from '../scenarios/scenario';
import type { RunningCheckpoint } from './checkpointer';
import type { Database } from './databases';
import { FLUSH_CACHE_MS } from './physics';
import { unitOf } from './random';

/** One row of sp_readerrorlog. */
export interface ErrorLogRow {
  /** Server local time in steps of 10 ms, ISO text without zone. docs/facts.md, SQL Server 5. */
  readonly logDate: string;
  readonly processInfo: string;
  readonly text: string;
}

export interface ErrorLog {
  /** Oldest first. */
  readonly rows: readonly ErrorLogRow[];
  write(atUs: number, processInfo: string, text: string): void;
}

export function createErrorLog(utcOffsetMinutes: number): ErrorLog {
  const rows: ErrorLogRow[] = [];
  return {
    rows,
    write(atUs, processInfo, text) {
      const localMs = Math.floor(atUs / 10_000) * 10 + utcOffsetMinutes * 60_000;
      rows.push({ logDate: new Date(localMs).toISOString().slice(0, -1), processInfo, text });
    },
  };
}

const INFORMATIONAL = 'This is an informational message only. No user action is required.';

/** What the server said when it started: its version and, for each database, recovery. Durations of recovery are the model's choice. */
export function writeStartup(log: ErrorLog, server: ServerDescription, databases: readonly Database[], startUs: number): void {
  const { version, level, updateLevel, updateReference } = server.build;
  const update = updateLevel === null ? level : `${level}-${updateLevel}`;
  const reference = updateReference === null ? '' : ` (${updateReference})`;
  log.write(startUs, 'Server', `Microsoft SQL Server ${server.release} (${update})${reference} - ${version.join('.')} (X64)`);
  log.write(startUs + 5_000, 'Server', 'UTC adjustment: 1:00');
  log.write(startUs + 9_000, 'Server', `Logging SQL Server messages in file '${server.logDirectory}\\ERRORLOG'.`);
  log.write(
    startUs + 40_000,
    'Server',
    `SQL Server detected 2 sockets with ${server.cpuCount / 4} cores per socket and ${server.cpuCount / 2} logical processors per socket. ${INFORMATIONAL}`,
  );
  let atUs = startUs + 4_000_000;
  for (const database of databases.filter((each) => each.state === 'ONLINE')) {
    atUs += 30_000;
    const redoMs = Math.round(20 + 900 * unitOf(database.id, database.vlfCount));
    log.write(atUs, 'spid23s', `Starting up database '${database.name}'.`);
    if (database.workload.activity === 'idle' || database.isReadOnly) continue;
    const seconds = Math.ceil(redoMs / 1000);
    log.write(
      atUs + redoMs * 1000,
      'spid23s',
      `Recovery is writing a checkpoint in database '${database.name}' (${database.id}). ${INFORMATIONAL}`,
    );
    log.write(
      atUs + redoMs * 1000,
      'spid23s',
      `Recovery completed for database ${database.name} (database ID ${database.id}) in ${seconds} second(s) (analysis 4 ms, redo ${redoMs} ms, undo 3 ms [system undo 0 ms, regular undo 0 ms].) ${INFORMATIONAL}`,
    );
    atUs += redoMs * 1000;
  }
  log.write(atUs + 50_000, 'spid9s', `Recovery is complete. ${INFORMATIONAL}`);
}

/** Message 5084: lower case, seconds, no unit. docs/facts.md, SQL Server 2. */
export function writeTargetChange(log: ErrorLog, atUs: number, spid: number, database: string, seconds: number): void {
  log.write(atUs, `spid${spid}`, `Setting database option target_recovery_time to ${seconds} for database '${database}'.`);
}

/** Values of the continuation lines stand in one column. docs/facts.md, SQL Server 5. */
const LABEL_WIDTH = 27;

/**
 * The four FlushCache lines of 2014 and later, where a checkpoint outlasts the recovery interval. docs/facts.md, SQL Server 5:
 * MB/s = bufs * 8 / 1024 / s and writes/s = writes * 1000 / ms.
 */
export function writeFlushCache(log: ErrorLog, checkpoint: RunningCheckpoint, recoveryIntervalMinutes: number): void {
  const ms = Math.floor((checkpoint.endUs - checkpoint.beginUs) / 1000);
  if (ms <= recoveryIntervalMinutes * FLUSH_CACHE_MS) return;
  const { pages, writes, number, work, task } = checkpoint;
  const processInfo = `spid${task.sessionId}${task.sessionId <= 50 ? 's' : ''}`;
  const avoided = Math.floor(unitOf(number, 1) * 90);
  const saturation = Math.floor(writes * (0.1 + 0.1 * unitOf(number, 2)));
  const switches = Math.floor(writes * (0.3 + 0.1 * unitOf(number, 3)));
  const line = (label: string, value: string): void =>
    log.write(checkpoint.endUs, processInfo, `      ${label.padEnd(LABEL_WIDTH)}${value}`);
  log.write(
    checkpoint.endUs,
    processInfo,
    `FlushCache: cleaned up ${pages} bufs with ${writes} writes in ${ms} ms (avoided ${avoided} new dirty bufs) for db ${work.database.id}:0`,
  );
  line('average writes per second:', `${((writes * 1000) / ms).toFixed(2)} writes/sec`);
  line(
    'average throughput:',
    `${((pages * 8) / 1024 / (ms / 1000)).toFixed(2)} MB/sec, I/O saturation: ${saturation}, context switches ${switches}`,
  );
  line('last target outstanding:', `${Math.floor(pages * 1.6)}, avgWriteLatency ${1 + Math.floor(unitOf(number, 4) * 20)}`);
}
