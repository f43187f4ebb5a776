/**
 * Messages that every error log holds and that say nothing here, as the patterns of a LIKE that only knows %. Each names a sentence, never a word; what fits none is counted as
 * unrecognised. Wording: the lists of database engine events and errors on Microsoft Learn, and published logs of 2012 to 2022.
 */
const STARTUP = [
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
  'Using conventional memory in the memory manager.%',
  'Using locked pages in the memory manager.%',
  'Using large pages %',
  'Large Page Allocated: %',
  'Large Page Granularity: %',
  'Large Page Extensions enabled.%',
  'Page exclusion bitmap is enabled.%',
  'Default collation: %',
  'Buffer pool extension %',
  'Buffer Pool: Allocating % bytes for %',
  'Machine supports memory error recovery.%',
  'Query Store settings initialized with enabled = %',
  'Node configuration: node %',
  'Multinode configuration: node %',
  'This instance of SQL Server last reported using a process ID of %',
  'This instance of SQL Server has been using a process ID of %',
  'The maximum number of dedicated administrator connections for this instance is %',
  'Lock partitioning is enabled.%',
  'Using dynamic lock allocation.%',
  'In-Memory OLTP initialized on %',
  'CLR version % loaded.',
  'Common language runtime (CLR) functionality initialized %',
  'CLR is not loaded %',
  'Software Usage Metrics is %',
  'Total Log Writer threads: %',
  'Database Mirroring Transport is %',
  'Database Instant File Initialization: %',
  '[INFO] %',
  'The Database Mirroring endpoint is %',
  'The Database Mirroring protocol transport is %',
  'The Service Broker endpoint is %',
  'The Service Broker protocol transport is %',
  'Service Broker manager has %',
  'Clearing tempdb database.',
  'The tempdb database has % data file(s).',
  'Starting up database %',
  'The resource database build version is %',
  'Resource governor reconfiguration succeeded.',
  'Server is listening on [ %',
  'Server local connection provider is ready to accept connection on [ %',
  'Server named pipe provider is ready to accept connection on [ %',
  'Dedicated admin connection support was established for listening %',
  'Dedicated administrator connection support was %',
  'A self-generated certificate was successfully loaded for encryption.',
  'The certificate % was successfully loaded for encryption.',
  "Server name is '%'.%",
  'The NETBIOS name of the local node that is running the server is %',
  'The SQL Server Network Interface library %',
  'FILESTREAM: effective level = %',
  'FILESTREAM: %file system access share name%',
  'A new instance of the full-text filter daemon host process has been successfully started.',
  'Polybase feature disabled.',
  'Synchronize Database %',
  'Converting database %',
  'Database % running the upgrade step from version %',
  'External governance manager initialized%',
  'Installed % version %',
  'InitializeExternalUserGroupSid failed.%',
  'Implied authentication manager initialization failed.%',
  'Attribute synchronization manager initialized%',
  'Attribute synchronization initialized%',
  'Always On Availability Groups is not enabled %',
] as const;

const RUNNING = [
  'Login succeeded for user %',
  'Login failed for user %',
  'Login failed: %',
  'Login failed. %',
  'Error: %, Severity: %, State: %.%',
  'Error: %, Severity: %, State: %',
  'Database backed up. Database: %',
  'Log was backed up. Database: %',
  'Database differential changes were backed up. Database: %',
  'Database file was backed up. Database: %',
  'Database file differential changes were backed up. Database: %',
  'Database was restored: Database: %',
  'Database changes were restored. Database: %',
  'Log was restored. Database: %',
  'Database log was backed up. Database: %',
  'BACKUP DATABASE successfully processed % pages in %',
  'BACKUP DATABASE WITH DIFFERENTIAL successfully processed % pages in %',
  'BACKUP LOG successfully processed % pages in %',
  'RESTORE DATABASE successfully processed % pages in %',
  'RESTORE LOG successfully processed % pages in %',
  'BACKUP failed to complete the command %',
  'RESTORE failed to complete the command %',
  'Restore is complete on database %',
  'The database % is marked RESTORING and is in a state that does not allow recovery to be run.%',
  'BackupVirtualDeviceFile::%',
  'BackupDiskFile::%',
  'BackupIoRequest::%',
  'I/O is frozen on database %',
  'I/O was resumed on database %',
  'DBCC CHECKDB % found % errors and repaired % errors.%',
  'DBCC CHECK% executed by % found % errors and repaired % errors.%',
  'DBCC TRACEON %',
  'DBCC TRACEOFF %',
  'DBCC SHRINK%',
  'CHECKDB for database % finished without errors on %',
  'Configuration option % changed from % to %. Run the RECONFIGURE statement to install.%',
  'Attempting to cycle error log.%',
  'The error log has been reinitialized.%',
  'Attempting to load library %',
  'Using % version % to execute extended stored procedure %',
  'SQL Trace ID % was started by login %',
  'SQL Trace stopped. Trace ID = %',
  'Trace ID % was started by %',
  'Process ID % was killed by hostname %',
  'SQL Server has encountered % occurrence(s) of cachestore flush for the %',
  'A significant part of sql server process memory has been paged out.%',
  'AppDomain % is marked for unload due to %',
  'AppDomain % unloaded.',
  'AppDomain % created.',
  'Unsafe assembly %',
  'Autogrow of file % in database % %',
  'The transaction log for database % is full due to %',
  'The client was unable to reuse a session with SPID %',
  'Length specified in network packet payload did not match number of bytes read;%',
  'The login packet used to open the connection is structurally invalid;%',
  'The operating system returned %',
  'SSPI handshake failed with error code %',
  'SQL Server blocked access to procedure %',
  'Deadlock encountered .... Printing deadlock information',
  'deadlock-list',
  'Process % appears to be non-yielding on Scheduler %',
  'Timeout occurred while waiting for latch%',
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
  '**Dump thread - spid = %',
  '***Stack Dump being sent to %',
  'User initiated stack dump.%',
  'MEMORYCLERK_%',
  'CACHESTORE_%',
  'USERSTORE_%',
  'OBJECTSTORE_%',
] as const;

const RECOVERY = [
  'Recovery is complete.%',
  'Recovery of database % is % complete %',
  '% transactions rolled forward in database %',
  '% transactions rolled back in database %',
  'Recovery of any in-doubt distributed transactions %',
  'Recovery for availability database %',
  'Parallel redo is started for database % with worker pool size [%].',
  'Parallel redo is shutdown for database % with worker pool size [%].',
  '[% Persisted Version Cleaner %',
  'Bypassing recovery for database %',
] as const;

const AVAILABILITY = [
  'Always On: %',
  'Always On Availability Groups connection with %',
  'AlwaysOn: %',
  'AlwaysOn Availability Groups connection with %',
  'The state of the local availability replica in availability group % has changed from %',
  'The availability group database % is changing roles from %',
  'The % database % is changing roles from % to % because %',
  'The availability group % is being asked to stop the lease renewal %',
  'The lease % availability group %',
  'A connection timeout has occurred on a previously established connection to availability replica %',
  'A connection timeout has occurred while attempting to establish a connection to availability replica %',
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
  'Starting up database % as %',
  'Database Mirroring login attempt %',
  'Database mirroring connection %',
  'Remote harden of transaction % (ID %) started at % in database % at LSN % failed.',
  'SubscribeToPublisher%',
  '[HADR] %',
  'Availability database %',
] as const;

/** What must never pass for noise, because a line that was joined to another one may hold it. */
const MEANT_FOR_US = [
  'FlushCache',
  'DirtyPageMgr',
  'target_recovery_time',
  'avgWriteLatency',
  'average throughput',
  'I/O saturation',
] as const;
const DUMP = /^\*(?:\s|\*|$)/;

type Pieces = readonly string[];
const byBeginning = new Map<string, Pieces[]>();
const anywhere: Pieces[] = [];
const BEGINNING = 4;
for (const pattern of [...STARTUP, ...RUNNING, ...RECOVERY, ...AVAILABILITY]) {
  const pieces = pattern.split('%');
  const beginning = (pieces[0] ?? '').slice(0, BEGINNING);
  if (beginning.length < BEGINNING) anywhere.push(pieces);
  else byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), pieces]);
}

/** True for a message that is known and says nothing about checkpoints. */
export function isKnownNoise(text: string): boolean {
  const candidates = byBeginning.get(text.slice(0, BEGINNING)) ?? [];
  const isKnown = DUMP.test(text) || candidates.some((pieces) => isLike(text, pieces)) || anywhere.some((pieces) => isLike(text, pieces));
  return isKnown && !MEANT_FOR_US.some((ours) => text.includes(ours));
}

/** LIKE with % alone. */
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
