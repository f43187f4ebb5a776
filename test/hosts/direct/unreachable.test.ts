import assert from 'node:assert/strict';
import net, { type AddressInfo } from 'node:net';
import { createDirectAccess } from '../../../src/hosts/direct/access';
import type { Connection, OwnServer } from '../../../src/hosts/host';
import { failOf, failure, type Failure, freely, keptSecret } from '../opening';
import { savedServer } from '../tds-host';

const NEVER = new AbortController().signal;
const CHECK = 'Check the name, the port and the firewall.';

/** For a server that does not answer; one that does may take its time. */
const IMPATIENT_MS = 400;

function open(
  port: number,
  connectTimeoutMs = 60_000,
  changes: Partial<OwnServer> = {},
  signal = NEVER,
): Promise<Connection> {
  const server = savedServer(`127.0.0.1,${port}`, changes);
  return createDirectAccess({ server, secrets: keptSecret('Secret-77'), connectTimeoutMs }).open(
    freely(signal),
  );
}

type RawReply = Buffer | 'close' | 'nothing';

/**
 * A server that is not SQL Server: answers each received chunk with the next of the given replies, or does what it is
 * told.
 */
async function startRawServer(replies: readonly RawReply[]) {
  const received: Buffer[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let next = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.push(chunk);
      const reply = replies[next++] ?? 'nothing';
      if (reply === 'close') socket.end();
      else if (reply !== 'nothing') socket.write(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** What clients sent, one entry a chunk. */
    received,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** One TDS packet (MS-TDS 2.2.3.1). @param status 1: the last of its message */
function makePacket(payload: Buffer, type = 0x04, status = 1): Buffer {
  const header = Buffer.from([type, status, 0, 0, 0, 0, 1, 0]);
  header.writeUInt16BE(payload.length + 8, 2);
  return Buffer.concat([header, payload]);
}

/** A correct PRELOGIN answer: version 16, encryption on. */
const PRELOGIN_REPLY = makePacket(
  Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0x03, 0xe8, 0, 0, 1]),
);

describe('a server that cannot be reached', () => {
  let server: Awaited<ReturnType<typeof startRawServer>> | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function openAgainst(
    replies: readonly RawReply[],
    connectTimeoutMs = IMPATIENT_MS,
  ): Promise<Failure> {
    server = await startRawServer(replies);
    return failOf(open(server.port, connectTimeoutMs), `127.0.0.1,${server.port}`);
  }

  it('is named with its port when nothing listens there', async () => {
    const { port, close } = await startRawServer([]);
    await close();
    const message = `Could not reach 127.0.0.1,${port}: nothing listens there. ${CHECK}`;
    assert.deepEqual(await failOf(open(port)), failure('unreachable', message));
  });

  it('is named when its host name cannot be resolved', async () => {
    const { reason, message } = await failOf(open(1, IMPATIENT_MS, { server: 'no-such-host.invalid,1433' }));
    assert.equal(reason, 'unreachable');
    assert.match(
      message,
      /^Could not reach no-such-host\.invalid,1433: (the name is not known|the name could not be looked up|no answer within 0\.4 s)\. Check/,
    );
  });

  const silent = 'no answer within 0.4 s';
  const closed = 'the connection was closed before the login was answered';
  const other = 'what answers there is not SQL Server';
  for (const [what, replies, why] of [
    ['never answers, after the connect time-out', [], silent],
    ['stops answering in the middle of the login', [PRELOGIN_REPLY], silent],
    ['closes the connection at once', ['close'], closed],
    ['closes the connection after the first answer', [PRELOGIN_REPLY, 'close'], closed],
    [
      'answers with a well-formed packet of something else',
      [makePacket(Buffer.from('220 mail.example ESMTP ready\r\n'))],
      other,
    ],
    ['answers with an empty packet', [makePacket(Buffer.alloc(0))], other],
    [
      'answers with options that point outside the message',
      [makePacket(Buffer.from([0, 0, 200, 0, 6, 0xff]))],
      other,
    ],
    ['answers with options without an end', [makePacket(Buffer.from([0, 0, 5, 0, 0]))], other],
    [
      'answers without an end',
      [Buffer.concat(Array.from({ length: 20 }, () => makePacket(Buffer.alloc(4_000), 0x04, 0)))],
      'the answer is longer than 64 KB',
    ],
    [
      'answers with packets that cannot be cut apart',
      [Buffer.from([4, 1, 0, 3, 0, 0, 0, 0])],
      'Unable to process incoming packet',
    ],
  ] as const)
    it(`is named with the reason when it ${what}`, async () => {
      const message = `Could not reach HOST: ${why}. ${CHECK}`;
      assert.deepEqual(
        await openAgainst(replies, why === silent ? IMPATIENT_MS : 60_000),
        failure('unreachable', message),
      );
    });

  it('is a failure and not a crash when it answers with any bytes at all', async () => {
    let seed = 12345;
    const random = (): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16;
    for (let round = 0; round < 40; round++) {
      const bytes = Buffer.from(Array.from({ length: 1 + (random() % 60) }, () => random() & 0xff));
      const replies =
        round % 2
          ? [makePacket(bytes), 'close' as const]
          : [PRELOGIN_REPLY, makePacket(bytes), 'close' as const];
      const { reason, message } = await openAgainst(replies);
      await server?.close();
      assert.equal(reason, 'unreachable');
      assert.match(message, /^Could not reach HOST: .+\. Check the name, the port and the firewall\.$/);
    }
  });

  it('does not hold up who cancels, and gets no login afterwards', async () => {
    server = await startRawServer(['nothing']);
    const cancel = new AbortController();
    const attempt = failOf(open(server.port, 60_000, {}, cancel.signal));
    await new Promise((resolve) => setTimeout(resolve, 30));
    cancel.abort();
    assert.deepEqual(
      await attempt,
      failure('cancelled', `The work on 127.0.0.1,${server.port} was cancelled.`),
    );
    assert.ok(server.received.length <= 1);
  });

  it('is not even asked when the work was cancelled before', async () => {
    server = await startRawServer([]);
    const { reason } = await failOf(open(server.port, 60_000, {}, AbortSignal.abort()));
    assert.equal(reason, 'cancelled');
    assert.equal(server.received.length, 0);
    const ask = async (): Promise<string> => assert.fail('nor is the user');
    const access = createDirectAccess({ server: savedServer('h'), secrets: { get: ask } });
    assert.equal((await failOf(access.open(freely(AbortSignal.abort())))).reason, 'cancelled');
  });

  it('is not asked when the user gives no password', async () => {
    const failed = await failOf(
      createDirectAccess({ server: savedServer('h'), secrets: { get: async () => undefined } }).open(
        freely(),
      ),
    );
    assert.deepEqual(failed, failure('promptClosed', 'No password was given for login dba on h,1433.'));
  });
});
