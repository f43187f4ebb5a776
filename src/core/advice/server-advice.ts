/**
 * What is advised for a whole server, once it and its databases are judged: which databases to switch, in which waves,
 * and how busy the task would be then.
 */
import { joinSentences, t } from '../language';
import type { Steps } from '../steps';
import { type DatabaseFacts, type Facts, findCreation } from './facts';
import { forecastWaves, type ForecastSteps, type MissedForecast, type Wave } from './forecast';
import type { PlannedWaves } from './forecast-seen';
import {
  chooseAdvised,
  hasQueue,
  type Instance,
  type InstanceVerdict,
  type Objection,
  type RunWave,
  type SoFar,
} from './instance';
import type { NearestLimit } from './limits';
import { findObstacle, isUserDatabase } from './obstacle';
import { DEFAULT_TARGET_SECONDS, defaultWaves, listWaves, type PlanGrounds } from './plan';
import { planSwitch } from './switch-plan';
import type { LogWrites } from './known-of-database';
import { isToLookAt, type Verdict } from './verdict';

/** The instance first, then its databases by database_id. */
export interface ServerVerdict {
  readonly instance: InstanceVerdict;
  readonly databases: ReadonlyMap<number, Verdict>;
}

export interface AdviceGrounds extends Pick<PlanGrounds, 'preflight' | 'expect' | 'weigh'> {
  /** The limit that is exceeded; null: none. */
  readonly hold: NearestLimit | null;
  /** The last wave, if the task is busier than was forecast; null: it is not, or that is not known. */
  readonly missed: MissedForecast | null;
  readonly soFar: SoFar | null;
  /** The waves that are left of those once planned; null: none was run, or all were. */
  readonly planned: PlannedWaves | null;
  /** The databases that were changed last; null: none was, or it made no difference. */
  readonly lastWave: RunWave | null;
  readonly logWrites: LogWrites;
  readonly busyBefore: number | null;
  /** The verdict before this one, on the same capture; null: none. */
  readonly before: InstanceVerdict | null;
}

/** Which databases we advise to switch, and how busy the task would be then. */
export function* adviseServer(
  facts: Facts,
  instance: Instance,
  verdicts: Map<number, Verdict>,
  grounds: AdviceGrounds,
): Steps<ServerVerdict> {
  const { planned, lastWave, logWrites, busyBefore, before } = grounds;
  const reasons = [...verdicts.values()].filter(({ verdict }) => verdict === 'Switch');
  const hurting = reasons.filter(({ part }) => part !== 'feeds').map(({ databaseId }) => databaseId);
  const feeders = reasons.filter(({ part }) => part === 'feeds').map(({ databaseId }) => databaseId);
  const { task } = instance;
  yield;
  // Where a part of the databases is recorded, it cannot be told how many are enough.
  const measured = task !== null && instance.partly === null ? { ...instance, task } : null;
  const needed =
    measured === null ? feeders : yield* chooseAdvised(measured, feeders, new Set(hurting), before);
  const left = listLeft(facts, planned);
  const objection = findObjection(instance, grounds);
  const isPlanned = left.length > 0 && (hasQueue(instance) || objection !== null);
  const wanted = isPlanned ? left.flatMap(({ databaseIds }) => databaseIds) : [...needed, ...hurting];
  const advised = objection === null ? wanted : [];
  const isNeeded = new Set(needed);
  for (const one of reasons)
    if (one.part === 'feeds' && !isNeeded.has(one.databaseId)) verdicts.set(one.databaseId, deferSwitch(one));
  if (objection !== null) for (const one of reasons) verdicts.set(one.databaseId, holdBack(one, objection));
  yield;
  const users = facts.databases.filter((database) => isUserDatabase(database, facts));
  let forecast: ForecastSteps | null = null;
  if (measured !== null && advised.length > 0 && instance.forecastInMs === 0) {
    const waves = isPlanned ? left : yield* planUsual(advised, facts, grounds);
    yield;
    forecast = forecastWaves(measured, waves);
  }
  return {
    databases: verdicts,
    instance: {
      ...instance,
      hurting,
      advised,
      advisedBefore: isPlanned ? null : countBefore(advised, before),
      ran: planned?.ran ?? 0,
      next: isPlanned ? (left[0] ?? null) : null,
      later: isPlanned ? left.slice(1) : [],
      forecast,
      automatic: users.filter(({ targetSeconds }) => targetSeconds === 0).length,
      databases: users.length,
      busyBefore,
      objection,
      lastWave,
      soFar: grounds.soFar,
      logWrites,
      watched: users.filter(({ databaseId: id }) => isToLookAt(verdicts.get(id))).length,
    },
  };
}

/** The waves of the script that switches these, with the usual target. */
function* planUsual(
  databaseIds: readonly number[],
  facts: Facts,
  grounds: AdviceGrounds,
): Steps<readonly Wave[]> {
  const usual = {
    databaseIds,
    byName: false,
    targetSeconds: DEFAULT_TARGET_SECONDS,
    waves: defaultWaves,
    waveOf: new Map<number, number>(),
  };
  const firstWave = (grounds.planned?.ran ?? 0) + 1;
  const { steps } = yield* planSwitch(usual, facts, () => '', { ...grounds, firstWave });
  return listWaves(steps);
}

/** What speaks against the next wave, the weightiest first. Where nothing can be told, that is said instead. */
function findObjection(
  { state, sinceUtcMs }: Instance,
  { hold, missed, lastWave }: AdviceGrounds,
): Objection | null {
  if (hold !== null) return { kind: 'stop', limit: hold };
  if (state === 'cannot tell') return null;
  // A planned wave is waited for also if it is too small to divide the time.
  if (lastWave !== null && !lastWave.isSeen && (lastWave.wave !== null || sinceUtcMs !== null))
    return { kind: 'just switched', last: lastWave };
  return state === 'cannot tell yet' || missed === null ? null : { kind: 'missed', missed };
}

/**
 * How many were advised before, if they were others; null: they were not. While something speaks against a wave,
 * nothing is advised, and nothing compared.
 */
function countBefore(advised: readonly number[], before: InstanceVerdict | null): number | null {
  if (before === null || before.forecast === null || advised.length === 0) return null;
  const all = new Set([...advised, ...before.advised]).size;
  return all === advised.length && all === before.advised.length
    ? before.advisedBefore
    : before.advised.length;
}

/**
 * The waves that are left of those once planned, without databases that were changed since, or made again under an id.
 * They keep their numbers.
 */
function listLeft(facts: Facts, planned: PlannedWaves | null): readonly Wave[] {
  if (planned === null) return [];
  const isPlanned = (one: DatabaseFacts): boolean => findCreation(one, facts) <= planned.madeUtcMs;
  const automatic = facts.databases.filter(
    (one) => one.targetSeconds === 0 && isPlanned(one) && findObstacle(one, facts) === null,
  );
  const ids = new Set(automatic.map(({ databaseId }) => databaseId));
  const waves = planned.waves.map((own, at) => ({
    wave: planned.ran + at + 1,
    databaseIds: own.filter((id) => ids.has(id)),
  }));
  return waves.filter(({ databaseIds }) => databaseIds.length > 0);
}

/** While something speaks against the next wave, nothing says Switch. */
function holdBack(verdict: Verdict, objection: Objection): Verdict {
  return {
    ...verdict,
    verdict: 'Watch',
    reason: joinSentences(describeObjection(objection), verdict.reason),
  };
}

/** "On hold: log used 71 %, limit 70 %." */
export function describeObjection(objection: Objection): string {
  if (objection.kind === 'stop') return t('On hold: {0}.', objection.limit.text);
  return objection.kind === 'missed'
    ? t('On hold: the forecast of wave {0} missed.', objection.missed.wave)
    : t('On hold: too little was seen since the last change.');
}

function deferSwitch(verdict: Verdict): Verdict {
  const reason = joinSentences(
    t('Switch if still needed: by the forecast, the others are enough.'),
    verdict.reason,
  );
  return { ...verdict, isIfNeeded: true, reason };
}
