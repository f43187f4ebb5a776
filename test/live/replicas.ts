/** A secondary replica to look at: an availability group without a cluster over two disposable servers of 2017 or later. */
import { randomBytes } from 'node:crypto';
import { type LiveLogin, quoteText } from './login';

const group = 'CheckpointHealthLive';
const certificate = 'CheckpointHealthLiveEndpoint';
const ENDPOINT_PORT = 5022;
/** Automatic seeding copies the database; every replica of a new one is there within seconds. */
const SEEDING_WITHIN_MS = 120_000;
const POLL_MS = 2_000;

const hex = (bytes: unknown): string => `0x${Buffer.from(bytes as Uint8Array).toString('hex')}`;

/**
 * Puts a new database of that name into a group of both servers, and closes the login to the secondary. They must have HADR enabled and reach each other by
 * their machine names. Does nothing where the database is there.
 * @throws Error where a statement fails, or the secondary has not got the database in time
 */
export function replicate(primary: LiveLogin, secondary: LiveLogin, database: string): Promise<void> {
  return joinGroup(primary, secondary, database).finally(() => secondary.close());
}

async function joinGroup(primary: LiveLogin, secondary: LiveLogin, database: string): Promise<void> {
  if ((await primary.number(`SELECT n = ISNULL(DB_ID(${quoteText(database)}), 0);`)) > 0) return;
  await openEndpoints(primary, secondary);
  const replicas = await Promise.all([primary, secondary].map(describeReplica));
  await primary.rows(`CREATE DATABASE [${database}];`);
  await primary.rows(`ALTER DATABASE [${database}] SET TARGET_RECOVERY_TIME = 0 SECONDS;`);
  await primary.rows(`ALTER DATABASE [${database}] SET RECOVERY FULL;`);
  await primary.rows(`BACKUP DATABASE [${database}] TO DISK = N'NUL';`);
  await primary.rows(`
    CREATE AVAILABILITY GROUP [${group}]
    WITH (CLUSTER_TYPE = NONE)
    FOR DATABASE [${database}]
    REPLICA ON${replicas.join(',')};`);
  await secondary.rows(`ALTER AVAILABILITY GROUP [${group}] JOIN WITH (CLUSTER_TYPE = NONE);`);
  await secondary.rows(`ALTER AVAILABILITY GROUP [${group}] GRANT CREATE ANY DATABASE;`);
  await waitForDatabase(secondary, database);
}

/** One certificate, made on the primary and carried over as bytes, lets both endpoints trust each other. */
async function openEndpoints(primary: LiveLogin, secondary: LiveLogin): Promise<void> {
  const password = `'Aa1!${randomBytes(18).toString('hex')}'`;
  for (const each of [primary, secondary])
    await each.rows(
      `IF NOT EXISTS (SELECT 1 FROM sys.symmetric_keys WHERE name = N'##MS_DatabaseMasterKey##') CREATE MASTER KEY ENCRYPTION BY PASSWORD = ${password};`,
    );
  await primary.rows(`CREATE CERTIFICATE [${certificate}] WITH SUBJECT = N'${certificate}';`);
  const [made] = await primary.rows(`
    SELECT
        public_key = CERTENCODED(CERT_ID(N'${certificate}')),
        private_key = CERTPRIVATEKEY(CERT_ID(N'${certificate}'), ${password});`);
  await secondary.rows(`
    CREATE CERTIFICATE [${certificate}]
    FROM BINARY = ${hex(made?.['public_key'])}
    WITH PRIVATE KEY (BINARY = ${hex(made?.['private_key'])}, DECRYPTION BY PASSWORD = ${password});`);
  for (const each of [primary, secondary])
    await each.rows(`
    CREATE ENDPOINT [${certificate}]
    STATE = STARTED
    AS TCP (LISTENER_PORT = ${ENDPOINT_PORT})
    FOR DATABASE_MIRRORING (ROLE = ALL, AUTHENTICATION = CERTIFICATE [${certificate}], ENCRYPTION = REQUIRED ALGORITHM AES);`);
}

async function describeReplica(login: LiveLogin): Promise<string> {
  const [row] = await login.rows(`
    SELECT
        replica = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')),
        machine = CONVERT(nvarchar(128), SERVERPROPERTY('MachineName'));`);
  return `
    ${quoteText(String(row?.['replica']))} WITH
    (
        ENDPOINT_URL = ${quoteText(`tcp://${String(row?.['machine'])}:${ENDPOINT_PORT}`)},
        AVAILABILITY_MODE = ASYNCHRONOUS_COMMIT,
        FAILOVER_MODE = MANUAL,
        SEEDING_MODE = AUTOMATIC,
        SECONDARY_ROLE (ALLOW_CONNECTIONS = ALL)
    )`;
}

async function waitForDatabase(secondary: LiveLogin, database: string): Promise<void> {
  const state = `
    SELECT n = COUNT(*)
    FROM sys.dm_hadr_database_replica_states
    WHERE is_local = 1
    AND   database_id = DB_ID(${quoteText(database)})
    AND   synchronization_state_desc IN (N'SYNCHRONIZING', N'SYNCHRONIZED');`;
  for (let waitedMs = 0; (await secondary.number(state)) === 0; waitedMs += POLL_MS) {
    if (waitedMs >= SEEDING_WITHIN_MS) throw new Error(`the secondary has not got ${database} within ${SEEDING_WITHIN_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
