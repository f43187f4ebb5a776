import { SqlError } from '../../tds/handler';

/**
 * Errors of event sessions and their files. Numbers, severities and texts: Microsoft Learn, "Database Engine events and errors 23000 to 25999" and
 * "40000 to 41399". States are not published there; a comment marks those from published messages.
 */
export const eventErrors = {
  /** The simulator's own error: for what SQL Server has and the model has not, and if the real error is not known. */
  notModelled: (what: string) => new SqlError(50000, `simulator: ${what} is not modelled`, 16, 1),
  refusedSomehow: (what: string) => new SqlError(50000, `simulator: ${what} is refused here; with which error is not known`, 16, 1),
  sessionExists: (name: string) =>
    new SqlError(25631, `The event session, "${name}", already exists.  Choose a unique name for the event session.`, 16, 1),
  noSuchSession: (verb: 'alter' | 'drop', name: string) =>
    new SqlError(15151, `Cannot ${verb} the event session '${name}', because it does not exist or you do not have permission.`, 16, 19),
  temporaryName: (name: string) =>
    new SqlError(25701, `Invalid event session name "${name}". Temporary event sessions are not allowed.`, 15, 1),
  sessionRunning: () => new SqlError(25705, 'The event session has already been started.', 16, 1),
  sessionStopped: () => new SqlError(25704, 'The event session has already been stopped.', 16, 1),
  invalidObject: (kind: 'event' | 'target' | 'action', name: string) =>
    new SqlError(25623, `The ${kind} name, "${name}", is invalid, or the object could not be found`, 16, 1),
  specifiedTwice: (kind: 'event' | 'target' | 'action', name: string) =>
    new SqlError(25626, `The ${kind}, "${name}", was specified multiple times.`, 16, 1),
  alreadyInSession: (kind: 'event' | 'target', name: string) =>
    new SqlError(25625, `The ${kind}, "${name}", already exists in the event session. Object cannot be added to the event session.`, 16, 1),
  notInSession: (kind: 'event' | 'target', name: string) =>
    new SqlError(
      25653,
      `The ${kind}, "${name}", does not exist in the event session. Object cannot be dropped from the event session.`,
      16,
      1,
    ),
  noSuchSource: (name: string) => new SqlError(25706, `The event attribute or predicate source, "${name}", could not be found.`, 16, 8),
  predicateTooLong: (event: string) =>
    new SqlError(25716, `The predicate on event, "${event}", exceeds the maximum length of 3000 characters.`, 16, 1),
  valueInvalid: (source: string, event: string) =>
    new SqlError(25713, `The value specified for event attribute or predicate source, "${source}", event, "${event}", is invalid.`, 16, 1),
  missingFilename: (target: string) => new SqlError(25642, `Mandatory customizable attributes are missing for target, "${target}".`, 16, 0),
  noSuchTargetOption: (target: string, option: string) =>
    new SqlError(25629, `For target, "${target}", the customizable attribute, "${option}", does not exist.`, 16, 1),
  targetOptionType: (target: string, option: string, type: string) =>
    new SqlError(
      25651,
      `For target, "${target}", the value specified for customizable attribute, "${option}", did not match the expected type, "${type}".`,
      16,
      1,
    ),
  /** State 22 for files, 1 for blobs: as published messages show. */
  targetFailed: (target: string, reason: string, state = 22) =>
    new SqlError(
      25602,
      `The target, "${target}", encountered a configuration error during initialization.  Object cannot be added to the event session. ${reason}`,
      17,
      state,
    ),
  /** State 29 as published; the minimum of 65,331 bytes a buffer is what the published minima (13,066,200 and 20,905,920) have in common. */
  bufferTooSmall: (minimum: number) =>
    new SqlError(25632, `The specified buffer size is less than the minimum size. The minimum allowed size is ${minimum} bytes.`, 16, 29),
  optionTooLarge: (option: string) =>
    new SqlError(25708, `The "${option}" specified exceeds the maximum allowed value. Specify a smaller configuration value.`, 16, 1),
  optionWhileRunning: (option: string) =>
    new SqlError(
      25707,
      `Event session option "${option}" cannot be changed while the session is running. Stop the event session before changing this session option.`,
      16,
      1,
    ),
  databaseScopeOnly: () =>
    new SqlError(
      25737,
      'Database scoped extended event sessions are not available in server scope or system databases in Azure DB.',
      16,
      1,
    ),
  actionNotInAzure: (name: string) => new SqlError(25744, `The action '${name}' is not available for Azure SQL Database.`, 16, 1),
  urlRequired: () => new SqlError(40538, "A valid URL beginning with 'https://' is required as value for any filepath specified.", 16, 3),
  logFileInvalid: (path: string) =>
    new SqlError(
      25718,
      `The log file name "${path}" is invalid.  Verify that the file exists and that the SQL Server service account has access to it.`,
      16,
      3,
    ),
  metadataFileInvalid: (path: string) =>
    new SqlError(
      25721,
      `The metadata file name "${path}" is invalid. Verify that the file exists and that the SQL Server service account has access to it.`,
      16,
      1,
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
      `The offset ${offset} is invalid for log file "${path}".  Specify an offset that exists in the log file and retry your query.`,
      16,
      1,
    ),
  /** Since 2025, if the file of the cursor is gone. */
  fileGone: (path: string) =>
    new SqlError(
      25717,
      `The operating system returned error 2: 'The system cannot find the file specified.' while reading from the file '${path}'.`,
      16,
      1,
    ),
} as const;
