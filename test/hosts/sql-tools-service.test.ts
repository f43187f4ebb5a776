import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { answersAt, canReach, isServiceGone } from '../../src/hosts/sql-tools-service';

describe('looking whether a server is there', () => {
  let listening: Server;
  let port: number;

  beforeEach(async () => {
    listening = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    port = (listening.address() as AddressInfo).port;
  });

  afterEach(async () => {
    if (listening.listening) await new Promise((resolve) => listening.close(resolve));
  });

  it('is a connection to its address, without a word', async () => {
    for (const address of [`127.0.0.1,${port}`, `tcp:127.0.0.1, ${port}`])
      assert.equal(await canReach(address), true);
    await new Promise((resolve) => listening.close(resolve));
    assert.equal(await canReach(`127.0.0.1,${port}`), false);
  });

  it('finds a server that accepts a connection and stays silent, and one that closes it', async () => {
    assert.equal(await answersAt(`127.0.0.1,${port}`), true);
    const silent = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const at = `127.0.0.1,${(silent.address() as AddressInfo).port}`;
    assert.deepEqual([await canReach(at), await answersAt(at)], [true, false]);
    await new Promise((resolve) => silent.close(resolve));
    assert.deepEqual([await canReach(at), await answersAt(at)], [false, null]);
  });

  it('tells nothing of a named instance', async () => {
    assert.deepEqual([await canReach('sql07\\PAYROLL'), await answersAt('sql07\\PAYROLL')], [null, null]);
  });
});

describe('the words of a service', () => {
  it('tell the end of the service itself from that of a connection to a server', () => {
    const ends = [
      'Client is not running',
      'Pending response rejected since connection got disposed',
      'Connection is closed.',
      'write EPIPE',
    ];
    assert.deepEqual(ends.map(isServiceGone), [true, true, true, true]);
    const connections = [
      'The connection is broken and recovery is not possible.',
      "The connection's current state is closed.",
    ];
    assert.deepEqual(connections.map(isServiceGone), [false, false]);
  });
});
