/**
 * One page of evidence: the main sentence, the tables, and what a reader needs to know to trust them. A notice if there
 * is nothing yet.
 */
import type { EvidencePage, EvidenceTable, PagePart } from '../../core/pages/evidence-page';
import type { EvidenceSort } from '../../core/pages/evidence-rows';
import type { Clock } from '../model/clock';
import { createElement, setText, showText, wrap } from '../kit/elements';
import { createLink } from '../tables/cell-extras';
import { EvidenceTableView, type EvidenceTableEvents } from '../tables/evidence-table';
import { NoticePanel } from './notice-panel';
import type { NoticeAction, StateNotice } from './state-notice';
import { t } from '../../core/language';

interface EvidencePanelInput {
  /** null: not known yet; the notice says why. */
  readonly page: EvidencePage | null;
  readonly notice: StateNotice | null;
  /** By the id of the table. */
  readonly sorts: Readonly<Record<string, EvidenceSort>>;
  readonly selectedDatabaseId: number | null;
  readonly filter: string;
  readonly clock: Clock;
}

export interface EvidencePanelEvents extends Omit<EvidenceTableEvents, 'onSort'> {
  onSort(tableId: string, sort: EvidenceSort | null): void;
  onAct(does: NoticeAction): void;
}

export class EvidencePanel {
  readonly element: HTMLElement;
  private readonly notice: NoticePanel;
  private readonly page: HTMLElement;
  private readonly title: HTMLElement;
  private readonly summary: HTMLElement;
  private readonly parts: HTMLElement;
  private readonly tables: HTMLElement;
  private readonly notes: HTMLElement;
  private readonly noteList: HTMLElement;
  private readonly views = new Map<string, EvidenceTableView>();
  private shown: EvidencePage | null = null;

  constructor(private readonly events: EvidencePanelEvents) {
    this.notice = new NoticePanel((does) => events.onAct(does));
    this.summary = createElement('p.page-text.summary');
    this.title = createElement('h2.page-text.page-title');
    this.tables = createElement('div');
    this.parts = createElement('div.page-text.page-parts');
    this.noteList = createElement('ul');
    this.notes = createElement('section.page-text.notes', {
      'aria-label': t('What these figures rest on'),
      children: [createElement('h2', { text: t('What these figures rest on') }), this.noteList],
    });
    this.page = wrap('div.page-body', [this.title, this.summary, this.tables, this.parts, this.notes]);
    // Tab reaches it, so that keys scroll it even if it holds only sentences.
    this.element = createElement('div.page', {
      tabindex: '0',
      children: [this.notice.element, this.page],
    });
  }

  /** @returns whether the control with the focus went away */
  update({ page, notice, sorts, ...input }: EvidencePanelInput): boolean {
    const lostFocus = this.notice.update(notice);
    this.page.hidden = page === null;
    if (!page) return lostFocus;
    if (page !== this.shown) this.showText(page);
    this.shown = page;
    for (const table of page.tables)
      this.viewOf(table).update({ table, sort: sorts[table.id] ?? null, ...input });
    return lostFocus;
  }

  private showText(page: EvidencePage): void {
    showText(this.title, page.title ?? null);
    this.showSummary(page);
    this.showParts(page.parts ?? []);
    // The notice says more than the summary.
    this.summary.hidden = page.missing !== undefined;
    this.notes.hidden = page.notes.length === 0;
    if (JSON.stringify(page.notes) !== JSON.stringify(this.shown?.notes))
      this.noteList.replaceChildren(...page.notes.map((text) => createElement('li', { text })));
    this.placeTables(page.tables.map((table) => this.viewOf(table).element));
  }

  private showSummary({ summary, link }: EvidencePage): void {
    const { shown } = this;
    if (shown?.summary === summary && JSON.stringify(shown.link) === JSON.stringify(link)) return;
    setText(this.summary, summary);
    if (link !== undefined) this.summary.append(' ', createLink(link, this.events.onLink));
  }

  private showParts(parts: readonly PagePart[]): void {
    this.parts.hidden = parts.length === 0;
    if (JSON.stringify(parts) === JSON.stringify(this.shown?.parts ?? [])) return;
    this.parts.replaceChildren(...parts.map((part) => this.createPart(part)));
  }

  private createPart({ heading, text }: PagePart): HTMLElement {
    return wrap('section', [createElement('h3', { text: heading }), createElement('p', { text })]);
  }

  /** Does not move tables that stay, so that they keep the focus. */
  private placeTables(wanted: readonly HTMLElement[]): void {
    for (const element of [...this.tables.children])
      if (!wanted.includes(element as HTMLElement)) element.remove();
    wanted.forEach((element, at) => {
      if (this.tables.children[at] !== element)
        this.tables.insertBefore(element, this.tables.children[at] ?? null);
    });
  }

  private viewOf({ id }: EvidenceTable): EvidenceTableView {
    const known = this.views.get(id);
    if (known) return known;
    const view = new EvidenceTableView(id, {
      ...this.events,
      onSort: (sort) => this.events.onSort(id, sort),
    });
    this.views.set(id, view);
    return view;
  }
}
