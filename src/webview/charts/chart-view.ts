/**
 * A chart on the page, linked with its table: one stop for Tab, arrows move from mark to mark, Enter selects a
 * database. A line below says what a mark shows. If its width changes, it is laid out again, not stretched.
 */
import { describeRow } from '../../core/pages/chart-text';
import type { ChartKind, EvidenceChart } from '../../core/pages/evidence-chart';
import type { EvidenceTable } from '../../core/pages/evidence-page';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { formatCount } from '../../core/format';
import { createButton, createElement, setText, showText, wrap } from '../kit/elements';
import type { ChartInput } from './chart-frame';
import { layoutPointChart } from './point-chart';
import { createTextMeasure } from './chart-texts';
import { drawSvg, type SvgNode, createSvg, writeSvg } from './svg-tree';
import { t } from '../../core/language';

/** What draws each kind. */
export const chartLayouts: { readonly [Kind in ChartKind]: (input: ChartInput) => SvgNode } = {
  points: layoutPointChart,
};

interface ChartViewInput {
  readonly chart: EvidenceChart;
  readonly columns: EvidenceTable['columns'];
  /** Ordered and filtered as in the table. */
  readonly rows: readonly KeyedRow[];
  readonly selectedDatabaseId: number | null;
}

export interface ChartViewEvents {
  onSelect(databaseId: number): void;
  /** @param svg the content of the file */
  onSave(name: string, svg: string): void;
}

const MOST_POINTS = 500;

export class ChartView {
  readonly element: HTMLElement;
  private readonly title: HTMLElement;
  private readonly holder: HTMLElement;
  private readonly rest: HTMLElement;
  private readonly reading: HTMLElement;
  private readonly marks: MarkList;
  private readonly observer: ResizeObserver;
  private input: ChartViewInput | null = null;
  private rows: readonly KeyedRow[] = [];
  private drawn: { readonly tree: SvgNode; readonly element: SVGElement } | null = null;
  private widthPx = 0;

  constructor(
    id: string,
    private readonly events: ChartViewEvents,
  ) {
    const titleId = `chart-${id}`;
    this.title = createElement('h2', { id: titleId });
    const save = createButton(t('Save as SVG'), () => this.save(id), {
      class: 'quiet',
      'aria-describedby': titleId,
    });
    this.holder = createElement('div.chart-holder');
    this.rest = createElement('p.chart-rest');
    // A screen reader already reads the name of the mark, which says the same: this line is for the eye.
    this.reading = createElement('p.chart-reading', { 'aria-hidden': 'true' });
    this.marks = new MarkList(this.holder, {
      onRead: (key) => this.read(key),
      onSelect: (key) => this.select(key),
    });
    this.element = createElement('figure', {
      'aria-labelledby': titleId,
      'data-chart': id,
      children: [wrap('div.chart-head', [this.title, save]), this.holder, this.rest, this.reading],
    });
    this.observer = new ResizeObserver(([entry]) => this.resize(entry?.contentRect.width ?? 0));
    this.observer.observe(this.holder);
  }

  update(input: ChartViewInput): void {
    const before = this.input;
    this.input = input;
    const isSame = before?.chart === input.chart && before.rows === input.rows;
    if (!isSame) this.showRows(input);
    else if (before.selectedDatabaseId !== input.selectedDatabaseId) this.mark();
  }

  dispose(): void {
    this.observer.disconnect();
  }

  private showRows({ chart, rows }: ChartViewInput): void {
    this.rows = rows.slice(0, MOST_POINTS);
    this.element.hidden = rows.length === 0;
    setText(this.title, chart.title);
    const [few, all] = [this.rows.length, rows.length];
    showText(
      this.rest,
      few === all ? '' : t('The first {0} of {1}, as sorted below.', formatCount(few), formatCount(all)),
    );
    this.draw();
  }

  private draw(): void {
    const { input, rows, widthPx } = this;
    if (!input || widthPx < 1 || rows.length === 0) return;
    const { chart, columns } = input;
    const measure = createTextMeasure(this.holder);
    const tree = chartLayouts[chart.kind]({ chart, columns, rows, widthPx, measure });
    const element = drawSvg(tree);
    this.marks.replace(element);
    this.drawn = { tree, element };
    this.mark();
  }

  private mark(): void {
    const selected = this.input?.selectedDatabaseId ?? null;
    this.marks.select(
      new Set(
        this.rows
          .filter(({ databaseId }) => databaseId !== null && databaseId === selected)
          .map(({ key }) => key),
      ),
    );
  }

  private read(key: string | null): void {
    const row = this.rowOf(key);
    setText(this.reading, row && this.input ? describeRow(this.input.chart, this.input.columns, row) : '');
  }

  private select(key: string): void {
    const id = this.rowOf(key)?.databaseId ?? null;
    if (id !== null) this.events.onSelect(id);
  }

  private rowOf(key: string | null): KeyedRow | undefined {
    return this.rows.find((row) => row.key === key);
  }

  private resize(widthPx: number): void {
    const whole = Math.floor(widthPx);
    if (whole === this.widthPx || whole < 1) return;
    this.widthPx = whole;
    this.draw();
  }

  private save(id: string): void {
    if (this.drawn) this.events.onSave(`chart-${id}`, writeChartFile(this.drawn.tree, this.drawn.element));
  }
}

/** Styles that a saved chart keeps, so that it looks as on the page. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'font-style',
] as const;
const ROOT_STYLES = ['font-family', 'font-size', 'font-variant-numeric'] as const;

/** A chart as a file. @param element the tree as drawn on the page */
function writeChartFile(tree: SvgNode, element: SVGElement): string {
  const elements = pairNodes(tree, element);
  const ground = createSvg('rect', {
    width: tree.attributes['width'] ?? 0,
    height: tree.attributes['height'] ?? 0,
    fill: readBackground(),
  });
  const root = { ...tree, children: [ground, ...tree.children] };
  elements.set(root, element);
  return writeSvg(root, (node) => readStyles(elements.get(node), node === root ? ROOT_STYLES : STYLES));
}

/** A node's children and its element's children are in the same order. */
function pairNodes(
  node: SvgNode,
  element: Element,
  pairs = new Map<SvgNode, Element>(),
): Map<SvgNode, Element> {
  pairs.set(node, element);
  node.children.forEach((child, i) => pairNodes(child, element.children[i]!, pairs));
  return pairs;
}

function readStyles(
  element: Element | undefined,
  names: readonly string[],
): Readonly<Record<string, string>> {
  // What is only in the file, or is not painted, has no styles.
  if (!element || element.matches('g')) return {};
  const style = getComputedStyle(element);
  const values = names.map((name) => [name, style.getPropertyValue(name)] as const);
  return Object.fromEntries(
    values.filter(([, value]) => value !== '' && value !== 'none' && value !== 'normal'),
  );
}

function readBackground(): string {
  return getComputedStyle(document.body).backgroundColor;
}

interface MarkEvents {
  /** The mark under the pointer or with the focus; null: none. */
  onRead(key: string | null): void;
  onSelect(key: string): void;
}

/**
 * The marks of a chart as a list for keys and pointer: Tab reaches one, arrows, Home and End move, Enter and the space
 * bar select.
 */
class MarkList {
  private reachable: string | null = null;

  constructor(
    private readonly holder: HTMLElement,
    private readonly events: MarkEvents,
  ) {
    holder.addEventListener('focusin', (event) => this.reach(keyOf(event.target)));
    holder.addEventListener('focusout', () => events.onRead(null));
    holder.addEventListener('pointerover', (event) => events.onRead(keyOf(event.target) ?? this.focused()));
    holder.addEventListener('pointerleave', () => events.onRead(this.focused()));
    holder.addEventListener('click', (event) => this.choose(keyOf(event.target)));
    holder.addEventListener('keydown', (event) => this.press(event));
  }

  /** Replaces the chart by a new drawing of it. The focus stays on its mark, or goes to the first. */
  replace(chart: SVGElement): void {
    const focused = this.focused();
    this.holder.replaceChildren(chart);
    const marks = this.list();
    if (!marks.some((mark) => mark.dataset['key'] === this.reachable))
      this.reachable = marks[0]?.dataset['key'] ?? null;
    this.showReachable();
    if (focused !== null)
      marks.find((mark) => mark.dataset['key'] === this.reachable)?.focus({ preventScroll: true });
  }

  select(keys: ReadonlySet<string>): void {
    for (const mark of this.list())
      mark.setAttribute('aria-selected', String(keys.has(mark.dataset['key'] ?? '')));
  }

  private list(): readonly SVGElement[] {
    return [...this.holder.querySelectorAll<SVGElement>('[role=option]')];
  }

  private focused(): string | null {
    const active = document.activeElement;
    return active && this.holder.contains(active) ? keyOf(active) : null;
  }

  private reach(key: string | null): void {
    this.reachable = key;
    this.showReachable();
    this.events.onRead(key);
  }

  private showReachable(): void {
    for (const mark of this.list()) mark.tabIndex = mark.dataset['key'] === this.reachable ? 0 : -1;
  }

  private choose(key: string | null): void {
    if (key !== null) this.events.onSelect(key);
  }

  private press(event: KeyboardEvent): void {
    const marks = this.list();
    const at = marks.findIndex((mark) => mark === event.target);
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const targets = new Map(
      Object.entries({
        ArrowDown: at + 1,
        ArrowRight: at + 1,
        ArrowUp: at - 1,
        ArrowLeft: at - 1,
        Home: 0,
        End: marks.length - 1,
      }),
    );
    if (event.key === 'Enter' || event.key === ' ') this.choose(keyOf(event.target));
    else if (targets.has(event.key)) marks[targets.get(event.key)!]?.focus();
    else return;
    event.preventDefault();
  }
}

const keyOf = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest<SVGElement>('[role=option]')?.dataset['key'] ?? null) : null;
