/** Thousands of clients, one after another: the simulator must not remember them. Shorter: CLIENTS=50 npx mocha --node-option expose-gc test/soak/connections.soak.ts */
import assert from 'node:assert/strict';
import { Request } from 'tedious';
import { startSimulator, type Simulator } from '../../simulator/index';
import { connect, disconnect, run } from '../../simulator/test/tds/tedious-client';

const ROUNDS = 4;
/** In each round. */
const CLIENTS = Number(process.env.CLIENTS ?? 500);
const MOST_HEAP_GROWTH = 5 * 1024 * 1024;
const MOST_RSS_GROWTH = 60 * 1024 * 1024;

/** What a client may leave behind: functions that ask its session, rows from views, XML, #tables, prepared calls, cursors, errors. */
const WORK: readonly string[] = [
  'SELECT TOP (5) name, DB_NAME(database_id), OBJECT_ID(name), HAS_DBACCESS(name) FROM sys.databases ORDER BY name;',
  'SELECT COUNT(*) FROM sys.dm_io_virtual_file_stats(NULL, NULL);',
  "CREATE TABLE #t (id int IDENTITY PRIMARY KEY, name nvarchar(20) NOT NULL); INSERT INTO #t (name) VALUES (N'a'), (N'b'); SELECT * FROM #t;",
  "DECLARE @x xml = N'<a><b>1</b></a>'; SELECT @x.value('(/a/b)[1]', 'int');",
  "SELECT TOP (20) CAST(x.event_data AS xml).value('(event/@name)[1]', 'sysname') FROM sys.fn_xe_file_target_read_file(N'checkpoint_history*.xel', NULL, NULL, NULL) AS x;",
  "EXEC sp_executesql N'SELECT @a + 1', N'@a int', @a = 1;",
  "SELECT 1 / 0; SELECT CONVERT(int, N'x');",
];

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

describe('thousands of connections', function () {
  this.timeout(1_800_000);
  let simulator: Simulator;
  before(async () => (simulator = await startSimulator({ rate: 0, tls: 'off', storedEvents: 5_000 })));
  after(() => simulator.close());

  const beClient = async (number: number): Promise<void> => {
    const connection = await connect(simulator.port, { userName: 'dba', password: simulator.administrator.password });
    for (const sql of WORK) await run(connection, sql).catch(() => undefined);
    // One in ten leaves in the middle of a result.
    if (number % 10 === 0)
      connection.execSqlBatch(new Request('SELECT a.name, b.name FROM sys.databases AS a CROSS JOIN sys.databases AS b;', () => undefined));
    await disconnect(connection);
  };

  const measure = async (): Promise<Memory> => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.ok(global.gc, 'needs --expose-gc');
    for (let i = 0; i < 3; i++) global.gc();
    const { heapUsed, rss } = process.memoryUsage();
    return { heap: heapUsed, rss };
  };

  it('leave the memory as it was', async () => {
    const measured: Memory[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let client = 0; client < CLIENTS; client += 5) await Promise.all([0, 1, 2, 3, 4].map((i) => beClient(client + i)));
      const memory = await measure();
      measured.push(memory);
      console.log(
        `${(round + 1) * CLIENTS} clients: heap ${(memory.heap / 1048576).toFixed(1)} MB, resident ${(memory.rss / 1048576).toFixed(0)} MB`,
      );
    }
    // The first rounds fill caches.
    const [first, last] = [measured[1] as Memory, measured[ROUNDS - 1] as Memory];
    assert.ok(last.heap - first.heap < MOST_HEAP_GROWTH, 'the heap grows');
    assert.ok(last.rss - first.rss < MOST_RSS_GROWTH, 'resident memory grows');
  });
});
