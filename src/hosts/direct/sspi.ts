/**
 * Tokens on Windows: SSPI (secur32.dll) with the login of the person at the computer. Written after Microsoft's pages
 * and its own driver mssql-tds; not seen running on Windows. No delegation.
 */
import { loadLibrary, type NativeLibrary } from './native';
import {
  type Negotiation,
  NegotiationError,
  type NegotiationFailure,
  type Peer,
  SERVICE_CLASS,
} from './negotiation';

/** SECPKG_CRED_OUTBOUND. */
const OUTBOUND = 2;
/** ISC_REQ_MUTUAL_AUTH, ISC_REQ_CONNECTION, ISC_REQ_INTEGRITY. */
const REQUIREMENTS = 0x2 | 0x800 | 0x1_0000;
/** SECURITY_NATIVE_DREP. */
const NATIVE = 0x10;
const TOKEN = 2;
const CHANNEL_BINDINGS = 14;
/** No token of Windows is longer (MaxTokenSize). */
const MOST_TOKEN_BYTES = 65_535;
/** SEC_I_CONTINUE_NEEDED, SEC_I_COMPLETE_NEEDED, SEC_I_COMPLETE_AND_CONTINUE. */
const [CONTINUE, COMPLETE, COMPLETE_AND_CONTINUE] = [0x9_0312, 0x9_0313, 0x9_0314];

const FAILURES: ReadonlyMap<number, NegotiationFailure> = new Map([
  // SEC_E_TARGET_UNKNOWN, SEC_E_WRONG_PRINCIPAL
  [0x8009_0303, 'unknownService'],
  [0x8009_0322, 'unproven'],
  // SEC_E_NO_CREDENTIALS, SEC_E_LOGON_DENIED
  [0x8009_030e, 'noTicket'],
  [0x8009_030c, 'denied'],
  // SEC_E_NO_AUTHENTICATING_AUTHORITY
  [0x8009_0311, 'noController'],
  // SEC_E_CONTEXT_EXPIRED, SEC_E_TIME_SKEW
  [0x8009_0317, 'expired'],
  [0x8009_0324, 'clock'],
]);

/** AI_CANONNAME of GetAddrInfoW. */
const FULL_NAME = 2;

/** @throws NegotiationError */
export async function openSspi(peer: Peer, load = loadLibrary): Promise<Negotiation> {
  const ofAddress = async (): Promise<string> =>
    `${SERVICE_CLASS}/${await findFullName(await load('ws2_32.dll'), peer.host)}:${peer.port}`;
  const service = peer.service ?? (await ofAddress());
  const negotiation = new Sspi(await load('secur32.dll'), service, peer.binding);
  await negotiation.begin(peer.mayUseNtlm);
  return negotiation;
}

class Sspi implements Negotiation {
  /** SecHandle, twice. */
  private readonly credentials = Buffer.alloc(16);
  private readonly context = Buffer.alloc(16);
  private readonly expiry = Buffer.alloc(8);
  private readonly target: Buffer;
  private readonly bindings: Buffer | null;
  private hasContext = false;

  constructor(
    private readonly library: NativeLibrary,
    private readonly service: string,
    binding: Buffer | null,
  ) {
    this.target = wide(service);
    this.bindings = binding && writeBindings(binding);
  }

  async begin(mayUseNtlm: boolean): Promise<void> {
    // Negotiate is Kerberos, or NTLM where that does not come about.
    const { kind } = mayUseNtlm ? { kind: 'Negotiate' } : { kind: 'Kerberos' };
    const { library, credentials, expiry } = this;
    const none = null;
    this.check(
      await library.call(
        'AcquireCredentialsHandleW',
        ...[none, wide(kind), OUTBOUND, none, none, none, none, credentials, expiry],
      ),
    );
  }

  async next(token: Buffer | null): Promise<Buffer> {
    const { library, credentials, context, target, bindings, expiry } = this;
    const answer = Buffer.alloc(MOST_TOKEN_BYTES);
    const output = this.describe([[TOKEN, answer]]);
    const parts = [
      ...(token === null ? [] : [[TOKEN, token] as const]),
      ...(bindings === null ? [] : [[CHANNEL_BINDINGS, bindings] as const]),
    ];
    const input = parts.length === 0 ? null : this.describe(parts).list;
    const before = this.hasContext ? context : null;
    const status = await library.call(
      'InitializeSecurityContextW',
      ...[credentials, before, target, REQUIREMENTS, 0, NATIVE, input, 0],
      ...[context, output.list, Buffer.alloc(4), expiry],
    );
    this.check(status);
    this.hasContext = true;
    if (status === COMPLETE || status === COMPLETE_AND_CONTINUE)
      this.check(await library.call('CompleteAuthToken', context, output.list));
    return answer.subarray(0, output.buffers.readUInt32LE());
  }

  async close(): Promise<void> {
    if (this.hasContext) await this.library.call('DeleteSecurityContext', this.context);
    await this.library.call('FreeCredentialsHandle', this.credentials);
  }

  /** SecBufferDesc, and the SecBuffers that it points to. */
  private describe(parts: readonly (readonly [kind: number, bytes: Buffer])[]): {
    readonly list: Buffer;
    readonly buffers: Buffer;
  } {
    const [list, buffers] = [Buffer.alloc(16), Buffer.alloc(16 * parts.length)];
    for (const [at, [kind, bytes]] of parts.entries()) {
      buffers.writeUInt32LE(bytes.length, 16 * at);
      buffers.writeUInt32LE(kind, 16 * at + 4);
      this.library.point(buffers, 16 * at + 8, bytes);
    }
    list.writeUInt32LE(parts.length, 4);
    this.library.point(list, 8, buffers);
    return { list, buffers };
  }

  private check(status: number): void {
    if ([0, CONTINUE, COMPLETE, COMPLETE_AND_CONTINUE].includes(status)) return;
    const kind = FAILURES.get(status) ?? (this.hasContext ? 'unproven' : 'other');
    throw new NegotiationError(kind, `SSPI 0x${status.toString(16)}`, this.service);
  }
}

/** SEC_CHANNEL_BINDINGS: eight numbers, of which the last two say how long the data is and where it begins. */
function writeBindings(data: Buffer): Buffer {
  const head = Buffer.alloc(32);
  head.writeUInt32LE(data.length, 24);
  head.writeUInt32LE(head.length, 28);
  return Buffer.concat([head, data]);
}

/**
 * The full name of the host, under which its service is registered, as SqlClient finds it: `sql01` becomes
 * `sql01.contoso.com`, and an alias the name that it stands for. The host as it was given if nothing knows more.
 */
async function findFullName(library: NativeLibrary, host: string): Promise<string> {
  const [hints, found] = [Buffer.alloc(48), Buffer.alloc(8)];
  hints.writeUInt32LE(FULL_NAME);
  if ((await library.call('GetAddrInfoW', wide(host), null, hints, found)) !== 0) return host;
  const first = found.readBigUInt64LE();
  const name = library.read(first, 48).readBigUInt64LE(24);
  const text = name === 0n ? '' : readWide(library, name);
  await library.call('FreeAddrInfoW', first);
  return text === '' ? host : text;
}

/** Longer than any name of a host. */
const MOST_NAME_CHARACTERS = 256;

/** Character by character: what is behind the end of a text may not be ours to read. */
function readWide(library: NativeLibrary, address: bigint): string {
  let text = '';
  for (let at = 0; at < MOST_NAME_CHARACTERS; at++) {
    const code = library.read(address + BigInt(2 * at), 2).readUInt16LE();
    if (code === 0) break;
    text += String.fromCharCode(code);
  }
  return text;
}

/** UTF-16 with a zero at its end. */
function wide(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le');
}
