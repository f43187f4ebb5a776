/** Listens to wheel, pointer and keys on the timeline and tells what they mean; layout/gesture.ts holds the rules. */
import { readKey, readWheel, type Gesture } from '../layout/gesture';
import type { Point } from './timeline-target';

export interface TimelineListener {
  /** Where the bars are, in CSS pixels of the stage. */
  plot(): { readonly leftPx: number; readonly widthPx: number };
  /** `anchor`: the share of the plot's width that a zoom keeps in place. */
  onGesture(gesture: Gesture, anchor: number): void;
  /** null: the pointer left. */
  onPointer(at: Point | null): void;
  onClick(at: Point): void;
  onDoubleClick(at: Point): void;
  onScroll(): void;
}

/** Less than this is a click, not a drag. CSS pixels. */
const DRAG_FROM_PX = 4;

/** Attaches the listeners. Returns what detaches them. */
export function listenToTimeline(scroller: HTMLElement, stage: HTMLElement, listener: TimelineListener): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const pointOf = (event: MouseEvent): Point => {
    const box = stage.getBoundingClientRect();
    return { xPx: event.clientX - box.left, yPx: event.clientY - box.top };
  };
  scroller.addEventListener('wheel', (event) => turnWheel(event, pointOf(event), listener), { signal, passive: false });
  scroller.addEventListener('keydown', (event) => pressKey(event, listener), { signal });
  scroller.addEventListener('scroll', () => listener.onScroll(), { signal });
  stage.addEventListener('pointerleave', () => listener.onPointer(null), { signal });
  stage.addEventListener('dblclick', (event) => listener.onDoubleClick(pointOf(event)), { signal });
  listenToDrag(stage, pointOf, listener, signal);
  return () => ending.abort();
}

function turnWheel(event: WheelEvent, at: Point, listener: TimelineListener): void {
  const plot = listener.plot();
  if (at.xPx < plot.leftPx) return;
  const gesture = readWheel(event, plot.widthPx);
  if (!gesture) return;
  event.preventDefault();
  listener.onGesture(gesture, Math.min(1, Math.max(0, (at.xPx - plot.leftPx) / plot.widthPx)));
}

function pressKey(event: KeyboardEvent, listener: TimelineListener): void {
  const gesture = readKey(event);
  if (!gesture) return;
  event.preventDefault();
  listener.onGesture(gesture, 0.5);
}

function listenToDrag(stage: HTMLElement, pointOf: (event: MouseEvent) => Point, listener: TimelineListener, signal: AbortSignal): void {
  let pressed: { readonly at: Point; readonly lastX: number; readonly dragging: boolean } | null = null;
  stage.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button === 0) pressed = { at: pointOf(event), lastX: event.clientX, dragging: false };
    },
    { signal },
  );
  stage.addEventListener(
    'pointermove',
    (event) => {
      const at = pointOf(event);
      if (!pressed || pressed.at.xPx < listener.plot().leftPx) return listener.onPointer(at);
      if (!pressed.dragging && Math.abs(at.xPx - pressed.at.xPx) < DRAG_FROM_PX) return;
      if (!pressed.dragging) stage.setPointerCapture(event.pointerId);
      listener.onPointer(null);
      listener.onGesture({ type: 'pan', share: (pressed.lastX - event.clientX) / listener.plot().widthPx }, 0.5);
      pressed = { at: pressed.at, lastX: event.clientX, dragging: true };
    },
    { signal },
  );
  stage.addEventListener(
    'pointerup',
    (event) => {
      if (pressed && !pressed.dragging) listener.onClick(pressed.at);
      if (pressed?.dragging) listener.onPointer(pointOf(event));
      pressed = null;
    },
    { signal },
  );
  stage.addEventListener(
    'pointercancel',
    () => {
      pressed = null;
      listener.onPointer(null);
    },
    { signal },
  );
}
