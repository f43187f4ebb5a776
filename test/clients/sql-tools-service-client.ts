import type { InstalledService } from '../../tools/clients/sql-tools-service';
import {
  LoginRefused,
  type Answer,
  type Cell,
  type Client,
  type ClientConnection,
  type ResultSet,
  type ServerMessage,
  type Target,
} from './client';
import { JsonRpcService } from './json-rpc';

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
  readonly resultSubset: { readonly rows: readonly (readonly { readonly displayValue: string; readonly isNull: boolean }[])[] };
}

interface Connected {
  readonly ownerUri: string;
  readonly connectionId: string | null;
  readonly errorMessage: string | null;
  readonly errorNumber: number;
  readonly messages: string | null;
  readonly serverInfo: {
    readonly serverVersion: string;
    readonly engineEditionId: number;
    readonly serverEdition: string;
    readonly isCloud: boolean;
  };
}

/** The options of a connection as vscode-mssql and Azure Data Studio write them. */
export function connectionOptions({ port, user, password, encryption }: Target): Readonly<Record<string, unknown>> {
  const encrypt = encryption !== 'none';
  return {
    server: `localhost,${port}`,
    user,
    password,
    authenticationType: 'SqlLogin',
    encrypt,
    trustServerCertificate: encryption === 'trusting',
    database: '',
  };
}

/** Microsoft's SQL Tools Service, the back end of Azure Data Studio and vscode-mssql, asked in its own protocol. */
export class SqlToolsServiceClient implements Client {
  readonly service: JsonRpcService;
  private documents = 0;

  constructor({ program, env }: InstalledService) {
    this.service = new JsonRpcService(program, [], env);
  }

  async initialize(): Promise<this> {
    await this.service.request('initialize', { processId: process.pid, rootPath: null, capabilities: {} });
    return this;
  }

  async open(target: Target): Promise<Connected> {
    const ownerUri = `file:///query-${++this.documents}.sql`;
    const completed = this.service.next<Connected>('connection/complete', (event) => event.ownerUri === ownerUri);
    await this.service.request('connection/connect', { ownerUri, connection: { options: connectionOptions(target) } });
    return completed;
  }

  async connect(target: Target): Promise<ClientConnection> {
    const { ownerUri, connectionId, errorMessage, errorNumber } = await this.open(target);
    if (connectionId) return new Document(this.service, ownerUri);
    const text = errorMessage ?? '';
    throw new LoginRefused(text, errorNumber ? [{ number: errorNumber, state: null, severity: null, line: null, text }] : []);
  }

  end(): Promise<void> {
    return this.service.end();
  }
}

/** A document with its connection. */
class Document implements ClientConnection {
  private told = 0;

  constructor(
    private readonly service: JsonRpcService,
    private readonly ownerUri: string,
  ) {}

  async batch(sql: string): Promise<Answer> {
    return this.readAnswer(await this.execute(sql));
  }

  async cancel(sql: string, afterMs: number): Promise<Answer> {
    const executing = await this.execute(sql);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await this.service.request('query/cancel', { ownerUri: this.ownerUri });
    return this.readAnswer(executing);
  }

  /** The request is answered before the batch has run; the completion comes later, and is therefore wrapped. */
  private async execute(sql: string): Promise<{ readonly completed: Promise<Completed> }> {
    const { ownerUri } = this;
    this.told = this.messages().length;
    const completed = this.service.next<Completed>('query/complete', (event) => event.ownerUri === ownerUri);
    await this.service.request('query/executeString', { ownerUri, query: sql });
    return { completed };
  }

  private messages(): readonly Told[] {
    return this.service.all<Told>('query/message').filter(({ ownerUri }) => ownerUri === this.ownerUri);
  }

  private async readAnswer({ completed }: { readonly completed: Promise<Completed> }): Promise<Answer> {
    const { batchSummaries } = await completed;
    const sets: ResultSet[] = [];
    for (const { id: batchIndex, resultSetSummaries } of batchSummaries)
      for (const { id: resultSetIndex, rowCount, columnInfo } of resultSetSummaries) {
        const rows = rowCount === 0 ? [] : await this.readRows(batchIndex, resultSetIndex, rowCount);
        sets.push({ columns: columnInfo.map(({ columnName }) => columnName), rows });
      }
    const said = this.messages()
      .slice(this.told)
      .map(({ message }) => message);
    return {
      sets,
      infos: said.filter(({ isError, message }) => !isError && !isServicesOwn(message)).map(({ message }) => readText(message)),
      errors: said.filter(({ isError }) => isError).map(({ message }) => readError(message)),
    };
  }

  private async readRows(batchIndex: number, resultSetIndex: number, rowsCount: number): Promise<readonly (readonly Cell[])[]> {
    const wanted = { ownerUri: this.ownerUri, batchIndex, resultSetIndex, rowsStartIndex: 0, rowsCount };
    const { resultSubset } = await this.service.request<Subset>('query/subset', wanted);
    return resultSubset.rows.map((row) => row.map(({ displayValue, isNull }) => (isNull ? null : displayValue)));
  }

  async close(): Promise<void> {
    await this.service.request('connection/disconnect', { ownerUri: this.ownerUri });
  }
}

/** What the service itself says of a batch. */
function isServicesOwn(text: string): boolean {
  return /^\(\d+ rows? affected\)$|^Commands completed successfully\.$|^Started executing|^Total execution time/.test(text);
}

function readText(text: string): ServerMessage {
  return { number: null, state: null, severity: null, line: null, text };
}

/** `Msg 8134, Level 16, State 1, Line 3`, a line break and the text. */
function readError(text: string): ServerMessage {
  const match = /^Msg (\d+), Level (\d+), State (\d+), (?:Procedure .*, )?Line (\d+)\r?\n([^]*)$/.exec(text);
  if (!match) return readText(text);
  const [, number, severity, state, line, said = ''] = match;
  return { number: Number(number), severity: Number(severity), state: Number(state), line: Number(line), text: said };
}
