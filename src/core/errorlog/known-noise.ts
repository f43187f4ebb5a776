/**
 * Messages that every error log holds and that say nothing here, as LIKE patterns with % only. Each is a whole
 * sentence, never a word. Other messages count as unrecognised. Wording: the lists of database engine events and errors
 * on Microsoft Learn, and published logs of 2012 to 2022.
 */
import { addToList } from '../lists';

const NOISE = [
  // At start and shutdown.
  'Microsoft SQL Server 20%',
  'UTC adjustment: %',
  '(c) %Microsoft Corporation.%',
  'All rights reserved.',
  'Server process ID is %',
  'System Manufacturer: %',
  'Authentication mode is %',
  'Logging SQL Server messages in file %',
  'The service account is %',
  'Registry startup parameters:%',
  'Command Line Startup Parameters:%',
  'SQL Server detected % socket%',
  'SQL Server is starting at %',
  'SQL Server is now ready for client connections.%',
  'SQL Server is not ready to accept new client connections.%',
  'SQL Server is attempting to register a Service Principal Name (SPN) %',
  'SQL Server is terminating %',
  'SQL Server shutdown %',
  'SQL Server cannot accept new connections, because it is shutting down.%',
  'Detected % MB of RAM%',
  'Using % in the memory manager.%',
  'Using large pages %',
  'Large Page %',
  'Page exclusion bitmap is enabled.%',
  'Default collation: %',
  'Buffer pool extension %',
  'Buffer Pool: Allocating % bytes for %',
  'Machine supports memory error recovery.%',
  'Query Store settings initialized with enabled = %',
  'Node configuration: node %',
  'Multinode configuration: node %',
  'This instance of SQL Server % using a process ID of %',
  'The maximum number of dedicated administrator connections for this instance is %',
  'Lock partitioning is enabled.%',
  'Using dynamic lock allocation.%',
  'In-Memory OLTP initialized on %',
  'CLR % loaded%',
  'Common language runtime (CLR) functionality initialized %',
  'Software Usage Metrics is %',
  'Total Log Writer threads: %',
  'Database Mirroring Transport is %',
  'Database Instant File Initialization: %',
  '[INFO] %',
  'The Database Mirroring % is %',
  'The Service Broker % is %',
  'Service Broker manager has %',
  'Clearing tempdb database.',
  'The tempdb database has % data file(s).',
  'Starting up database %',
  'The resource database build version is %',
  'Resource governor reconfiguration succeeded.',
  'Server % on [ %',
  'Dedicated admin% connection support was %',
  'A self-generated certificate was successfully loaded for encryption.',
  'The certificate % was successfully loaded for encryption.',
  "Server name is '%'.%",
  'The NETBIOS name of the local node that is running the server is %',
  'The SQL Server Network Interface library %',
  'FILESTREAM: %',
  'A new instance of the full-text filter daemon host process has been successfully started.',
  'Polybase feature disabled.',
  'Synchronize Database %',
  'Converting database %',
  'Database % running the upgrade step from version %',
  'External governance manager initialized%',
  'Installed % version %',
  'InitializeExternalUserGroupSid failed.%',
  'Implied authentication manager initialization failed.%',
  'Attribute synchronization %initialized%',
  'Always On Availability Groups is not enabled %',
  'Perfmon counters for resource governor pools and groups failed to initialize %',
  'clflushopt is selected for pmem flush operation.%',
  'Warning ******************',
  'SQL Server started in single-user mode.%',
  'The tail of the log for database % is being rewritten to match the new sector size of %',
  'SQL Server Audit % the audits.%',
  'Password policy update was successful.',
  'Successfully initialized the TLS configuration.%',
  'ForceFlush %is enabled for %',
  'The licensing PID was successfully processed.%',
  'Service Master Key could not be decrypted using one of its encryptions.%',
  'An error occurred during Service Master Key initialization.%',
  '.NET Framework runtime has been stopped.',
  'Changed database context to %',
  'Changed language setting to %',
  // While it runs.
  'Login succeeded for user %',
  'Login failed%',
  'Logon failed for %',
  'Error: %, Severity: %, State: %',
  'Erreur%: %, Gravité%: %, État%: %',
  'Database % Database: %',
  'Log was %. Database: %',
  'BACKUP % successfully processed % pages in %',
  'RESTORE % successfully processed % pages in %',
  'BACKUP failed to complete the command %',
  'RESTORE failed to complete the command %',
  'Restore is complete on database %',
  'The database % is marked RESTORING and is in a state that does not allow recovery to be run.%',
  'Backup%::%',
  'I/O % on database %',
  'DBCC CHECK% found % errors and repaired % errors.%',
  'DBCC TRACEO% %',
  'DBCC SHRINK%',
  'CHECKDB for database % finished without errors on %',
  'Configuration option % changed from % to %. Run the RECONFIGURE statement to install.%',
  'Attempting to cycle error log.%',
  'The error log has been reinitialized.%',
  'Attempting to load library %',
  'Using % version % to execute extended stored procedure %',
  'SQL Trace %',
  'Trace ID % was started by %',
  'Process ID % was killed by hostname %',
  'SQL Server has encountered % occurrence(s) of cachestore flush for the %',
  'A significant part of sql server process memory has been paged out.%',
  'AppDomain % is marked for unload due to %',
  'AppDomain %ed.',
  'Unsafe assembly %',
  'Autogrow of file % in database % %',
  'The client was unable to reuse a session with SPID %',
  'Length specified in network packet payload did not match number of bytes read;%',
  'The login packet used to open the connection is structurally invalid;%',
  'The operating system returned %',
  'SSPI handshake failed with error code %',
  'SQL Server blocked access to procedure %',
  'Deadlock encountered .... Printing deadlock information',
  'deadlock-list',
  'Process % appears to be non-yielding on Scheduler %',
  'New queries assigned to process on Node % have not been picked up by a worker thread %',
  'All schedulers on Node % appear deadlocked %',
  'A time-out occurred while waiting for %',
  'The time stamp counter of CPU on scheduler id %',
  'CPU time stamp frequency has changed %',
  'Failed allocate pages: %',
  'Downgrading backup log buffers from %',
  'External dump process return code %',
  'Stack Signature for the dump is %',
  'Using %dbghelp.dll% version %',
  'The activated proc %',
  'User initiated stack dump.%',
  // Recovery.
  'Recovery is complete.%',
  'Recovery of database % is % complete %',
  '% transactions rolled % in database %',
  'Recovery of any in-doubt distributed transactions %',
  'Recovery for availability database %',
  'Parallel redo is % for database % with worker pool size [%].',
  '[% Persisted Version Cleaner %',
  'Bypassing recovery for database %',
  // Availability groups and mirroring.
  'Always On: %',
  'Always%n Availability Groups connection with %',
  'AlwaysOn: %',
  'The state of the local availability replica in availability group % has changed from %',
  'The % database % is changing roles from %',
  'The availability group % is being asked to stop the lease renewal %',
  'The lease % availability group %',
  'A connection timeout has occurred % connection to availability replica %',
  'A connection for availability group % from availability replica % to % has been successfully established.%',
  'The recovery LSN % was identified for the database with ID %',
  'Nonqualified transactions are being rolled back in database %',
  'Started listening on virtual network name %',
  'Stopped listening on virtual network name %',
  'DbMgrPartnerCommitPolicy::%',
  'HadrLogCapture::%',
  'HaDrDbMgr %',
  'State information for database % - Hardened Lsn: %',
  'Skipping the default startup of database % because the database belongs to an availability group %',
  'Database Mirroring login attempt %',
  'Database mirroring connection %',
  'Remote harden of transaction % (ID %) started at % in database % at LSN % failed.',
  'SubscribeToPublisher%',
  '[HADR] %',
  'Availability database %',
  'Initializing MS DTC resource manager %',
  'MS DTC resource manager % has been released.%',
  'The database % is being restarted to resynchronize %',
  'Process ID % was killed by an ABORT_AFTER_WAIT = BLOCKERS DDL statement on database_id = %',
];

/** A message with one of these is never noise: the line with it may be joined to a noisy one. */
const MEANT_FOR_US =
  /FlushCache|DirtyPageMgr|target_recovery_time|avgWriteLatency|average throughput|I\/O saturation/;
/** Lines of a dump, and of what the memory was used for. */
const DUMP = /^(?:\*(?:\s|\*|$)|(?:MEMORYCLERK|CACHESTORE|USERSTORE|OBJECTSTORE)_)/;

type Pieces = readonly string[];
const byBeginning = new Map<string, Pieces[]>();
const anywhere: Pieces[] = [];
const BEGINNING = 4;
for (const pattern of NOISE) {
  const pieces = pattern.split('%');
  const beginning = (pieces[0] ?? '').slice(0, BEGINNING);
  if (beginning.length < BEGINNING) anywhere.push(pieces);
  else addToList(byBeginning, beginning, pieces);
}

/** True for a known message that is not used here. */
export function isKnownNoise(text: string): boolean {
  const candidates = byBeginning.get(text.slice(0, BEGINNING)) ?? [];
  const isKnown =
    DUMP.test(text) ||
    candidates.some((pieces) => isLike(text, pieces)) ||
    anywhere.some((pieces) => isLike(text, pieces));
  return isKnown && !MEANT_FOR_US.test(text);
}

/** LIKE with % only. */
function isLike(text: string, pieces: Pieces): boolean {
  const [first = '', ...rest] = pieces;
  if (!text.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return text.length === first.length;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
