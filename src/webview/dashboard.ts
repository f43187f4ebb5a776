/** The dashboard: takes messages and the reader's actions, keeps model and view, and repaints once a frame what follows from them. */
import { formatCount, formatDuration, formatUtcOffset } from '../core/format';
import type { CheckpointStatistics, TimeWindow } from '../core/evidence/statistics';
import type { DashboardCommand, ToExtension, ToWebview } from '../protocol';
import { createModel, findBounds, receiveMessage, type DashboardModel } from './dashboard-model';
import { DetailPanel } from './detail-panel';
import { createElement, setText } from './elements';
import { createFigures } from './figures';
import { createFrame, type Frame } from './frame';
import { describeTrackingState, Header } from './header';
import { writeHeadline } from './headline';
import { followEnd, isAtEnd, isWhole, keepInside, spanOf } from './layout/time-window';
import { Legend } from './legend';
import { OffendersTable } from './offenders-table';
import { formatWindow } from './server-time';
import { NoticePanel } from './notice-panel';
import { findNotice } from './state-notice';
import { readTheme, watchTheme } from './theme';
import { Timeline } from './timeline';
import type { LaneView } from './timeline-scene';
import { Toolbar } from './toolbar';
import { parseViewState, type ViewState } from './view-state';

/** VS Code as a webview sees it. */
export interface WebviewHost {
  postMessage(message: ToExtension): void;
  getState(): unknown;
  setState(state: unknown): void;
}

const SUMMARY_ID = 'timeline-summary';
const DEFAULT_RECOVERY_INTERVAL_MS = 60_000;

export class Dashboard {
  private model: DashboardModel = createModel();
  private view: ViewState;
  private bounds: TimeWindow | null = null;
  /** Selected, and to be scrolled into view as soon as it has a lane and a row: what selects it may come before the data. */
  private toReveal: number | null;
  private readonly figures = createFigures();
  private readonly frame: Frame;
  private readonly header: Header;
  private readonly toolbar: Toolbar;
  private readonly timeline: Timeline;
  private readonly legend: Legend;
  private readonly detail: DetailPanel;
  private readonly table: OffendersTable;
  private readonly notice: NoticePanel;
  private readonly picture: HTMLElement;
  private readonly summary: HTMLElement;
  private readonly live: HTMLElement;
  private readonly endings: (() => void)[] = [];

  constructor(
    private readonly root: HTMLElement,
    window: Window,
    private readonly host: WebviewHost,
  ) {
    const document = root.ownerDocument;
    const theme = readTheme(document.body);
    this.view = parseViewState(host.getState());
    this.toReveal = this.view.selectedDatabaseId;
    this.frame = createFrame(window, () => this.render());
    this.header = new Header(document, (command) => this.invoke(command, []));
    this.timeline = new Timeline(document, window, theme, this.timelineEvents(), SUMMARY_ID);
    this.toolbar = new Toolbar(document, {
      onGesture: (gesture) => this.timeline.apply(gesture, 0.5),
      onFilter: (filter) => this.change({ filter }),
      onFiguresInView: (figuresInView) => this.change({ figuresInView }),
    });
    this.legend = new Legend(document);
    this.legend.setTheme(theme);
    this.detail = new DetailPanel(document, (databaseId) => this.invoke('reviewScript', [databaseId]));
    this.table = new OffendersTable(document, { onSort: (sort) => this.change({ sort }), onSelect: (id) => this.select(id) });
    this.summary = createElement(document, 'p', { class: 'visually-hidden', attributes: { id: SUMMARY_ID } });
    this.live = createElement(document, 'div', { class: 'visually-hidden', attributes: { 'aria-live': 'polite', role: 'status' } });
    this.notice = new NoticePanel(document, (does) => (does === 'clearFilter' ? this.change({ filter: '' }) : this.invoke(does, [])));
    const timelinePart = createElement(document, 'div', { class: 'timeline-part', children: [this.timeline.element, this.legend.element] });
    const main = createElement(document, 'div', { class: 'split', children: [timelinePart, this.detail.element] });
    this.picture = createElement(document, 'main', { children: [this.summary, main, this.table.element] });
    root.replaceChildren(this.header.element, this.toolbar.element, this.notice.element, this.picture, this.live);
    this.endings.push(watchTheme(document, () => this.readTheme()));
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
    if (message.type === 'reveal') this.select(message.databaseId);
    if (answer?.type === 'received') this.host.postMessage({ type: 'received', ...this.held() });
    if (answer?.type === 'missing') this.askForMissing();
    this.frame.request();
  }

  dispose(): void {
    for (const end of this.endings) end();
    this.timeline.dispose();
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

  private timelineEvents(): ConstructorParameters<typeof Timeline>[3] {
    return {
      onWindow: (window) => this.show(window),
      onFit: () => this.change({ window: null, follows: true }),
      onSelect: (databaseId) => this.select(databaseId),
      announce: (text) => this.announce(text),
    };
  }

  private show(window: TimeWindow): void {
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

  /** The extension finds the server of a restored panel in its state. */
  private keep(): void {
    this.host.setState({ ...this.view, serverId: this.root.dataset['serverId'] });
  }

  private select(databaseId: number | null): void {
    const name = this.model.databases.find((database) => database.databaseId === databaseId)?.name;
    this.change({ selectedDatabaseId: databaseId });
    this.toReveal = databaseId;
    this.render();
    this.announce(databaseId === null ? 'Selection cleared.' : `${name ?? 'Database'} selected.`);
  }

  private invoke(command: DashboardCommand, databaseIds: readonly number[]): void {
    this.host.postMessage({ type: 'invoke', command, databaseIds });
  }

  private announce(text: string): void {
    setText(this.live, text);
  }

  private readTheme(): void {
    const theme = readTheme(this.root.ownerDocument.body);
    this.timeline.setTheme(theme);
    this.legend.setTheme(theme);
  }

  private render(): void {
    const { model, view, figures } = this;
    const { columns } = model.replica;
    const observation = model.tracking?.observation ?? null;
    const all = figures.ofAll(columns, model.databases.length, this.bounds, observation);
    const lanes = figures.lanes(figures.rowsOfAll(all, model.databases, view.filter, view.sort), all);
    const notice = findNotice(model, view.filter, lanes.length);
    const headline = model.server
      ? writeHeadline({
          server: model.server,
          statistics: all,
          names: model.databases.map(({ name }) => name),
          observation,
          busyShare: figures.busyShare(columns, observation),
        })
      : [];
    const message = notice?.kind === 'failed' ? null : (model.tracking?.message ?? null);
    this.header.update({ server: model.server, tracking: model.tracking, headline, message, offered: notice?.action?.does ?? null });
    if (this.notice.update(notice)) this.header.takeFocus();
    this.picture.hidden = notice !== null;
    this.toolbar.element.hidden = notice !== null && notice.kind !== 'filtered';
    if (this.bounds) this.renderPicture(this.bounds, all, lanes);
    this.revealSelected(lanes);
  }

  private revealSelected(lanes: readonly LaneView[]): void {
    if (this.toReveal === null || this.picture.hidden || !lanes.some((lane) => lane.databaseId === this.toReveal)) return;
    this.timeline.revealLane(this.toReveal);
    this.table.revealRow(this.toReveal);
    this.toReveal = null;
  }

  private renderPicture(bounds: TimeWindow, all: readonly CheckpointStatistics[], lanes: readonly LaneView[]): void {
    const { model, view } = this;
    const window = view.window ? keepInside(view.window, bounds) : bounds;
    const utcOffsetMinutes = model.server?.utcOffsetMinutes ?? 0;
    const recoveryIntervalMs = model.server?.recoveryIntervalMs ?? DEFAULT_RECOVERY_INTERVAL_MS;
    const gaps = model.tracking?.observation?.gaps ?? [];
    const { changes, tracking, databases, replica } = model;
    const { selectedDatabaseId, filter, figuresInView } = view;
    const whole = isWhole(window, bounds);
    const span = `${formatUtcOffset(utcOffsetMinutes)} · ${formatDuration(spanOf(window))}${whole ? '' : ` of ${formatDuration(spanOf(bounds))}`}`;
    this.toolbar.update({ window: formatWindow(window, utcOffsetMinutes), span, whole, filter, figuresInView });
    this.timeline.update({ ...replica, lanes, window, bounds, gaps, changes, utcOffsetMinutes, recoveryIntervalMs, selectedDatabaseId });
    this.legend.update({ recoveryIntervalMs, hasGaps: gaps.length > 0, hasChanges: changes.length > 0 });
    const figures =
      figuresInView && !whole ? this.figures.inView(replica.columns, databases.length, window, tracking?.observation ?? null) : all;
    const position = databases.findIndex((database) => database.databaseId === selectedDatabaseId);
    this.detail.update({ database: databases[position] ?? null, figures: figures[position] ?? null, tracking, changes, utcOffsetMinutes });
    const offenders = this.figures.rowsInView(figures, databases, filter, view.sort);
    const scope =
      figures === all
        ? `of all that was observed: ${formatWindow(bounds, utcOffsetMinutes)}`
        : `in view: ${formatWindow(window, utcOffsetMinutes)}`;
    this.table.update({ offenders, sort: view.sort, selectedDatabaseId, scope, filtered: filter !== '' });
    setText(this.summary, this.writeSummary(lanes.length, window, utcOffsetMinutes));
  }

  private writeSummary(lanes: number, window: TimeWindow, offset: number): string {
    const rows = this.model.replica.columns.rows;
    return (
      `${formatCount(rows)} checkpoints in ${formatCount(lanes)} lanes, one lane for each database, in view ${formatWindow(window, offset)} ${formatUtcOffset(offset)}. ` +
      'Up and down select a lane, comma and full stop step through its checkpoints, left and right pan, plus and minus zoom, F shows all, Escape clears the selection. ' +
      'The table below says the same in figures.'
    );
  }
}
