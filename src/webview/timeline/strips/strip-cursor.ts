/**
 * The strips for the keyboard: one stop for Tab; arrows go from pixel column to pixel column and from strip to strip.
 */
import { STRIPS, type StripId } from '../../../core/timeline/strips';
import { createElement, setLabel } from '../../kit/elements';
import { readStripKey, type StripGesture } from '../../kit/gesture';
import { columnMs, type PixelView } from '../../../core/timeline/pixel-grid';
import { findSampleFrom } from '../../../core/timeline/strip-columns';
import type { StripSamples } from '../../../core/timeline/strip-samples';
import { t } from '../../../core/language';

interface StripCursorEvents {
  /** The keyboard went somewhere else, or left. */
  onStep(): void;
  onLeave(): void;
}

export class StripCursor {
  /** Takes the focus; the canvas below it shows the place. */
  readonly element: HTMLElement;
  /** null: the keyboard is nowhere. */
  place: StripPlace | null = null;
  private shown: ShownStrips | null = null;

  constructor(private readonly events: StripCursorEvents) {
    this.element = createElement('div.strip-cursor', {
      role: 'application',
      tabindex: '0',
      'aria-roledescription': t('strips'),
      hidden: '',
    });
    this.element.addEventListener('keydown', (event) => this.press(event));
    this.element.addEventListener('blur', () => this.goTo(null));
  }

  show(shown: ShownStrips): void {
    this.shown = shown;
    this.element.hidden = shown.ids.length === 0;
    const name = t(
      'Strips: {0}. Left and right go through the time in view, up and down from strip to strip.',
      shown.ids.map((id) => STRIPS[id].name).join(', '),
    );
    setLabel(this.element, name);
  }

  /** Pixel column of the place; null: out of view. */
  get column(): number | null {
    return this.place && this.shown && columnOfPlace(this.shown.view, this.place);
  }

  private press(event: KeyboardEvent): void {
    const gesture = readStripKey(event);
    if (!gesture || !this.shown) return;
    event.preventDefault();
    event.stopPropagation();
    if (gesture.type === 'leave') this.events.onLeave();
    else this.goTo(moveOnStrips(gesture, this.place, this.shown));
  }

  private goTo(place: StripPlace | null): void {
    this.place = place;
    this.events.onStep();
  }
}

export interface StripPlace {
  readonly id: StripId;
  /** The middle of its pixel column; the place stays at this moment when the window moves. */
  readonly utcMs: number;
}

/** The strips shown, from the top, at least one; and what they show. */
export interface ShownStrips {
  readonly ids: readonly StripId[];
  readonly view: PixelView;
  readonly samples: StripSamples;
}

/** The pixel column of a place; null if it is out of view. */
export function columnOfPlace(view: PixelView, { utcMs }: StripPlace): number | null {
  const column = positionOf(view, utcMs);
  return column >= 0 && column < view.columns ? Math.floor(column) : null;
}

/**
 * The place after a gesture. From nowhere, or from out of view, a step starts at the edge of the view that it comes
 * from.
 */
export function moveOnStrips(
  gesture: Exclude<StripGesture, { type: 'leave' }>,
  place: StripPlace | null,
  { ids, view, samples }: ShownStrips,
): StripPlace {
  const now = Math.max(0, place ? ids.indexOf(place.id) : 0);
  const column = place && columnOfPlace(view, place);
  const at = (id: StripId, moved: number): StripPlace => ({
    id,
    utcMs: view.beginUtcMs + (moved + 0.5) * columnMs(view),
  });
  const last = view.columns - 1;
  switch (gesture.type) {
    case 'begin':
      return at(ids[now]!, 0);
    case 'end':
      return at(ids[now]!, last);
    case 'strip': {
      // The first press only enters the view.
      const next = column === null ? now : Math.min(ids.length - 1, Math.max(0, now + gesture.step));
      return at(ids[next]!, column ?? last);
    }
    case 'time': {
      if (column === null) return at(ids[now]!, gesture.steps > 0 ? 0 : last);
      const isSampled = STRIPS[ids[now]!].series.length > 0;
      let moved = column;
      for (let step = 0; step < Math.abs(gesture.steps); step++) {
        const next = isSampled
          ? nextSampled(samples, view, moved, gesture.steps > 0)
          : moved + Math.sign(gesture.steps);
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

/** Share of a column. Allows for rounding, so that a sample ending exactly between two columns fills only the first. */
const SLIGHTLY = 0.001;

/** The next column with another sample than this one; the neighbour if no sample fills this column. */
function nextSampled(samples: StripSamples, view: PixelView, column: number, isLater: boolean): number {
  const sample = findSampleFrom(samples, view.beginUtcMs + (column + 0.5) * columnMs(view));
  const neighbour = column + (isLater ? 1 : -1);
  if (sample === samples.samples) return neighbour;
  const begin = positionOf(view, samples.beginUtcMs[sample]!);
  const end = positionOf(view, samples.endUtcMs[sample]!);
  if (begin > column + SLIGHTLY || end < column + 1 - SLIGHTLY) return neighbour;
  return isLater ? Math.ceil(end - SLIGHTLY) : Math.floor(begin + SLIGHTLY) - 1;
}
