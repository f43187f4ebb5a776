import { SqlError } from '../../tds/handler';
import { notModelled, sqlError } from '../../tds/messages';

/**
 * Errors of event sessions and their files. Numbers, severities and texts: Microsoft Learn, "Database Engine events and
 * errors 23000 to 25999" and "40000 to 41399". States are not published there; a comment marks those from published
 * messages.
 */
export const eventErrors = {
  notModelled,
  /** If SQL Server refuses something and its error is not known. */
  refusedSomehow: (what: string) =>
    new SqlError(50000, `simulator: ${what} is refused here; with which error is not known`),
  sessionExists: (name: string) => sqlError(25631, [name]),
  noSuchSession: (verb: 'alter' | 'drop', name: string) =>
    sqlError(15151, [verb, 'event session', name], 1, { state: 19 }),
  temporaryName: (name: string) => sqlError(25701, [name]),
  sessionRunning: () => sqlError(25705),
  sessionStopped: () => sqlError(25704),
  invalidObject: (kind: 'event' | 'target' | 'action', name: string) => sqlError(25623, [kind, name]),
  specifiedTwice: (kind: 'event' | 'target' | 'action', name: string) => sqlError(25626, [kind, name]),
  alreadyInSession: (kind: 'event' | 'target', name: string) => sqlError(25625, [kind, name]),
  notInSession: (kind: 'event' | 'target', name: string) => sqlError(25653, [kind, name]),
  noSuchSource: (name: string) => sqlError(25706, [name]),
  predicateTooLong: (event: string) => sqlError(25716, [event]),
  valueInvalid: (source: string, event: string) => sqlError(25713, [source, event]),
  missingFilename: (target: string) => sqlError(25642, [target]),
  noSuchTargetOption: (target: string, option: string) => sqlError(25629, [target, option]),
  targetOptionType: (target: string, option: string, type: string) => sqlError(25651, [target, option, type]),
  /** State 22 for files, 1 for blobs: as published messages show. */
  targetFailed: (target: string, reason: string, state?: number) =>
    sqlError(25602, [target, reason], 1, { state }),
  /**
   * State 29 as published; the minimum of 65,331 bytes a buffer is what the published minima (13,066,200 and
   * 20,905,920) have in common.
   */
  bufferTooSmall: (minimum: number) => sqlError(25632, [minimum]),
  optionTooLarge: (option: string) => sqlError(25708, [option]),
  databaseScopeOnly: () => sqlError(25737),
  actionNotInAzure: (name: string) => sqlError(25744, [name]),
  urlRequired: () => sqlError(40538),
  logFileInvalid: (path: string) => sqlError(25718, [path]),
  metadataFileInvalid: (path: string) => sqlError(25721, [path]),
  fileAndOffsetArePair: () => sqlError(25719),
  offsetInvalid: (offset: bigint, path: string) => sqlError(25722, [offset, path]),
  /** Since 2025, if the file of the cursor is gone. */
  fileGone: (path: string) => sqlError(25717, [path]),
} as const;
