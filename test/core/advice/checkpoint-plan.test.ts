import assert from 'node:assert/strict';
import fc from 'fast-check';
import { observed } from '../../../src/core/advice/facts';
import {
  type CheckpointStep,
  planCheckpoints,
  splitCheckpoints,
} from '../../../src/core/advice/checkpoint-plan';
import { databaseOf, factsOf } from './facts-of';
import { forAll } from '../../for-all';

const unmeasured = (): { estimatedMs: null; basis: string } => ({
  estimatedMs: null,
  basis: 'no checkpoint measured',
});
const namesOf = (steps: readonly CheckpointStep[]): readonly string[] =>
  steps.map(({ database }) => database.name);

describe('Planning checkpoints', () => {
  it('takes every user database with automatic checkpoints where none was named, and says why one is left out', () => {
    const facts = factsOf([
      databaseOf({ databaseId: 1, name: 'master' }),
      databaseOf({ databaseId: 5, name: 'a' }),
      databaseOf({ databaseId: 6, name: 'b', targetSeconds: 60 }),
      databaseOf({ databaseId: 7, name: 'c', isReadOnly: true }),
    ]);
    const plan = planCheckpoints(null, facts, unmeasured);
    assert.deepEqual(namesOf(plan.steps), ['a']);
    assert.deepEqual(plan.leftOut, [
      { name: 'c', obstacle: { kind: 'read-only', sentence: 'It is read-only.' } },
    ]);
  });

  it('takes databases that were named, indirect ones too, each once, and tells of those that are gone and of system databases', () => {
    const facts = factsOf([
      databaseOf({ databaseId: 2, name: 'tempdb' }),
      databaseOf({ databaseId: 6, name: 'b', targetSeconds: 60 }),
    ]);
    const plan = planCheckpoints([6, 6, 2, 99], facts, unmeasured);
    assert.deepEqual(namesOf(plan.steps), ['b']);
    assert.deepEqual(plan.leftOut.map(({ name }) => name).sort(), ['database_id 99', 'tempdb']);
  });

  it('says of a secondary that it is one, not that it be changed elsewhere: a CHECKPOINT is no change', () => {
    const roles = observed(
      new Map([[5, { databaseId: 5, role: 'SECONDARY', groupName: 'g', primaryReplica: 'SQL02' }]]),
    );
    const facts = factsOf([databaseOf({ databaseId: 5, inAvailabilityGroup: true })], { roles });
    assert.equal(planCheckpoints([5], facts, unmeasured).leftOut[0]?.obstacle.kind, 'secondary replica here');
  });

  it('puts the most work first: by estimate, then by the log since the last checkpoint', () => {
    const ids = [5, 6, 7, 8];
    const log = (sinceCheckpointMb: number | null): never => ({ vlfCount: 1, sinceCheckpointMb }) as never;
    const logs = observed(
      new Map([
        [6, log(10)],
        [7, log(500)],
        [8, log(null)],
      ]),
    );
    const facts = factsOf(
      ids.map((databaseId) => databaseOf({ databaseId })),
      { logs },
    );
    const plan = planCheckpoints(ids, facts, ({ databaseId }) => ({
      estimatedMs: databaseId === 5 ? 3 : null,
      basis: '',
    }));
    assert.deepEqual(namesOf(plan.steps), ['db5', 'db7', 'db6', 'db8']);
  });

  it('gives each database to exactly one window, keeps the order in each, and no window gets more than its share and the longest', () => {
    const steps = fc
      .array(fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: null }), { minLength: 1, maxLength: 60 })
      .map((estimates) => {
        const sorted = [...estimates].sort((a, b) => (b ?? -1) - (a ?? -1));
        return sorted.map((estimatedMs, i): CheckpointStep => ({
          database: databaseOf({ databaseId: 5 + i }),
          estimatedMs,
          basis: '',
        }));
      });
    forAll(fc.tuple(steps, fc.integer({ min: 1, max: 16 })), ([given, windows]) => {
      const lists = splitCheckpoints(given, windows);
      assert.equal(lists.length, Math.min(windows, given.length));
      assert.ok(lists.every((list) => list.length > 0));
      const order = new Map(given.map(({ database }, at) => [database.databaseId, at]));
      const at = lists.map((list) => list.map(({ database }) => order.get(database.databaseId) ?? -1));
      assert.deepEqual(
        at.flat().sort((a, b) => a - b),
        given.map((_, i) => i),
      );
      for (const list of at)
        assert.deepEqual(
          list,
          [...list].sort((a, b) => a - b),
        );
      const work = (list: readonly CheckpointStep[]): number =>
        list.reduce((sum, { estimatedMs }) => sum + Math.max(1, estimatedMs ?? 0), 0);
      const fair = work(given) / lists.length + Math.max(...given.map((step) => work([step])));
      for (const list of lists) assert.ok(work(list) <= fair + 1e-6);
    });
  });
});
