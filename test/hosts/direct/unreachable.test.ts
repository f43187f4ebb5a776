import assert from 'node:assert/strict';
import { createDirectAccess } from '../../../src/hosts/direct/access';
import { ConnectionError, type Connection, type OwnServer } from '../../../src/hosts/host';
import { makePacket, PRELOGIN_REPLY, startRawServer, type RawReply, type RawServer } from '../raw-server';
import { freely, keptSecret } from '../opening';

const NEVER = new AbortController().signal;
const CHECK = 'Check the name, the port and the firewall.';

function open(port: number, changes: Partial<OwnServer> = {}, signal = NEVER): Promise<Connection> {
  const server: OwnServer = {
    id: 'a',
    name: 'A',
    server: `127.0.0.1,${port}`,
    user: 'dba',
    encrypt: 'mandatory',
    trustServerCertificate: true,
    ...changes,
  };
  return createDirectAccess({ server, secrets: keptSecret('Secret-77'), connectTimeoutMs: 400 }).open(freely(signal));
}

async function failOf(attempt: Promise<unknown>): Promise<{ reason: string; message: string; number: number | null }> {
  const error = await attempt.then(
    () => assert.fail('it connected'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ConnectionError, String(error));
  return { reason: error.reason, message: error.message, number: error.number };
}

describe('a server that cannot be reached', () => {
  let server: RawServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function openAgainst(
    replies: readonly RawReply[],
    changes: Partial<OwnServer> = {},
  ): Promise<{ port: number; reason: string; message: string }> {
    server = await startRawServer(replies);
    return { port: server.port, ...(await failOf(open(server.port, changes))) };
  }

  it('is named with its port when nothing listens there', async () => {
    const closed = await startRawServer([]);
    await closed.close();
    assert.deepEqual(await failOf(open(closed.port)), {
      reason: 'unreachable',
      message: `Could not reach 127.0.0.1,${closed.port}: nothing listens there. ${CHECK}`,
      number: null,
    });
  });

  it('is named when its host name cannot be resolved', async () => {
    const { reason, message } = await failOf(open(1, { server: 'no-such-host.invalid,1433' }));
    assert.equal(reason, 'unreachable');
    assert.match(
      message,
      /^Could not reach no-such-host\.invalid,1433: (the name is not known|the name could not be looked up|no answer within 0\.4 s)\. Check/,
    );
  });

  it('is given up after the connect time-out when it never answers', async () => {
    const { port, reason, message } = await openAgainst([]);
    assert.equal(reason, 'unreachable');
    assert.equal(message, `Could not reach 127.0.0.1,${port}: no answer within 0.4 s. ${CHECK}`);
  });

  it('is given up after the connect time-out when it stops answering in the middle of the login', async () => {
    const { port, message } = await openAgainst([PRELOGIN_REPLY]);
    assert.equal(message, `Could not reach 127.0.0.1,${port}: no answer within 0.4 s. ${CHECK}`);
  });

  for (const [when, replies] of [
    ['at once', ['close']],
    ['after the first answer', [PRELOGIN_REPLY, 'close']],
  ] as const) {
    it(`is named when it closes the connection ${when}`, async () => {
      const { port, reason, message } = await openAgainst(replies);
      assert.equal(reason, 'unreachable');
      assert.equal(message, `Could not reach 127.0.0.1,${port}: the connection was closed before the login was answered. ${CHECK}`);
    });
  }

  for (const [what, reply] of [
    ['a well-formed packet of something else', makePacket(Buffer.from('220 mail.example ESMTP ready\r\n'))],
    ['an empty packet', makePacket(Buffer.alloc(0))],
    ['options that point outside the message', makePacket(Buffer.from([0, 0, 200, 0, 6, 0xff]))],
    ['options without an end', makePacket(Buffer.from([0, 0, 5, 0, 0]))],
  ] as const) {
    it(`is not taken for SQL Server when it answers with ${what}`, async () => {
      const { port, reason, message } = await openAgainst([reply]);
      assert.equal(reason, 'unreachable');
      assert.equal(message, `Could not reach 127.0.0.1,${port}: what answers there is not SQL Server. ${CHECK}`);
    });
  }

  it('is a failure with a reason when its packets cannot be cut apart', async () => {
    const { port, message } = await openAgainst([Buffer.from([4, 1, 0, 3, 0, 0, 0, 0])]);
    assert.equal(message, `Could not reach 127.0.0.1,${port}: Unable to process incoming packet. ${CHECK}`);
  });

  it('is a failure and not a crash when its answer to the login is garbage', async () => {
    for (const payload of [[0x01], [0x81, 3, 0], [0xfd, 0, 0], [0xd1, 1, 2, 3], [0xaa, 0xff, 0xff, 1]]) {
      const { reason, message } = await openAgainst([PRELOGIN_REPLY, makePacket(Buffer.from(payload))]);
      assert.match(reason, /^(unreachable|loginFailed)$/);
      assert.match(message, /^Could not reach 127\.0\.0\.1,\d+: .+\. Check the name, the port and the firewall\.$/);
      await server?.close();
    }
  });

  it('is a failure and not a crash when it answers with any bytes at all', async () => {
    let seed = 12345;
    const random = (): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16;
    for (let round = 0; round < 40; round++) {
      const bytes = Buffer.from(Array.from({ length: 1 + (random() % 60) }, () => random() & 0xff));
      const replies = round % 2 ? [makePacket(bytes), 'close' as const] : [PRELOGIN_REPLY, makePacket(bytes), 'close' as const];
      const running = await startRawServer(replies);
      const { reason } = await failOf(open(running.port));
      await running.close();
      assert.equal(reason, 'unreachable');
    }
  });

  it('does not hold up who cancels, and gets no login afterwards', async () => {
    server = await startRawServer(['nothing']);
    const cancel = new AbortController();
    const attempt = failOf(open(server.port, {}, cancel.signal));
    await new Promise((resolve) => setTimeout(resolve, 30));
    cancel.abort();
    assert.deepEqual(await attempt, { reason: 'cancelled', message: `The work on 127.0.0.1,${server.port} was cancelled.`, number: null });
    assert.ok(server.received.length <= 1);
  });

  it('is not even asked when the work was cancelled before', async () => {
    server = await startRawServer([]);
    const { reason } = await failOf(open(server.port, {}, AbortSignal.abort()));
    assert.equal(reason, 'cancelled');
    assert.equal(server.received.length, 0);
    const saved: OwnServer = { id: 'a', name: 'A', server: 'h', user: 'dba', encrypt: 'mandatory', trustServerCertificate: false };
    const ask = async (): Promise<string> => assert.fail('nor is the user');
    assert.equal(
      (await failOf(createDirectAccess({ server: saved, secrets: { get: ask } }).open(freely(AbortSignal.abort())))).reason,
      'cancelled',
    );
  });

  it('is not asked when the user gives no password', async () => {
    const saved: OwnServer = { id: 'a', name: 'A', server: 'h', user: 'dba', encrypt: 'mandatory', trustServerCertificate: false };
    const failure = await failOf(createDirectAccess({ server: saved, secrets: { get: async () => undefined } }).open(freely()));
    assert.deepEqual(failure, { reason: 'promptClosed', message: 'No password was given for login dba on h,1433.', number: null });
  });
});
