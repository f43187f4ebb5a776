/** What a server was asked, as it is seen from the way to it. */
import { type Connection, ConnectionError, type ServerAccess } from '../../../src/hosts/host';

export interface QueryCost {
  queries: number;
  /** Milliseconds that the server took to answer them. */
  serverMs: number;
  /** The server refused a login that was sent. A login that was held back is none. */
  refusal: ConnectionError | null;
}

/** The same access, whose queries and refused logins are counted in `cost`. */
export function countQueries(access: ServerAccess, cost: QueryCost, elapsedMs: () => number): ServerAccess {
  return {
    ...access,
    open: async (opening) => {
      let isSent = false;
      const turn = async (secret?: string): Promise<void> => {
        await opening.turn(secret);
        isSent = true;
      };
      const connection = await access.open({ ...opening, turn }).catch((error: unknown) => {
        if (isSent && error instanceof ConnectionError && error.reason === 'loginFailed')
          cost.refusal = error;
        throw error;
      });
      const query: Connection['query'] = async (text, options) => {
        const fromMs = elapsedMs();
        cost.queries++;
        return connection.query(text, options).finally(() => (cost.serverMs += elapsedMs() - fromMs));
      };
      return { capabilities: connection.capabilities, query, close: () => connection.close() };
    },
  };
}
