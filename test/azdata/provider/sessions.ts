import type { ConnectionInfo } from 'azdata';

/** The connections that the host holds open, by their URIs: what to log in with, for SQL Tools Service logs in again for each simple query. */
export interface Sessions {
  set(uri: string, info: ConnectionInfo): void;
  /** @throws Error where the URI is not connected */
  get(uri: string): ConnectionInfo;
  delete(uri: string): boolean;
}

/** Keeps none at first. */
export function createSessions(): Sessions {
  const byUri = new Map<string, ConnectionInfo>();
  return {
    set: (uri, info) => void byUri.set(uri, info),
    get: (uri) => {
      const info = byUri.get(uri);
      // The sentence of SQL Tools Service for a URI that it does not know.
      if (info === undefined) throw new Error('Specified OwnerUri is not connected.');
      return info;
    },
    delete: (uri) => byUri.delete(uri),
  };
}
