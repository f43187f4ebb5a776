import { type Connection, ConnectionError, type ConnectionFailure } from '../../hosts/host';
import type { ServerDoor } from './login-breaker';
import type { Click } from './login-standing';
import { t } from '../../core/language';

interface Sending<T> {
  readonly query: (connection: Connection) => Promise<T>;
  readonly signal: AbortSignal;
  readonly click: Click;
  /** It may have been made, though no answer came. */
  readonly isChange: boolean;
}

/** The connection is of no use after these. */
const LOST_IN_SESSION: readonly ConnectionFailure[] = ['disconnected', 'timedOut', 'loginFailed', 'hostGone'];
/**
 * If each query is a login, a query without an answer says nothing of the connection; and opening another one may ask
 * for a password again.
 */
const LOST_WITH_LOGIN: readonly ConnectionFailure[] = ['disconnected', 'loginFailed', 'hostGone'];

/** The one connection to a server: opened for the first query, and again after it was lost, if its door allows that. */
export class ServerLink {
  private connection: Connection | null = null;

  constructor(private readonly door: ServerDoor) {}

  /** Whether each query is a login, as far as is known. */
  get isLoginForEach(): boolean {
    return this.connection?.capabilities.session === false;
  }

  /** @throws ConnectionError */
  async send<T>(sending: Sending<T>): Promise<T> {
    const { signal, click } = sending;
    // A product that logs in for each query would be refused twice: by the query, and by the connection that finds out
    // why.
    if (this.isLoginForEach && this.door.now.account.refusals.size > 0) await this.close();
    const connection = this.connection ?? (await this.open(sending));
    if (connection.capabilities.session) return this.sendBy(connection, sending);
    return this.door.loginFor(signal, click, () => this.sendWithLogin(connection, sending));
  }

  private async sendBy<T>(connection: Connection, { query }: Sending<T>): Promise<T> {
    try {
      return await query(connection);
    } catch (error) {
      const lost = connection.capabilities.session ? LOST_IN_SESSION : LOST_WITH_LOGIN;
      if (!(error instanceof ConnectionError) || lost.includes(error.reason)) await this.close();
      throw error;
    }
  }

  /**
   * A product that logs in for each query does not say whether the login was refused or the server is gone: opening the
   * connection again tells. If it opens, a read is sent once more. A change is not.
   */
  private async sendWithLogin<T>(connection: Connection, sending: Sending<T>): Promise<T> {
    try {
      return await this.sendBy(connection, sending);
    } catch (error) {
      if (!(error instanceof ConnectionError) || error.reason !== 'disconnected') throw error;
      const again = await this.open(sending);
      if (sending.isChange) throw error;
      return this.sendBy(again, sending);
    }
  }

  /** A host that cannot be stopped may hand over a connection that is not waited for any more. That one is closed. */
  private async open({ signal, click }: Pick<Sending<unknown>, 'signal' | 'click'>): Promise<Connection> {
    const connection = await this.door.open(signal, click);
    if (signal.aborted) {
      await connection.close();
      throw new ConnectionError('cancelled', t('Cancelled while connecting.'));
    }
    this.connection = connection;
    return connection;
  }

  /** The next query opens another one. */
  async close(): Promise<void> {
    const { connection } = this;
    this.connection = null;
    await connection?.close();
  }
}
