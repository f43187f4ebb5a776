import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { headers, hungUp, loginMessage, logInRaw, openRaw, packet, readPackets } from './raw-client';
import { one } from './scripted-host';
import { useServers, type Served } from './served';
import { run } from './tedious-client';
import { shown } from '../shown';

const prelogin = (...bytes: readonly number[]): Buffer => packet(0x12, Buffer.from(bytes));

describe('bytes that are no TDS', () => {
  const serve = useServers();
  let served: Served;
  const start = async (tls: 'off' | 'required' = 'off'): Promise<void> =>
    void (served = await serve(() => one, tls));
  const open = (): Socket => openRaw(served.server.port);
  const openLoggedIn = (): Promise<Socket> => logInRaw(served.server.port);
  const stillServes = async (): Promise<void> =>
    assert.deepEqual((await run(await served.open(), 'one')).sets, [[[1]]]);

  /** They end their connection with one entry in the log, and nobody else's. */
  const endsConnection = async (bytes: Uint8Array, loggedIn: boolean, expected: RegExp): Promise<void> => {
    await start();
    const bystander = await served.open();
    const socket = loggedIn ? await openLoggedIn() : open();
    socket.write(bytes);
    await hungUp(socket);
    assert.equal(shown(served.log.map((entry) => entry.event)), '["malformed"]');
    assert.match(served.log[0]?.message ?? '', expected);
    assert.deepEqual((await run(bystander, 'one')).sets, [[[1]]]);
  };

  const truncated = loginMessage().subarray(0, 60);
  const outside = loginMessage();
  outside.writeUInt16LE(60_000, 40);
  const lying = loginMessage();
  lying.writeUInt32LE(5, 0);
  const lengths = (length: number): Buffer => {
    const bytes = packet(0x01, Buffer.alloc(32));
    bytes.writeUInt16BE(length, 2);
    return bytes;
  };
  const call = (...parameter: readonly number[]): Buffer =>
    packet(0x03, Buffer.concat([headers, Buffer.from([0xff, 0xff, 10, 0, 0, 0, ...parameter])]));

  const beforeLogin: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
    'a packet of length 0': [lengths(0), /cannot be 0 bytes/],
    'a packet shorter than its header': [lengths(7), /cannot be 7 bytes/],
    'a packet longer than any': [lengths(65_535), /cannot be 65535 bytes/],
    'a web request': [Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'), /unknown type 71/],
    'a batch before the login': [packet(0x01, Buffer.alloc(10)), /type 1 before login/],
    'an unknown type of packet': [packet(0x55, Buffer.alloc(10)), /unknown type 85/],
    'a PRELOGIN without an end': [prelogin(0, 0, 6, 0, 1), /terminator|outside/],
    'a PRELOGIN option outside of it': [prelogin(1, 0x7f, 0, 0, 1, 0xff), /outside/],
    'a truncated LOGIN7': [packet(0x10, truncated), /truncated/],
    'a LOGIN7 with another length': [packet(0x10, lying), /says 5 bytes/],
    'a LOGIN7 with a field outside of it': [packet(0x10, outside), /outside/],
    'a LOGIN7 of a TDS that is too old': [
      packet(0x10, loginMessage({ tdsVersion: 0x730b0003 })),
      /older than 7.4/,
    ],
    'two types in one message': [
      Buffer.concat([packet(0x10, Buffer.alloc(10), 0), packet(0x01, Buffer.alloc(10))]),
      /type 1 inside a message of type 16/,
    ],
  };

  for (const [name, [bytes, expected]] of Object.entries(beforeLogin))
    it(`end the connection: ${name}`, () => endsConnection(bytes, false, expected));

  const afterLogin: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
    'an unknown type of packet': [packet(0x55, Buffer.alloc(10)), /unknown type 85/],
    'a second login': [packet(0x10, loginMessage()), /type 16 after login/],
    'a batch that ends in its headers': [packet(0x01, Buffer.from([99, 0, 0, 0])), /too early/],
    'an empty batch message': [packet(0x01, Buffer.alloc(0)), /too early/],
    'a call without a name': [packet(0x03, headers), /too early/],
    'a call of an unknown number': [
      packet(0x03, Buffer.concat([headers, Buffer.from([0xff, 0xff, 99, 0, 0, 0])])),
      /number 99/,
    ],
    'a parameter of an unknown type': [call(0, 0, 0x99), /unknown type 0x99/],
    'a parameter that ends too early': [call(0, 0, 0x26, 4, 4, 1), /too early/],
    'a value shorter than its type': [call(0, 0, 0x26, 4, 2, 1, 0), /cannot have/],
    'chunks that do not add up': [
      call(0, 0, 0xa5, 0xff, 0xff, 9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0),
      /1 bytes in chunks where 9/,
    ],
  };

  for (const [name, [bytes, expected]] of Object.entries(afterLogin))
    it(`end the session: ${name}`, () => endsConnection(bytes, true, expected));

  it('end the connection where TLS is required and the client has none, or skips it', async () => {
    for (const bytes of [prelogin(1, 0, 6, 0, 1, 0xff, 2), packet(0x10, loginMessage())]) {
      await start('required');
      const socket = open();
      socket.write(bytes);
      await hungUp(socket);
      assert.match(served.log[0]?.message ?? '', /where TLS is required/);
    }
  });

  it('end the connection in the middle of a TLS handshake', async () => {
    for (const [bytes, event] of [
      [packet(0x12, Buffer.from('no TLS record')), 'tls'],
      [packet(0x01, Buffer.alloc(20)), 'malformed'],
    ] as const) {
      await start('required');
      const socket = open();
      socket.write(prelogin(1, 0, 6, 0, 1, 0xff, 1));
      await readPackets(socket);
      socket.write(bytes);
      await hungUp(socket);
      assert.equal(shown(served.log.map((entry) => entry.event)), shown([event]));
    }
  });

  it('are also valid messages with a few wrong bytes', async () => {
    await start();
    const parameters = Buffer.from([
      ...[0, 0, 0x26, 4, 4, 1, 0, 0, 0],
      ...[0, 0, 0xe7, 8, 0, 9, 4, 0xd0, 0, 0x34, 2, 0, 65, 0],
      ...[0, 0, 0xa5, 0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0],
      ...[0, 0, 0x68, 1, 1, 1],
    ]);
    const login = loginMessage();
    const procedure = Buffer.concat([headers, Buffer.from([0xff, 0xff, 10, 0, 0, 0]), parameters]);
    const begin = Buffer.from([...headers, 5, 0, 2, 2, 65, 0]);
    const valid = fc.constantFrom([0x10, login] as const, [0x03, procedure] as const, [0x0e, begin] as const);
    const changes = fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(valid, changes, async ([type, bytes], wrong) => {
        const body = Buffer.from(bytes);
        for (const [at, byte] of wrong) body[at % body.length] = byte;
        const socket = type === 0x10 ? open() : await openLoggedIn();
        socket.end(packet(type, body));
        await hungUp(socket);
      }),
      { numRuns: 1000 },
    );
    assert.ok(served.host.requests.length > 0);
    assert.equal(
      shown(served.log.filter((entry) => entry.event === 'failure').map((entry) => entry.message)),
      '[]',
    );
    await stillServes();
  });

  it('of any kind never end the server', async () => {
    await start();
    const bytes = fc.uint8Array({ maxLength: 200 });
    const types = fc.constantFrom(0x01, 0x03, 0x06, 0x0e, 0x10, 0x12, 0x17);
    await fc.assert(
      fc.asyncProperty(fc.boolean(), types, bytes, async (loggedIn, type, body) => {
        const socket = loggedIn ? await openLoggedIn() : open();
        socket.end(packet(type, body));
        await hungUp(socket);
      }),
      { numRuns: 200 },
    );
    assert.equal(
      shown(served.log.filter((entry) => entry.event === 'failure').map((entry) => entry.message)),
      '[]',
    );
    await stillServes();
  });
});
