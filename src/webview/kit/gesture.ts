/**
 * What wheel, pointer and keys mean, all in one table. Keys are read by it and the sheet of keys is written from it, so
 * the sheet says what really happens.
 *
 * Wheel over the bars: the direction with the larger movement decides. Vertical zooms around the pointer, horizontal
 * pans; Shift pans, Ctrl (which a pinch on a trackpad sends) zooms. Over the names the browser scrolls the lanes.
 */
import { t } from '../../core/language';

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
  return Math.abs(x) > Math.abs(y)
    ? { type: 'pan', share: x / plotWidthPx }
    : { type: 'zoom', factor: Math.exp(-y * ZOOM_PER_PIXEL) };
}

type GestureGroup = 'time' | 'strips' | 'lanes' | 'measuring' | 'view';

/** In the order of the sheet. */
const GROUP_NAMES: Readonly<Record<GestureGroup, string>> = {
  time: t('Time'),
  strips: t('Strips above the lanes'),
  lanes: t('Lanes and checkpoints'),
  measuring: t('Measuring'),
  view: t('View'),
};

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
const measuring = (pressed: string, does: string, gesture: Gesture): KeyEntry =>
  key('measuring', [pressed], does, gesture, { whileMeasuring: true });

/** Every key of the page except those of the strips. */
export const KEY_MAP = {
  zoomIn: key('time', ['w', '+', '='], t('Zoom in'), { type: 'zoom', factor: KEY_ZOOM }),
  zoomOut: key('time', ['s', '-'], t('Zoom out'), { type: 'zoom', factor: 1 / KEY_ZOOM }),
  earlier: key('time', ['a', 'arrowleft'], t('Earlier'), { type: 'pan', share: -KEY_PAN }),
  later: key('time', ['d', 'arrowright'], t('Later'), { type: 'pan', share: KEY_PAN }),
  begin: key('time', ['home'], t('To the start'), { type: 'begin' }),
  end: key('time', ['end'], t('To the end; the view then keeps up with it'), { type: 'end' }),
  fit: key('time', ['f'], t('Show everything observed'), { type: 'fit' }),
  previousMark: key('time', ['b'], t('Previous change or mark'), { type: 'mark', step: -1 }),
  nextMark: key('time', ['n'], t('Next change or mark'), { type: 'mark', step: 1 }),
  laneUp: key('lanes', ['arrowup'], t('Select the lane above'), { type: 'lane', step: -1 }),
  laneDown: key('lanes', ['arrowdown'], t('Select the lane below'), { type: 'lane', step: 1 }),
  previousCheckpoint: key('lanes', [','], t('Previous checkpoint of the selected lane'), {
    type: 'checkpoint',
    step: -1,
  }),
  nextCheckpoint: key('lanes', ['.'], t('Next checkpoint of the selected lane'), {
    type: 'checkpoint',
    step: 1,
  }),
  open: key('lanes', ['enter'], t('Go to the details of the selected lane'), { type: 'open' }),
  list: key('lanes', ['l'], t('List the checkpoints in view of the selected lane'), { type: 'list' }),
  pin: key('lanes', ['p'], t('Pin the selected lane to the top, or unpin it'), { type: 'pin' }),
  measure: key('measuring', ['m'], t('Start measuring at the cursor, or in the middle'), { type: 'measure' }),
  measureEarlier: measuring('arrowleft', t('Less time'), { type: 'measureTime', share: -KEY_MEASURE }),
  measureLater: measuring('arrowright', t('More time'), { type: 'measureTime', share: KEY_MEASURE }),
  measureUp: measuring('arrowup', t('One lane up'), { type: 'measureLane', step: -1 }),
  measureDown: measuring('arrowdown', t('One lane down'), { type: 'measureLane', step: 1 }),
  measureKeep: measuring('enter', t('Keep the measurement, and go to its card'), { type: 'measureKeep' }),
  clear: key('view', ['escape'], t('Clear step by step: measurement, cursor, selection'), { type: 'clear' }),
  clock: key('view', ['t'], t('Server time, UTC, local time'), { type: 'clock' }),
  filter: key('view', ['/'], t('Go to the filter'), { type: 'filter' }, { anywhere: true }),
  help: key('view', ['?'], t('This sheet'), { type: 'help' }, { anywhere: true }),
} as const satisfies Readonly<Record<string, KeyEntry>>;

const onStrips = (pressed: string, does: string, gesture: StripGesture, part: { withShift?: true } = {}) =>
  key<StripGesture>('strips', [pressed], does, gesture, part);
const SHIFT = { withShift: true } as const;
const BACK = { type: 'time', steps: -10 } as const;
const FORWARD = { type: 'time', steps: 10 } as const;

export const STRIP_KEY_MAP = {
  earlier: onStrips('arrowleft', t('Previous sample, or pixel'), { type: 'time', steps: -1 }),
  later: onStrips('arrowright', t('Next sample, or pixel'), { type: 'time', steps: 1 }),
  muchEarlier: onStrips('arrowleft', t('Ten samples or pixels back'), BACK, SHIFT),
  muchLater: onStrips('arrowright', t('Ten samples or pixels forward'), FORWARD, SHIFT),
  begin: onStrips('home', t('To the start of the time in view'), { type: 'begin' }),
  end: onStrips('end', t('To the end of the time in view'), { type: 'end' }),
  above: onStrips('arrowup', t('To the strip above'), { type: 'strip', step: -1 }),
  below: onStrips('arrowdown', t('To the strip below'), { type: 'strip', step: 1 }),
  leave: onStrips('escape', t('Back to the lanes'), { type: 'leave' }),
} as const satisfies Readonly<Record<string, KeyEntry<StripGesture>>>;

/** What the pointer does. This is only the text for the sheet; the code that hears the events does it. */
export const POINTER_MAP = {
  wheel: { group: 'time', on: t('Wheel'), does: t('Zoom around the pointer') },
  shiftWheel: { group: 'time', on: t('Shift + wheel, or sideways'), does: t('Earlier and later') },
  pinch: { group: 'time', on: t('Ctrl + wheel, or pinch'), does: t('Zoom around the pointer') },
  drag: { group: 'time', on: t('Drag'), does: t('Move the time in view') },
  doubleClick: { group: 'time', on: t('Double click'), does: t('Zoom to the checkpoint under the pointer') },
  wheelOverNames: { group: 'lanes', on: t('Wheel over the names'), does: t('Scroll the lanes') },
  click: { group: 'lanes', on: t('Click'), does: t('Select the lane') },
  tap: { group: 'lanes', on: t('Tap'), does: t('Select the lane, and show what is there') },
  shiftDrag: { group: 'measuring', on: t('Shift + drag'), does: t('Measure time and lanes') },
  holdDrag: { group: 'measuring', on: t('Hold, then drag'), does: t('Measure with a finger or a pen') },
} as const satisfies Readonly<
  Record<string, { readonly group: GestureGroup; readonly on: string; readonly does: string }>
>;

const ENTRIES: readonly KeyEntry[] = Object.values(KEY_MAP);
const STRIP_ENTRIES: readonly KeyEntry<StripGesture>[] = Object.values(STRIP_KEY_MAP);

/** The gesture of a key pressed on the focused timeline; null if the timeline has no such key. */
export function readKey(input: KeyInput, isMeasuring = false): Gesture | null {
  return find(
    input,
    (entry) => entry.anywhere === undefined && (isMeasuring || entry.whileMeasuring === undefined),
    isMeasuring,
  );
}

/** The gesture of a key pressed anywhere on the page except in a field. */
export function readPageKey(input: KeyInput): Gesture | null {
  return find(input, (entry) => entry.anywhere === true, false);
}

/** The gesture of a key pressed on the focused strips. */
export function readStripKey(input: KeyInput & { readonly shiftKey: boolean }): StripGesture | null {
  if (input.ctrlKey || input.altKey || input.metaKey) return null;
  const pressed = input.key.toLowerCase();
  return (
    STRIP_ENTRIES.find(
      ({ keys, withShift = false }) => withShift === input.shiftKey && keys.includes(pressed),
    )?.gesture ?? null
  );
}

function find(input: KeyInput, holds: (entry: KeyEntry) => boolean, isMeasuring: boolean): Gesture | null {
  if (input.ctrlKey || input.altKey || input.metaKey) return null;
  const pressed = input.key.toLowerCase();
  const meant = ENTRIES.filter((entry) => holds(entry) && entry.keys.includes(pressed));
  return (meant.find((entry) => isMeasuring && entry.whileMeasuring) ?? meant[0])?.gesture ?? null;
}

const CAPS = new Map(
  Object.entries({
    arrowleft: '←',
    arrowright: '→',
    arrowup: '↑',
    arrowdown: '↓',
    home: t({ message: 'Home', comment: ['A key'] }),
    end: t({ message: 'End', comment: ['A key'] }),
    enter: t({ message: 'Enter', comment: ['A key'] }),
    escape: t({ message: 'Esc', comment: ['A key'] }),
  }),
);

interface SheetLine {
  /** Each of these keys does it. */
  readonly caps: readonly string[];
  readonly does: string;
}

export interface SheetGroup {
  readonly name: string;
  readonly lines: readonly SheetLine[];
}

/** The sheet of keys in groups, the pointer first. It leaves out `=`, which is the key of `+` without Shift. */
export function writeSheet(): readonly SheetGroup[] {
  return Object.entries(GROUP_NAMES).map(([of, name]) => ({
    name,
    lines: [
      ...Object.values(POINTER_MAP)
        .filter(({ group }) => group === of)
        .map(({ on, does }) => ({ caps: [on], does })),
      ...[...ENTRIES, ...STRIP_ENTRIES]
        .filter(({ group }) => group === of)
        .map(({ keys, does, withShift }) => ({
          caps: keys
            .filter((pressed) => pressed !== '=')
            .map((pressed) => CAPS.get(pressed) ?? pressed.toUpperCase())
            .map((cap) => (withShift ? t('Shift + {0}', cap) : cap)),
          does,
        })),
    ],
  }));
}
