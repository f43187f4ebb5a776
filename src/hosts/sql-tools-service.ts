/** What SQL Tools Service says of a login that it made for a query; both Azure Data Studio and mssql hand its words on (docs/facts.md, Hosts 3). */

/**
 * It could not log in for the query, or could not reach the server, and does not say which: it goes on with a connection that it does not have. Or the
 * connection that it had is gone. All in English, as on an English host.
 */
const NOT_CONNECTED =
  /not connected to a database|invalid OwnerUri|Parameter( name: |\s+')OwnerUri|does not have (an )?existing connection|OwnerUri is not connected|does not have a default connection|transport-level error|network-related or instance-specific|connection is (broken|closed)|physical connection is not usable|SHUTDOWN is in progress|forcibly closed|Connection Timeout Expired/i;

export function isNotConnected(message: string): boolean {
  return NOT_CONNECTED.test(message);
}

/** Newer services hand on what SQL Server said. */
export function isLoginRefused(message: string): boolean {
  return /login failed for user|cannot open database|login is from an untrusted domain|logon failed for login|account is (disabled|locked)/i.test(
    message,
  );
}
