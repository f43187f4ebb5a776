/** The first page: lanes of checkpoints, legend, the selected database, and the offenders below; a notice where there is nothing to draw. */
import { formatCount, formatDuration } from '../../core/format';
import type { StatisticsSet, TimeWindow } from '../../core/evidence/statistics';
import { describeCoverage, describeGapKind } from '../../core/picture/coverage-text';
import type { Gap } from '../../protocol';
import type { DashboardModel } from '../dashboard-model';
import { DetailPanel } from './detail-panel';
import { createElement, setText } from '../elements';
import type { Figures } from '../figures';
import type { Gesture } from '../layout/gesture';
import { isWhole, keepInside, spanOf } from '../layout/time-window';
import { Legend } from '../timeline/legend';
import { NoticePanel } from './notice-panel';
import { OffendersTable } from '../tables/offenders-table';
import { describeClock, formatSpan, formatWindow, type Clock } from '../clock';
import type { NoticeAction, StateNotice } from './state-notice';
import type { Theme } from '../theme';
import { Timeline, type TimelineEvents } from '../timeline/timeline';
import type { LaneView } from '../timeline/timeline-scene';
import { Toolbar } from './toolbar';
import type { ViewState } from '../view-state';

export interface TimelinePageInput {
  readonly model: DashboardModel;
  readonly view: ViewState;
  readonly clock: Clock;
  /** null: nothing was observed yet. */
  readonly bounds: TimeWindow | null;
  /** Of all that was observed. */
  readonly all: StatisticsSet;
  readonly lanes: readonly LaneView[];
  readonly notice: StateNotice | null;
}

export interface TimelinePageEvents extends TimelineEvents {
  onView(part: Partial<ViewState>): void;
  onAct(does: NoticeAction): void;
  onReview(databaseId: number): void;
}

const SUMMARY_ID = 'timeline-summary';
const DEFAULT_RECOVERY_INTERVAL_MS = 60_000;

export class TimelinePage {
  readonly element: HTMLElement;
  /** Stands beside the tabs. */
  readonly toolbar: Toolbar;
  private readonly timeline: Timeline;
  private readonly legend: Legend;
  private readonly detail: DetailPanel;
  private readonly table: OffendersTable;
  private readonly notice: NoticePanel;
  private readonly picture: HTMLElement;
  private readonly summary: HTMLElement;

  constructor(
    document: Document,
    window: Window,
    theme: Theme,
    private readonly figures: Figures,
    events: TimelinePageEvents,
  ) {
    this.timeline = new Timeline(document, window, theme, events, SUMMARY_ID);
    this.toolbar = new Toolbar(document, {
      onGesture: (gesture: Gesture) => this.timeline.apply(gesture, 0.5),
      onFilter: (filter) => events.onView({ filter }),
      onFiguresInView: (figuresInView) => events.onView({ figuresInView }),
    });
    this.legend = new Legend(document);
    this.legend.setTheme(theme);
    this.detail = new DetailPanel(document, (databaseId) => events.onReview(databaseId));
    this.table = new OffendersTable(document, { onSort: (sort) => events.onView({ sort }), onSelect: (id) => events.onSelect(id) });
    this.summary = createElement(document, 'p', { class: 'visually-hidden', attributes: { id: SUMMARY_ID } });
    this.notice = new NoticePanel(document, (does) => events.onAct(does));
    const timelinePart = createElement(document, 'div', { class: 'timeline-part', children: [this.timeline.element, this.legend.element] });
    const split = createElement(document, 'div', { class: 'split', children: [timelinePart, this.detail.element] });
    this.picture = createElement(document, 'div', { class: 'picture', children: [this.summary, split, this.table.element] });
    this.element = createElement(document, 'div', { class: 'timeline-page', children: [this.notice.element, this.picture] });
  }

  /** Tells whether the control that had the focus went away. */
  update(input: TimelinePageInput): boolean {
    const lostFocus = this.notice.update(input.notice);
    this.picture.hidden = input.notice !== null;
    if (input.bounds) this.updatePicture(input, input.bounds);
    return lostFocus;
  }

  /** Scrolls a database's lane and row into view. False where it has none to show yet. */
  reveal(databaseId: number, lanes: readonly LaneView[]): boolean {
    if (this.picture.hidden || !lanes.some((lane) => lane.databaseId === databaseId)) return false;
    this.timeline.revealLane(databaseId);
    this.table.revealRow(databaseId);
    return true;
  }

  setTheme(theme: Theme): void {
    this.timeline.setTheme(theme);
    this.legend.setTheme(theme);
  }

  dispose(): void {
    this.timeline.dispose();
  }

  private updatePicture({ model, view, clock, all, lanes }: TimelinePageInput, bounds: TimeWindow): void {
    const window = view.window ? keepInside(view.window, bounds) : bounds;
    const recoveryIntervalMs = model.server?.recoveryIntervalMs ?? DEFAULT_RECOVERY_INTERVAL_MS;
    const gaps = model.tracking?.observation?.gaps ?? [];
    const { changes, tracking, databases, replica } = model;
    const { selectedDatabaseId, filter, figuresInView, laneHeight, strips } = view;
    const whole = isWhole(window, bounds);
    const span = `${describeClock(clock, window.beginUtcMs)} · ${formatDuration(spanOf(window))}${whole ? '' : ` of ${formatDuration(spanOf(bounds))}`}`;
    this.toolbar.update({ window: formatWindow(window, clock), span, whole, filter, figuresInView });
    this.timeline.update({
      ...replica,
      lanes,
      window,
      bounds,
      gaps,
      changes,
      clock,
      recoveryIntervalMs,
      selectedDatabaseId,
      laneHeight,
      strips,
    });
    this.legend.update({ recoveryIntervalMs, gaps, hasChanges: changes.length > 0 });
    const figures =
      figuresInView && !whole ? this.figures.inView(replica.columns, databases.length, window, tracking?.observation ?? null) : all;
    const position = databases.findIndex((database) => database.databaseId === selectedDatabaseId);
    this.detail.update({
      database: databases[position] ?? null,
      figures: figures.databases[position] ?? null,
      tracking,
      changes,
      clock,
    });
    const offenders = this.figures.rowsInView(figures.databases, databases, filter, view.sort);
    const scope = figures === all ? `of all that was observed: ${formatWindow(bounds, clock)}` : `in view: ${formatWindow(window, clock)}`;
    const coverage = describeCoverage(figures.coverage, figures.acrossGaps);
    this.table.update({
      offenders,
      sort: view.sort,
      selectedDatabaseId,
      scope,
      coverage,
      leftOut: figures.acrossGaps,
      filtered: filter !== '',
    });
    setText(this.summary, describePicture(replica.columns.rows, lanes.length, gaps, window, clock));
  }
}

/** The picture in words, and what the keys do. */
function describePicture(rows: number, lanes: number, gaps: readonly Gap[], window: TimeWindow, clock: Clock): string {
  return (
    `${formatCount(rows)} checkpoints in ${formatCount(lanes)} lanes, one lane for each database, in view ${formatWindow(window, clock)} ${describeClock(clock, window.beginUtcMs)}. ` +
    listGaps(gaps, clock) +
    'Up and down select a lane, comma and full stop step through its checkpoints, left and right pan, plus and minus zoom, F shows all, Escape clears the selection. ' +
    'The table below says the same in figures.'
  );
}

/** More are too many to listen to; the account beside the timeline sums all of them up. */
const MOST_GAPS_TOLD = 12;

function listGaps(gaps: readonly Gap[], clock: Clock): string {
  if (gaps.length === 0) return '';
  const told = gaps.slice(0, MOST_GAPS_TOLD).map((gap) => `${formatSpan(gap, clock)} ${describeGapKind(gap)}, ${gap.kind}`);
  const rest = gaps.length - told.length;
  return `${formatCount(gaps.length)} ${gaps.length === 1 ? 'gap' : 'gaps'}: ${told.join('; ')}${rest > 0 ? `; and ${formatCount(rest)} more` : ''}. `;
}
