/** What is computed from the model for the screen, computed again only where something that it rests on has changed. */
import { computeBusyShare, computeStatistics, type CheckpointStatistics, type TimeWindow } from '../core/evidence/statistics';
import type { CheckpointColumns } from '../core/capture/checkpoint-columns';
import { findHeavyDatabases } from '../core/picture/heavy-databases';
import { selectOffenderRows, type OffenderRows, type OffenderSort } from '../core/picture/offender-rows';
import type { DatabaseView, Observation } from '../protocol';
import type { LaneView } from './timeline-scene';

/** Without an observation no share and no rate can be told; the figures say so by null. */
const NOT_OBSERVED: Observation = { beginUtcMs: 0, endUtcMs: 0, gaps: [] };

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
  ) => readonly CheckpointStatistics[];
  readonly inView: (
    columns: CheckpointColumns,
    databases: number,
    window: TimeWindow,
    observation: Observation | null,
  ) => readonly CheckpointStatistics[];
  /** Share of the observed time in which a checkpoint was running, 0 to 1; null where no time was observed. */
  readonly busyShare: (columns: CheckpointColumns, observation: Observation | null) => number | null;
  readonly rowsOfAll: (
    figures: readonly CheckpointStatistics[],
    databases: readonly DatabaseView[],
    filter: string,
    sort: OffenderSort,
  ) => OffenderRows;
  readonly rowsInView: Figures['rowsOfAll'];
  /** Lanes in the order of the table of all that was observed, so that zooming never moves them. */
  readonly lanes: (rows: OffenderRows, figures: readonly CheckpointStatistics[]) => readonly LaneView[];
}

/** Figures that remember the last of each. */
export function createFigures(): Figures {
  return {
    ofAll: remember((columns, databases, bounds, observation) =>
      bounds ? computeStatistics(columns, databases, bounds, observation ?? NOT_OBSERVED) : [],
    ),
    inView: remember((columns, databases, window, observation) =>
      computeStatistics(columns, databases, window, observation ?? NOT_OBSERVED),
    ),
    busyShare: remember((columns, observation) => (observation ? computeBusyShare(columns, observation, observation) : null)),
    rowsOfAll: remember(selectOffenderRows),
    rowsInView: remember(selectOffenderRows),
    lanes: remember(selectLanes),
  };
}

function selectLanes(rows: OffenderRows, figures: readonly CheckpointStatistics[]): readonly LaneView[] {
  const heavy = new Set(findHeavyDatabases(figures).databases);
  return rows.rows.map(({ databaseId, name, statistics: { database } }) => ({ databaseId, name, database, heavy: heavy.has(database) }));
}
