import { ProtocolError } from './byte-reader';

/** What a PRELOGIN says about encryption (MS-TDS 2.2.6.5). */
export const encryption = { off: 0, on: 1, notSupported: 2, required: 3 } as const;

export type TlsMode = 'off' | 'optional' | 'required';

const option = {
  version: 0,
  encryption: 1,
  instance: 2,
  threadId: 3,
  mars: 4,
  tokens: 6,
  terminator: 0xff,
} as const;

/** What a client says before it logs in. */
interface Prelogin {
  /** Not supported if it says nothing. */
  readonly encryption: number;
  /** FEDAUTHREQUIRED: it can log in by access token. */
  readonly knowsTokens: boolean;
}

/** @throws ProtocolError for options that point outside the message. */
export function readPrelogin(body: Buffer): Prelogin {
  let [wish, knowsTokens]: [number, boolean] = [encryption.notSupported, false];
  for (let at = 0; ; at += 5) {
    const type = body[at];
    if (type === option.terminator) return { encryption: wish, knowsTokens };
    if (type === undefined || at + 5 > body.length)
      throw new ProtocolError('PRELOGIN without its terminator');
    const offset = body.readUInt16BE(at + 1);
    const length = body.readUInt16BE(at + 3);
    if (offset + length > body.length) throw new ProtocolError('PRELOGIN option outside of its message');
    if (type === option.encryption && length > 0) wish = body.readUInt8(offset) & 0x0f;
    if (type === option.tokens && length > 0) knowsTokens = body.readUInt8(offset) === 1;
  }
}

/**
 * The server's answer to the client's wish. The answer to "off" is "not supported", which means no TLS at all: "off"
 * would mean TLS only for the login message, and clients would start a handshake.
 */
export function answerEncryption(mode: TlsMode, wish: number): number {
  if (mode === 'off') return encryption.notSupported;
  if (mode === 'required') return encryption.required;
  return wish === encryption.on || wish === encryption.required ? encryption.on : encryption.notSupported;
}

/**
 * The PRELOGIN response: a table of options, then their data. If the client knows tokens, it says that the server does
 * too; LOGIN7 echoes that.
 */
export function writePrelogin(
  version: readonly [number, number, number],
  encrypt: number,
  knowsTokens: boolean,
): Buffer {
  const [major, minor, build] = version;
  const data: readonly (readonly [number, readonly number[]])[] = [
    [option.version, [major, minor, build >> 8, build & 0xff, 0, 0]],
    [option.encryption, [encrypt]],
    [option.instance, [0]],
    [option.threadId, []],
    [option.mars, [0]],
    ...(knowsTokens ? [[option.tokens, [1]] as const] : []),
  ];
  const table: number[] = [];
  let offset = data.length * 5 + 1;
  for (const [type, bytes] of data) {
    table.push(type, offset >> 8, offset & 0xff, 0, bytes.length);
    offset += bytes.length;
  }
  return Buffer.from([...table, option.terminator, ...data.flatMap(([, bytes]) => bytes)]);
}
