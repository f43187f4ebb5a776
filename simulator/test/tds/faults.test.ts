import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from 'tedious';
import type { Reply } from '../../tds/handler';
import type { Fault } from '../../tds/faults';
import { columns } from './scripted-host';
import { useServers, type Served } from './served';
import { run } from './tedious-client';

const ROWS = 2_000;
const rows: Reply = { kind: 'rows', rows: Array.from({ length: ROWS }, (_, n) => [n]) };

describe('faults of answers', () => {
  const serve = useServers();
  let served: Served;
  let connection: Connection;

  beforeEach(async () => {
    served = await serve(() => [columns, rows, { kind: 'done', rowCount: ROWS }], 'required');
    connection = await open();
  });

  /** @param cancelTimeout after how many ms without an answer to its attention, the client gives up */
  const open = (cancelTimeout = 60_000): Promise<Connection> =>
    served.open({ options: { encrypt: true, requestTimeout: 60_000, cancelTimeout } });
  const count = async (sql = 'numbers'): Promise<number | undefined> =>
    (await run(connection, sql)).sets[0]?.length;
  /** The rows that had come, and the code of tedious' error. */
  const fail = (fault: Fault, timeoutMs = 60_000): Promise<readonly [number, string | undefined]> => {
    served.server.faults.strike(fault, { times: 1 });
    return run(connection, 'numbers', undefined, (request) => request.setTimeout(timeoutMs)).then(
      () => assert.fail('it answered'),
      ({ code, answered }: { code?: string; answered: { sets: readonly (readonly unknown[])[] } }) => [
        answered.sets[0]?.length ?? 0,
        code,
      ],
    );
  };

  for (const then of ['reset', 'close'] as const)
    it(`break the connection off in the middle of the rows (${then}), and the next connection is whole`, async () => {
      const [came, code] = await fail({ kind: 'cut', afterBytes: 6_000, then });
      assert.ok(came > 0 && came < ROWS, String(came));
      assert.notEqual(code, 'ETIMEOUT');
      connection = await open();
      assert.equal(await count(), ROWS);
    });

  it('leave a client waiting in the middle of a packet, and answer no attention of it either', async () => {
    let came = 0;
    connection = await open(100);
    served.server.faults.strike({ kind: 'cut', afterBytes: 4_500, then: 'silence' });
    const waiting = run(connection, 'numbers', undefined, (request) => {
      request.on('row', () => {
        if (came++ === 0) request.cancel();
      });
    });
    // ECANCEL would mean that the attention was answered.
    await assert.rejects(waiting, { code: 'ETIMEOUT' });
    assert.ok(came > 0 && came < ROWS, String(came));
  });

  it('hold a request like a lock until it is cancelled, or until the lock is gone', async () => {
    assert.deepEqual(await fail({ kind: 'blocked' }, 300), [0, 'ETIMEOUT']);
    const strike = served.server.faults.strike({ kind: 'blocked' });
    const waiting = count();
    void setTimeout(30).then(() => strike.end());
    assert.deepEqual([await waiting, strike.met], [ROWS, 1]);
    assert.equal(served.host.requests.length, 1, 'the one that was cancelled never began');
  });

  it('give rows one by one', async () => {
    assert.equal((await fail({ kind: 'slow', rowMs: 20 }, 300))[1], 'ETIMEOUT');
    assert.equal(await count(), ROWS);
  });

  it('answer with an error instead, and end the connection with a severe one', async () => {
    const strike = served.server.faults.strike(
      { kind: 'error', number: 1205, message: 'You were chosen.', severity: 13 },
      { times: 1 },
    );
    await assert.rejects(count(), { number: 1205 });
    assert.deepEqual([await count(), strike.met], [ROWS, 1]);
    served.server.faults.strike({ kind: 'error', number: 596, message: 'Killed.', severity: 21 });
    await assert.rejects(count());
    await assert.rejects(count());
  });

  it('strike only the requests that they are meant for', async () => {
    const strike = served.server.faults.strike(
      { kind: 'error', number: 50_000, message: 'no' },
      { where: (text) => text.includes('one') },
    );
    assert.equal(await count('two'), ROWS);
    await assert.rejects(count('one'));
    strike.end();
    assert.equal(await count('one'), ROWS);
    assert.equal(strike.met, 1);
  });
});
