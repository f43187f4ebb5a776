/** Scripts written for a live server by the product itself, and the query windows in which they are run as a person would. */
import { createDirectAccess } from '../../src/hosts/direct/access';
import type { WaveChoice } from '../../src/core/advice/plan';
import type { ScriptRequest } from '../../src/core/script/script-request';
import type { ReviewScript } from '../../src/core/script/script-set';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { changeOf, choiceOf, rollbackOf } from '../core/script/scripts-of';
import { type LoginAddress, openQueryWindow, type Shown } from '../e2e/query-window';
import { keptSecret } from '../hosts/opening';
import { watchThrough } from '../simulator/product/watched-server';
import { listChanged } from '../simulator/scripts/scripted-server';
import { openLogin, quoteText } from './login';

/** Our monitor of that server; it reads when it is told to. */
export function watchLive({ host, port, user, password }: LoginAddress): ServerMonitor {
  const server = { id: 'live', name: 'LIVE', server: host, port, user, encrypt: 'mandatory', trustServerCertificate: true } as const;
  return watchThrough(createDirectAccess({ server, secrets: keptSecret(password) }));
}

/** The switch of those databases to 60 seconds and its rollback, as the review would open them. @throws Error where there is nothing to write */
export function writeSwitch(
  address: LoginAddress,
  names: readonly string[],
  waves?: WaveChoice,
): Promise<Readonly<Record<'change' | 'rollback', string>>> {
  return withMonitor(address, async (monitor) => {
    const chosen = monitor.snapshot.facts?.databases.filter(({ name }) => names.includes(name)) ?? [];
    const ids = chosen.map(({ databaseId }) => databaseId);
    const { scripts, plan } = await monitor.reviewSwitch(choiceOf(ids, true, waves === undefined ? {} : { waves }));
    if (scripts === null) throw new Error(`no switch was written: ${JSON.stringify(plan.exclusions)}`);
    return { change: changeOf(scripts), rollback: rollbackOf(scripts) };
  });
}

/** Another script. @throws Error with one sentence where there is nothing to write */
export function writeOther(address: LoginAddress, request: ScriptRequest): Promise<readonly ReviewScript[]> {
  return withMonitor(address, (monitor) => monitor.writeScript(request));
}

async function withMonitor<T>(address: LoginAddress, use: (monitor: ServerMonitor) => Promise<T>): Promise<T> {
  const monitor = watchLive(address);
  try {
    await monitor.refresh();
    if (monitor.snapshot.facts === null) throw new Error(monitor.snapshot.failure ?? 'no facts');
    return await use(monitor);
  } finally {
    await monitor.dispose();
  }
}

/** Runs a script batch by batch in a new window. */
export async function show(address: LoginAddress, script: string): Promise<Shown> {
  const window = await openQueryWindow(address);
  try {
    return await window.run(script);
  } finally {
    window.close();
  }
}

/** All that the scripts could change: target recovery times, and options of the server. */
async function readSettings(address: LoginAddress): Promise<ReadonlyMap<string, string>> {
  const login = await openLogin(address);
  try {
    const rows = await login.rows(`
      SELECT name, value = CONVERT(varchar(30), target_recovery_time_in_seconds) FROM sys.databases;
      SELECT name = N'option ' + name, value = CONCAT(CONVERT(int, value), '/', CONVERT(int, value_in_use)) FROM sys.configurations;`);
    return new Map(rows.map((row) => [String(row['name']), String(row['value'])]));
  } finally {
    login.close();
  }
}

/** What became of settings meanwhile, on each of those servers: "Sales: 0 -> 60", in the order of names. */
export async function during(addresses: readonly LoginAddress[], act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await Promise.all(addresses.map(readSettings));
  await act();
  const after = await Promise.all(addresses.map(readSettings));
  return before.flatMap((then, i) => listChanged(then, after[i]!));
}

/** The outcome of each row of the table of a script, without its reason. */
export function outcomesOf({ tables }: Shown): readonly string[] {
  return (tables[0] ?? []).map((row) => String(row['outcome']).replace(/:[^]*/, ''));
}

/** The id of a database. */
export async function idOf(address: LoginAddress, database: string): Promise<number> {
  const [row = {}] = (await show(address, `SELECT id = DB_ID(${quoteText(database)});`)).tables[0] ?? [];
  return Number(row['id']);
}
