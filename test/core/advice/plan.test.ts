import assert from 'node:assert/strict';
import { observed } from '../../../src/core/advice/facts';
import {
  checkTargetSeconds,
  defaultWaves,
  type Choice,
  type Plan,
  type PlanGrounds,
} from '../../../src/core/advice/plan';
import { planSwitch } from '../finished';
import type { Expectation } from '../../../src/core/advice/policy';
import { choiceOf } from '../script/scripts-of';
import { databaseOf, factsOf } from './facts-of';
import { valuesOf } from '../values-of';

const facts = factsOf([
  databaseOf({ databaseId: 5 }),
  databaseOf({ databaseId: 6, targetSeconds: 600 }),
  databaseOf({ databaseId: 7, targetSeconds: 60 }),
  databaseOf({ databaseId: 8, isReadOnly: true }),
  databaseOf({ databaseId: 1, name: 'master' }),
]);
const plan = (databaseIds: number[], byName = false) =>
  planSwitch(choiceOf(databaseIds, byName), facts, (database) => `seen ${database.name}`);

const idsOf = (steps: Plan['steps']): readonly number[] => steps.map(({ database }) => database.databaseId);

describe('A plan', () => {
  it('takes what can be switched, once, in the order chosen, with its evidence', () => {
    const { steps, exclusions } = planSwitch(choiceOf([6, 5, 6], true), facts, () => 'why');
    const told = steps.map(
      (step) => `${step.database.databaseId}: ${step.fromSeconds} to ${step.toSeconds}, ${step.evidence}`,
    );
    assert.deepEqual(told, ['6: 600 to 60, why', '5: 0 to 60, why']);
    assert.deepEqual(exclusions, []);
  });

  it('overwrites a value above 0 only where the user chose the database by name', () => {
    assert.match(plan([6]).exclusions[0]?.reason ?? '', /^It already has 600 seconds\. Choose it by name/);
    assert.equal(plan([6], true).steps.length, 1);
    const named = planSwitch(choiceOf([6, 5], false, { namedIds: new Set([6]) }), facts, () => '');
    const other = planSwitch(choiceOf([6, 5], false, { namedIds: new Set([5]) }), facts, () => '');
    assert.deepEqual(
      [named.steps.length, other.steps.length],
      [2, 1],
      'of several, exactly the one that was pointed at',
    );
  });

  it('says of each one left out why', () => {
    const { steps, exclusions } = plan([5, 7, 8, 1, 99]);
    assert.deepEqual(idsOf(steps), [5]);
    assert.deepEqual(
      exclusions.map(({ name, reason }) => ({ name, reason })),
      [
        { name: 'db7', reason: 'It already has 60 seconds.' },
        { name: 'db8', reason: 'It is read-only.' },
        { name: 'master', reason: 'It is a system database.' },
        { name: 'database_id 99', reason: 'It is no longer on this server.' },
      ],
    );
  });

  it('takes a target recovery time of 1 to 3600 whole seconds', () => {
    for (const seconds of [1, 60, 3600]) assert.equal(checkTargetSeconds(seconds), null);
    for (const seconds of [0, -1, 1.5, NaN, 3601])
      assert.match(checkTargetSeconds(seconds) ?? '', /target recovery time/);
  });
});

describe('A plan that knows more than the facts', () => {
  const finding = (severity: 'blocks' | 'look first', sentence: string) => ({
    rule: 'x',
    severity,
    sentence,
    remedy: null,
    sources: [],
  });
  const planWith = (ids: number[], grounds: PlanGrounds, more: Partial<Choice> = {}) =>
    planSwitch(choiceOf(ids, false, more), many, () => 'why', grounds);
  const many = factsOf([5, 6, 7, 8, 9].map((databaseId) => databaseOf({ databaseId })));
  const weigh = (totals: Readonly<Record<number, readonly [number, number]>>): PlanGrounds['weigh'] =>
    function weighOne({ databaseId }) {
      const [checkpoints, totalMs] = totals[databaseId] ?? [0, 0];
      return { checkpoints, totalMs, mostShare: totalMs / 1e5 };
    };
  /** `2:5` for database 5 in wave 2, in the order of the plan. */
  const wavesOf = ({ steps }: Plan): string =>
    steps.map(({ database, wave }) => `${wave}:${database.databaseId}`).join(' ');

  it('leaves out what a finding blocks, with its sentence, for one database or for all', () => {
    const preflight = {
      server: [],
      databases: new Map([[5, [finding('blocks', 'Its log waits for the oldest page.')]]]),
      unseen: [],
    };
    const { steps, exclusions } = planWith([5, 6], { preflight });
    assert.deepEqual(
      [steps.length, exclusions[0]?.reason],
      [1, 'It should not be changed now: Its log waits for the oldest page.'],
    );
    const all = planWith([5, 6], {
      preflight: { ...preflight, server: [finding('blocks', 'This build hangs.')] },
    });
    assert.equal(all.steps.length, 0);
  });

  it('leaves out exceptions of the policy, and what it wants at another value; an exception that ran out counts no more', () => {
    const expect = (name: string): Expectation => {
      if (name === 'db5') return { kind: 'exception', reason: 'Vendor says so.', expires: '2027-01-31' };
      if (name === 'db6') return { kind: 'target', targetSeconds: 120 };
      if (name === 'db7') return { kind: 'expired', reason: 'was', expires: '2020-01-01', targetSeconds: 60 };
      return { kind: 'none' };
    };
    const { steps, exclusions } = planWith([5, 6, 7, 8], { expect });
    assert.deepEqual(valuesOf(exclusions, 'reason'), [
      'The policy leaves it alone until 2027-01-31: Vendor says so.',
      'The policy wants 120 seconds for it.',
    ]);
    assert.deepEqual(idsOf(steps), [8, 7], 'what ran out stands last: somebody has to look');
  });

  it('takes as the canary one from the middle that was seen working, then the heaviest first, and says where it could not be chosen by load', () => {
    const grounds = { weigh: weigh({ 5: [90, 9_000], 6: [40, 4_000], 7: [6, 100], 8: [2, 10] }) };
    const planned = planWith([5, 6, 7, 8, 9], grounds, {
      waves: { canary: 1, batch: 2, pauseMinutes: 15, stopAboveWriteMs: 20 },
    });
    assert.equal(wavesOf(planned), '1:6 2:5 2:7 3:8 3:9');
    assert.match(
      planned.order ?? '',
      /^The first wave takes databases of medium load, with at least 5 checkpoints each\. /,
    );
    const orderOf = (more: PlanGrounds): string =>
      planWith([5, 6], more, { waves: { ...defaultWaves, canary: 1 } }).order ?? '';
    assert.match(orderOf({}), /nothing was measured/);
    assert.match(orderOf({ weigh: weigh({ 5: [2, 50] }) }), /first wave was not chosen by load/);
  });

  it('takes no database of a group, and none with a finding, as the canary where there is another', () => {
    const roles = new Map([[5, { databaseId: 5, role: 'PRIMARY', groupName: 'g', primaryReplica: 'S' }]]);
    const grouped = factsOf(
      [5, 6, 7].map((databaseId) => databaseOf({ databaseId, inAvailabilityGroup: databaseId === 5 })),
      { roles: observed(roles) },
    );
    const preflight = { server: [], databases: new Map([[6, [finding('look first', 'Look.')]]]), unseen: [] };
    const waves = { canary: 1, batch: 0, pauseMinutes: 15, stopAboveWriteMs: null };
    const loads = weigh({ 5: [9, 10], 6: [9, 20], 7: [9, 900] });
    const { steps } = planSwitch(choiceOf([5, 6, 7], false, { waves }), grouped, () => '', {
      preflight,
      weigh: loads,
    });
    assert.deepEqual(idsOf(steps), [7, 5, 6]);
  });

  it('numbers waves from the one that comes next, also after one was moved by hand', () => {
    const waves = { canary: 1, batch: 2, pauseMinutes: null, stopAboveWriteMs: null };
    assert.deepEqual(
      [...new Set(planWith([5, 6, 8, 9], { firstWave: 3 }, { waves }).steps.map(({ wave }) => wave))],
      [3, 4, 5],
    );
    assert.equal(
      wavesOf(planWith([5, 6, 8], { firstWave: 3 }, { waves, waveOf: new Map([[8, 3]]) })),
      '3:5 3:8 4:6',
    );
  });

  it('says that waves were arranged by hand, and keeps a canary where the one that was chosen is moved away', () => {
    const waves = { canary: 1, batch: 2, pauseMinutes: 15, stopAboveWriteMs: 20 };
    const grounds = {
      weigh: weigh({ 5: [90, 9_000], 6: [40, 4_000], 7: [6, 100], 8: [20, 300], 9: [30, 800] }),
    };
    // In order of load 5, 6, 9, 8, 7: the one in the middle is 9.
    const moved = planWith([5, 6, 7, 8, 9], grounds, { waves, waveOf: new Map([[9, 3]]) });
    assert.equal(wavesOf(moved), '1:6 2:5 3:9 3:8 3:7');
    assert.match(
      moved.order ?? '',
      /^Moved to another wave by hand: 1 of 5 databases\. The first wave takes databases of medium load/,
    );
    const swapped = planWith([5, 6, 7, 8, 9], grounds, {
      waves,
      waveOf: new Map([
        [9, 2],
        [7, 1],
      ]),
    });
    assert.deepEqual(wavesOf(swapped).match(/\b1:\d/g), ['1:7'], 'a canary by hand needs no other');
  });

  it('numbers waves without a gap wherever the user moves databases', () => {
    const waves = { canary: 1, batch: 1, pauseMinutes: null, stopAboveWriteMs: null };
    const waveOf = new Map(Object.entries({ 5: 3, 7: 9, 8: NaN }).map(([id, wave]) => [Number(id), wave]));
    const planned = planWith([5, 6, 7, 8], {}, { waves, waveOf });
    assert.equal(wavesOf(planned), '1:6 2:5 3:8 4:7');
  });

  it('goes back to automatic checkpoints only with a reason, which it keeps', () => {
    const back = { targetSeconds: 0, namedIds: new Set([20]) };
    const indirect = factsOf([databaseOf({ databaseId: 20, targetSeconds: 60 })]);
    const without = planSwitch(choiceOf([20], false, back), indirect, () => '');
    assert.equal(
      without.exclusions[0]?.reason,
      'It would go back to automatic checkpoints. That needs a reason.',
    );
    const planned = planSwitch(
      choiceOf([20], false, { ...back, reason: 'It writes twice as much.' }),
      indirect,
      () => '',
    );
    assert.deepEqual([planned.steps[0]?.toSeconds, planned.reason], [0, 'It writes twice as much.']);
  });
});
