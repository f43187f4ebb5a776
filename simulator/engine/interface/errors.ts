import { SqlError } from '../../tds/handler';

/** An error after which the server sends another one; both belong to the answer. */
export class ChainedSqlError extends SqlError {
  constructor(
    first: SqlError,
    readonly followedBy: SqlError,
  ) {
    super(first.number, first.message, first.severity, first.state);
  }
}

/** Message 5069 follows whatever stops an ALTER DATABASE. */
function refuseAlter(reason: SqlError): ChainedSqlError {
  return new ChainedSqlError(reason, new SqlError(5069, 'ALTER DATABASE statement failed.', 16, 1));
}

/** Message 297 follows the refusal of a management view. */
function refuseView(reason: SqlError): ChainedSqlError {
  return new ChainedSqlError(reason, new SqlError(297, 'The user does not have permission to perform this action.', 16, 1));
}

/**
 * The errors of the modelled server: numbers, severities and texts as in sys.messages
 * (Microsoft Learn, "Database Engine events and errors"; per range 0-999, 3000-3999, 5000-5999, 15000-15999, 25000-25999).
 */
export const errors = {
  noSuchDatabase: (name: string) =>
    new SqlError(911, `Database '${name}' does not exist. Make sure that the name is entered correctly.`, 16, 1),
  cannotAlterDatabase: (name: string) =>
    refuseAlter(
      new SqlError(
        5011,
        `User does not have permission to alter database '${name}', the database does not exist, or the database is not in a state that allows access checks.`,
        14,
        9,
      ),
    ),
  alterReadOnly: (name: string) =>
    refuseAlter(new SqlError(3906, `Failed to update database "${name}" because the database is read-only.`, 16, 1)),
  alterStandby: () =>
    refuseAlter(
      new SqlError(5004, 'To use ALTER DATABASE, the database must be in a writable state in which a checkpoint can be executed.', 16, 6),
    ),
  alterRestoring: () =>
    refuseAlter(new SqlError(5052, 'ALTER DATABASE is not permitted while a database is in the Restoring state.', 16, 1)),
  alterLocked: (name: string) =>
    refuseAlter(
      new SqlError(5061, `ALTER DATABASE failed because a lock could not be placed on database '${name}'. Try again later.`, 16, 1),
    ),
  alterRefused: (reason: SqlError) => refuseAlter(reason),
  alterOffline: (name: string) => refuseAlter(errors.offline(name)),
  restoring: (name: string) => new SqlError(927, `Database '${name}' cannot be opened. It is in the middle of a restore.`, 14, 2),
  offline: (name: string): SqlError => new SqlError(942, `Database '${name}' cannot be opened because it is offline.`, 14, 4),
  invalidTarget: () =>
    refuseAlter(new SqlError(153, 'Invalid usage of the option TARGET_RECOVERY_TIME in the ALTER DATABASE statement.', 15, 1)),
  noDatabaseAccess: (login: string, database: string) =>
    new SqlError(
      916,
      `The server principal "${login}" is not able to access the database "${database}" under the current security context.`,
      14,
      2,
    ),
  selectDenied: (object: string, database: string, schema: string) =>
    new SqlError(229, `The SELECT permission was denied on the object '${object}', database '${database}', schema '${schema}'.`, 14, 5),
  notPermitted: () => new SqlError(15247, 'User does not have permission to perform this action.', 16, 1),
  executeDenied: (object: string, database: string, schema: string) =>
    new SqlError(229, `The EXECUTE permission was denied on the object '${object}', database '${database}', schema '${schema}'.`, 14, 5),
  /** From 2022 on; before, `onlyRoleMayExecute`. docs/facts.md, SQL Server 5. */
  callerMayNotExecute: () => new SqlError(27219, 'Caller does not have permissions to execute the stored procedure.', 16, 1),
  onlyRoleMayExecute: (role: string) => new SqlError(15003, `Only members of the ${role} role can execute this stored procedure.`, 16, 1),
  viewServerStateDenied: (permission: string) =>
    refuseView(new SqlError(300, `${permission} permission was denied on object 'server', database 'master'.`, 14, 1)),
  viewDatabaseStateDenied: (permission: string, database: string) =>
    refuseView(new SqlError(262, `${permission} permission denied in database '${database}'.`, 14, 1)),
  /** Azure SQL Database. Microsoft Learn, "Database Engine events and errors", 40000 to 40999. */
  noUse: () =>
    new SqlError(
      40508,
      'USE statement is not supported to switch between databases. Use a new connection to connect to a different database.',
      16,
      1,
    ),
  noSuchConfiguration: (name: string) =>
    new SqlError(15123, `The configuration option '${name}' does not exist, or it may be an advanced option.`, 16, 1),
  invalidConfiguration: (value: number, name: string) =>
    new SqlError(15129, `'${value}' is not a valid value for configuration option '${name}'.`, 16, 1),
  reconfigureDenied: () => new SqlError(5812, 'You do not have permission to run the RECONFIGURE statement.', 14, 1),
  recoveryIntervalNotRecommended: (minutes: number) =>
    new SqlError(
      5807,
      `Recovery intervals above ${minutes} minutes not recommended. Use the RECONFIGURE WITH OVERRIDE statement to force this configuration.`,
      16,
      1,
    ),
  /** Logins without a user of their own run DBCC as guest. */
  dbccDenied: (command: string) => new SqlError(2571, `User 'guest' does not have permission to run DBCC ${command}.`, 14, 3),
  checkpointDenied: (database: string) => new SqlError(262, `CHECKPOINT permission denied in database '${database}'.`, 14, 1),
} as const;
