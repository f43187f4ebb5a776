/** Looks at a live server long enough to judge every fact. What it makes it drops; what facts/ needs it returns as plain values. */
import { fillTemplate } from '../../src/core/script/template';
import { readTemplates } from '../../src/texts';
import { readPaged, readRolledOver, readWhole } from './event-files';
import { openLogin, type LiveLogin, type Row } from './login';
import { tryNoWait } from './no-wait';
import type { ManualCheckpoint, Observation, WatchedDatabase } from './observation';
import { tryChange, tryCreatorOnly, tryMaxDuration, tryReadOnly, tryTracedCheckpoint } from './tries';
import type { LiveTarget } from './target';
import { quoteName, quoteText } from './quoting';

const session = 'CheckpointHealthLive';
const pattern = `${session}_0_*.xel`;

const createSession = `
CREATE EVENT SESSION [${session}] ON SERVER
ADD EVENT sqlserver.checkpoint_begin (ACTION (sqlserver.session_id, sqlserver.is_system, sqlserver.database_id)),
ADD EVENT sqlserver.checkpoint_end (ACTION (sqlserver.session_id, sqlserver.is_system, sqlserver.database_id))
ADD TARGET package0.event_file (SET filename = N'${session}.xel', max_file_size = (20), max_rollover_files = (4))
WITH (MAX_DISPATCH_LATENCY = 1 SECONDS, TRACK_CAUSALITY = ON, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS);`;

const started = `
SELECT
    from_local = CONVERT(float, DATEDIFF(SECOND, create_time, SYSDATETIME())) * 1000,
    from_utc = CONVERT(float, DATEDIFF(SECOND, create_time, SYSUTCDATETIME())) * 1000
FROM sys.dm_xe_sessions
WHERE name = N'${session}';`;

const backgroundWriterPages = `
SELECT n = CONVERT(float, SUM(cntr_value))
FROM sys.dm_os_performance_counters
WHERE object_name LIKE N'%:Buffer Manager%'
AND   counter_name = N'Background writer pages/sec';`;

/** @throws Error where a statement that must succeed does not */
export async function observe(target: LiveTarget, open = openLogin): Promise<Observation> {
  const login = await open(target.address);
  const secondary = target.secondary === undefined ? undefined : await open(target.secondary);
  try {
    return await observeWith(target, open, login, secondary);
  } finally {
    login.close();
    secondary?.close();
  }
}

async function observeWith(
  target: LiveTarget,
  open: typeof openLogin,
  login: LiveLogin,
  secondary: LiveLogin | undefined,
): Promise<Observation> {
  const about = await describeServer(login);
  const targetOf = await readTargets(login);
  const watched = await watchEvents(target, open, login, secondary);
  const databases = await describeDatabases(target, login, targetOf, watched.writtenBefore);
  const [traced = ''] = target.databases.busyAutomatic;
  return {
    ...about,
    targetOf,
    databases,
    events: watched.events,
    manual: watched.manual,
    pagedPlaces: watched.pagedPlaces,
    secondary: watched.secondary,
    sessionCreated: watched.sessionCreated,
    backgroundWriterPages: watched.backgroundWriterPages,
    rolledOver: await readRolledOver(login, `${session}Files`),
    maxDuration: await tryMaxDuration(login),
    creatorOnly: await tryCreatorOnly(target, open),
    change: await tryChange(login, target.databases.idleAutomatic),
    readOnly: await tryReadOnly(login, target.databases.readOnly),
    noWait: await tryNoWait(target, open),
    tracedLog: await tryTracedCheckpoint(login, traced),
    tracedDatabaseId: await login.number(`SELECT n = DB_ID(${quoteText(traced)});`),
    roleRows: (await login.rows(fillTemplate(readTemplates.availabilityRoles, {}))).map((row) => Number(row['database_id'])),
    databaseRows: (await login.rows(fillTemplate(readTemplates.databaseFacts, {}))).map((row) => Number(row['database_id'])),
  };
}

type Watched = Pick<Observation, 'events' | 'manual' | 'pagedPlaces' | 'sessionCreated' | 'backgroundWriterPages' | 'secondary'> & {
  readonly writtenBefore: ReadonlyMap<number, number>;
};

/** Everything that happens while the session of the tests runs. */
async function watchEvents(
  target: LiveTarget,
  open: typeof openLogin,
  login: LiveLogin,
  secondary: LiveLogin | undefined,
): Promise<Watched> {
  const logins = secondary === undefined ? [login] : [login, secondary];
  for (const each of logins) await each.rows(createSession);
  try {
    for (const each of logins) await each.rows(`ALTER EVENT SESSION [${session}] ON SERVER STATE = START;`);
    const [created] = await login.rows(started);
    const writtenBefore = await readWritten(login);
    const before = await login.number(backgroundWriterPages);
    const [manual] = await Promise.all([runManual(target, open), target.work()]);
    const after = await login.number(backgroundWriterPages);
    for (const each of logins) await each.rows(`ALTER EVENT SESSION [${session}] ON SERVER STATE = STOP;`);
    return {
      writtenBefore,
      manual,
      events: await readWhole(login, pattern),
      pagedPlaces: await readPaged(login, pattern),
      sessionCreated: { fromLocalMs: Number(created?.['from_local']), fromUtcMs: Number(created?.['from_utc']) },
      backgroundWriterPages: { before, after },
      secondary:
        secondary === undefined ? null : { databaseIds: await listReplicated(secondary), events: await readWhole(secondary, pattern) },
    };
  } finally {
    for (const each of logins) await each.attempt(`DROP EVENT SESSION [${session}] ON SERVER;`);
  }
}

/** Two CHECKPOINTs at the same time, each from another login: one from within the database, one from master. */
async function runManual(
  { address, databases: { busyAutomatic } }: LiveTarget,
  open: typeof openLogin,
): Promise<readonly ManualCheckpoint[]> {
  const [first, second] = busyAutomatic;
  const texts = [
    [first, `EXEC ${quoteName(first)}.sys.sp_executesql N'CHECKPOINT;';`],
    [second, `USE ${quoteName(second)}; CHECKPOINT;`],
  ] as const;
  const logins = await Promise.all(texts.map(() => open(address)));
  try {
    return await Promise.all(texts.map(([name, text], i) => runOneManual(logins[i] as LiveLogin, name, text)));
  } finally {
    logins.forEach((each) => each.close());
  }
}

async function runOneManual(login: LiveLogin, name: string, text: string): Promise<ManualCheckpoint> {
  const rows = await login.rows(`
    DECLARE @from varchar(30) = CONVERT(varchar(30), SYSUTCDATETIME(), 126);
    ${text}
    SELECT
        database_id = DB_ID(${quoteText(name)}),
        session_id = CONVERT(int, @@SPID),
        from_utc = @from,
        until_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126);`);
  const row: Row = rows[0] ?? {};
  const time = (column: string): number => Date.parse(`${String(row[column]).slice(0, 23)}Z`);
  return {
    databaseId: Number(row['database_id']),
    sessionId: Number(row['session_id']),
    fromUtcMs: time('from_utc'),
    untilUtcMs: time('until_utc'),
  };
}

async function describeServer(
  login: LiveLogin,
): Promise<
  Pick<
    Observation,
    'majorVersion' | 'productVersion' | 'productLevel' | 'engineEdition' | 'utcOffsetMinutes' | 'hasScanEvent' | 'createAnyPermission'
  >
> {
  const [row = {}] = await login.rows(`
    SELECT
        product_version = CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')),
        product_level = CONVERT(nvarchar(128), SERVERPROPERTY('ProductLevel')),
        engine_edition = CONVERT(int, SERVERPROPERTY('EngineEdition')),
        utc_offset_minutes = DATEDIFF(MINUTE, SYSUTCDATETIME(), SYSDATETIME()),
        scan_events = (SELECT COUNT(*) FROM sys.dm_xe_objects WHERE object_type = N'event' AND name = N'buffer_pool_scan_complete'),
        create_any = HAS_PERMS_BY_NAME(NULL, NULL, 'CREATE ANY EVENT SESSION');`);
  const productVersion = String(row['product_version']);
  return {
    productVersion,
    productLevel: String(row['product_level']),
    majorVersion: Number(productVersion.split('.')[0]),
    engineEdition: Number(row['engine_edition']),
    utcOffsetMinutes: Number(row['utc_offset_minutes']),
    hasScanEvent: Number(row['scan_events']) > 0,
    createAnyPermission: row['create_any'] === null ? null : Number(row['create_any']),
  };
}

async function readTargets(login: LiveLogin): Promise<ReadonlyMap<number, number>> {
  const rows = await login.rows('SELECT database_id, target_recovery_time_in_seconds FROM sys.databases;');
  return new Map(rows.map((row) => [Number(row['database_id']), Number(row['target_recovery_time_in_seconds'])]));
}

async function readWritten(login: LiveLogin): Promise<ReadonlyMap<number, number>> {
  const rows = await login.rows(`
    SELECT database_id, written = CONVERT(float, SUM(num_of_bytes_written))
    FROM sys.dm_io_virtual_file_stats(NULL, NULL)
    WHERE file_id <> 2
    GROUP BY database_id;`);
  return new Map(rows.map((row) => [Number(row['database_id']), Number(row['written'])]));
}

async function describeDatabases(
  { databases }: LiveTarget,
  login: LiveLogin,
  targetOf: ReadonlyMap<number, number>,
  writtenBefore: ReadonlyMap<number, number>,
): Promise<readonly WatchedDatabase[]> {
  const written = await readWritten(login);
  const roles = [...databases.busyAutomatic, databases.busyIndirect].map((name) => [name, 'busy'] as const);
  const described: WatchedDatabase[] = [];
  for (const [name, role] of [...roles, [databases.idleAutomatic, 'idle'] as const]) {
    const databaseId = await login.number(`SELECT n = DB_ID(${quoteText(name)});`);
    const dataBytesWritten = (written.get(databaseId) ?? 0) - (writtenBefore.get(databaseId) ?? 0);
    described.push({ databaseId, name, role, targetSeconds: targetOf.get(databaseId) ?? -1, dataBytesWritten });
  }
  return described;
}

async function listReplicated(login: LiveLogin): Promise<readonly number[]> {
  const rows = await login.rows(
    'SELECT database_id FROM sys.dm_hadr_database_replica_states WHERE is_local = 1 AND is_primary_replica = 0;',
  );
  return rows.map((row) => Number(row['database_id']));
}
