import assert from 'node:assert/strict';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import type { TextRows } from '../../../src/core/rows';
import { writeUtcTime } from '../../../src/core/time';
import { ConnectionError } from '../../../src/hosts/host';
import { beginSampling, intervalOf, sampleDue } from '../../../src/monitor/facts/write-work-sampling';

const MIDNIGHT_MS = Date.UTC(2026, 2, 2);
/** Not near the border of a block. */
const FIRST_MS = 100_000;

/**
 * A server that takes so long for each of our three reads, and a clock that only questions and waiting move. What is
 * asked at the same moment is answered together.
 */
class CountedServer {
  nowMs = FIRST_MS;
  costMs = 0;
  /** What the files cost besides. */
  filesMs = 0;
  readonly failures = new Map<string, ConnectionError>();
  readonly asked: { readonly name: string; readonly atMs: number }[] = [];
  readonly log = new WriteWorkLog();
  sampled = beginSampling({ instanceMs: 15_000, databasesMs: 60_000 });
  pauses = 0;
  databases = 1;
  started = '1';
  private written = 0;
  private together: Promise<void> | null = null;

  constructor(private readonly engineEdition = 3) {}

  sample(): Promise<number> {
    const pause = (): Promise<void> => Promise.resolve(void this.pauses++);
    const world = { query: { run: (text: string) => this.answer(text) }, pause, elapsedMs: () => this.nowMs };
    const tell: Parameters<typeof sampleDue>[0]['tell'] = (event) => (this.sampled = event(this.sampled));
    return sampleDue({ world, log: this.log, tell }, this.sampled, this.engineEdition);
  }

  /** As its owner does: comes again when it was told to. */
  async sampleUntil(endMs: number): Promise<void> {
    while (this.nowMs < endMs) {
      const delayMs = await this.sample();
      this.nowMs += Math.max(1, delayMs);
    }
  }

  timesOf(name: string): number[] {
    return this.asked.filter((each) => each.name === name).map(({ atMs }) => atMs - FIRST_MS);
  }

  private async answer(text: string): Promise<TextRows> {
    const name = /Name:\s+(\S+)/.exec(text)?.[1] ?? '?';
    this.asked.push({
      name: text.includes('d.physical_database_name') ? `${name} (physical)` : name,
      atMs: this.nowMs,
    });
    const asked = this.asked.length;
    this.together ??= Promise.resolve().then(() => {
      const together = this.asked.slice(asked - 1);
      this.nowMs +=
        this.costMs * together.length + (together.some((each) => each.name === 'file-io') ? this.filesMs : 0);
      this.together = null;
    });
    await this.together;
    const failure = this.failures.get(name);
    if (failure !== undefined) throw failure;
    this.written += 10;
    return this.write(name);
  }

  private write(name: string): TextRows {
    const now = { now_utc: writeUtcTime(MIDNIGHT_MS + this.nowMs), ticks_ms: String(this.nowMs) };
    const moment = { server_name: 'PROD', ...now, started_ticks_ms: this.started };
    const names = { 'instance-work': INSTANCE, 'file-io': FILES, 'database-counters': COUNTERS }[name] ?? [];
    const figures = Object.fromEntries(names.map((column) => [column, String(this.written)]));
    const rows = Array.from({ length: name === 'instance-work' ? 1 : this.databases }, (_, at) => {
      if (name === 'instance-work') return { ...moment, ...figures };
      const counted = { ...moment, counter_instance: `db${at}`, ...figures };
      if (name !== 'file-io') return counted;
      const database = {
        database_id: String(at + 5),
        database_name: `db${at}`,
        created_local: '2020-01-01T00:00:00',
      };
      return {
        ...counted,
        ...database,
        log_reuse_wait: 'NOTHING',
        data_files: '1',
        log_files: '1',
        untyped_files: '0',
      };
    });
    return { columns: Object.keys(rows[0] ?? {}), rows: rows.map((row) => Object.values(row)) };
  }
}

const waits = ['writelog', 'checkpoint_queue', 'page_read'].flatMap((wait) => [
  `${wait}_waits`,
  `${wait}_wait_ms`,
]);
const INSTANCE = [
  'checkpoint_pages',
  'background_writer_pages',
  'lazy_writes',
  'page_writes',
  'database_pages',
  'flush_sleep_ms',
  'all_wait_ms',
  ...waits,
];
const FILES = ['data', 'log'].flatMap((kind) =>
  ['writes', 'written_bytes', 'write_stall_ms'].map((figure) => `${kind}_${figure}`),
);
FILES.push('data_reads', 'data_read_stall_ms');
const COUNTERS = ['log_flushed_bytes', 'log_flushes', 'write_transactions'];

describe('Sampling of write work', () => {
  it('asks for the instance every 15 seconds, for the databases every minute', async () => {
    const server = new CountedServer();
    await server.sampleUntil(FIRST_MS + 120_000);
    assert.deepEqual(
      server.timesOf('instance-work'),
      [0, 15_000, 30_000, 45_000, 60_000, 75_000, 90_000, 105_000],
    );
    assert.deepEqual(server.timesOf('file-io'), [0, 60_000]);
    assert.deepEqual(server.timesOf('database-counters'), [0, 60_000]);
    assert.deepEqual([...server.log.databaseSamples().dataWrites], [60]);
    assert.deepEqual(
      [server.sampled.instance.longestMs, server.sampled.databases.longestMs],
      [180_000, 180_000],
    );
  });

  it('takes a sample at the border of two blocks, so that almost nothing has to be split', async () => {
    const server = new CountedServer();
    await server.sampleUntil(BLOCK_MS + 60_000);
    for (const name of ['instance-work', 'file-io'])
      assert.ok(server.timesOf(name).includes(BLOCK_MS - FIRST_MS), name);
    const blocks = server.log.databaseBlocks(0);
    assert.deepEqual([blocks.length, blocks[0]?.observedMs], [1, BLOCK_MS - FIRST_MS]);
  });

  it('takes a twentieth of the time at most: a slow server is asked less often, and the status says so', async () => {
    const server = new CountedServer();
    server.costMs = 4_000;
    await server.sampleUntil(FIRST_MS + 900_000);
    const times = server.timesOf('instance-work');
    const [, ...intervals] = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    assert.ok(Math.min(...intervals) >= 80_000, `${String(intervals)}: from when it was asked alone`);
    assert.ok(
      server.asked.length * server.costMs <= (server.nowMs - FIRST_MS) * 0.11,
      'two lanes of a twentieth each',
    );
    const { instance, databases } = server.sampled;
    assert.deepEqual(
      [intervalOf(instance), intervalOf(databases)],
      [80_000, 160_000],
      'what those of a text take together is counted for each',
    );
    assert.ok(server.log.instanceSamples().rows >= 3);
  });

  it('samples the instance as often as it alone may be, where it is asked together with databases that take long', async () => {
    const server = new CountedServer();
    server.filesMs = 6_000;
    await server.sampleUntil(FIRST_MS + 600_000);
    const rows = server.timesOf('instance-work').length;
    assert.ok(rows >= 35, `${rows} samples in 10 minutes`);
  });

  it('is not observable if the server refuses, in the words of the server, and is tried again after ten minutes', async () => {
    const server = new CountedServer();
    const refusal = 'PROD refused this: VIEW SERVER STATE permission was denied (Msg 300)';
    for (const name of ['instance-work', 'file-io'])
      server.failures.set(name, new ConnectionError('permissionDenied', refusal, 300));
    await server.sampleUntil(FIRST_MS + 300_000);
    assert.deepEqual([server.timesOf('instance-work').length, server.timesOf('file-io').length], [1, 1]);
    assert.equal(server.sampled.parts.files.reason, refusal);
    server.failures.clear();
    await server.sampleUntil(FIRST_MS + 700_000);
    assert.equal(server.sampled.parts.files.reason, null);
    assert.ok(server.log.databaseSamples().rows > 0);
  });

  it('is not observable if the answer cannot be read, and says of the first row why', async () => {
    const server = new CountedServer();
    server.started = 'long ago';
    await server.sampleUntil(FIRST_MS + 60_000);
    assert.match(server.sampled.parts.instance.reason ?? '', /started_ticks_ms.*long ago/);
  });

  it('knows nothing of log and transactions if only their counters are refused', async () => {
    const server = new CountedServer();
    server.failures.set('database-counters', new ConnectionError('permissionDenied', 'no', 300));
    await server.sampleUntil(FIRST_MS + 120_000);
    assert.deepEqual(
      [server.log.databaseBlocks(0)[0]?.writeTransactions, server.sampled.parts.counters.reason],
      [null, 'no'],
    );
    assert.equal(server.log.databaseBlocks(0)[0]?.dataWrites, 50);
  });

  it('loses nothing if a read took too long: the next figure covers its time too', async () => {
    const server = new CountedServer();
    await server.sample();
    server.failures.set('instance-work', new ConnectionError('timedOut', 'No answer in 30 s.'));
    server.nowMs += 15_000;
    const delayMs = await server.sample();
    assert.match(server.sampled.parts.instance.reason ?? '', /No answer/);
    server.failures.clear();
    await server.sampleUntil(server.nowMs + delayMs + 600_000);
    assert.equal(server.log.instanceSamples().endUtcMs[0], MIDNIGHT_MS + FIRST_MS + 615_000);
    assert.deepEqual(server.log.breaks, []);
  });

  it('fails if the connection is lost, and goes on when it is back', async () => {
    const server = new CountedServer();
    await server.sample();
    server.failures.set('instance-work', new ConnectionError('disconnected', 'gone'));
    server.nowMs += 15_000;
    await assert.rejects(server.sample(), /gone/);
    server.failures.clear();
    server.nowMs += 15_000;
    await server.sample();
    const { beginUtcMs, endUtcMs } = server.log.instanceSamples();
    assert.equal((endUtcMs[0] ?? 0) - (beginUtcMs[0] ?? 0), 30_000);
  });

  it('lets others have the thread while it reads thousands of databases', async () => {
    const server = new CountedServer();
    server.databases = 3_000;
    await server.sampleUntil(FIRST_MS + 61_000);
    assert.ok(server.pauses >= 20, `${server.pauses} pauses`);
    assert.equal(server.log.databaseSamples().rows, 3_000);
  });

  it('asks a Managed Instance by the names that its counters have', async () => {
    const server = new CountedServer(8);
    await server.sample();
    assert.ok(server.asked.some(({ name }) => name === 'file-io (physical)'));
  });
});
