/**
 * tedious 18.6.2, loaded when a connection is first opened (docs/libraries.md, Tedious), with five of its holes closed.
 * A reply that is not TDS, and a token stream that breaks off, would surface as uncaught exceptions. If a server (or a
 * machine between) offers no encryption, the login would be sent unencrypted although encryption was asked for. A
 * socket that arrives after close() would still log in. And what a server sends has no bound.
 */
import type { Connection as DriverConnection, ConnectionConfiguration } from 'tedious';
import type { Socket } from 'net';
import type { TLSSocket } from 'node:tls';
import { NO_ENCRYPTION, TOO_LONG } from './errors';
import { bindTo, type Negotiate, sendTokens } from './negotiated-login';
import { t } from '../../core/language';

export type Driver = typeof import('tedious');

/**
 * @param certificate SHA-256 of the server's certificate, as `AB:CD:...`; null if the driver checks it in every case
 * (strict)
 */
export type BeforeLogin = (certificate: string | null) => Promise<void>;

export interface LoginSteps {
  /** Awaited before each login is sent, when the connection is already encrypted; if it throws, no login is sent. */
  readonly beforeLogin: BeforeLogin;
  /** A login as yourself: begins right before `beforeLogin`, in place of the driver's NTLM. */
  readonly negotiate?: Negotiate;
}

export async function loadDriver(): Promise<Driver> {
  return import(/* webpackChunkName: "tedious" */ 'tedious');
}

export function createDriverConnection(
  driver: Driver,
  configuration: ConnectionConfiguration,
  steps: LoginSteps,
): DriverConnection {
  const connection = new driver.Connection(configuration);
  checkFirstReply(connection, configuration, steps);
  surviveBrokenTokens(connection);
  return connection;
}

/**
 * Ends a connection in any state. A socket that is still being opened is destroyed when it comes, or given up by the
 * connect time-out.
 */
export function abandonDriverConnection(connection: DriverConnection): void {
  connection.socketHandlingForSendPreLogin = (socket: Socket) => {
    socket.destroy();
    connection.close();
  };
  if (connection.socket) connection.close();
}

/** An answer before the login is some hundred bytes long. */
const MOST_BEFORE_LOGIN_BYTES = 64_000;
/**
 * The largest page of ours, 20,000 long rows of an error log, has 160 MB: past this the answer is not what was asked
 * for.
 */
const MOST_ANSWER_BYTES = 256_000_000;
/**
 * Result sets and errors of one answer: the driver or we keep each. A text of ours has some dozens, and 64 KB before
 * the login hold fewer.
 */
const MOST_KEPT_TOKENS = 5_000;

/**
 * Reads the first reply whole and checks it before the driver parses it, so that a web server on that port causes a
 * failure and not a crash. No reply is read past its bound: then the connection ends.
 */
function checkFirstReply(
  connection: DriverConnection,
  configuration: ConnectionConfiguration,
  steps: LoginSteps,
): void {
  const sendPreLogin = connection.sendPreLogin.bind(connection);
  const isStrict = configuration.options?.encrypt === 'strict';
  let mostBytes = MOST_BEFORE_LOGIN_BYTES;
  connection.once('connect', () => (mostBytes = MOST_ANSWER_BYTES));
  connection.sendPreLogin = () => {
    const { messageIo } = connection;
    const startTls = messageIo.startTls.bind(messageIo);
    messageIo.startTls = async (...given) => {
      await startTls(...given);
      const { cleartext } = messageIo.securePair as NonNullable<typeof messageIo.securePair>;
      await begin(cleartext, cleartext.getPeerCertificate().fingerprint256 ?? '');
    };
    const readMessage = messageIo.readMessage.bind(messageIo);
    const readBounded = async (): ReturnType<typeof readMessage> => {
      const message = await readMessage();
      const chunks = message[Symbol.asyncIterator].bind(message);
      message[Symbol.asyncIterator] = () => endPast(mostBytes, chunks());
      return message;
    };
    const begin = (socket: TLSSocket, certificate: string | null): Promise<void> =>
      beginLogin(connection, steps, { socket, certificate, read: readBounded });
    messageIo.readMessage = async () => {
      messageIo.readMessage = readBounded;
      const message = await readBounded();
      const chunks: Buffer[] = [];
      for await (const chunk of message) chunks.push(chunk as Buffer);
      const reply = Buffer.concat(chunks);
      refuseReply(reply, configuration.options?.encrypt === true);
      if (isStrict) await begin(connection.socket as TLSSocket, null);
      message[Symbol.asyncIterator] = async function* () {
        yield reply;
      };
      return message;
    };
    sendPreLogin();
  };
}

interface Secured {
  readonly socket: TLSSocket;
  readonly certificate: string | null;
  readonly read: DriverConnection['messageIo']['readMessage'];
}

/** The port is that of the socket: SQL Server Browser may have named it. */
async function beginLogin(
  connection: DriverConnection,
  { beforeLogin, negotiate }: LoginSteps,
  { socket, certificate, read }: Secured,
): Promise<void> {
  const host = connection.routingData?.server ?? connection.config.server;
  const port = connection.socket?.remotePort ?? 0;
  const negotiation = await negotiate?.({ host, port, binding: bindTo(socket) });
  if (negotiation === undefined) return beforeLogin(certificate);
  let isOpen = true;
  const end = (): void => {
    if (isOpen) negotiation.close().catch(() => undefined);
    isOpen = false;
  };
  // The login came to an end, or the connection did before.
  connection.once('connect', end).once('end', end);
  const first = await negotiation.next(null);
  if (!isOpen) throw new Error(t('the connection was closed before the login was answered'));
  await beforeLogin(certificate);
  sendTokens(connection.messageIo, negotiation, first, read);
}

function refuseReply(reply: Buffer, mustEncrypt: boolean): void {
  const preLogin = readPreLogin(reply);
  if (preLogin === null) throw new Error(t('what answers there is not SQL Server'));
  if (mustEncrypt && !preLogin.encrypts)
    throw Object.assign(new Error(t('it offers no encryption')), { code: NO_ENCRYPTION });
}

/** @throws Error once more bytes have come */
async function* endPast(mostBytes: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw explainLength(mostBytes);
    yield chunk;
  }
}

const explainLength = (mostBytes: number): Error =>
  Object.assign(new Error(t('the answer is longer than {0} KB', String(mostBytes / 1000))), {
    code: TOO_LONG,
  });

/** A token that cannot be read, or that does not fit the state, ends the connection like a socket error. */
function surviveBrokenTokens(connection: DriverConnection): void {
  const createParser = connection.createTokenStreamParser.bind(connection);
  connection.createTokenStreamParser = (message, handler) => {
    const parser = createParser(message, handler);
    const stream = parser.parser;
    stream.on('error', (error) => connection.socketError(error));
    const emit = stream.emit.bind(stream);
    let kept = 0;
    stream.emit = (event: string | symbol, ...values: unknown[]) => {
      try {
        const { name } = { ...(values[0] as { readonly name?: string } | undefined) };
        if (event === 'data' && (name === 'COLMETADATA' || name === 'ERROR') && ++kept > MOST_KEPT_TOKENS)
          throw explainLength(MOST_ANSWER_BYTES);
        return emit(event, ...values);
      } catch (error) {
        stream.destroy(error as Error);
        return true;
      }
    };
    return parser;
  };
}

/** Bytes that the driver needs to read each option; option 3 (thread id) may also be empty. */
const OPTION_BYTES: Readonly<Record<number, number>> = { 0: 6, 1: 1, 2: 1, 3: 4, 4: 1, 6: 1 };
const ENCRYPTION_OPTION = 1;
const TERMINATOR = 0xff;

interface PreLogin {
  /** The server encrypts everything from here on: it answered ON (1) or REQUIRED (3). */
  readonly encrypts: boolean;
}

/**
 * Reads the server's first answer (PRELOGIN, MS-TDS 2.2.6.5) before the driver does, because the driver trusts it too
 * much. Each option has one byte token, two bytes offset, two bytes length; 0xFF ends the list. null if the answer has
 * another form.
 */
function readPreLogin(reply: Buffer): PreLogin | null {
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
