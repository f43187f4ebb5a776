/** The dashboard: takes messages and the reader's actions, keeps model and view, and repaints once a frame what follows from them. */
import type { TimeWindow } from '../core/evidence/statistics';
import type { DashboardCommand, ToExtension, ToWebview } from '../protocol';
import { createModel, findBounds, receiveMessage, type DashboardModel } from './dashboard-model';
import { createClock } from './clock';
import { createElement, setText } from './elements';
import { EvidencePanel } from './pages/evidence-panel';
import { createFigures } from './figures';
import { createFrame, type Frame } from './frame';
import { describeTrackingState, Header } from './header';
import { writeHeadline } from './headline';
import { followEnd, isAtEnd, isWhole, keepInside } from './layout/time-window';
import type { WebviewHost } from './page-host';
import { findEvidenceNotice, findNotice, type NoticeAction, type StateNotice } from './pages/state-notice';
import { TabList } from './tab-list';
import { readTheme, watchTheme } from './theme';
import { TimelinePage, type TimelinePageInput } from './pages/timeline-page';
import { parseViewState, type PageId, type ViewState } from './view-state';

type EvidencePageId = Exclude<PageId, 'timeline' | 'offenders'>;

export class Dashboard {
  private model: DashboardModel = createModel();
  private view: ViewState;
  private bounds: TimeWindow | null = null;
  /** Selected, and to be scrolled into view as soon as it has a lane and a row: what selects it may come before the data. */
  private toReveal: number | null;
  private readonly figures = createFigures();
  private readonly frame: Frame;
  private readonly header: Header;
  private readonly tabs: TabList<PageId>;
  private readonly timelinePage: TimelinePage;
  private readonly evidencePanels: Readonly<Record<EvidencePageId, EvidencePanel>>;
  private readonly live: HTMLElement;
  private readonly endings: (() => void)[] = [];

  constructor(
    private readonly root: HTMLElement,
    window: Window,
    private readonly host: WebviewHost<ToExtension>,
  ) {
    const document = root.ownerDocument;
    this.view = parseViewState(host.getState());
    this.toReveal = this.view.selectedDatabaseId;
    this.frame = createFrame(window, () => this.render());
    this.header = new Header(document, (command) => this.invoke(command, []));
    this.timelinePage = new TimelinePage(document, window, readTheme(document.body), this.figures, this.timelineEvents());
    const createPanel = (): EvidencePanel => new EvidencePanel(document, this.evidenceEvents());
    this.evidencePanels = { beforeAfter: createPanel(), writeWork: createPanel(), errorLog: createPanel() };
    const { beforeAfter, writeWork, errorLog } = this.evidencePanels;
    this.tabs = new TabList<PageId>(
      document,
      'Pages',
      [
        { id: 'timeline', name: 'Timeline', panel: this.timelinePage.element },
        { id: 'beforeAfter', name: 'Before / after', panel: beforeAfter.element },
        { id: 'writeWork', name: 'I/O', panel: writeWork.element },
        { id: 'errorLog', name: 'Error log', panel: errorLog.element },
      ],
      (page) => this.show({ page }),
    );
    this.live = createElement(document, 'div', { class: 'visually-hidden', attributes: { 'aria-live': 'polite', role: 'status' } });
    const bar = createElement(document, 'div', { class: 'page-bar', children: [this.tabs.element, this.timelinePage.toolbar.element] });
    const panels = [this.timelinePage, beforeAfter, writeWork, errorLog].map(({ element }) => element);
    root.replaceChildren(this.header.element, createElement(document, 'main', { children: [bar, ...panels] }), this.live);
    this.endings.push(watchTheme(document, () => this.timelinePage.setTheme(readTheme(document.body))));
    this.frame.request();
  }

  /** Tells the extension what is held: nothing yet, so that everything comes. */
  start(): void {
    this.keep();
    this.askForMissing();
  }

  /** Takes in one message of the extension. */
  receive(message: ToWebview): void {
    const before = this.model;
    const { model, answer } = receiveMessage(this.model, message);
    this.model = model;
    const { captureId } = before.replica;
    const isOtherCapture = captureId !== null && captureId !== model.replica.captureId;
    if (isOtherCapture || message.type === 'tracking' || message.type === 'columns') this.moveBounds(isOtherCapture);
    if (message.type === 'tracking' && before.tracking?.state !== message.tracking.state)
      this.announce(describeTrackingState(message.tracking));
    if (message.type === 'reveal') this.reveal(message.databaseId);
    if (answer?.type === 'received') this.host.postMessage({ type: 'received', ...this.held() });
    if (answer?.type === 'missing') this.askForMissing();
    this.frame.request();
  }

  dispose(): void {
    for (const end of this.endings) end();
    this.timelinePage.dispose();
    this.frame.dispose();
    this.root.replaceChildren();
  }

  private held(): { readonly captureId: string; readonly generation: number; readonly rows: number } {
    const { captureId, generation, columns } = this.model.replica;
    return { captureId: captureId ?? '', generation, rows: columns.rows };
  }

  private askForMissing(): void {
    this.host.postMessage({ type: 'ready', ...this.held(), captureId: this.model.replica.captureId });
  }

  private timelineEvents(): ConstructorParameters<typeof TimelinePage>[4] {
    return {
      onWindow: (window) => this.showWindow(window),
      onFit: () => this.change({ window: null, follows: true }),
      onSelect: (databaseId) => this.select(databaseId),
      announce: (text) => this.announce(text),
      onView: (part) => this.change(part),
      onAct: (does) => this.act(does),
      onReview: (databaseId) => this.invoke('reviewScript', [databaseId]),
    };
  }

  private evidenceEvents(): ConstructorParameters<typeof EvidencePanel>[1] {
    return {
      onSort: (tableId, sort) => {
        const others = Object.entries(this.view.evidenceSorts).filter(([id]) => id !== tableId);
        this.change({ evidenceSorts: Object.fromEntries(sort === null ? others : [...others, [tableId, sort]]) });
      },
      onSelect: (databaseId) => this.select(databaseId),
      onAct: (does) => this.act(does),
    };
  }

  private act(does: NoticeAction): void {
    if (does === 'clearFilter') this.change({ filter: '' });
    else this.invoke(does, []);
  }

  private showWindow(window: TimeWindow): void {
    if (!this.bounds) return;
    const kept = keepInside(window, this.bounds);
    this.change(isWhole(kept, this.bounds) ? { window: null, follows: true } : { window: kept, follows: isAtEnd(kept, this.bounds) });
  }

  /** Bounds have moved. A window that does not follow is left as it is: what it shows may still be on its way. */
  private moveBounds(isOtherCapture: boolean): void {
    this.bounds = findBounds(this.model);
    const { window, follows } = this.view;
    if (isOtherCapture) this.change({ window: null, follows: true });
    else if (this.bounds && window && follows) this.change({ window: followEnd(window, this.bounds) });
  }

  private change(part: Partial<ViewState>): void {
    this.view = { ...this.view, ...part };
    this.keep();
    this.frame.request();
  }

  /** Changes what is shown and draws it at once: what follows, as the focus, needs it there. */
  private show(part: Partial<ViewState>): void {
    this.change(part);
    this.render();
  }

  /** The extension finds the server of a restored panel in its state. */
  private keep(): void {
    this.host.setState({ ...this.view, serverId: this.root.dataset['serverId'] });
  }

  private reveal(databaseId: number): void {
    this.change({ page: 'timeline' });
    this.select(databaseId);
  }

  private select(databaseId: number | null): void {
    const name = this.model.databases.find((database) => database.databaseId === databaseId)?.name;
    this.toReveal = databaseId;
    this.show({ selectedDatabaseId: databaseId });
    this.announce(databaseId === null ? 'Selection cleared.' : `${name ?? 'Database'} selected.`);
  }

  private invoke(command: DashboardCommand, databaseIds: readonly number[]): void {
    this.host.postMessage({ type: 'invoke', command, databaseIds });
  }

  private announce(text: string): void {
    setText(this.live, text);
  }

  private render(): void {
    const { model, view, figures } = this;
    const { columns, index } = model.replica;
    const observation = model.tracking?.observation ?? null;
    const clock = createClock(view.clock, model.server?.utcOffsetMinutes ?? 0);
    const all = figures.ofAll(model.replica, model.databases.length, observation);
    const rows = figures.rowsOfAll(all.databases, model.databases, view.filter, view.sort);
    const lanes = figures.lanes(rows, all.databases, model.databases, view.filter, columns, index);
    const notice = view.page === 'timeline' ? findNotice(model, view.filter, lanes.length) : findEvidenceNotice(model);
    const headline = model.server
      ? writeHeadline({
          server: model.server,
          clock,
          statistics: all.databases,
          names: model.databases.map(({ name }) => name),
          observation,
          busyShare: all.busyShare,
        })
      : [];
    const message = notice?.kind === 'failed' ? null : (model.tracking?.message ?? null);
    this.header.update({ server: model.server, tracking: model.tracking, headline, message, offered: notice?.action?.does ?? null });
    this.tabs.show(view.page);
    this.timelinePage.toolbar.element.hidden = view.page !== 'timeline' || (notice !== null && notice.kind !== 'filtered');
    if (this.renderPage({ model, view, clock, bounds: this.bounds, all, lanes, notice })) this.header.takeFocus();
  }

  /** Only the page that is shown costs anything. Tells whether the control that had the focus went away. */
  private renderPage(input: TimelinePageInput): boolean {
    const { page } = this.view;
    if (page !== 'timeline' && page !== 'offenders') return this.renderEvidence(page, input.notice);
    const lostFocus = this.timelinePage.update(input);
    if (this.toReveal !== null && this.timelinePage.reveal(this.toReveal, input.lanes)) this.toReveal = null;
    return lostFocus;
  }

  private renderEvidence(page: EvidencePageId, notice: StateNotice | null): boolean {
    const { selectedDatabaseId, evidenceSorts } = this.view;
    return this.evidencePanels[page].update({
      page: this.model.evidence?.[page] ?? null,
      notice,
      sorts: evidenceSorts,
      selectedDatabaseId,
    });
  }
}
