import assert from 'node:assert/strict';
import type { ChangeComparison } from '../../../src/core/comparison/comparison';
import { BEGIN_UTC_MS, DAY_MS, HOUR_MS, changeAt, compare, createDraw, generateBlocks } from '../statistics/generated-history';

/** What is said of the number of FlushCache messages in two weeks around a change, with this many a day on each side. */
function concludeMessages(aDayBefore: number, aDayAfter: number): { readonly kind: string; readonly because: string } {
  const flushCacheUtcMs = Array.from({ length: 14 }, (_, day) =>
    Array.from({ length: day < 7 ? aDayBefore : aDayAfter }, (_each, i) => BEGIN_UTC_MS + day * DAY_MS + 2 * HOUR_MS + i * 60_000),
  ).flat();
  const blocks = generateBlocks(createDraw(1), { noise: 0.05, correlation: 0.5 }, 14, 7);
  const changes = [changeAt(BEGIN_UTC_MS + 7 * DAY_MS)];
  const errorLog = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + 14 * DAY_MS };
  const [change] = compare([{ name: 'Orders', changes, blocks, flushCacheUtcMs }], { errorLog }).changes;
  const found = change?.measures.find(({ measure }) => measure.id === 'flush cache')?.conclusion;
  return { kind: found?.kind ?? '', because: found?.because.join() ?? '' };
}

describe('A number of events', () => {
  it('that are few is neither unchanged, nor fallen, nor risen, though each day had as many as the next', () => {
    for (const [before, after] of [
      [1, 1],
      [1, 0],
      [0, 1],
      [1, 2],
    ] as const) {
      const { kind, because } = concludeMessages(before, after);
      assert.equal(kind, 'cannot tell', `${before} and ${after} a day`);
      assert.match(because, /Too few were counted/);
    }
  });

  it('that are many is told', () => {
    assert.equal(concludeMessages(30, 0).kind, 'fell');
    assert.equal(concludeMessages(30, 60).kind, 'rose');
    assert.equal(concludeMessages(200, 200).kind, 'no difference');
  });
});

const WEEK_MS = 7 * DAY_MS;

/** Six weeks on each side of a change; writes are this many times as much from one week to the next, steadily, and this many times as much at the change. */
function compareDrift({ aWeek, atChange }: { readonly aWeek: number; readonly atChange: number }, seed = 3): ChangeComparison {
  const blocks = generateBlocks(createDraw(seed), { noise: 0.2, correlation: 0.8, days: 0.1 }, 84, 42, { writes: atChange }).map(
    (block) => ({
      ...block,
      dataWrittenBytes: Math.round(block.dataWrittenBytes * aWeek ** ((block.beginUtcMs - BEGIN_UTC_MS) / WEEK_MS)),
    }),
  );
  const [change] = compare([{ name: 'Orders', changes: [changeAt(BEGIN_UTC_MS + 6 * WEEK_MS)], blocks }]).changes;
  assert.ok(change);
  return change;
}

describe('A slow drift over weeks', () => {
  it('is not called the effect of a change in its middle, whichever way it goes', () => {
    const conclusions = [1.01, 1.02, 0.98].flatMap((aWeek) =>
      [1, 2, 3, 4].map((seed) => compareDrift({ aWeek, atChange: 1 }, seed).conclusion),
    );
    assert.deepEqual(
      conclusions.filter(({ kind }) => kind !== 'cannot tell' && kind !== 'no difference'),
      [],
    );
    assert.ok(conclusions.filter(({ because }) => /slow drift/.test(because.join())).length >= 4, JSON.stringify(conclusions));
  });

  it('does not hide a change that is much larger, and one without a drift is told as before', () => {
    assert.equal(compareDrift({ aWeek: 1.01, atChange: 1.5 }).conclusion.kind, 'rose');
    assert.equal(compareDrift({ aWeek: 1, atChange: 1.5 }).conclusion.kind, 'rose');
    assert.equal(compareDrift({ aWeek: 1, atChange: 0.6 }).conclusion.kind, 'fell');
  });

  it('that goes the other way is no reason against a change', () => {
    assert.equal(compareDrift({ aWeek: 0.98, atChange: 1.6 }).conclusion.kind, 'rose');
  });
});
