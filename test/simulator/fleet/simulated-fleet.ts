import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectOptions, runCollect } from '../../../cli/src/commands/collect';
import { createOutput } from '../../../cli/src/kit/output';
import type { ServerOptions } from '../../../cli/src/servers/reaching';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { findSecrets, findSecretsBelow, testSecrets } from '../../secret-search';
import { makeFolder } from '../../temporary-folder';

export type SimulatedFleet = Awaited<ReturnType<typeof openFleet>>;

/** Nothing listens there. */
export const GONE = { port: 1 };
const CHANGED = ['CHECKPOINT_HEALTH_PASSWORD', 'CHECKPOINT_HEALTH_TOKEN', 'XDG_CONFIG_HOME', 'PATH'] as const;

/**
 * Simulated servers S0, S1, ..., a list of them in a file, a lake and a folder of their own for configuration.
 * @param login for every server; otherwise the administrator
 */
export async function openFleet(
  count: number,
  login: { readonly user?: string; readonly password?: string } = {},
  databases = 12,
) {
  const before = CHANGED.map((name) => [name, process.env[name]] as const);
  const folder = makeFolder();
  const [file, lake] = [join(folder, 'servers.json'), join(folder, 'lake')];
  const simulators: readonly Simulator[] = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      startSimulator({ rate: 0, tls: 'required', databases, seed: at + 1 }),
    ),
  );
  const list = (servers: readonly object[]): void => writeFileSync(file, JSON.stringify(servers));
  list(
    simulators.map(({ port, administrator }, at) => ({
      name: `S${at}`,
      server: 'localhost',
      port,
      user: login.user ?? administrator.user,
      trustServerCertificate: true,
    })),
  );
  const password = login.password ?? (simulators[0] as Simulator).administrator.password;
  Object.assign(process.env, {
    CHECKPOINT_HEALTH_PASSWORD: password,
    XDG_CONFIG_HOME: join(folder, 'config'),
  });
  const options: ServerOptions = {
    servers: file,
    user: '',
    authentication: 'sql',
    trustServerCertificate: false,
  };
  /** All that was said so far. */
  const said = { out: '', error: '' };
  const streams = {
    out: { write: (text: string) => (said.out += text) },
    error: { write: (text: string) => (said.error += text) },
  };
  const output = createOutput('text', {}, streams, Date.now);
  const run = {
    concurrency: 4,
    serverSeconds: 60,
    samples: true,
    errorLogHours: 1,
    logInAgain: false,
    tryAll: false,
  };
  return {
    simulators,
    folder,
    lake,
    options,
    said,
    output,
    /** Changes the list of servers. */
    list: (change: (servers: readonly object[]) => readonly object[]): void =>
      list(change(JSON.parse(readFileSync(file, 'utf8')) as object[])),
    /** One run into the lake. @returns how it ended */
    collect: (more?: Partial<CollectOptions>): Promise<number> =>
      runCollect({ ...options, ...run, lake, ...more }, output),
    /** Lets virtual time pass on all of them. */
    advance: (ms: number): void => simulators.forEach(({ server }) => server.advance(ms)),
    /** Ends them, and fails if a password is in anything that was written or said. */
    dispose: async (): Promise<void> => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      const secrets = [password, ...testSecrets];
      const leaked = [
        ...(await findSecretsBelow(folder, secrets)),
        ...(await findSecrets('output', said.out + said.error, secrets)),
      ];
      await Promise.all(simulators.map((each) => each.close()));
      assert.deepEqual(leaked, []);
    },
  };
}
