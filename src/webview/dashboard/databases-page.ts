/** The page of databases: what its figures are of, and a table with every figure, by role. */
import { countDatabases } from '../../core/format';
import { createElement, setText, wrap } from '../kit/elements';
import { type WindowFigures, selectDatabaseFigures, type DatabaseScope } from './figures';
import { DatabasesTable, type DatabasesInput } from '../tables/databases-table';
import { FIGURES_OF, type FiguresOf, sideOf, type ViewState } from '../model/view-state';
import { NoticePanel } from './notice-panel';
import type { NoticeAction, StateNotice } from './state-notice';
import { t } from '../../core/language';

export interface DatabasesPageInput extends Omit<DatabaseScope, 'bounds'> {
  /** null: nothing was observed yet. */
  readonly bounds: DatabaseScope['bounds'] | null;
  readonly notice: StateNotice | null;
}

export interface DatabasesPageEvents {
  onSelect(databaseId: number): void;
  onView(part: Partial<ViewState>): void;
  onAct(does: NoticeAction): void;
}

export class DatabasesPage {
  readonly element: HTMLElement;
  private readonly notice: NoticePanel;
  private readonly body: HTMLElement;
  private readonly summary: HTMLElement;
  private readonly scopes: ReadonlyMap<FiguresOf, HTMLInputElement>;
  private readonly table: DatabasesTable;

  constructor(
    private readonly figures: WindowFigures,
    events: DatabasesPageEvents,
  ) {
    this.notice = new NoticePanel((does) => events.onAct(does));
    this.summary = createElement('p.page-text.summary');
    this.scopes = new Map(
      FIGURES_OF.map((of) => [of, createScope(of, () => events.onView({ figuresOf: of }))]),
    );
    this.table = new DatabasesTable(
      { onSort: (sort) => events.onView({ sort }), onSelect: (id) => events.onSelect(id) },
      true,
    );
    this.body = wrap('div.page-body', [this.summary, createScopes(this.scopes), this.table.element]);
    this.element = createElement('div.page.databases-page', {
      tabindex: '0',
      children: [this.notice.element, this.body],
    });
  }

  /** @returns whether the control with the focus went away */
  update({ notice, bounds, ...input }: DatabasesPageInput): boolean {
    const lostFocus = this.notice.update(notice);
    this.body.hidden = notice !== null;
    if (bounds && notice === null) this.updateBody({ ...input, bounds });
    return lostFocus;
  }

  private updateBody(input: DatabaseScope): void {
    const { table } = selectDatabaseFigures(this.figures, input);
    const { sides = null } = input.model.server ?? {};
    const shown = input.view.figuresOf;
    const isOfSide = (of: FiguresOf): boolean => sideOf(of) !== null;
    for (const [of, radio] of this.scopes) {
      radio.checked = of === (isOfSide(shown) && sides === null ? 'all' : shown);
      radio.parentElement!.hidden = isOfSide(of) && sides === null;
    }
    setText(this.summary, describeDatabases(table));
    this.table.update(table);
  }
}

/** `45 databases had checkpoints.` */
function describeDatabases({ databases }: DatabasesInput): string {
  const count = databases.rows.length;
  const { rows: system } = databases.system;
  return count === 0
    ? t('No database had checkpoints.')
    : t('{0} had checkpoints.', countDatabases(count - system, system));
}

function createScope(of: FiguresOf, onChoose: () => void): HTMLInputElement {
  const radio = createElement('input', { type: 'radio', name: 'databases-scope', value: of });
  radio.addEventListener('change', onChoose);
  return radio;
}

const SCOPE_NAMES: Readonly<Record<FiguresOf, string>> = {
  since: t('Since the last change'),
  before: t('Before the first change'),
  both: t('Both'),
  all: t('Whole capture'),
  view: t('Time in view of the timeline'),
};

function createScopes(scopes: ReadonlyMap<FiguresOf, HTMLInputElement>): HTMLElement {
  const options = [...scopes].map(([of, radio]) => wrap('label.check', [radio, SCOPE_NAMES[of]]));
  return wrap('fieldset.scopes.page-text', [
    createElement('legend.visually-hidden', { text: t('What the figures cover') }),
    ...options,
  ]);
}
