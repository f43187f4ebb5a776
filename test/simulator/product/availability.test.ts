import assert from 'node:assert/strict';
import type { DatabaseFacts } from '../../../src/core/advice/facts';
import type { SwitchReview, ServerMonitor } from '../../../src/monitor/server-monitor';
import { startSimulator, type Simulator } from '../../../simulator';
import { runAsAdministrator, watch } from './watched-server';
import { changeOf, choiceOf } from '../../core/script/scripts-of';

const AUTOMATIC = ['Sales_Archive', 'Sales_Import', 'Sales_Orders', 'Sales_Reports', 'Sales_Stock'];

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
  const readFacts = async (name: string): Promise<{ monitor: ServerMonitor; databases: readonly DatabaseFacts[] }> => {
    const monitor = watch({ ...simulator, port: portOf(name) });
    monitors.push(monitor);
    await monitor.refresh();
    return { monitor, databases: monitor.snapshot.facts?.databases ?? [] };
  };
  /** What the product would switch of everything that is automatic on a server. */
  const review = async (name: string): Promise<SwitchReview> => {
    const { monitor, databases } = await readFacts(name);
    const automatic = databases.filter(({ targetSeconds }) => targetSeconds === 0).map(({ databaseId }) => databaseId);
    return monitor.reviewSwitch(choiceOf(automatic));
  };
  const planned = ({ plan }: SwitchReview): readonly string[] => plan.steps.map(({ database }) => database.name).sort();
  const reasonFor = ({ plan }: SwitchReview, database: string): string | undefined =>
    plan.exclusions.find(({ name }) => name === database)?.reason;
  const runOn = async (name: string, script = ''): Promise<string> =>
    (await runAsAdministrator({ ...simulator, port: portOf(name) }, script)).join('\n');
  const changedOn = (name: string): readonly string[] =>
    (simulator.replicas.find((each) => each.name === name)?.server.ledger.settingChanges ?? [])
      .map(({ databaseName }) => databaseName)
      .sort();

  it('plans on the primary exactly the automatic databases that are written there, and the script changes exactly those', async () => {
    const reviewed = await review('SALES-SQL01');
    assert.deepEqual(planned(reviewed), [...AUTOMATIC, 'Tools']);
    assert.equal(reasonFor(reviewed, 'Apps_Web'), elsewhere('SALES-SQL02'));
    assert.match(await runOn('SALES-SQL01', changeOf(reviewed.scripts)), /6 changed, 0 failed; /);
    assert.deepEqual(changedOn('SALES-SQL01'), [...AUTOMATIC, 'Tools']);
    simulator.server.advance(10_000);
    for (const name of ['SALES-SQL02', 'SALES-DR01', 'SALES-DR02']) {
      const { databases } = await readFacts(name);
      const targets = databases.filter((each) => AUTOMATIC.includes(each.name)).map(({ targetSeconds }) => targetSeconds);
      assert.deepEqual(targets, [60, 60, 60, 60, 60], `${name} follows`);
    }
  });

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

  it('takes the master and msdb of a contained group for the system databases that they are, on the instance as through the listener', async () => {
    for (const name of ['SALES-SQL02', 'apps']) {
      const reviewed = await review(name);
      assert.deepEqual(planned(reviewed), name === 'apps' ? ['Apps_Web'] : ['Apps_Web', 'Tools'], name);
      assert.equal(reasonFor(reviewed, name === 'apps' ? 'master' : 'Apps_master'), 'It is a system database.', name);
    }
  });

  it('sees the roles too by a login that may see states and no definitions', async () => {
    const monitor = watch({ ...simulator, port: portOf('SALES-SQL02') }, { user: 'operator', password: 'Str0ng!Passw0rd' });
    monitors.push(monitor);
    await monitor.refresh();
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
