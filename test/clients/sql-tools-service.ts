/** Microsoft's SQL Tools Service, the back end of Azure Data Studio and vscode-mssql, asked in its own protocol. */
import type { InstalledService } from '../../tools/clients/sql-tools-service';
import {
  LoginRefused,
  onlyText,
  type Answer,
  type Client,
  type ClientConnection,
  type Message,
  type Target,
} from './client';
import { Program, writeJsonRpc } from './program';

interface Completed {
  readonly ownerUri: string;
  readonly batchSummaries: readonly {
    readonly id: number;
    readonly resultSetSummaries: readonly {
      readonly id: number;
      readonly rowCount: number;
      readonly columnInfo: readonly { readonly columnName: string }[];
    }[];
  }[];
}

interface Told {
  readonly ownerUri: string;
  readonly message: { readonly isError: boolean; readonly message: string };
}

interface Subset {
  readonly resultSubset: {
    readonly rows: readonly (readonly { readonly displayValue: string; readonly isNull: boolean }[])[];
  };
}

interface Connected {
  readonly ownerUri: string;
  readonly connectionId: string | null;
  readonly errorMessage: string | null;
  readonly errorNumber: number;
}

/** The options of a connection as vscode-mssql and Azure Data Studio write them. */
function connectionOptions({ port, user, password, encryption }: Target): Readonly<Record<string, unknown>> {
  const security = { encrypt: encryption !== 'none', trustServerCertificate: encryption === 'trusting' };
  return {
    server: `localhost,${port}`,
    user,
    password,
    authenticationType: 'SqlLogin',
    database: '',
    ...security,
  };
}

export class SqlToolsServiceClient extends Program implements Client {
  private documents = 0;

  constructor({ program, env }: InstalledService) {
    super(program, [], writeJsonRpc, env);
  }

  async initialize(): Promise<this> {
    await this.request('initialize', { processId: process.pid, rootPath: null, capabilities: {} });
    return this;
  }

  async connect(target: Target): Promise<ClientConnection> {
    const ownerUri = `file:///query-${++this.documents}.sql`;
    const opened = this.next<Connected>('connection/complete', (event) => event.ownerUri === ownerUri);
    await this.request('connection/connect', {
      ownerUri,
      connection: { options: connectionOptions(target) },
    });
    const { connectionId, errorMessage, errorNumber } = await opened;
    const refused = onlyText(errorMessage ?? '');
    if (!connectionId)
      throw new LoginRefused(refused.text, errorNumber ? [{ ...refused, number: errorNumber }] : []);
    return {
      ask: async (operation, sql, afterMs) => {
        const told = this.listMessages(ownerUri).length;
        const completed = this.next<Completed>('query/complete', (event) => event.ownerUri === ownerUri);
        await this.request('query/executeString', { ownerUri, query: sql });
        if (operation === 'cancel') {
          await new Promise((resolve) => setTimeout(resolve, Number(afterMs)));
          await this.request('query/cancel', { ownerUri });
        }
        return this.readAnswer(await completed, told);
      },
      close: () => this.request('connection/disconnect', { ownerUri }),
    };
  }

  private listMessages(ownerUri: string): readonly Told['message'][] {
    return this.all<Told>('query/message').flatMap((told) =>
      told.ownerUri === ownerUri ? [told.message] : [],
    );
  }

  private async readAnswer({ ownerUri, batchSummaries }: Completed, told: number): Promise<Answer> {
    const sets: Answer['sets'][number][] = [];
    for (const { id: batchIndex, resultSetSummaries } of batchSummaries)
      for (const { id: resultSetIndex, rowCount: rowsCount, columnInfo } of resultSetSummaries) {
        const wanted = { ownerUri, batchIndex, resultSetIndex, rowsStartIndex: 0, rowsCount };
        const { resultSubset } =
          rowsCount === 0
            ? { resultSubset: { rows: [] } }
            : await this.request<Subset>('query/subset', wanted);
        const rows = resultSubset.rows.map((row) =>
          row.map(({ displayValue, isNull }) => (isNull ? null : displayValue)),
        );
        sets.push({ columns: columnInfo.map(({ columnName }) => columnName), rows });
      }
    const said = this.listMessages(ownerUri).slice(told);
    const infos = said
      .filter(({ isError, message }) => !isError && !SERVICES_OWN.test(message))
      .map(({ message }) => onlyText(message));
    return {
      sets,
      infos,
      errors: said.filter(({ isError }) => isError).map(({ message }) => readError(message)),
    };
  }
}

/** What the service itself says of a batch. */
const SERVICES_OWN =
  /^\(\d+ rows? affected\)$|^Commands completed successfully\.$|^Started executing|^Total execution time/;

/** `Msg 8134, Level 16, State 1, Line 3`, a line break and the text. */
function readError(text: string): Message {
  const match = /^Msg (\d+), Level (\d+), State (\d+), (?:Procedure .*, )?Line (\d+)\r?\n([^]*)$/.exec(text);
  if (!match) return onlyText(text);
  const [number = 0, severity = 0, state = 0, line = 0] = match.slice(1, 5).map(Number);
  return { number, severity, state, line, text: match[5] ?? '' };
}
