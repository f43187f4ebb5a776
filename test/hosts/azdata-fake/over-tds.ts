/** Behind the fake a server that speaks TDS: each text on a login of its own, as SQL Tools Service does it. */
import { withLogin } from '../../azdata/provider/login';
import { withQueryLogin } from '../../azdata/provider/simple-execute';
import { LoginRefused, type LogIn } from './connections';
import type { HostProfile } from './profile';
import type { Execute } from './queries';

/** Where a server of this name listens; the name may be any. */
export type Reach = (serverName: string) => { readonly host: string; readonly port: number };

export function logInOverTds(reach: Reach): LogIn {
  return async (profile) => {
    try {
      return await withLogin(locate(profile, reach), async (run) => {
        const { sets } = await run('SELECT DB_NAME();');
        return String(sets[0]?.rows[0]?.[0]);
      });
    } catch (error) {
      throw explain(error);
    }
  };
}

export function executeOverTds(reach: Reach): Execute {
  return (profile, text) =>
    withQueryLogin(locate(profile, reach), async (run) => {
      const { sets, messages } = await run(text);
      const error = messages.find(({ isError }) => isError)?.text;
      return {
        sets: sets.map(({ columns, rows }) => ({
          rows,
          columns: columns.map(({ colName, type }) => ({ name: colName, type: type.name.toLowerCase() })),
        })),
        ...(error !== undefined && { error }),
      };
    });
}

function locate({ options }: HostProfile, reach: Reach): { options: Record<string, unknown> } {
  const { host, port } = reach(String(options['server']));
  return { options: { ...options, server: `${host},${port}` } };
}

/** The number of SQL Server's refusal; tedious itself only says that the login failed. */
function explain(error: unknown): LoginRefused {
  const { message, code, number } = error as Error & { code?: string; number?: number };
  return new LoginRefused(message, number ?? (code === 'ELOGIN' ? 18456 : -1));
}
