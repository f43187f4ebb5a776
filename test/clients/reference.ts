import { Connection, Request } from 'tedious';
import type { Answer, Cell, ClientConnection, ResultSet, ServerMessage, Target } from './client';

interface TediousMessage {
  readonly number: number;
  readonly state: number;
  readonly class: number;
  readonly lineNumber: number;
  readonly message: string;
}

interface TediousColumn {
  readonly value: unknown;
  readonly metadata: { readonly colName: string; readonly type: { readonly name: string }; readonly scale?: number };
}

function readMessage({ number, state, class: severity, lineNumber: line, message: text }: TediousMessage): ServerMessage {
  return { number, state, severity, line, text };
}

/** The client of the simulator's own tests, tedious: what it is answered, every other client must be answered too. */
export class Reference {
  private constructor(private readonly connection: Connection) {}

  static async connect({ port, user, password }: Target): Promise<Reference> {
    const connection = new Connection({
      server: 'localhost',
      authentication: { type: 'default', options: { userName: user, password } },
      options: { port, encrypt: false, trustServerCertificate: true, requestTimeout: 120_000, useUTC: true },
    });
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
    return new Reference(connection);
  }

  readonly batch: ClientConnection['batch'] = async (sql) => {
    const { connection } = this;
    const sets: { columns: string[]; rows: Cell[][] }[] = [];
    const infos: ServerMessage[] = [];
    const errors: ServerMessage[] = [];
    const onInfo = (message: TediousMessage): void => void infos.push(readMessage(message));
    const onError = (message: TediousMessage): void => void errors.push(readMessage(message));
    connection.on('infoMessage', onInfo).on('errorMessage', onError);
    await new Promise<void>((resolve) => {
      const request = new Request(sql, () => resolve());
      request.on('columnMetadata', (metadata) => {
        const columns = (metadata as { readonly colName: string }[]).map(({ colName }) => colName);
        sets.push({ columns, rows: [] });
      });
      request.on('row', (row: TediousColumn[]) => sets[sets.length - 1]?.rows.push(row.map(readCell)));
      connection.execSqlBatch(request);
    });
    connection.off('infoMessage', onInfo).off('errorMessage', onError);
    return { sets: sets satisfies ResultSet[], infos, errors } satisfies Answer;
  };

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.connection.once('end', () => resolve());
      this.connection.close();
    });
  }
}

function readCell({ value, metadata }: TediousColumn): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (value instanceof Date) return readDate(value, metadata.type.name, metadata.scale ?? 3);
  return String(value as string | number | bigint);
}

/* tedious keeps what is finer than a millisecond beside its Date. */
function readDate(date: Date & { nanosecondsDelta?: number }, type: string, scale: number): Cell {
  const finer = String(Math.round((date.nanosecondsDelta ?? 0) * 1e7))
    .padStart(4, '0')
    .slice(-4);
  const whole = `${date.toISOString().replace('Z', '')}${finer}`;
  if (type === 'Date') return whole.slice(0, 10);
  const cut = whole.slice(0, scale === 0 ? 19 : 20 + scale);
  return type === 'Time' ? cut.slice(11) : cut;
}
