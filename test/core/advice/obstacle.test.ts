import assert from 'node:assert/strict';
import { type Facts, notObservable, observed } from '../../../src/core/advice/facts';
import { findObstacle } from '../../../src/core/advice/obstacle';
import { databaseOf, factsOf, serverOf } from './facts-of';

const role = (databaseId: number, name: string, primaryReplica: string | null = 'SQL-A') =>
  observed(new Map([[databaseId, { databaseId, role: name, groupName: 'AG1', primaryReplica }]]));

describe('What stands against changing a database here', () => {
  const cases: [string, Parameters<typeof databaseOf>[0], RegExp | null][] = [
    ['nothing for a writable user database', { databaseId: 7 }, null],
    [
      'nothing for one that is indirect already: that is a verdict, not an obstacle',
      { databaseId: 7, targetSeconds: 60 },
      null,
    ],
    ['a system database', { databaseId: 4 }, /system database/],
    ['a snapshot', { databaseId: 7, isSnapshot: true }, /snapshot/],
    ['a database that is not online', { databaseId: 7, state: 'RESTORING' }, /restoring/],
    ['standby', { databaseId: 7, isInStandby: true, isReadOnly: true }, /standby/],
    ['read-only', { databaseId: 7, isReadOnly: true, updateability: 'READ_ONLY' }, /read-only/],
    [
      'a forwarder, which reports PRIMARY yet is not writable',
      { databaseId: 7, updateability: 'READ_ONLY' },
      /not writable here/,
    ],
    [
      'the distributor of replication under another name',
      { databaseId: 7, isDistributor: true },
      /system database/,
    ],
    ['an updateability that is NULL', { databaseId: 7, updateability: null }, /not writable here/],
    ['a target that could not be read', { databaseId: 7, targetSeconds: null }, /cannot be seen/],
  ];
  for (const state of Object.getOwnPropertyNames(Object.prototype))
    cases.push([
      `a state that is called ${state}`,
      { databaseId: 7, state },
      new RegExp(`^Its state is ${state}\\.$`),
    ]);
  for (const [title, facts, expected] of cases) {
    it(`is: ${title}`, () => {
      const found = findObstacle(databaseOf(facts), factsOf([]));
      if (expected === null) assert.equal(found, null);
      else assert.match(found?.sentence ?? '', expected);
    });
  }

  const ofGroup = (more: Partial<Facts>) =>
    findObstacle(databaseOf({ databaseId: 7, inAvailabilityGroup: true }), factsOf([], more));

  it('names the primary replica for a secondary', () => {
    assert.deepEqual(ofGroup({ roles: role(7, 'SECONDARY') }), {
      kind: 'secondary replica here',
      sentence: 'It is a secondary replica here. Change it on SQL-A.',
    });
    assert.equal(ofGroup({ roles: role(7, 'PRIMARY') }), null);
  });

  const find = (name: string, productVersion: string, roles: Facts['roles']): string | null =>
    findObstacle(
      databaseOf({ databaseId: 7, name, inAvailabilityGroup: true }),
      factsOf([], { roles, server: serverOf({ productVersion }) }),
    )?.kind ?? null;

  it('is a system database of replication, or of a contained availability group from SQL Server 2022 on', () => {
    const roles = role(7, 'PRIMARY');
    assert.equal(find('AG1_master', '16.0.4135.4', roles), 'system database');
    assert.equal(find('distribution', '15.0.4375.4', roles), 'system database');
    assert.equal(find('AG1_msdb', '17.0.1000.7', roles), 'system database');
    assert.equal(find('AG1_model', '16.0.4135.4', roles), null);
    assert.equal(find('AG1_master', '15.0.4375.4', roles), null);
  });

  it('may be one where the name of the group cannot be seen', () => {
    const roles = observed(
      new Map([[7, { databaseId: 7, role: 'PRIMARY', groupName: '', primaryReplica: null }]]),
    );
    const maybe = 'may be a system database of a contained availability group';
    for (const name of ['AG1_master', 'AG1_msdb']) assert.equal(find(name, '16.0.4135.4', roles), maybe);
    assert.equal(find('AG1_master', '15.0.4375.4', roles), null);
    assert.equal(find('Sales', '16.0.4135.4', roles), null);
  });

  it('is an unknown role, never taken for a primary', () => {
    const denied = ofGroup({ roles: notObservable('no VIEW SERVER STATE') });
    assert.match(denied?.sentence ?? '', /cannot be seen: no VIEW SERVER STATE\.$/);
    assert.match(ofGroup({})?.sentence ?? '', /cannot be seen/);
    const mixed = ofGroup({ roles: role(7, 'MIXED', null) });
    assert.equal(mixed?.sentence, 'Its role here is MIXED. Change it on the primary replica.');
  });
});
