import assert from 'node:assert/strict';
import type { KeptForecast } from '../../../src/core/advice/forecast';
import type { LimitLook } from '../../../src/core/advice/limits';
import { finishSteps } from '../../../src/core/steps';
import type { DatabaseChange } from '../../../src/core/task/change-moment';
import { decodeChanges, decodeWatch, encodeWatch, joinForecasts, joinLooks, writeNoted } from '../../../src/monitor/evidence/kept-changes';

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
    const { forecast: kept, looks, problem } = decodeWatch(bytesOf(watch));
    return [kept, looks, problem];
  };
  const IN_PART = 'a part of it is damaged, or of a later version';

  it('comes back as it was, with what was read for limits', () => {
    for (const watch of [
      { forecast, looks: [look] },
      { forecast: null, looks: [] },
    ])
      assert.deepEqual(decodeWatch(encodeWatch(watch)), { ...watch, others: { looks: [] }, problem: null });
  });

  it('keeps what can be read if a part of it is damaged or of a later version, says so, and loses nothing of the rest to a window that adds to it', () => {
    const [later, other] = [{ low: 'much' }, { likely: 'much' }].map((wrong) => ({
      ...forecast,
      waves: [{ ...forecast.waves[0], ...wrong }],
    }));
    for (const wrong of [later, other]) assert.deepEqual(read({ forecast: wrong, looks: [look] }), [null, [look], IN_PART]);
    const kept = { forecast: later, looks: [{ ...look, backoffs: 'many' }, look], waits: { LCK: 1 } };
    assert.deepEqual(read(kept), [null, [look], IN_PART]);
    const changes = [{ databaseId: 5, atUtcMs: 2, source: 'an agent' }];
    const own: DatabaseChange = { databaseId: 7, atUtcMs: 2, notBeforeUtcMs: 1, source: 'user', fromSeconds: 0, toSeconds: 60 };
    const join = (earlier: readonly unknown[]): unknown[] =>
      writeNoted([own], { forecast: null, looks: [] }, [own]).map((section, at) => {
        const all = finishSteps(section.join!(bytesOf(earlier[at]), section.bytes)) ?? assert.fail();
        return JSON.parse(Buffer.from(finishSteps(section.join!(all, all)) ?? all).toString('utf8'));
      });
    assert.deepEqual(join([changes, kept]), [[...changes, own], kept]);
    for (const { join: add, bytes } of writeNoted([own], { forecast, looks: [] }, []))
      assert.equal(finishSteps(add!(Uint8Array.of(1, 2), bytes)), null);
  });

  it('is not read if one of its times is none, which a loop over time would never reach', () => {
    for (const wrong of [1e300, -1e300, Date.UTC(2200, 0, 1), -1]) {
      for (const name of ['madeUtcMs', 'fromUtcMs', 'toUtcMs'])
        assert.deepEqual(read({ forecast: { ...forecast, [name]: wrong }, looks: [look] }), [null, [look], IN_PART], `${name} ${wrong}`);
      assert.deepEqual(read({ forecast, looks: [{ ...look, atUtcMs: wrong }] }), [forecast, [], IN_PART]);
      const change = { databaseId: 5, atUtcMs: 2, notBeforeUtcMs: 1, source: 'user', fromSeconds: 0, toSeconds: 60 };
      const { changes, problem } = decodeChanges(bytesOf([change, { ...change, atUtcMs: wrong }, { ...change, notBeforeUtcMs: wrong }]));
      assert.deepEqual([changes, problem], [[change], '2 of 3 are damaged, or of a later version']);
    }
  });

  it('is that of the window that made it later, until a wave was run: then its waves stay as they were foreseen before', () => {
    const later = { ...forecast, madeUtcMs: 10, waves: [{ low: 0.1, high: 0.2, databaseIds: [5, 6] }] };
    const run = [5, 6].map((databaseId) => ({
      ...{ databaseId, atUtcMs: 5, notBeforeUtcMs: 5, source: 'user', fromSeconds: null, toSeconds: 60 },
    })) as DatabaseChange[];
    for (const [one, other] of [
      [forecast, later],
      [later, forecast],
    ] as const) {
      assert.deepEqual(joinForecasts(one, other, []), later);
      assert.deepEqual(joinForecasts(one, other, run)?.waves, forecast.waves);
    }
    const renewed = { ...forecast, renewedUtcMs: 20, waves: later.waves };
    assert.deepEqual([joinForecasts(forecast, renewed, []), joinForecasts(renewed, forecast, [])], [renewed, renewed]);
    assert.deepEqual([joinForecasts(null, later, []), joinForecasts(later, null, [])], [later, later]);
  });

  it('comes with each look of two windows once, oldest first', () => {
    const at = (atUtcMs: number): LimitLook => ({ ...look, atUtcMs });
    assert.deepEqual(joinLooks([at(1), at(4)], [at(4), at(2)]), [at(1), at(2), at(4)]);
  });

  it('is nothing if it is not JSON, or something else', () => {
    for (const bytes of [Uint8Array.of(1, 2, 3), bytesOf([]), bytesOf(null), bytesOf({ forecast })])
      assert.deepEqual([decodeWatch(bytes).forecast, decodeWatch(bytes).problem === null], [null, false]);
    const later = bytesOf({ version: 2, forecast, looks: [look], changes: [] });
    for (const { problem, others } of [decodeWatch(later), decodeChanges(later)])
      assert.deepEqual([problem?.slice(0, 16), others], ['it has version 2', null], 'of a later version, no window adds to it');
  });
});
