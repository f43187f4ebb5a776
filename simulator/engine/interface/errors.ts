import { SqlError } from '../../tds/handler';
import { sqlError } from '../../tds/messages';

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
  return new ChainedSqlError(reason, sqlError(5069));
}

/** Message 297 follows the refusal of a management view. */
function refuseView(reason: SqlError): ChainedSqlError {
  return new ChainedSqlError(reason, sqlError(297));
}

/**
 * The errors of the modelled server: numbers, severities and texts as in sys.messages (Microsoft Learn, "Database
 * Engine events and errors"; per range 0-999, 3000-3999, 5000-5999, 15000-15999, 25000-25999).
 */
export const errors = {
  noSuchDatabase: (name: string) => sqlError(911, [name]),
  cannotAlterDatabase: (name: string) => refuseAlter(sqlError(5011, [name])),
  alterReadOnly: (name: string) => refuseAlter(sqlError(3906, [name])),
  alterStandby: () => refuseAlter(sqlError(5004)),
  alterRestoring: () => refuseAlter(sqlError(5052)),
  alterLocked: (name: string) => refuseAlter(sqlError(5061, [name])),
  alterRefused: (reason: SqlError) => refuseAlter(reason),
  alterOffline: (name: string) => refuseAlter(errors.offline(name)),
  restoring: (name: string) => sqlError(927, [name]),
  offline: (name: string): SqlError => sqlError(942, [name]),
  invalidTarget: () => refuseAlter(sqlError(153)),
  noDatabaseAccess: (login: string, database: string) => sqlError(916, [login, database]),
  selectDenied: (object: string, database: string, schema: string) =>
    sqlError(229, ['SELECT', object, database, schema]),
  notPermitted: () => sqlError(15247),
  executeDenied: (object: string, database: string, schema: string) =>
    sqlError(229, ['EXECUTE', object, database, schema]),
  /** From 2022 on; before, `onlyRoleMayExecute`. docs/facts.md, SQL Server 5. */
  callerMayNotExecute: () => sqlError(27219),
  onlyRoleMayExecute: (role: string) => sqlError(15003, [role]),
  viewServerStateDenied: (permission: string) => refuseView(sqlError(300, [permission])),
  viewDatabaseStateDenied: (permission: string, database: string) =>
    refuseView(sqlError(262, [permission, database])),
  /** Azure SQL Database. Microsoft Learn, "Database Engine events and errors", 40000 to 40999. */
  noUse: () => sqlError(40508),
  noSuchConfiguration: (name: string) => sqlError(15123, [name]),
  invalidConfiguration: (value: number, name: string) => sqlError(15129, [value, name]),
  reconfigureDenied: () => sqlError(5812),
  recoveryIntervalNotRecommended: (minutes: number) => sqlError(5807, [minutes]),
  /** Logins without a user of their own run DBCC as guest. */
  dbccDenied: (command: string) => sqlError(2571, [command]),
  checkpointDenied: (database: string) => sqlError(262, ['CHECKPOINT', database]),
} as const;
