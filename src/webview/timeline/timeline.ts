/** The timeline: lanes on a canvas, names beside them, axis below, a card under the pointer. It holds no data; it is given all of it and tells what was done. */
import type { TimeWindow } from '../../core/evidence/statistics';
import { findNeighbour } from '../../core/picture/lane-index';
import { drawAxis } from './axis';
import { createElement } from '../elements';
import { createFrame, type Frame } from '../frame';
import { HoverCard } from './hover-card';
import { LaneNames } from './lane-names';
import type { Gesture } from '../layout/gesture';
import { placeLabels } from '../layout/time-marks';
import { fitCheckpoint, keepInside, panWindow, revealMoment, spanOf, zoomWindow } from '../layout/time-window';
import { LANE_HEIGHT_PX, layoutTimeline, scrollToLane, type TimelineLayout } from '../layout/timeline-layout';
import { paintTimeline } from '../painters/paint-timeline';
import type { Theme } from '../theme';
import { listenToTimeline } from './timeline-input';
import { describeCursor, describeHit, describePointer, findHit, findLane, type Point, type Target } from './timeline-target';
import { labelMarks, makeScene, reduceLanes, type PaintedLanes, type TimelineInput } from './timeline-scene';

export interface TimelineEvents {
  onWindow(window: TimeWindow): void;
  onFit(): void;
  onSelect(databaseId: number | null): void;
  announce(text: string): void;
}

export class Timeline {
  readonly element: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly stage: HTMLElement;
  private readonly spacer: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly names: LaneNames;
  private readonly axis: SVGSVGElement;
  private readonly card: HoverCard;
  private readonly frame: Frame;
  private readonly endings: (() => void)[] = [];
  private input: TimelineInput | null = null;
  private painted: PaintedLanes | null = null;
  private pointer: Point | null = null;
  private cursorRow: number | null = null;

  constructor(
    document: Document,
    private readonly window: Window,
    private theme: Theme,
    private readonly events: TimelineEvents,
    summaryId: string,
  ) {
    this.canvas = createElement(document, 'canvas', { class: 'lanes-canvas', attributes: { 'aria-hidden': 'true' } });
    this.names = new LaneNames(document, (text) => this.measureText(text));
    this.card = new HoverCard(document);
    this.stage = createElement(document, 'div', { class: 'lanes-stage', children: [this.canvas, this.names.element, this.card.element] });
    this.spacer = createElement(document, 'div', { class: 'lanes-spacer' });
    this.scroller = createElement(document, 'div', {
      class: 'lanes',
      attributes: {
        role: 'application',
        tabindex: '0',
        'aria-label': 'Timeline of checkpoints',
        'aria-roledescription': 'timeline',
        'aria-describedby': summaryId,
      },
      children: [this.stage, this.spacer],
    });
    this.axis = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.axis.setAttribute('class', 'axis');
    this.axis.setAttribute('aria-hidden', 'true');
    this.element = createElement(document, 'div', { class: 'timeline', children: [this.scroller, this.axis] });
    this.frame = createFrame(window, () => this.paint());
    this.listen();
  }

  /** Shows new data or another view of it at the next frame. */
  update(input: TimelineInput): void {
    if (!this.isCursorOf(input)) this.cursorRow = null;
    this.input = input;
    this.names.measure(input.lanes);
    this.frame.request();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.frame.request();
  }

  /** Scrolls so that a database's lane is in view. */
  revealLane(databaseId: number): void {
    const lane = this.input?.lanes.findIndex((candidate) => candidate.databaseId === databaseId) ?? -1;
    if (lane < 0) return;
    this.sizeScroll();
    this.scroller.scrollTop = scrollToLane(lane, this.scroller.scrollTop, this.scroller.clientHeight, this.laneHeightPx());
    this.frame.request();
  }

  dispose(): void {
    for (const end of this.endings) end();
    this.frame.dispose();
  }

  private listen(): void {
    const resize = new ResizeObserver(() => this.frame.request());
    resize.observe(this.scroller);
    this.endings.push(() => resize.disconnect());
    this.endings.push(
      listenToTimeline(this.scroller, this.stage, {
        plot: () => this.plotPx(),
        onGesture: (gesture, anchor) => this.apply(gesture, anchor),
        onPointer: (at) => this.movePointer(at),
        onClick: (at) => this.click(at),
        onDoubleClick: (at) => this.doubleClick(at),
        onScroll: () => this.frame.request(),
      }),
    );
  }

  private plotPx(): { readonly leftPx: number; readonly widthPx: number } {
    const layout = this.painted?.layout;
    return layout
      ? { leftPx: layout.plotLeft / layout.pixelRatio, widthPx: layout.plotWidth / layout.pixelRatio }
      : { leftPx: 0, widthPx: 1 };
  }

  private laneHeightPx(): number {
    const ratio = this.window.devicePixelRatio;
    return Math.round(LANE_HEIGHT_PX * ratio) / ratio;
  }

  /** The stage is as high as what is in view and stays there; the spacer below it makes the scroll bar tell of all lanes. */
  private sizeScroll(): void {
    const inViewPx = this.scroller.clientHeight;
    this.stage.style.height = `${inViewPx}px`;
    this.spacer.style.height = `${Math.max(0, (this.input?.lanes.length ?? 0) * this.laneHeightPx() - inViewPx)}px`;
  }

  /** Does what a gesture means; `anchor` is the share of the width that a zoom keeps in place. */
  apply(gesture: Gesture, anchor: number): void {
    const input = this.input;
    if (!input) return;
    const { window, bounds } = input;
    switch (gesture.type) {
      case 'zoom':
        return this.moveTo(zoomWindow(window, bounds, gesture.factor, this.cursorAnchor() ?? anchor));
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
        this.cursorRow = null;
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
  private cursorAnchor(): number | null {
    const { input, cursorRow } = this;
    if (!input || cursorRow === null || this.pointer) return null;
    const share = (input.columns.beginUtcMs[cursorRow]! - input.window.beginUtcMs) / spanOf(input.window);
    return share >= 0 && share <= 1 ? share : null;
  }

  private stepLane(step: 1 | -1): void {
    const lanes = this.input?.lanes ?? [];
    const now = lanes.findIndex((lane) => lane.databaseId === this.input?.selectedDatabaseId);
    const next = now < 0 ? (step === 1 ? 0 : lanes.length - 1) : Math.min(lanes.length - 1, Math.max(0, now + step));
    const lane = lanes[next];
    if (lane) this.events.onSelect(lane.databaseId);
  }

  private stepCheckpoint(step: 1 | -1): void {
    const input = this.input;
    const selected = input?.lanes.find((lane) => lane.databaseId === input.selectedDatabaseId);
    if (!input || !selected) return this.events.announce('Select a lane with the up and down arrows first.');
    const lane = input.index.lanes[selected.database];
    const row = lane ? findNeighbour(lane, input.columns, this.cursorRow, step, input.window) : null;
    if (row === null) return this.events.announce(step === 1 ? 'No later checkpoint.' : 'No earlier checkpoint.');
    this.cursorRow = row;
    this.pointer = null;
    const begin = input.columns.beginUtcMs[row]!;
    const duration = input.columns.durationMs[row]!;
    this.moveTo(revealMoment(input.window, input.bounds, begin, duration));
    const lines = describeHit(input, selected, { row, count: 1, enlarged: false });
    this.events.announce(lines.map((line) => line.text).join(', '));
    this.frame.request();
  }

  /** Whether the checkpoint reached by the keyboard is still there and of the selected database. */
  private isCursorOf(input: TimelineInput): boolean {
    const lane = input.lanes.find((candidate) => candidate.databaseId === input.selectedDatabaseId);
    return this.cursorRow !== null && input.index === this.input?.index && input.columns.database[this.cursorRow] === lane?.database;
  }

  private movePointer(at: Point | null): void {
    if (at) this.cursorRow = null;
    this.pointer = at;
    this.frame.request();
  }

  private click(at: Point): void {
    if (!this.input || !this.painted) return;
    const lane = findLane(this.input, this.painted, at);
    this.events.onSelect(lane === null ? null : this.input.lanes[lane]!.databaseId);
  }

  private doubleClick(at: Point): void {
    const input = this.input;
    const hit = input && this.painted && findHit(input, this.painted, at);
    if (hit) this.moveTo(fitCheckpoint(input.columns.beginUtcMs[hit.row]!, input.columns.durationMs[hit.row]!, input.bounds));
  }

  private paint(): void {
    const input = this.input;
    if (!input || this.scroller.clientWidth === 0) return;
    this.sizeScroll();
    const layout = this.layOut(input);
    this.painted = reduceLanes(input, layout, this.painted);
    const hoveredLane = this.pointer ? findLane(input, this.painted, this.pointer) : null;
    const scene = makeScene(input, this.painted, hoveredLane, this.cursorRow);
    this.sizeCanvas(layout);
    paintTimeline(this.canvas.getContext('2d')!, scene, this.theme);
    this.names.show(input.lanes, layout, input.selectedDatabaseId);
    const plot = this.plotPx();
    const labels = placeLabels(labelMarks(scene.gaps, scene.changes, input.lanes, layout.pixelRatio), plot.widthPx, (text) =>
      this.measureText(text),
    );
    drawAxis(this.axis, {
      window: input.window,
      clock: input.clock,
      plotLeftPx: plot.leftPx,
      plotWidthPx: plot.widthPx,
      labels,
    });
    this.card.show(this.findTarget(input, this.painted), { widthPx: this.scroller.clientWidth, heightPx: this.scroller.clientHeight });
  }

  private findTarget(input: TimelineInput, painted: PaintedLanes): Target | null {
    if (this.pointer) return describePointer(input, painted, this.pointer);
    return this.cursorRow === null ? null : describeCursor(input, painted, this.cursorRow);
  }

  private layOut(input: TimelineInput): TimelineLayout {
    return layoutTimeline({
      widthPx: this.scroller.clientWidth,
      heightPx: this.scroller.clientHeight,
      pixelRatio: this.window.devicePixelRatio,
      laneCount: input.lanes.length,
      scrollTopPx: this.scroller.scrollTop,
      widestNamePx: this.names.widestPx,
    });
  }

  private sizeCanvas(layout: TimelineLayout): void {
    if (this.canvas.width !== layout.width) this.canvas.width = layout.width;
    if (this.canvas.height !== layout.height) this.canvas.height = layout.height;
    this.canvas.style.width = `${layout.width / layout.pixelRatio}px`;
    this.canvas.style.height = `${layout.height / layout.pixelRatio}px`;
  }

  private measureText(text: string): number {
    const context = this.canvas.getContext('2d')!;
    context.font = this.window.getComputedStyle(this.names.element).font;
    return context.measureText(text).width;
  }
}
