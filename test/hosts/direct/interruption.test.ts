import assert from 'node:assert/strict';
import { startTdsServer, type TdsServer } from '../../../simulator/tds/server';
import type { ReadText } from '../../../src/core/script/text';
import { createDirectAccess } from '../../../src/hosts/direct/access';
import { ConnectionError, type Connection, type QueryOptions } from '../../../src/hosts/host';
import { createAnsweringHost, giveRows, INTEGER, PASSWORD, TEXT, type Answer, type AnsweringHost } from '../tds-host';

const SECONDS = { timeoutMs: 5_000 };
const read = (sql: string): ReadText => sql as ReadText;

describe('an interrupted query of our own driver', () => {
  let server: TdsServer;
  let host: AnsweringHost;
  let connection: Connection;

  async function start(answer: Answer): Promise<void> {
    host = createAnsweringHost(answer);
    server = await startTdsServer({ host });
    const saved = {
      id: 'a',
      name: 'A',
      server: `127.0.0.1,${server.port}`,
      user: 'dba',
      encrypt: 'optional',
      trustServerCertificate: false,
    } as const;
    connection = await createDirectAccess({ server: saved, password: async () => PASSWORD }).open(new AbortController().signal);
  }

  async function failOf(sql: string, options: QueryOptions = SECONDS): Promise<{ reason: string; message: string; number: number | null }> {
    const error = await connection.query(read(sql), options).then(
      () => assert.fail('it answered'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ConnectionError, String(error));
    return { reason: error.reason, message: error.message.replace(`127.0.0.1,${server.port}`, 'HOST'), number: error.number };
  }

  afterEach(async () => {
    await connection.close();
    await server.close();
  });

  it('is stopped on the server when it takes too long, and the connection still works', async () => {
    let stopped = 0;
    await start(async function* (sql, signal) {
      if (sql === 'slow') await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(void stopped++)));
      yield* giveRows([['sql', TEXT]], [[sql]]);
    });
    assert.deepEqual(await failOf('slow', { timeoutMs: 60 }), {
      reason: 'timedOut',
      message: 'HOST did not finish a query within 0.06 s and was asked to stop it; try again when the server is less busy.',
      number: null,
    });
    assert.equal((await connection.query(read('next'), SECONDS))[0]?.rows[0]?.[0], 'next');
    assert.equal(stopped, 1);
  });

  it('is stopped when its rows take too long, not only its first answer', async () => {
    await start(async function* (sql, signal) {
      if (sql === 'next') return yield* giveRows([['sql', TEXT]], [[sql]]);
      yield { kind: 'columns', columns: [{ name: 'n', type: INTEGER, nullable: true }] };
      for (let n = 0; !signal.aborted; n++) {
        yield { kind: 'rows', rows: [[n]] };
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    assert.equal((await failOf('endless', { timeoutMs: 100 })).reason, 'timedOut');
    assert.equal((await connection.query(read('next'), SECONDS))[0]?.rows[0]?.[0], 'next');
  });

  it('is stopped on the server when its signal is aborted, and the connection still works', async () => {
    let stopped = 0;
    await start(async function* (sql, signal) {
      if (sql === 'slow') await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(void stopped++)));
      yield* giveRows([['sql', TEXT]], [[sql]]);
    });
    const cancel = new AbortController();
    const failure = failOf('slow', { ...SECONDS, signal: cancel.signal });
    setTimeout(() => cancel.abort(), 30);
    assert.deepEqual(await failure, { reason: 'cancelled', message: 'The work on HOST was cancelled.', number: null });
    assert.equal((await connection.query(read('next'), SECONDS))[0]?.rows[0]?.[0], 'next');
    assert.equal(stopped, 1);
  });

  it('that still waits for its turn is cancelled without reaching the server', async () => {
    const gate = new AbortController();
    await start(async function* (sql) {
      if (sql === 'first' && !gate.signal.aborted) await new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
      yield* giveRows([['sql', TEXT]], [[sql]]);
    });
    const first = connection.query(read('first'), SECONDS);
    const cancel = new AbortController();
    const second = failOf('second', { ...SECONDS, signal: cancel.signal });
    cancel.abort();
    assert.equal((await second).reason, 'cancelled');
    gate.abort();
    await first;
    await connection.query(read('third'), SECONDS);
    assert.deepEqual(host.batches, ['first', 'third']);
  });

  it('ends with what its receiver throws', async () => {
    await start((sql) => giveRows([['sql', TEXT]], [[sql]]));
    const thrown = connection.query(read('one'), {
      ...SECONDS,
      onRows: () => {
        throw new RangeError('a bug of the receiver');
      },
    });
    await assert.rejects(thrown, { name: 'RangeError', message: 'a bug of the receiver' });
    assert.equal((await connection.query(read('two'), SECONDS))[0]?.rows[0]?.[0], 'two');
  });

  it('fails as disconnected when the server goes away in the middle, and so does every later one', async () => {
    await start(async function* (_sql, signal) {
      yield { kind: 'columns', columns: [{ name: 'n', type: INTEGER, nullable: true }] };
      yield { kind: 'rows', rows: [[1]] };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    const running = failOf('SELECT 1;');
    await new Promise((resolve) => setTimeout(resolve, 30));
    await server.close();
    const lost = {
      reason: 'disconnected',
      message: 'The connection to HOST was lost: check that the server is up, then refresh.',
      number: null,
    };
    assert.deepEqual(await running, lost);
    assert.deepEqual(await failOf('SELECT 2;'), lost);
  });

  it('fails as disconnected when the server went away before', async () => {
    await start(() => giveRows([['n', INTEGER]], [[1]]));
    await server.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await failOf('SELECT 1;')).reason, 'disconnected');
  });

  it('fails as disconnected when the connection is closed under it', async () => {
    await start(async function* (_sql, signal) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      yield { kind: 'done' };
    });
    const running = failOf('SELECT 1;');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await connection.close();
    assert.equal((await running).reason, 'disconnected');
  });
});
