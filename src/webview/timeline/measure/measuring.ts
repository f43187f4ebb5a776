/**
 * Measures time and lanes that the reader draws with Shift or sets by keys: boxes over the lanes, a handle at each end,
 * and a card with the figures.
 */
import { countOf, formatDuration, formatObserved } from '../../../core/format';
import type { MeasuredFigures } from '../../../core/timeline/measured-part';
import { createElement, placeElement } from '../../kit/elements';
import { formatTime } from '../../model/clock';
import {
  layoutMeasured,
  moveEdge,
  partBetween,
  spanBoxes,
  type LanePlaces,
  type LaneSpan,
  type MeasuredBox,
  type MeasuredCorner,
  type MeasuredEdge,
} from '../lanes/measured-boxes';
import { spanOf } from '../../model/time-window';
import { fixedBottom, laneTop } from '../lanes/timeline-layout';
import { SlicedWork } from '../../kit/sliced-work';
import { KeptFigures } from '../../model/kept-figures';
import type { MeasuredPart } from '../../model/view-state';
import { describePart, MeasureCard } from './measure-card';
import { PART_FIGURES, type PartScope } from './part-figures';
import type { PaintedLanes, TimelineInput } from '../lanes/timeline-scene';
import { moveCard } from '../lanes/hover-card';
import { t } from '../../../core/language';

interface MeasuringEvents {
  /** null: nothing is measured any more. */
  onMeasure(part: MeasuredPart | null): void;
  onZoom(part: MeasuredPart): void;
  onExport(part: MeasuredPart): void;
  announce(text: string): void;
  onChange(): void;
}

interface Corners {
  readonly from: MeasuredCorner;
  readonly to: MeasuredCorner;
  readonly byKeys: boolean;
  /** The lanes as they lay then: rows that arrive may change their order. */
  readonly lanes: TimelineInput['lanes'];
  /** Lanes that lay under pinned ones while it was drawn. Absent if set by keys: then hidden lanes count, too. */
  readonly underPinned?: LaneSpan;
}

export class Measuring {
  /** They lie over the lanes; the card takes clicks. */
  readonly elements: readonly HTMLElement[];
  private readonly boxes: HTMLElement;
  private readonly handles: readonly [MeasureHandle, MeasureHandle];
  private readonly card: MeasureCard;
  private readonly figures: KeptFigures<PartScope, MeasuredFigures>;
  /** The reader waits to hear the figures. */
  private tells = false;
  private input: TimelineInput | null = null;
  /** Its two corners while it is being drawn or set. */
  private corners: Corners | null = null;
  /** While one end is being moved: the part when it was gripped, and now. New data does not end the move. */
  private moving: { readonly from: MeasuredPart; readonly to: MeasuredPart } | null = null;

  constructor(
    window: Window,
    private readonly events: MeasuringEvents,
  ) {
    this.figures = new KeptFigures(new SlicedWork(window), PART_FIGURES, () => events.onChange());
    this.boxes = createElement('div.measure-boxes', { 'aria-hidden': 'true' });
    const createHandle = (edge: MeasuredEdge): MeasureHandle =>
      new MeasureHandle(edge, {
        onGrip: () => this.grip(),
        onMove: (share) => this.moveBy(edge, share * this.spanMs),
        onStep: (share) => this.step(edge, share * this.spanMs),
        onDone: () => this.keepMoved(),
      });
    this.handles = [createHandle('beginUtcMs'), createHandle('endUtcMs')];
    this.card = new MeasureCard({
      onZoom: () => this.part && events.onZoom(this.part),
      onExport: () => this.part && events.onExport(this.part),
      onClose: () => this.clear(),
    });
    this.elements = [this.boxes, ...this.handles.map(({ element }) => element), this.card.element];
  }

  /** Whether keys set it; then arrow keys belong to it. */
  get takesKeys(): boolean {
    return this.corners?.byKeys === true;
  }

  /** Draws from one corner to another; `keep` keeps the result. */
  draw(from: MeasuredCorner, to: MeasuredCorner, underPinned: LaneSpan): void {
    const { corners, input } = this;
    if (!input) return;
    // Where it began stays, however the lanes and the time in view move under the pointer.
    const begun = corners?.byKeys === false ? corners : { from, lanes: input.lanes, underPinned };
    const lane = begun.lanes.findIndex(({ databaseId }) => databaseId === input.lanes[to.lane]?.databaseId);
    this.corners = { ...begun, to: lane < 0 ? to : { ...to, lane }, byKeys: false };
    this.events.onChange();
  }

  begin(from: MeasuredCorner): void {
    if (!this.input) return;
    const to = { ...from, utcMs: from.utcMs + spanOf(this.input.window) / 20 };
    this.corners = { from, to, byKeys: true, lanes: this.input.lanes };
    this.events.announce(t('Measuring: arrows extend it, Enter keeps it, Escape ends it.'));
    this.events.onChange();
  }

  /** Moves the second corner by a share of the width and by lanes. */
  extend(share: number, lanes: number): void {
    const { corners, input } = this;
    if (!corners || !input) return;
    const lane = Math.min(corners.lanes.length - 1, Math.max(0, corners.to.lane + lanes));
    const utcMs = Math.min(
      input.bounds.endUtcMs,
      Math.max(input.bounds.beginUtcMs, corners.to.utcMs + share * spanOf(input.window)),
    );
    this.corners = { ...corners, to: { utcMs, lane } };
    this.events.announce(describePart(this.part!));
    this.events.onChange();
  }

  /** Keeps what was drawn or set. `takesFocus`: the card gets the focus. */
  keep(takesFocus: boolean): void {
    const part = this.part;
    this.corners = null;
    if (!part || !this.input) return;
    this.events.onMeasure(part);
    this.input = { ...this.input, measured: part };
    this.tells = true;
    this.readFigures(part, this.input);
    if (takesFocus) this.card.focus();
  }

  /** Ends measuring. @returns false if nothing was measured */
  clear(): boolean {
    if (!this.part) return false;
    const hadFocus = this.elements.some((element) => element.contains(document.activeElement));
    this.corners = null;
    this.moving = null;
    this.forgetFigures();
    if (this.input) this.input = { ...this.input, measured: null };
    this.events.onMeasure(null);
    this.events.announce(t('Measurement cleared.'));
    if (hadFocus) this.boxes.closest<HTMLElement>('[tabindex]')?.focus();
    return true;
  }

  update(input: TimelineInput): void {
    this.input = input;
    if (!input.measured) this.moving = null;
  }

  /** Places everything over the painted lanes. */
  show(painted: PaintedLanes): void {
    const { input, part } = this;
    const boxes = input && part ? layoutMeasured(part, input.lanes, input.window, placesOf(painted)) : [];
    this.boxes.replaceChildren(...boxes.map((box) => this.createBox(box)));
    if (!part) this.forgetFigures();
    if (!input || !part || boxes.length === 0) {
      for (const { element } of [...this.handles, this.card]) hideOverLanes(element);
      return;
    }
    this.handles.forEach((handle) => handle.show(part, boxes, input, placesOf(painted).plotWidthPx));
    this.card.show(part, this.readFigures(part, input), input.clock);
    const { leftPx, widthPx } = boxes[0]!;
    moveCard(this.card.element, { xPx: leftPx + widthPx, yPx: Math.max(0, spanBoxes(boxes).topPx) });
  }

  /** null: they are being computed. */
  private readFigures(part: MeasuredPart, input: TimelineInput): MeasuredFigures | null {
    const figures = this.figures.read({ ...input, part })?.figures ?? null;
    if (figures === null || !this.tells) return figures;
    this.tells = false;
    this.events.announce(t('Measured {0}: {1}.', describePart(part), describeInBrief(figures)));
    return figures;
  }

  private forgetFigures(): void {
    this.figures.forget();
    this.tells = false;
  }

  private get spanMs(): number {
    return this.input ? spanOf(this.input.window) : 0;
  }

  private get part(): MeasuredPart | null {
    const { input, corners, moving } = this;
    if (!input || !corners) return moving?.to ?? input?.measured ?? null;
    return partBetween(corners.from, corners.to, corners.lanes, input.bounds, corners.underPinned);
  }

  private grip(): void {
    if (this.corners) this.keep(false);
    const { part } = this;
    this.moving = part && { from: part, to: part };
  }

  /** Moves from where the end was when it was gripped, so that steps too small to count one by one add up. */
  private moveBy(edge: MeasuredEdge, byMs: number): void {
    const { input, moving } = this;
    if (!input || !moving) return;
    const to = moveEdge(moving.from, edge, moving.from[edge] + byMs, input.bounds);
    this.moving = { ...moving, to };
    const time = formatTime(to[edge], input.clock);
    this.events.announce(edge === 'beginUtcMs' ? t('From {0}', time) : t('To {0}', time));
    this.events.onChange();
  }

  /** A key moves it by at least a millisecond, however short the time in view. */
  private step(edge: MeasuredEdge, byMs: number): void {
    this.grip();
    this.moveBy(edge, Math.sign(byMs) * Math.max(1, Math.abs(byMs)));
    this.keepMoved();
  }

  private keepMoved(): void {
    const { input, moving } = this;
    this.moving = null;
    if (!input || !moving) return;
    this.input = { ...input, measured: moving.to };
    this.events.onMeasure(moving.to);
  }

  private createBox({ coveredPx, ...place }: MeasuredBox): HTMLElement {
    const box = createElement('div.measure-box');
    placeElement(box, place);
    box.style.clipPath = coveredPx > 0 ? `inset(${coveredPx}px 0 0 0)` : '';
    return box;
  }
}

function placesOf({ layout }: PaintedLanes): LanePlaces {
  const ratio = layout.pixelRatio;
  return {
    plotLeftPx: layout.plotLeft / ratio,
    plotWidthPx: layout.plotWidth / ratio,
    topOf: (lane) => laneTop(layout, lane) / ratio,
    laneHeightPx: layout.laneHeight / ratio,
    fixedLanes: layout.fixedLanes,
    fixedBottomPx: fixedBottom(layout) / ratio,
  };
}

function describeInBrief({ figures }: MeasuredFigures): string {
  if (figures.count === 0) return t('no checkpoint');
  const { count, averageMs, p95Ms, maximumMs } = figures;
  return t(
    '{0}, average {1}, p95 {2}, longest {3}',
    countOf(count, t('{0} checkpoint'), t('{0} checkpoints')),
    formatObserved(averageMs, formatDuration),
    formatObserved(p95Ms, formatDuration),
    formatObserved(maximumMs, formatDuration),
  );
}

interface MeasureHandleEvents {
  onGrip(): void;
  /** Moved by a share of the window's width, from where it was gripped. */
  onMove(share: number): void;
  /** Moved once by a share of the window's width. */
  onStep(share: number): void;
  onDone(): void;
}

const KEY_SHARE = 0.01;

class MeasureHandle {
  readonly element: HTMLElement;
  private plotWidthPx = 1;

  constructor(
    private readonly edge: MeasuredEdge,
    private readonly events: MeasureHandleEvents,
  ) {
    this.element = createElement('div.measure-handle', {
      role: 'slider',
      tabindex: '0',
      'aria-label': edge === 'beginUtcMs' ? t('Start of the measured time') : t('End of the measured time'),
      hidden: '',
    });
    this.listen();
  }

  /** Places it at its end of the boxes, as high as they are; hides it if that end is out of view. */
  show(
    part: MeasuredPart,
    boxes: readonly MeasuredBox[],
    { window, bounds, clock }: TimelineInput,
    plotWidthPx: number,
  ): void {
    const { leftPx, widthPx } = boxes[0]!;
    const { topPx, bottomPx } = spanBoxes(boxes);
    const utcMs = part[this.edge];
    this.plotWidthPx = plotWidthPx;
    if (utcMs < window.beginUtcMs || utcMs > window.endUtcMs) hideOverLanes(this.element);
    else this.element.hidden = false;
    this.element.style.transform = `translate(${this.edge === 'beginUtcMs' ? leftPx : leftPx + widthPx}px, ${topPx}px)`;
    this.element.style.height = `${bottomPx - topPx}px`;
    const sizes = {
      'aria-valuemin': bounds.beginUtcMs,
      'aria-valuemax': bounds.endUtcMs,
      'aria-valuenow': utcMs,
    };
    for (const [name, value] of Object.entries(sizes)) this.element.setAttribute(name, String(value));
    this.element.setAttribute('aria-valuetext', formatTime(utcMs, clock));
  }

  private listen(): void {
    let gripX: number | null = null;
    this.element.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      this.element.setPointerCapture(event.pointerId);
      gripX = event.clientX;
      this.events.onGrip();
    });
    this.element.addEventListener('pointermove', (event) => {
      if (gripX === null) return;
      event.stopPropagation();
      this.events.onMove((event.clientX - gripX) / this.plotWidthPx);
    });
    const end = (event: PointerEvent): void => {
      event.stopPropagation();
      if (gripX !== null) this.events.onDone();
      gripX = null;
    };
    this.element.addEventListener('pointerup', end);
    this.element.addEventListener('pointercancel', end);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      event.preventDefault();
      event.stopPropagation();
      this.events.onStep(event.key === 'ArrowLeft' ? -KEY_SHARE : KEY_SHARE);
    });
  }
}

/** Hides something over the lanes. If it has the focus, the lanes get it; else focus and keys would be lost. */
function hideOverLanes(element: HTMLElement): void {
  if (element.contains(document.activeElement)) element.closest<HTMLElement>('.lanes')?.focus();
  element.hidden = true;
}
