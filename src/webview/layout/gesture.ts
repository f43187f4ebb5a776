/**
 * What wheel and keys mean on the timeline.
 *
 * Wheel over the bars: the direction in which it moves most decides. Vertical zooms around the pointer, horizontal pans; Shift pans, Ctrl (which a
 * pinch on a trackpad sends) zooms. Over the names it is left to the browser, which scrolls the lanes. Keys: see `readKey`.
 */
export type Gesture =
  | { readonly type: 'zoom'; readonly factor: number }
  /** Share of the width; positive is later. */
  | { readonly type: 'pan'; readonly share: number }
  | { readonly type: 'fit' }
  | { readonly type: 'begin' }
  | { readonly type: 'end' }
  | { readonly type: 'lane'; readonly step: 1 | -1 }
  | { readonly type: 'checkpoint'; readonly step: 1 | -1 }
  | { readonly type: 'clear' };

export interface WheelInput {
  readonly deltaX: number;
  readonly deltaY: number;
  /** 0 pixels, 1 lines, 2 pages, as in WheelEvent. */
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
}

export interface KeyInput {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const PIXELS_OF_MODE = [1, 16, 400] as const;
const ZOOM_PER_PIXEL = 0.002;
/** A pinch sends small deltas. */
const PINCH_PER_PIXEL = 0.01;
const KEY_ZOOM = 1.5;
const KEY_PAN = 0.15;

/** The gesture of a wheel movement over a plot of this width in CSS pixels; null where it moves nothing. */
export function readWheel(wheel: WheelInput, plotWidthPx: number): Gesture | null {
  const unit = PIXELS_OF_MODE[wheel.deltaMode as 0 | 1 | 2] ?? 1;
  const x = wheel.deltaX * unit;
  const y = wheel.deltaY * unit;
  if (x === 0 && y === 0) return null;
  if (wheel.ctrlKey) return { type: 'zoom', factor: Math.exp(-y * PINCH_PER_PIXEL) };
  if (wheel.shiftKey) return { type: 'pan', share: (x || y) / plotWidthPx };
  return Math.abs(x) > Math.abs(y) ? { type: 'pan', share: x / plotWidthPx } : { type: 'zoom', factor: Math.exp(-y * ZOOM_PER_PIXEL) };
}

const KEYS: Readonly<Record<string, Gesture>> = {
  arrowleft: { type: 'pan', share: -KEY_PAN },
  a: { type: 'pan', share: -KEY_PAN },
  arrowright: { type: 'pan', share: KEY_PAN },
  d: { type: 'pan', share: KEY_PAN },
  w: { type: 'zoom', factor: KEY_ZOOM },
  '+': { type: 'zoom', factor: KEY_ZOOM },
  '=': { type: 'zoom', factor: KEY_ZOOM },
  s: { type: 'zoom', factor: 1 / KEY_ZOOM },
  '-': { type: 'zoom', factor: 1 / KEY_ZOOM },
  f: { type: 'fit' },
  home: { type: 'begin' },
  end: { type: 'end' },
  arrowup: { type: 'lane', step: -1 },
  arrowdown: { type: 'lane', step: 1 },
  ',': { type: 'checkpoint', step: -1 },
  '.': { type: 'checkpoint', step: 1 },
  escape: { type: 'clear' },
};

/** The gesture of a key pressed on the focused timeline; null for keys that belong to someone else. */
export function readKey(input: KeyInput): Gesture | null {
  if (input.ctrlKey || input.altKey || input.metaKey) return null;
  const key = input.key.toLowerCase();
  return Object.prototype.hasOwnProperty.call(KEYS, key) ? KEYS[key]! : null;
}
