/**
 * One frame of the strips: from samples and checkpoints to steps. Pure; pictures are used again from frame to frame.
 */
import { createBusyColumns, type BusyBins, type BusyColumns } from '../../../core/timeline/busy-bins';
import type { PixelView } from '../../../core/timeline/pixel-grid';
import { createStripColumns, reduceSamples, type StripColumns } from '../../../core/timeline/strip-columns';
import { STRIPS, type StripId } from '../../../core/timeline/strips';
import { layoutSteps, type StripBox, type StripStep } from './strip-layout';
import type { StripScene } from './paint-strips';
import type { TimelineInput } from '../lanes/timeline-scene';

/** Pixel columns of the last frame; they answer the pointer. */
export interface PaintedStrips {
  readonly view: PixelView;
  readonly busy: BusyColumns;
  /** For each strip, its series. */
  readonly series: ReadonlyMap<StripId, readonly StripColumns[]>;
}

/**
 * Reduces samples and checkpoints to the pixel columns of a view. Uses pictures of `before` again if their width still
 * fits.
 */
export function reduceStrips(
  input: TimelineInput,
  ids: readonly StripId[],
  busy: BusyBins | null,
  columns: number,
  before: PaintedStrips | null,
): PaintedStrips {
  const view = { ...input.window, columns };
  const reusable = before?.view.columns === columns ? before : null;
  const ofTask = reusable?.busy ?? createBusyColumns(columns);
  if (busy && ids.includes('busy')) busy.reduce(input.columns, input.index, input.observation, view, ofTask);
  else ofTask.observedMs.fill(0);
  const series = ids.map((id): [StripId, readonly StripColumns[]] => [
    id,
    STRIPS[id].series.map((name, i) => {
      const picture = reusable?.series.get(id)?.[i] ?? createStripColumns(columns);
      reduceSamples(input.samples, input.samples.values[name], view, picture);
      return picture;
    }),
  ]);
  return { view, busy: ofTask, series: new Map(series) };
}

/**
 * The steps of the strips.
 * @param topOf the top of each strip's scale
 * @param goal share up to which the task counts as free; null: not known
 */
export function createStripScenes(
  painted: PaintedStrips,
  boxes: readonly StripBox[],
  topOf: (id: StripId) => number,
  goal: number | null,
): readonly StripScene[] {
  const { busy } = painted;
  return boxes.map((box): StripScene => {
    const lay = (values: ArrayLike<number> | undefined, top: number): readonly StripStep[] =>
      values === undefined ? [] : layoutSteps(values, top, box.height - 1);
    if (box.id === 'busy') {
      const overlap = lay(shareOf(busy, busy.overlapMs), 1).filter(({ height }) => height > 0);
      const line = goal === null ? [] : lay(new Float64Array(painted.view.columns).fill(goal), 1);
      return { box, area: lay(shareOf(busy, busy.busyMs), 1), overlap, line, unobserved: [], unsampled: [] };
    }
    const [first, second] = painted.series.get(box.id) ?? [];
    const top = topOf(box.id);
    const mark = (holds: (samples: number, value: number) => boolean): readonly StripStep[] =>
      lay(
        first?.highest.map((value, column) => (holds(first.samples[column]!, value) ? 0 : NaN)),
        1,
      );
    return {
      box,
      area: lay(first?.highest, top),
      overlap: [],
      line: lay(second?.highest, top),
      unobserved: mark((samples, value) => samples > 0 && Number.isNaN(value)),
      unsampled: mark((samples) => samples === 0),
    };
  });
}

/** From 0 to 1 for each column; NaN if nothing was observed. */
export function shareOf({ observedMs }: BusyColumns, partMs: Float64Array): Float64Array {
  return partMs.map((ms, column) => (observedMs[column]! > 0 ? Math.min(1, ms / observedMs[column]!) : NaN));
}
