import assert from 'node:assert/strict';
import type { SwitchReview, ServerMonitor } from '../../../src/monitor/server-monitor';
import { startSimulator, type Simulator } from '../../../simulator';
import { runAsAdministrator, watch } from './watched-server';
import { changeOf, choiceOf } from '../../core/script/scripts-of';

const elsewhere = (primary: string): string => `It is a secondary replica here. Change it on ${primary}. The same script does that.`;

describe('Availability groups of the simulated servers, as the product sees them', function () {
  this.timeout(60_000);
  let simulator: Simulator;
  const monitors: ServerMonitor[] = [];

  beforeEach(async () => (simulator = await startSimulator({ scenario: 'availability-group', rate: 0, tls: 'required' })));
  afterEach(async () => {
    for (const monitor of monitors.splice(0)) await monitor.dispose();
    await simulator.close();
  });

  const portOf = (name: string): number =>
    [...simulator.replicas, ...simulator.listeners].find((each) => each.name === name)?.port ?? assert.fail(name);
  const open = async (name: string, login?: Parameters<typeof watch>[1]): Promise<ServerMonitor> => {
    const monitor = watch({ ...simulator, port: portOf(name) }, login);
    monitors.push(monitor);
    await monitor.refresh();
    return monitor;
  };
  /** What the product would switch of everything that is automatic on a server. */
  const review = async (name: string): Promise<SwitchReview> => {
    const monitor = await open(name);
    const automatic = monitor.snapshot.facts?.databases.filter(({ targetSeconds }) => targetSeconds === 0) ?? [];
    return monitor.reviewSwitch(choiceOf(automatic.map(({ databaseId }) => databaseId)));
  };
  const planned = ({ plan }: SwitchReview): readonly string[] => plan.steps.map(({ database }) => database.name).sort();
  const reasonFor = ({ plan }: SwitchReview, database: string): string | undefined =>
    plan.exclusions.find(({ name }) => name === database)?.reason;
  const runOn = async (name: string, script = ''): Promise<string> =>
    (await runAsAdministrator({ ...simulator, port: portOf(name) }, script)).join('\n');

  it('plans nothing of a group on its secondaries, and says where its primary is', async () => {
    for (const name of ['SALES-SQL02', 'SALES-SQL03']) {
      const reviewed = await review(name);
      assert.equal(reasonFor(reviewed, 'Sales_Orders'), elsewhere('SALES-SQL01'), name);
      assert.ok(!planned(reviewed).some((database) => database.startsWith('Sales_')), name);
    }
    assert.equal(reasonFor(await review('SALES-SQL03'), 'Sales_Import'), 'It is restoring.', 'not joined there');
  });

  it('plans nothing of a distributed group on its forwarder, whose role is PRIMARY, nor behind it', async () => {
    const forwarder = await review('SALES-DR01');
    assert.equal(reasonFor(forwarder, 'Sales_Orders'), 'It is not writable here.');
    assert.deepEqual(planned(forwarder), ['Tools']);
    assert.deepEqual(planned(await review('SALES-DR02')), ['Tools']);
  });

  it('sees the roles too by a login that may see states and no definitions', async () => {
    const monitor = await open('SALES-SQL02', { user: 'operator', password: 'Str0ng!Passw0rd' });
    const orders = monitor.snapshot.facts?.databases.find(({ name }) => name === 'Sales_Orders')?.databaseId ?? 0;
    const { plan } = await monitor.reviewSwitch(choiceOf([orders], true));
    const excluded = plan.exclusions.map(({ name, reason, elsewhere }) => [name, reason, elsewhere]);
    assert.deepEqual(excluded, [['Sales_Orders', elsewhere('SALES-SQL01'), 'SALES-SQL01']]);
  });

  it('can change a database whose data movement is suspended where its primary is', async () => {
    await runOn('SALES-SQL01', 'ALTER DATABASE [Sales_Reports] SET HADR SUSPEND;');
    const reviewed = await review('SALES-SQL01');
    assert.ok(planned(reviewed).includes('Sales_Reports'));
    assert.match(await runOn('SALES-SQL01', changeOf(reviewed.scripts)), /Sales_Reports: CHANGED/);
  });
});
