import assert from 'node:assert/strict';
import type { Connection } from 'tedious';
import { useServers, type Served } from './served';
import { run } from './tedious-client';

describe('transactions', () => {
  const serve = useServers();
  let served: Served;
  let connection: Connection;

  beforeEach(async () => {
    served = await serve((request) =>
      request.kind === 'batch'
        ? [{ kind: 'transaction', action: request.sql as 'begin' }, { kind: 'done' }]
        : [],
    );
    connection = await served.open();
  });

  const settle = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));

  /** The 8 bytes by which the client names its transaction; zero outside of one. */
  const descriptor = (): string =>
    (connection as unknown as { currentTransactionDescriptor(): Buffer })
      .currentTransactionDescriptor()
      .toString('hex');

  const none = '0000000000000000';

  it('that T-SQL begins and ends are told to the client', async () => {
    await run(connection, 'begin');
    const first = descriptor();
    assert.notEqual(first, none);
    await run(connection, 'commit');
    assert.equal(descriptor(), none);
    await run(connection, 'begin');
    assert.notEqual(descriptor(), first);
    await run(connection, 'rollback');
    assert.equal(descriptor(), none);
  });

  it('that the client asks for by requests of their own are refused, and the connection goes on', async () => {
    await assert.rejects(
      settle((done) => connection.beginTransaction(done)),
      /a request of the transaction manager is not modelled/,
    );
    assert.equal(descriptor(), none);
    await run(connection, 'begin');
  });

  it('and all else of the session go back to their beginning when the connection is reset', async () => {
    await settle((done) => connection.reset(done));
    assert.equal(served.host.resets(), 1);
    await run(connection, 'commit');
    assert.equal(served.host.resets(), 1);
  });
});
