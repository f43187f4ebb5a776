/** Event sessions that follow checkpoints, and what can be read of them. */
import { SaxesParser } from 'saxes';
import {
  fileTarget,
  type EventDefinition,
  type EventSessionChange,
  type EventSessionDefinition,
  ringTarget,
  type TargetDefinition,
} from '../../scenarios/event-session';
import type { Principal } from '../../engine/interface/instance';
import type { ModelledServer } from '../../engine/modelled-server';
import type { SqlValue } from '../../tds/handler';
import { DBA, MINUTE_MS, findRow, readFunction, readRows, type Row } from './modelled';

/** Events without actions. */
export const listEvents = (...names: readonly string[]): readonly EventDefinition[] =>
  names.map((name) => ({ package: 'sqlserver', name, actions: [] }));

export function defineTracking(more: Partial<EventSessionDefinition> = {}): EventSessionDefinition {
  const name = more.name ?? 'track';
  const actions = ['sqlserver.session_id', 'sqlserver.database_name'];
  return {
    name,
    scope: 'server',
    events: listEvents('checkpoint_begin', 'checkpoint_end').map((event) => ({ ...event, actions })),
    targets: [fileTarget({ filename: `${name}.xel` })],
    options: { TRACK_CAUSALITY: 'ON', MAX_DISPATCH_LATENCY: '5 SECONDS', STARTUP_STATE: 'OFF' },
    ...more,
  };
}

/** Files of at most one MB each. */
export const smallFiles = (max_rollover_files: number): readonly TargetDefinition[] => [
  fileTarget({ filename: 'track.xel', max_file_size: 1, max_rollover_files }),
];

export const alterTracking = (
  server: ModelledServer,
  changes: readonly EventSessionChange[],
  name = 'track',
): void => server.eventSessions.alter(name, 'server', changes, DBA);

function setState(
  server: ModelledServer,
  state: 'start' | 'stop',
  { name, scope }: EventSessionDefinition,
  principal: Principal,
): void {
  server.eventSessions.alter(name, scope, [{ kind: 'state', state }], principal);
}

export function startTracking<S extends ModelledServer>(
  server: S,
  definition = defineTracking(),
  principal = DBA,
): S {
  server.eventSessions.create(definition, principal);
  setState(server, 'start', definition, principal);
  return server;
}

export const stopTracking = (server: ModelledServer, definition = defineTracking(), principal = DBA): void =>
  setState(server, 'stop', definition, principal);

/** Tracks for that number of minutes. */
export function trackFor<S extends ModelledServer>(
  server: S,
  minutes: number,
  definition = defineTracking(),
  principal = DBA,
): S {
  startTracking(server, definition, principal).advance(minutes * MINUTE_MS);
  stopTracking(server, definition, principal);
  return server;
}

/**
 * The same wherever it runs: Azure takes no local files, its databases have sessions of their own, and Amazon RDS wants
 * to see the directory.
 * @returns whose it is
 */
export function startTrackingAnywhere(server: ModelledServer): Principal {
  const { platform } = server;
  const isDatabaseScoped = platform === 'azure-sql-database';
  const [first] = readRows(server, 'sys.databases').filter((row) => Number(row['database_id']) > 4);
  const principal = { ...DBA, database: isDatabaseScoped ? String(first?.['name']) : 'master' };
  const targets =
    platform === 'rds'
      ? [fileTarget({ filename: 'D:\\rdsdbdata\\log\\track.xel' })]
      : [ringTarget({ max_events_limit: 0 })];
  const where = {
    scope: isDatabaseScoped ? 'database' : 'server',
    ...(!['windows', 'linux'].includes(platform) && { targets }),
  } as const;
  startTracking(server, defineTracking(where), principal);
  return principal;
}

/** What a running session keeps in its only target of that name. */
export function readTarget(server: ModelledServer, name = 'ring_buffer'): string | undefined {
  const address = String(findRow(server, 'sys.dm_xe_sessions')['address']);
  const isIts = (row: Row): boolean =>
    row['target_name'] === name && String(row['event_session_address']) === address;
  return readRows(server, 'sys.dm_xe_session_targets').find(isIts)?.['target_data'] as string | undefined;
}

export function readEvents(
  server: ModelledServer,
  pattern = 'track*.xel',
  {
    file,
    offset,
    principal,
  }: { readonly file?: SqlValue; readonly offset?: SqlValue; readonly principal?: Principal } = {},
): readonly Row[] {
  return readFunction(
    server,
    'sys.fn_xe_file_target_read_file',
    [pattern, null, file ?? null, offset ?? null],
    principal,
  );
}

/** Events of a file, read by an XML library. */
export const readParsed = (server: ModelledServer, pattern?: string): readonly ParsedEvent[] =>
  readEvents(server, pattern).map((row) => parseEvent(String(row['event_data'])));

export interface ParsedEvent {
  readonly name: string;
  readonly utcMs: number;
  readonly data: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<string, string>>;
  /** Names of actions, in order. */
  readonly order: readonly string[];
}

/** What an XML library reads in one event. */
export function parseEvent(xml: string): ParsedEvent {
  const parser = new SaxesParser();
  const event = {
    name: '',
    utcMs: NaN,
    data: {} as Record<string, string>,
    actions: {} as Record<string, string>,
    order: [] as string[],
  };
  let inside: [Record<string, string>, string] | undefined;
  let isValue = false;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    const attribute = (name: string): string => String(tag.attributes[name]);
    if (tag.name === 'event')
      Object.assign(event, { name: attribute('name'), utcMs: Date.parse(attribute('timestamp')) });
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
