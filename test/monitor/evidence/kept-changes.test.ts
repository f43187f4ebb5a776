import assert from 'node:assert/strict';
import type { KeptForecast } from '../../../src/core/advice/forecast';
import type { LimitLook } from '../../../src/core/advice/limits';
import { finishSteps } from '../../../src/core/steps';
import {
  decodeChanges,
  decodeWatch,
  encodeWatch,
  joinLooks,
  joinPlans,
  writeNoted,
} from '../../../src/monitor/evidence/kept-changes';
import { changeOf } from '../../core/task/changed';

const forecast: KeptForecast = {
  madeUtcMs: 3,
  fromUtcMs: 1,
  toUtcMs: 2,
  now: 0.97,
  bound: 0.3,
  waves: [
    { low: 0.22, high: 0.78, databaseIds: [5, 6] },
    { low: 0.22, high: 1, likely: 0.4, databaseIds: [7] },
  ],
};
const look: LimitLook = {
  atUtcMs: 4,
  logUsedShare: 0.63,
  logUsedBy: 'Sales',
  redoQueueKb: null,
  redoQueueBy: '',
  backoffs: 12,
  logs: [{ database: 'Sales', usedShare: 0.63 }],
};
const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value), 'utf8');

describe('The forecast that is kept', () => {
  const read = (watch: unknown): unknown[] => {
    const { plans, looks, problem } = decodeWatch(bytesOf(watch));
    return [plans[0] ?? null, looks, problem];
  };
  const IN_PART = 'a part of it is damaged, or of a later version';

  it('comes back as it was, with what was read for limits', () => {
    for (const watch of [
      { plans: [forecast, { ...forecast, madeUtcMs: 5 }], looks: [look] },
      { plans: [], looks: [] },
    ])
      assert.deepEqual(decodeWatch(encodeWatch(watch, [])), {
        ...watch,
        others: { plans: [], looks: [] },
        problem: null,
      });
  });

  it('keeps what can be read if a part of it is damaged or of a later version, says so, and loses nothing of the rest to a window that adds to it', () => {
    const [later, other] = [{ low: 'much' }, { likely: 'much' }].map((wrong) => ({
      ...forecast,
      waves: [{ ...forecast.waves[0], ...wrong }],
    }));
    for (const wrong of [later, other])
      assert.deepEqual(read({ forecast: wrong, looks: [look] }), [null, [look], IN_PART]);
    const kept = {
      forecast: later,
      plans: [later],
      looks: [{ ...look, backoffs: 'many' }, look],
      waits: { LCK: 1 },
    };
    assert.deepEqual(read(kept), [null, [look], IN_PART]);
    const changes = [{ databaseId: 5, atUtcMs: 2, source: 'an agent' }];
    const own = changeOf(7, 2, { notBeforeUtcMs: 1, source: 'user' });
    const join = (earlier: readonly unknown[]): unknown[] =>
      writeNoted([own], { plans: [], looks: [] }, [own]).map((section, at) => {
        const all = finishSteps(section.join!(bytesOf(earlier[at]), section.bytes)) ?? assert.fail();
        return JSON.parse(Buffer.from(finishSteps(section.join!(all, all)) ?? all).toString('utf8'));
      });
    assert.deepEqual(join([changes, kept]), [[...changes, own], kept]);
    for (const { join: add, bytes } of writeNoted([own], { plans: [forecast], looks: [] }, []))
      assert.equal(finishSteps(add!(Uint8Array.of(1, 2), bytes)), null);
  });

  it('is not read if one of its times is none, which a loop over time would never reach', () => {
    for (const wrong of [1e300, -1e300, Date.UTC(2200, 0, 1), -1]) {
      for (const name of ['madeUtcMs', 'fromUtcMs', 'toUtcMs'])
        assert.deepEqual(
          read({ forecast: { ...forecast, [name]: wrong }, looks: [look] }),
          [null, [look], IN_PART],
          `${name} ${wrong}`,
        );
      assert.deepEqual(read({ forecast, looks: [{ ...look, atUtcMs: wrong }] }), [forecast, [], IN_PART]);
      const change = changeOf(5, 2, { notBeforeUtcMs: 1, source: 'user' });
      const { changes, problem } = decodeChanges(
        bytesOf([change, { ...change, atUtcMs: wrong }, { ...change, notBeforeUtcMs: wrong }]),
      );
      assert.deepEqual([changes, problem], [[change], '2 of 3 are damaged, or of a later version']);
    }
  });

  it('comes with each plan of two windows once, as it was renewed last, oldest first, and of many the one that counts of the earlier ones', () => {
    const later = { ...forecast, madeUtcMs: 10 };
    const renewed = { ...forecast, renewedUtcMs: 20 };
    for (const both of [
      [forecast, later, renewed],
      [renewed, later, forecast],
    ])
      assert.deepEqual(joinPlans(both, []), [renewed, later]);
    const many = Array.from({ length: 12 }, (_, at) => ({ ...forecast, madeUtcMs: 3 + at }));
    assert.deepEqual(joinPlans(many, []), many.slice(2));
  });

  it('comes with each look of two windows once, oldest first', () => {
    const at = (atUtcMs: number): LimitLook => ({ ...look, atUtcMs });
    assert.deepEqual(joinLooks([at(1), at(4)], [at(4), at(2)]), [at(1), at(2), at(4)]);
  });

  it('is nothing if it is not JSON, or something else', () => {
    for (const bytes of [Uint8Array.of(1, 2, 3), bytesOf([]), bytesOf(null), bytesOf({ forecast })])
      assert.deepEqual([decodeWatch(bytes).plans, decodeWatch(bytes).problem === null], [[], false]);
    const later = bytesOf({ version: 2, forecast, looks: [look], changes: [] });
    for (const { problem, others } of [decodeWatch(later), decodeChanges(later)])
      assert.deepEqual(
        [problem?.slice(0, 16), others],
        ['it has version 2', null],
        'of a later version, no window adds to it',
      );
  });
});
