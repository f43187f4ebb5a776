import assert from 'node:assert/strict';
import type { QueryOptions } from '../../../src/hosts/host';
import { failure, type Failure } from '../opening';
import {
  type AnsweredConnection,
  type Answer,
  giveRows,
  INTEGER,
  openAnsweredConnection,
  read,
  SECONDS,
  TEXT,
} from '../tds-host';

describe('an interrupted query of our own driver', () => {
  let answered: AnsweredConnection;

  const start = async (answer: Answer): Promise<void> =>
    void (answered = await openAnsweredConnection(answer));

  afterEach(() => answered.close());

  const stops: readonly (readonly [
    when: string,
    options: (signal: AbortSignal) => QueryOptions,
    wanted: Failure,
  ])[] = [
    [
      'it takes too long',
      () => ({ timeoutMs: 60 }),
      failure(
        'timedOut',
        'HOST did not finish a query within 0.06 s and was asked to stop it. Try again when the server is less busy.',
      ),
    ],
    [
      'its signal is aborted',
      (signal) => ({ ...SECONDS, signal }),
      failure('cancelled', 'The work on HOST was cancelled.'),
    ],
  ];
  for (const [when, options, wanted] of stops)
    it(`is stopped on the server when ${when}, and the connection still works`, async () => {
      const cancel = new AbortController();
      let stopped = 0;
      await start(async function* (sql, signal) {
        if (sql !== 'slow') return yield* giveRows([['sql', TEXT]], [[sql]]);
        const stop = new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(void stopped++)),
        );
        cancel.abort();
        await stop;
        yield* giveRows([['sql', TEXT]], [[sql]]);
      });
      assert.deepEqual(await answered.failOf('slow', options(cancel.signal)), wanted);
      assert.deepEqual([await answered.ask('next'), stopped], ['next', 1]);
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
    assert.equal((await answered.failOf('endless', { timeoutMs: 100 })).reason, 'timedOut');
    assert.equal(await answered.ask('next'), 'next');
  });

  it('that still waits for its turn is cancelled without reaching the server', async () => {
    const gate = new AbortController();
    await start(async function* (sql) {
      if (sql === 'first' && !gate.signal.aborted)
        await new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
      yield* giveRows([['sql', TEXT]], [[sql]]);
    });
    const first = answered.connection.query(read('first'), SECONDS);
    const cancel = new AbortController();
    const second = answered.failOf('second', { ...SECONDS, signal: cancel.signal });
    cancel.abort();
    assert.equal((await second).reason, 'cancelled');
    gate.abort();
    await first;
    await answered.connection.query(read('third'), SECONDS);
    assert.deepEqual(answered.host.batches, ['first', 'third']);
  });

  it('ends with what its receiver throws', async () => {
    await start((sql) => giveRows([['sql', TEXT]], [[sql]]));
    const thrown = answered.connection.query(read('one'), {
      ...SECONDS,
      onRow: () => {
        throw new RangeError('a bug of the receiver');
      },
    });
    await assert.rejects(thrown, { name: 'RangeError', message: 'a bug of the receiver' });
    assert.equal(await answered.ask('two'), 'two');
  });

  it('fails as disconnected when the server goes away in the middle, and so does every later one', async () => {
    await start(async function* (_sql, signal) {
      yield { kind: 'columns', columns: [{ name: 'n', type: INTEGER, nullable: true }] };
      yield { kind: 'rows', rows: [[1]] };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    const running = answered.failOf('SELECT 1;');
    await new Promise((resolve) => setTimeout(resolve, 30));
    await answered.server.close();
    const lost = failure(
      'disconnected',
      'The connection to HOST was lost: check that the server is up, then refresh.',
    );
    assert.deepEqual(await running, lost);
    assert.deepEqual(await answered.failOf('SELECT 2;'), lost);
  });

  it('fails as disconnected when the connection is closed under it', async () => {
    await start(async function* (_sql, signal) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      yield { kind: 'done' };
    });
    const running = answered.failOf('SELECT 1;');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await answered.connection.close();
    assert.equal((await running).reason, 'disconnected');
  });
});
