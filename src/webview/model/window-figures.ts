/**
 * Figures of every database in the time in view. While the reader pans, those shown are of a moment ago: what is under way is brought to its end, then what
 * is in view by then is next, so that the hand never waits for figures and figures never wait for the hand to rest.
 */
import type { StatisticsSet, TimeWindow } from '../../core/statistics/statistics';
import { measureWindow } from '../../core/timeline/measured-part';
import type { Observation } from '../../protocol';
import type { Replica } from './replica';
import type { SlicedWork } from '../kit/sliced-work';

export interface WindowScope extends Pick<Replica, 'columns' | 'index'> {
  readonly databases: number;
  readonly window: TimeWindow;
  readonly observation: Observation;
}

export interface KnownFigures {
  readonly scope: WindowScope;
  readonly figures: StatisticsSet;
}

export class WindowFigures {
  private known: KnownFigures | null = null;
  private working: WindowScope | null = null;
  private next: WindowScope | null = null;

  /** @param onReady figures came that were asked for before */
  constructor(
    private readonly work: Pick<SlicedWork, 'start' | 'cancel'>,
    private readonly onReady: () => void,
  ) {}

  /** Those of the scope, or of what was asked for before while they are computed; null: none of this capture yet. */
  read(scope: WindowScope): KnownFigures | null {
    const { known, working } = this;
    if ((working ?? known?.scope ?? scope).index !== scope.index) this.forget();
    if (this.working !== null) this.next = scope;
    else if (this.known === null || !isSame(this.known.scope, scope)) this.begin(scope);
    return this.known;
  }

  private forget(): void {
    this.work.cancel();
    this.known = this.working = this.next = null;
  }

  private begin(scope: WindowScope): void {
    const { columns, index, window, databases, observation } = scope;
    this.working = scope;
    this.next = null;
    let isAsked = true;
    this.work.start(measureWindow(columns, index, window, databases, observation), (figures) => {
      this.working = null;
      this.known = { scope, figures };
      if (!isAsked) this.goOn();
    });
    isAsked = false;
  }

  private goOn(): void {
    if (this.next !== null && this.known !== null && !isSame(this.known.scope, this.next)) this.begin(this.next);
    this.onReady();
  }
}

const isSame = (a: WindowScope, b: WindowScope): boolean =>
  a.columns === b.columns &&
  a.databases === b.databases &&
  a.observation === b.observation &&
  a.window.beginUtcMs === b.window.beginUtcMs &&
  a.window.endUtcMs === b.window.endUtcMs;
