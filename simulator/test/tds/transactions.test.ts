import assert from 'node:assert/strict';
import type { Connection } from 'tedious';
import { SqlError, type Reply, type Request } from '../../tds/handler';
import { headers, loginMessage, openRaw, packet, readPackets } from './raw-client';
import { useServers, type Served } from './served';
import { run } from './tedious-client';

describe('transactions', () => {
  const serve = useServers();
  let served: Served;
  let connection: Connection;
  let replies: (request: Request) => Iterable<Reply>;

  beforeEach(async () => {
    replies = (request) => (request.kind === 'transaction' ? [{ kind: 'transaction', action: request.action }] : []);
    served = await serve((request) => replies(request));
    connection = await served.open();
  });

  const settle = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));

  /** The 8 bytes by which the client names its transaction; zero outside of one. */
  const descriptor = (): string =>
    (connection as unknown as { currentTransactionDescriptor(): Buffer }).currentTransactionDescriptor().toString('hex');

  const none = '0000000000000000';

  it('begin, commit and roll back by the client’s requests', async () => {
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
    assert.deepEqual(served.host.requests, [
      { kind: 'transaction', action: 'begin', name: 'first' },
      { kind: 'batch', sql: 'inside' },
      { kind: 'transaction', action: 'commit', name: '' },
      { kind: 'transaction', action: 'begin', name: '' },
      { kind: 'transaction', action: 'rollback', name: '' },
    ]);
  });

  it('do not begin or end where the session refuses', async () => {
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
    await settle((done) => connection.beginTransaction(done));
    const outer = descriptor();
    replies = () => [];
    await settle((done) => connection.beginTransaction(done));
    await settle((done) => connection.commitTransaction(done));
    assert.equal(descriptor(), outer);
  });

  it('that T-SQL begins and ends are told to the client', async () => {
    replies = (request) => (request.kind === 'batch' ? [{ kind: 'transaction', action: request.sql as 'begin' }, { kind: 'done' }] : []);
    await run(connection, 'begin');
    assert.notEqual(descriptor(), none);
    await run(connection, 'rollback');
    assert.equal(descriptor(), none);
  });

  it('that a commit begins at once are one answer: only its last token says that nothing follows', async () => {
    const socket = openRaw(served.server.port);
    socket.write(packet(0x12, Buffer.from([0xff])));
    await readPackets(socket);
    socket.write(packet(0x10, loginMessage()));
    await readPackets(socket);
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
    await settle((done) => connection.beginTransaction(done));
    await assert.rejects(
      settle((done) => connection.saveTransaction(done, 'here')),
      /not modelled/,
    );
    await settle((done) => connection.rollbackTransaction(done));
  });

  it('and all else of the session go back to their beginning when the connection is reset', async () => {
    await settle((done) => connection.reset(done));
    assert.equal(served.host.resets(), 1);
    await run(connection, 'after');
    assert.equal(served.host.resets(), 1);
  });
});
