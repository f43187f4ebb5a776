import assert from 'node:assert/strict';
import { createModelledServer } from '../engine/landscape';
import type { ScenarioName } from '../scenarios/scenarios';
import { createSessionHost } from '../tsql/session-host';
import { warmUp } from '../warm-up';

async function warm(scenario: ScenarioName): Promise<readonly string[]> {
  const server = createModelledServer({ scenario, rate: 0, databases: 5 });
  const host = await createSessionHost(server);
  try {
    return await warmUp(host, server.administrator);
  } finally {
    await host.close();
  }
}

describe('Statements before the first client', () => {
  for (const scenario of ['legacy-upgrade', 'linux', 'rds'] as const)
    it(`run on ${scenario}`, async () => assert.deepEqual(await warm(scenario), []));

  it('may be refused by a platform, which stops nothing', async () => {
    assert.match((await warm('azure-sql-database'))[0] ?? '', /https/);
  });
});
