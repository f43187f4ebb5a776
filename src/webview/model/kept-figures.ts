/**
 * Figures that are computed in slices and kept until the next ones are ready. Computing that has begun is finished even
 * if something else is asked for meanwhile; then the newest of that is next. So neither panning nor new checkpoints
 * wait for figures, and figures come while both go on.
 */
import type { Steps } from '../../core/steps';
import type { SlicedWork } from '../kit/sliced-work';

/** How figures follow from their scope. */
export interface FiguresRules<Scope, Figures> {
  compute(scope: Scope): Steps<Figures>;
  /** Whether both scopes have the same figures. */
  isSame(before: Scope, now: Scope): boolean;
  /** Whether figures of the one are not shown for the other, not even until those are ready. */
  isOther(before: Scope, now: Scope): boolean;
}

export interface Known<Scope, Figures> {
  readonly scope: Scope;
  readonly figures: Figures;
}

export class KeptFigures<Scope, Figures> {
  private known: Known<Scope, Figures> | null = null;
  private working: Scope | null = null;
  private next: Scope | null = null;

  /** @param onReady called when figures that were asked for earlier are ready */
  constructor(
    private readonly work: Pick<SlicedWork, 'start' | 'cancel'>,
    private readonly of: FiguresRules<Scope, Figures>,
    private readonly onReady: () => void,
  ) {}

  /** Figures of the scope, or older ones while these are computed; null: none yet. */
  read(scope: Scope): Known<Scope, Figures> | null {
    const before = this.working ?? this.known?.scope ?? scope;
    if (this.of.isOther(before, scope)) this.forget();
    if (this.working !== null) this.next = scope;
    else if (this.known === null || !this.of.isSame(this.known.scope, scope)) this.begin(scope);
    // The next scope is compared with this one: what both have is looked at once.
    else this.known = { ...this.known, scope };
    return this.known;
  }

  forget(): void {
    this.work.cancel();
    this.known = this.working = this.next = null;
  }

  private begin(scope: Scope): void {
    this.working = scope;
    this.next = null;
    let isAsked = true;
    this.work.start(this.of.compute(scope), (figures) => {
      this.working = null;
      this.known = { scope, figures };
      if (isAsked) return;
      if (this.next !== null) this.read(this.next);
      this.onReady();
    });
    isAsked = false;
  }
}
