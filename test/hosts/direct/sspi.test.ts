import assert from 'node:assert/strict';
import { explainNegotiation } from '../../../src/hosts/direct/errors';
import type { NativeLibrary } from '../../../src/hosts/direct/native';
import { type Negotiation, NegotiationError } from '../../../src/hosts/direct/negotiation';
import { openSspi } from '../../../src/hosts/direct/sspi';

type Arguments = readonly unknown[];

/** What Windows was asked for, as its documented structures say it. */
interface Asked {
  readonly target: string;
  readonly requirements: number;
  readonly isFirst: boolean;
  /** By the number of their kind. */
  readonly parts: readonly (readonly [kind: number, bytes: string])[];
}

/**
 * Windows as its pages describe it: structures as they lie in memory on a processor of 64 bits. It knows the domain
 * contoso.com, and answers a token in two steps.
 */
class FakeWindows implements NativeLibrary {
  readonly packages: string[] = [];
  readonly asked: Asked[] = [];
  readonly called: string[] = [];
  private readonly memory = new Map<bigint, Buffer>();

  /** @param statuses what InitializeSecurityContextW gives, in order */
  constructor(private readonly statuses: number[]) {}

  point(memory: Buffer, at: number, target: Buffer): void {
    memory.writeBigUInt64LE(this.place(target), at);
  }

  read(address: bigint, bytes: number): Buffer {
    for (const [start, memory] of this.memory)
      if (address >= start && address < start + BigInt(memory.length))
        return memory.subarray(Number(address - start), Number(address - start) + bytes);
    throw new Error('an access violation');
  }

  async call(name: string, ...given: Arguments): Promise<number> {
    this.called.push(name);
    if (name === 'GetAddrInfoW') return this.lookUp(given);
    if (name === 'AcquireCredentialsHandleW') {
      this.packages.push(textOf(given[1]));
      assert.deepEqual(
        [given[0], given[2], given[4]],
        [null, 2, null],
        'the credentials of who is logged in',
      );
      (given[7] as Buffer).fill(7);
    }
    return name === 'InitializeSecurityContextW' ? this.initialize(given) : 0;
  }

  private place(memory: Buffer): bigint {
    const address = BigInt(0x1_0000 * (this.memory.size + 1));
    this.memory.set(address, memory);
    return address;
  }

  private lookUp([name, , hints, found]: Arguments): number {
    if (textOf(name) !== 'sql01') return 11_001;
    assert.equal((hints as Buffer).readUInt32LE(), 2, 'AI_CANONNAME');
    const info = Buffer.alloc(48);
    this.point(info, 24, Buffer.from('sql01.contoso.com\0', 'utf16le'));
    this.point(found as Buffer, 0, info);
    return 0;
  }

  private initialize(given: Arguments): number {
    const [credentials, before, target, requirements, , , input, , context, output] = given;
    assert.deepEqual(credentials, Buffer.alloc(16, 7));
    const parts = this.partsOf(input as Buffer | null).map(
      ([kind, bytes]) => [kind, bytes.toString('latin1')] as const,
    );
    const isFirst = before === null;
    if (!isFirst) assert.deepEqual(before, Buffer.alloc(16, 9));
    this.asked.push({ target: textOf(target), requirements: requirements as number, isFirst, parts });
    (context as Buffer).fill(9);
    const [[kind, answer] = assert.fail('no place for a token')] = this.partsOf(output as Buffer);
    assert.deepEqual([kind, answer.length >= 48_000], [2, true]);
    const text = `token ${this.asked.length}`;
    answer.write(text);
    this.read((output as Buffer).readBigUInt64LE(8), 16).writeUInt32LE(text.length);
    return this.statuses.shift() ?? 0;
  }

  /** SecBufferDesc. */
  private partsOf(list: Buffer | null): readonly (readonly [kind: number, bytes: Buffer])[] {
    if (list === null) return [];
    return Array.from({ length: list.readUInt32LE(4) }, (_, at) => {
      const each = this.read(list.readBigUInt64LE(8) + BigInt(16 * at), 16);
      return [each.readUInt32LE(4), this.read(each.readBigUInt64LE(8), each.readUInt32LE())] as const;
    });
  }
}

const textOf = (memory: unknown): string => (memory as Buffer).toString('utf16le').replace(/\0$/, '');

const peer = { host: 'sql01', port: 1433, service: undefined, binding: null, mayUseNtlm: true };
const open = (
  windows: FakeWindows,
  more: Partial<typeof peer> | { binding: Buffer } = {},
): Promise<Negotiation> => openSspi({ ...peer, ...more }, () => Promise.resolve(windows));

/** SEC_I_CONTINUE_NEEDED. */
const CONTINUE = 0x9_0312;

describe('A login as yourself on Windows, by its documented functions', () => {
  it('asks for the service by the full name of its host, with mutual authentication and without delegation', async () => {
    const windows = new FakeWindows([CONTINUE]);
    const negotiation = await open(windows);
    assert.equal((await negotiation.next(null)).toString(), 'token 1');
    const [asked = assert.fail('nothing was asked')] = windows.asked;
    assert.deepEqual(
      [asked.target, asked.isFirst, asked.parts],
      ['MSSQLSvc/sql01.contoso.com:1433', true, []],
    );
    assert.deepEqual([asked.requirements & 2, asked.requirements & 1], [2, 0]);
    assert.deepEqual(windows.packages, ['Negotiate']);
  });

  it('takes the name as it was given where nothing knows more, and an SPN of a connection string as it is', async () => {
    for (const [more, target] of [
      [{ host: '10.0.0.5' }, 'MSSQLSvc/10.0.0.5:1433'],
      [{ service: 'MSSQLSvc/real.contoso.com:1500' }, 'MSSQLSvc/real.contoso.com:1500'],
    ] as const) {
      const windows = new FakeWindows([]);
      await (await open(windows, more as Partial<typeof peer>)).next(null);
      assert.equal(windows.asked[0]?.target, target);
    }
  });

  it('goes by Kerberos alone where an administrator forbids NTLM', async () => {
    const windows = new FakeWindows([]);
    await open(windows, { mayUseNtlm: false });
    assert.deepEqual(windows.packages, ['Kerberos']);
  });

  it('hands over what the server sent, and what ties the login to its connection, each time', async () => {
    const windows = new FakeWindows([CONTINUE, 0]);
    const negotiation = await open(windows, { binding: Buffer.from('tls-unique:finished') });
    await negotiation.next(null);
    assert.equal((await negotiation.next(Buffer.from('of the server'))).toString(), 'token 2');
    // Eight numbers of 32 bits: the last two are the length of the data and where it begins.
    const head = Buffer.alloc(32);
    head.writeUInt32LE(19, 24);
    head.writeUInt32LE(32, 28);
    const binding = [14, `${head.toString('latin1')}tls-unique:finished`];
    assert.deepEqual(
      windows.asked.map(({ isFirst, parts }) => [isFirst, parts]),
      [
        [true, [binding]],
        [false, [[2, 'of the server'], binding]],
      ],
    );
  });

  it('gives back all that Windows made for it', async () => {
    const windows = new FakeWindows([]);
    const negotiation = await open(windows);
    await negotiation.next(null);
    await negotiation.close();
    for (const name of ['FreeAddrInfoW', 'DeleteSecurityContext', 'FreeCredentialsHandle'])
      assert.ok(windows.called.includes(name), name);
  });

  for (const [status, kind] of [
    [0x8009_0303, 'unknownService'],
    [0x8009_030e, 'noTicket'],
    [0x8009_030c, 'denied'],
    [0x8009_0311, 'noController'],
    [0x8009_0324, 'clock'],
    [0x8009_0317, 'expired'],
    [0x8009_0304, 'other'],
  ] as const)
    it(`says what is wrong: ${kind}`, async () => {
      const negotiation = await open(new FakeWindows([status]));
      await assert.rejects(negotiation.next(null), (error: unknown) => {
        assert.ok(error instanceof NegotiationError);
        assert.deepEqual([error.kind, error.service], [kind, 'MSSQLSvc/sql01.contoso.com:1433']);
        return true;
      });
    });
});

describe('A login as yourself that does not come about', () => {
  const context = {
    address: { host: 'sql01', port: 1433, instance: null, shown: 'sql01,1433' },
    authentication: 'integrated',
    login: 'your own login',
    secret: '',
    database: undefined,
    connectTimeoutMs: 15_000,
    place: 'Edit Server',
    strict: false,
  } as const;

  // What a domain can be made to say is tried with a real one (test/clients/kerberos.test.ts).
  for (const [kind, reason, sentence] of [
    [
      'clock',
      'unreachable',
      'The clock of this computer differs too much from that of the domain controller: set it right.',
    ],
    [
      'noLibrary',
      'needsClick',
      'Kerberos is missing on this computer: install libgssapi-krb5-2 or krb5-libs (as Windows says).',
    ],
    [
      'noNative',
      'needsClick',
      `This package of Checkpoint Health cannot log in as yourself: install the one for ${process.platform}-${process.arch}.`,
    ],
    [
      'other',
      'unreachable',
      'No ticket for MSSQLSvc/sql01:1433 could be had, so sql01,1433 was not asked: as Windows says.',
    ],
    // Repeated, it could lock the account in the domain.
    [
      'denied',
      'loginFailed',
      'The domain refused your own login for sql01,1433: log in to this computer again (as Windows says).',
    ],
  ] as const)
    it(`says so in one sentence, and is tried again by itself only where that locks nobody out: ${kind}`, () => {
      const error = new NegotiationError(kind, 'as Windows says.', 'MSSQLSvc/sql01:1433');
      const { message, reason: told } = explainNegotiation(error, context);
      assert.deepEqual([told, message], [reason, sentence]);
    });
});
