import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModelledServer } from '../../../simulator/engine/landscape';
import type { ModelledServer } from '../../../simulator/engine/modelled-server';
import type { SqlValue } from '../../../simulator/tds/handler';
import { createSessionHost } from '../../../simulator/tsql/session-host';
import type { Capture } from '../../../src/core/capture/capture';
import type { EventRow } from '../../../src/core/events/event';
import { countReasons } from '../../core/capture/histories';
import { computeStatistics } from '../../core/finished';
import { root } from '../../../tools/packages';
import { fillWithDefaults } from '../../sql-syntax/template-defaults';
import { type Answer, ask } from '../../../simulator/test/tsql/client';

/** What the analysis in T-SQL says, and what our capture says of the same rows, in one form. */
interface Analysis {
  /** By database_id: checkpoints, average, p50, p95, p99, maximum, total in ms. */
  readonly databases: Readonly<Record<string, readonly number[]>>;
  /** By reason: how many events. */
  readonly unpaired: Readonly<Record<string, number>>;
  /** Events of checkpoints that were read, checkpoints, events that did not pair, events that cannot be read. */
  readonly ledger: readonly number[];
}

export interface SqlDesk {
  readonly server: ModelledServer;
  run(sql: string): Promise<Answer>;
  close(): Promise<void>;
}

/** A simulated server and a query window on it, without a network between them. */
export async function openSqlDesk(options: Parameters<typeof createModelledServer>[0] = {}, database = '', user = 'dba'): Promise<SqlDesk> {
  const server = createModelledServer({ rate: 0, ...options });
  const host = await createSessionHost(server);
  const session = host.login({
    user,
    password: 'Str0ng!Passw0rd',
    host: 'DESK',
    application: 'SSMS',
    library: '',
    database,
    encrypted: true,
  });
  const close = async (): Promise<void> => {
    session.close();
    await host.close();
  };
  return { server, run: (sql) => ask(session, { kind: 'batch', sql }), close };
}

/** A file of sql/ as it is run by hand: the named parameters filled, the others at their defaults. */
export function readSqlFile(path: string, values: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(join(root, 'sql', path), 'utf8');
  const filled = Object.entries(values).reduce((sql, [name, value]) => sql.replace(new RegExp(`<${name},[^<>]*>`, 'g'), () => value), text);
  return fillWithDefaults(filled);
}

type Row = Readonly<Record<string, SqlValue>>;

/** What sp_CheckpointHealth returns, result by result. */
export interface Health {
  readonly findings: readonly Row[];
  readonly groups: readonly Row[];
  readonly databases: readonly Row[];
  readonly session: Row;
  readonly checkpoints: readonly Row[];
  readonly events: readonly Row[];
}

const reading = 'sys.fn_xe_file_target_read_file(@read, NULL, NULL, NULL)';

/**
 * The procedure as one that lives as long as its window, which its header describes: the simulator has no permanent ones.
 * @param source what it reads events from in place of files
 */
export async function installProcedure(desk: SqlDesk, source = reading): Promise<void> {
  const text = readSqlFile('ssms/sp_CheckpointHealth.sql').replace(/^[^]*^ALTER PROCEDURE dbo\./m, 'CREATE OR ALTER PROCEDURE #');
  if (!text.includes(reading)) throw new Error('The procedure reads no files.');
  const { errors } = await desk.run(text.replace(reading, () => source));
  if (errors[0] !== undefined) throw new Error(`${errors[0].message} (line ${errors[0].line})`);
}

/** @throws Error with what the server said */
export async function checkHealth(desk: SqlDesk, parameters = ''): Promise<Health> {
  const { sets, errors } = await desk.run(`EXECUTE #sp_CheckpointHealth ${parameters};`);
  const [findings, groups, databases, session, checkpoints, events] = sets.map(({ columns, rows }) =>
    rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null]))),
  );
  if (errors.length > 0 || !findings || !groups || !databases || !session?.[0] || !checkpoints || !events)
    throw new Error(errors.map(({ message }) => message).join('; ') || `${sets.length} result sets`);
  return { findings, groups, databases, session: session[0], checkpoints, events };
}

/** What the procedure says of rows of our own making, which it finds where events are. */
export async function analyseRows(desk: SqlDesk, rows: readonly EventRow[]): Promise<Analysis> {
  const quote = (value: string | null): string => (value === null ? 'NULL' : `N'${value.replace(/'/g, "''")}'`);
  await desk.run(`IF OBJECT_ID(N'tempdb..#stored') IS NOT NULL DROP TABLE #stored;
    CREATE TABLE #stored (object_name nvarchar(60) NULL, event_data nvarchar(max) NULL);`);
  for (let at = 0; at < rows.length; at += 500) {
    const values = rows.slice(at, at + 500).map(({ objectName, eventData }) => `(${quote(objectName)}, ${quote(eventData)})`);
    await desk.run(`INSERT INTO #stored (object_name, event_data) VALUES\n${values.join(',\n')};`);
  }
  await installProcedure(desk, '#stored');
  return readAnalysis(await checkHealth(desk, '@hours = 100000, @top = 10000'));
}

export function readAnalysis({ checkpoints, events }: Health): Analysis {
  const number = (value: SqlValue | undefined): number => Number(String(value));
  const figures = ['checkpoints', 'average_ms', 'p50_ms', 'p95_ms', 'p99_ms', 'maximum_ms'];
  const databases = checkpoints.map((row) => [
    String(row['database_id']),
    figures.map((name) => number(row[name])).concat(Math.round(number(row['total_seconds']) * 1000)),
  ]);
  const outcomes = new Map(events.map((row) => [String(row['outcome']), number(row['events'])]));
  const of = (outcome: string): number => outcomes.get(outcome) ?? 0;
  const read = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  const [paired, malformed] = [of('checkpoint'), of('malformed')];
  return {
    databases: Object.fromEntries(databases) as Analysis['databases'],
    unpaired: Object.fromEntries([...outcomes].filter(([outcome]) => outcome !== 'checkpoint' && outcome !== 'malformed')),
    ledger: [read, paired / 2, read - paired - malformed, malformed],
  };
}

/** The same by our own capture, to which nothing more will come. */
export function analyseCapture(capture: Capture): Analysis {
  const always = { beginUtcMs: -Infinity, endUtcMs: Infinity };
  const observation = capture.observation ?? { beginUtcMs: 0, endUtcMs: 1, gaps: [] };
  const databases = computeStatistics(capture.columns, capture.databases.length, always, observation)
    .filter(({ count }) => count > 0)
    .map(({ database, count, averageMs, p50Ms, p95Ms, p99Ms, maximumMs, totalMs }) => [
      String(capture.databases[database]?.databaseId),
      [count, Math.round((averageMs ?? 0) * 1000) / 1000, p50Ms, p95Ms, p99Ms, maximumMs, totalMs],
    ]);
  const { rowsRead, checkpoints, unpaired, malformed, other } = capture.ledger();
  return {
    databases: Object.fromEntries(databases) as Analysis['databases'],
    unpaired: Object.fromEntries(countReasons(capture)),
    ledger: [rowsRead - other, checkpoints, unpaired, malformed],
  };
}
