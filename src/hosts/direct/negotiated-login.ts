/**
 * A login whose tokens the operating system makes, in place of the driver's own NTLM: the first token goes into LOGIN7,
 * and what the server sends for it is taken out of its answers, because the driver would read it as NTLM
 * (MS-TDS 2.2.6.4, 2.2.6.8, 2.2.7.22, 3.2.5.5).
 */
import type { Connection as DriverConnection } from 'tedious';
import type { TLSSocket } from 'node:tls';
import { openGssapi } from './gssapi';
import type { Negotiation, Peer } from './negotiation';
import { openSspi } from './sspi';

type MessageIo = DriverConnection['messageIo'];
type Answer = Awaited<ReturnType<MessageIo['readMessage']>>;

/** How the tokens of a login are made. @throws NegotiationError */
export type Negotiate = (peer: Omit<Peer, 'mayUseNtlm' | 'service'>) => Promise<Negotiation>;

/**
 * By the operating system, one step after the other: a connection that ends meanwhile frees nothing that a step on
 * another thread still uses.
 * @throws NegotiationError
 */
export async function openNegotiation(peer: Peer): Promise<Negotiation> {
  const { platform } = process;
  const negotiation = await (platform === 'win32' ? openSspi(peer) : openGssapi(peer, platform));
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const done = last.then(step, step);
    last = done;
    return done;
  };
  return {
    next: (token) => inTurn(() => negotiation.next(token)),
    close: () => inTurn(() => negotiation.close()),
  };
}

/**
 * What ties a login to this TLS connection, so that nobody in between can use it on another one (Extended Protection);
 * null for TLS 1.3, for which Microsoft's own drivers send nothing that says anything.
 */
export function bindTo(socket: TLSSocket): Buffer | null {
  const finished = socket.getProtocol() === 'TLSv1.2' ? socket.getFinished() : undefined;
  return finished === undefined ? null : Buffer.concat([Buffer.from('tls-unique:'), finished]);
}

const LOGIN7 = 0x10;
const SECURITY_MESSAGE = 0x11;
/** SSPI, and tokens that may stand before it, each with its length in two bytes: ENVCHANGE, INFO, ERROR, LOGINACK. */
const SECURITY_TOKEN = 0xed;
const WITH_LENGTH: readonly number[] = [SECURITY_TOKEN, 0xe3, 0xab, 0xaa, 0xad];
/** Kerberos takes one, NTLM two. */
const MOST_ROUNDS = 8;

/**
 * From now on the login of this connection is that of the negotiation.
 * @param first its first token
 * @param read reads the next message of the server
 */
export function sendTokens(
  messageIo: MessageIo,
  negotiation: Negotiation,
  first: Buffer,
  read: () => Promise<Answer>,
): void {
  const send = messageIo.sendMessage.bind(messageIo);
  messageIo.sendMessage = (type, data, ...rest) => {
    messageIo.sendMessage = send;
    return send(type, type === LOGIN7 && data !== undefined ? putToken(data, first) : data, ...rest);
  };
  messageIo.readMessage = async () => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const answer = await read();
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { tokens, others } = takeTokens(Buffer.concat(chunks));
      let next: Buffer = Buffer.alloc(0);
      for (const token of tokens) next = await negotiation.next(token);
      if (tokens.length === 0 || others.length > 0) {
        messageIo.readMessage = read;
        answer[Symbol.asyncIterator] = async function* () {
          yield others;
        };
        return answer;
      }
      if (next.length > 0) send(SECURITY_MESSAGE, next);
    }
    throw new Error('the login does not come to an end');
  };
}

/** The driver writes its own token last, so nothing behind it moves. */
function putToken(login7: Buffer, token: Buffer): Buffer {
  const login = Buffer.concat([login7.subarray(0, login7.readUInt16LE(78)), token]);
  login.writeUInt32LE(login.length);
  login.writeUInt16LE(Math.min(token.length, 0xffff), 80);
  // cbSSPILong counts if the two bytes cannot.
  login.writeUInt32LE(token.length < 0xffff ? 0 : token.length, 90);
  return login;
}

function takeTokens(answer: Buffer): { readonly tokens: readonly Buffer[]; readonly others: Buffer } {
  const [tokens, others]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (let kind = answer[at]; at + 3 <= answer.length && WITH_LENGTH.includes(kind ?? 0); kind = answer[at]) {
    const end = at + 3 + answer.readUInt16LE(at + 1);
    if (kind === SECURITY_TOKEN) tokens.push(answer.subarray(at + 3, end));
    else others.push(answer.subarray(at, end));
    at = end;
  }
  return { tokens, others: Buffer.concat([...others, answer.subarray(at)]) };
}
