import assert from 'node:assert/strict';
import { PolicyFiles, type PolicyFile } from '../../../src/shell/policy/policy-files';
import { HeldAnswer } from '../../held-answer';
import { partsOf } from '../sample';

const target = (database: string, targetSeconds: number) => ({ database, targetSeconds });

class World {
  files: PolicyFile[] = [];
  readonly told: string[] = [];
  change: () => void = () => undefined;
  readonly policies = new PolicyFiles({
    listFiles: () => this.files,
    onDidChange: (listener) => {
      this.change = listener;
      return { dispose: () => (this.change = () => undefined) };
    },
    warn: (sentence) => void this.told.push(sentence),
  });

  put(path: string, content: unknown): void {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    this.files = [...this.files.filter((file) => file.path !== path), { path, read: async () => text }];
  }
}

describe('The policy in force', () => {
  let world: World;
  beforeEach(() => (world = new World()));

  it('is empty where no folder has one', async () => {
    world.files = [{ path: 'a', read: async () => null }];
    await world.policies.read();
    const source = 'none (no open folder has a .checkpoint-policy.json)';
    assert.deepEqual(world.policies.current, {
      policy: { targets: [], exceptions: [] },
      problems: [],
      unreadable: [],
      source,
    });
    assert.deepEqual(world.told, []);
  });

  it('is that of all folders, the first before the next', async () => {
    world.put('a', { targets: [target('*', 60)] });
    world.put('b', { targets: [target('*', 0)], exceptions: [{ database: 'x', reason: 'y' }] });
    await world.policies.read();
    const { targets, exceptions } = world.policies.current.policy;
    assert.deepEqual([partsOf(targets, 'targetSeconds'), exceptions.length], [[60, 0], 1]);
  });

  it('is read again when a file changed, and told of where it says something else', async () => {
    let changes = 0;
    world.policies.onDidChange(() => changes++);
    world.put('a', { targets: [target('*', 60)] });
    await world.policies.read();
    await world.policies.read();
    assert.equal(changes, 1);
    world.files = [];
    world.change();
    await new Promise(setImmediate);
    assert.equal(changes, 2);
    assert.deepEqual(world.policies.current.policy.targets, []);
  });

  it('says what is wrong with a file in one sentence, once', async () => {
    world.put('shop/.checkpoint-policy.json', { targets: [target('*', -1), target('*', 60)], exceptions: 7 });
    await world.policies.read();
    await world.policies.read();
    assert.deepEqual(world.told, [
      'Policy shop/.checkpoint-policy.json: targets[0].targetSeconds: -1 is not a whole number of seconds from 0 (automatic checkpoints) to 3600. There is 1 more problem.',
    ]);
    assert.equal(world.policies.current.problems.length, 2);
    assert.equal(world.policies.current.policy.targets.length, 1);
  });

  it('says that a file which is there could not be read', async () => {
    world.files = [{ path: 'a', read: () => Promise.reject(new Error('no permission')) }];
    await world.policies.read();
    assert.deepEqual(world.policies.current.problems, ['Policy a could not be read: no permission']);
  });

  it('is that of the reading which began last, also where an earlier one ends later', async () => {
    const answer = new HeldAnswer<string>();
    world.files = [{ path: 'a', read: answer.call }];
    const slow = world.policies.read();
    world.put('a', { targets: [target('*', 60)] });
    await world.policies.read();
    answer.give('{}');
    await slow;
    assert.equal(world.policies.current.policy.targets.length, 1);
  });

  it('keeps what a file said before while it cannot be read, and has nothing changed where nothing was said before', async () => {
    world.put('a', '{"exceptions":[');
    await world.policies.read();
    assert.match(world.policies.current.unreadable?.[0] ?? '', /^Policy a: It is not JSON/);
    world.put('a', { exceptions: [{ database: 'x', reason: 'y' }] });
    await world.policies.read();
    assert.deepEqual([world.policies.current.unreadable, world.policies.current.source], [[], 'a']);
    for (const broken of ['{"exceptions":[', { exceptions: [{ databse: 'x', reason: 'y' }] }]) {
      world.put('a', broken);
      await world.policies.read();
      const { unreadable, policy, problems } = world.policies.current;
      assert.deepEqual([unreadable, partsOf(policy.exceptions, 'database')], [[], ['x']]);
      assert.ok(problems.includes('Policy a: until this is corrected, its previous content applies.'));
    }
    world.files = [];
    await world.policies.read();
    assert.deepEqual(
      [world.policies.current.policy.exceptions, world.policies.current.source],
      [[], 'none (no folder is open)'],
    );
  });

  it('names a database that two folders want at different targets', async () => {
    world.put('a', { targets: [target('Sales', 60), target('x', 60)] });
    world.put('b', { targets: [target('SALES', 0), target('x', 60)] });
    await world.policies.read();
    assert.deepEqual(world.policies.current.problems, [
      'Policy b wants "SALES" at 0 seconds. a wants 60 seconds, and that applies.',
    ]);
  });
});
