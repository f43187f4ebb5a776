import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import type { Connection } from 'tedious';
import type { Reply, Request } from '../../tds/handler';
import { SqlError } from '../../tds/handler';
import type { TdsServer } from '../../tds/server';
import { startTdsServer } from '../../tds/server';
import type { ScriptedHost } from './scripted-host';
import { createScriptedHost } from './scripted-host';
import { loginMessage, packet, readPackets } from './raw-client';
import { connect, run } from './tedious-client';

describe('transactions', () => {
  let host: ScriptedHost;
  let server: TdsServer;
  let connection: Connection;
  let replies: (request: Request) => Iterable<Reply>;

  const start = async (): Promise<void> => {
    replies = (request) => (request.kind === 'transaction' ? [{ kind: 'transaction', action: request.action }] : []);
    host = createScriptedHost((request) => replies(request));
    server = await startTdsServer({ host });
    connection = await connect(server.port);
  };

  afterEach(async () => {
    connection.close();
    await server.close();
  });

  const settle = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));

  /** The 8 bytes by which the client names its transaction; zero outside of one. */
  const descriptor = (): string =>
    (connection as unknown as { currentTransactionDescriptor(): Buffer }).currentTransactionDescriptor().toString('hex');

  const none = '0000000000000000';

  it('begin, commit and roll back by the client’s requests', async () => {
    await start();
    await settle((done) => connection.beginTransaction(done, 'first'));
    const first = descriptor();
    assert.notEqual(first, none);
    await run(connection, 'inside');
    await settle((done) => connection.commitTransaction(done));
    assert.equal(descriptor(), none);
    await settle((done) => connection.beginTransaction(done));
    assert.notEqual(descriptor(), first);
    await settle((done) => connection.rollbackTransaction(done));
    assert.equal(descriptor(), none);
    assert.deepEqual(host.requests, [
      { kind: 'transaction', action: 'begin', name: 'first' },
      { kind: 'batch', sql: 'inside' },
      { kind: 'transaction', action: 'commit', name: '' },
      { kind: 'transaction', action: 'begin', name: '' },
      { kind: 'transaction', action: 'rollback', name: '' },
    ]);
  });

  it('do not begin or end where the session refuses', async () => {
    await start();
    replies = () => {
      throw new SqlError(3902, 'The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.');
    };
    await assert.rejects(
      settle((done) => connection.beginTransaction(done)),
      { number: 3902 },
    );
    assert.equal(descriptor(), none);
  });

  it('go on where a request ends only an inner one', async () => {
    await start();
    await settle((done) => connection.beginTransaction(done));
    const outer = descriptor();
    replies = () => [];
    await settle((done) => connection.beginTransaction(done));
    await settle((done) => connection.commitTransaction(done));
    assert.equal(descriptor(), outer);
  });

  it('that T-SQL begins and ends are told to the client', async () => {
    await start();
    replies = (request) => (request.kind === 'batch' ? [{ kind: 'transaction', action: request.sql as 'begin' }, { kind: 'done' }] : []);
    await run(connection, 'begin');
    assert.notEqual(descriptor(), none);
    await run(connection, 'rollback');
    assert.equal(descriptor(), none);
  });

  it('that a commit begins at once are one answer: only its last token says that nothing follows', async () => {
    await start();
    const socket = createConnection(server.port, '127.0.0.1');
    socket.write(packet(0x12, Buffer.from([0xff])));
    await readPackets(socket);
    socket.write(packet(0x10, loginMessage()));
    await readPackets(socket);
    const headers = Buffer.from([4, 0, 0, 0]);
    const [begin, commitAndBegin] = [Buffer.from([5, 0, 0, 0]), Buffer.from([7, 0, 0, 1, 0, 0])];
    socket.write(packet(0x0e, Buffer.concat([headers, begin])));
    await readPackets(socket);
    socket.write(packet(0x0e, Buffer.concat([headers, commitAndBegin])));
    const answer = Buffer.concat((await readPackets(socket)).map((each) => each.subarray(8)));
    socket.destroy();
    // DONE: token, status (1: more follows), command, count of eight bytes.
    const end = answer.subarray(-13);
    const first = answer.indexOf(0xfd);
    assert.deepEqual([answer[first], (answer[first + 1] ?? 0) & 1], [0xfd, 1]);
    assert.deepEqual([end[0], (end[1] ?? 0) & 1], [0xfd, 0]);
    assert.notEqual(first, answer.length - 13);
  });

  it('cannot have savepoints, and say so', async () => {
    await start();
    await settle((done) => connection.beginTransaction(done));
    await assert.rejects(
      settle((done) => connection.saveTransaction(done, 'here')),
      /not modelled/,
    );
    await settle((done) => connection.rollbackTransaction(done));
  });

  it('and all else of the session go back to their beginning when the connection is reset', async () => {
    await start();
    await settle((done) => connection.reset(done));
    assert.equal(host.resets(), 1);
    await run(connection, 'after');
    assert.equal(host.resets(), 1);
  });
});
