/** What came true of the kept forecast, and the limits since databases were switched. */
import type { KeptForecast } from '../../core/advice/forecast';
import { compareForecast, findLastRun, type SeenWave } from '../../core/advice/forecast-seen';
import type { Limit } from '../../core/advice/limits';
import { findSwitches } from '../../core/task/change-moment';
import { listChanges } from '../../core/comparison/changes';
import type { BothSides, Result } from '../../core/comparison/result';
import { findTaskRows } from '../../core/task/checkpoint-task';
import { findObservedPieces, sumPieces } from '../../core/statistics/observed-time';
import type { Steps } from '../../core/steps';
import type { EvidenceSources } from './evidence-world';
import type { LoggedEvidence } from './evidence-readings';
import type { JoinedDatabase } from './joined-database';
import { judgeLimits, type SideWrites } from './limit-figures';
import { scopeTask } from './task-scope';
import type { History } from './write-work-evidence';

interface FollowedForecast {
  /** null: none was made, or none of its waves was run. */
  readonly seen: { readonly kept: KeptForecast; readonly waves: readonly SeenWave[] } | null;
  /** null: nothing was switched. */
  readonly signs: readonly Limit[] | null;
  /** What all databases wrote on each side; null: nothing was switched. */
  readonly writes: BothSides<SideWrites> | null;
}

export function* followForecast(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  logged: LoggedEvidence | null,
  turns: History | null,
): Steps<FollowedForecast> {
  const { forecast: kept, work, readings, facts, result } = sources;
  const switched = result === null ? [] : result.rows.filter(({ isAutomatic }) => !isAutomatic);
  if (result === null || switched.length === 0) return { seen: null, signs: null, writes: null };
  const waves =
    kept === null || turns === null ? [] : yield* compareKept(sources, databases, { ...turns, kept, result });
  const { before, firstUtcMs, lastUtcMs, isCompared } = result.sides;
  const judged = yield* judgeLimits({
    work,
    readings,
    logged,
    databases,
    switched: new Set(switched.map(({ databaseId }) => databaseId)),
    before: { beginUtcMs: before.observedMs > 0 ? before.beginUtcMs : -Infinity, endUtcMs: firstUtcMs },
    since: { beginUtcMs: lastUtcMs, endUtcMs: facts.server.nowUtcMs },
    isSame: isCompared,
  });
  return { seen: kept === null || findLastRun(waves) === null ? null : { kept, waves }, ...judged };
}

interface KeptScope extends History {
  readonly kept: KeptForecast;
  readonly result: Result;
}

function* compareKept(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  { kept, columns, observation, result }: KeptScope,
): Steps<readonly SeenWave[]> {
  const scope = scopeTask(sources, databases, observation);
  const { rows, uncertainMs } = yield* findTaskRows(columns, scope);
  const observedMs = sumPieces(findObservedPieces(observation, observation));
  const targets = new Map(databases.map(({ databaseId, targetSeconds }) => [databaseId, targetSeconds]));
  const changes = databases.flatMap(({ databaseId, changes: all }) =>
    listChanges(all).map((change) => ({ ...change, databaseId })),
  );
  const switchedUtcMs = findSwitches(changes, kept.madeUtcMs);
  return yield* compareForecast(kept, {
    columns,
    observation,
    rows,
    margin: observedMs > 0 ? uncertainMs / observedMs : 0,
    after: {
      sinceUtcMs: result.sides.lastUtcMs,
      observedMs: result.sides.after.observedMs,
      busyShare: result.server.after.share ?? 0,
    },
    switchedUtcMs,
    isAutomatic: (id) => targets.get(id) === 0,
  });
}
