/** From data to one frame's scene of the timeline. Pure; pictures are used again from frame to frame. */
import type { CheckpointColumns } from '../../../core/capture/checkpoint-columns';
import type { TimeWindow } from '../../../core/statistics/statistics';
import type { Lane, LaneIndex } from '../../../core/timeline/lane-index';
import { describeGapKind } from '../../../core/pages/coverage-text';
import {
  createLanePicture,
  reduceLane,
  type BuildBudget,
  type LanePicture,
} from '../../../core/timeline/pixel-columns';
import { columnMs, ViewGrids, type PixelGrid, type PixelView } from '../../../core/timeline/pixel-grid';
import type { StripSamples } from '../../../core/timeline/strip-samples';
import type { StripId } from '../../../core/timeline/strips';
import type { TimeMark } from '../../../core/timeline/time-marks';
import type { ChangeView, DatabaseView, Gap, Observation } from '../../../protocol';
import type { Clock } from '../../model/clock';
import { hitRow } from './hit';
import { layoutLaneTicks } from './mark-layout';
import { layoutChanges, layoutGaps, type ChangeMark, type GapSpan, type Label } from './time-marks';
import { listLanesInView, placeInView, type TimelineLayout } from './timeline-layout';
import type { Scene } from './paint-timeline';
import type { LaneHeight, MeasuredPart } from '../../model/view-state';
import { isRightToLeft, makeVisible, shorten } from '../../../core/visible';
import { t } from '../../../core/language';

/** A lane of the timeline: a database with its position in the capture. */
export interface LaneView {
  readonly databaseId: number;
  readonly name: string;
  readonly database: number;
  /** Whether it is one of the few databases that make up most of the checkpoint time. */
  readonly heavy: boolean;
  /** Pinned lanes come first. */
  readonly pinned: boolean;
}

export interface TimelineInput {
  readonly columns: CheckpointColumns;
  readonly index: LaneIndex;
  readonly lanes: readonly LaneView[];
  readonly window: TimeWindow;
  readonly bounds: TimeWindow;
  readonly gaps: readonly Gap[];
  readonly changes: readonly ChangeView[];
  readonly clock: Clock;
  readonly recoveryIntervalMs: number;
  /** The busy share up to which the checkpoint task counts as free, 0 to 1; null: nothing is forecast. */
  readonly goal: number | null;
  readonly selectedDatabaseId: number | null;
  readonly laneHeight: LaneHeight;
  readonly strips: readonly StripId[];
  readonly measured: MeasuredPart | null;
  readonly observation: Observation;
  /** At the position of the `database` column. */
  readonly databases: readonly DatabaseView[];
  readonly samples: StripSamples;
  /** Marks from the error log and msdb. */
  readonly marks: readonly TimeMark[];
}

/** Lanes as painted in the last frame; they answer the pointer. */
export interface PaintedLanes {
  readonly view: PixelView;
  readonly layout: TimelineLayout;
  /** Pictures of the lanes in view, from the top. */
  readonly pictures: readonly LanePicture[];
  /**
   * Whether levels of detail are still to be built for another recovery interval. Later frames then look the same but
   * cost less.
   */
  readonly isBuilding: boolean;
}

/** Checkpoints whose levels of detail are built in one frame: some 20 ms. */
const BUILT_A_FRAME = 250_000;

/** Reduces the lanes in view to pixel columns. Uses pictures of `before` again if their width still fits. */
export function reduceLanes(
  input: TimelineInput,
  layout: TimelineLayout,
  before: PaintedLanes | null,
): PaintedLanes {
  const view = { ...input.window, columns: layout.plotWidth };
  const grids = new ViewGrids(view);
  input.index.recoveryIntervalMs = input.recoveryIntervalMs;
  const budget: BuildBudget = { rows: BUILT_A_FRAME, exceeded: false };
  const reusable = before && before.view.columns === view.columns ? before.pictures : [];
  const pictures = listLanesInView(layout).map((lane, i) => {
    const picture = reusable[i] ?? createLanePicture(view.columns);
    reduceLane(
      input.columns,
      input.index.lanes[input.lanes[lane]!.database],
      grids,
      picture,
      input.recoveryIntervalMs,
      budget,
    );
    return picture;
  });
  return { view, layout, pictures, isBuilding: budget.exceeded };
}

/** The scene of one frame. `cursor` is the checkpoint reached by the keyboard. */
export function createScene(
  input: TimelineInput,
  painted: PaintedLanes,
  hoveredLane: number | null,
  cursorRow: number | null,
): Scene {
  const { layout, view } = painted;
  const selected = input.lanes.findIndex((lane) => lane.databaseId === input.selectedDatabaseId);
  return {
    layout,
    laneCount: input.lanes.length,
    selectedLane: selected < 0 ? null : selected,
    hoveredLane,
    pinnedLanes: countPinned(input.lanes),
    columnMs: columnMs(view),
    pictures: painted.pictures,
    gaps: layoutGaps(input.gaps, view),
    changes: layoutChanges(input.changes, view),
    ticks: layoutLaneTicks(input.marks, input.lanes, view, listLanesInView(layout)),
    cursor: cursorRow === null || selected < 0 ? null : locateCursor(input, painted, selected, cursorRow),
  };
}

function locateCursor(
  input: TimelineInput,
  painted: PaintedLanes,
  lane: number,
  row: number,
): Scene['cursor'] {
  const at = findPaintedLane(input, painted, lane);
  const hit = at && hitRow(input.columns, at.lane, at.grid, row);
  if (!hit) return null;
  return { x: painted.layout.plotLeft + hit.from, width: hit.end - hit.from, lane };
}

/** How many lanes are pinned: the first ones. */
export const countPinned = (lanes: readonly LaneView[]): number => lanes.filter((lane) => lane.pinned).length;

/** A lane in view that has checkpoints, with the grid that it was painted by. */
export function findPaintedLane(
  input: TimelineInput,
  painted: PaintedLanes,
  lane: number,
): { readonly lane: Lane; readonly grid: PixelGrid } | null {
  const grid = painted.pictures[placeInView(painted.layout, lane)]?.grid;
  const indexed = input.index.lanes[input.lanes[lane]?.database ?? -1];
  return grid && indexed ? { lane: indexed, grid } : null;
}

/** More gaps than this are named by the legend alone, or their labels would stand in the place of all times. */
const MOST_NAMED_GAPS = 2;

/** The labels below the lanes, gaps before changes: missing data must never look like a calm time. */
export function labelMarks(
  gaps: readonly GapSpan[],
  changes: readonly ChangeMark[],
  databases: readonly DatabaseView[],
  pixelRatio: number,
): readonly Label[] {
  const names = new Map(databases.map(({ databaseId, name }) => [databaseId, name]));
  const ofGaps = gaps.map(({ gap, from, end }): Label => ({
    text: describeGapKind(gap),
    middlePx: (from + end) / 2 / pixelRatio,
    kind: 'gap',
  }));
  const ofChanges = changes.map(({ at, changes: made }): Label => ({
    text: describeChanges(made, names, 24),
    middlePx: at / pixelRatio,
    kind: 'change',
  }));
  return [...(ofGaps.length > MOST_NAMED_GAPS ? [] : ofGaps), ...ofChanges];
}

/** `dbA → 60 s`, `3 changed`. @param most characters of a name; a longer one is cut in the middle */
export function describeChanges(
  made: readonly ChangeView[],
  names: ReadonlyMap<number, string>,
  most = Infinity,
): string {
  const [first] = made;
  if (made.length > 1 || !first) return t('{0} changed', made.length);
  const name = shorten(makeVisible(names.get(first.databaseId) ?? t('database {0}', first.databaseId)), most);
  if (first.toSeconds === null) return t('{0} changed', name);
  // Behind a name from right to left, the number would be read as part of it.
  return isRightToLeft(name) ? `→ ${first.toSeconds} s: ${name}` : `${name} → ${first.toSeconds} s`;
}
