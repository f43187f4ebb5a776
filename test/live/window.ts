/** Scripts written for a live server by the product itself, and the query windows in which they are run as a person would. */
import { createDirectAccess } from '../../src/hosts/direct/access';
import type { WaveChoice } from '../../src/core/advice/plan';
import type { ScriptRequest } from '../../src/core/script/script-request';
import type { ReviewScript } from '../../src/core/script/script-set';
import type { ServerMonitor } from '../../src/monitor/server-monitor';
import { type LoginAddress, openQueryWindow, type Shown } from '../e2e/query-window';
import { choiceOf } from '../core/script/scripts-of';
import { keptSecret } from '../hosts/opening';
import { watchThrough } from '../simulator/product/watched-server';
import { openLogin } from './login';
import { quoteText } from './quoting';

/** Our monitor of that server; it reads when it is told to. */
export function watchLive({ host, port, user, password }: LoginAddress): ServerMonitor {
  const server = { id: 'live', name: 'LIVE', server: host, port, user, encrypt: 'mandatory', trustServerCertificate: true } as const;
  return watchThrough(createDirectAccess({ server, secrets: keptSecret(password) }));
}

/** The switch of those databases to 60 seconds and its rollback, as the review would open them. @throws Error where there is nothing to write */
export async function writeSwitch(
  address: LoginAddress,
  names: readonly string[],
  waves?: WaveChoice,
): Promise<{ readonly change: string; readonly rollback: string }> {
  const scripts = await withMonitor(address, async (monitor) => {
    const ids = monitor.snapshot.facts?.databases.filter(({ name }) => names.includes(name)).map(({ databaseId }) => databaseId) ?? [];
    const review = await monitor.reviewSwitch(choiceOf(ids, true, waves === undefined ? {} : { waves }));
    if (review.scripts === null) throw new Error(`no switch was written: ${JSON.stringify(review.plan.exclusions)}`);
    return review.scripts.scripts;
  });
  return { change: textOf(scripts), rollback: textOf(scripts, 'rollback') };
}

/** Another script. @throws Error with one sentence where there is nothing to write */
export function writeOther(address: LoginAddress, request: ScriptRequest): Promise<readonly ReviewScript[]> {
  return withMonitor(address, (monitor) => monitor.writeScript(request));
}

/** The text of the first script of that kind; '' where there is none. */
export function textOf(scripts: readonly ReviewScript[], kind: ReviewScript['kind'] = 'change'): string {
  return scripts.find((script) => script.kind === kind)?.text ?? '';
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
    const targets = await login.rows('SELECT name, seconds = target_recovery_time_in_seconds FROM sys.databases;');
    const options = await login.rows(
      'SELECT name, value = CONVERT(int, value), in_use = CONVERT(int, value_in_use) FROM sys.configurations;',
    );
    return new Map([
      ...targets.map((row) => [String(row['name']), String(row['seconds'])] as const),
      ...options.map((row) => [`option ${String(row['name'])}`, `${String(row['value'])}/${String(row['in_use'])}`] as const),
    ]);
  } finally {
    login.close();
  }
}

/** What became of settings meanwhile, on each of those servers: "Sales: 0 -> 60", in the order of names. */
export async function during(addresses: readonly LoginAddress[], act: () => Promise<unknown>): Promise<readonly string[]> {
  const readAll = (): Promise<readonly ReadonlyMap<string, string>[]> => Promise.all(addresses.map(readSettings));
  const before = await readAll();
  await act();
  const after = await readAll();
  return addresses.flatMap((_, i) => compare(before[i] ?? new Map(), after[i] ?? new Map())).sort();
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? 'none'} -> ${after.get(name) ?? 'none'}`);
}

/** The outcome of each row of the table of a script, without its reason. */
export function outcomesOf({ tables }: Shown): readonly string[] {
  return (tables[0] ?? []).map((row) => String(row['outcome']).replace(/:[^]*/, ''));
}

export function findServerName(address: LoginAddress): Promise<string> {
  return readCell(address, "SELECT name = CONVERT(nvarchar(128), SERVERPROPERTY(N'ServerName'));");
}

export async function idOf(address: LoginAddress, database: string): Promise<number> {
  return Number(await readCell(address, `SELECT id = DB_ID(${quoteText(database)});`));
}

async function readCell(address: LoginAddress, sql: string): Promise<string> {
  const [row = {}] = (await show(address, sql)).tables[0] ?? [];
  return String(Object.values(row)[0]);
}

/** The script as if it had been written for that server. */
export function nameServer(script: string, server: string): string {
  return script.replace(
    /(SERVERPROPERTY\(N'ServerName'\)\), N''\)\s+<> )N'[^']*'/,
    (_whole, before: string) => `${before}${quoteText(server)}`,
  );
}
