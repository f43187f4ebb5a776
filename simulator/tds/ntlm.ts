/**
 * The server's part of Windows logins by NTLM (MS-NLMP): a challenge, and whether the answer proves a password. Only
 * responses of version 2. There is no session security: SQL Server uses NTLM only for the login.
 */
// oxlint-disable-next-line typescript/triple-slash-reference -- whoever imports this file is to find the types too
/// <reference path="js-md4.d.ts" />
import { createHmac, timingSafeEqual } from 'node:crypto';
import md4 from 'js-md4';
import { ProtocolError } from './byte-reader';

/** What a client answers to the challenge (AUTHENTICATE_MESSAGE, MS-NLMP 2.2.1.3). */
interface NtlmAnswer {
  readonly domain: string;
  readonly user: string;
  readonly lmResponse: Buffer;
  readonly ntResponse: Buffer;
}

const signature = Buffer.from('NTLMSSP\0', 'latin1');
const messageType = { negotiate: 1, challenge: 2, authenticate: 3 } as const;
/**
 * Unicode, target, NTLM, always sign, the target is a domain, extended session security, target information, version,
 * 128 and 56 bits: what Windows answers.
 */
const challengeFlags = 0xa2898205;
const unicodeFlag = 0x00000001;
/**
 * Of AV pairs (MS-NLMP 2.2.2.1). Without a timestamp (7) among them clients send no integrity code: the model's choice.
 */
const pair = { end: 0, computer: 1, domain: 2 } as const;
const proofBytes = 16;

/**
 * Whether a security token is NTLM's first message, and not that of Kerberos or SPNEGO, which need a domain controller.
 */
export function isNtlmNegotiate(token: Buffer): boolean {
  return (
    token.length >= 16 &&
    token.subarray(0, 8).equals(signature) &&
    token.readUInt32LE(8) === messageType.negotiate
  );
}

/** CHALLENGE_MESSAGE: 56 bytes, the name of the domain, information about domain and server. */
export function writeNtlmChallenge(challenge: Buffer, domain: string, computer: string): Buffer {
  const name = Buffer.from(domain, 'utf16le');
  const target = Buffer.concat([
    writePair(pair.domain, domain),
    writePair(pair.computer, computer),
    writePair(pair.end, ''),
  ]);
  const fixed = Buffer.alloc(56);
  signature.copy(fixed);
  fixed.writeUInt32LE(messageType.challenge, 8);
  writePlace(fixed, 12, name.length, 56);
  fixed.writeUInt32LE(challengeFlags, 20);
  challenge.copy(fixed, 24, 0, 8);
  writePlace(fixed, 40, target.length, 56 + name.length);
  // Windows 10.0.17763, revision 15 of NTLM.
  fixed.set([10, 0, 0x63, 0x45, 0, 0, 0, 15], 48);
  return Buffer.concat([fixed, name, target]);
}

function writePair(id: number, text: string): Buffer {
  const value = Buffer.from(text, 'utf16le');
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}

function writePlace(message: Buffer, at: number, bytes: number, offset: number): void {
  message.writeUInt16LE(bytes, at);
  message.writeUInt16LE(bytes, at + 2);
  message.writeUInt32LE(offset, at + 4);
}

/** @throws ProtocolError for anything but an AUTHENTICATE_MESSAGE in Unicode. */
export function readNtlmAnswer(token: Buffer): NtlmAnswer {
  if (
    token.length < 64 ||
    !token.subarray(0, 8).equals(signature) ||
    token.readUInt32LE(8) !== messageType.authenticate
  )
    throw new ProtocolError('an answer to the NTLM challenge that is none');
  if ((token.readUInt32LE(60) & unicodeFlag) === 0)
    throw new ProtocolError('an answer to the NTLM challenge that is not in Unicode');
  return {
    lmResponse: readPlace(token, 12),
    ntResponse: readPlace(token, 20),
    domain: readPlace(token, 28).toString('utf16le'),
    user: readPlace(token, 36).toString('utf16le'),
  };
}

function readPlace(token: Buffer, at: number): Buffer {
  const bytes = token.readUInt16LE(at);
  const offset = token.readUInt32LE(at + 4);
  if (bytes > 0 && offset + bytes > token.length)
    throw new ProtocolError('an NTLM field outside of its message');
  return token.subarray(offset, offset + bytes);
}

/**
 * Whether the sender of this answer knows the password (MS-NLMP 3.3.2). Looks at the NT response: 16 bytes of proof
 * over the challenge and the bytes after them. If it is too short for that (tedious 18 sends 16 bytes), looks at the LM
 * response: proof over the challenge and the client's own 8 bytes.
 */
export function provesPassword(
  { domain, user, lmResponse, ntResponse }: NtlmAnswer,
  challenge: Buffer,
  password: string,
): boolean {
  const key = hashPassword(domain, user, password);
  const response = ntResponse.length > proofBytes ? ntResponse : lmResponse;
  // 24 bytes in the NT response are those of version 1.
  if (response.length <= proofBytes || (response === ntResponse && response.length <= 24)) return false;
  const proof = hmacMd5(key, challenge, response.subarray(proofBytes));
  return timingSafeEqual(proof, response.subarray(0, proofBytes));
}

/** NTOWFv2. */
function hashPassword(domain: string, user: string, password: string): Buffer {
  const key = Buffer.from(md4.arrayBuffer(Buffer.from(password, 'utf16le')));
  return hmacMd5(key, Buffer.from(user.toUpperCase() + domain, 'utf16le'));
}

function hmacMd5(key: Buffer, ...parts: readonly Buffer[]): Buffer {
  const hmac = createHmac('md5', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
