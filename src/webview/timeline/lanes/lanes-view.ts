/**
 * The lanes on their canvas in a box that scrolls, with the names beside them and the card over them. What was painted
 * last answers the pointer.
 */
import { createElement, sizeCanvas, setName, setTitle, placeElement } from '../../kit/elements';
import { HoverCard, type Point, type Target } from './hover-card';
import type { MeasuredCorner } from './measured-boxes';
import { spanOf } from '../../model/time-window';
import {
  layoutLaneHeight,
  layoutTimeline,
  listLanesInView,
  nearestLane,
  scrollToLane,
  type TimelineLayout,
  layoutName,
  listNamedLanes,
  type NamePlace,
  laneCover,
  laneTop,
} from './timeline-layout';
import { paintTimeline, type Scene } from './paint-timeline';
import type { Theme } from '../../kit/theme';
import {
  countPinned,
  createScene,
  reduceLanes,
  type PaintedLanes,
  type TimelineInput,
  type LaneView,
} from './timeline-scene';
import { describeCursor, describePointer, findLane } from './timeline-target';
import { t } from '../../../core/language';
import { makeVisible } from '../../../core/visible';
import { createSvg, drawSvg } from '../../charts/svg-tree';

/** Where the bars are, in CSS pixels from the left of the timeline. */
export interface Plot {
  readonly leftPx: number;
  readonly widthPx: number;
}

/** What pointer and keyboard are at. */
interface LanesFocus {
  readonly pointer: Point | null;
  /** Row of the checkpoint reached by the keyboard. */
  readonly cursorRow: number | null;
  /** The change or mark that the keyboard has reached, with what is said of it. */
  readonly noted: Target | null;
}

/** CSS pixels that the card over the lanes needs, however few they are. */
const LEAST_PX = 120;

export class LanesView {
  /** Takes the focus and scrolls. */
  readonly scroller: HTMLElement;
  /** As high as the view; holds what lies over the lanes. */
  readonly stage: HTMLElement;
  /** Their width decides where the bars begin. */
  readonly names: LaneNames;
  /** The lanes as painted in the last frame. */
  painted: PaintedLanes | null = null;
  /** CSS pixels that other names beside the plot need, if they are wider than those of the lanes. */
  leastNamePx = 0;
  private readonly spacer: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly card: HoverCard;
  private readonly pin: PinButton;
  private input: TimelineInput | null = null;

  constructor(
    private readonly window: Window,
    summaryId: string,
    onPin: (databaseId: number) => void,
  ) {
    this.canvas = createElement('canvas.lanes-canvas', { 'aria-hidden': 'true' });
    this.names = new LaneNames((text) => this.measureText(text));
    this.card = new HoverCard();
    this.pin = new PinButton(onPin);
    this.stage = createElement('div.lanes-stage', {
      children: [this.canvas, this.names.element, this.pin.element, this.card.element],
    });
    this.spacer = createElement('div.lanes-spacer');
    this.scroller = createElement('div.lanes', {
      role: 'application',
      tabindex: '0',
      'aria-label': t('Timeline of checkpoints'),
      'aria-roledescription': t('timeline'),
      'aria-describedby': summaryId,
      children: [this.stage, this.spacer],
    });
  }

  /** Where the bars were in the last frame. */
  get plot(): Plot {
    const layout = this.painted?.layout;
    return layout
      ? { leftPx: layout.plotLeft / layout.pixelRatio, widthPx: layout.plotWidth / layout.pixelRatio }
      : { leftPx: 0, widthPx: 1 };
  }

  get firstLane(): number {
    return (this.painted && listLanesInView(this.painted.layout)[0]) ?? 0;
  }

  /** The moment and the lane at a point; outside of the lanes, the nearest ones. */
  cornerAt(at: Point): MeasuredCorner | null {
    const { input, painted, plot } = this;
    if (!input || !painted || input.lanes.length === 0) return null;
    const share = Math.min(1, Math.max(0, (at.xPx - plot.leftPx) / plot.widthPx));
    const utcMs = input.window.beginUtcMs + share * spanOf(input.window);
    return { utcMs, lane: nearestLane(painted.layout, at.yPx, input.lanes.length) };
  }

  /** Takes whole lanes of that many CSS pixels, so that the last one in view is never cut. */
  size(input: TimelineInput, roomPx: number): void {
    const { lanes } = input;
    const heightPx = Math.max(LEAST_PX, roomPx);
    const lanePx = this.laneHeightPx(input, heightPx);
    const leastPx = Math.ceil(LEAST_PX / lanePx) * lanePx;
    const height = `${Math.max(leastPx, Math.min(lanes.length, Math.floor(heightPx / lanePx)) * lanePx)}px`;
    if (this.scroller.style.height !== height) this.scroller.style.height = height;
  }

  /** Scrolls so that a lane is whole in view and not under a pinned one. */
  reveal(lane: number, input: TimelineInput): void {
    this.sizeScroll(input);
    const { scrollTop: scrollTopPx, clientHeight: heightPx } = this.scroller;
    const { fixedLanes } = this.layOut(input);
    this.scroller.scrollTop = scrollToLane(lane, {
      scrollTopPx,
      heightPx,
      laneHeightPx: this.laneHeightPx(input),
      fixedLanes,
    });
  }

  /** Paints one frame. @returns null while there is no room for it */
  paint(input: TimelineInput, { pointer, cursorRow, noted }: LanesFocus, theme: Theme): Scene | null {
    if (this.scroller.clientWidth === 0) return null;
    this.input = input;
    this.sizeScroll(input);
    const layout = this.layOut(input);
    const painted = reduceLanes(input, layout, this.painted);
    this.painted = painted;
    const hoveredLane = pointer ? findLane(input, painted, pointer) : null;
    const scene = createScene(input, painted, hoveredLane, cursorRow);
    sizeCanvas(this.canvas, layout.width, layout.height, layout.pixelRatio);
    paintTimeline(this.canvas.getContext('2d')!, scene, theme);
    this.names.show(input.lanes, layout, input.selectedDatabaseId, hoveredLane);
    const target = pointer
      ? describePointer(input, painted, pointer)
      : cursorRow === null
        ? noted
        : describeCursor(input, painted, cursorRow);
    this.card.show(target);
    this.pin.show(hoveredLane === null ? null : (input.lanes[hoveredLane] ?? null), layout, hoveredLane ?? 0);
    return scene;
  }

  /** Width of a text in the font of the names, in CSS pixels. */
  measureText(text: string): number {
    const context = this.canvas.getContext('2d')!;
    context.font = this.window.getComputedStyle(this.names.element).font;
    return context.measureText(text).width;
  }

  private laneHeightPx({ laneHeight, lanes }: TimelineInput, heightPx = this.scroller.clientHeight): number {
    const pixelRatio = this.window.devicePixelRatio;
    return layoutLaneHeight({ laneHeight, pixelRatio, heightPx, laneCount: lanes.length }) / pixelRatio;
  }

  /**
   * The stage is as high as the view and stays there; the spacer below it gives the scroll bar the height of all lanes.
   */
  private sizeScroll(input: TimelineInput): void {
    const inViewPx = this.scroller.clientHeight;
    this.stage.style.height = `${inViewPx}px`;
    this.spacer.style.height = `${Math.max(0, input.lanes.length * this.laneHeightPx(input) - inViewPx)}px`;
  }

  private layOut(input: TimelineInput): TimelineLayout {
    return layoutTimeline({
      widthPx: this.scroller.clientWidth,
      heightPx: this.scroller.clientHeight,
      pixelRatio: this.window.devicePixelRatio,
      laneCount: input.lanes.length,
      pinnedLanes: countPinned(input.lanes),
      scrollTopPx: this.scroller.scrollTop,
      widestNamePx: Math.max(this.leastNamePx, this.names.widestPx),
      laneHeight: input.laneHeight,
    });
  }
}

/** A selected name is bold, which makes it about this many times wider. */
const BOLD_WIDTH = 1.1;

class LaneNames {
  readonly element: HTMLElement;
  /** CSS pixels of the widest name. */
  widestPx = 0;
  private measured = '';

  constructor(private readonly measureText: (text: string) => number) {
    this.element = createElement('div.lane-names', { 'aria-hidden': 'true' });
  }

  measure(lanes: readonly LaneView[]): void {
    const key = lanes.map((lane) => lane.name).join('\n');
    if (key === this.measured) return;
    this.measured = key;
    this.widestPx = Math.ceil(
      BOLD_WIDTH *
        lanes.reduce((widest, lane) => Math.max(widest, this.measureText(makeVisible(lane.name))), 0),
    );
  }

  /** Shows the names of the lanes in view, as far as they fit. Elements are used again. */
  show(
    lanes: readonly LaneView[],
    layout: TimelineLayout,
    selectedDatabaseId: number | null,
    hoveredLane: number | null,
  ): void {
    const selectedLane = lanes.findIndex((lane) => lane.databaseId === selectedDatabaseId);
    const shown = listNamedLanes(layout, selectedLane < 0 ? null : selectedLane, hoveredLane);
    while (this.element.childElementCount > shown.length) this.element.lastElementChild!.remove();
    while (this.element.childElementCount < shown.length) this.element.append(createElement('div.lane-name'));
    shown.forEach((at, i) => {
      const element = this.element.children[i] as HTMLElement;
      const lane = lanes[at]!;
      showName(element, lane, lane.databaseId === selectedDatabaseId);
      placeName(element, layoutName(layout, at));
    });
  }
}

function showName(element: HTMLElement, lane: LaneView, selected: boolean): void {
  setName(element, lane.name);
  setTitle(element, lane.name);
  element.dataset['databaseId'] = String(lane.databaseId);
  element.classList.toggle('light', !lane.heavy);
  element.classList.toggle('selected', selected);
}

function placeName(element: HTMLElement, place: NamePlace): void {
  placeElement(element, place);
  element.style.lineHeight = `${place.heightPx}px`;
  element.style.fontSize = place.typePx === null ? '' : `${place.typePx}px`;
}

/** An arrow pointing up at a bar. */
const TO_THE_TOP = 'M2.5 1.5h7M6 10.5V4M3.5 6.5 6 4l2.5 2.5';

/**
 * A small button at the name of the lane under the pointer; it pins the lane to the top. Tab skips it because a key
 * does the same.
 */
class PinButton {
  readonly element: HTMLButtonElement;
  private lane: LaneView | null = null;

  constructor(onPin: (databaseId: number) => void) {
    this.element = createElement('button.pin', {
      type: 'button',
      tabindex: '-1',
      'aria-hidden': 'true',
      hidden: '',
      onClick: () => this.lane && onPin(this.lane.databaseId),
    });
    // The button disappears with the pointer, so a click must not give it the focus: the focus would be lost.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
    this.element.append(
      drawSvg(createSvg('svg', { viewBox: '0 0 12 12' }, [createSvg('path', { d: TO_THE_TOP })])),
    );
  }

  /** Shows the button beside the name of a lane; null: nowhere. A lane that is mostly covered has none. */
  show(lane: LaneView | null, layout: TimelineLayout, at: number): void {
    this.lane = lane;
    const cover = laneCover(layout, at);
    const heightPx = (layout.laneHeight - cover) / layout.pixelRatio;
    this.element.hidden = lane === null || heightPx < 16;
    if (!lane) return;
    setTitle(this.element, lane.pinned ? t('Unpin this lane (P)') : t('Pin this lane to the top (P)'));
    this.element.classList.toggle('pinned', lane.pinned);
    this.element.style.transform = `translateY(${(laneTop(layout, at) + cover) / layout.pixelRatio}px)`;
    this.element.style.height = `${heightPx}px`;
  }
}
