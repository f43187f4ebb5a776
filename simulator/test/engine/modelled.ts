import { SaxesParser } from 'saxes';
import type { EventSessionDefinition } from '../../scenarios/event-session';
import type { Principal } from '../../engine/interface/instance';
import { createModelledServer } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import { SqlError, type SqlValue } from '../../tds/handler';

export const DBA: Principal = { spid: 60, login: 'dba', database: 'master' };
export const VIEWER: Principal = { spid: 61, login: 'viewer', database: 'master' };
export const READER: Principal = { spid: 62, login: 'reader', database: 'master' };
export const MINUTE_MS = 60_000;

/** A server whose clock moves only when a test advances it. */
export function createStill(seed = 1): ModelledServer {
  return createModelledServer({ seed, rate: 0 });
}

export type Row = Readonly<Record<string, SqlValue>>;

export function readRows(server: ModelledServer, name: string, principal = DBA, database = 'master'): readonly Row[] {
  const [schema, view] = name.split('.') as [string, string];
  const relation = server.relation(database, schema, view, principal);
  if (relation === undefined) throw new Error(`${name} is not modelled`);
  return [...relation.rows()].map((row) => Object.fromEntries(relation.columns.map((column, i) => [column.name, row[i] ?? null])));
}

export function readFunction(server: ModelledServer, name: string, args: readonly SqlValue[], principal = DBA): readonly Row[] {
  const [schema, view] = name.split('.') as [string, string];
  const relation = server.tableFunction('master', schema, view, args, principal);
  if (relation === undefined) throw new Error(`${name} is not modelled`);
  return [...relation.rows()].map((row) => Object.fromEntries(relation.columns.map((column, i) => [column.name, row[i] ?? null])));
}

export function defineTracking(name = 'track', options: Readonly<Record<string, string | number>> = {}): EventSessionDefinition {
  const event = (event: string) => ({ package: 'sqlserver', name: event, actions: ['sqlserver.session_id', 'sqlserver.database_name'] });
  return {
    name,
    scope: 'server',
    events: [event('checkpoint_begin'), event('checkpoint_end')],
    targets: [{ package: 'package0', name: 'event_file', options: { filename: `${name}.xel`, ...options } }],
    options: { TRACK_CAUSALITY: 'ON', MAX_DISPATCH_LATENCY: '5 SECONDS', STARTUP_STATE: 'OFF' },
  };
}

export function startTracking(server: ModelledServer, definition = defineTracking()): void {
  server.eventSessions.create(definition, DBA);
  server.eventSessions.alter(definition.name, 'server', [{ kind: 'state', state: 'start' }], DBA);
}

/** The same wherever it runs: Azure takes no local files, its databases have sessions of their own, and Amazon RDS wants to see the directory. @returns whose it is */
export function startTrackingAnywhere(server: ModelledServer): Principal {
  const { platform } = server;
  const isDatabaseScoped = platform === 'azure-sql-database';
  const [first] = readRows(server, 'sys.databases').filter((row) => Number(row['database_id']) > 4);
  const principal = { ...DBA, database: isDatabaseScoped ? String(first?.['name']) : 'master' };
  const scope = isDatabaseScoped ? 'database' : 'server';
  const ring = { package: 'package0', name: 'ring_buffer', options: { max_events_limit: 0 } };
  const definition = defineTracking('track', platform === 'rds' ? { filename: 'D:\\rdsdbdata\\log\\track.xel' } : {});
  const targets = isDatabaseScoped || platform === 'managed-instance' ? [ring] : definition.targets;
  server.eventSessions.create({ ...definition, scope, targets }, principal);
  server.eventSessions.alter('track', scope, [{ kind: 'state', state: 'start' }], principal);
  return principal;
}

export function stopTracking(server: ModelledServer, name = 'track'): void {
  server.eventSessions.alter(name, 'server', [{ kind: 'state', state: 'stop' }], DBA);
}

export function readEvents(
  server: ModelledServer,
  pattern = 'track*.xel',
  after?: { readonly file: SqlValue; readonly offset: SqlValue },
): readonly Row[] {
  return readFunction(server, 'sys.fn_xe_file_target_read_file', [pattern, null, after?.file ?? null, after?.offset ?? null]);
}

export interface ParsedEvent {
  readonly name: string;
  readonly utcMs: number;
  readonly data: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<string, string>>;
  /** Names of actions, in order. */
  readonly order: readonly string[];
}

/** The error that refuses; fails if nothing is refused. */
export function refusal(act: () => unknown): SqlError {
  try {
    act();
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Its number, and that of the error that follows it. */
export function refusalNumbers(act: () => unknown): readonly (number | undefined)[] {
  const error = refusal(act);
  return [error.number, (error as { followedBy?: SqlError }).followedBy?.number];
}

/** Events of a file, read by an XML library. */
export const readParsed = (server: ModelledServer, pattern?: string): readonly ParsedEvent[] =>
  readEvents(server, pattern).map((row) => parseEvent(String(row['event_data'])));

/** Tracks for that number of minutes. */
export function trackFor(server: ModelledServer, minutes: number, definition = defineTracking()): void {
  startTracking(server, definition);
  server.advance(minutes * MINUTE_MS);
  stopTracking(server, definition.name);
}

/** What an XML library reads in one event. */
export function parseEvent(xml: string): ParsedEvent {
  const parser = new SaxesParser();
  const event = { name: '', utcMs: NaN, data: {} as Record<string, string>, actions: {} as Record<string, string>, order: [] as string[] };
  let inside: [Record<string, string>, string] | undefined;
  let isValue = false;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    const attribute = (name: string): string => String(tag.attributes[name]);
    if (tag.name === 'event') Object.assign(event, { name: attribute('name'), utcMs: Date.parse(attribute('timestamp')) });
    if (tag.name === 'data') inside = [event.data, attribute('name')];
    if (tag.name === 'action') {
      inside = [event.actions, attribute('name')];
      event.order.push(attribute('name'));
    }
    isValue = tag.name === 'value';
    if (isValue && inside !== undefined) inside[0][inside[1]] = '';
  });
  const addText = (text: string): void => {
    if (isValue && inside !== undefined) inside[0][inside[1]] += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void (isValue = false));
  parser.write(xml).close();
  return event;
}
