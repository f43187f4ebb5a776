import assert from 'node:assert/strict';
import { connect, type Client } from './client';

describe('Event session statements', () => {
  let client: Client;
  beforeEach(async () => (client = await connect()));
  afterEach(() => client.close());

  it('creates one with everything that the grammar has', async () => {
    const answer = await client.run(`CREATE EVENT SESSION [watch]]ed] ON SERVER
      ADD EVENT sqlserver.checkpoint_begin (ACTION (sqlserver.database_id, package0.event_sequence) WHERE ([database_id] > (4) AND NOT ([sqlserver].[database_name] = N'x' OR package0.less_than_uint64(database_id, 9)))),
      ADD EVENT sqlserver.checkpoint_end
      ADD TARGET package0.event_file (SET filename = N'watch.xel', max_file_size = (50), max_rollover_files = 4),
      ADD TARGET package0.ring_buffer
      WITH (MAX_MEMORY = 4096 KB, EVENT_RETENTION_MODE = ALLOW_SINGLE_EVENT_LOSS, MAX_DISPATCH_LATENCY = 5 SECONDS, TRACK_CAUSALITY = ON, STARTUP_STATE = OFF);`);
    assert.deepEqual(answer.errors, []);
    assert.deepEqual(client.instance.deeds, [
      {
        what: 'create',
        detail: {
          name: 'watch]ed',
          scope: 'server',
          events: [
            {
              package: 'sqlserver',
              name: 'checkpoint_begin',
              actions: ['sqlserver.database_id', 'package0.event_sequence'],
              predicate: {
                kind: 'and',
                left: { kind: 'compare', source: 'database_id', operator: '>', value: 4 },
                right: {
                  kind: 'not',
                  operand: {
                    kind: 'or',
                    left: { kind: 'compare', source: 'sqlserver.database_name', operator: '=', value: 'x' },
                    right: { kind: 'comparator', comparator: 'package0.less_than_uint64', source: 'database_id', value: 9 },
                  },
                },
              },
              predicateText:
                "([database_id] > (4) AND NOT ([sqlserver].[database_name] = N'x' OR package0.less_than_uint64(database_id, 9)))",
            },
            { package: 'sqlserver', name: 'checkpoint_end', actions: [] },
          ],
          targets: [
            { package: 'package0', name: 'event_file', options: { filename: 'watch.xel', max_file_size: 50, max_rollover_files: 4 } },
            { package: 'package0', name: 'ring_buffer', options: {} },
          ],
          options: {
            MAX_MEMORY: '4096 KB',
            EVENT_RETENTION_MODE: 'ALLOW_SINGLE_EVENT_LOSS',
            MAX_DISPATCH_LATENCY: '5 SECONDS',
            TRACK_CAUSALITY: 'ON',
            STARTUP_STATE: 'OFF',
          },
        },
      },
    ]);
  });

  it('starts, stops, changes and drops one', async () => {
    await client.run(`ALTER EVENT SESSION w ON SERVER STATE = START; ALTER EVENT SESSION w ON SERVER STATE = STOP;
      ALTER EVENT SESSION w ON SERVER DROP EVENT sqlserver.checkpoint_end, DROP EVENT sqlserver.checkpoint_begin;
      ALTER EVENT SESSION w ON DATABASE ADD EVENT sqlserver.checkpoint_end; ALTER EVENT SESSION w ON SERVER ADD TARGET package0.ring_buffer (SET max_memory = (4096)); ALTER EVENT SESSION w ON SERVER DROP TARGET package0.ring_buffer;
      DROP EVENT SESSION w ON SERVER`);
    assert.deepEqual(
      client.instance.deeds.map((each) => each.detail),
      [
        ['w', 'server', [{ kind: 'state', state: 'start' }]],
        ['w', 'server', [{ kind: 'state', state: 'stop' }]],
        [
          'w',
          'server',
          [
            { kind: 'dropEvent', package: 'sqlserver', name: 'checkpoint_end' },
            { kind: 'dropEvent', package: 'sqlserver', name: 'checkpoint_begin' },
          ],
        ],
        ['w', 'database', [{ kind: 'addEvent', event: { package: 'sqlserver', name: 'checkpoint_end', actions: [] } }]],
        ['w', 'server', [{ kind: 'addTarget', target: { package: 'package0', name: 'ring_buffer', options: { max_memory: 4096 } } }]],
        ['w', 'server', [{ kind: 'dropTarget', package: 'package0', name: 'ring_buffer' }]],
        ['w', 'server'],
      ],
    );
  });

  it('tells the error of one as a row, from CATCH', async () => {
    const answer = await client.run(`IF NOT EXISTS (SELECT 1 FROM sys.databases WHERE name = N'nothing')
    BEGIN TRY
      CREATE EVENT SESSION taken ON SERVER ADD EVENT sqlserver.checkpoint_end ADD TARGET package0.ring_buffer;
      SELECT error_number = NULL;
    END TRY
    BEGIN CATCH
      SELECT error_number = ERROR_NUMBER(), error_message = ERROR_MESSAGE();
    END CATCH;`);
    assert.deepEqual(answer.errors, []);
    assert.equal(answer.sets[0]?.columns[0]?.name, 'error_number');
    assert.deepEqual(answer.sets[0]?.rows, [
      [25631, 'The event session, "taken", already exists.  Choose a unique name for the event session.'],
    ]);
  });

  it('refuses what the grammar does not have', async () => {
    const bad = [
      'CREATE EVENT SESSION s ADD EVENT sqlserver.checkpoint_end',
      'CREATE EVENT SESSION s ON SERVER ADD EVENT sqlserver.checkpoint_end WITH (TRACK_CASUALTY = ON)',
      'CREATE EVENT SESSION s ON SERVER ADD EVENT sqlserver.checkpoint_end WITH (MAX_MEMORY = 4096)',
      'CREATE EVENT SESSION s ON SERVER ADD EVENT sqlserver.checkpoint_begin ADD EVENT sqlserver.checkpoint_end',
      'CREATE EVENT SESSION s ON SERVER ADD EVENT sqlserver.checkpoint_end (WHERE ([database_id] > ))',
      'ALTER EVENT SESSION s ON SERVER STATE = STARTED',
      'ALTER EVENT SESSION s ON SERVER ADD EVENT sqlserver.checkpoint_end, DROP EVENT sqlserver.checkpoint_begin',
      'DROP EVENT SESSION s',
    ];
    for (const sql of bad) assert.match(await client.error(sql), /^(102|156) Incorrect syntax near /, sql);
    assert.deepEqual(client.instance.deeds, []);
  });
});
