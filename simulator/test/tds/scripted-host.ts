import type { Login, Reply, Request, Session, SessionHost } from '../../tds/handler';
import { SqlError } from '../../tds/handler';

export type Script = (request: Request, signal: AbortSignal) => AsyncIterable<Reply> | Iterable<Reply>;

/** A server without T-SQL: it answers every request by one script and remembers what it was asked. */
export interface ScriptedHost extends SessionHost {
  readonly logins: Login[];
  readonly requests: Request[];
  openSessions(): number;
  resets(): number;
}

export const columns: Reply = {
  kind: 'columns',
  columns: [{ name: 'n', type: { name: 'int' }, nullable: false }],
};
/** One row of one number. */
export const one: readonly Reply[] = [columns, { kind: 'rows', rows: [[1]] }, { kind: 'done', rowCount: 1 }];
/** Said before the next reply is there. */
export const ready: Reply = {
  kind: 'info',
  immediate: true,
  message: { number: 0, state: 1, severity: 0, message: 'ready', line: 1 },
};

export const password = 'Pässwörd🔑';
export const token = 'eyJ0eXAi.a-token.of-some-length'.repeat(50);

/** The SET statements that tedious sends after each login. */
function isClientSetup(request: Request): boolean {
  return request.kind === 'batch' && request.sql.startsWith('set ');
}

export function createScriptedHost(script: Script): ScriptedHost {
  const logins: Login[] = [];
  const requests: Request[] = [];
  let spid = 50;
  let open = 0;
  let resets = 0;
  const openSession = (database: string): Session => {
    open++;
    spid++;
    return {
      spid,
      database,
      async *execute(request, signal) {
        if (isClientSetup(request)) return;
        requests.push(request);
        yield* script(request, signal);
      },
      reset: () => void resets++,
      close: () => void open--,
    };
  };
  return {
    serverName: 'SCRIPTED',
    version: [15, 0, 4322],
    windowsDomain: 'CORP',
    logins,
    requests,
    openSessions: () => open,
    resets: () => resets,
    login: (login) => {
      logins.push(login);
      const isRight =
        login.token === token ||
        login.knows?.(password) ||
        (login.knows === undefined && login.password === password);
      if (!isRight) throw new SqlError(18_456, `Login failed for user '${login.user}'.`, 14);
      if (login.database === 'missing')
        throw new SqlError(
          4060,
          `Cannot open database "missing" requested by the login. The login failed.`,
          11,
        );
      return openSession(login.database || 'master');
    },
  };
}
