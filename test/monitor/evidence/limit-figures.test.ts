import assert from 'node:assert/strict';
import { type LimitId, type LimitLook, MOST_LOGS } from '../../../src/core/advice/limits';
import { BLOCK_MS } from '../../../src/core/write-work/block';
import { finishSteps } from '../../../src/core/steps';
import { WriteWorkLog } from '../../../src/core/write-work/write-work-log';
import { joinDatabases } from '../../../src/monitor/evidence/joined-database';
import { judgeLimits } from '../../../src/monitor/evidence/limit-figures';
import { databaseOf, factsOf } from '../../core/advice/facts-of';

const MB = 2 ** 20;
const MINUTE_MS = 60_000;
const SWITCHED_UTC_MS = Math.floor(Date.UTC(2026, 2, 2, 12) / BLOCK_MS) * BLOCK_MS;
const HELD_BIT = 1;
const NOTHING_SEEN = {
  logUsedShare: null,
  logUsedBy: '',
  redoQueueKb: null,
  redoQueueBy: '',
  backoffs: null,
};

/** Two databases were switched at noon; two hours before it and two after it are compared. */
function judge(fill: (log: WriteWorkLog) => void, sources: Partial<Parameters<typeof judgeLimits>[0]> = {}) {
  const databases = [5, 6].map((databaseId) => databaseOf({ databaseId, targetSeconds: 60 }));
  const sampled = databases.map(({ databaseId, createdLocal, name }) => ({ databaseId, createdLocal, name }));
  const work = new WriteWorkLog();
  work.restoreLists(sampled, ['OLDEST_PAGE'], []);
  fill(work);
  const none = { captured: [], changes: [], loggedChanges: null, flushCache: null, backups: null };
  const { signs } = finishSteps(
    judgeLimits({
      work,
      readings: { looks: [], lookReasons: null },
      logged: null,
      switched: new Set([5, 6]),
      isSame: () => true,
      databases: joinDatabases(factsOf(databases), { ...none, sampled }),
      before: { beginUtcMs: SWITCHED_UTC_MS - 8 * BLOCK_MS, endUtcMs: SWITCHED_UTC_MS },
      since: { beginUtcMs: SWITCHED_UTC_MS, endUtcMs: SWITCHED_UTC_MS + 8 * BLOCK_MS },
      ...sources,
    }),
  );
  return (id: LimitId) => signs.find((sign) => sign.id === id)!;
}

/**
 * What one database and the instance wrote in blocks from noon on (before it: below 0).
 * @param sampledMs of each block, of the database
 */
function write(
  log: WriteWorkLog,
  block: number,
  pages: number,
  logMb: number,
  sampledMs = BLOCK_MS,
  waits = 0,
  database = 0,
): void {
  const at = SWITCHED_UTC_MS + block * BLOCK_MS;
  log.instanceBlockTables.add(0, at, at + BLOCK_MS, [pages, 0, 0, pages, 1, 1]);
  if (sampledMs > 0)
    log.databaseBlockTables.add(database, at, at + sampledMs, [8192, 1, 1, logMb * MB, 1, 1, 1], waits);
}

describe('The figures of the limits', () => {
  it('has pages for the log of the same time, where the databases were sampled less than the instance', () => {
    const pagesOf = judge((log) => {
      for (let block = -8; block < 0; block++) write(log, block, 600, 10);
      for (let block = 0; block < 6; block++) write(log, block, 660, 10);
      // Of one block two minutes of the databases were sampled, of the other nothing.
      write(log, 6, 660, 1, 2 * MINUTE_MS);
      write(log, 7, 660, 0, 0);
    });
    const { before, now, limit, state } = pagesOf('pages');
    assert.deepEqual([before, now, limit, state], [60, 66, 90, 'clear']);
  });

  it('has no time that the log was held before the switch, where nothing was sampled then', () => {
    const heldOf = judge((log) => write(log, 0, 10, 1, BLOCK_MS, HELD_BIT));
    const { before, now } = heldOf('oldest page');
    assert.deepEqual([before, now], [null, BLOCK_MS]);
  });

  it('says of how many databases no log is held: of those that were sampled', () => {
    const heldOf = judge((log) => [-1, 0, 1].forEach((block) => write(log, block, 10, 1, BLOCK_MS, 0)));
    const { before, now, note } = heldOf('oldest page');
    assert.deepEqual([before, now, note], [0, 0, 'None in 1 database. Measured in quarter hours.']);
  });

  it('has the log of a switched database that is nearest to its limit, and no log that was not switched or always was so full', () => {
    const look = (
      atUtcMs: number,
      ...shares: readonly (readonly [database: string, usedShare: number])[]
    ): LimitLook => ({
      ...NOTHING_SEEN,
      atUtcMs,
      logUsedShare: shares[0]?.[1] ?? null,
      logUsedBy: shares[0]?.[0] ?? '',
      logs: shares.map(([database, usedShare]) => ({ database, usedShare })),
    });
    const logOf = (before: LimitLook, after: LimitLook) => {
      const { by, now, state } = judge(() => undefined, {
        readings: { looks: [before, after], lookReasons: null },
      })('log used');
      return [by, now, state];
    };
    const [before, after] = [SWITCHED_UTC_MS - 1, SWITCHED_UTC_MS + 1];
    const was = look(before, ['db9', 0.95], ['db5', 0.8], ['db6', 0.2]);
    assert.deepEqual(logOf(was, look(after, ['db9', 0.99], ['db5', 0.7], ['db6', 0.3])), [
      'db5',
      0.7,
      'clear',
    ]);
    assert.deepEqual(logOf(was, look(after, ['db9', 0.99], ['db5', 0.8], ['db6', 0.72])), [
      'db6',
      0.72,
      'up',
    ]);
    assert.deepEqual(logOf(was, look(after, ['db5', 0.92], ['db6', 0.3])), ['db5', 0.92, 'up']);
    const others = Array.from({ length: MOST_LOGS }, (_, at) => [`other${at}`, 0.9 - at / 100] as const);
    assert.deepEqual(logOf(was, look(after, ...others)), [undefined, 0.9 - (MOST_LOGS - 1) / 100, 'clear']);
    assert.deepEqual(
      logOf(was, look(after, ...others.slice(1))),
      [undefined, null, 'not observable'],
      'offline',
    );
  });

  it('counts missed recovery targets an hour from look to look, stops for none, and says so where none was ever recorded', () => {
    const HOUR_MS = 60 * MINUTE_MS;
    const look = (hours: number, targetMisses?: number): LimitLook => ({
      ...NOTHING_SEEN,
      atUtcMs: SWITCHED_UTC_MS + hours * HOUR_MS,
      ...(targetMisses !== undefined && { targetMisses }),
    });
    const missesOf = (...looks: readonly LimitLook[]) => {
      const { before, now, limit, state, isNone } = judge(() => undefined, {
        readings: { looks, lookReasons: null },
      })('target missed');
      return [before, now, limit, state, isNone];
    };
    assert.deepEqual(missesOf(look(-1.5, 0), look(-0.5, 0), look(0.5, 2), look(1.5, 14)), [
      0,
      12,
      null,
      'clear',
      undefined,
    ]);
    // A capture that began again counts from 0; looks of an earlier version have no count.
    assert.deepEqual(missesOf(look(0.1), look(0.5, 40), look(1, 4), look(1.5, 5)), [
      null,
      2,
      null,
      'clear',
      undefined,
    ]);
    assert.deepEqual(missesOf(look(0.5, 0), look(1.5, 0)), [null, null, null, 'clear', true]);
    // The session records 1,000 at most: after that it is not known whether there are more.
    const many = [look(-1.5, 900), look(-0.5, 960), look(0.5, 1_000), look(1.5, 1_000)];
    assert.deepEqual(missesOf(...many), [60, null, null, 'not observable', undefined]);
  });

  it('counts no messages of a time before the switch that was not observed', () => {
    const reading = { dirtyPageFlushes: [] };
    const logged = { reading } as unknown as Parameters<typeof judgeLimits>[0]['logged'];
    const before = { beginUtcMs: -Infinity, endUtcMs: SWITCHED_UTC_MS };
    const flushes = judge(() => undefined, { logged, before })('flush cache');
    assert.deepEqual([flushes.before, flushes.now], [null, 0]);
  });
});
