/**
 * Figures of every database in the time in view. Computing that has begun is finished even if the reader pans meanwhile; then the time in view at that
 * moment is next. So panning never waits for figures, and figures appear while the reader still pans.
 */
import type { CountedWindow, StatisticsSet } from '../../core/statistics/statistics';
import { measureWindow } from '../../core/timeline/measured-part';
import type { Observation } from '../../protocol';
import type { Replica } from './replica';
import type { SlicedWork } from '../kit/sliced-work';

export interface WindowScope extends Pick<Replica, 'columns' | 'index'> {
  readonly databases: number;
  readonly window: CountedWindow;
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

  /** @param onReady called when figures that were asked for earlier are ready */
  constructor(
    private readonly work: Pick<SlicedWork, 'start' | 'cancel'>,
    private readonly onReady: () => void,
  ) {}

  /** Figures of the scope, or older ones while these are computed; null: none of this capture yet. */
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
