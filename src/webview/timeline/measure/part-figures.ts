/** Figures of what is measured. A filter hides lanes but takes nothing out of it. */
import { measurePart, type MeasuredFigures } from '../../../core/timeline/measured-part';
import type { FiguresRules } from '../../model/kept-figures';
import type { MeasuredPart } from '../../model/view-state';
import type { TimelineInput } from '../lanes/timeline-scene';

export interface PartScope extends Pick<TimelineInput, 'columns' | 'index' | 'databases' | 'observation'> {
  readonly part: MeasuredPart;
}

export const PART_FIGURES: FiguresRules<PartScope, MeasuredFigures> = {
  compute: (scope) =>
    measurePart(scope.columns, scope.index, scope.part, findPositions(scope), scope.observation),
  isSame: (before, now) =>
    (before.observation === now.observation || writeObserved(before) === writeObserved(now)) &&
    (before.databases === now.databases || isSameList(findPositions(before), findPositions(now))) &&
    !hasNewRow(before, now),
  isOther: (before, now) => before.index !== now.index || !isSamePart(before.part, now.part),
};

/** Positions of the part's databases in the `database` column. */
function findPositions({ part, databases }: PartScope): readonly number[] {
  const wanted = new Set(part.databaseIds);
  return databases.flatMap(({ databaseId }, position) => (wanted.has(databaseId) ? [position] : []));
}

/** What the figures take from the observation. It does not change if only time after the part is added. */
const writeObserved = ({ part, observation }: PartScope): string =>
  JSON.stringify({ ...observation, endUtcMs: Math.min(part.endUtcMs, observation.endUtcMs) });

function hasNewRow({ columns: { rows: from } }: PartScope, now: PartScope): boolean {
  const { beginUtcMs, database, rows } = now.columns;
  if (rows === from) return false;
  const wanted = new Set(findPositions(now));
  for (let row = from; row < rows; row++) {
    const begin = beginUtcMs[row]!;
    if (begin >= now.part.beginUtcMs && begin < now.part.endUtcMs && wanted.has(database[row]!)) return true;
  }
  return false;
}

const isSamePart = (a: MeasuredPart, b: MeasuredPart): boolean =>
  a === b ||
  (a.beginUtcMs === b.beginUtcMs && a.endUtcMs === b.endUtcMs && isSameList(a.databaseIds, b.databaseIds));

const isSameList = (a: readonly number[], b: readonly number[]): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => value === b[i]));
