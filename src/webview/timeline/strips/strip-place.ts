/** Where the keyboard is on the strips above the lanes: a strip and a moment, moved by keys from pixel column to pixel column. Pure. */
import { columnMs, type PixelView } from '../../../core/timeline/pixel-grid';
import { findSampleFrom } from '../../../core/timeline/strip-columns';
import type { StripSamples } from '../../../core/timeline/strip-samples';
import { STRIPS, type StripId } from '../../../core/timeline/strips';
import type { StripGesture } from '../../kit/gesture';

export interface StripPlace {
  readonly id: StripId;
  /** The middle of its pixel column: it stays where it is while the window moves. */
  readonly utcMs: number;
}

/** What the strips show: from the top, at least one. */
export interface ShownStrips {
  readonly ids: readonly StripId[];
  readonly view: PixelView;
  readonly samples: StripSamples;
}

/** The pixel column of a place; null where it is out of view. */
export function columnOfPlace(view: PixelView, { utcMs }: StripPlace): number | null {
  const column = positionOf(view, utcMs);
  return column >= 0 && column < view.columns ? Math.floor(column) : null;
}

/** The place after a gesture. From nowhere, or a place out of view, it begins at the edge of the view from which the step leads into it. */
export function moveOnStrips(
  gesture: Exclude<StripGesture, { type: 'leave' }>,
  place: StripPlace | null,
  { ids, view, samples }: ShownStrips,
): StripPlace {
  const now = Math.max(0, place ? ids.indexOf(place.id) : 0);
  const column = place && columnOfPlace(view, place);
  const at = (id: StripId, moved: number): StripPlace => ({ id, utcMs: view.beginUtcMs + (moved + 0.5) * columnMs(view) });
  const last = view.columns - 1;
  switch (gesture.type) {
    case 'begin':
      return at(ids[now]!, 0);
    case 'end':
      return at(ids[now]!, last);
    case 'strip': {
      // The first press only goes there.
      const next = column === null ? now : Math.min(ids.length - 1, Math.max(0, now + gesture.step));
      return at(ids[next]!, column ?? last);
    }
    case 'time': {
      if (column === null) return at(ids[now]!, gesture.steps > 0 ? 0 : last);
      const isSampled = STRIPS[ids[now]!].series.length > 0;
      let moved = column;
      for (let step = 0; step < Math.abs(gesture.steps); step++) {
        const next = isSampled ? nextSampled(samples, view, moved, gesture.steps > 0) : moved + Math.sign(gesture.steps);
        moved = Math.min(last, Math.max(0, next));
      }
      return at(ids[now]!, moved);
    }
    default:
      return gesture satisfies never;
  }
}

const positionOf = (view: PixelView, utcMs: number): number =>
  ((utcMs - view.beginUtcMs) * view.columns) / (view.endUtcMs - view.beginUtcMs);

/** Of a column: a sample that ends exactly between two columns fills the one before in spite of rounding. */
const SLIGHTLY = 0.001;

/** The next column that does not show the sample that fills this one; the neighbour where none does. */
function nextSampled(samples: StripSamples, view: PixelView, column: number, isLater: boolean): number {
  const sample = findSampleFrom(samples, view.beginUtcMs + (column + 0.5) * columnMs(view));
  const neighbour = column + (isLater ? 1 : -1);
  if (sample === samples.samples) return neighbour;
  const [begin, end] = [positionOf(view, samples.beginUtcMs[sample]!), positionOf(view, samples.endUtcMs[sample]!)];
  if (begin > column + SLIGHTLY || end < column + 1 - SLIGHTLY) return neighbour;
  return isLater ? Math.ceil(end - SLIGHTLY) : Math.floor(begin + SLIGHTLY) - 1;
}
