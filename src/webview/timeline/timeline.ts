/**
 * The timeline: lanes, axis, and what lies above and below them. It holds no data: it is given all of it and says what
 * the reader did.
 */
import type { TimeWindow } from '../../core/statistics/statistics';
import { createAxis, drawAxis } from './lanes/axis';
import { createElement } from '../kit/elements';
import { createFrame, type Frame } from '../kit/frame';
import type { Gesture } from '../kit/gesture';
import {
  fitCheckpoint,
  isTimeGesture,
  keepInside,
  windowAfter,
  type TimeGesture,
} from '../model/time-window';
import type { Theme } from '../kit/theme';
import {
  KeyboardCursor,
  nextLane,
  placeMoment,
  type CursorStep,
  SELECT_FIRST,
} from './lanes/keyboard-cursor';
import { LanesView } from './lanes/lanes-view';
import { Measuring } from './measure/measuring';
import { Minimap } from './minimap/minimap';
import { TaskHistory } from './minimap/task-history';
import { TimeHead } from './time-head';
import type { MeasuredPart } from '../model/view-state';
import type { Scene } from './lanes/paint-timeline';
import type { PictureInput } from './timeline-picture';
import { listenToTimeline } from './timeline-input';
import { findHit, findLane } from './lanes/timeline-target';
import type { Point } from './lanes/hover-card';
import type { TimelineInput } from './lanes/timeline-scene';
import { t } from '../../core/language';

export interface TimelineEvents {
  onWindow(window: TimeWindow): void;
  onFit(): void;
  onSelect(databaseId: number | null): void;
  /** null: nothing is measured any more. */
  onMeasure(part: MeasuredPart | null): void;
  onExportMeasured(part: MeasuredPart): void;
  onPin(databaseId: number): void;
  onOpen(): void;
  onList(): void;
  onNextClock(): void;
  /** CSS pixels that strips, lanes, axis and overview may take together. */
  measureRoom(): number;
  announce(text: string): void;
}

export class Timeline {
  readonly element: HTMLElement;
  private readonly lanes: LanesView;
  private readonly cursor = new KeyboardCursor();
  private readonly measuring: Measuring;
  private readonly history = new TaskHistory();
  private readonly head: TimeHead;
  private readonly minimap: Minimap;
  private readonly axis: SVGElement;
  private readonly frame: Frame;
  private input: TimelineInput | null = null;
  /** The checkpoint under the first press of a possible double click. */
  private pressedRow: number | null = null;
  /** A finger reached the checkpoint at the cursor; its card goes with the next press elsewhere. */
  private isTapped = false;
  /** The moment of a gap or a change that a finger tapped. */
  private tappedUtcMs: number | null = null;
  private pointer: Point | null = null;
  private toReveal: number | null = null;
  private scene: Scene | null = null;

  constructor(
    private readonly window: Window,
    private theme: Theme,
    private readonly events: TimelineEvents,
    summaryId: string,
  ) {
    this.lanes = new LanesView(window, summaryId, (databaseId) => events.onPin(databaseId));
    this.measuring = new Measuring(window, {
      ...events,
      onZoom: (part) => this.moveTo(part),
      onExport: (part) => events.onExportMeasured(part),
      onChange: () => this.frame.request(),
    });
    this.lanes.stage.append(...this.measuring.elements);
    const partEvents = {
      ...events,
      onWindow: (part: TimeWindow) => this.moveTo(part),
      onGesture: (gesture: Gesture, anchor: number) => this.apply(gesture, anchor),
      onLeave: () => this.focus(),
      onMove: () => this.frame.request(),
    };
    this.head = new TimeHead(this.history, partEvents);
    this.minimap = new Minimap(this.history, partEvents);
    this.axis = createAxis();
    const children = [this.head.element, this.lanes.scroller, this.axis, this.minimap.element];
    this.element = createElement('div.timeline', { children });
    this.frame = createFrame(window, () => this.paint());
    this.listen();
  }

  /** Shows new data or another view at the next frame. */
  update(input: TimelineInput): void {
    this.cursor.keepOf(input, this.input);
    if (input.index !== this.input?.index) this.pressedRow = null;
    this.input = input;
    this.lanes.names.measure(input.lanes);
    this.measuring.update(input);
    this.size(input);
    this.frame.request();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.frame.request();
  }

  /** Scrolls a database's lane into view at the next frame, which knows how much room the lanes have. */
  revealLane(databaseId: number): void {
    this.toReveal = databaseId;
    this.frame.request();
  }

  /** Goes to one checkpoint of the selected lane and takes the focus. */
  goTo(row: number): void {
    const input = this.input;
    const lane = input?.lanes.find(({ databaseId }) => databaseId === input.selectedDatabaseId);
    if (input && lane) this.step(this.cursor.goTo(row, lane, input));
    this.focus();
  }

  /** The last painted frame, for a picture of it; null before the first. */
  get painted(): Pick<PictureInput, 'scene' | 'theme' | 'pixelRatio'> | null {
    return this.scene && { scene: this.scene, theme: this.theme, pixelRatio: this.window.devicePixelRatio };
  }

  focus(): void {
    this.lanes.scroller.focus();
  }

  private listen(): void {
    const resize = new ResizeObserver(() => this.frame.request());
    // Device pixels also change on another screen, even if the size stays.
    resize.observe(this.lanes.scroller, { box: 'device-pixel-content-box' });
    // A page that scrolls as a whole takes the cards along.
    this.window.addEventListener('scroll', () => this.frame.request(), { passive: true, capture: true });
    listenToTimeline(this.lanes.scroller, this.lanes.stage, {
      plot: () => this.lanes.plot,
      onGesture: (gesture, anchor) => this.apply(gesture, anchor),
      onPointer: (at) => this.movePointer(at),
      onClick: (at, isFinger) => this.click(at, isFinger),
      onFirstPress: (at) => this.pressFirst(at),
      onDoubleClick: () => this.doubleClick(),
      onScroll: () => this.frame.request(),
      onMeasure: (from, to) => this.drawMeasured(from, to),
      onMeasureEnd: () => this.measuring.keep(false),
      isMeasuring: () => this.measuring.takesKeys,
    });
  }

  /** Does what a gesture means. `anchor`: the share of the width that stays in place in a zoom. */
  apply(gesture: Gesture, anchor: number): void {
    const input = this.input;
    if (!input) return;
    if (!isTimeGesture(gesture)) return this.applyToLanes(gesture, input);
    // A zoom keeps the checkpoint in place that the keyboard has reached, unless the pointer is over the lanes.
    const place = (this.pointer ? null : this.cursor.anchor(input)) ?? anchor;
    const window = windowAfter(gesture, input.window, input.bounds, place);
    if (gesture.type !== 'fit') return this.moveTo(window);
    this.input = { ...input, window };
    this.events.onFit();
  }

  private applyToLanes(gesture: Exclude<Gesture, TimeGesture>, input: TimelineInput): void {
    const { selectedDatabaseId: id } = input;
    switch (gesture.type) {
      case 'lane': {
        const lane = nextLane(input, gesture.step);
        return lane ? this.events.onSelect(lane.databaseId) : undefined;
      }
      case 'checkpoint':
        return this.step(this.cursor.step(input, gesture.step));
      case 'mark':
        return this.step(this.cursor.stepMark(input, gesture.step));
      case 'pin':
        return id === null ? this.events.announce(SELECT_FIRST) : this.events.onPin(id);
      case 'open':
        return id === null ? this.events.announce(SELECT_FIRST) : this.events.onOpen();
      case 'list':
        return id === null ? this.events.announce(SELECT_FIRST) : this.events.onList();
      case 'measure':
        return this.measuring.begin(this.cursor.corner(input, this.lanes.firstLane));
      case 'measureTime':
        return this.measuring.extend(gesture.share, 0);
      case 'measureLane':
        return this.measuring.extend(0, gesture.step);
      case 'measureKeep':
        return this.measuring.keep(true);
      case 'clock':
        return this.events.onNextClock();
      case 'clear':
        return this.clear();
      // Not here: the page hears these too.
      case 'help':
      case 'filter':
        return;
      default:
        return gesture satisfies never;
    }
  }

  /** One step back: ends measuring, else forgets the cursor, else the selection. */
  private clear(): void {
    if (this.measuring.clear()) return;
    if (!this.cursor.clear()) return this.events.onSelect(null);
    this.events.announce(t('Cursor cleared.'));
    this.frame.request();
  }

  private step({ window, text }: CursorStep): void {
    if (window) {
      this.pointer = null;
      this.moveTo(window);
    }
    this.events.announce(text);
    this.frame.request();
  }

  private drawMeasured(from: Point, to: Point): void {
    const [begin, end] = [this.lanes.cornerAt(from), this.lanes.cornerAt(to)];
    const { fixedLanes = 0, firstLane = 0 } = this.lanes.painted?.layout ?? {};
    if (begin && end) this.measuring.draw(begin, end, { from: fixedLanes, end: firstLane });
  }

  /** The next gesture starts from here, even if it comes before the next frame. */
  private moveTo(window: TimeWindow): void {
    if (this.input) this.input = { ...this.input, window: keepInside(window, this.input.bounds) };
    this.events.onWindow(window);
  }

  private movePointer(at: Point | null): void {
    this.tappedUtcMs = null;
    if (at) this.cursor.clear();
    this.pointer = at;
    this.frame.request();
  }

  /** The details that open make the lanes narrower: a finger keeps its checkpoint, not its place. */
  private click(at: Point, isFinger: boolean): void {
    const { input } = this;
    const { painted } = this.lanes;
    if (!input || !painted) return;
    const lane = input.lanes[findLane(input, painted, at) ?? -1];
    const row = this.findRow(at);
    this.events.onSelect(lane?.databaseId ?? null);
    if (!isFinger) return;
    this.isTapped = lane !== undefined && row !== null;
    this.movePointer(this.isTapped ? null : at);
    if (!this.isTapped && at.xPx >= this.lanes.plot.leftPx)
      this.tappedUtcMs = this.lanes.cornerAt(at)?.utcMs ?? null;
    if (lane && row !== null) this.events.announce(this.cursor.goTo(row, lane, input).text);
  }

  private pressFirst(at: Point | null): void {
    this.pressedRow = at && this.findRow(at);
    if (at || !this.isTapped) return;
    this.isTapped = false;
    this.cursor.clear();
    this.frame.request();
  }

  private findRow(at: Point): number | null {
    const { painted } = this.lanes;
    return this.input && painted ? (findHit(this.input, painted, at)?.row ?? null) : null;
  }

  private doubleClick(): void {
    const row = this.pressedRow;
    if (!this.input || row === null) return;
    const { columns, bounds } = this.input;
    this.moveTo(fitCheckpoint(columns.beginUtcMs[row]!, columns.durationMs[row]!, bounds));
  }

  /** Gives the lanes what the parts above and below them leave. */
  private size(input: TimelineInput): void {
    const box = { widthPx: this.element.clientWidth, heightPx: this.events.measureRoom() };
    this.head.size(input, box, this.window.devicePixelRatio);
    this.minimap.showIfZoomed(input);
    this.lanes.size(input, box.heightPx - (this.element.offsetHeight - this.lanes.scroller.offsetHeight));
  }

  private paint(): void {
    const input = this.input;
    if (!input) return;
    this.size(input);
    this.lanes.leastNamePx = this.head.measureNames((text) => this.lanes.measureText(text));
    this.revealWanted(input);
    const { plot } = this.lanes;
    if (this.pointer && this.tappedUtcMs !== null)
      this.pointer = { ...this.pointer, xPx: placeMoment(this.tappedUtcMs, input.window, plot) };
    const noted = this.cursor.noted(input, plot);
    const scene = this.lanes.paint(
      input,
      { pointer: this.pointer, cursorRow: this.cursor.row, noted },
      this.theme,
    );
    if (!scene) return;
    this.scene = scene;
    if (this.lanes.painted?.isBuilding) this.frame.request();
    if (this.lanes.painted) this.measuring.show(this.lanes.painted);
    if (!this.history.takeIn(input)) this.frame.request();
    this.head.paint(input, scene, this.theme);
    this.minimap.paint(input, scene.layout, this.theme);
    drawAxis(this.axis, input, scene, this.lanes.plot, (text) => this.lanes.measureText(text));
  }

  private revealWanted(input: TimelineInput): void {
    const lane = input.lanes.findIndex(({ databaseId }) => databaseId === this.toReveal);
    if (lane >= 0) this.lanes.reveal(lane, input);
    this.toReveal = null;
  }
}
