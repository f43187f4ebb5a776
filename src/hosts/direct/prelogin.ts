/** The server's first answer (PRELOGIN, MS-TDS 2.2.6.5), read before the driver does, because the driver trusts it too much. */

/** Bytes that each option needs for the driver to read it; option 3 (thread id) may also be empty. */
const OPTION_BYTES: Readonly<Record<number, number>> = { 0: 6, 1: 1, 2: 1, 3: 4, 4: 1, 6: 1 };
const ENCRYPTION_OPTION = 1;
const TERMINATOR = 0xff;

interface PreLogin {
  /** The server encrypts everything from here on: it answered ON (1) or REQUIRED (3). */
  readonly encrypts: boolean;
}

/** Options of one byte token, two bytes offset, two bytes length, ended by 0xFF; null where that is not what came. */
export function readPreLogin(reply: Buffer): PreLogin | null {
  let encryption = 0;
  for (let at = 0; at < reply.length; at += 5) {
    const token = reply[at] ?? TERMINATOR;
    if (token === TERMINATOR) return at > 0 ? { encrypts: encryption === 1 || encryption === 3 } : null;
    if (at + 5 > reply.length || token > 7) return null;
    const [offset, length] = [reply.readUInt16BE(at + 1), reply.readUInt16BE(at + 3)];
    const needed = token === 3 && length === 0 ? 0 : Math.max(length, OPTION_BYTES[token] ?? 0);
    if (offset + needed > reply.length) return null;
    if (token === ENCRYPTION_OPTION) encryption = reply[offset] ?? 0;
  }
  return null;
}
