/**
 * tedious 18.6.2, loaded when a connection is first opened (docs/facts.md, Hosts 11), with three of its holes closed:
 * a reply that is not TDS and a token stream that breaks off would surface as uncaught exceptions, and a socket that arrives
 * after close() would still log in.
 */
import type { Connection as DriverConnection, ConnectionConfiguration } from 'tedious';
import type { Socket } from 'net';

export type Driver = typeof import('tedious');

export async function loadDriver(): Promise<Driver> {
  return import(/* webpackChunkName: "tedious" */ 'tedious');
}

export function createDriverConnection(driver: Driver, configuration: ConnectionConfiguration): DriverConnection {
  const connection = new driver.Connection(configuration);
  checkFirstReply(connection);
  surviveBrokenTokens(connection);
  return connection;
}

/** Ends a connection in any state, also while its socket is still being opened: that socket is destroyed as soon as it comes, or given up by the connect time-out. */
export function abandonDriverConnection(connection: DriverConnection): void {
  connection.socketHandlingForSendPreLogin = (socket: Socket) => {
    socket.destroy();
    connection.close();
  };
  if (connection.socket) connection.close();
}

/** The first reply is read whole and checked before the driver parses it, so that a web server on that port is a failure and not a crash. */
function checkFirstReply(connection: DriverConnection): void {
  const sendPreLogin = connection.sendPreLogin.bind(connection);
  connection.sendPreLogin = () => {
    const { messageIo } = connection;
    const readMessage = messageIo.readMessage.bind(messageIo);
    messageIo.readMessage = async () => {
      messageIo.readMessage = readMessage;
      const message = await readMessage();
      const chunks: Buffer[] = [];
      for await (const chunk of message) chunks.push(chunk as Buffer);
      const reply = Buffer.concat(chunks);
      if (!isPreLogin(reply)) throw new Error('what answers there is not SQL Server');
      message[Symbol.asyncIterator] = () => iterateOnce(reply);
      return message;
    };
    sendPreLogin();
  };
}

/** PRELOGIN (MS-TDS 2.2.6.5): options of one byte token, two bytes offset, two bytes length, ended by 0xFF; each must lie within the message. */
function isPreLogin(reply: Buffer): boolean {
  for (let at = 0; at < reply.length; at += 5) {
    if (reply[at] === 0xff) return at > 0;
    if (at + 5 > reply.length || reply.readUInt16BE(at + 1) + reply.readUInt16BE(at + 3) > reply.length) return false;
    if ((reply[at] ?? 0) > 7) return false;
  }
  return false;
}

async function* iterateOnce(reply: Buffer): AsyncGenerator<Buffer> {
  yield reply;
}

/** A token that cannot be read, or one that has no place in the state, ends the connection like a socket error. */
function surviveBrokenTokens(connection: DriverConnection): void {
  const createParser = connection.createTokenStreamParser.bind(connection);
  connection.createTokenStreamParser = (message, handler) => {
    const parser = createParser(message, handler);
    const stream = parser.parser;
    stream.on('error', (error) => connection.socketError(error));
    const emit = stream.emit.bind(stream);
    stream.emit = (event: string | symbol, ...values: unknown[]) => {
      try {
        return emit(event, ...values);
      } catch (error) {
        stream.destroy(error as Error);
        return true;
      }
    };
    return parser;
  };
}
