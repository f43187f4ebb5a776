import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModelledServer, type ModelledServer } from '../../../simulator/engine/modelled-server';
import type { SqlValue } from '../../../simulator/tds/handler';
import { createSessionHost } from '../../../simulator/tsql/session-host';
import type { Capture } from '../../../src/core/capture/capture';
import type { EventRow } from '../../../src/core/capture/event';
import { computeStatistics } from '../../core/finished';
import { root } from '../../../tools/packages';
import { fillWithDefaults } from '../../sql-syntax/template-defaults';
import { type Answer, ask } from '../tsql/client';

/** What the analysis in T-SQL says, and what our capture says of the same rows, in one form. */
export interface Analysis {
  /** By database_id: checkpoints, average, p50, p95, p99, maximum, total in ms. */
  readonly databases: Readonly<Record<string, readonly number[]>>;
  /** By reason: how many events. */
  readonly unpaired: Readonly<Record<string, number>>;
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

/** The analysis over rows of our own making, in place of those of a file. */
export function writeAnalysisOf(rows: readonly EventRow[]): string {
  const text = readSqlFile('ssms/checkpoint-durations.sql');
  const [from, to] = [text.indexOf('/* 1. '), text.indexOf('/*\nEach text becomes XML')];
  if (from < 0 || to < from) throw new Error('The analysis has no part 1.');
  const quote = (value: string | null): string => (value === null ? 'NULL' : `N'${value.replace(/'/g, "''")}'`);
  const inserts = [];
  for (let at = 0; at < rows.length; at += 500) {
    const values = rows
      .slice(at, at + 500)
      .map(
        ({ objectName, fileName, fileOffset, eventData }) =>
          `(${quote(objectName)}, ${quote(`${fileName} ${fileOffset}`)}, ${quote(eventData)})`,
      );
    inserts.push(`INSERT INTO #raw (event_name, buffer, event_text) VALUES\n${values.join(',\n')};\n`);
  }
  return text.slice(0, from) + inserts.join('') + text.slice(to);
}

/** @throws Error with what the server said */
export function readAnalysis({ sets, errors }: Answer): Analysis {
  const [durations, unpaired, ledger] = sets;
  if (errors.length > 0 || durations === undefined || unpaired === undefined || ledger === undefined)
    throw new Error(errors.map(({ message }) => message).join('; ') || `${sets.length} result sets`);
  const number = (value: SqlValue | undefined): number => Number(String(value));
  const databases = durations.rows.map(([id, , count, , average, p50, p95, p99, maximum, seconds]) => [
    String(id),
    [count, average, p50, p95, p99, maximum].map(number).concat(Math.round(number(seconds) * 1000)),
  ]);
  return {
    databases: Object.fromEntries(databases) as Analysis['databases'],
    unpaired: Object.fromEntries(unpaired.rows.map(([reason, begins, ends]) => [String(reason), number(begins) + number(ends)])),
    ledger: (ledger.rows[0] ?? []).slice(0, 7).map(number),
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
  const { rowsRead, checkpoints, unpaired, duplicates, malformed, other } = capture.ledger();
  return {
    databases: Object.fromEntries(databases) as Analysis['databases'],
    unpaired: Object.fromEntries(capture.countUnpaired()),
    ledger: [rowsRead, checkpoints, unpaired, duplicates, malformed, other, 0],
  };
}
