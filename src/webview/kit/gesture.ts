/**
 * What wheel, pointer and keys mean, all in one table. Keys are read by it and the sheet of keys is written from it, so the sheet says what
 * really happens.
 *
 * Wheel over the bars: the direction with the larger movement decides. Vertical zooms around the pointer, horizontal pans; Shift pans, Ctrl (which a
 * pinch on a trackpad sends) zooms. Over the names the browser scrolls the lanes.
 */
export type Gesture =
  | { readonly type: 'zoom'; readonly factor: number }
  /** Share of the width; positive is later. */
  | { readonly type: 'pan'; readonly share: number }
  | { readonly type: 'fit' | 'begin' | 'end' }
  | { readonly type: 'lane'; readonly step: 1 | -1 }
  | { readonly type: 'checkpoint'; readonly step: 1 | -1 }
  /** To the next or previous change of a setting or mark. */
  | { readonly type: 'mark'; readonly step: 1 | -1 }
  | { readonly type: 'open' | 'list' | 'pin' | 'clock' | 'clear' | 'help' | 'filter' }
  /** Begins to measure at the cursor, or in the middle of the view. */
  | { readonly type: 'measure' }
  /** While measuring: the end moves by a share of the width. */
  | { readonly type: 'measureTime'; readonly share: number }
  | { readonly type: 'measureLane'; readonly step: 1 | -1 }
  | { readonly type: 'measureKeep' };

/** What keys mean while the strips above the lanes have the focus. */
export type StripGesture =
  /** By this many samples, or by this many pixels if no sample is wider than a pixel; positive is later. */
  | { readonly type: 'time'; readonly steps: number }
  | { readonly type: 'strip'; readonly step: 1 | -1 }
  | { readonly type: 'begin' | 'end' }
  | { readonly type: 'leave' };

interface WheelInput {
  readonly deltaX: number;
  readonly deltaY: number;
  /** 0 pixels, 1 lines, 2 pages, as in WheelEvent. */
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
}

interface KeyInput {
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
const KEY_MEASURE = 0.02;

/** The gesture of a wheel movement over a plot of this width in CSS pixels; null if it moves nothing. */
export function readWheel(wheel: WheelInput, plotWidthPx: number): Gesture | null {
  const unit = PIXELS_OF_MODE[wheel.deltaMode as 0 | 1 | 2] ?? 1;
  const x = wheel.deltaX * unit;
  const y = wheel.deltaY * unit;
  if (x === 0 && y === 0) return null;
  if (wheel.ctrlKey) return { type: 'zoom', factor: Math.exp(-y * PINCH_PER_PIXEL) };
  if (wheel.shiftKey) return { type: 'pan', share: (x || y) / plotWidthPx };
  return Math.abs(x) > Math.abs(y) ? { type: 'pan', share: x / plotWidthPx } : { type: 'zoom', factor: Math.exp(-y * ZOOM_PER_PIXEL) };
}

type GestureGroup = 'Time' | 'Lanes and checkpoints' | 'Measuring' | 'Strips above the lanes' | 'View';

export interface KeyEntry<G = Gesture> {
  readonly group: GestureGroup;
  /** KeyboardEvent.key in lower case, with the text on the key's cap if that differs. */
  readonly keys: readonly string[];
  readonly does: string;
  readonly gesture: G;
  /** Only with Shift; the sheet says so for the strips only. */
  readonly withShift?: true;
  /** Only while keys measure something; then this meaning comes before the key's other one. */
  readonly whileMeasuring?: true;
  /** Also while the focus is elsewhere on the page, but not in a field. */
  readonly anywhere?: true;
}

const key = <G = Gesture>(
  group: GestureGroup,
  keys: readonly string[],
  does: string,
  gesture: G,
  part: Partial<KeyEntry<G>> = {},
): KeyEntry<G> => ({ group, keys, does, gesture, ...part });
const LANES = 'Lanes and checkpoints';
const STRIPS = 'Strips above the lanes';
const MEASURING = { whileMeasuring: true } as const;

/** Every key of the page except those of the strips. */
export const KEY_MAP = {
  zoomIn: key('Time', ['w', '+', '='], 'Zoom in', { type: 'zoom', factor: KEY_ZOOM }),
  zoomOut: key('Time', ['s', '-'], 'Zoom out', { type: 'zoom', factor: 1 / KEY_ZOOM }),
  earlier: key('Time', ['a', 'arrowleft'], 'Earlier', { type: 'pan', share: -KEY_PAN }),
  later: key('Time', ['d', 'arrowright'], 'Later', { type: 'pan', share: KEY_PAN }),
  begin: key('Time', ['home'], 'To the begin', { type: 'begin' }),
  end: key('Time', ['end'], 'To the end, which is then followed', { type: 'end' }),
  fit: key('Time', ['f'], 'Show all that was observed', { type: 'fit' }),
  previousMark: key('Time', ['b'], 'Previous change or mark', { type: 'mark', step: -1 }),
  nextMark: key('Time', ['n'], 'Next change or mark', { type: 'mark', step: 1 }),
  laneUp: key(LANES, ['arrowup'], 'Select the lane above', { type: 'lane', step: -1 }),
  laneDown: key(LANES, ['arrowdown'], 'Select the lane below', { type: 'lane', step: 1 }),
  previousCheckpoint: key(LANES, [','], 'Previous checkpoint of the selected lane', { type: 'checkpoint', step: -1 }),
  nextCheckpoint: key(LANES, ['.'], 'Next checkpoint of the selected lane', { type: 'checkpoint', step: 1 }),
  open: key(LANES, ['enter'], 'Go to the details of the selected lane', { type: 'open' }),
  list: key(LANES, ['l'], 'List the checkpoints in view of the selected lane', { type: 'list' }),
  pin: key(LANES, ['p'], 'Pin the selected lane to the top, or let it go', { type: 'pin' }),
  measure: key('Measuring', ['m'], 'Begin to measure at the cursor, or in the middle', { type: 'measure' }),
  measureEarlier: key('Measuring', ['arrowleft'], 'Less time', { type: 'measureTime', share: -KEY_MEASURE }, MEASURING),
  measureLater: key('Measuring', ['arrowright'], 'More time', { type: 'measureTime', share: KEY_MEASURE }, MEASURING),
  measureUp: key('Measuring', ['arrowup'], 'One lane up', { type: 'measureLane', step: -1 }, MEASURING),
  measureDown: key('Measuring', ['arrowdown'], 'One lane down', { type: 'measureLane', step: 1 }, MEASURING),
  measureKeep: key('Measuring', ['enter'], 'Keep what is measured, and go to its card', { type: 'measureKeep' }, MEASURING),
  clear: key('View', ['escape'], 'Clear step by step: what is measured, the cursor, the selection', { type: 'clear' }),
  clock: key('View', ['t'], 'Server time, UTC, local time', { type: 'clock' }),
  filter: key('View', ['/'], 'Go to the filter', { type: 'filter' }, { anywhere: true }),
  help: key('View', ['?'], 'This sheet', { type: 'help' }, { anywhere: true }),
} as const satisfies Readonly<Record<string, KeyEntry>>;

const onStrips = (keys: readonly string[], does: string, gesture: StripGesture, part: Partial<KeyEntry<StripGesture>> = {}) =>
  key<StripGesture>(STRIPS, keys, does, gesture, part);
const SHIFT = { withShift: true } as const;
const MANY_STEPS = 10;

/** Every key of the strips. */
export const STRIP_KEY_MAP = {
  earlier: onStrips(['arrowleft'], 'Previous sample, or pixel', { type: 'time', steps: -1 }),
  later: onStrips(['arrowright'], 'Next sample, or pixel', { type: 'time', steps: 1 }),
  muchEarlier: onStrips(['arrowleft'], 'Ten of them back', { type: 'time', steps: -MANY_STEPS }, SHIFT),
  muchLater: onStrips(['arrowright'], 'Ten of them on', { type: 'time', steps: MANY_STEPS }, SHIFT),
  begin: onStrips(['home'], 'To the begin of what is in view', { type: 'begin' }),
  end: onStrips(['end'], 'To the end of what is in view', { type: 'end' }),
  above: onStrips(['arrowup'], 'To the strip above', { type: 'strip', step: -1 }),
  below: onStrips(['arrowdown'], 'To the strip below', { type: 'strip', step: 1 }),
  leave: onStrips(['escape'], 'Leave the strips for the lanes', { type: 'leave' }),
} as const satisfies Readonly<Record<string, KeyEntry<StripGesture>>>;

/** What the pointer does. This is only the text for the sheet; the code that hears the events does it. */
export const POINTER_MAP = {
  wheel: { group: 'Time', on: 'Wheel', does: 'Zoom around the pointer' },
  shiftWheel: { group: 'Time', on: 'Shift + wheel, or sideways', does: 'Earlier and later' },
  pinch: { group: 'Time', on: 'Ctrl + wheel, or pinch', does: 'Zoom around the pointer' },
  drag: { group: 'Time', on: 'Drag', does: 'Move what is in view' },
  doubleClick: { group: 'Time', on: 'Double click', does: 'Fit the checkpoint under the pointer' },
  wheelOverNames: { group: LANES, on: 'Wheel over the names', does: 'Scroll the lanes' },
  click: { group: LANES, on: 'Click', does: 'Select the lane' },
  shiftDrag: { group: 'Measuring', on: 'Shift + drag', does: 'Measure time and lanes' },
} as const satisfies Readonly<Record<string, { readonly group: GestureGroup; readonly on: string; readonly does: string }>>;

const ENTRIES: readonly KeyEntry[] = Object.values(KEY_MAP);
const STRIP_ENTRIES: readonly KeyEntry<StripGesture>[] = Object.values(STRIP_KEY_MAP);

/** The gesture of a key pressed on the focused timeline; null if the timeline has no such key. */
export function readKey(input: KeyInput, isMeasuring = false): Gesture | null {
  return find(input, (entry) => entry.anywhere === undefined && (isMeasuring || entry.whileMeasuring === undefined), isMeasuring);
}

/** The gesture of a key pressed anywhere on the page except in a field. */
export function readPageKey(input: KeyInput): Gesture | null {
  return find(input, (entry) => entry.anywhere === true, false);
}

/** The gesture of a key pressed on the focused strips. */
export function readStripKey(input: KeyInput & { readonly shiftKey: boolean }): StripGesture | null {
  if (input.ctrlKey || input.altKey || input.metaKey) return null;
  const pressed = input.key.toLowerCase();
  return STRIP_ENTRIES.find(({ keys, withShift = false }) => withShift === input.shiftKey && keys.includes(pressed))?.gesture ?? null;
}

function find(input: KeyInput, holds: (entry: KeyEntry) => boolean, isMeasuring: boolean): Gesture | null {
  if (input.ctrlKey || input.altKey || input.metaKey) return null;
  const pressed = input.key.toLowerCase();
  const meant = ENTRIES.filter((entry) => holds(entry) && entry.keys.includes(pressed));
  return (meant.find((entry) => isMeasuring && entry.whileMeasuring) ?? meant[0])?.gesture ?? null;
}

const CAPS: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  home: 'Home',
  end: 'End',
  enter: 'Enter',
  escape: 'Esc',
};

interface SheetLine {
  /** Each of these keys does it. */
  readonly caps: readonly string[];
  readonly does: string;
}

export interface SheetGroup {
  readonly name: GestureGroup;
  readonly lines: readonly SheetLine[];
}

/** The sheet of keys in groups, the pointer first. It leaves out `=`, which is the key of `+` without Shift. */
export function writeSheet(): readonly SheetGroup[] {
  const names: readonly GestureGroup[] = ['Time', STRIPS, LANES, 'Measuring', 'View'];
  return names.map((name) => ({
    name,
    lines: [
      ...Object.values(POINTER_MAP)
        .filter(({ group }) => group === name)
        .map(({ on, does }) => ({ caps: [on], does })),
      ...[...ENTRIES, ...STRIP_ENTRIES]
        .filter(({ group }) => group === name)
        .map(({ keys, does, withShift }) => ({
          caps: keys
            .filter((pressed) => pressed !== '=')
            .map((pressed) => (withShift ? 'Shift + ' : '') + (CAPS[pressed] ?? pressed.toUpperCase())),
          does,
        })),
    ],
  }));
}
