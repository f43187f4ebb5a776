/** Measures time and lanes that the reader draws with Shift, or sets by keys: boxes over the lanes with handles at both ends, and a card with the figures. */
import { formatDuration, formatObserved } from '../../core/format';
import { measurePart, type MeasuredFigures } from '../../core/picture/measured-part';
import { createElement } from '../elements';
import { formatTime } from '../clock';
import { placeCard } from '../layout/card-position';
import { layoutMeasured, partBetween, type LanePlaces, type MeasuredBox, type MeasuredCorner } from '../layout/measured-boxes';
import { spanOf } from '../layout/time-window';
import { laneTop } from '../layout/timeline-layout';
import { SlicedWork } from '../sliced-work';
import type { MeasuredPart } from '../view-state';
import { describePart, MeasureCard } from './measure-card';
import { MeasureHandle, type MeasuredEdge } from './measure-handle';
import type { PaintedLanes, TimelineInput } from './timeline-scene';

export interface MeasuringEvents {
  /** null: no more. */
  onMeasure(part: MeasuredPart | null): void;
  onZoom(part: MeasuredPart): void;
  onExport(part: MeasuredPart): void;
  announce(text: string): void;
  /** What is drawn is not true any more. */
  onChange(): void;
}

export class Measuring {
  /** Over the lanes; the card takes clicks. */
  readonly elements: readonly HTMLElement[];
  private readonly boxes: HTMLElement;
  private readonly handles: readonly [MeasureHandle, MeasureHandle];
  private readonly card: MeasureCard;
  private readonly work: SlicedWork;
  private input: TimelineInput | null = null;
  /** While it is being drawn or set: of which two corners. */
  private corners: { readonly from: MeasuredCorner; readonly to: MeasuredCorner; readonly byKeys: boolean } | null = null;
  private measured: { readonly part: MeasuredPart; readonly rows: number; readonly figures: MeasuredFigures | null } | null = null;

  constructor(
    private readonly document: Document,
    window: Window,
    private readonly events: MeasuringEvents,
  ) {
    this.work = new SlicedWork(window);
    this.boxes = createElement(document, 'div', { class: 'measure-boxes', attributes: { 'aria-hidden': 'true' } });
    const createHandle = (edge: MeasuredEdge): MeasureHandle =>
      new MeasureHandle(document, edge, { onMove: (share) => this.moveEdge(edge, share), onDone: () => this.keepMoved() });
    this.handles = [createHandle('beginUtcMs'), createHandle('endUtcMs')];
    this.card = new MeasureCard(document, {
      onZoom: () => this.part && events.onZoom(this.part),
      onExport: () => this.part && events.onExport(this.part),
      onClose: () => this.clear(),
    });
    this.elements = [this.boxes, ...this.handles.map(({ element }) => element), this.card.element];
  }

  /** Whether keys set it: then arrows belong to it. */
  get takesKeys(): boolean {
    return this.corners?.byKeys === true;
  }

  /** Draws from one corner to another; `drop` keeps it. */
  draw(from: MeasuredCorner, to: MeasuredCorner): void {
    this.corners = { from, to, byKeys: false };
    this.events.onChange();
  }

  /** Begins to set by keys. */
  begin(from: MeasuredCorner): void {
    if (!this.input) return;
    const to = { ...from, utcMs: from.utcMs + spanOf(this.input.window) / 20 };
    this.corners = { from, to, byKeys: true };
    this.events.announce('Measuring: arrows extend it, Enter keeps it, Escape ends it.');
    this.events.onChange();
  }

  /** Moves the second corner by a share of the width and by lanes. */
  extend(share: number, lanes: number): void {
    const { corners, input } = this;
    if (!corners || !input) return;
    const lane = Math.min(input.lanes.length - 1, Math.max(0, corners.to.lane + lanes));
    const utcMs = Math.min(input.bounds.endUtcMs, Math.max(input.bounds.beginUtcMs, corners.to.utcMs + share * spanOf(input.window)));
    this.corners = { ...corners, to: { utcMs, lane } };
    this.events.announce(describePart(this.part!));
    this.events.onChange();
  }

  /** Keeps what was drawn or set. `takesFocus`: the card gets it. */
  keep(takesFocus: boolean): void {
    const part = this.part;
    this.corners = null;
    if (!part) return;
    this.events.onMeasure(part);
    if (this.input) this.input = { ...this.input, measured: part };
    this.measure(part, true);
    if (takesFocus) this.card.focus();
  }

  /** Ends it. False where nothing was measured. */
  clear(): boolean {
    if (!this.part) return false;
    const hadFocus = this.elements.some((element) => element.contains(this.document.activeElement));
    this.corners = null;
    this.measured = null;
    this.work.cancel();
    if (this.input) this.input = { ...this.input, measured: null };
    this.events.onMeasure(null);
    this.events.announce('Nothing is measured any more.');
    if (hadFocus) this.boxes.closest<HTMLElement>('[tabindex]')?.focus();
    return true;
  }

  /** Takes in what is shown. */
  update(input: TimelineInput): void {
    this.input = input;
  }

  /** Places everything over the lanes as they were painted. */
  show(painted: PaintedLanes, frame: { readonly widthPx: number; readonly heightPx: number }): void {
    const { input, part } = this;
    const boxes = input && part ? layoutMeasured(part, input.lanes, input.window, placesOf(painted)) : [];
    this.boxes.replaceChildren(...boxes.map((box) => this.createBox(box)));
    if (!input || !part || boxes.length === 0) {
      for (const handle of this.handles) handle.hide();
      return this.card.hide();
    }
    this.handles.forEach((handle) => handle.show(part, boxes, input));
    if (this.measured?.part !== part || this.measured.rows !== input.columns.rows) this.measure(part, false);
    this.card.show(part, this.measured?.figures ?? null, input.clock);
    this.placeCard(boxes[0]!, frame);
  }

  dispose(): void {
    this.work.cancel();
  }

  private get part(): MeasuredPart | null {
    const { input, corners } = this;
    if (!input || !corners) return input?.measured ?? null;
    const part = partBetween(corners.from, corners.to, input.lanes, input.bounds);
    // The same value for the same part: what was computed of it is found again.
    return this.measured && isSame(this.measured.part, part) ? this.measured.part : part;
  }

  private measure(part: MeasuredPart, tells: boolean): void {
    const input = this.input!;
    const { columns, index, lanes } = input;
    const wanted = new Set(part.databaseIds);
    const databases = lanes.filter(({ databaseId }) => wanted.has(databaseId)).map(({ database }) => database);
    this.measured = { part, rows: columns.rows, figures: null };
    this.work.start(measurePart(columns, index, part, databases, input.observation), (figures) => {
      this.measured = { part, rows: columns.rows, figures };
      if (tells) this.events.announce(`Measured ${describePart(part)}: ${describeInBrief(figures)}.`);
      this.events.onChange();
    });
  }

  private moveEdge(edge: MeasuredEdge, share: number): void {
    const { input, part } = this;
    if (!input || !part) return;
    const moved = part[edge] + share * spanOf(input.window);
    const lanes = input.lanes
      .map(({ databaseId }, lane) => (part.databaseIds.includes(databaseId) ? lane : -1))
      .filter((lane) => lane >= 0);
    const other = edge === 'beginUtcMs' ? Math.max(moved, part.endUtcMs) : Math.min(moved, part.beginUtcMs);
    const between = partBetween(
      { utcMs: moved, lane: lanes[0] ?? 0 },
      { utcMs: other, lane: lanes[lanes.length - 1] ?? 0 },
      input.lanes,
      input.bounds,
    );
    this.input = { ...input, measured: { ...between, databaseIds: part.databaseIds } };
    this.events.announce(`${edge === 'beginUtcMs' ? 'From' : 'To'} ${formatTime(between[edge], input.clock)}`);
    this.events.onChange();
  }

  private keepMoved(): void {
    const part = this.input?.measured;
    if (part) this.events.onMeasure(part);
  }

  private createBox({ leftPx, widthPx, topPx, heightPx }: MeasuredBox): HTMLElement {
    const box = createElement(this.document, 'div', { class: 'measure-box' });
    box.style.transform = `translate(${leftPx}px, ${topPx}px)`;
    box.style.width = `${widthPx}px`;
    box.style.height = `${heightPx}px`;
    return box;
  }

  private placeCard(box: MeasuredBox, frame: { readonly widthPx: number; readonly heightPx: number }): void {
    const { element } = this.card;
    const size = { widthPx: element.offsetWidth, heightPx: element.offsetHeight };
    const { leftPx, topPx } = placeCard(box.leftPx + box.widthPx, Math.max(0, box.topPx), size, frame);
    element.style.transform = `translate(${leftPx}px, ${topPx}px)`;
  }
}

const isSame = (a: MeasuredPart, b: MeasuredPart): boolean => JSON.stringify(a) === JSON.stringify(b);

function placesOf({ layout }: PaintedLanes): LanePlaces {
  const ratio = layout.pixelRatio;
  return {
    plotLeftPx: layout.plotLeft / ratio,
    plotWidthPx: layout.plotWidth / ratio,
    topOf: (lane) => laneTop(layout, lane) / ratio,
    laneHeightPx: layout.laneHeight / ratio,
  };
}

function describeInBrief({ figures }: MeasuredFigures): string {
  if (figures.count === 0) return 'no checkpoint';
  const { count, averageMs, p95Ms, maximumMs } = figures;
  return `${count} checkpoints, average ${formatObserved(averageMs, formatDuration)}, p95 ${formatObserved(p95Ms, formatDuration)}, longest ${formatObserved(maximumMs, formatDuration)}`;
}
