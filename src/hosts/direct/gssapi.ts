/**
 * Tokens on Linux and macOS: GSSAPI (RFC 2744) with the mechanism of Kerberos, and the ticket that `kinit` or the login
 * to the computer got. No delegation.
 */
import { loadLibrary, type NativeLibrary } from './native';
import {
  type Negotiation,
  NegotiationError,
  type NegotiationFailure,
  type Peer,
  SERVICE_CLASS,
} from './negotiation';

const ON_MACOS = '/System/Library/Frameworks/GSS.framework/GSS';
const ELSEWHERE = 'libgssapi_krb5.so.2';

/**
 * 1.2.840.113554.1.2.2, Kerberos. Names: 1.2.840.113554.1.2.1.4, a service of a host, whose full name the library looks
 * up as its configuration says; 1.2.840.113554.1.2.2.1, as the domain has it.
 */
const KERBEROS = Buffer.from('2a864886f712010202', 'hex');
const SERVICE_OF_HOST = Buffer.from('2a864886f71201020104', 'hex');
const AS_IN_DOMAIN = Buffer.from('2a864886f71201020201', 'hex');

const MUTUAL_AND_INTEGRITY = 0x02 | 0x20;
/** GSS_C_MECH_CODE: the status of Kerberos. */
const OF_MECHANISM = 2;
/** Bits that say that a call failed. */
const FAILED = 0xffff_0000;
const NO_CREDENTIALS = 7;
const CREDENTIALS_EXPIRED = 11;

/** Codes of MIT Kerberos (krb5_err.et), which are those of Heimdal too. */
const FAILURES: ReadonlyMap<number, NegotiationFailure> = new Map([
  // KRB5KDC_ERR_S_PRINCIPAL_UNKNOWN
  [-1765328377, 'unknownService'],
  // KRB5KRB_AP_ERR_TKT_EXPIRED, KRB5KDC_ERR_NAME_EXP
  [-1765328352, 'expired'],
  // KRB5KRB_AP_ERR_TKT_NYV, KRB5KRB_AP_ERR_SKEW
  [-1765328351, 'clock'],
  [-1765328347, 'clock'],
  // KRB5_KDC_UNREACH, KRB5_REALM_UNKNOWN, KRB5_REALM_CANT_RESOLVE
  [-1765328228, 'noController'],
  [-1765328230, 'noController'],
  [-1765328164, 'noController'],
  // KRB5KDC_ERR_CLIENT_REVOKED, KRB5KDC_ERR_KEY_EXP, KRB5KDC_ERR_POLICY
  [-1765328366, 'denied'],
  [-1765328361, 'denied'],
  [-1765328372, 'denied'],
]);

/** @throws NegotiationError */
export async function openGssapi(
  { host, port, service, binding }: Peer,
  platform: string,
  load = loadLibrary,
): Promise<Negotiation> {
  const library = await load(platform === 'darwin' ? ON_MACOS : ELSEWHERE);
  const negotiation = new Gssapi(library, binding);
  if (service === undefined) await negotiation.begin(`${SERVICE_CLASS}@${host}:${port}`, SERVICE_OF_HOST);
  else await negotiation.begin(service, AS_IN_DOMAIN);
  return negotiation;
}

class Gssapi implements Negotiation {
  private readonly minor = Buffer.alloc(4);
  private readonly name = Buffer.alloc(8);
  private readonly context = Buffer.alloc(8);
  private readonly mechanism: Buffer;
  private readonly bindings: Buffer | null;

  constructor(
    private readonly library: NativeLibrary,
    binding: Buffer | null,
  ) {
    this.mechanism = this.describe(KERBEROS);
    // gss_channel_bindings_struct: no addresses, and the data last.
    this.bindings = binding && this.describe(binding, 48);
  }

  async begin(service: string, kind: Buffer): Promise<void> {
    const { library, minor, name } = this;
    const [described, ofKind] = [this.describe(Buffer.from(service)), this.describe(kind)];
    await this.check(await library.call('gss_import_name', minor, described, ofKind, name), true);
  }

  async next(token: Buffer | null): Promise<Buffer> {
    const { library, minor, context, mechanism, bindings } = this;
    const [input, output] = [token && this.describe(token), Buffer.alloc(16)];
    const name = this.name.readBigUInt64LE();
    const none = null;
    const major = await library.call(
      'gss_init_sec_context',
      ...[minor, none, context, name, mechanism, MUTUAL_AND_INTEGRITY, 0],
      ...[bindings, input, none, output, none, none],
    );
    const sent = await this.take(output);
    await this.check(major, token === null);
    return sent;
  }

  async close(): Promise<void> {
    const { library, minor, context, name } = this;
    await library.call('gss_delete_sec_context', minor, context, null);
    await library.call('gss_release_name', minor, name);
  }

  /**
   * gss_buffer_desc, and gss_OID_desc, whose length has 32 bits and 32 that count for nothing.
   * @param at how many bytes of zero stand before it
   */
  private describe(bytes: Buffer, at = 0): Buffer {
    const described = Buffer.alloc(at + 16);
    described.writeBigUInt64LE(BigInt(bytes.length), at);
    this.library.point(described, at + 8, bytes);
    return described;
  }

  /** A copy of a buffer that the library made, which is freed. */
  private async take(described: Buffer): Promise<Buffer> {
    const bytes = Number(described.readBigUInt64LE());
    const copy = bytes === 0 ? Buffer.alloc(0) : this.library.read(described.readBigUInt64LE(8), bytes);
    await this.library.call('gss_release_buffer', Buffer.alloc(4), described);
    return copy;
  }

  /** @param isOurs nothing of the server has been read yet */
  private async check(major: number, isOurs: boolean): Promise<void> {
    if ((major & FAILED) === 0) return;
    const code = this.minor.readInt32LE();
    const routine = (major >>> 16) & 0xff;
    const kind =
      FAILURES.get(code) ??
      (routine === NO_CREDENTIALS ? 'noTicket' : routine === CREDENTIALS_EXPIRED ? 'expired' : 'other');
    throw new NegotiationError(
      isOurs ? kind : 'unproven',
      await this.explain(code),
      await this.nameService(),
    );
  }

  private async explain(code: number): Promise<string> {
    const [more, text] = [Buffer.alloc(4), Buffer.alloc(16)];
    const status = [Buffer.alloc(4), code >>> 0, OF_MECHANISM, this.mechanism, more, text] as const;
    await this.library.call('gss_display_status', ...status);
    return (await this.take(text)).toString('utf8');
  }

  /** As the domain knows it, after the library has looked up the full name of the host. */
  private async nameService(): Promise<string> {
    const { library, minor } = this;
    const [full, text] = [Buffer.alloc(8), Buffer.alloc(16)];
    await library.call('gss_canonicalize_name', minor, this.name.readBigUInt64LE(), this.mechanism, full);
    await library.call('gss_display_name', minor, full.readBigUInt64LE(), text, null);
    await library.call('gss_release_name', minor, full);
    const [service = ''] = (await this.take(text)).toString('utf8').split('@');
    return service;
  }
}
