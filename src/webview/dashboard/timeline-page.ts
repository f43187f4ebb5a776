/**
 * The first page: lanes of checkpoints, legend, the selected database, and the databases below; a notice if there is
 * nothing to draw.
 */
import { remember } from '../kit/frame';
import { listGaps } from '../../core/statistics/coverage';
import { countOf, formatCount, countCheckpoints, countGaps } from '../../core/format';
import type { RunningSet } from '../../core/statistics/running-statistics';
import type { TimeWindow } from '../../core/statistics/statistics';
import { describeGapKind } from '../../core/pages/coverage-text';
import type { Gap, ServerView } from '../../protocol';
import { CheckpointList } from './checkpoint-list';
import { describeArrival, ProgressLine } from './progress-line';
import { DetailPanel } from './detail-panel';
import { WindowTeller } from './tellers';
import { createElement, setText, wrap } from '../kit/elements';
import {
  NOT_OBSERVED,
  type WindowFigures,
  selectDatabaseFigures,
  DEFAULT_RECOVERY_INTERVAL_MS,
} from './figures';
import type { Gesture } from '../kit/gesture';
import { foldStrips } from '../timeline/strips/strip-layout';
import { keepInside } from '../model/time-window';
import { Legend } from '../timeline/legend';
import { describeStrips, summarizeStrips } from '../timeline/strips/strip-text';
import { NoticePanel } from './notice-panel';
import { DatabasesTable } from '../tables/databases-table';
import { describeClock, formatSpan, formatWindow, type Clock } from '../model/clock';
import type { NoticeAction } from './state-notice';
import type { Theme } from '../kit/theme';
import { drawPng, drawSvgPicture } from '../timeline/timeline-picture';
import { Timeline, type TimelineEvents } from '../timeline/timeline';
import type { LaneView, TimelineInput } from '../timeline/lanes/timeline-scene';
import type { StripId } from '../../core/timeline/strips';
import type { ViewState } from '../model/view-state';
import type { DatabasesPageInput } from './databases-page';
import { joinSentences, t } from '../../core/language';
import { GAP_NAMES } from '../../core/session/gap';

export interface TimelinePageInput extends DatabasesPageInput {
  readonly all: RunningSet;
  readonly lanes: readonly LaneView[];
}

export interface TimelinePageEvents extends Omit<TimelineEvents, 'onOpen' | 'onList' | 'measureRoom'> {
  onView(part: Partial<ViewState>): void;
  onAct(does: NoticeAction): void;
  onReview(databaseId: number): void;
}

const SUMMARY_ID = 'timeline-summary';
/** Below the timeline there is always room for that many rows. */
const LEAST_ROWS = 5;
/**
 * What the timeline takes of a page if the rows leave it: thirteen lanes with what belongs to them, in CSS pixels, and
 * more on a high page.
 */
const WANTED_PX = 356;
const WANTED_SHARE = 0.62;

export class TimelinePage {
  readonly element: HTMLElement;
  private readonly timeline: Timeline;
  private readonly legend: Legend;
  private readonly detail: DetailPanel;
  private readonly table: DatabasesTable;
  private readonly notice: NoticePanel;
  private readonly picture: HTMLElement;
  private readonly summary: HTMLElement;
  private readonly timelinePart: HTMLElement;
  private readonly summarizeStrips = remember(summarizeStrips);
  private readonly list: CheckpointList;
  private readonly teller: WindowTeller;
  private readonly arrival: ProgressLine;
  private timelineInput: TimelineInput | null = null;

  constructor(
    window: Window,
    theme: Theme,
    private readonly figures: WindowFigures,
    events: TimelinePageEvents,
  ) {
    const own = {
      onOpen: () => this.detail.focus(),
      onList: () => this.openList(),
      measureRoom: () => this.measureRoom(),
    };
    this.timeline = new Timeline(window, theme, { ...events, ...own }, SUMMARY_ID);
    this.legend = new Legend();
    this.legend.setTheme(theme);
    this.detail = new DetailPanel({
      onReview: (databaseId) => events.onReview(databaseId),
      onList: () => this.openList(),
      onLeave: () => this.timeline.focus(),
      onClose: () => events.onSelect(null),
    });
    this.teller = new WindowTeller(window, (text) => events.announce(text));
    this.arrival = new ProgressLine('div.arrival', 'quiet');
    this.list = new CheckpointList((row) => this.timeline.goTo(row));
    this.table = new DatabasesTable({
      onSort: (sort) => events.onView({ sort }),
      onSelect: (id) => events.onSelect(id),
    });
    this.summary = createElement('p.visually-hidden', { id: SUMMARY_ID });
    this.notice = new NoticePanel((does) => events.onAct(does));
    this.timelinePart = wrap('div.timeline-part', [this.timeline.element, this.legend.element]);
    const parts = [this.summary, this.timelinePart, this.table.element, this.detail.element];
    this.picture = wrap('div.picture', parts);
    this.element = wrap('div.timeline-page', [
      this.arrival.element,
      this.notice.element,
      this.picture,
      this.list.element,
      this.legend.sheet.element,
    ]);
  }

  /** @returns whether the control with the focus went away */
  update(input: TimelinePageInput): boolean {
    const lostFocus = this.notice.update(input.notice);
    const isHidden = input.notice !== null;
    const hidesFocus = isHidden && this.picture.contains(document.activeElement);
    this.picture.hidden = isHidden;
    if (input.bounds) this.updatePicture(input, input.bounds);
    return lostFocus || hidesFocus;
  }

  /** Scrolls a database's lane and row into view. @returns false if it has none yet */
  reveal(databaseId: number, lanes: readonly LaneView[]): boolean {
    if (this.picture.hidden || !lanes.some((lane) => lane.databaseId === databaseId)) return false;
    this.timeline.revealLane(databaseId);
    this.table.revealRow(databaseId);
    return true;
  }

  apply(gesture: Gesture): void {
    this.timeline.apply(gesture, 0.5);
  }

  /** The timeline on screen as a file; null if there is none. */
  async drawPicture(
    format: 'png' | 'svg',
    { name, instance }: Pick<ServerView, 'name' | 'instance'>,
  ): Promise<ArrayBuffer | null> {
    const { timelineInput: input } = this;
    const painted = this.timeline.painted;
    if (!input || !painted || this.picture.hidden) return null;
    const title = `${name} · ${formatWindow(input.window, input.clock)} · ${describeClock(input.clock, input.window)}`;
    const picture = { ...painted, root: this.timelinePart, title, verdict: instance?.words.title ?? '' };
    return format === 'png' ? drawPng(picture) : new TextEncoder().encode(drawSvgPicture(picture)).buffer;
  }

  /** The chosen strips for which there is no room now. */
  listFolded(strips: readonly StripId[]): readonly StripId[] {
    const { clientWidth, clientHeight } = this.timeline.element;
    return strips.slice(foldStrips(strips, clientWidth, clientHeight).length);
  }

  focusTimeline(): void {
    this.timeline.focus();
  }

  setTheme(theme: Theme): void {
    this.timeline.setTheme(theme);
    this.legend.setTheme(theme);
  }

  /** Something was said: the teller must not speak over it. */
  holdTongue(): void {
    this.teller.hold();
  }

  /** A narrow page scrolls as a whole (narrow.css). */
  private measureRoom(): number {
    const { clientHeight } = this.picture;
    if (getComputedStyle(this.picture).display === 'block')
      return Math.max(260, 0.56 * document.documentElement.clientHeight);
    const roomPx = clientHeight - this.legend.element.offsetHeight;
    return Math.min(roomPx - this.table.measureHead(LEAST_ROWS), Math.max(WANTED_PX, WANTED_SHARE * roomPx));
  }

  private openList(): void {
    if (this.timelineInput) this.list.open(this.timelineInput);
  }

  private updatePicture({ model, view, clock, all, lanes }: TimelinePageInput, bounds: TimeWindow): void {
    const window = view.window ? keepInside(view.window, bounds) : bounds;
    const recoveryIntervalMs = model.server?.recoveryIntervalMs ?? DEFAULT_RECOVERY_INTERVAL_MS;
    const { changes, tracking, databases, replica } = model;
    const { selectedDatabaseId, laneHeight, strips, measured } = view;
    const observation = tracking?.observation ?? NOT_OBSERVED;
    const input: TimelineInput = {
      ...replica,
      lanes,
      window,
      bounds,
      gaps: observation.gaps,
      changes,
      marks: model.marks,
      samples: model.samples,
      databases,
      clock,
      recoveryIntervalMs,
      goal: model.server?.instance?.forecast?.bound ?? null,
      selectedDatabaseId,
      laneHeight,
      strips,
      measured,
      observation,
    };
    this.timelineInput = input;
    this.timeline.update(input);
    this.list.update(input);
    this.teller.update(input, view.follows);
    this.arrival.update(describeArrival(replica.columns.rows, tracking?.checkpoints ?? 0));
    this.legend.update(input, model.leftOutMarks);
    const { figures, before, table } = selectDatabaseFigures(this.figures, {
      model,
      view,
      clock,
      bounds,
      all,
    });
    const position = databases.findIndex((database) => database.databaseId === selectedDatabaseId);
    this.detail.update({
      database: databases[position] ?? null,
      figures: figures.databases[position] ?? null,
      before: before?.databases[position] ?? null,
      changes,
      clock,
      scope: table.scope,
    });
    this.table.update(table);
    const inWords = describePicture(replica.columns.rows, lanes.length, listGaps(observation), window, clock);
    setText(
      this.summary,
      joinSentences(inWords, describeStrips(strips, this.summarizeStrips(model.samples), all.busyShare)),
    );
  }
}

function describePicture(
  rows: number,
  lanes: number,
  gaps: readonly Gap[],
  window: TimeWindow,
  clock: Clock,
): string {
  const checkpoints = countCheckpoints(rows);
  const inLanes = countOf(lanes, t('{0} lane'), t('{0} lanes'));
  return joinSentences(
    t('{0} in {1}, one lane for each database.', checkpoints, inLanes),
    t('In view: {0}, {1}.', formatWindow(window, clock), describeClock(clock, window)),
    tellGaps(gaps, clock),
    t(
      'Up and down select a lane, comma and full stop step through its checkpoints, L lists them, left and right pan, plus and minus zoom, F shows all, Escape clears the selection, the question mark shows all keys.',
    ),
    t('The table below gives the same in numbers.'),
  );
}

/** More are too many to listen to; the ledger beside the timeline sums up all gaps. */
const MOST_GAPS_TOLD = 12;

function tellGaps(gaps: readonly Gap[], clock: Clock): string {
  if (gaps.length === 0) return '';
  const told = gaps
    .slice(0, MOST_GAPS_TOLD)
    .map((gap) => `${formatSpan(gap, clock)} ${describeGapKind(gap)}, ${GAP_NAMES[gap.kind]}`);
  const rest = gaps.length - told.length;
  const all = rest > 0 ? [...told, t('{0} more', formatCount(rest))] : told;
  return `${countGaps(gaps.length)}: ${all.join('; ')}.`;
}
