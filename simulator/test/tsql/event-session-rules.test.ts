import assert from 'node:assert/strict';
import { createModelledServer } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import type { Release } from '../../scenarios/releases';
import type { Session } from '../../tds/handler';
import { createSessionHost } from '../../tsql/session-host';
import { ask, type Answer } from './client';

interface Connected {
  readonly server: ModelledServer;
  readonly session: Session;
  run(sql: string): Promise<Answer>;
  /** Numbers of the errors that the batch is answered with. */
  refused(sql: string): Promise<readonly number[]>;
  close(): Promise<void>;
}

async function connect(release: Release): Promise<Connected> {
  const server = createModelledServer({ rate: 0, seed: 5, release, databases: 20 });
  const host = await createSessionHost(server);
  const { name: user, password } = server.administrator;
  const session = host.login({ user, password, host: 'WS-17', application: 'sqlcmd', library: '', database: '', encrypted: true });
  const run = (sql: string): Promise<Answer> => ask(session, { kind: 'batch', sql });
  const refused = async (sql: string): Promise<readonly number[]> => (await run(sql)).errors.map((error) => error.number);
  return { server, session, run, refused, close: () => host.close() };
}

const CREATE = (more: string): string => `CREATE EVENT SESSION w ON SERVER ADD EVENT sqlserver.checkpoint_begin${more}`;

describe('Event session statements on a modelled server', () => {
  let connected: Connected;
  beforeEach(async () => (connected = await connect(2019)));
  afterEach(() => connected.close());

  it('change options of a stopped session, and of a running one only STARTUP_STATE', async () => {
    const { run, refused } = connected;
    assert.deepEqual(
      (await run(`${CREATE('')} ADD TARGET package0.ring_buffer; ALTER EVENT SESSION w ON SERVER STATE = START;`)).errors,
      [],
    );
    assert.deepEqual(await refused('ALTER EVENT SESSION w ON SERVER WITH (MAX_MEMORY = 8 MB);'), [25707]);
    assert.deepEqual(await refused('ALTER EVENT SESSION w ON SERVER WITH (STARTUP_STATE = ON);'), []);
    assert.deepEqual(await refused('ALTER EVENT SESSION w ON SERVER ADD EVENT sqlserver.checkpoint_end WITH (STARTUP_STATE = OFF);'), []);
    assert.deepEqual(
      await refused('ALTER EVENT SESSION w ON SERVER STATE = STOP; ALTER EVENT SESSION w ON SERVER WITH (MAX_MEMORY = 8 MB);'),
      [],
    );
    const { sets } = await run("SELECT max_memory, startup_state FROM sys.server_event_sessions WHERE name = N'w'");
    assert.deepEqual(sets[0]?.rows, [[8192, false]]);
  });

  it('do not mix ADD and DROP, events and targets, or STATE and anything', async () => {
    const { refused } = connected;
    for (const [sql, number] of [
      ['ALTER EVENT SESSION w ON SERVER DROP EVENT sqlserver.checkpoint_end, ADD EVENT sqlserver.checkpoint_end', 156],
      ['ALTER EVENT SESSION w ON SERVER ADD EVENT sqlserver.checkpoint_end, ADD TARGET package0.ring_buffer', 102],
      ['ALTER EVENT SESSION w ON SERVER STATE = START, ADD EVENT sqlserver.checkpoint_end', 102],
    ] as const)
      assert.deepEqual(await refused(sql), [number], sql);
    assert.deepEqual(await refused(`${CREATE('')} WITH (MAX_MEMORY = 4 MB, MAX_MEMORY = 8 MB)`), [25702]);
  });

  it('know MAX_DURATION since 2025: to an older server it is bad syntax, which no TRY catches', async () => {
    const sql = `BEGIN TRY ${CREATE('')} ADD TARGET package0.ring_buffer WITH (MAX_DURATION = 5 MINUTES); END TRY BEGIN CATCH PRINT N'caught'; END CATCH`;
    const old = await connected.run(sql);
    assert.deepEqual(
      [old.errors.map((error) => [error.number, error.message]), old.messages],
      [[[102, "Incorrect syntax near 'MAX_DURATION'."]], []],
    );
    const recent = await connect(2025);
    assert.deepEqual((await recent.run(sql)).errors, []);
    await recent.close();
  });

  it('take the predicates of the grammar, and refuse IN', async () => {
    const { run, refused } = connected;
    const predicates = [
      '(package0.greater_than_uint64([database_id], (4)))',
      '([package0].[divides_by_uint64]([sqlserver].[session_id], (2)) AND NOT [database_id] = 7)',
      "([sqlserver].[database_name] LIKE N'mast%' OR [sqlserver].[client_app_name] NOT LIKE N'SQLAgent%')",
      "([sqlserver].[like_i_sql_unicode_string]([sqlserver].[database_name], N'%x%') AND [package0].[counter] <= (10))",
    ];
    for (const predicate of predicates) {
      assert.deepEqual(await refused(`${CREATE(` (WHERE ${predicate})`)} ADD TARGET package0.ring_buffer;`), [], predicate);
      const { sets } = await run(
        "SELECT e.predicate FROM sys.server_event_session_events AS e INNER JOIN sys.server_event_sessions AS s ON s.event_session_id = e.event_session_id WHERE s.name = N'w'; DROP EVENT SESSION w ON SERVER;",
      );
      // As it was written: how SQL Server would show it is not published.
      assert.deepEqual(sets[0]?.rows, [[predicate]]);
    }
    assert.deepEqual(await refused(CREATE(' (WHERE ([database_id] IN (4, 5)))')), [156]);
    assert.deepEqual(await refused(CREATE(" (WHERE ([database_id] = N'five'))")), [25713]);
  });

  it('collect who ran CHECKPOINT, and with which text', async () => {
    const { server, run } = connected;
    await run(`${CREATE(' (ACTION (sqlserver.sql_text, sqlserver.client_hostname, sqlserver.client_app_name, sqlserver.username) WHERE ([sqlserver].[session_id] > 50))')}
      ADD TARGET package0.event_file (SET filename = N'w.xel'); ALTER EVENT SESSION w ON SERVER STATE = START;`);
    const text = 'USE tempdb; CHECKPOINT; /* by hand */';
    const done = run(text);
    let isDone = false;
    void done.then(() => (isDone = true));
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      server.advance(1_000);
    }
    await run('ALTER EVENT SESSION w ON SERVER STATE = STOP');
    const { sets } =
      await run(`SELECT x.value('(event/action[@name="sql_text"]/value)[1]', 'nvarchar(max)'), x.value('(event/action[@name="client_hostname"]/value)[1]', 'nvarchar(128)'),
        x.value('(event/action[@name="client_app_name"]/value)[1]', 'nvarchar(128)'), x.value('(event/action[@name="username"]/value)[1]', 'nvarchar(128)')
      FROM (SELECT CAST(event_data AS xml) AS x FROM sys.fn_xe_file_target_read_file(N'w*.xel', NULL, NULL, NULL)) AS f`);
    assert.deepEqual(sets[0]?.rows, [[text, 'WS-17', 'sqlcmd', server.administrator.name]]);
  });
});
