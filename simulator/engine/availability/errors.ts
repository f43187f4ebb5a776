import { notModelled, sqlError } from '../../tds/messages';

/**
 * Errors of availability groups. Numbers and severities are those of sys.messages (Microsoft Learn, "Database Engine
 * events and errors", 0 to 999 and 31000 to 41399). That list cuts off the ends of 976 and 983: they are as clients
 * print them. The states are the model's own.
 */
export const errors = {
  notReadable: (database: string) => sqlError(976, [database]),
  readOnlyIntentNeeded: (database: string) => sqlError(978, [database]),
  notPrimaryOrSecondary: (database: string) => sqlError(983, [database]),
  noSuchGroup: (group: string) => sqlError(15151, ['alter', 'availability group', group]),
  alreadyPrimary: (group: string) => sqlError(41122, [group]),
  failoverPending: (group: string) => sqlError(41113, [group]),
  notSynchronized: (group: string) => sqlError(41142, [group]),
  distributedFailover: (group: string) =>
    notModelled(`failover of a distributed availability group (${group})`),
} as const;
