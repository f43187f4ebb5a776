/** The dashboard: takes messages and the reader's actions, keeps model and view, and repaints once a frame. */
import type { TimeWindow } from '../../core/statistics/statistics';
import type { DashboardCommand, ToExtension, ToWebview } from '../../protocol';
import { findLastStretch } from '../../core/statistics/observed-time';
import { createModel, findBounds, receiveMessage, type DashboardModel } from '../model/dashboard-model';
import { CLOCK_NAMES, createClock, type Clock, type ServerOffsets } from '../model/clock';
import type { Dialog } from '../kit/dialog';
import { setText, createLiveRegion, wrap } from '../kit/elements';
import { writeExportMessage, writeMeasuredMessage, type ExportChoice } from './toolbar-menus';
import { createFigures, type WindowFigures } from './figures';
import { createFrame, type Frame, remember } from '../kit/frame';
import { describeAttention, describeTrackingState, findKnownTracking, Header } from './header';
import { createKeySheet, listenToPageKeys } from './page-keys';
import type { Gesture } from '../kit/gesture';
import { findLargestWave, followEnd, isAtEnd, showsAll, keepInside } from '../model/time-window';
import type { WebviewHost } from '../kit/page-host';
import { FigurePages, type FigurePagesEvents } from './figure-pages';
import { findEvidenceNotice, findNotice, findReadingNotice, type NoticeAction } from './state-notice';
import { StoredReadingTeller } from './tellers';
import { describeTime, describeWave, Toolbar, type ToolbarEvents } from './toolbar';
import { SlicedWork } from '../kit/sliced-work';
import { TabList } from '../kit/tab-list';
import { readTheme, watchTheme } from '../kit/theme';
import { TimelinePage, type TimelinePageInput, type TimelinePageEvents } from './timeline-page';
import type { LaneView } from '../timeline/lanes/timeline-scene';
import { CLOCK_IDS, parseViewState, type PageId, type ViewState } from '../model/view-state';
import { hasText } from '../../core/visible';
import { t } from '../../core/language';

/** More pinned lanes would be tedious to unpin. */
const MOST_PINNED = 5;
/** Until the server is known. */
const NO_OFFSETS: ServerOffsets = { utcOffsetMinutes: 0, offsets: [] };

export class Dashboard {
  private model: DashboardModel = createModel();
  private view: ViewState;
  private bounds: TimeWindow | null = null;
  /** Whether the first rows of a file were shown. */
  private isOpened = false;
  private lanes: readonly LaneView[] = [];
  /** The selected database, still to be scrolled into view: it may be selected before its lane and row arrive. */
  private toReveal: number | null;
  private readonly createClock = remember(createClock);
  private readonly figures: WindowFigures;
  private readonly frame: Frame;
  private readonly header: Header;
  private readonly readingTeller: StoredReadingTeller;
  private readonly tabs: TabList<PageId>;
  private readonly timelinePage: TimelinePage;
  private readonly figurePages: FigurePages;
  private readonly toolbar: Toolbar;
  private readonly keySheet: Dialog;
  private readonly live: HTMLElement;
  /** A window too low for the verdict in full, as it does not scroll as a whole. */
  private readonly low: MediaQueryList;

  constructor(
    root: HTMLElement,
    window: Window,
    private readonly host: WebviewHost<ToExtension>,
  ) {
    this.view = parseViewState(host.getState());
    this.toReveal = this.view.selectedDatabaseId;
    this.frame = createFrame(window, () => this.render());
    this.low = window.matchMedia('(max-height: 779px) and (min-width: 861px)');
    this.low.addEventListener('change', () => this.frame.request());
    this.figures = createFigures(
      () => new SlicedWork(window),
      () => this.frame.request(),
    );
    this.header = new Header(
      (command, databaseIds = []) => this.invoke(command, databaseIds),
      () => this.show({ page: 'beforeAfter' }),
      (does) => this.act(does),
    );
    this.readingTeller = new StoredReadingTeller(window, (text) => this.announce(text));
    this.timelinePage = new TimelinePage(
      window,
      readTheme(document.body),
      this.figures,
      this.timelineEvents(),
    );
    this.figurePages = new FigurePages(this.figures, this.figureEvents());
    const tabs = [
      { id: 'timeline' as const, name: t('Timeline'), panel: this.timelinePage.element },
      ...this.figurePages.tabs,
    ];
    this.tabs = new TabList<PageId>(t('Pages'), tabs, (page) => this.show({ page }));
    this.live = createLiveRegion();
    this.toolbar = new Toolbar(this.toolbarEvents());
    this.keySheet = createKeySheet();
    const bar = wrap('div.page-bar', [this.tabs.element, this.toolbar.element]);
    const panels = tabs.map(({ panel }) => panel);
    root.replaceChildren(
      this.header.element,
      wrap('main', [bar, ...panels]),
      this.live,
      this.keySheet.element,
      ...this.header.dialogs,
    );
    this.letReaderLeave(root);
    listenToPageKeys({
      onGesture: (gesture) => this.applyToPage(gesture),
      onOpen: () => this.openTimeline(),
    });
    watchTheme(() => this.timelinePage.setTheme(readTheme(document.body)));
    this.frame.request();
  }

  /** Tells the extension that nothing is held yet, so that it sends everything. */
  start(): void {
    this.host.setState(this.view);
    this.askForMissing();
  }

  receive(message: ToWebview): void {
    const before = this.model;
    const { model, answer } = receiveMessage(this.model, message);
    this.model = model;
    const { captureId } = before.replica;
    const isOtherCapture = captureId !== null && captureId !== model.replica.captureId;
    if (isOtherCapture || message.type === 'tracking' || message.type === 'columns')
      this.moveBounds(isOtherCapture);
    if (message.type === 'columns') this.openFile(model);
    const known = findKnownTracking(model);
    const knew = findKnownTracking(before);
    const isOtherState =
      knew?.state !== known?.state || (knew?.unverified === null) !== (known?.unverified === null);
    if (known && isOtherState) this.announce(describeTrackingState(known, this.clock));
    const [was, is] = [before, model].map(({ server }) => server?.instance?.words.title);
    if (was !== undefined && is !== undefined && is !== was) this.announce(is);
    this.readingTeller.update(findReadingNotice(model.tracking));
    if (message.type === 'reveal') this.reveal(message.databaseId);
    if (message.type === 'errorLogTaken') this.figurePages.receiveLogTaken(message.bytes);
    if (answer === 'received') this.host.postMessage({ type: 'received', ...this.held() });
    if (answer === 'missing') this.askForMissing();
    this.frame.request();
  }

  private held(): { readonly captureId: string; readonly generation: number; readonly rows: number } {
    const { captureId, generation, columns } = this.model.replica;
    return { captureId: captureId ?? '', generation, rows: columns.rows };
  }

  private askForMissing(): void {
    this.host.postMessage({ type: 'ready', ...this.held(), captureId: this.model.replica.captureId });
  }

  private pageEvents(): Pick<TimelinePageEvents, 'onView' | 'onSelect' | 'onAct' | 'announce'> {
    return {
      onView: (part) => this.change(part),
      onSelect: (databaseId) => this.select(databaseId),
      onAct: (does) => this.act(does),
      announce: (text) => this.announce(text),
    };
  }

  private timelineEvents(): TimelinePageEvents {
    return {
      ...this.pageEvents(),
      onWindow: (window) => this.showWindow(window),
      onFit: () => this.change({ window: null, follows: true }),
      onMeasure: (measured) => this.change({ measured }),
      onExportMeasured: (part) => this.host.postMessage(writeMeasuredMessage(part)),
      onPin: (databaseId) => this.pin(databaseId),
      onNextClock: () => this.showNextClock(),
      onReview: (databaseId) => this.invoke('reviewScript', [databaseId]),
    };
  }

  private figureEvents(): FigurePagesEvents {
    return {
      ...this.pageEvents(),
      onSave: (name, svg) =>
        this.host.postMessage({
          type: 'save',
          format: 'svg',
          name,
          bytes: new TextEncoder().encode(svg).buffer,
        }),
      onLink: ({ does, databaseIds }) => this.invoke(does, databaseIds),
      onLogPiece: (piece) => this.host.postMessage(piece),
      onOpenLog: () => this.invoke('readErrorLog', []),
      onCancelReading: () => this.host.postMessage({ type: 'cancelReading' }),
      onReadAgain: () => this.invoke('refresh', []),
    };
  }

  private toolbarEvents(): ToolbarEvents {
    return {
      onGesture: (gesture) => this.timelinePage.apply(gesture),
      onView: (part) => this.change(part),
      onExport: (choice) => this.export(choice),
      onHelp: () => this.openHelp(),
      listFolded: () => this.timelinePage.listFolded(this.view.strips),
    };
  }

  private act(does: NoticeAction): void {
    if (does === 'clearFilter') this.change({ filter: '' });
    else if (does === 'pauseReading' || does === 'readOn') this.host.postMessage({ type: does });
    else this.invoke(does, []);
  }

  private showWindow(window: TimeWindow): void {
    if (!this.bounds) return;
    const kept = keepInside(window, this.bounds);
    this.change(
      showsAll(kept, this.bounds)
        ? { window: null, follows: true }
        : { window: kept, follows: isAtEnd(kept, this.bounds) },
    );
  }

  /**
   * The bounds have moved. A window that does not follow stays: its data may still be on its way. What is measured
   * belongs to one capture.
   */
  private moveBounds(isOtherCapture: boolean): void {
    this.bounds = findBounds(this.model);
    const { window, follows } = this.view;
    if (isOtherCapture) this.change({ window: null, follows: true, measured: null });
    else if (this.bounds && window && follows) this.change({ window: followEnd(window, this.bounds) });
  }

  /**
   * A file opens at the largest change in it, once it is known, with the first lanes of those databases pinned; else at
   * its last stretch.
   */
  private openFile({ changes, tracking }: DashboardModel): void {
    if (!tracking?.record || !tracking.observation || !this.bounds || this.isOpened) return;
    this.isOpened = true;
    if (this.view.window !== null) return;
    const wave = findLargestWave(changes, this.bounds);
    const { pinned } = this.view;
    this.change({
      window: wave?.window ?? findLastStretch(tracking.observation),
      pinned: pinned.length > 0 || wave === null ? pinned : wave.databaseIds.slice(0, MOST_PINNED),
      follows: false,
    });
  }

  private change(part: Partial<ViewState>): void {
    this.view = { ...this.view, ...part };
    this.host.setState(this.view);
    this.frame.request();
  }

  /** Changes the view and draws it at once, for callers that need it on the page, such as to set the focus. */
  private show(part: Partial<ViewState>): void {
    this.change(part);
    this.render();
  }

  private reveal(databaseId: number): void {
    const isHidden = !hasText(this.nameOf(databaseId), this.view.filter.toLowerCase());
    this.change({ page: 'timeline', ...(isHidden && { filter: '' }) });
    this.select(databaseId);
  }

  private select(databaseId: number | null): void {
    this.toReveal = databaseId;
    this.show({ selectedDatabaseId: databaseId });
    this.announce(
      databaseId === null ? t('Selection cleared.') : t('{0} selected.', this.nameOf(databaseId)),
    );
  }

  private pin(databaseId: number): void {
    const { pinned } = this.view;
    const isPinned = pinned.includes(databaseId);
    this.toReveal = databaseId;
    this.change({ pinned: isPinned ? pinned.filter((id) => id !== databaseId) : [...pinned, databaseId] });
    const name = this.nameOf(databaseId);
    this.announce(isPinned ? t('{0} is no longer pinned.', name) : t('{0} is pinned to the top.', name));
  }

  private showNextClock(): void {
    const clock = CLOCK_IDS[(CLOCK_IDS.indexOf(this.view.clock) + 1) % CLOCK_IDS.length]!;
    this.change({ clock });
    this.announce(`${CLOCK_NAMES[clock]}.`);
  }

  /** Rows that still come move what is selected, but a reader who looks elsewhere meanwhile is not pulled back. */
  private letReaderLeave(root: HTMLElement): void {
    for (const touch of ['wheel', 'pointerdown', 'keydown'] as const)
      root.addEventListener(touch, () => (this.toReveal = null), { capture: true, passive: true });
  }

  private openTimeline(): void {
    this.toReveal = this.view.selectedDatabaseId;
    this.show({ page: 'timeline' });
    this.timelinePage.focusTimeline();
  }

  private applyToPage(gesture: Gesture): void {
    if (gesture.type === 'help') this.openHelp();
    if (gesture.type === 'filter') this.toolbar.focusFilter();
  }

  private openHelp(): void {
    this.keySheet.open(t('Keys and pointer'));
  }

  private export(choice: ExportChoice): void {
    if ('picture' in choice) void this.savePicture(choice.picture);
    else this.host.postMessage(writeExportMessage(choice, this.view, this.lanes));
  }

  private async savePicture(format: 'png' | 'svg'): Promise<void> {
    const server = this.model.server ?? { name: t('Checkpoint Health'), instance: null };
    const bytes = await this.timelinePage.drawPicture(format, server);
    if (bytes) this.host.postMessage({ type: 'save', format, name: 'timeline', bytes });
    else this.announce(t('There is no timeline to save.'));
  }

  private nameOf(databaseId: number | null): string {
    return this.model.databases.find((database) => database.databaseId === databaseId)?.name ?? t('Database');
  }

  private invoke(command: DashboardCommand, databaseIds: readonly number[]): void {
    this.host.postMessage({ type: 'invoke', command, databaseIds });
  }

  private announce(text: string): void {
    setText(this.live, text);
    this.timelinePage.holdTongue();
  }

  private get clock(): Clock {
    return this.createClock(this.view.clock, this.model.server ?? NO_OFFSETS);
  }

  private render(): void {
    const { model, view, figures } = this;
    const { columns, index } = model.replica;
    const observation = model.tracking?.observation ?? null;
    const { clock } = this;
    const all = figures.ofAll(model.replica, model.databases.length, observation);
    const rows = figures.rowsOfAll(all.databases, model.databases, view.filter, view.sort);
    const lanes = figures.lanes(
      rows,
      all.databases,
      model.databases,
      view.filter,
      view.pinned,
      columns,
      index,
    );
    this.lanes = lanes;
    const isOfCheckpoints = view.page === 'timeline' || view.page === 'databases';
    const notice = isOfCheckpoints ? findNotice(model, view.filter, lanes.length) : findEvidenceNotice(model);
    const hasPicture = notice === null || notice.kind === 'filtered';
    const isSaid = notice?.kind === 'failed' || notice?.kind === 'not permitted';
    const message = isSaid ? null : describeAttention(model.tracking);
    this.header.update({
      server: model.server,
      tracking: model.tracking,
      clock,
      isWhole: view.page === 'timeline' && !this.low.matches,
      hasPicture: hasPicture && view.page === 'timeline',
      message,
      reading: notice?.kind === 'reading' ? null : findReadingNotice(model.tracking),
      offered: notice?.action?.does ?? null,
    });
    this.tabs.show(view.page);
    const wave = view.window && findLargestWave(model.changes, view.window);
    this.toolbar.update({
      view,
      page: view.page,
      time: hasPicture && this.bounds ? describeTime(view.window, this.bounds, clock) : null,
      changed: wave && describeWave(wave, clock),
    });
    if (this.renderPage({ model, view, clock, bounds: this.bounds, all, lanes, notice }))
      this.header.takeFocus();
  }

  /** Draws only the page that is shown. @returns whether the control with the focus went away */
  private renderPage(input: TimelinePageInput): boolean {
    const { page } = this.view;
    if (page !== 'timeline') return this.figurePages.update(page, input);
    const lostFocus = this.timelinePage.update(input);
    const isWhole = input.model.replica.columns.rows >= (input.model.tracking?.checkpoints ?? 0);
    if (this.toReveal !== null && this.timelinePage.reveal(this.toReveal, input.lanes) && isWhole)
      this.toReveal = null;
    return lostFocus;
  }
}
