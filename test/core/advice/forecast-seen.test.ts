import assert from 'node:assert/strict';
import { type KeptForecast, renewForecast } from '../../../src/core/advice/forecast';
import { compareForecast, findFirstRun, findLastRun, type ForecastSeen } from '../../../src/core/advice/forecast-seen';
import { finishSteps } from '../../../src/core/steps';
import { valuesOf } from '../values-of';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Monday, 2 March 2026, 08:00 UTC. */
const MONDAY_8 = Date.UTC(2026, 2, 2, 8);
const EIGHT_HOURS = { fromUtcMs: MONDAY_8, toUtcMs: MONDAY_8 + 8 * HOUR, madeUtcMs: MONDAY_8 + 8 * HOUR };

/** One wave of four databases, of which a queue of 97 % is to become 22 to 78 %. */
const ONE_WAVE: KeptForecast = { ...EIGHT_HOURS, now: 0.97, bound: 0.3, waves: [{ low: 0.22, high: 0.78, databaseIds: [5, 6, 7, 8] }] };

interface Site {
  readonly kept?: KeptForecast;
  /** How busy the task is in the hour that begins then, 0 to 1. */
  readonly busy: (utcMs: number) => number;
  readonly switchedUtcMs: Readonly<Record<number, number>>;
  readonly days: number;
  readonly offsetMinutes?: number;
  readonly margin?: number;
  readonly again?: readonly number[];
}

/** A turn at the beginning of every minute. */
function see({ kept = ONE_WAVE, busy, switchedUtcMs, days, offsetMinutes = 0, margin = 0, again = [] }: Site): ForecastSeen {
  const minutes = Math.round((days * DAY) / MINUTE);
  const beginUtcMs = Float64Array.from({ length: minutes }, (_, i) => MONDAY_8 + i * MINUTE);
  const durationMs = Uint32Array.from(beginUtcMs, (at) => Math.round(busy(Math.floor(at / HOUR) * HOUR) * MINUTE));
  return finishSteps(
    compareForecast(kept, {
      columns: { rows: minutes, beginUtcMs, durationMs, database: new Uint16Array(minutes) },
      observation: { beginUtcMs: MONDAY_8, endUtcMs: MONDAY_8 + days * DAY, gaps: [] },
      rows: Uint32Array.from(beginUtcMs, (_, i) => i),
      margin,
      offsets: [{ fromUtcMs: -Infinity, offsetMinutes }],
      switchedUtcMs: (id) => switchedUtcMs[id] ?? null,
      isAutomaticAgain: (id) => again.includes(id),
    }),
  );
}

const evening = MONDAY_8 + 14 * HOUR;
const allAt = (utcMs: number): Readonly<Record<number, number>> => ({ 5: utcMs, 6: utcMs, 7: utcMs, 8: utcMs });
/** Full in the working hours of working days, nearly free at night and on weekends. */
const atWork = (share: number) => (utcMs: number) => {
  const [hour, day] = [new Date(utcMs).getUTCHours(), new Date(utcMs).getUTCDay()];
  return hour >= 8 && hour < 16 && day >= 1 && day <= 5 ? share : 0.01;
};

describe('A forecast, held to what was seen', () => {
  it('compares the same hours of working days, so that nights and weekends do not make it look too high', () => {
    const { waves, sameHours } = see({ busy: atWork(0.5), switchedUtcMs: allAt(evening), days: 7 });
    assert.equal(Math.round((waves[0]?.busyShare ?? 0) * 100), 50);
    assert.equal(waves[0]?.verdict, 'as forecast');
    assert.deepEqual([sameHours?.hours.size, sameHours?.days], [8, 'working days']);
  });

  it('takes the hours from the clock of the server', () => {
    const { sameHours } = see({ busy: () => 0.5, switchedUtcMs: allAt(evening), days: 2, offsetMinutes: 120 });
    assert.deepEqual([...(sameHours?.hours ?? [])], [10, 11, 12, 13, 14, 15, 16, 17]);
  });

  it('says above and below where the task is so, and not where a point or two are missing or uncertain', () => {
    const verdictOf = (share: number, margin = 0): string | null | undefined =>
      see({ busy: atWork(share), switchedUtcMs: allAt(evening), days: 2, margin }).waves[0]?.verdict;
    assert.deepEqual(
      [0.95, 0.79, 0.5, 0.21, 0.05].map((share) => verdictOf(share)),
      ['above', 'as forecast', 'as forecast', 'as forecast', 'below'],
    );
    assert.equal(verdictOf(0.95, 0.2), 'as forecast');
  });

  it('counts all hours after a forecast that rests on less than four of them', () => {
    const kept = { ...ONE_WAVE, fromUtcMs: MONDAY_8, toUtcMs: MONDAY_8 + HOUR, madeUtcMs: MONDAY_8 + HOUR };
    const { sameHours, waves } = see({ kept, busy: () => 0.4, switchedUtcMs: allAt(MONDAY_8 + HOUR), days: 0.25 });
    assert.equal(sameHours, null);
    assert.equal(waves[0]?.verdict, 'as forecast');
  });

  it('takes a wave for run once half of its databases were changed, and says how much has to be seen yet', () => {
    const soon = MONDAY_8 + DAY - 4 * MINUTE;
    const one = see({ busy: () => 0.5, switchedUtcMs: { 5: evening }, days: 1 });
    assert.equal(findFirstRun(one), null);
    const two = see({ busy: () => 0.5, switchedUtcMs: { 5: evening, 6: soon }, days: 1 });
    assert.equal(findFirstRun(two), soon);
    assert.equal(two.waves[0]?.busyShare, null);
    assert.equal(two.waves[0]?.verdict, null);
    assert.ok((two.waves[0]?.missingMs ?? 0) > 5 * MINUTE);
  });

  it('holds each wave to the time until the next, and a wave that was run before another to nothing yet', () => {
    const kept = {
      ...ONE_WAVE,
      waves: [
        { low: 0.9, high: 1, databaseIds: [5] },
        { low: 0.1, high: 0.3, databaseIds: [6] },
      ],
    };
    const tuesday = evening + DAY;
    const busy = (utcMs: number): number => (utcMs >= tuesday ? 0.2 : 0.95);
    const inOrder = see({ kept, busy, switchedUtcMs: { 5: evening, 6: tuesday }, days: 4 });
    assert.deepEqual(valuesOf(inOrder.waves, 'verdict'), ['as forecast', 'as forecast']);
    assert.equal(findLastRun(inOrder)?.wave, 2);
    const second = see({ kept, busy, switchedUtcMs: { 6: evening }, days: 4 });
    assert.deepEqual(valuesOf(second.waves, 'runUtcMs'), [null, null]);
  });

  it('counts the databases of a wave that are automatic again', () => {
    assert.equal(see({ busy: () => 0.5, switchedUtcMs: allAt(evening), days: 2, again: [6, 99] }).waves[0]?.again, 1);
  });

  it('draws weeks in blocks of two hours and an hour in minutes, with nothing where nothing was seen', () => {
    assert.equal(see({ busy: () => 0.5, switchedUtcMs: {}, days: 28 }).blockMs, 2 * HOUR);
    const hour = see({ busy: () => 0.5, switchedUtcMs: {}, days: 1 / 24 });
    assert.equal(hour.blockMs, MINUTE);
    assert.ok(hour.blocks.every(({ busyShare }) => busyShare !== null && Math.abs(busyShare - 0.5) < 0.01));
  });
});

describe('The forecast that counts', () => {
  const wave = (...databaseIds: number[]) => ({ low: 0.1, high: 0.2, databaseIds });
  const kept: KeptForecast = { ...ONE_WAVE, waves: [wave(5), wave(6, 7), wave(8)] };
  const fresh = (...waves: ReturnType<typeof wave>[]): KeptForecast => ({ ...ONE_WAVE, madeUtcMs: 1, waves });

  it('is the newest one as long as nothing was run', () => {
    const next = fresh(wave(9));
    assert.equal(
      renewForecast(null, next, () => false),
      next,
    );
    assert.equal(
      renewForecast(kept, next, () => false),
      next,
    );
  });

  it('is not replaced by another one of the same databases once a wave was run', () => {
    assert.equal(
      renewForecast(kept, fresh(wave(8)), (at) => at === 0),
      kept,
    );
  });

  it('goes on with databases that it did not speak of, behind the waves that were run', () => {
    const next = renewForecast(kept, fresh(wave(8, 9)), (at) => at < 2);
    assert.deepEqual(valuesOf(next.waves, 'databaseIds'), [[5], [6, 7], [8, 9]]);
    assert.equal(next.madeUtcMs, kept.madeUtcMs);
  });
});
