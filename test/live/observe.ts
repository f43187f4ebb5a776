/**
 * Looks at a live server long enough to judge the facts. What it makes it drops; what the facts need it returns as
 * plain values.
 */
import { fillTemplate } from '../../src/core/script/template';
import { readTemplates } from '../../src/texts';
import { errorsOf, type LiveLogin, quoteName, quoteText } from './login';
import type { LiveTarget } from './target';

const SESSION = 'CheckpointHealthLive';
const CREATE = `
CREATE EVENT SESSION [${SESSION}] ON SERVER
ADD EVENT sqlserver.checkpoint_begin (ACTION (sqlserver.session_id, sqlserver.is_system)),
ADD EVENT sqlserver.checkpoint_end (ACTION (sqlserver.session_id, sqlserver.is_system))
ADD TARGET package0.event_file (SET filename = N'${SESSION}.xel', max_file_size = (20), max_rollover_files = (4))
WITH (MAX_DISPATCH_LATENCY = 1 SECONDS, TRACK_CAUSALITY = ON);`;

const ABOUT = `
SELECT
    product_version = CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')),
    utc_offset_minutes = DATEDIFF(MINUTE, SYSUTCDATETIME(), SYSDATETIME()),
    scan_events = (SELECT COUNT(*) FROM sys.dm_xe_objects WHERE object_type = N'event' AND name = N'buffer_pool_scan_complete'),
    create_any = HAS_PERMS_BY_NAME(NULL, NULL, 'CREATE ANY EVENT SESSION');`;
const AGE = `SELECT n = DATEDIFF(SECOND, create_time, SYSDATETIME()) FROM sys.dm_xe_sessions WHERE name = N'${SESSION}';`;
const BACKGROUND_WRITER_PAGES = `
SELECT n = CONVERT(float, SUM(cntr_value))
FROM sys.dm_os_performance_counters
WHERE object_name LIKE N'%:Buffer Manager%'
AND   counter_name = N'Background writer pages/sec';`;

const MAX_DURATION = `
CREATE EVENT SESSION [${SESSION}Try] ON SERVER ADD EVENT sqlserver.checkpoint_begin WITH (MAX_DURATION = 1 HOURS);
DROP EVENT SESSION [${SESSION}Try] ON SERVER;`;

export type Observation = Awaited<ReturnType<typeof observe>>;

/** @throws Error where a statement that must succeed does not */
export async function observe({ login, databases, work }: LiveTarget) {
  const { busyAutomatic, busyIndirect, idleAutomatic, readOnly } = databases;
  const idOf = (name: string): Promise<number> => login.number(`SELECT n = DB_ID(${quoteText(name)});`);
  const targets = await login.rows(
    'SELECT id = database_id, seconds = target_recovery_time_in_seconds FROM sys.databases;',
  );
  const automaticIds = targets.filter(({ seconds }) => seconds === 0).map(({ id }) => id);
  const checkpointIn = (name: string): Promise<unknown> =>
    login.rows(`EXEC ${quoteName(name)}.sys.sp_executesql N'CHECKPOINT;';`);
  const idsOf = async (read: 'availabilityRoles' | 'databaseFacts'): Promise<readonly number[]> =>
    (await login.rows(fillTemplate(readTemplates[read], {}))).map((row) => Number(row['database_id']));

  const setTarget = async (name: string, seconds: number): Promise<readonly number[]> =>
    errorsOf(
      await login.run(`ALTER DATABASE ${quoteName(name)} SET TARGET_RECOVERY_TIME = ${seconds} SECONDS;`),
    );

  await login.rows(CREATE);
  await login.rows(`ALTER EVENT SESSION [${SESSION}] ON SERVER STATE = START;`);
  const ageSeconds = await login.number(AGE);
  const pagesBefore = await login.number(BACKGROUND_WRITER_PAGES);
  const fromUtcMs = await readUtcMs(login);
  await checkpointIn(busyAutomatic[0]);
  const untilUtcMs = await readUtcMs(login);
  await work();
  const backgroundWriterPages = (await login.number(BACKGROUND_WRITER_PAGES)) - pagesBefore;
  await login.rows(`DROP EVENT SESSION [${SESSION}] ON SERVER;`);
  // Files of one name hold events of earlier runs too.
  const checkpoints = (await readCheckpoints(login, SESSION)).filter(
    ({ beginUtcMs }) => beginUtcMs >= fromUtcMs,
  );
  const [about = {}] = await login.rows(ABOUT);
  return {
    about,
    build: String(about['product_version']).split('.').map(Number),
    ageSeconds,
    fromUtcMs,
    untilUtcMs,
    backgroundWriterPages,
    checkpoints,
    /** Those that the server ran by itself in databases with target 0. */
    automatic: checkpoints.filter(
      ({ isSystem, databaseId }) => isSystem && automaticIds.includes(databaseId),
    ),
    spid: await login.number('SELECT n = CONVERT(int, @@SPID);'),
    manualId: await idOf(busyAutomatic[0]),
    indirectId: await idOf(busyIndirect),
    idleId: await idOf(idleAutomatic),
    maxDuration: errorsOf(await login.run(MAX_DURATION)),
    change: await gained(login, () => setTarget(idleAutomatic, 60)),
    changedTo: await login.number(
      `SELECT target_recovery_time_in_seconds FROM sys.databases WHERE name = ${quoteText(idleAutomatic)};`,
    ),
    changedBack: await setTarget(idleAutomatic, 0),
    readOnly: readOnly === null ? null : await setTarget(readOnly, 60),
    traced: await gained(login, async () => {
      await login.rows('DBCC TRACEON (3504, 3605, -1) WITH NO_INFOMSGS;');
      await checkpointIn(busyAutomatic[0]);
      await login.rows('DBCC TRACEOFF (3504, 3605, -1) WITH NO_INFOMSGS;');
    }),
    roleRows: await idsOf('availabilityRoles'),
    databaseRows: await idsOf('databaseFacts'),
  };
}

/** The server's own UTC. */
export const readUtcMs = (login: LiveLogin): Promise<number> =>
  login.number(
    "SELECT n = CONVERT(float, DATEDIFF(SECOND, '2020-01-01', SYSUTCDATETIME())) * 1000 + 1577836800000;",
  );

/**
 * The checkpoints in a session's files, read at once and taken apart by SQL Server: a begin with the end that follows
 * it on its task for its database.
 */
export async function readCheckpoints(login: LiveLogin, session: string) {
  const data = (path: string): string => `e.x.value('(/event/${path})[1]', 'nvarchar(60)')`;
  const events = await login.rows(`
    SELECT
        name = ${data('@name')},
        at_utc = ${data('@timestamp')},
        id = ${data('data[@name="database_id"]/value/text()')},
        activity = ${data('action[@name="attach_activity_id"]/value/text()')},
        spid = ${data('action[@name="session_id"]/value/text()')},
        is_system = ${data('action[@name="is_system"]/value/text()')}
    FROM sys.fn_xe_file_target_read_file(N'${session}_0_*.xel', NULL, NULL, NULL) AS f
    CROSS APPLY (SELECT x = CONVERT(xml, f.event_data)) AS e;`);
  const open = new Map<string, number>();
  const checkpoints = [];
  const inOrder = events.map((event) => ({ event, parts: /^(.*)-(\d+)$/.exec(String(event['activity'])) }));
  for (const { event, parts } of inOrder.sort((a, b) => Number(a.parts?.[2]) - Number(b.parts?.[2]))) {
    const [databaseId, atUtcMs, taskGuid] = [
      Number(event['id']),
      Date.parse(String(event['at_utc'])),
      String(parts?.[1]),
    ];
    const beginUtcMs = open.get(`${taskGuid}/${databaseId}`);
    open.delete(`${taskGuid}/${databaseId}`);
    if (event['name'] === 'checkpoint_begin') open.set(`${taskGuid}/${databaseId}`, atUtcMs);
    if (event['name'] !== 'checkpoint_end' || beginUtcMs === undefined) continue;
    const isSystem = /^(true|1)$/i.test(String(event['is_system']));
    checkpoints.push({
      databaseId,
      taskGuid,
      beginUtcMs,
      endUtcMs: atUtcMs,
      spid: Number(event['spid']),
      isSystem,
    });
  }
  return checkpoints.sort((a, b) => a.beginUtcMs - b.beginUtcMs);
}

/** Rows that the error log gains meanwhile. */
async function gained(login: LiveLogin, act: () => Promise<unknown>) {
  const read = (): ReturnType<LiveLogin['rows']> => login.rows('EXEC sys.sp_readerrorlog 0, 1;');
  const before = (await read()).length;
  await act();
  return (await read()).slice(before).map(({ LogDate: date, ProcessInfo: process, Text: text }) => ({
    logDateLocal: date instanceof Date ? date.toISOString().slice(0, -1) : String(date),
    processInfo: String(process),
    text: String(text),
  }));
}
