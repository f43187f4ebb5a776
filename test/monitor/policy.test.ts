import assert from 'node:assert/strict';
import { noPolicy, type PolicyInForce } from '../../src/core/advice/policy';
import { choiceOf } from '../core/script/scripts-of';
import { Emitter } from '../emitter';
import { watchUnread } from './watched-fake';

class Policy {
  current: PolicyInForce = noPolicy;
  readonly changes = new Emitter();
  readonly onDidChange = this.changes.event;

  put(current: PolicyInForce): void {
    this.current = current;
    this.changes.fire();
  }
}

function watch() {
  const policy = new Policy();
  return { policy, ...watchUnread({ policy }) };
}

describe('A server under a policy', () => {
  it('is judged again when the policy changes, without asking the server', async () => {
    const { policy, server, monitor } = watch();
    await monitor.refresh();
    const asked = server.texts.length;
    const told: string[] = [];
    monitor.onDidChange((change) => told.push(change));
    policy.put({
      policy: { targets: [{ server: null, database: '*', targetSeconds: 60 }], exceptions: [] },
      problems: [],
    });
    await new Promise(setImmediate);
    assert.deepEqual(told, ['facts']);
    assert.equal(server.texts.length, asked);
    assert.equal(monitor.snapshot.verdicts.get(5)?.group, 'Not as the policy wants');
    assert.equal(monitor.snapshot.verdicts.get(7)?.group, 'As the policy wants');
  });

  it('leaves its exceptions out of scripts, with the reason, and says what of it could not be read', async () => {
    const { policy, monitor } = watch();
    await monitor.refresh();
    const name = monitor.snapshot.facts?.databases.find(({ databaseId }) => databaseId === 5)?.name ?? '';
    const exceptions = [{ server: null, database: name, reason: 'Vendor forbids it.', expires: null }];
    policy.put({ policy: { targets: [], exceptions }, problems: ['Policy x: targets: 7 is no list.'] });
    const { plan, preflight } = await monitor.reviewSwitch(choiceOf([5, 6]));
    const left = plan.exclusions.map(({ databaseId, reason }) => `${databaseId}: ${reason}`);
    const changed = plan.steps.map(({ database }) => database.databaseId);
    assert.deepEqual([left, changed], [['5: The policy leaves it alone: Vendor forbids it.'], [6]]);
    assert.ok(preflight.unseen.includes('Policy x: targets: 7 is no list.'));
  });

  it('writes no script while one of its exceptions may be lost, and says why and which policy counted', async () => {
    const { policy, monitor } = watch();
    await monitor.refresh();
    const problems = ['Policy x: It is not JSON.'];
    policy.put({ ...noPolicy, problems, unreadable: problems, source: 'x' });
    const { plan, scripts, preflight } = await monitor.reviewSwitch(choiceOf([5, 6]));
    assert.equal(scripts, null);
    assert.deepEqual(plan.steps, []);
    for (const { reason } of plan.exclusions)
      assert.match(
        reason,
        /The policy, which may leave databases alone, could not be read: Policy x: It is not JSON/,
      );
    assert.ok(preflight.server.some(({ sentence }) => sentence === 'Policy: x.'));
    policy.put({ ...noPolicy, source: 'x' });
    const reviewed = await monitor.reviewSwitch(choiceOf([5, 6]));
    assert.match(reviewed.scripts?.record ?? '', /good to know: Policy: x\./);
  });
});
