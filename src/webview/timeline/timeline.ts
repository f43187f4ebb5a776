/** The timeline, made of parts: lanes, axis, and what lies above and below them. It holds no data; it is given all of it and tells what was done. */
import type { TimeWindow } from '../../core/evidence/statistics';
import { drawAxis } from './axis';
import { createElement } from '../elements';
import { createFrame, type Frame } from '../frame';
import type { Gesture } from '../layout/gesture';
import { placeLabels } from '../layout/time-marks';
import { fitCheckpoint, keepInside, panWindow, spanOf, zoomWindow } from '../layout/time-window';
import type { Theme } from '../theme';
import { KeyboardCursor } from './keyboard-cursor';
import { LanesView } from './lanes-view';
import { listenToTimeline } from './timeline-input';
import { findHit, findLane, type Point } from './timeline-target';
import { labelMarks, type TimelineInput } from './timeline-scene';

export interface TimelineEvents {
  onWindow(window: TimeWindow): void;
  onFit(): void;
  onSelect(databaseId: number | null): void;
  announce(text: string): void;
}

export class Timeline {
  readonly element: HTMLElement;
  private readonly lanes: LanesView;
  private readonly cursor = new KeyboardCursor();
  private readonly axis: SVGSVGElement;
  private readonly frame: Frame;
  private readonly endings: (() => void)[] = [];
  private input: TimelineInput | null = null;
  private pointer: Point | null = null;

  constructor(
    document: Document,
    window: Window,
    private theme: Theme,
    private readonly events: TimelineEvents,
    summaryId: string,
  ) {
    this.lanes = new LanesView(document, window, summaryId);
    this.axis = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.axis.setAttribute('class', 'axis');
    this.axis.setAttribute('aria-hidden', 'true');
    // Top to bottom: what belongs above the lanes goes before them, what belongs below the axis after it.
    this.element = createElement(document, 'div', { class: 'timeline', children: [this.lanes.scroller, this.axis] });
    this.frame = createFrame(window, () => this.paint());
    this.listen();
  }

  /** Shows new data or another view of it at the next frame. */
  update(input: TimelineInput): void {
    this.cursor.keepOf(input, this.input);
    this.input = input;
    this.lanes.measure(input.lanes);
    this.frame.request();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.frame.request();
  }

  /** Scrolls so that a database's lane is in view. */
  revealLane(databaseId: number): void {
    const lane = this.input?.lanes.findIndex((candidate) => candidate.databaseId === databaseId) ?? -1;
    if (!this.input || lane < 0) return;
    this.lanes.reveal(lane, this.input);
    this.frame.request();
  }

  dispose(): void {
    for (const end of this.endings) end();
    this.frame.dispose();
  }

  private listen(): void {
    const resize = new ResizeObserver(() => this.frame.request());
    resize.observe(this.lanes.scroller);
    this.endings.push(() => resize.disconnect());
    this.endings.push(
      listenToTimeline(this.lanes.scroller, this.lanes.stage, {
        plot: () => this.lanes.plot,
        onGesture: (gesture, anchor) => this.apply(gesture, anchor),
        onPointer: (at) => this.movePointer(at),
        onClick: (at) => this.click(at),
        onDoubleClick: (at) => this.doubleClick(at),
        onScroll: () => this.frame.request(),
      }),
    );
  }

  /** Does what a gesture means; `anchor` is the share of the width that a zoom keeps in place. */
  apply(gesture: Gesture, anchor: number): void {
    const input = this.input;
    if (!input) return;
    const { window, bounds } = input;
    switch (gesture.type) {
      case 'zoom':
        return this.moveTo(zoomWindow(window, bounds, gesture.factor, this.cursorAnchor(input) ?? anchor));
      case 'pan':
        return this.moveTo(panWindow(window, bounds, gesture.share));
      case 'fit':
        return this.events.onFit();
      case 'begin':
        return this.moveTo({ beginUtcMs: bounds.beginUtcMs, endUtcMs: bounds.beginUtcMs + spanOf(window) });
      case 'end':
        return this.moveTo({ beginUtcMs: bounds.endUtcMs - spanOf(window), endUtcMs: bounds.endUtcMs });
      case 'lane':
        return this.stepLane(gesture.step);
      case 'checkpoint':
        return this.stepCheckpoint(gesture.step);
      case 'clear':
        this.cursor.row = null;
        return this.events.onSelect(null);
      default:
        return gesture satisfies never;
    }
  }

  /** The next gesture starts from here, also when it comes before the next frame. */
  private moveTo(window: TimeWindow): void {
    if (this.input) this.input = { ...this.input, window: keepInside(window, this.input.bounds) };
    this.events.onWindow(window);
  }

  /** With a checkpoint reached by the keyboard and no pointer about, zooming keeps that checkpoint in place. */
  private cursorAnchor(input: TimelineInput): number | null {
    return this.pointer ? null : this.cursor.anchor(input);
  }

  private stepLane(step: 1 | -1): void {
    const lanes = this.input?.lanes ?? [];
    const now = lanes.findIndex((lane) => lane.databaseId === this.input?.selectedDatabaseId);
    const next = now < 0 ? (step === 1 ? 0 : lanes.length - 1) : Math.min(lanes.length - 1, Math.max(0, now + step));
    const lane = lanes[next];
    if (lane) this.events.onSelect(lane.databaseId);
  }

  private stepCheckpoint(step: 1 | -1): void {
    if (!this.input) return;
    const { window, text } = this.cursor.step(this.input, step);
    if (window) {
      this.pointer = null;
      this.moveTo(window);
    }
    this.events.announce(text);
    this.frame.request();
  }

  private movePointer(at: Point | null): void {
    if (at) this.cursor.row = null;
    this.pointer = at;
    this.frame.request();
  }

  private click(at: Point): void {
    const { painted } = this.lanes;
    if (!this.input || !painted) return;
    const lane = findLane(this.input, painted, at);
    this.events.onSelect(lane === null ? null : this.input.lanes[lane]!.databaseId);
  }

  private doubleClick(at: Point): void {
    const input = this.input;
    const hit = input && this.lanes.painted && findHit(input, this.lanes.painted, at);
    if (hit) this.moveTo(fitCheckpoint(input.columns.beginUtcMs[hit.row]!, input.columns.durationMs[hit.row]!, input.bounds));
  }

  private paint(): void {
    const input = this.input;
    if (!input) return;
    const scene = this.lanes.paint(input, { pointer: this.pointer, cursorRow: this.cursor.row }, this.theme);
    if (!scene) return;
    if (this.lanes.painted?.isBuilding) this.frame.request();
    const plot = this.lanes.plot;
    const labels = placeLabels(labelMarks(scene.gaps, scene.changes, input.lanes, scene.layout.pixelRatio), plot.widthPx, (text) =>
      this.lanes.measureText(text),
    );
    drawAxis(this.axis, { window: input.window, clock: input.clock, plotLeftPx: plot.leftPx, plotWidthPx: plot.widthPx, labels });
  }
}
