/** What came true of the kept forecast, and the stop signs since databases were switched. */
import type { KeptForecast } from '../../core/advice/forecast';
import { compareForecast, findFirstRun, findLastRun, type ForecastSeen, isInSameHours } from '../../core/advice/forecast-seen';
import type { StopSign } from '../../core/advice/stop-signs';
import type { CheckpointColumns, Observation } from '../../core/capture/checkpoint-columns';
import type { OffsetPeriod } from '../../core/errorlog/server-clock';
import { type ChangeMoment, findSwitches } from '../../core/task/change-moment';
import { listChanges } from '../../core/comparison/change-window';
import { findTaskRows } from '../../core/task/checkpoint-task';
import { findObservedPieces, sumPieces } from '../../core/statistics/observed-time';
import type { Steps } from '../../core/steps';
import type { EvidenceSources } from './evidence-world';
import type { LoggedEvidence } from './evidence-readings';
import type { JoinedDatabase } from './joined-database';
import { judgeStopSigns } from './stop-figures';
import { scopeTask } from './write-work-evidence';

interface FollowedForecast {
  /** null: none was made, or none of its waves was run. */
  readonly seen: { readonly kept: KeptForecast; readonly seen: ForecastSeen } | null;
  /** null: nothing was switched. */
  readonly signs: readonly StopSign[] | null;
}

export function* followForecast(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  logged: LoggedEvidence | null,
  offsets: readonly OffsetPeriod[],
): Steps<FollowedForecast> {
  const { capture, forecast: kept, work, readings, facts } = sources;
  const changes = databases.flatMap(({ databaseId, changes: own }) => listChanges(own).map((change) => ({ ...change, databaseId })));
  const switches = changes.filter(({ toSeconds }) => toSeconds !== 0);
  if (switches.length === 0) return { seen: null, signs: null };
  const switchedUtcMs = findSwitches(changes, kept?.madeUtcMs ?? -Infinity);
  const observation = capture?.observation ?? null;
  const compared =
    kept === null || capture === null || observation === null
      ? null
      : yield* compareKept(sources, databases, { kept, columns: capture.columns, observation, offsets, switchedUtcMs });
  const last = compared === null ? null : findLastRun(compared);
  const seen = kept === null || compared === null || last === null ? null : { kept, seen: compared };
  const firstUtcMs = (seen && findFirstRun(seen.seen)) ?? Math.min(...switches.map(({ atUtcMs }) => atUtcMs));
  const lastUtcMs = (seen && last?.seen.runUtcMs) ?? Math.max(...switches.map(({ atUtcMs }) => atUtcMs));
  const signs = yield* judgeStopSigns({
    work,
    readings,
    logged,
    databases,
    switched: new Set(switches.map(({ databaseId }) => databaseId)),
    before: { beginUtcMs: -Infinity, endUtcMs: firstUtcMs },
    since: { beginUtcMs: lastUtcMs, endUtcMs: facts.server.nowUtcMs },
    isSame: isInSameHours(seen?.seen.sameHours ?? null, offsets),
  });
  return { seen, signs };
}

interface KeptScope {
  readonly kept: KeptForecast;
  readonly columns: CheckpointColumns;
  readonly observation: Observation;
  readonly offsets: readonly OffsetPeriod[];
  readonly switchedUtcMs: (databaseId: number) => number | null;
}

function* compareKept(
  sources: EvidenceSources,
  databases: readonly JoinedDatabase[],
  { kept, columns, observation, offsets, switchedUtcMs }: KeptScope,
): Steps<ForecastSeen> {
  // A forecast is made for databases that are automatic, also where only the error log tells of their switch, without the value before.
  const own = new Set(kept.waves.flatMap((wave) => wave.databaseIds));
  const known = databases.map((one) => (own.has(one.databaseId) ? { ...one, changes: startAutomatic(one.changes, kept.madeUtcMs) } : one));
  const { rows, uncertainMs } = yield* findTaskRows(columns, scopeTask(sources, known, observation));
  const observedMs = sumPieces(findObservedPieces(observation, observation));
  const targets = new Map(databases.map(({ databaseId, targetSeconds }) => [databaseId, targetSeconds]));
  return yield* compareForecast(kept, {
    columns,
    observation,
    rows,
    margin: observedMs > 0 ? uncertainMs / observedMs : 0,
    offsets,
    switchedUtcMs,
    isAutomaticAgain: (id) => switchedUtcMs(id) !== null && targets.get(id) === 0,
  });
}

function startAutomatic(changes: readonly ChangeMoment[], madeUtcMs: number): readonly ChangeMoment[] {
  const [first, ...others] = listChanges(changes);
  return first === undefined || first.fromSeconds !== null || first.atUtcMs < madeUtcMs
    ? changes
    : [{ ...first, fromSeconds: 0 }, ...others];
}
