import { SqlError } from '../tds/handler';

/**
 * The errors of the modelled server: numbers, severities and texts as in sys.messages
 * (Microsoft Learn, "Database Engine events and errors"; per range 0-999, 3000-3999, 5000-5999, 15000-15999, 25000-25999).
 */
export const errors = {
  noSuchDatabase: (name: string) =>
    new SqlError(911, `Database '${name}' does not exist. Make sure that the name is entered correctly.`, 16, 1),
  cannotAlterDatabase: (name: string) =>
    new SqlError(
      5011,
      `User does not have permission to alter database '${name}', the database does not exist, or the database is not in a state that allows access checks.`,
      14,
      9,
    ),
  readOnly: (name: string) => new SqlError(3906, `Failed to update database "${name}" because the database is read-only.`, 16, 1),
  restoring: (name: string) => new SqlError(927, `Database '${name}' cannot be opened. It is in the middle of a restore.`, 14, 2),
  offline: (name: string) => new SqlError(942, `Database '${name}' cannot be opened because it is offline.`, 14, 4),
  invalidTarget: (seconds: number) => new SqlError(5004, `${seconds} is not a target recovery time.`, 16, 1),
  notPermitted: () => new SqlError(15247, 'User does not have permission to perform this action.', 16, 1),
  viewServerStateDenied: () => new SqlError(300, "VIEW SERVER STATE permission was denied on object 'server', database 'master'.", 14, 1),
  userNotPermitted: () => new SqlError(297, 'The user does not have permission to perform this action.', 16, 1),
  checkpointDenied: (database: string) => new SqlError(262, `CHECKPOINT permission denied in database '${database}'.`, 14, 1),
  sessionExists: (name: string) =>
    new SqlError(25631, `The event session, "${name}", already exists.  Choose a unique name for the event session.`, 16, 1),
  noSuchSession: (verb: 'alter' | 'drop', name: string) =>
    new SqlError(15151, `Cannot ${verb} the event session '${name}', because it does not exist or you do not have permission.`, 16, 19),
  sessionRunning: () => new SqlError(25705, 'The event session has already been started.', 16, 1),
  sessionStopped: () => new SqlError(25704, 'The event session has already been stopped.', 16, 1),
  invalidObject: (kind: 'event' | 'target' | 'event action' | 'predicate source', name: string) =>
    new SqlError(25623, `The ${kind} name, "${name}", is invalid, or the object could not be found`, 16, 1),
  eventTwice: (name: string) =>
    new SqlError(
      25616,
      `The event, "${name}", was already added to the event session. Specify a unique event and retry the operation`,
      16,
      1,
    ),
  noSuchEvent: (name: string) => new SqlError(25630, `The event, "${name}", could not be found in the event session.`, 16, 1),
  targetFailed: (target: string, reason: string) =>
    new SqlError(
      25602,
      `The target, "${target}", encountered a configuration error during initialization.  Object cannot be added to the event session. ${reason}`,
      17,
      22,
    ),
  missingParameter: (target: string, parameter: string) =>
    new SqlError(
      25641,
      `For target, "${target}", the parameter "${parameter}" passed is invalid.  The required parameter is missing.`,
      16,
      0,
    ),
  databaseScopeNotModelled: () =>
    new SqlError(25607, 'Event sessions ON DATABASE are not modelled: SQL Server 2019 has them ON SERVER only.', 16, 1),
  logFileInvalid: (path: string) =>
    new SqlError(
      25718,
      `The log file name "${path}" is invalid.  Verify that the file exists and that the SQL Server service account has access to it.`,
      16,
      3,
    ),
  fileAndOffsetArePair: () =>
    new SqlError(
      25719,
      'Initial file name and initial offset must be specified as a pair. Please correct the parameters and retry your query.',
      16,
      1,
    ),
  offsetInvalid: (offset: bigint, path: string) =>
    new SqlError(
      25722,
      `The offset ${offset} is invalid for log file "${path}". Specify an offset that exists in the log file and retry your query.`,
      16,
      1,
    ),
} as const;
