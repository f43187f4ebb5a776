import type { Principal, Relation } from '../../engine/interface/instance';
import { createModelledServer, type ModelledServerOptions } from '../../engine/landscape';
import { makeModelledServer, type ModelledServer } from '../../engine/modelled-server';
import { startBuiltInSessions } from '../../engine/world/built-in-sessions';
import { createWorld, type World } from '../../engine/world/world';
import { makeHealthy } from '../../scenarios/healthy';
import { createRandom } from '../../scenarios/random';
import type { ScenarioName } from '../../scenarios/scenarios';
import type { ServerDescription } from '../../scenarios/scenario';
import { SqlError, type SqlValue } from '../../tds/handler';
import { shown } from '../shown';

export const DBA: Principal = { spid: 60, login: 'dba', database: 'master' };
export const VIEWER: Principal = { spid: 61, login: 'viewer', database: 'master' };
export const READER: Principal = { spid: 62, login: 'reader', database: 'master' };
export const MINUTE_MS = 60_000;

/** A server whose clock moves only when a test advances it. */
export function createStill(seed = 1): ModelledServer {
  return createModelledServer({ seed, rate: 0 });
}

export const start = (scenario: ScenarioName, options: ModelledServerOptions = {}): ModelledServer =>
  createModelledServer({ rate: 0, ...options, scenario });

/** A server of that scenario after that time. */
export function runFor(
  minutes: number,
  scenario: ScenarioName,
  options: ModelledServerOptions = {},
): ModelledServer {
  const server = start(scenario, options);
  server.advance(minutes * MINUTE_MS);
  return server;
}

export type SmallServer = ModelledServer & { readonly world: World };

/** A small server of any release and platform, its clock still, and what it is made of. */
export function createSmall(description: Partial<ServerDescription> = {}): SmallServer {
  const healthy = makeHealthy(createRandom(7, 0), { databases: 30 });
  const scenario = { ...healthy, server: { ...healthy.server, ...description } };
  const world = createWorld(scenario, { seed: 7, rate: 0, startUtcMs: Date.UTC(2026, 2, 2, 9) });
  startBuiltInSessions(world);
  return Object.assign(makeModelledServer(world), { world });
}

/** Names of two user databases that are at work. */
export function listBusy({ world }: SmallServer): readonly [string, string] {
  const [first, second] = world.databases.all.filter(
    (each) => each.id > 4 && each.workload.activity === 'busy',
  );
  return [first?.name ?? '', second?.name ?? ''];
}

export type Row = Readonly<Record<string, SqlValue>>;

function listRows(name: string, relation: Relation | undefined): readonly Row[] {
  if (relation === undefined) throw new Error(`${name} is not modelled`);
  const modelled = relation.columns.flatMap(({ name, isModelled }, i) =>
    isModelled === false ? [] : [[name, i] as const],
  );
  return [...relation.rows()].map((row) =>
    Object.fromEntries(modelled.map(([column, i]) => [column, row[i] ?? null])),
  );
}

export function readRows(
  server: ModelledServer,
  name: string,
  principal = DBA,
  database = principal.database,
): readonly Row[] {
  const [schema, view] = name.split('.') as [string, string];
  return listRows(name, server.relation(database, schema, view, principal));
}

export function readFunction(
  server: ModelledServer,
  name: string,
  args: readonly SqlValue[],
  principal = DBA,
): readonly Row[] {
  const [schema, view] = name.split('.') as [string, string];
  return listRows(name, server.tableFunction(principal.database, schema, view, args, principal));
}

export const listUserDatabases = (server: ModelledServer): readonly Row[] =>
  readRows(server, 'sys.databases').filter((row) => Number(row['database_id']) > 4);

/** User databases whose options can be changed. */
export const listWritable = (server: ModelledServer): readonly Row[] =>
  listUserDatabases(server).filter((row) => row['state_desc'] === 'ONLINE' && row['is_read_only'] === false);

/** Sets those that are automatic to 60 seconds. @returns how many they are */
export function switchAll(server: ModelledServer): number {
  const automatic = listWritable(server).filter((row) => row['target_recovery_time_in_seconds'] === 0);
  automatic.forEach((row) => server.setTargetRecoveryTime(String(row['name']), 60, DBA));
  return automatic.length;
}

/** Columns of rows as one line, for comparison with a text. */
export const showRows = (rows: readonly Row[], ...columns: readonly string[]): string =>
  shown(rows.map((row) => columns.map((column) => row[column])));

/** The row of that name; without a value in any column if there is none. */
export const findRow = (server: ModelledServer, view: string, name = 'track'): Row =>
  readRows(server, view).find((row) => row['name'] === name) ?? {};

/** The error that refuses, and the one that follows it; none if nothing is refused. */
function listRefusals(act: () => unknown): readonly SqlError[] {
  try {
    act();
    return [];
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { followedBy } = error as { followedBy?: SqlError };
    return followedBy === undefined ? [error] : [error, followedBy];
  }
}

export const refusalNumbers = (act: () => unknown): readonly number[] =>
  listRefusals(act).map(({ number }) => number);

/** Numbers and texts. */
export const refusal = (act: () => unknown): string =>
  listRefusals(act)
    .map(({ number, message }) => `${number} ${message}`)
    .join(' | ');
