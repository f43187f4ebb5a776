/** Listens to wheel, pointer and keys on the timeline and says what they mean, by the rules in kit/gesture.ts. */
import { listenToLeave } from '../kit/elements';
import { readKey, readWheel, type Gesture } from '../kit/gesture';
import type { Point } from './lanes/hover-card';

interface TimelineListener {
  /** Where the bars are, in CSS pixels of the stage. */
  plot(): { readonly leftPx: number; readonly widthPx: number };
  /** Whether keys are setting what is measured. */
  isMeasuring(): boolean;
  /** `anchor`: the share of the plot's width that stays in place in a zoom. */
  onGesture(gesture: Gesture, anchor: number): void;
  /** null: the pointer has left. */
  onPointer(at: Point | null): void;
  /** `isFinger`: no pointer stays there to show what is under it. */
  onClick(at: Point, isFinger: boolean): void;
  /** null: the press was elsewhere. */
  onFirstPress(at: Point | null): void;
  /** The first of its two presses was here or elsewhere. */
  onDoubleClick(): void;
  /** The reader drew with Shift, or after holding a finger or a pen still. */
  onMeasure(from: Point, to: Point): void;
  onMeasureEnd(): void;
  onScroll(): void;
}

/** CSS pixels: a shorter move is a click, not a drag. */
const DRAG_FROM_PX = 4;
/** A finger or pen that was still for this long measures when it moves, as a mouse does with Shift. */
const HOLD_MS = 400;

export function listenToTimeline(
  scroller: HTMLElement,
  stage: HTMLElement,
  listener: TimelineListener,
): void {
  const pointOf = (event: MouseEvent): Point => {
    const box = stage.getBoundingClientRect();
    return { xPx: event.clientX - box.left, yPx: event.clientY - box.top };
  };
  scroller.addEventListener('wheel', (event) => turnWheel(event, pointOf(event), listener), {
    passive: false,
  });
  scroller.addEventListener('keydown', (event) => pressKey(event, scroller, listener));
  scroller.addEventListener('scroll', () => listener.onScroll());
  listenToLeave(stage, () => listener.onPointer(null));
  listenToDoubleClick(stage, pointOf, listener);
  const drag = new Drag(stage, pointOf, listener);
  stage.addEventListener('pointerdown', (event) => !hasOwnControls(event) && drag.press(event));
  stage.addEventListener('pointermove', (event) => drag.move(event));
  stage.addEventListener('pointerup', (event) => drag.release(event));
  stage.addEventListener('pointercancel', (event) => drag.cancel(event));
  stage.addEventListener('click', () => drag.click());
  // A finger that measures neither scrolls the lanes nor opens a menu.
  stage.addEventListener('touchmove', (event) => drag.measures(event) && event.preventDefault(), {
    passive: false,
  });
  stage.addEventListener('contextmenu', (event) => drag.measures(event) && event.preventDefault());
}

/**
 * The first click opens the panel beside the lanes, so the second one may land on the panel. A double click belongs to
 * where it began.
 */
function listenToDoubleClick(
  stage: HTMLElement,
  pointOf: (event: MouseEvent) => Point,
  listener: TimelineListener,
): void {
  const isHere = (event: Event): boolean => event.target instanceof Node && stage.contains(event.target);
  const press = (event: MouseEvent): void => {
    if (event.detail === 1)
      listener.onFirstPress(isHere(event) && !hasOwnControls(event) ? pointOf(event) : null);
  };
  document.addEventListener('mousedown', press, { capture: true });
  document.addEventListener('dblclick', () => listener.onDoubleClick());
}

/** Things over the lanes with buttons of their own; the timeline ignores clicks and keys on them. */
const hasOwnControls = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('button, .measure-card') !== null;

function turnWheel(event: WheelEvent, at: Point, listener: TimelineListener): void {
  const plot = listener.plot();
  if (at.xPx < plot.leftPx) return;
  const gesture = readWheel(event, plot.widthPx);
  if (!gesture) return;
  event.preventDefault();
  listener.onGesture(gesture, anchorOf(at, listener));
}

function anchorOf(at: Point, listener: TimelineListener): number {
  const { leftPx, widthPx } = listener.plot();
  return Math.min(1, Math.max(0, (at.xPx - leftPx) / widthPx));
}

/** Buttons over the lanes keep Enter and Space; all other keys mean the same there as on the timeline. */
function pressKey(event: KeyboardEvent, scroller: HTMLElement, listener: TimelineListener): void {
  if (event.target !== scroller && (event.key === 'Enter' || event.key === ' ')) return;
  const gesture = readKey(event, listener.isMeasuring());
  if (!gesture) return;
  event.preventDefault();
  listener.onGesture(gesture, 0.5);
}

/** One finger or button drags, two fingers pinch; a drag with Shift, or after holding still, measures. */
class Drag {
  private readonly pointers = new Map<number, Point>();
  private from: Point | null = null;
  /** When a finger or pen that moves measures; no time for a mouse. */
  private heldFromMs = Infinity;
  /** Where a finger was lifted without a drag. */
  private tapped: Point | null = null;
  private kind: 'none' | 'pan' | 'measure' | 'pinch' = 'none';

  constructor(
    private readonly stage: HTMLElement,
    private readonly pointOf: (event: MouseEvent) => Point,
    private readonly listener: TimelineListener,
  ) {}

  press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = this.pointOf(event);
    this.tapped = null;
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) this.kind = 'pinch';
    else {
      this.from = at;
      this.kind = 'none';
      const canHold = event.pointerType !== 'mouse' && at.xPx >= this.listener.plot().leftPx;
      this.heldFromMs = canHold ? event.timeStamp + HOLD_MS : Infinity;
    }
  }

  /** Whether what is pressed measures, or does once it moves. */
  measures({ timeStamp }: Event): boolean {
    const isHeld = this.kind === 'none' && timeStamp >= this.heldFromMs;
    return this.from !== null && (this.kind === 'measure' || isHeld);
  }

  move(event: PointerEvent): void {
    // The button was let go outside of the stage, unheard: the pointer is captured only once a drag has begun.
    if ((event.buttons & 1) === 0) this.cancel(event);
    const at = this.pointOf(event);
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.from || this.from.xPx < this.listener.plot().leftPx)
      return this.listener.onPointer(at);
    if (this.kind === 'none' && !this.begin(at, event)) return;
    this.pointers.set(event.pointerId, at);
    this.listener.onPointer(null);
    if (this.kind === 'measure') return this.listener.onMeasure(this.from, at);
    if (this.kind === 'pinch') return this.pinch(event.pointerId, before, at);
    this.listener.onGesture(
      { type: 'pan', share: (before.xPx - at.xPx) / this.listener.plot().widthPx },
      0.5,
    );
  }

  release(event: PointerEvent): void {
    const { from, kind } = this;
    if (!this.pointers.delete(event.pointerId)) return;
    const isFinger = event.pointerType === 'touch';
    if (kind === 'none' && isFinger) this.tapped = from;
    else if (kind === 'none' && from) this.listener.onClick(from, false);
    if (kind === 'measure') this.listener.onMeasureEnd();
    if (kind !== 'none') this.listener.onPointer(isFinger ? null : this.pointOf(event));
    // After a pinch the remaining finger does nothing more.
    this.from = null;
  }

  /** The browser's click comes after a tap: what opens then is not there yet to take it. */
  click(): void {
    if (this.tapped) this.listener.onClick(this.tapped, true);
    this.tapped = null;
  }

  cancel(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.kind === 'measure') this.listener.onMeasureEnd();
    this.from = null;
    this.listener.onPointer(null);
  }

  /** Whether the pointer moved far enough for a drag. Measuring may also go straight down, over lanes. */
  private begin(at: Point, event: PointerEvent): boolean {
    const from = this.from!;
    const measures = event.shiftKey || this.measures(event);
    const movedPx = measures ? Math.hypot(at.xPx - from.xPx, at.yPx - from.yPx) : Math.abs(at.xPx - from.xPx);
    if (movedPx < DRAG_FROM_PX) return false;
    this.kind = measures ? 'measure' : 'pan';
    this.stage.setPointerCapture(event.pointerId);
    return true;
  }

  private pinch(id: number, before: Point, at: Point): void {
    const other = [...this.pointers].find(([pointer]) => pointer !== id)?.[1];
    if (!other) return;
    const [was, is] = [Math.abs(before.xPx - other.xPx), Math.abs(at.xPx - other.xPx)];
    if (was < 1 || is < 1) return;
    const middle = { xPx: (at.xPx + other.xPx) / 2, yPx: at.yPx };
    this.listener.onGesture({ type: 'zoom', factor: is / was }, anchorOf(middle, this.listener));
  }
}
