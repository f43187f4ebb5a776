/** Looks at a live server long enough to judge every fact. What it makes it drops; what the facts need it returns as plain values. */
import { fillTemplate } from '../../src/core/script/template';
import { readTemplates } from '../../src/texts';
import { pairEvents, readPaged, readWhole } from './event-files';
import { type Answer, openLogin, type LiveLogin, quoteName, quoteText, type Row } from './login';
import { tryNoWait } from './no-wait';
import type { LiveTarget } from './target';

const SESSION = 'CheckpointHealthLive';
const PATTERN = `${SESSION}_0_*.xel`;
const ACTIONS = '(ACTION (sqlserver.session_id, sqlserver.is_system, sqlserver.database_id))';

const ABOUT = `
SELECT
    product_version = CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')),
    product_level = CONVERT(nvarchar(128), SERVERPROPERTY('ProductLevel')),
    engine_edition = CONVERT(int, SERVERPROPERTY('EngineEdition')),
    utc_offset_minutes = DATEDIFF(MINUTE, SYSUTCDATETIME(), SYSDATETIME()),
    scan_events = (SELECT COUNT(*) FROM sys.dm_xe_objects WHERE object_type = N'event' AND name = N'buffer_pool_scan_complete'),
    create_any = HAS_PERMS_BY_NAME(NULL, NULL, 'CREATE ANY EVENT SESSION');`;

const STARTED = `
SELECT
    from_local = CONVERT(float, DATEDIFF(SECOND, create_time, SYSDATETIME())) * 1000,
    from_utc = CONVERT(float, DATEDIFF(SECOND, create_time, SYSUTCDATETIME())) * 1000
FROM sys.dm_xe_sessions
WHERE name = N'${SESSION}';`;

const BACKGROUND_WRITER_PAGES = `
SELECT n = CONVERT(float, SUM(cntr_value))
FROM sys.dm_os_performance_counters
WHERE object_name LIKE N'%:Buffer Manager%'
AND   counter_name = N'Background writer pages/sec';`;

export type Observation = Awaited<ReturnType<typeof observe>>;

/** @throws Error where a statement that must succeed does not */
export async function observe(target: LiveTarget, open = openLogin) {
  const { address, databases } = target;
  const login = await open(address);
  const secondary = target.secondary === undefined ? undefined : await open(target.secondary);
  try {
    const [about = {}] = await login.rows(ABOUT);
    const targetOf = await readPairs(login, 'SELECT database_id, target_recovery_time_in_seconds FROM sys.databases;');
    const watched = await watchEvents(target, open, login, secondary);
    const traced = databases.busyAutomatic[0];
    const idsOf = async (read: 'availabilityRoles' | 'databaseFacts'): Promise<readonly number[]> =>
      (await login.rows(fillTemplate(readTemplates[read], {}))).map((row) => Number(row['database_id']));
    return {
      about,
      productVersion: String(about['product_version']),
      majorVersion: parseInt(String(about['product_version']), 10),
      utcOffsetMinutes: Number(about['utc_offset_minutes']),
      ...watched,
      databases: await describeDatabases(target, login, targetOf, watched.writtenBefore),
      checkpoints: pairEvents(watched.events),
      /** Those that the server ran by itself in databases with target 0. */
      automatic: pairEvents(watched.events).filter(({ isSystem, databaseId }) => isSystem && targetOf.get(databaseId) === 0),
      rolledOver: await readRolledOver(login),
      maxDuration: await tryMaxDuration(login),
      creatorOnly: await tryCreatorOnly(target, open),
      change: await tryChange(login, databases.idleAutomatic),
      readOnly:
        databases.readOnly === null
          ? null
          : await login.attempt(`ALTER DATABASE ${quoteName(databases.readOnly)} SET TARGET_RECOVERY_TIME = 60 SECONDS;`),
      noWait: await tryNoWait(target, open),
      tracedLog: await tryTracedCheckpoint(login, traced),
      tracedDatabaseId: await login.number(`SELECT n = DB_ID(${quoteText(traced)});`),
      roleRows: await idsOf('availabilityRoles'),
      databaseRows: await idsOf('databaseFacts'),
    };
  } finally {
    login.close();
    secondary?.close();
  }
}

/** Everything that happens while the session of the tests runs. */
async function watchEvents(target: LiveTarget, open: typeof openLogin, login: LiveLogin, secondary: LiveLogin | undefined) {
  const logins = secondary === undefined ? [login] : [login, secondary];
  const onAll = async (sql: string): Promise<void> => {
    for (const each of logins) await each.rows(sql);
  };
  await onAll(`
    CREATE EVENT SESSION [${SESSION}] ON SERVER
    ADD EVENT sqlserver.checkpoint_begin ${ACTIONS},
    ADD EVENT sqlserver.checkpoint_end ${ACTIONS}
    ADD TARGET package0.event_file (SET filename = N'${SESSION}.xel', max_file_size = (20), max_rollover_files = (4))
    WITH (MAX_DISPATCH_LATENCY = 1 SECONDS, TRACK_CAUSALITY = ON, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS);`);
  try {
    await onAll(`ALTER EVENT SESSION [${SESSION}] ON SERVER STATE = START;`);
    const [created] = await login.rows(STARTED);
    const writtenBefore = await readWritten(login);
    const before = await login.number(BACKGROUND_WRITER_PAGES);
    const [manual] = await Promise.all([runManual(target, open), target.work()]);
    const after = await login.number(BACKGROUND_WRITER_PAGES);
    await onAll(`ALTER EVENT SESSION [${SESSION}] ON SERVER STATE = STOP;`);
    return {
      writtenBefore,
      manual,
      events: await readWhole(login, PATTERN),
      /** The same files read once more, in pages behind cursors. */
      pagedPlaces: await readPaged(login, PATTERN),
      /** Milliseconds between create_time and the server's clocks when the session was started. */
      sessionCreated: { fromLocalMs: Number(created?.['from_local']), fromUtcMs: Number(created?.['from_utc']) },
      backgroundWriterPages: { before, after },
      secondary:
        secondary === undefined ? null : { databaseIds: await listReplicated(secondary), events: await readWhole(secondary, PATTERN) },
    };
  } finally {
    for (const each of logins) await each.attempt(`DROP EVENT SESSION [${SESSION}] ON SERVER;`);
  }
}

async function listReplicated(login: LiveLogin): Promise<readonly number[]> {
  const replicated = 'SELECT database_id FROM sys.dm_hadr_database_replica_states WHERE is_local = 1 AND is_primary_replica = 0;';
  return (await login.rows(replicated)).map((row) => Number(row['database_id']));
}

/**
 * Two CHECKPOINTs of the tests' own at the same time, each from another login: one from master, one from within the database. Where, under which session, and
 * SYSUTCDATETIME on the server before and after it.
 */
function runManual({ address, databases }: LiveTarget, open: typeof openLogin) {
  const [first, second] = databases.busyAutomatic;
  const texts = [
    [first, `EXEC ${quoteName(first)}.sys.sp_executesql N'CHECKPOINT;';`],
    [second, `USE ${quoteName(second)}; CHECKPOINT;`],
  ] as const;
  return Promise.all(
    texts.map(async ([name, text]) => {
      const login = await open(address);
      const rows = await login.rows(`
        DECLARE @from varchar(30) = CONVERT(varchar(30), SYSUTCDATETIME(), 126);
        ${text}
        SELECT
            database_id = DB_ID(${quoteText(name)}),
            session_id = CONVERT(int, @@SPID),
            from_utc = @from,
            until_utc = CONVERT(varchar(30), SYSUTCDATETIME(), 126);`);
      login.close();
      const row: Row = rows[0] ?? {};
      const [fromUtcMs = NaN, untilUtcMs = NaN] = ['from_utc', 'until_utc'].map((at) => Date.parse(`${String(row[at]).slice(0, 23)}Z`));
      return { databaseId: Number(row['database_id']), sessionId: Number(row['session_id']), fromUtcMs, untilUtcMs };
    }),
  );
}

/** Rows of a database_id and a number. */
async function readPairs(login: LiveLogin, sql: string): Promise<ReadonlyMap<number, number>> {
  return new Map((await login.rows(sql)).map((row) => Object.values(row).map(Number) as [number, number]));
}

/** Bytes that each database has written to its data files. */
const readWritten = (login: LiveLogin): Promise<ReadonlyMap<number, number>> =>
  readPairs(
    login,
    `SELECT database_id, written = CONVERT(float, SUM(num_of_bytes_written))
    FROM sys.dm_io_virtual_file_stats(NULL, NULL)
    WHERE file_id <> 2
    GROUP BY database_id;`,
  );

/** Of each database what it did while it was watched, and what it wrote to its data files meanwhile. */
async function describeDatabases(
  { databases }: LiveTarget,
  login: LiveLogin,
  targetOf: ReadonlyMap<number, number>,
  writtenBefore: ReadonlyMap<number, number>,
) {
  const written = await readWritten(login);
  const described = [];
  for (const name of [...databases.busyAutomatic, databases.busyIndirect, databases.idleAutomatic]) {
    const databaseId = await login.number(`SELECT n = DB_ID(${quoteText(name)});`);
    const role = name === databases.idleAutomatic ? 'idle' : 'busy';
    const dataBytesWritten = (written.get(databaseId) ?? 0) - (writtenBefore.get(databaseId) ?? 0);
    described.push({ databaseId, role, targetSeconds: targetOf.get(databaseId) ?? -1, dataBytesWritten });
  }
  return described;
}

/** What reading behind the first buffer gives once its file has been rolled over; null where the file is still there. */
async function readRolledOver(login: LiveLogin): Promise<Answer | null> {
  const session = `${SESSION}Files`;
  const pattern = `${session}_0_*.xel`;
  /** Fills a file more. @returns the places of all events that are there now */
  const fill = async (): Promise<readonly string[]> => {
    await login.rows(`ALTER EVENT SESSION [${session}] ON SERVER STATE = START;`);
    await login.rows('CHECKPOINT;');
    await login.rows(`ALTER EVENT SESSION [${session}] ON SERVER STATE = STOP;`);
    return (await readWhole(login, pattern)).map(({ place }) => place);
  };
  await login.rows(`
    CREATE EVENT SESSION [${session}] ON SERVER
    ADD EVENT sqlserver.checkpoint_begin,
    ADD EVENT sqlserver.checkpoint_end
    ADD TARGET package0.event_file (SET filename = N'${session}.xel', max_file_size = (1), max_rollover_files = (2));`);
  try {
    const [file = '', offset = ''] = ((await fill())[0] ?? '').split('|');
    await fill();
    await fill();
    if ((await fill()).some((place) => place.startsWith(`${file}|`))) return null;
    const behind = `${quoteText(pattern)}, NULL, ${quoteText(file)}, ${BigInt(offset)}`;
    return await login.attempt(`SELECT n = COUNT(*) FROM sys.fn_xe_file_target_read_file(${behind});`);
  } finally {
    await login.rows(`DROP EVENT SESSION [${session}] ON SERVER;`);
  }
}

const createTry = (options: string): string => `
CREATE EVENT SESSION [${SESSION}Try] ON SERVER
ADD EVENT sqlserver.checkpoint_begin
ADD TARGET package0.ring_buffer
WITH (${options});`;
const DROP_TRY = `DROP EVENT SESSION [${SESSION}Try] ON SERVER;`;

async function tryMaxDuration(login: LiveLogin): Promise<Answer> {
  const tried = await login.attempt(createTry('STARTUP_STATE = OFF, MAX_DURATION = 1 HOURS'));
  if (tried.errors.length === 0) await login.rows(DROP_TRY);
  return tried;
}

/** What a login with CREATE ANY EVENT SESSION alone may do; null before SQL Server 2022. */
async function tryCreatorOnly(target: LiveTarget, open: typeof openLogin) {
  const address = await target.login('CREATE ANY EVENT SESSION');
  if (address === undefined) return null;
  const [creator, owner] = [await open(address), await open(target.address)];
  try {
    const create = await creator.attempt(createTry('STARTUP_STATE = OFF'));
    const start = await creator.attempt(`ALTER EVENT SESSION [${SESSION}Try] ON SERVER STATE = START;`);
    if (create.errors.length === 0) await owner.rows(DROP_TRY);
    return { create, start };
  } finally {
    creator.close();
    owner.close();
  }
}

/** Changes the target of a database from 0 to 60 and takes it back: what was read of it, and what the error log gained. */
async function tryChange(login: LiveLogin, name: string) {
  const set = (seconds: number): Promise<unknown> =>
    login.rows(`ALTER DATABASE ${quoteName(name)} SET TARGET_RECOVERY_TIME = ${seconds} SECONDS;`);
  const before = (await readLog(login)).length;
  await set(60);
  try {
    const readBack = await login.number(`SELECT target_recovery_time_in_seconds FROM sys.databases WHERE name = ${quoteText(name)};`);
    return { name, readBack, log: (await readLog(login)).slice(before) };
  } finally {
    await set(0);
  }
}

/** What the error log gains by a CHECKPOINT under trace flags: 3504 tells of every checkpoint, 3605 sends it to the error log. Nothing where they may not be set. */
async function tryTracedCheckpoint(login: LiveLogin, name: string): ReturnType<typeof readLog> {
  const { errors } = await login.attempt('DBCC TRACEON (3504, 3605, -1) WITH NO_INFOMSGS;');
  if (errors.length > 0) return [];
  try {
    const before = (await readLog(login)).length;
    await login.rows(`EXEC ${quoteName(name)}.sys.sp_executesql N'CHECKPOINT;';`);
    return (await readLog(login)).slice(before);
  } finally {
    await login.rows('DBCC TRACEOFF (3504, 3605, -1) WITH NO_INFOMSGS;');
  }
}

/** The current error log, oldest row first. */
async function readLog(login: LiveLogin) {
  const rows = await login.rows('EXEC sys.sp_readerrorlog 0, 1;');
  return rows.map(({ LogDate: date, ProcessInfo: process, Text: text }) => ({
    logDateLocal: date instanceof Date ? date.toISOString().slice(0, -1) : String(date),
    processInfo: String(process),
    text: String(text),
  }));
}
