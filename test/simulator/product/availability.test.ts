import assert from 'node:assert/strict';
import type { Plan } from '../../../src/core/advice/plan';
import { choiceOf } from '../../core/script/scripts-of';
import { openScriptedServer, type ScriptedServer } from '../scripts/scripted-server';
import { watch } from './watched-server';

const elsewhere = (primary: string): string => `It is a secondary replica here. Change it on ${primary}. The same script does that.`;

describe('Availability groups of the simulated servers, as the product sees them', () => {
  const at = async <T>(name: string, look: (opened: ScriptedServer) => Promise<T>): Promise<T> => {
    const opened = await openScriptedServer({ scenario: 'availability-group' }, name);
    try {
      return await look(opened);
    } finally {
      await opened.dispose();
    }
  };
  /** What the product would switch of all databases there. */
  const review = (name: string): Promise<Plan> => at(name, async (opened) => (await opened.reviewAll()).plan);
  const planned = ({ steps }: Plan): readonly string[] => steps.map(({ database }) => database.name).sort();
  const reasonFor = ({ exclusions }: Plan, database: string): string | undefined =>
    exclusions.find(({ name }) => name === database)?.reason;

  it('plans nothing of a distributed group on its forwarder, whose role is PRIMARY, nor behind it', async () => {
    const forwarder = await review('SALES-DR01');
    assert.equal(reasonFor(forwarder, 'Sales_Orders'), 'It is not writable here.');
    assert.deepEqual(planned(forwarder), ['Tools']);
    assert.deepEqual(planned(await review('SALES-DR02')), ['Tools']);
  });

  it('sees the roles too by a login that may see states and no definitions', () =>
    at('SALES-SQL02', async ({ simulator }) => {
      const { port } = simulator.replicas.find(({ name }) => name === 'SALES-SQL02') ?? assert.fail();
      const monitor = watch({ ...simulator, port }, { user: 'operator' });
      await monitor.refresh();
      const orders = monitor.snapshot.facts?.databases.find(({ name }) => name === 'Sales_Orders')?.databaseId ?? 0;
      const { plan } = await monitor.reviewSwitch(choiceOf([orders], true));
      await monitor.dispose();
      const excluded = plan.exclusions.map(({ name, reason, elsewhere: primary }) => [name, reason, primary]);
      assert.deepEqual(excluded, [['Sales_Orders', elsewhere('SALES-SQL01'), 'SALES-SQL01']]);
    }));
});
