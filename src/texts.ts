/**
 * The files of sql/ as strings. The type of each says what it may do; its folder decides that.
 * Templates still hold their SSMS parameters; core/script fills them.
 */
import acceleratedRecovery from '../sql/read/accelerated-recovery.sql';
import adoptableSessions from '../sql/read/adoptable-sessions.sql';
import availabilityRoles from '../sql/read/availability-roles.sql';
import backups from '../sql/read/backups.sql';
import centralServers from '../sql/read/central-servers.sql';
import checkpointEvents from '../sql/read/checkpoint-events.sql';
import databaseCopies from '../sql/read/database-copies.sql';
import databaseCounters from '../sql/read/database-counters.sql';
import databaseFacts from '../sql/read/database-facts.sql';
import databaseFiles from '../sql/read/database-files.sql';
import databaseLogs from '../sql/read/database-logs.sql';
import dirtyPageSpinlock from '../sql/read/dirty-page-spinlock.sql';
import distributedGroups from '../sql/read/distributed-groups.sql';
import errorLog from '../sql/read/error-log.sql';
import errorLogFiles from '../sql/read/error-log-files.sql';
import eventSession from '../sql/read/event-session.sql';
import eventVolume from '../sql/read/event-volume.sql';
import fileIo from '../sql/read/file-io.sql';
import fileVolumes from '../sql/read/file-volumes.sql';
import instanceWork from '../sql/read/instance-work.sql';
import logUsed from '../sql/read/log-used.sql';
import messageTemplates from '../sql/read/message-templates.sql';
import ringBuffer from '../sql/read/ring-buffer.sql';
import serverClock from '../sql/read/server-clock.sql';
import serverFacts from '../sql/read/server-facts.sql';
import serverSettings from '../sql/read/server-settings.sql';
import serverState from '../sql/read/server-state.sql';
import startupOptions from '../sql/read/startup-options.sql';
import traceFlags from '../sql/read/trace-flags.sql';
import utcOffsets from '../sql/read/utc-offsets.sql';
import checkpointBeforeFailover from '../sql/change/checkpoint-before-failover.sql';
import checkpointThrottled from '../sql/change/checkpoint-throttled.sql';
import measureScanCost from '../sql/change/measure-scan-cost.sql';
import sessionAddMissingEvents from '../sql/change/session-add-missing-events.sql';
import sessionChangeDatabases from '../sql/change/session-change-databases.sql';
import sessionCreate from '../sql/change/session-create.sql';
import sessionCreateRing from '../sql/change/session-create-ring.sql';
import sessionDrop from '../sql/change/session-drop.sql';
import sessionStart from '../sql/change/session-start.sql';
import sessionStop from '../sql/change/session-stop.sql';
import setModelTargetRecoveryTime from '../sql/change/set-model-target-recovery-time.sql';
import setRecoveryInterval from '../sql/change/set-recovery-interval.sql';
import setTargetRecoveryTime from '../sql/change/set-target-recovery-time.sql';
import type { ScriptKind } from './core/script/script-request';
import type { OwnSessionTemplate, ReadTemplate, ReviewTemplate } from './core/script/text';

export const readTemplates = {
  acceleratedRecovery: acceleratedRecovery as ReadTemplate,
  adoptableSessions: adoptableSessions as ReadTemplate,
  availabilityRoles: availabilityRoles as ReadTemplate,
  backups: backups as ReadTemplate,
  centralServers: centralServers as ReadTemplate,
  checkpointEvents: checkpointEvents as ReadTemplate,
  databaseCopies: databaseCopies as ReadTemplate,
  databaseCounters: databaseCounters as ReadTemplate,
  databaseFacts: databaseFacts as ReadTemplate,
  databaseFiles: databaseFiles as ReadTemplate,
  databaseLogs: databaseLogs as ReadTemplate,
  dirtyPageSpinlock: dirtyPageSpinlock as ReadTemplate,
  distributedGroups: distributedGroups as ReadTemplate,
  eventSession: eventSession as ReadTemplate,
  eventVolume: eventVolume as ReadTemplate,
  fileIo: fileIo as ReadTemplate,
  fileVolumes: fileVolumes as ReadTemplate,
  instanceWork: instanceWork as ReadTemplate,
  logUsed: logUsed as ReadTemplate,
  messageTemplates: messageTemplates as ReadTemplate,
  ringBuffer: ringBuffer as ReadTemplate,
  serverClock: serverClock as ReadTemplate,
  serverFacts: serverFacts as ReadTemplate,
  serverSettings: serverSettings as ReadTemplate,
  serverState: serverState as ReadTemplate,
  startupOptions: startupOptions as ReadTemplate,
  utcOffsets: utcOffsets as ReadTemplate,
};

/**
 * Reads that call a system procedure. Rows of an EXEC can only be collected in a table variable of the same batch.
 * These texts catch their own errors and return them in their single result set. A second wrapper to catch errors would
 * fail, because INSERT ... EXEC cannot be nested (8164).
 */
export const gatheringTemplates = {
  errorLog: errorLog as ReadTemplate,
  errorLogFiles: errorLogFiles as ReadTemplate,
  traceFlags: traceFlags as ReadTemplate,
};

export const ownSessionTemplates = {
  addMissingEvents: sessionAddMissingEvents as OwnSessionTemplate,
  changeDatabases: sessionChangeDatabases as OwnSessionTemplate,
  create: sessionCreate as OwnSessionTemplate,
  createRing: sessionCreateRing as OwnSessionTemplate,
  drop: sessionDrop as OwnSessionTemplate,
  start: sessionStart as OwnSessionTemplate,
  stop: sessionStop as OwnSessionTemplate,
};

/** The switch, and each script beside it by its kind. */
export const reviewTemplates: { readonly [Kind in ScriptKind | 'switch']: ReviewTemplate } = {
  switch: setTargetRecoveryTime as ReviewTemplate,
  'before failover': checkpointBeforeFailover as ReviewTemplate,
  'throttled checkpoint': checkpointThrottled as ReviewTemplate,
  'scan cost': measureScanCost as ReviewTemplate,
  'recovery interval': setRecoveryInterval as ReviewTemplate,
  model: setModelTargetRecoveryTime as ReviewTemplate,
};
