/** The table that the original method ends with, on a page of its own: what the figures are of, the databases as ranges, and every figure of each. */
import { countDatabases } from '../../core/format';
import { chartOffenders, createOffenderChart, OFFENDER_CHART_COLUMNS } from '../../core/picture/offender-chart';
import type { OffenderRows } from '../../core/picture/offender-rows';
import { ChartView } from '../charts/chart-view';
import { createElement, setText } from '../elements';
import { remember, type Figures } from '../figures';
import { OffendersTable, type OffendersInput } from '../tables/offenders-table';
import type { ViewState } from '../view-state';
import { NoticePanel } from './notice-panel';
import { selectOffenderFigures, type OffenderScope } from './offender-figures';
import type { NoticeAction, StateNotice } from './state-notice';

export interface OffendersPageInput extends Omit<OffenderScope, 'bounds'> {
  /** null: nothing was observed yet. */
  readonly bounds: OffenderScope['bounds'] | null;
  readonly notice: StateNotice | null;
}

export interface OffendersPageEvents {
  onView(part: Partial<ViewState>): void;
  onSelect(databaseId: number): void;
  onAct(does: NoticeAction): void;
  /** @param svg the chart as a file */
  onSave(name: string, svg: string): void;
}

/** Where the server's own could not be read. */
const DEFAULT_RECOVERY_INTERVAL_MS = 60_000;

export class OffendersPage {
  readonly element: HTMLElement;
  private readonly notice: NoticePanel;
  private readonly body: HTMLElement;
  private readonly summary: HTMLElement;
  private readonly scopes: ReadonlyMap<boolean, HTMLInputElement>;
  private readonly chart: ChartView;
  private readonly table: OffendersTable;
  private readonly chartOf = remember(createOffenderChart);
  private readonly rowsOf = remember((offenders: OffenderRows) => chartOffenders(offenders.rows));

  constructor(
    document: Document,
    private readonly figures: Figures,
    events: OffendersPageEvents,
  ) {
    this.notice = new NoticePanel(document, (does) => events.onAct(does));
    this.summary = createElement(document, 'p', { class: 'page-text summary' });
    this.scopes = new Map(
      [false, true].map((inView) => [inView, createScope(document, inView, () => events.onView({ figuresInView: inView }))]),
    );
    this.chart = new ChartView(document, 'offenders', events);
    this.table = new OffendersTable(document, { onSort: (sort) => events.onView({ sort }), onSelect: (id) => events.onSelect(id) }, true);
    this.body = createElement(document, 'div', {
      class: 'page-body',
      children: [
        this.summary,
        createElement(document, 'h2', { class: 'page-text', text: 'Checkpoints by database' }),
        createScopes(document, this.scopes),
        createElement(document, 'div', { class: 'charts page-text', children: [this.chart.element] }),
        this.table.element,
      ],
    });
    this.element = createElement(document, 'div', {
      class: 'page offenders-page',
      attributes: { tabindex: '0' },
      children: [this.notice.element, this.body],
    });
  }

  /** Tells whether the control that had the focus went away. */
  update({ notice, bounds, ...input }: OffendersPageInput): boolean {
    const lostFocus = this.notice.update(notice);
    this.body.hidden = notice !== null;
    if (bounds && notice === null) this.updateBody({ ...input, bounds });
    return lostFocus;
  }

  dispose(): void {
    this.chart.dispose();
  }

  private updateBody(input: OffenderScope): void {
    const { table } = selectOffenderFigures(this.figures, input);
    const { selectedDatabaseId } = table;
    for (const [inView, radio] of this.scopes) radio.checked = inView === input.view.figuresInView;
    setText(this.summary, describeOffenders(table));
    this.chart.update({
      chart: this.chartOf(input.model.server?.recoveryIntervalMs ?? DEFAULT_RECOVERY_INTERVAL_MS),
      columns: OFFENDER_CHART_COLUMNS,
      rows: this.rowsOf(table.offenders),
      selectedDatabaseId,
    });
    this.table.update(table);
  }
}

/** `45 databases had checkpoints, of all that was observed: …` */
function describeOffenders({ offenders, scope }: OffendersInput): string {
  const count = offenders.rows.length;
  const { rows: system } = offenders.system;
  return `${count === 0 ? 'No database' : countDatabases(count - system, system)} had checkpoints; figures ${scope}.`;
}

function createScope(document: Document, inView: boolean, onChoose: () => void): HTMLInputElement {
  const radio = createElement(document, 'input', {
    attributes: { type: 'radio', name: 'offenders-scope', value: inView ? 'view' : 'all' },
  });
  radio.addEventListener('change', onChoose);
  return radio;
}

function createScopes(document: Document, scopes: ReadonlyMap<boolean, HTMLInputElement>): HTMLElement {
  const options = [...scopes].map(([inView, radio]) =>
    createElement(document, 'label', {
      class: 'check',
      children: [radio, inView ? 'Time in view of the timeline' : 'All that was observed'],
    }),
  );
  return createElement(document, 'fieldset', {
    class: 'scopes page-text',
    children: [createElement(document, 'legend', { class: 'visually-hidden', text: 'What the figures are of' }), ...options],
  });
}
