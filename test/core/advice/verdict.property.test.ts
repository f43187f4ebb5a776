import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DatabaseFacts } from '../../../src/core/advice/facts';
import { findObstacle } from '../../../src/core/advice/obstacle';
import type { Expectation } from '../../../src/core/advice/policy';
import { checkPreflight, listDecisions } from '../../../src/core/advice/preflight';
import { type Evidence, groups, judgeDatabase } from '../../../src/core/advice/verdict';
import { databaseOf, factsOf, serverOf } from './facts-of';

/** The usual value nine times out of ten. */
const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const databases = fc.record<Partial<DatabaseFacts> & { databaseId: number }>({
  databaseId: mostly(7, 1, 2, 3, 4),
  targetSeconds: mostly<number | null>(0, 60, 120, null),
  state: mostly('ONLINE', 'RESTORING', 'OFFLINE', 'SUSPECT'),
  isReadOnly: mostly(false, true),
  isInStandby: mostly(false, true),
  isSnapshot: mostly(false, true),
  updateability: mostly<string | null>('READ_WRITE', 'READ_ONLY', null),
  logReuseWait: mostly('NOTHING', 'OLDEST_PAGE', 'LOG_BACKUP'),
  inAvailabilityGroup: mostly(false, true),
});

const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const evidence = fc.record<Evidence>({
  statistics: fc.option(
    fc.record({
      database: fc.constant(0),
      count: fc.integer({ min: 0, max: 500 }),
      perHour: fc.constant(null),
      averageMs: fc.constant(null),
      p50Ms: fc.constant(null),
      p95Ms: fc.constant(null),
      p99Ms: fc.constant(null),
      maximumMs: fc.constantFrom(null, 5, 61_000),
      totalMs: fc.constant(0),
      share: fc.option(share),
    }),
  ),
  observedMs: mostly(3_600_000, 0, 60_000),
  tracked: mostly(true, false),
  task: fc.record({
    busyShare: share,
    margin: mostly(0, 0.1, 0.7),
    areBackupsKnown: fc.boolean(),
    ownCount: fc.nat(20),
    ownShare: share,
    heaviest: fc.constantFrom(null, { name: 'Big', share: 0.5, isOwn: false }, { name: 'db7', share: 0.5, isOwn: true }),
  }),
  known: fc.option(
    fc.record({
      flushCache: fc.option(fc.record({ messages: fc.nat(3), days: fc.constant(7) })),
      delay: fc.constant(null),
      logLatency: fc.constant(null),
    }),
  ),
});

const expectations = fc.constantFrom<Expectation>(
  { kind: 'none' },
  { kind: 'target', targetSeconds: 60 },
  { kind: 'target', targetSeconds: 0 },
  { kind: 'exception', reason: 'r', expires: null },
  { kind: 'expired', reason: 'r', expires: '2025-01-01', targetSeconds: null },
);

const builds = fc.constantFrom('13.0.1601.5', '15.0.4322.2', '11.0.7001.0');

describe('Whatever is known of a database, its verdict', () => {
  it('is Switch only for measured automatic checkpoints that can be changed here, with nothing to look at first and no exception', () => {
    let switched = 0;
    fc.assert(
      fc.property(databases, fc.option(evidence), expectations, builds, (given, seen, expectation, productVersion) => {
        const database = databaseOf(given);
        const facts = factsOf([database], { server: serverOf({ productVersion }) });
        const decisions = listDecisions(checkPreflight(facts), database.databaseId);
        const verdict = judgeDatabase(database, facts, seen, { expectation, decisions });
        assert.ok(groups.includes(verdict.group));
        assert.match(verdict.reason, /\.$/);
        assert.match(verdict.wouldChange, /\.$/);
        assert.doesNotMatch(`${verdict.reason}${verdict.wouldChange}`, /undefined|NaN|null|\.\./);
        if (verdict.verdict !== 'Switch') return;
        switched++;
        assert.equal(database.targetSeconds, 0);
        assert.equal(findObstacle(database, facts), null);
        assert.deepEqual(decisions, []);
        assert.notEqual(expectation.kind, 'exception');
        assert.ok(seen !== null && seen.tracked && seen.observedMs >= 600_000);
        assert.ok((seen.statistics?.count ?? 0) >= 5 && seen.task.busyShare - seen.task.margin >= 0.6 && seen.task.ownShare >= 0.1);
        if (!seen.task.areBackupsKnown) assert.equal(verdict.confidence, 'low');
      }),
      { numRuns: 2000 },
    );
    assert.ok(switched > 20, `${switched} times Switch`);
  });
});
