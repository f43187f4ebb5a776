/**
 * A chart on the page, linked with its table: one stop for Tab, arrows move from mark to mark, Enter selects a database. What is read stands in words below it.
 * It is laid out again, not stretched, where its width changes.
 */
import { describeChart, describeRow } from '../../core/pages/chart-text';
import type { EvidenceChart } from '../../core/pages/evidence-chart';
import type { EvidenceTable } from '../../core/pages/evidence-page';
import type { KeyedRow } from '../../core/pages/evidence-rows';
import { createButton, createElement, setText } from '../kit/elements';
import { writeChartFile } from './chart-file';
import { layoutChart } from './chart-layout';
import { describeRowsLeftOut, selectChartRows, type ChartRows } from './chart-rows';
import { MarkList } from './mark-list';
import { createTextMeasure } from './page-measure';
import { drawSvg, type SvgNode } from './svg-tree';

interface ChartViewInput {
  readonly chart: EvidenceChart;
  readonly columns: EvidenceTable['columns'];
  /** In the order and as filtered in the table. */
  readonly rows: readonly KeyedRow[];
  readonly selectedDatabaseId: number | null;
}

interface ChartViewEvents {
  onSelect(databaseId: number): void;
  /** @param svg the chart as a file */
  onSave(name: string, svg: string): void;
}

/** Rows at first, and on demand. Points over time lie beside each other: of them there may be more. */
const FEW_ROWS = 12;
const MOST_ROWS = 30;
const MOST_POINTS = 500;

export class ChartView {
  readonly element: HTMLElement;
  private readonly title: HTMLElement;
  private readonly groups: HTMLSelectElement;
  private readonly summary: HTMLElement;
  private readonly holder: HTMLElement;
  private readonly rest: HTMLElement;
  private readonly restText: HTMLElement;
  private readonly restButton: HTMLButtonElement;
  private readonly reading: HTMLElement;
  private readonly marks: MarkList;
  private readonly observer: ResizeObserver;
  private input: ChartViewInput | null = null;
  private shown: ChartRows | null = null;
  private drawn: { readonly tree: SvgNode; readonly element: SVGElement } | null = null;
  private group: string | null = null;
  private isLong = false;
  private widthPx = 0;

  constructor(
    private readonly document: Document,
    id: string,
    private readonly events: ChartViewEvents,
  ) {
    const [titleId, summaryId] = [`chart-${id}`, `chart-${id}-summary`];
    this.title = createElement(document, 'h3', { attributes: { id: titleId } });
    this.groups = createElement(document, 'select', { attributes: { 'aria-label': 'Shown in the chart' } });
    this.groups.addEventListener('change', () => this.chooseGroup());
    const save = createButton(document, 'Save as SVG', () => this.save(id), {
      class: 'quiet',
      attributes: { 'aria-describedby': titleId },
    });
    this.summary = createElement(document, 'p', { class: 'chart-summary', attributes: { id: summaryId } });
    this.holder = createElement(document, 'div', { class: 'chart-holder' });
    this.restText = createElement(document, 'span');
    this.restButton = createButton(document, '', () => this.toggleLength(), { class: 'quiet' });
    this.rest = createElement(document, 'p', { class: 'chart-rest', children: [this.restText, this.restButton] });
    // Who moves the focus hears the name of the mark, which says the same: this line is for the eye.
    this.reading = createElement(document, 'p', { class: 'chart-reading', attributes: { 'aria-hidden': 'true' } });
    this.marks = new MarkList(this.holder, { onRead: (key) => this.read(key), onSelect: (key) => this.select(key) });
    this.element = createElement(document, 'figure', {
      attributes: { 'aria-labelledby': titleId, 'aria-describedby': summaryId, 'data-chart': id },
      children: [
        createElement(document, 'div', { class: 'chart-head', children: [this.title, this.groups, save] }),
        this.summary,
        this.holder,
        this.rest,
        this.reading,
      ],
    });
    this.observer = new ResizeObserver(([entry]) => this.resize(entry?.contentRect.width ?? 0));
    this.observer.observe(this.holder);
  }

  update(input: ChartViewInput): void {
    const before = this.input;
    this.input = input;
    const isSame = before?.chart === input.chart && before.rows === input.rows;
    const isOtherSelection = before?.selectedDatabaseId !== input.selectedDatabaseId;
    // Another selection is the reader's wish to see that database's group.
    if (isOtherSelection) this.group = null;
    if (!isSame || (isOtherSelection && input.chart.groups.length > 0)) this.showRows(input);
    else if (isOtherSelection) this.mark();
  }

  dispose(): void {
    this.observer.disconnect();
  }

  private showRows(input: ChartViewInput): void {
    const { chart, columns } = input;
    const most = chart.kind === 'points' ? MOST_POINTS : this.isLong ? MOST_ROWS : FEW_ROWS;
    const shown = selectChartRows({ ...input, group: this.group, most });
    this.shown = shown;
    this.element.hidden = shown.of.length === 0;
    setText(this.title, chart.title);
    setText(this.summary, describeChart(chart, columns, shown.of));
    this.showGroups(shown);
    const canBeLonger = chart.kind !== 'points' && shown.of.length > FEW_ROWS;
    this.rest.hidden = !canBeLonger && shown.rows.length === shown.of.length;
    setText(this.restText, describeRowsLeftOut(shown));
    this.restButton.hidden = !canBeLonger;
    setText(this.restButton, this.isLong ? 'Show fewer' : `Show ${Math.min(MOST_ROWS, shown.of.length)}`);
    this.draw();
  }

  private showGroups({ groups, group }: ChartRows): void {
    this.groups.hidden = groups.length < 2;
    if ([...this.groups.options].map(({ value }) => value).join('\n') !== groups.map(({ key }) => key).join('\n'))
      this.groups.replaceChildren(
        ...groups.map(({ key, name }) => createElement(this.document, 'option', { text: name, attributes: { value: key } })),
      );
    this.groups.value = group ?? '';
  }

  private draw(): void {
    const { input, shown, widthPx } = this;
    if (!input || !shown || widthPx < 1 || shown.of.length === 0) return;
    const measure = createTextMeasure(this.holder);
    const { chart, columns } = input;
    const tree = layoutChart({
      chart,
      columns,
      rows: shown.rows,
      widthPx,
      measure,
    });
    const element = drawSvg(this.document, tree);
    this.marks.replace(element);
    this.drawn = { tree, element };
    this.mark();
  }

  private mark(): void {
    // Where one database's rows are shown alone, marking all of them would say nothing.
    const selected = this.input?.chart.groups.length === 0 ? this.input.selectedDatabaseId : null;
    const rows = this.shown?.rows ?? [];
    this.marks.select(new Set(rows.filter(({ databaseId }) => databaseId !== null && databaseId === selected).map(({ key }) => key)));
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
    return this.shown?.rows.find((row) => row.key === key);
  }

  private chooseGroup(): void {
    this.group = this.groups.value;
    if (this.input) this.showRows(this.input);
  }

  private toggleLength(): void {
    this.isLong = !this.isLong;
    if (this.input) this.showRows(this.input);
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
