import assert from 'node:assert/strict';
import { reachServers, type ServerOptions } from '../../../cli/src/servers/reaching';
import { openFleet, type SimulatedFleet } from './simulated-fleet';

describe('A central management server', () => {
  let fleet: SimulatedFleet;
  beforeEach(async () => (fleet = await openFleet(1)));
  afterEach(() => fleet.dispose());

  async function list(more: Partial<ServerOptions> = {}): Promise<readonly (readonly [string, string])[]> {
    const cms = `localhost,${fleet.simulators[0]!.port}`;
    const options = {
      cms,
      user: 'dba',
      authentication: 'sql',
      trustServerCertificate: true,
      ...more,
    } as const;
    const servers = await reachServers(options, fleet.output);
    return servers.map(({ name, server }) => [name, server.server]);
  }

  it('gives the servers that are registered there, all or those of a group', async () => {
    fleet.simulators[0]!.server.registered.push(
      { group: '', name: 'outside', server: 'SQL00' },
      { group: 'Production', name: "a]b'c", server: 'SQL01,1433' },
      { group: 'Production/East', name: 'PROD 2', server: 'SQL02\\INST' },
      { group: 'Test', name: 'TEST', server: 'SQL03' },
      { group: 'Test', name: 'PROD 2', server: 'SQL02\\INST' },
    );
    assert.deepEqual(
      (await list()).map(([name]) => name),
      ['outside', "a]b'c", 'PROD 2', 'TEST'],
    );
    assert.deepEqual(await list({ group: 'Production' }), [
      ["a]b'c", 'SQL01,1433'],
      ['PROD 2', 'SQL02\\INST'],
    ]);
    assert.deepEqual(await list({ group: 'Production/East' }), [['PROD 2', 'SQL02\\INST']]);
    await assert.rejects(
      list({ group: 'East/Production' }),
      /The groups are Production, Production\/East, Test\./,
    );
  });

  it('says why it gives none', async () => {
    await assert.rejects(list(), /No server of the Database Engine is registered there/);
    await assert.rejects(
      list({ user: 'viewer' }),
      /did not allow login viewer to do this: .*Ask an administrator for that permission/,
    );
    await assert.rejects(list({ server: ['SQL01'] }), /Give one of --server, --servers and --cms/);
    process.env.CHECKPOINT_HEALTH_PASSWORD = 'wrong';
    await assert.rejects(list(), /refused login dba.*18456/);
  });
});
