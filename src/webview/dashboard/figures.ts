/** Everything computed from the model for the screen. Each part is computed again only if its input has changed. */
import { remember } from '../kit/frame';
import { RunningStatistics, type RunningSet } from '../../core/statistics/running-statistics';
import {
  type CheckpointStatistics,
  findHeavyDatabases,
  type StatisticsSet,
  type TimeWindow,
} from '../../core/statistics/statistics';
import { finishSteps } from '../../core/steps';
import type { CheckpointColumns } from '../../core/capture/checkpoint-columns';
import type { LaneIndex } from '../../core/timeline/lane-index';
import { selectDatabaseRows, type DatabaseRows } from '../../core/pages/database-rows';
import { formatDuration } from '../../core/format';
import { findBetween } from '../../core/statistics/observed-time';
import { hasText } from '../../core/visible';
import type { ChangeView, DatabaseView, Observation } from '../../protocol';
import type { Replica } from '../model/replica';
import type { SlicedWork } from '../kit/sliced-work';
import type { LaneView } from '../timeline/lanes/timeline-scene';
import { KeptFigures, type Known } from '../model/kept-figures';
import { WINDOW_FIGURES, type WindowScope } from '../model/window-figures';
import { describeCoverage } from '../../core/pages/coverage-text';
import { formatDay, formatMinute, formatWindow, type Clock } from '../model/clock';
import type { DashboardModel } from '../model/dashboard-model';
import { showsAll, keepInside } from '../model/time-window';
import type { DatabasesInput } from '../tables/databases-table';
import { sideOf, type ViewState } from '../model/view-state';
import { joinSentences, t } from '../../core/language';

/** Without observed time there are no shares and no rates; such figures are null. */
export const NOT_OBSERVED: Observation = { beginUtcMs: 0, endUtcMs: 0, gaps: [] };

/** Used if the server's own interval could not be read. */
export const DEFAULT_RECOVERY_INTERVAL_MS = 60_000;

type KnownFigures = Known<WindowScope, StatisticsSet>;

export type WindowFigures = ReturnType<typeof createFigures>;

/** Figures, each kept until its input changes. @param onReady called when figures asked for earlier are ready */
export function createFigures(createWork: () => Pick<SlicedWork, 'start' | 'cancel'>, onReady: () => void) {
  const create = () => new KeptFigures(createWork(), WINDOW_FIGURES, onReady);
  const inWindow = create();
  const sides = { since: createSide(create()), before: createSide(create()) };
  return {
    ofAll: remember(createRunning()),
    /** Of every database in the time in view, or in the time in view a moment ago while they are computed. */
    inView: (scope: WindowScope): KnownFigures | null => inWindow.read(scope),
    /** Of every database on one side of the changes. */
    ofSide: (side: keyof typeof sides, ...of: Parameters<typeof createSideScope>): KnownFigures | null =>
      sides[side](...of),
    rowsOfAll: remember(selectDatabaseRows),
    rowsInView: remember(selectDatabaseRows),
    lanes: remember(selectLanes),
    switched: remember(tellSwitched),
  };
}

function createSide(kept: KeptFigures<WindowScope, StatisticsSet>) {
  let scope: WindowScope | null = null;
  return (...of: Parameters<typeof createSideScope>): KnownFigures | null => {
    const [{ columns }, databases, , pieces] = of;
    const isKnown =
      scope?.columns === columns &&
      scope.databases === databases &&
      scope.window.pieces?.join() === pieces.join();
    scope = isKnown ? scope : createSideScope(...of);
    return scope && kept.read(scope);
  };
}

/** Only that time counts as observed. */
function createSideScope(
  replica: Replica,
  databases: number,
  observation: Observation,
  of: readonly number[],
): WindowScope {
  const pieces = Float64Array.from(of);
  const [beginUtcMs, endUtcMs] = [of[0] ?? 0, of[of.length - 1] ?? 0];
  const watched = { ...observation, beginUtcMs, endUtcMs, leftOut: findBetween(pieces) };
  return { ...replica, databases, window: { beginUtcMs, endUtcMs, pieces }, observation: watched };
}

/**
 * Figures of every database in all observed time, and busyShare: the share of the observed time in which a checkpoint
 * was running, 0 to 1; null if no time was observed. While a capture grows, only new rows cost time.
 */
function createRunning(): (
  replica: Replica,
  databases: number,
  observation: Observation | null,
) => RunningSet {
  let running = new RunningStatistics();
  let of: Replica | null = null;
  return (replica, known, observation) => {
    // Another capture, or one whose history was rewritten, has another index.
    if (of?.index !== replica.index) running = new RunningStatistics();
    of = replica;
    const { columns, generation, index } = replica;
    // Rows may come before the names of their databases. They are counted at once, and shown once the names are there.
    const databases = Math.max(known, index.lanes.length);
    return finishSteps(
      running.refresh({
        columns,
        generation,
        databases,
        observation: observation ?? NOT_OBSERVED,
      }),
    );
  };
}

/**
 * Since when databases have their target, as a text by their ids: the day, or the time where all were changed on one
 * day.
 */
function tellSwitched(changes: readonly ChangeView[], clock: Clock): ReadonlyMap<number, string> {
  const days = new Set(changes.map(({ atUtcMs }) => formatDay(atUtcMs, clock)));
  const tell = days.size > 1 ? formatDay : formatMinute;
  const inOrder = [...changes].sort((a, b) => a.atUtcMs - b.atUtcMs);
  return new Map(
    inOrder.map(({ databaseId, atUtcMs }) => [databaseId, t('since {0}', tell(atUtcMs, clock))]),
  );
}

/**
 * Lanes in the order of the table of all observed time, so that zooming never moves them. Databases whose checkpoints
 * all touch a gap are in no figure, but their lanes are shown, at the end.
 * @param _columns change when the index, which grows in place, has grown
 */
function selectLanes(
  { rows }: DatabaseRows,
  figures: readonly CheckpointStatistics[],
  databases: readonly DatabaseView[],
  filter: string,
  pinned: readonly number[],
  _columns: CheckpointColumns,
  index: LaneIndex,
): readonly LaneView[] {
  const heavy = new Set(findHeavyDatabases(figures));
  const wanted = filter.toLowerCase();
  const spoilt = databases.flatMap(({ databaseId, name }, database): LaneView[] => {
    const isSpoilt = figures[database]?.count === 0 && (index.lanes[database]?.count ?? 0) > 0;
    return isSpoilt && hasText(name, wanted)
      ? [{ databaseId, name, database, heavy: false, pinned: false }]
      : [];
  });
  const counted = rows.map(({ databaseId, name, statistics: { database } }) => ({
    databaseId,
    name,
    database,
    heavy: heavy.has(database),
    pinned: false,
  }));
  return pinFirst([...counted, ...spoilt], pinned);
}

/** Pinned lanes in the order in which they were pinned, then the others in their order. */
function pinFirst(lanes: readonly LaneView[], pinned: readonly number[]): readonly LaneView[] {
  if (pinned.length === 0) return lanes;
  const first = pinned
    .flatMap((id) => lanes.filter(({ databaseId }) => databaseId === id))
    .map((lane) => ({ ...lane, pinned: true }));
  return [...first, ...lanes.filter(({ databaseId }) => !pinned.includes(databaseId))];
}

export interface DatabaseScope {
  readonly model: DashboardModel;
  readonly view: ViewState;
  readonly clock: Clock;
  readonly bounds: TimeWindow;
  /** Figures of all observed time. */
  readonly all: StatisticsSet;
}

/**
 * The figures of the databases: of all observed time or of the time in view, as the reader chose, and which of these in
 * words.
 */
export function selectDatabaseFigures(
  computed: WindowFigures,
  { model, view, clock, bounds, all }: DatabaseScope,
): {
  readonly figures: StatisticsSet;
  readonly before: StatisticsSet | null;
  readonly table: DatabasesInput;
} {
  const { databases, replica, tracking } = model;
  const window = view.window ? keepInside(view.window, bounds) : bounds;
  const observation = tracking?.observation ?? NOT_OBSERVED;
  const isOfView = view.figuresOf === 'view' && !showsAll(window, bounds);
  const inView = isOfView
    ? computed.inView({ ...replica, databases: databases.length, window, observation })
    : null;
  const { sides = null } = model.server ?? {};
  const read = (side: 'since' | 'before'): KnownFigures | null =>
    sides === null || sides[side].length === 0
      ? null
      : computed.ofSide(side, replica, databases.length, observation, sides[side]);
  const side = sideOf(view.figuresOf);
  const onSide = side && read(side);
  const figures = (inView ?? onSide)?.figures ?? all;
  const shown = formatWindow((inView ?? onSide)?.scope.window ?? bounds, clock);
  const isBefore = onSide !== null && side === 'before';
  const ofSide = isBefore
    ? t('Observed before the first change: {0}', shown)
    : t('Observed since the last change: {0}', shown);
  const scope = inView ? t('In view: {0}', shown) : onSide ? ofSide : t('Whole capture: {0}', shown);
  const before = (side === 'since' && onSide && read('before')?.figures) || null;
  return {
    figures,
    before,
    table: {
      databases: computed.rowsInView(figures.databases, databases, view.filter, view.sort),
      sort: view.sort,
      selectedDatabaseId: view.selectedDatabaseId,
      before,
      isBoth: view.figuresOf === 'both',
      switched: computed.switched(model.changes, clock),
      scope,
      coverage: joinSentences(
        `${scope}.`,
        isBefore
          ? t('{0} observed, in the hours that are compared.', formatDuration(figures.coverage.observedMs))
          : describeCoverage(figures.coverage, figures.acrossGaps),
      ),
      leftOut: figures.acrossGaps,
      filtered: view.filter !== '',
    },
  };
}
