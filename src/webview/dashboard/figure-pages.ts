/** The pages besides the timeline: the databases, and the evidence. */
import type { EvidenceState } from '../../core/pages/evidence-page';
import type { WindowFigures } from './figures';
import type { TabSpec } from '../kit/tab-list';
import { type PageId, type ViewState, changeSort } from '../model/view-state';
import { EvidencePanel, type EvidencePanelEvents } from './evidence-panel';
import { ErrorLogDrop, type ErrorLogDropEvents } from './error-log-drop';
import { ProgressLine } from './progress-line';
import { findMissingNotice } from './state-notice';
import { DatabasesPage, type DatabasesPageEvents, type DatabasesPageInput } from './databases-page';
import { t } from '../../core/language';

type FigurePageId = Exclude<PageId, 'timeline'>;
type EvidencePageId = Exclude<FigurePageId, 'databases'>;

export interface FigurePagesEvents
  extends DatabasesPageEvents, ErrorLogDropEvents, Pick<EvidencePanelEvents, 'onLink' | 'onSave'> {
  onCancelReading(): void;
  onReadAgain(): void;
}

export class FigurePages {
  readonly tabs: readonly TabSpec<FigurePageId>[];
  private readonly databases: DatabasesPage;
  private readonly evidence: Readonly<Record<EvidencePageId, EvidencePanel>>;
  private readonly readingBars: Readonly<Record<EvidencePageId, ProgressLine>>;
  private readonly logDrop: ErrorLogDrop;
  private view: ViewState | null = null;

  constructor(
    figures: WindowFigures,
    private readonly events: FigurePagesEvents,
  ) {
    this.databases = new DatabasesPage(figures, events);
    const evidenceEvents: EvidencePanelEvents = {
      ...events,
      onSort: (tableId, sort) =>
        events.onView({ evidenceSorts: changeSort(this.view?.evidenceSorts ?? {}, tableId, sort) }),
    };
    const createPanel = (): EvidencePanel => new EvidencePanel(evidenceEvents);
    const createBar = (): ProgressLine => new ProgressLine('div.reading-bar', 'quiet', 'status');
    this.evidence = { beforeAfter: createPanel(), writeWork: createPanel(), errorLog: createPanel() };
    this.readingBars = { beforeAfter: createBar(), writeWork: createBar(), errorLog: createBar() };
    this.logDrop = new ErrorLogDrop(this.evidence.errorLog.element, events);
    this.evidence.errorLog.element.prepend(this.logDrop.element);
    for (const id of ['beforeAfter', 'writeWork', 'errorLog'] as const)
      this.evidence[id].element.prepend(this.readingBars[id].element);
    this.tabs = [
      { id: 'databases', name: t('Databases'), panel: this.databases.element },
      { id: 'beforeAfter', name: t('Before / after'), panel: this.evidence.beforeAfter.element },
      { id: 'writeWork', name: t('I/O'), panel: this.evidence.writeWork.element },
      { id: 'errorLog', name: t('Error log'), panel: this.evidence.errorLog.element },
    ];
  }

  /** Draws one of them. @returns whether the control with the focus went away */
  update(page: FigurePageId, input: DatabasesPageInput): boolean {
    const { model, view, notice, clock } = input;
    this.view = view;
    if (page === 'databases') return this.databases.update(input);
    const { selectedDatabaseId, evidenceSorts, filter } = view;
    const lostFocus = this.readingBars[page].update(this.describeReading(model.reading));
    const shown = model.evidence?.[page] ?? null;
    const lostToPage = this.evidence[page].update({
      page: shown,
      notice: notice ?? findMissingNotice(shown),
      sorts: evidenceSorts,
      selectedDatabaseId,
      filter,
      clock,
    });
    return lostFocus || lostToPage;
  }

  /** What is being read for the pages, with a way to cancel it; and what was cancelled, with one to go on. */
  private describeReading({ reading, stopped }: EvidenceState): Parameters<ProgressLine['update']>[0] {
    const { onCancelReading, onReadAgain } = this.events;
    if (reading !== null)
      return { ...reading, isGoing: true, action: { label: t('Cancel'), act: onCancelReading } };
    if (stopped === null) return null;
    return { text: stopped, isGoing: false, action: { label: t('Refresh'), act: onReadAgain } };
  }

  /** The extension has taken this many bytes of the error log being sent; null: it wants no more. */
  receiveLogTaken(bytes: number | null): void {
    void this.logDrop.receive(bytes);
  }
}
