import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'tedious';
import { startProcess } from './simulator-process';
import { LOGIN, useSimulators } from './started';
import { connect, disconnect, run, type Answered } from './tds/tedious-client';

/** What a client sees of everything that the model is made of; some of it fails. */
const CONVERSATION: readonly string[] = [
  'SELECT name, database_id, create_date, state_desc, is_read_only, recovery_model_desc, log_reuse_wait_desc, target_recovery_time_in_seconds FROM sys.databases ORDER BY database_id;',
  `CREATE EVENT SESSION seen ON SERVER ADD EVENT sqlserver.checkpoint_begin(ACTION(sqlserver.session_id)), ADD EVENT sqlserver.checkpoint_end
   ADD TARGET package0.event_file(SET filename = N'seen.xel'), ADD TARGET package0.ring_buffer WITH (MAX_DISPATCH_LATENCY = 1 SECONDS, TRACK_CAUSALITY = ON);
   ALTER EVENT SESSION seen ON SERVER STATE = START;`,
  'ALTER EVENT SESSION nobody ON SERVER STATE = START;',
  "DECLARE @name sysname = (SELECT MAX(name) FROM sys.databases WHERE target_recovery_time_in_seconds = 0 AND is_read_only = 0 AND state = 0); DECLARE @sql nvarchar(max) = N'ALTER DATABASE ' + QUOTENAME(@name) + N' SET TARGET_RECOVERY_TIME = 60 SECONDS'; PRINT @sql; EXEC (@sql);",
  'ALTER DATABASE no_such SET TARGET_RECOVERY_TIME = 60 SECONDS;',
  "SELECT 1 / 0; SELECT CONVERT(int, N'x');",
  "SELECT x.object_name, x.event_data, x.file_name, x.file_offset, x.timestamp_utc FROM sys.fn_xe_file_target_read_file(N'*.xel', NULL, NULL, NULL) AS x;",
  "SELECT CAST(t.target_data AS nvarchar(max)) FROM sys.dm_xe_session_targets AS t WHERE t.target_name = N'ring_buffer';",
  'SELECT * FROM sys.dm_os_performance_counters ORDER BY object_name, counter_name, instance_name;',
  'SELECT database_id, file_id, num_of_reads, num_of_writes, num_of_bytes_written, io_stall_write_ms FROM sys.dm_io_virtual_file_stats(NULL, NULL) ORDER BY database_id, file_id;',
  'EXEC sp_readerrorlog;',
  'SELECT SYSUTCDATETIME(), SYSDATETIMEOFFSET();',
];

/** Rows, messages and errors of one batch as bytes. */
async function hear(connection: Connection, sql: string): Promise<Buffer> {
  const answered = await run(connection, sql).catch(
    (error: { readonly answered: Answered }) => error.answered,
  );
  return Buffer.from(
    JSON.stringify(answered, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
  );
}

async function converse(port: number, between: () => void = () => undefined): Promise<readonly Buffer[]> {
  const connection = await connect(port, LOGIN);
  const heard: Buffer[] = [];
  for (const sql of CONVERSATION) {
    heard.push(await hear(connection, sql));
    between();
  }
  await disconnect(connection);
  return heard;
}

function assertSame(first: readonly Buffer[] = [], again: readonly Buffer[] = []): void {
  first.forEach((bytes, i) =>
    assert.ok(bytes.equals(again[i] as Buffer), `differs: ${CONVERSATION[i] ?? 'the ledger'}`),
  );
}

describe('one seed', () => {
  const start = useSimulators();
  let directory: string;
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'simulator-'))));
  after(() => rm(directory, { recursive: true }));

  it('gives two processes the same conversation to the byte, another seed another one', async () => {
    const live = async (seed: number): Promise<readonly Buffer[]> => {
      const options = [
        '--seed',
        String(seed),
        '--rate',
        '0',
        '--tls',
        'off',
        '--databases',
        '60',
        '--stored-events',
        '4000',
      ];
      const { child, port, exit } = startProcess(directory, ...options);
      try {
        const heard = await converse(await port);
        child.kill('SIGTERM');
        assert.equal(await exit, 0);
        return heard;
      } finally {
        child.kill('SIGKILL');
      }
    };
    const [first, again, other] = await Promise.all([live(5), live(5), live(6)]);
    assertSame(first, again);
    const changed = CONVERSATION.filter((_, i) => !first?.[i]?.equals(other?.[i] as Buffer));
    assert.ok(changed.length >= 5, `only ${changed.length} answers depend on the seed`);
  });

  it('gives the same while time is stepped between the requests of a client', async () => {
    const live = async (): Promise<readonly Buffer[]> => {
      const { port, server } = await start({ seed: 9, databases: 60 });
      const heard = await converse(port, () => server.advance(61_234));
      return [...heard, Buffer.from(JSON.stringify(server.ledger.checkpoints))];
    };
    const [first, again] = [await live(), await live()];
    assertSame(first, again);
    assert.ok((first[6]?.length ?? 0) > 10_000, 'events were read');
  });
});
