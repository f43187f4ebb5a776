import type { Release } from '../../scenarios/releases';
import type { ServerDescription } from '../../scenarios/scenario';
import { physicalNames } from '../databases/database-files';
import type { Database } from '../databases/databases';
import type { ErrorLog } from './error-log';
import { makeVersionText } from '../../scenarios/host-system';
import { unitOf } from '../../scenarios/random';

const INFORMATIONAL = 'This is an informational message only. No user action is required.';
const SHORT = 'This is an informational message; no user action is required.';
const PROCESS_ID = 4312;
const DAY_US = 86_400_000_000;

interface Startup {
  readonly server: ServerDescription;
  readonly databases: readonly Database[];
  readonly startUs: number;
}

/**
 * Writes the end of the log of the run before, and the beginning of this one. Microsoft Learn, "View the SQL Server
 * error log": a restart begins a new log.
 */
export function writeStartup(log: ErrorLog, { server, databases, startUs }: Startup): void {
  const before = startUs - 40 * DAY_US;
  writeHeader(log, server, databases, 'Server', before);
  writeRecovery(log, server.release, databases, before);
  // Message 17147.
  log.write(
    startUs - 95_000_000,
    'spid18s',
    `SQL Server is terminating because of a system shutdown. ${INFORMATIONAL}`,
  );
  log.cycle(startUs);
  writeHeader(log, server, databases, 'Server', startUs);
  writeResources(log, server, startUs);
  writeRecovery(log, server.release, databases, startUs);
}

/** sp_cycle_errorlog: messages 17183 in the old log and 17184 in the new one, below the header that every log has. */
export function cycleErrorLog(
  log: ErrorLog,
  { server, databases }: Omit<Startup, 'startUs'>,
  processInfo: string,
  atUs: number,
): void {
  log.write(
    atUs,
    processInfo,
    'Attempting to cycle error log. This is an informational message only; no user action is required.',
  );
  log.cycle(atUs);
  writeHeader(log, server, databases, processInfo, atUs);
  log.write(
    atUs,
    processInfo,
    'The error log has been reinitialized. See the previous log for older entries.',
  );
}

/** Minutes to add to UTC in the format of the log: 1:00, -5:00, 5:30. */
function formatOffset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : ''}${hours}:${String(rest).padStart(2, '0')}`;
}

/** Lines of a real 2019 log, with the model's own machine names. */
function writeHeader(
  log: ErrorLog,
  server: ServerDescription,
  databases: readonly Database[],
  processInfo: string,
  atUs: number,
): void {
  const write = (text: string): void => log.write(atUs, processInfo, text);
  // A real log has all of @@VERSION here; the model writes its first line.
  write(makeVersionText(server).split('\n')[0]?.trim() ?? '');
  write(`UTC adjustment: ${formatOffset(server.utcOffsetMinutes)}`);
  write('(c) Microsoft Corporation.');
  write('All rights reserved.');
  write(`Server process ID is ${PROCESS_ID}.`);
  write('Authentication mode is MIXED.');
  write(`Logging SQL Server messages in file '${errorLogFile(server)}'.`);
  if (processInfo === 'Server') write(startupParameters(server, databases));
}

function errorLogFile({ logDirectory }: ServerDescription): string {
  return `${logDirectory}${logDirectory.includes('\\') ? '\\' : '/'}ERRORLOG`;
}

/**
 * -d, -e and -l of every instance, then -T and -k if they are set. Microsoft Learn, "Database Engine Service startup
 * options".
 */
function startupParameters(server: ServerDescription, databases: readonly Database[]): string {
  const master = databases.find((each) => each.name === 'master');
  const [data = '', logFile = ''] = master === undefined ? [] : physicalNames(master);
  const flags = (server.traceFlags ?? []).map((flag) => `-T ${flag}`);
  const cap = server.checkpointMbPerSecond === undefined ? [] : [`-k ${server.checkpointMbPerSecond}`];
  return [
    'Registry startup parameters:',
    `-d ${data}`,
    `-e ${errorLogFile(server)}`,
    `-l ${logFile}`,
    ...flags,
    ...cap,
  ].join(' \r\n\t ');
}

function writeResources(log: ErrorLog, server: ServerDescription, startUs: number): void {
  const write = (text: string): void => log.write(startUs + 40_000, 'Server', text);
  write(
    `SQL Server detected 2 sockets with ${server.cpuCount / 4} cores per socket and ${server.cpuCount / 2} logical processors per socket. ${INFORMATIONAL}`,
  );
  write(`SQL Server is starting at normal priority base (=7). ${INFORMATIONAL}`);
  write(`Detected ${server.physicalMemoryMb} MB of RAM. ${SHORT}`);
}

interface Recovery {
  readonly seconds: number;
  readonly analysisMs: number;
  readonly redoMs: number;
  readonly undoMs: number;
}

/** Messages 3454 and 3421. Undo in two parts came with accelerated database recovery, in 2019. */
export function recoveryMessages(
  { name, id }: Database,
  release: Release,
  { seconds, analysisMs, redoMs, undoMs }: Recovery,
): readonly string[] {
  const parts = release < 2019 ? '' : ' [system undo 0 ms, regular undo 0 ms]';
  return [
    `Recovery is writing a checkpoint in database '${name}' (${id}). ${INFORMATIONAL}`,
    `Recovery completed for database ${name} (database ID ${id}) in ${seconds} second(s) (analysis ${analysisMs} ms, redo ${redoMs} ms, undo ${undoMs} ms${parts}.) ${INFORMATIONAL}`,
  ];
}

/**
 * Recovery of each database; its durations are the model's choice. docs/facts.md, SQL Server 5, messages 3454 and
 * "Recovery completed".
 */
function writeRecovery(
  log: ErrorLog,
  release: Release,
  databases: readonly Database[],
  startUs: number,
): void {
  let atUs = startUs + 4_000_000;
  for (const database of databases.filter((each) => each.state === 'ONLINE')) {
    atUs += 30_000;
    const redoMs = Math.round(20 + 900 * unitOf(database.id, database.vlfCount));
    log.write(atUs, 'spid23s', `Starting up database '${database.name}'.`);
    if (database.workload.activity === 'idle' || database.isReadOnly) continue;
    atUs += redoMs * 1000;
    const took = { seconds: Math.ceil(redoMs / 1000), analysisMs: 4, redoMs, undoMs: 3 };
    for (const text of recoveryMessages(database, release, took)) log.write(atUs, 'spid23s', text);
  }
  log.write(atUs + 50_000, 'spid9s', `Recovery is complete. ${INFORMATIONAL}`);
  log.write(atUs + 60_000, 'spid23s', `SQL Server is now ready for client connections. ${SHORT}`);
}
