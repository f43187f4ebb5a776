/** The figures of the databases in the reader's scope: of all that was observed, or of the time in view; in words, which of them. */
import type { StatisticsSet, TimeWindow } from '../../core/statistics/statistics';
import { describeCoverage } from '../../core/pages/coverage-text';
import { formatWindow, type Clock } from '../model/clock';
import type { DashboardModel } from '../model/dashboard-model';
import { type Figures, NOT_OBSERVED } from './figures';
import { isWhole, keepInside } from '../model/time-window';
import type { DatabasesInput } from '../tables/databases-table';
import type { ViewState } from '../model/view-state';

export interface DatabaseScope {
  readonly model: DashboardModel;
  readonly view: ViewState;
  readonly clock: Clock;
  readonly bounds: TimeWindow;
  /** Of all that was observed. */
  readonly all: StatisticsSet;
}

interface DatabaseFigures {
  readonly figures: StatisticsSet;
  readonly table: DatabasesInput;
}

export function selectDatabaseFigures(computed: Figures, { model, view, clock, bounds, all }: DatabaseScope): DatabaseFigures {
  const { databases, replica, tracking } = model;
  const window = view.window ? keepInside(view.window, bounds) : bounds;
  const observation = tracking?.observation ?? NOT_OBSERVED;
  const isOfView = view.figuresInView && !isWhole(window, bounds);
  const inView = isOfView ? computed.inView({ ...replica, databases: databases.length, window, observation }) : null;
  const figures = inView?.figures ?? all;
  const scope = inView
    ? `in view: ${formatWindow(inView.scope.window, clock)}`
    : `of all that was observed: ${formatWindow(bounds, clock)}`;
  return {
    figures,
    table: {
      databases: computed.rowsInView(figures.databases, databases, view.filter, view.sort),
      sort: view.sort,
      selectedDatabaseId: view.selectedDatabaseId,
      scope,
      coverage: describeCoverage(figures.coverage, figures.acrossGaps),
      leftOut: figures.acrossGaps,
      filtered: view.filter !== '',
    },
  };
}
