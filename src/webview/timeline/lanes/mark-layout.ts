/**
 * Marks of the error log and of msdb in the row between strips and lanes. Moments too close to show one by one are one
 * shape with a count. Time spans are bars at the foot of the row. Device pixels from the left of the plot.
 *
 *    ▼  ◆2     ✖
 *      ━━━━━      ▭▭▭
 */
import {
  MARK_NAMES,
  TIME_MARK_KINDS,
  type TimeMark,
  type TimeMarkKind,
} from '../../../core/timeline/time-marks';
import type { TimeWindow } from '../../../core/statistics/statistics';
import type { PixelView } from '../../../core/timeline/pixel-grid';
import { columnOf } from './time-marks';

/** CSS pixels: width of a shape. */
export const SHAPE_PX = 9;
/** CSS pixels of a digit of the count beside a shape. */
const DIGIT_PX = 6;

export interface MarkGroup {
  /** The gravest kind among them; it decides the shape. */
  readonly kind: TimeMarkKind;
  /** Middle of the shape, which stands at its first mark. */
  readonly at: number;
  /** In order of time. */
  readonly marks: readonly TimeMark[];
}

export interface MarkBar {
  readonly mark: TimeMark;
  readonly from: number;
  /** Excluded. A bar is at least a third of a shape wide, so that a short one can be seen. */
  readonly end: number;
}

export interface LaidMarks {
  readonly groups: readonly MarkGroup[];
  readonly bars: readonly MarkBar[];
}

/** Kinds, the gravest first. The gravest stands for a group. */
const GRAVITY: readonly TimeMarkKind[] = [
  'notice',
  'slow I/O',
  'FlushCache',
  'buffer pool scan',
  'recovery',
  'backup',
];

const isStretch = ({ kind }: TimeMark): boolean => kind === 'backup' || kind === 'recovery';

export function layoutMarks(marks: readonly TimeMark[], view: PixelView, pixelRatio: number): LaidMarks {
  const inView = marks
    .filter(
      (mark) =>
        mark.beginUtcMs < view.endUtcMs && Math.max(mark.endUtcMs, mark.beginUtcMs + 1) > view.beginUtcMs,
    )
    .sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  const bars = inView.filter(isStretch).map((mark): MarkBar => {
    const from = Math.max(0, Math.floor(columnOf(view, mark.beginUtcMs)));
    const least = from + Math.round((SHAPE_PX / 3) * pixelRatio);
    return {
      mark,
      from,
      end: Math.min(view.columns, Math.max(least, Math.ceil(columnOf(view, mark.endUtcMs)))),
    };
  });
  return {
    groups: groupMoments(
      inView.filter((mark) => !isStretch(mark)),
      view,
      pixelRatio,
    ),
    bars,
  };
}

/** A shape stands at its first mark and takes in the marks that would lie under it or its count. */
function groupMoments(
  moments: readonly TimeMark[],
  view: PixelView,
  pixelRatio: number,
): readonly MarkGroup[] {
  const groups: { at: number; marks: TimeMark[] }[] = [];
  for (const mark of moments) {
    const at = Math.max(0, Math.floor(columnOf(view, mark.beginUtcMs)));
    const group = groups[groups.length - 1];
    if (group && at - group.at < widthOf(group.marks.length) * pixelRatio) group.marks.push(mark);
    else groups.push({ at, marks: [mark] });
  }
  return groups.map(({ at, marks }) => ({ kind: gravestOf(marks), at, marks }));
}

/** CSS pixels of a shape with its count. */
const widthOf = (marks: number): number =>
  SHAPE_PX + (marks > 1 ? 3 + DIGIT_PX * countText(marks).length : 0);

export const countText = (marks: number): string => (marks > 99 ? '99+' : String(marks));

const gravestOf = (marks: readonly TimeMark[]): TimeMarkKind =>
  GRAVITY.find((kind) => marks.some((mark) => mark.kind === kind))!;

/** The marks under a column: those of the nearest shape that covers it, else those of all bars there. */
export function findMarks(
  { groups, bars }: LaidMarks,
  column: number,
  pixelRatio: number,
): readonly TimeMark[] {
  const reach = (SHAPE_PX * pixelRatio) / 2 + 2;
  const near = groups
    .filter(({ at }) => Math.abs(at - column) <= reach)
    .sort((a, b) => Math.abs(a.at - column) - Math.abs(b.at - column));
  if (near[0]) return near[0].marks;
  return bars.filter(({ from, end }) => column >= from - 1 && column <= end).map(({ mark }) => mark);
}

/** Those that reach into the bounds: what can be shown, and where the keys go. */
export const listReached = (marks: readonly TimeMark[], bounds: TimeWindow): readonly TimeMark[] =>
  marks.filter((mark) => mark.endUtcMs >= bounds.beginUtcMs && mark.beginUtcMs <= bounds.endUtcMs);

/** Kinds that occur, in the order of the legend. */
export const listKinds = (marks: readonly TimeMark[]): readonly TimeMarkKind[] =>
  TIME_MARK_KINDS.filter((kind) => marks.some((mark) => mark.kind === kind));

/** A mark at the top of a lane. */
export interface LaneTick {
  readonly lane: number;
  /** Pixel column of the plot. */
  readonly at: number;
  readonly kind: TimeMarkKind;
}

/** The marks of databases whose lanes are in view. A pixel of a lane with several marks shows only the gravest. */
export function layoutLaneTicks(
  marks: readonly TimeMark[],
  lanes: readonly { readonly databaseId: number }[],
  view: PixelView,
  inView: readonly number[],
): readonly LaneTick[] {
  const laneOf = new Map(inView.map((lane) => [lanes[lane]!.databaseId, lane]));
  const ticks = new Map<string, LaneTick>();
  for (const { databaseId, beginUtcMs, kind } of marks) {
    const lane = databaseId === null ? undefined : laneOf.get(databaseId);
    if (lane === undefined || beginUtcMs < view.beginUtcMs || beginUtcMs >= view.endUtcMs) continue;
    const at = Math.floor(columnOf(view, beginUtcMs));
    const other = ticks.get(`${lane} ${at}`);
    if (!other || GRAVITY.indexOf(kind) < GRAVITY.indexOf(other.kind))
      ticks.set(`${lane} ${at}`, { lane, at, kind });
  }
  return [...ticks.values()];
}

/** `Recovery · Sales`. */
export const nameMark = ({ kind, database }: TimeMark): string =>
  [MARK_NAMES[kind], ...(database === null ? [] : [database])].join(' · ');
