/** Figures of every database in the time in view, or in any other time. */
import type { CountedWindow, StatisticsSet } from '../../core/statistics/statistics';
import { measureWindow } from '../../core/timeline/measured-part';
import type { Observation } from '../../protocol';
import type { FiguresRules } from './kept-figures';
import type { Replica } from './replica';

export interface WindowScope extends Pick<Replica, 'columns' | 'index'> {
  readonly databases: number;
  readonly window: CountedWindow;
  readonly observation: Observation;
}

export const WINDOW_FIGURES: FiguresRules<WindowScope, StatisticsSet> = {
  compute: ({ columns, index, window, databases, observation }) =>
    measureWindow(columns, index, window, databases, observation),
  isSame: (a, b) =>
    a.columns === b.columns &&
    a.databases === b.databases &&
    a.observation === b.observation &&
    a.window.beginUtcMs === b.window.beginUtcMs &&
    a.window.endUtcMs === b.window.endUtcMs,
  isOther: (a, b) => a.index !== b.index,
};
