import { SqlError } from '../../tds/handler';

/**
 * Errors of availability groups. Numbers and severities are those of sys.messages (Microsoft Learn, "Database Engine events and errors", 0 to 999 and 31000 to
 * 41399). That list cuts off the ends of 976 and 983: they are as clients print them. The states are the model's own.
 */
export const errors = {
  notReadable: (database: string) =>
    new SqlError(
      976,
      `The target database, '${database}', is participating in an availability group and is currently not accessible for queries. Either data movement is suspended or the availability replica is not enabled for read access. To allow read-only access to this and other databases in the availability group, enable read access to one or more secondary availability replicas in the group.  For more information, see the ALTER AVAILABILITY GROUP statement in SQL Server Books Online.`,
      14,
    ),
  readOnlyIntentNeeded: (database: string) =>
    new SqlError(
      978,
      `The target database ('${database}') is in an availability group and is currently accessible for connections when the application intent is set to read only. For more information about application intent, see SQL Server Books Online.`,
      14,
    ),
  notPrimaryOrSecondary: (database: string) =>
    new SqlError(
      983,
      `Unable to access availability database '${database}' because the database replica is not in the PRIMARY or SECONDARY role. Connections to an availability database is permitted only when the database replica is in the PRIMARY or SECONDARY role. Try the operation again later.`,
      14,
    ),
  noSuchGroup: (group: string) =>
    new SqlError(15151, `Cannot alter the availability group '${group}', because it does not exist or you do not have permission.`, 16),
  alreadyPrimary: (group: string) =>
    new SqlError(
      41122,
      `Cannot failover availability group '${group}' to this instance of SQL Server. The local availability replica is already the primary replica of the availability group. To failover this availability group to another instance of SQL Server, run the failover command on that instance of SQL Server. If local instance of SQL Server is intended to host the primary replica of the availability group, then no action is required.`,
    ),
  failoverPending: (group: string) =>
    new SqlError(
      41113,
      `Cannot failover availability group '${group}' to this instance of SQL Server because a failover command is already pending on the local replica of this availability group. Wait for the pending failover command to complete before issuing another command on the local replica of this availability group.`,
    ),
  notSynchronized: (group: string) =>
    new SqlError(
      41142,
      `The availability replica for availability group '${group}' on this instance of SQL Server cannot become the primary replica. One or more databases are not synchronized or have not joined the availability group. If the availability replica uses the asynchronous-commit mode, consider performing a forced manual failover (with possible data loss). Otherwise, once all local secondary databases are joined and synchronized, you can perform a planned manual failover to this secondary replica (without data loss). For more information, see SQL Server Books Online.`,
    ),
  notInGroup: (database: string) =>
    new SqlError(
      35242,
      `Cannot complete this ALTER DATABASE <database-name> SET HADR operation on database '${database}'. The database is not joined to an availability group. After the database has joined the availability group, retry the command.`,
    ),
  distributedFailover: (group: string) =>
    new SqlError(50_000, `simulator: failover of a distributed availability group (${group}) is not modelled`),
  fromContainedConnection: () =>
    new SqlError(50_000, 'simulator: ALTER AVAILABILITY GROUP on a connection to a contained availability group is not modelled'),
  connectionEnded: () => new SqlError(596, 'Cannot continue the execution because the session is in the kill state.', 21),
} as const;
