/** What the pointer or the keyboard is at, and what the card says about it, from the lanes as painted. Pure. */
import { callerOfRow } from '../../../core/capture/checkpoint-columns';
import { isSessionCaller } from '../../../core/events/event-register';
import { createGapCrossing } from '../../../core/session/gap-crossing';
import { describeGap, type CardLine, type Point, type Target } from './hover-card';
import { hitColumn, hitRow, type Hit } from './hit';
import { type ChangeMark, layoutChanges, layoutGaps } from './time-marks';
import { laneAt, laneTop } from './timeline-layout';
import {
  describeChanges,
  findPaintedLane,
  type LaneView,
  type PaintedLanes,
  type TimelineInput,
} from './timeline-scene';
import { formatCount, formatDuration } from '../../../core/format';
import { formatMoment, formatSpan } from '../../model/clock';
import { t } from '../../../core/language';

/** How far from a bar the pointer still reaches it, in CSS pixels. */
const REACH_PX = 3;

/** The lane under a point; null below the last. */
export function findLane(input: TimelineInput, painted: PaintedLanes, at: Point): number | null {
  return laneAt(painted.layout, at.yPx, input.lanes.length);
}

/** The checkpoint under a point, or within reach of it. */
export function findHit(input: TimelineInput, painted: PaintedLanes, at: Point): Hit | null {
  const { layout } = painted;
  const lane = findLane(input, painted, at);
  const found = lane === null ? null : findPaintedLane(input, painted, lane);
  const column = columnOf(painted, at);
  // Also from beside the plot: its edge may lie between two pixels of the pointer.
  if (!found) return null;
  return hitColumn(input.columns, found.lane, found.grid, column, Math.round(REACH_PX * layout.pixelRatio));
}

/** More changes of a moment are counted. */
export const MOST_TOLD = 5;

/** What is under the pointer: a checkpoint, else a change, else a gap, else nothing. */
export function describePointer(input: TimelineInput, painted: PaintedLanes, at: Point): Target | null {
  const lane = findLane(input, painted, at);
  const hit = findHit(input, painted, at);
  if (hit && lane !== null) return { lines: describeHit(input, input.lanes[lane]!, hit), at };
  const column = columnOf(painted, at);
  const reach = Math.round(REACH_PX * painted.layout.pixelRatio);
  const nearest = <T>(all: readonly T[], away: (one: T) => number): T | undefined =>
    all.filter((one) => away(one) <= reach).sort((a, b) => away(a) - away(b))[0];
  const mark = nearest(layoutChanges(input.changes, painted.view), ({ at: line }) => Math.abs(line - column));
  if (mark) return { lines: describeMark(mark, input), at };
  const span = nearest(layoutGaps(input.gaps, painted.view), ({ from, end }) =>
    Math.max(0, from - column, column + 1 - end),
  );
  return span ? { lines: describeGap(span.gap, input.clock), at } : null;
}

function describeMark({ changes }: ChangeMark, { databases, clock }: TimelineInput): readonly CardLine[] {
  const names = new Map(databases.map(({ databaseId, name }) => [databaseId, name]));
  const rest = changes.length - MOST_TOLD;
  return [
    ...changes
      .slice(0, MOST_TOLD)
      .map((change): CardLine => ({ text: describeChanges([change], names), kind: 'name' })),
    ...(rest > 0 ? [{ text: t('and {0} more', formatCount(rest)), kind: 'note' } as const] : []),
    { text: formatMoment(changes[0]!.atUtcMs, clock), kind: 'time' },
  ];
}

/** The checkpoint that the keyboard has reached in the selected lane; null if it is out of view. */
export function describeCursor(input: TimelineInput, painted: PaintedLanes, row: number): Target | null {
  const { layout } = painted;
  const lane = input.lanes.findIndex((candidate) => candidate.databaseId === input.selectedDatabaseId);
  const found = findPaintedLane(input, painted, lane);
  const hit = found && hitRow(input.columns, found.lane, found.grid, row);
  if (!hit) return null;
  const at = {
    xPx: (layout.plotLeft + hit.end) / layout.pixelRatio,
    yPx: (laneTop(layout, lane) + layout.laneHeight) / layout.pixelRatio,
  };
  return { lines: describeHit(input, input.lanes[lane]!, hit), at };
}

/** The lines about one checkpoint of a lane. */
export function describeHit(
  input: TimelineInput,
  lane: LaneView,
  hit: Pick<Hit, 'row' | 'count' | 'enlarged'>,
): readonly CardLine[] {
  const { columns, clock, gaps, recoveryIntervalMs } = input;
  const durationMs = columns.durationMs[hit.row]!;
  const span = {
    beginUtcMs: columns.beginUtcMs[hit.row]!,
    endUtcMs: columns.beginUtcMs[hit.row]! + durationMs,
  };
  const lines: CardLine[] = [
    { text: lane.name, kind: 'name' },
    { text: formatDuration(durationMs), kind: 'duration' },
    { text: formatSpan(span, clock), kind: 'time' },
  ];
  const note = (text: string): number => lines.push({ text, kind: 'note' });
  if (hit.count > 1) note(t('longest of {0} checkpoints under this pixel', hit.count));
  if (hit.enlarged) note(t('drawn wider than it is'));
  if (durationMs >= recoveryIntervalMs)
    note(t('at least as long as the recovery interval: logged as FlushCache'));
  if (isSessionCaller(callerOfRow(columns, hit.row)))
    note(t('a session asked for it: CHECKPOINT, a backup or a snapshot; no turn of the checkpoint task'));
  // Its begin and end may belong to two checkpoints with a gap between them.
  if (createGapCrossing(gaps)?.(span.beginUtcMs, span.endUtcMs))
    note(t('may be two checkpoints with a gap between them: left out of all figures'));
  return lines;
}

const columnOf = ({ layout }: PaintedLanes, at: Point): number =>
  Math.floor(at.xPx * layout.pixelRatio) - layout.plotLeft;
