import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Writable } from 'node:stream';
import type { Request, Session, SessionHost } from './handler';
import { SqlError } from './handler';
import { answerMessage } from './answer';
import { ProtocolError } from './byte-reader';
import type { Certificate } from './certificate';
import { endConnection, type Faults, type Out, type Strike } from './faults';
import { readLogin7, type Login7 } from './login7';
import { acceptLogin, openSession, refuseLogin, untrustedLogin, type RefusedLogin } from './login-response';
import { notModelled } from './messages';
import { PacketReader, packetType } from './packet-reader';
import type { Message } from './packet-reader';
import { MessageWriter } from './packet-writer';
import { answerEncryption, encryption, readPrelogin, writePrelogin } from './prelogin';
import type { TlsMode } from './prelogin';
import type { ConnectionState } from './reply-writer';
import { readBatch, readProcedureCall } from './requests';
import { acceptTls, TlsTransport } from './tls';
import {
  doneStatus,
  doneToken,
  environment,
  writeBytesChange,
  writeDone,
  writeSecurityToken,
} from './tokens';
import { challengeWindowsLogin, vouchFor, type WindowsLogin } from './windows-login';

export interface LogEntry {
  /** `malformed`: not TDS; `tls`: the handshake failed; `login`: refused; `failure`: an error inside the simulator. */
  readonly event: 'malformed' | 'tls' | 'login' | 'failure';
  readonly message: string;
}

interface ConnectionOptions {
  readonly host: SessionHost;
  readonly tls: TlsMode;
  /** Needed unless `tls` is 'off'. */
  readonly certificate?: Certificate;
  readonly faults: Faults;
  log(entry: LogEntry): void;
}

/** The packet size until one is agreed on. */
const defaultPacketBytes = 4096;

interface LoggedIn {
  readonly session: Session;
  readonly state: ConnectionState;
  readonly packetBytes: number;
}

/** One client from its first byte to its last: PRELOGIN, TLS, LOGIN7, then requests one at a time. */
export class Connection {
  /** Resolves when the socket and its session, if it had one, are closed. */
  readonly closed: Promise<void>;
  private readonly reader = new PacketReader();
  private out: Writable;
  private transport: TlsTransport | undefined;
  private loggedIn: LoggedIn | undefined;
  /** A Windows login whose client has not answered the challenge yet. */
  private challenged: WindowsLogin | undefined;
  private readonly running = new Set<AbortController>();
  /** Answers are sent in the order of their requests. */
  private answers: Promise<unknown> = Promise.resolve();
  /** The end of an interrupted request; the session takes no other before it. */
  private unwound: Promise<unknown> = Promise.resolve();
  /** A fault silenced it: nothing is sent any more. */
  private isSilent = false;

  constructor(
    private readonly socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    this.out = socket;
    socket.setNoDelay(true);
    // 'close' always follows an error, and does the work.
    socket.on('error', () => undefined);
    socket.on('data', (bytes) =>
      this.guard(() => (this.transport ? this.transport.receive(bytes) : this.receive(bytes))),
    );
    socket.on('end', () => this.abortAll());
    this.closed = new Promise((resolve) => socket.once('close', () => resolve(this.closeSession())));
  }

  destroy(): void {
    this.socket.destroy();
  }

  private async closeSession(): Promise<void> {
    this.abortAll();
    this.transport?.destroy();
    await this.answers;
    await this.unwound;
    this.loggedIn?.session.close();
  }

  private abortAll(): void {
    for (const controller of this.running) controller.abort();
  }

  /** If a client sends something wrong, only its own connection ends. */
  private guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.options.log({
        event: error instanceof ProtocolError ? 'malformed' : 'failure',
        message: (error as Error).message,
      });
      this.socket.destroy();
    }
  }

  private receive(bytes: Buffer): void {
    this.reader.feed(bytes);
    for (let message = this.reader.next(); message && !this.socket.destroyed; message = this.reader.next()) {
      this.handle(message);
      if (this.transport && this.out === this.socket) return this.secure(this.transport);
    }
  }

  private handle(message: Message): void {
    if (this.loggedIn) return this.handleRequest(message);
    if (message.type === packetType.prelogin && !this.transport) return this.handlePrelogin(message.body);
    if (message.type === packetType.securityToken && this.challenged)
      return this.finishLogin(this.challenged.answer(message.body));
    if (message.type === packetType.login7 && !this.challenged) return this.handleLogin(message.body);
    throw new ProtocolError(`a message of type ${message.type} before login`);
  }

  private openMessage(packetBytes = defaultPacketBytes, struck?: Strike): MessageWriter {
    const out: Out = this.isSilent
      ? { write: () => true }
      : (struck?.through(this.out, (how) => this.breakOff(how)) ?? this.out);
    return new MessageWriter(out, { packetBytes, spid: this.loggedIn?.session.spid ?? 0 });
  }

  private breakOff(how: 'reset' | 'close' | 'silence'): void {
    this.isSilent = true;
    if (how !== 'silence') endConnection(this.socket, how);
  }

  private handlePrelogin(body: Buffer): void {
    const { encryption: wish, knowsTokens } = readPrelogin(body);
    const answer = answerEncryption(this.options.tls, wish);
    const message = this.openMessage();
    message.tokens.raw(writePrelogin(this.options.host.version, answer, knowsTokens));
    message.end();
    if (answer === encryption.notSupported) return;
    if (wish === encryption.notSupported)
      throw new ProtocolError('a client without TLS where TLS is required');
    this.transport = new TlsTransport(this.socket);
  }

  private secure(transport: TlsTransport): void {
    const certificate = this.options.certificate as Certificate;
    const secured = acceptTls(transport, certificate);
    this.out = secured;
    secured.on('error', (error) => {
      // It is not a failure of TLS if the client is already gone.
      if (!this.socket.destroyed) this.options.log({ event: 'tls', message: error.message });
      this.socket.destroy();
    });
    secured.on('data', (bytes: Buffer) => this.guard(() => this.receive(bytes)));
    const rest = this.reader.takeRest();
    if (rest.length > 0) transport.receive(rest);
  }

  private handleLogin(body: Buffer): void {
    const encrypted = this.out !== this.socket;
    if (this.options.tls === 'required' && !encrypted)
      throw new ProtocolError('a login without TLS where TLS is required');
    const login7 = readLogin7(body, encrypted);
    if (login7.securityToken === undefined) return this.finishLogin(login7);
    const { host } = this.options;
    this.challenged = challengeWindowsLogin(host, login7, login7.securityToken);
    const vouched = this.challenged ? null : host.checkTicket?.(login7.securityToken, bindingOf(this.out));
    if (vouched) return this.finishLogin(vouchFor(login7, vouched.user), vouched.reply);
    if (!this.challenged) return this.refuse({ errors: [untrustedLogin()], isFailure: false });
    this.sendToken(this.challenged.challenge);
  }

  /** In a message of its own: Microsoft's ODBC driver 18.6 takes no login whose acknowledgement stands beside it. */
  private sendToken(token: Buffer): void {
    const message = this.openMessage();
    writeSecurityToken(message.tokens, token);
    message.end();
  }

  private refuse({ errors, isFailure }: RefusedLogin): void {
    const message = this.openMessage();
    this.options.log({
      event: isFailure ? 'failure' : 'login',
      message: errors.map((error) => error.message).join(' '),
    });
    refuseLogin(message.tokens, errors, this.options.host.serverName);
    message.end();
    this.out.end();
  }

  /** @param proof of the server, to a client that came with a ticket */
  private finishLogin(login7: Login7, proof?: Buffer): void {
    const { host } = this.options;
    const result = openSession(host, login7);
    if (!('spid' in result)) return this.refuse(result);
    if (proof !== undefined) this.sendToken(proof);
    const message = this.openMessage();
    const state = {
      serverName: host.serverName,
      database: result.database,
      transaction: Buffer.alloc(0),
      transactionsBegun: 0,
    };
    this.loggedIn = { session: result, state, packetBytes: login7.packetBytes };
    acceptLogin(message.tokens, login7, result, host);
    message.end();
  }

  private handleRequest({ type, body, ignored, reset }: Message): void {
    if (type === packetType.attention) return this.handleAttention();
    if (ignored) return this.enqueue(() => this.sendDone(doneStatus.error));
    if (type === packetType.sqlBatch) return this.enqueueRequest(reset, () => readBatch(body));
    if (type === packetType.rpc) return this.enqueueRequest(reset, () => readProcedureCall(body));
    if (type === packetType.transactionManager) return this.enqueueRequest(reset, refuseTransactionRequest);
    throw new ProtocolError(`a message of type ${type} after login`);
  }

  /**
   * First ends the interrupted answer, then acknowledges in a message of its own: without that clients wait for their
   * time-out.
   */
  private handleAttention(): void {
    this.abortAll();
    this.enqueue(() => this.sendDone(doneStatus.attention));
  }

  private enqueue(work: () => unknown): void {
    this.answers = this.answers.then(work).catch((error: Error) => {
      this.options.log({ event: 'failure', message: error.stack ?? error.message });
      this.socket.destroy();
    });
  }

  private enqueueRequest(reset: boolean, read: () => Request): void {
    const request = orSqlError(read);
    const controller = new AbortController();
    this.running.add(controller);
    this.enqueue(async () => {
      await this.answer(request, reset, controller.signal);
      this.running.delete(controller);
    });
  }

  private async answer(request: Request | SqlError, reset: boolean, signal: AbortSignal): Promise<void> {
    const { session, state, packetBytes } = this.loggedIn as LoggedIn;
    await settledOrAborted(this.unwound, signal);
    if (this.socket.destroyed) return;
    const struck = request instanceof SqlError ? undefined : this.options.faults.meet(request);
    const message = this.openMessage(packetBytes, struck);
    const resetError = reset ? orSqlError(() => this.resetSession(message)) : undefined;
    const reportFailure = (error: unknown): void =>
      this.options.log({
        event: 'failure',
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    const execute: Session['execute'] = struck
      ? (each, ending) => struck.execute(session, each, ending)
      : (each, ending) => session.execute(each, ending);
    const context = { execute, state, out: this.out, message, signal, reportFailure };
    const answer = await answerMessage(context, resetError ?? request);
    this.unwound = Promise.all([this.unwound, answer.unwound]);
    if (answer.fatal) this.out.end();
  }

  private resetSession(message: MessageWriter): undefined {
    const { session, state } = this.loggedIn as LoggedIn;
    if (!session.reset) throw new SqlError(40_510, 'Resetting a connection is not modelled by this server.');
    session.reset();
    state.database = session.database;
    state.transaction = Buffer.alloc(0);
    writeBytesChange(message.tokens, environment.reset, Buffer.alloc(0), Buffer.alloc(0));
  }

  private sendDone(status: number): void {
    if (this.socket.destroyed || !this.loggedIn) return;
    const message = this.openMessage(this.loggedIn.packetBytes);
    writeDone(message.tokens, doneToken.batch, status);
    message.end();
  }
}

/** `tls-unique` of TLS 1.2: what the client sent last in its handshake (RFC 5929). */
function bindingOf(out: Writable): Buffer | null {
  const finished = out instanceof TLSSocket ? out.getPeerFinished() : undefined;
  return finished === undefined ? null : Buffer.concat([Buffer.from('tls-unique:'), finished]);
}

/** Clients that commit by themselves do not send it. */
function refuseTransactionRequest(): never {
  throw notModelled('a request of the transaction manager');
}

function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve, { once: true });
    work.then(resolve, resolve);
  });
}

/** Returns a SqlError as a value, so that it answers the request when its turn comes. */
function orSqlError<T>(read: () => T): T | SqlError {
  try {
    return read();
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
}
