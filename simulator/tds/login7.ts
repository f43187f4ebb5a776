import type { Login } from './handler';
import { ByteReader, ProtocolError } from './byte-reader';

export interface Login7 {
  readonly login: Login;
  /** As the client sent it; the acknowledgement sends it back. */
  readonly packetBytes: number;
  /**
   * Windows authentication: the first token of NTLM, Kerberos or SPNEGO, empty if the client sent none. undefined: not
   * asked for.
   */
  readonly securityToken: Buffer | undefined;
  /** Features that the client asked for; undefined if it sent no list. */
  readonly features: readonly Feature[] | undefined;
}

/** One of the optional features at the end of LOGIN7 (MS-TDS 2.2.6.4, FeatureExt), or its acknowledgement. */
export interface Feature {
  readonly id: number;
  readonly data: Buffer;
}

const fixedBytes = 94;
/** The only one that is spoken here; later ones come down to it. */
const TDS_7_4 = 0x74;
const extensionFlag = 0x10;
const integratedFlag = 0x80;
/** fReadOnlyIntent of TypeFlags. */
const readOnlyIntentFlag = 0x20;

/** Field positions of LOGIN7 (MS-TDS 2.2.6.4): each holds an offset and a length. */
const field = {
  host: 36,
  user: 40,
  password: 44,
  application: 48,
  extension: 56,
  library: 60,
  database: 68,
  sspi: 78,
} as const;

/** @throws ProtocolError for a truncated message, or fields that point outside it. */
export function readLogin7(body: Buffer, encrypted: boolean): Login7 {
  if (body.length < fixedBytes) throw new ProtocolError(`LOGIN7 of ${body.length} bytes is truncated`);
  if (body.readUInt32LE(0) !== body.length)
    throw new ProtocolError(`LOGIN7 says ${body.readUInt32LE(0)} bytes and has ${body.length}`);
  const version = body.readUInt32LE(4);
  if (version >>> 24 < TDS_7_4)
    throw new ProtocolError(`TDS version 0x${version.toString(16)} is older than 7.4`);
  const text = (at: number): string => readField(body, at).toString('utf16le');
  return {
    login: {
      user: text(field.user),
      password: decodePassword(readField(body, field.password)),
      host: text(field.host),
      application: text(field.application),
      library: text(field.library),
      database: text(field.database),
      encrypted,
      ...((body.readUInt8(26) & readOnlyIntentFlag) !== 0 && { readOnlyIntent: true }),
    },
    packetBytes: readPacketBytes(body.readUInt32LE(8)),
    securityToken: readSecurityToken(body),
    features: (body.readUInt8(27) & extensionFlag) === 0 ? undefined : readFeatures(body),
  };
}

function readField(body: Buffer, at: number): Buffer {
  const offset = body.readUInt16LE(at);
  const bytes = body.readUInt16LE(at + 2) * 2;
  if (bytes > 0 && offset + bytes > body.length)
    throw new ProtocolError(`LOGIN7 field at ${at} points outside of the message`);
  return body.subarray(offset, offset + bytes);
}

/** Its length is in bytes, not in characters. */
function readSecurityToken(body: Buffer): Buffer | undefined {
  const [offset, bytes] = [body.readUInt16LE(field.sspi), body.readUInt16LE(field.sspi + 2)];
  if ((body.readUInt8(25) & integratedFlag) === 0 && bytes === 0) return undefined;
  if (offset + bytes > body.length)
    throw new ProtocolError('LOGIN7 security token points outside of the message');
  return body.subarray(offset, offset + bytes);
}

/** Each byte was rotated by four bits, then XORed with 0xA5. */
function decodePassword(bytes: Buffer): string {
  const plain = bytes.map((byte) => ((byte ^ 0xa5) >> 4) | (((byte ^ 0xa5) & 0x0f) << 4));
  return Buffer.from(plain).toString('utf16le');
}

/** 0 asks for the default; SQL Server keeps to 512 to 32,767. */
function readPacketBytes(wish: number): number {
  return wish === 0 ? 4096 : Math.min(32_767, Math.max(512, wish));
}

function readFeatures(body: Buffer): readonly Feature[] {
  const pointer = body.readUInt16LE(field.extension);
  if (pointer + 4 > body.length) throw new ProtocolError('LOGIN7 feature list points outside of the message');
  const start = body.readUInt32LE(pointer);
  if (start > body.length) throw new ProtocolError('LOGIN7 feature list points outside of the message');
  const reader = new ByteReader(body, start);
  const features: Feature[] = [];
  for (let id = reader.u8(); id !== 0xff; id = reader.u8())
    features.push({ id, data: reader.take(reader.u32()) });
  return features;
}
