import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutput, type Output } from '../../../cli/src/kit/output';
import type { ServerOptions } from '../../../cli/src/servers/reaching';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { findSecrets, findSecretsBelow, testSecrets } from '../../secret-search';

/** Simulated servers S0, S1, ..., a list of them in a file, and a folder of their own for configuration. */
export interface SimulatedFleet {
  readonly simulators: readonly Simulator[];
  readonly folder: string;
  readonly options: ServerOptions;
  /** All that was said so far. */
  readonly said: { out: string; error: string };
  readonly output: Output;
  /** Ends them, and fails if a password is in anything that was written or said. */
  dispose(): Promise<void>;
}

const CHANGED = ['CHECKPOINT_HEALTH_PASSWORD', 'CHECKPOINT_HEALTH_TOKEN', 'XDG_CONFIG_HOME', 'PATH'] as const;

/** @param login for every server; otherwise the administrator */
export async function openFleet(
  count: number,
  login: { readonly user?: string; readonly password?: string } = {},
  isTrusted = true,
  databases = 12,
): Promise<SimulatedFleet> {
  const before = CHANGED.map((name) => [name, process.env[name]] as const);
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  const simulators = await Promise.all(
    Array.from({ length: count }, (_, at) => startSimulator({ rate: 0, tls: 'required', databases, seed: at + 1 })),
  );
  const servers = simulators.map(({ port, administrator }, at) => ({
    ...{ name: `S${at}`, server: 'localhost', port, user: login.user ?? administrator.user },
    trustServerCertificate: isTrusted,
  }));
  const file = join(folder, 'servers.json');
  writeFileSync(file, JSON.stringify(servers));
  const password = login.password ?? (simulators[0] as Simulator).administrator.password;
  process.env.CHECKPOINT_HEALTH_PASSWORD = password;
  process.env.XDG_CONFIG_HOME = join(folder, 'config');
  const said = { out: '', error: '' };
  return {
    ...{ simulators, folder, said },
    options: { servers: file, user: '', authentication: 'sql', trustServerCertificate: false },
    output: createOutput(
      'text',
      {},
      { out: { write: (text) => (said.out += text) }, error: { write: (text) => (said.error += text) } },
      Date.now,
    ),
    dispose: async () => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      const secrets = [password, ...testSecrets];
      const leaked = [...(await findSecretsBelow(folder, secrets)), ...(await findSecrets('output', said.out + said.error, secrets))];
      rmSync(folder, { recursive: true });
      await Promise.all(simulators.map((each) => each.close()));
      assert.deepEqual(leaked, []);
    },
  };
}
