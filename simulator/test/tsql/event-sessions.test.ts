import assert from 'node:assert/strict';
import { connectModelled, numbersOf, type Client, type ModelledConnection } from './client';

const CREATE = (more: string): string =>
  `CREATE EVENT SESSION w ON SERVER ADD EVENT sqlserver.checkpoint_begin${more}`;
const RING = 'ADD TARGET package0.ring_buffer';

/** The columns of a view of the catalog, of the session w. */
const of = (view: string, columns: string): string =>
  `SELECT ${columns} FROM sys.server_event_session_${view} AS v INNER JOIN sys.server_event_sessions AS s ON s.event_session_id = v.event_session_id WHERE s.name LIKE N'w%'`;

describe('Event session statements', () => {
  let modelled: ModelledConnection;
  let client: Client;
  before(async () => (modelled = await connectModelled({ seed: 5, databases: 20 })));
  beforeEach(() => (client = modelled.as('dba')));
  afterEach(() => client.run('DROP EVENT SESSION w ON SERVER'));
  after(() => modelled.close());

  it('create one with everything that the grammar has', async () => {
    const predicate =
      "([database_id] > (4) AND NOT ([sqlserver].[database_name] = N'x' OR [database_id] < 9))";
    const { errors } = await client.run(`CREATE EVENT SESSION [w]]ed] ON SERVER
      ADD EVENT sqlserver.checkpoint_begin (ACTION (sqlserver.database_id, package0.event_sequence) WHERE ${predicate}),
      ADD EVENT sqlserver.checkpoint_end
      ADD TARGET package0.event_file (SET filename = N'watch.xel', max_file_size = (50), max_rollover_files = 4),
      ADD TARGET package0.ring_buffer
      WITH (MAX_MEMORY = 4096 KB, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS, MAX_DISPATCH_LATENCY = 5 SECONDS, TRACK_CAUSALITY = ON, STARTUP_STATE = OFF);`);
    assert.deepEqual(errors, []);
    const options =
      "SELECT name, max_dispatch_latency, track_causality FROM sys.server_event_sessions WHERE name LIKE N'w%'";
    assert.equal(await client.told(options), '[["w]ed",5000,true]]');
    assert.deepEqual(await client.rows(of('events', 'v.name, v.predicate')), [
      ['checkpoint_begin', predicate],
      ['checkpoint_end', null],
    ]);
    assert.equal(await client.told(of('targets', 'v.name')), '[["event_file"],["ring_buffer"]]');
    assert.equal(
      await client.told(of('fields', 'v.name, CAST(v.value AS nvarchar(20))')),
      '[["filename","watch.xel"],["max_file_size","50"],["max_rollover_files","4"]]',
    );
    assert.equal(await client.told('DROP EVENT SESSION [w]]ed] ON SERVER'), '');
  });

  it('start, stop, change and drop one', async () => {
    const told =
      await client.told(`${CREATE('')}; ALTER EVENT SESSION w ON SERVER STATE = START; ALTER EVENT SESSION w ON SERVER STATE = START;
      ALTER EVENT SESSION w ON SERVER ADD EVENT sqlserver.checkpoint_end; ALTER EVENT SESSION w ON SERVER STATE = STOP;
      ALTER EVENT SESSION w ON SERVER DROP EVENT sqlserver.checkpoint_begin, DROP EVENT sqlserver.checkpoint_end; ${of('events', 'v.name')};
      ALTER EVENT SESSION w ON SERVER ADD EVENT sqlserver.checkpoint_end, ADD EVENT sqlserver.checkpoint_begin; ${of('events', 'v.name')};
      ALTER EVENT SESSION w ON SERVER DROP TARGET package0.ring_buffer; ALTER EVENT SESSION w ON DATABASE ADD EVENT sqlserver.checkpoint_end`);
    assert.equal(told, '!25705 | [] | [["checkpoint_end"],["checkpoint_begin"]] | !25653 | !50000');
  });

  for (const [sql, number] of [
    ['CREATE EVENT SESSION w ADD EVENT sqlserver.checkpoint_end', 156],
    [CREATE(' WITH (TRACK_CASUALTY = ON)'), 102],
    [CREATE(' WITH (MAX_MEMORY = 4096)'), 102],
    [CREATE(' ADD EVENT sqlserver.checkpoint_end'), 156],
    [CREATE(' (WHERE ([database_id] > ))'), 102],
    [CREATE(' (WHERE ([database_id] IN (4, 5)))'), 156],
    [CREATE(" (WHERE ([database_id] = N'five'))"), 25713],
    [CREATE(' (WHERE (package0.greater_than_uint64([database_id], (4))))'), 50000],
    [CREATE(" (WHERE ([sqlserver].[database_name] LIKE N'm%'))"), 50000],
    [CREATE(' WITH (MAX_MEMORY = 4 MB, MAX_MEMORY = 8 MB)'), 25702],
    ['ALTER EVENT SESSION w ON SERVER STATE = STARTED', 102],
    [
      'ALTER EVENT SESSION w ON SERVER ADD EVENT sqlserver.checkpoint_end, DROP EVENT sqlserver.checkpoint_begin',
      156,
    ],
    [
      'ALTER EVENT SESSION w ON SERVER DROP EVENT sqlserver.checkpoint_end, ADD EVENT sqlserver.checkpoint_end',
      156,
    ],
    [
      'ALTER EVENT SESSION w ON SERVER ADD EVENT sqlserver.checkpoint_end, ADD TARGET package0.ring_buffer',
      102,
    ],
    ['ALTER EVENT SESSION w ON SERVER ADD TARGET package0.ring_buffer', 50000],
    ['ALTER EVENT SESSION w ON SERVER WITH (STARTUP_STATE = ON)', 50000],
    ['ALTER EVENT SESSION w ON SERVER STATE = START, ADD EVENT sqlserver.checkpoint_end', 102],
    ['DROP EVENT SESSION w', 102],
    [CREATE(' WITH (MAX_EVENT_SIZE = 8 MB)'), 50000],
    [CREATE(' WITH (MEMORY_PARTITION_MODE = PER_CPU)'), 50000],
    [CREATE(' WITH (EVENT_RETENTION_MODE = NO_EVENT_LOSS)'), 50000],
  ] as const)
    it(`are refused with ${number}: ${sql.slice(0, 90)}`, async () =>
      assert.deepEqual(numbersOf(await client.run(sql)), [number]));

  it('know MAX_DURATION since 2025: to an older server it is bad syntax, which no TRY catches', async () => {
    const sql = `BEGIN TRY ${CREATE('')} ${RING} WITH (MAX_DURATION = 5 MINUTES); END TRY BEGIN CATCH PRINT N'caught'; END CATCH`;
    assert.equal(await client.told(sql), '!102');
    const recent = await connectModelled({ release: 2025, databases: 5 });
    assert.equal(await recent.as('dba').told(sql), '');
    await recent.close();
  });

  it('take a predicate of the grammar, and show it as it was written', async () => {
    const predicate =
      "([sqlserver].[database_name] = N'master' OR [sqlserver].[session_id] > (50) AND NOT [database_id] = 7)";
    await client.run(`${CREATE(` (WHERE ${predicate})`)} ${RING};`);
    // How SQL Server would show it is not published.
    assert.deepEqual(await client.rows(of('events', 'v.predicate')), [[predicate]]);
  });

  it('bind AND more tightly than OR, and NOT more tightly than both', async () => {
    const { server } = modelled;
    const [a, b] = [...new Set(server.ledger.checkpoints.map(({ databaseId }) => databaseId)), 5, 6];
    await client.run(`${CREATE(` (WHERE [database_id] = ${a} OR [database_id] = ${b} AND NOT [database_id] = ${b} AND [database_id] = ${b})`)} ${RING};
      ALTER EVENT SESSION w ON SERVER STATE = START`);
    server.advance(30 * 60_000);
    assert.deepEqual([...new Set(server.ledger.capturedBy('w').map(({ databaseId }) => databaseId))], [a]);
  });

  it('collect who ran CHECKPOINT, and with which text', async () => {
    const { server } = modelled;
    await client.run(`${CREATE(' (ACTION (sqlserver.sql_text, sqlserver.client_hostname, sqlserver.client_app_name, sqlserver.username) WHERE ([sqlserver].[session_id] > 50))')}
      ADD TARGET package0.event_file (SET filename = N'w.xel'); ALTER EVENT SESSION w ON SERVER STATE = START;`);
    const text = 'USE tempdb; CHECKPOINT; /* by hand */';
    let isDone = false;
    void client.run(text).then(() => (isDone = true));
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      server.advance(1_000);
    }
    await client.run('ALTER EVENT SESSION w ON SERVER STATE = STOP');
    const actions = ['sql_text', 'client_hostname', 'client_app_name', 'username'].map(
      (name) => `x.value('(event/action[@name="${name}"]/value)[1]', 'nvarchar(max)')`,
    );
    const rows = await client.rows(
      `SELECT ${actions.join()} FROM (SELECT CAST(event_data AS xml) AS x FROM sys.fn_xe_file_target_read_file(N'w*.xel', NULL, NULL, NULL)) AS f`,
    );
    assert.deepEqual(rows, [[text, 'WS-17', 'sqlcmd', 'dba']]);
  });
});
