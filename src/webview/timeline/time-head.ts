/** What stands above the lanes: the strips with their names, the row of marks, and a card about either. */
import { remember } from '../kit/frame';
import { type StripId, STRIPS } from '../../core/timeline/strips';
import { MARK_NAMES, type TimeMark } from '../../core/timeline/time-marks';
import { formatCount } from '../../core/format';
import { t } from '../../core/language';
import { formatMoment, formatSpan, type Clock } from '../model/clock';
import {
  createElement,
  listenToLeave,
  setLabel,
  setText,
  setTitle,
  sizeCanvas,
  placeElement,
} from '../kit/elements';
import { type Box, type CardLine, HoverCard, type Point, type Target } from './lanes/hover-card';
import {
  findMarks,
  layoutMarks,
  listKinds,
  listReached,
  nameMark,
  type LaidMarks,
} from './lanes/mark-layout';
import { readWheel, type Gesture } from '../kit/gesture';
import { foldStrips, layoutStrips, roundUp, stripAt, type StripBox } from './strips/strip-layout';
import type { TimelineLayout } from './lanes/timeline-layout';
import { paintMarks } from './lanes/paint-marks';
import { paintStripCursor, paintStrips } from './strips/paint-strips';
import type { Theme } from '../kit/theme';
import { StripCursor } from './strips/strip-cursor';
import { createStripScenes, reduceStrips, type PaintedStrips } from './strips/strip-scene';
import { describeStripAt, describeNoScale, formatScaleTop, summarizeStrips } from './strips/strip-text';
import type { TaskHistory } from './minimap/task-history';
import type { Scene } from './lanes/paint-timeline';
import type { TimelineInput } from './lanes/timeline-scene';

interface TimeHeadEvents {
  /** `anchor`: the share of the plot's width that stays in place in a zoom. */
  onGesture(gesture: Gesture, anchor: number): void;
  /** The keyboard moves on to the lanes. */
  onLeave(): void;
  announce(text: string): void;
  /** Pointer or keyboard have moved: paint again. */
  onMove(): void;
}

/** The widest text of a scale's top; its room stays the same when the text changes. */
const WIDEST_TOP = '100 ms';

/**
 * Height of the row of marks in CSS pixels, with room for bars below the shapes. It is the same without marks: marks
 * come later and must not move the lanes.
 */
const MARKS_PX = 17;
/** Marks that a card lists; the others are counted. */
const MOST_TOLD = 3;

export class TimeHead {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly names: HTMLElement;
  private readonly cursor: StripCursor;
  private readonly marks: HTMLElement;
  private readonly card: HoverCard;
  private readonly summarize = remember(summarizeStrips);
  private boxes: readonly StripBox[] = [];
  private marksTopPx = 0;
  private laid: LaidMarks = { groups: [], bars: [] };
  private painted: PaintedStrips | null = null;
  private layout: TimelineLayout | null = null;
  private input: TimelineInput | null = null;
  private pointer: Point | null = null;

  constructor(
    private readonly history: TaskHistory,
    private readonly events: TimeHeadEvents,
  ) {
    this.canvas = createElement('canvas.head-canvas', { 'aria-hidden': 'true' });
    this.names = createElement('div.strip-names', { 'aria-hidden': 'true' });
    this.cursor = new StripCursor({
      onStep: () => this.stepOnStrips(),
      onLeave: () => events.onLeave(),
    });
    this.marks = createElement('div.marks', { role: 'img', hidden: '' });
    this.marks.addEventListener('click', () => events.onLeave());
    this.card = new HoverCard();
    this.element = createElement('div.time-head', {
      children: [this.canvas, this.cursor.element, this.names, this.marks, this.card.element],
    });
    for (const type of ['pointerdown', 'pointermove'] as const)
      this.element.addEventListener(type, (event) => this.move(this.pointOf(event)));
    listenToLeave(this.element, () => this.move(null));
    this.element.addEventListener('wheel', (event) => this.turn(event), { passive: false });
  }

  /** CSS pixels that the names need beside the plot. */
  measureNames(measureText: (text: string) => number): number {
    const topOf = (id: StripId): string => (this.input && this.findNoScale(this.input, id)) ?? WIDEST_TOP;
    return Math.ceil(
      Math.max(0, ...this.boxes.map(({ id }) => measureText(STRIPS[id].name) + measureText(topOf(id)))),
    );
  }

  /** Takes the height that it needs in a timeline of that size; the lanes get the rest. */
  size(input: TimelineInput, timeline: Box, pixelRatio: number): void {
    this.input = input;
    const { boxes, height } = layoutStrips(
      foldStrips(input.strips, timeline.widthPx, timeline.heightPx),
      pixelRatio,
    );
    this.boxes = boxes;
    this.marksTopPx = height / pixelRatio;
    const marksPx = Math.round(MARKS_PX * pixelRatio) / pixelRatio;
    this.element.style.height = `${this.marksTopPx + marksPx}px`;
    this.cursor.element.style.height = `${this.marksTopPx}px`;
    this.marks.style.top = `${this.marksTopPx}px`;
    this.marks.style.height = `${marksPx}px`;
  }

  /** Paints one frame on the pixel columns of the lanes. */
  paint(input: TimelineInput, { layout, gaps, changes }: Scene, theme: Theme): void {
    this.layout = layout;
    const ids = this.boxes.map(({ id }) => id);
    this.painted = reduceStrips(input, ids, this.history.busy, layout.plotWidth, this.painted);
    this.cursor.show({ ids, view: this.painted.view, samples: input.samples });
    this.laid = layoutMarks(input.marks, this.painted.view, layout.pixelRatio);
    const reached = listReached(input.marks, input.bounds);
    this.marks.hidden = reached.length === 0;
    setLabel(this.marks, describeRow(reached));
    const height = Math.round(parseFloat(this.element.style.height) * layout.pixelRatio);
    sizeCanvas(this.canvas, layout.width, height, layout.pixelRatio);
    const context = this.canvas.getContext('2d')!;
    context.clearRect(0, 0, layout.width, height);
    const scenes = createStripScenes(this.painted, this.boxes, (id) => this.topOf(input, id), input.goal);
    paintStrips(context, { ...layout, height }, scenes, gaps, changes, theme);
    const top = Math.round(this.marksTopPx * layout.pixelRatio);
    const cursor = this.findCursor();
    if (cursor) paintStripCursor(context, { ...layout, height: top }, cursor, theme);
    paintMarks(context, { ...layout, top, height: height - top }, this.laid, theme);
    this.showNames(input, layout);
    this.card.show(this.findTarget(input, layout));
  }

  private topOf(input: TimelineInput, id: StripId): number {
    if (id === 'busy') return 100;
    const [first, second] = this.summarize(input.samples).get(id) ?? [];
    return roundUp(Math.max(first?.highest ?? 0, second?.highest ?? 0));
  }

  private findNoScale({ samples }: TimelineInput, id: StripId): string | null {
    return describeNoScale(id, samples.samples, this.summarize(samples));
  }

  private showNames(input: TimelineInput, { plotLeft, pixelRatio }: TimelineLayout): void {
    while (this.names.childElementCount > this.boxes.length) this.names.lastElementChild!.remove();
    while (this.names.childElementCount < this.boxes.length) this.names.append(this.createName());
    this.boxes.forEach(({ id, top, height }, i) => {
      const element = this.names.children[i] as HTMLElement;
      const { name, title, unit } = STRIPS[id];
      setText(element.firstElementChild!, name);
      setText(
        element.lastElementChild!,
        this.findNoScale(input, id) ?? formatScaleTop(this.topOf(input, id), unit),
      );
      setTitle(element, title);
      placeElement(element, {
        topPx: top / pixelRatio,
        widthPx: plotLeft / pixelRatio,
        heightPx: height / pixelRatio,
      });
    });
  }

  private createName(): HTMLElement {
    const parts = ['strip-label', 'strip-top'].map((name) => createElement('span', { class: name }));
    return createElement('div.strip-name', { children: parts });
  }

  private findTarget(input: TimelineInput, { plotLeft, pixelRatio }: TimelineLayout): Target | null {
    const at = this.pointer;
    if (!at) return this.findReached(input, plotLeft, pixelRatio);
    const column = Math.floor(at.xPx * pixelRatio) - plotLeft;
    const box = stripAt(this.boxes, at.yPx * pixelRatio);
    const lines = box
      ? describeStripAt(input, this.painted!, this.history, box, column)
      : describeMarks(at.yPx >= this.marksTopPx ? findMarks(this.laid, column, pixelRatio) : [], input.clock);
    return lines && lines.length > 0 ? { lines, at } : null;
  }

  /** What the keyboard has reached on the strips. */
  private findReached(input: TimelineInput, plotLeft: number, pixelRatio: number): Target | null {
    const cursor = this.findCursor();
    const lines = cursor && describeStripAt(input, this.painted!, this.history, cursor.box, cursor.column);
    if (!lines) return null;
    const yPx = (cursor.box.top + cursor.box.height) / pixelRatio;
    return { lines, at: { xPx: (plotLeft + cursor.column) / pixelRatio, yPx } };
  }

  /** Where the keyboard is on the strips; null: nowhere in view. */
  private findCursor(): { readonly box: StripBox; readonly column: number } | null {
    const { place, column } = this.cursor;
    const box = this.boxes.find(({ id }) => id === place?.id);
    return box && column !== null ? { box, column } : null;
  }

  private stepOnStrips(): void {
    this.pointer = null;
    const { input, painted } = this;
    const cursor = this.findCursor();
    const lines =
      cursor && input && painted && describeStripAt(input, painted, this.history, cursor.box, cursor.column);
    if (lines)
      this.events.announce([STRIPS[cursor.box.id].name, ...lines.map(({ text }) => text)].join(', '));
    this.events.onMove();
  }

  private move(at: Point | null): void {
    this.pointer = at;
    this.events.onMove();
  }

  private turn(event: WheelEvent): void {
    if (!this.layout) return;
    const { plotLeft, plotWidth, pixelRatio } = this.layout;
    const anchor = (this.pointOf(event).xPx * pixelRatio - plotLeft) / plotWidth;
    const gesture = anchor < 0 ? null : readWheel(event, plotWidth / pixelRatio);
    if (!gesture) return;
    event.preventDefault();
    this.events.onGesture(gesture, Math.min(1, anchor));
  }

  private pointOf(event: MouseEvent): Point {
    const box = this.element.getBoundingClientRect();
    return { xPx: event.clientX - box.left, yPx: event.clientY - box.top };
  }
}

function describeRow(marks: readonly TimeMark[]): string {
  const counts = listKinds(marks).map(
    (kind) => `${MARK_NAMES[kind]} ${formatCount(marks.filter((mark) => mark.kind === kind).length)}`,
  );
  return t('Marks: {0}. On the lanes, N and B step through them.', counts.join(', '));
}

/** The lines about a group of marks: the first few, and how many more. */
function describeMarks(marks: readonly TimeMark[], clock: Clock): readonly CardLine[] {
  const told = marks.slice(0, MOST_TOLD).flatMap((mark): readonly CardLine[] => [
    { text: nameMark(mark), kind: 'name' },
    {
      text: mark.endUtcMs > mark.beginUtcMs ? formatSpan(mark, clock) : formatMoment(mark.beginUtcMs, clock),
      kind: 'time',
    },
    { text: mark.text, kind: 'note' },
  ]);
  const rest = marks.length - MOST_TOLD;
  return rest > 0 ? [...told, { text: t('and {0} more', formatCount(rest)), kind: 'note' }] : told;
}
