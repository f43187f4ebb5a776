/** What is computed from the model for the screen, computed again only where something that it rests on has changed. */
import {
  computeBusyShare,
  computeStatisticsSet,
  type CheckpointStatistics,
  type StatisticsSet,
  type TimeWindow,
} from '../core/evidence/statistics';
import { finishSteps } from '../core/steps';
import type { CheckpointColumns } from '../core/capture/checkpoint-columns';
import type { LaneIndex } from '../core/picture/lane-index';
import { findHeavyDatabases } from '../core/picture/heavy-databases';
import { selectOffenderRows, type OffenderRows, type OffenderSort } from '../core/picture/offender-rows';
import type { DatabaseView, Observation } from '../protocol';
import type { LaneView } from './timeline-scene';

/** Without an observation no share and no rate can be told; the figures say so by null. */
const NOT_OBSERVED: Observation = { beginUtcMs: 0, endUtcMs: 0, gaps: [] };
const NO_FIGURES: StatisticsSet = { coverage: { observedMs: 0, gapMs: 0, unwatchedMs: 0, gaps: [] }, acrossGaps: 0, databases: [] };

/** The same function, which gives its last result again for the same arguments. */
export function remember<A extends readonly unknown[], R>(compute: (...args: A) => R): (...args: A) => R {
  let last: { readonly args: A; readonly result: R } | null = null;
  return (...args) => {
    if (!last || args.some((arg, i) => arg !== last!.args[i])) last = { args, result: compute(...args) };
    return last.result;
  };
}

export interface Figures {
  /** Of every database in all that was observed, and in the window in view. */
  readonly ofAll: (
    columns: CheckpointColumns,
    databases: number,
    bounds: TimeWindow | null,
    observation: Observation | null,
  ) => StatisticsSet;
  readonly inView: (columns: CheckpointColumns, databases: number, window: TimeWindow, observation: Observation | null) => StatisticsSet;
  /** Share of the observed time in which a checkpoint was running, 0 to 1; null where no time was observed. */
  readonly busyShare: (columns: CheckpointColumns, observation: Observation | null) => number | null;
  readonly rowsOfAll: (
    figures: readonly CheckpointStatistics[],
    databases: readonly DatabaseView[],
    filter: string,
    sort: OffenderSort,
  ) => OffenderRows;
  readonly rowsInView: Figures['rowsOfAll'];
  /**
   * Lanes in the order of the table of all that was observed, so that zooming never moves them. Databases of which every checkpoint touches a gap are in no
   * figure, but what was recorded of them is to be seen: they come last.
   */
  readonly lanes: (
    rows: OffenderRows,
    figures: readonly CheckpointStatistics[],
    databases: readonly DatabaseView[],
    filter: string,
    columns: CheckpointColumns,
    index: LaneIndex,
  ) => readonly LaneView[];
}

/** Figures that remember the last of each. */
export function createFigures(): Figures {
  return {
    ofAll: remember((columns, databases, bounds, observation) =>
      bounds ? finishSteps(computeStatisticsSet(columns, databases, bounds, observation ?? NOT_OBSERVED)) : NO_FIGURES,
    ),
    inView: remember((columns, databases, window, observation) =>
      finishSteps(computeStatisticsSet(columns, databases, window, observation ?? NOT_OBSERVED)),
    ),
    busyShare: remember((columns, observation) => (observation ? computeBusyShare(columns, observation, observation) : null)),
    rowsOfAll: remember(selectOffenderRows),
    rowsInView: remember(selectOffenderRows),
    lanes: remember(selectLanes),
  };
}

/** @param _columns tell that the index has grown, which it does in place */
function selectLanes(
  { rows }: OffenderRows,
  figures: readonly CheckpointStatistics[],
  databases: readonly DatabaseView[],
  filter: string,
  _columns: CheckpointColumns,
  index: LaneIndex,
): readonly LaneView[] {
  const heavy = new Set(findHeavyDatabases(figures).databases);
  const wanted = filter.toLowerCase();
  const spoilt = databases.flatMap(({ databaseId, name }, database): LaneView[] => {
    const isSpoilt = figures[database]?.count === 0 && (index.lanes[database]?.count ?? 0) > 0;
    return isSpoilt && name.toLowerCase().includes(wanted) ? [{ databaseId, name, database, heavy: false }] : [];
  });
  const counted = rows.map(({ databaseId, name, statistics: { database } }) => ({
    databaseId,
    name,
    database,
    heavy: heavy.has(database),
  }));
  return spoilt.length === 0 ? counted : [...counted, ...spoilt];
}
