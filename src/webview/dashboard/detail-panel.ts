/** The panel beside the timeline for the selected database: its figures, its verdict and the reason. */
import { formatCount, formatDuration, formatObserved, formatPerHour, formatPercent } from '../../core/format';
import type { CheckpointStatistics } from '../../core/statistics/statistics';
import type { ChangeView, DatabaseView } from '../../protocol';
import { createButton, createElement, type Pair, createPairs, createClose, wrap } from '../kit/elements';
import { formatDay, formatMinute, type Clock } from '../model/clock';
import { listDurations } from '../timeline/measure/measure-card';
import { t } from '../../core/language';
import { VERDICT_NAMES } from '../../core/advice/verdict-names';

interface DetailInput {
  /** null: nothing is selected. */
  readonly database: DatabaseView | null;
  /** Figures of the selected database, in the window that figures are of. */
  readonly figures: CheckpointStatistics | null;
  /**
   * Its figures before the first change, where those others are of the time since the last one; null: they are of
   * another time.
   */
  readonly before: CheckpointStatistics | null;
  readonly changes: readonly ChangeView[];
  readonly clock: Clock;
  /** That window in words. */
  readonly scope: string;
}

function describeFigures(figures: CheckpointStatistics | null): readonly Pair[] {
  if (!figures || figures.count === 0) return [[t('Checkpoints'), t('none observed')]];
  return [
    [t('Checkpoints'), formatCount(figures.count)],
    [t('Checkpoints/h'), formatObserved(figures.perHour, formatPerHour)],
    ...listDurations(figures),
    [t('Total'), formatDuration(figures.totalMs)],
    [t('Share of time'), formatObserved(figures.share, formatPercent)],
  ];
}

/** Target recovery time in words. */
export function describeTargetTime(targetSeconds: number | null): string {
  if (targetSeconds === null) return t('could not be read');
  return targetSeconds === 0 ? t('0 s, automatic') : t('{0} s, indirect', formatCount(targetSeconds));
}

interface DetailEvents {
  onReview(databaseId: number): void;
  onList(): void;
  onLeave(): void;
  onClose(): void;
}

export class DetailPanel {
  readonly element: HTMLElement;
  private shown = '';
  private shownId: number | null = null;

  constructor(private readonly events: DetailEvents) {
    this.element = createElement('aside', {
      'aria-label': t('Details'),
      tabindex: '-1',
      hidden: '',
    });
    this.element.addEventListener('keydown', ({ key }) => key === 'Escape' && events.onLeave());
  }

  /** Takes the focus, so that a screen reader reads it. */
  focus(): void {
    this.element.focus();
  }

  update(input: DetailInput): void {
    const { database, figures, before, changes, clock, scope } = input;
    const key = database ? JSON.stringify([database, figures, before, changes, clock.key, scope]) : '';
    if (key === this.shown || (database?.databaseId === this.shownId && this.isBeingCopied())) return;
    this.shown = key;
    this.shownId = database?.databaseId ?? null;
    const focused = document.activeElement;
    const hadFocus = this.element.contains(focused);
    this.element.hidden = database === null;
    this.element.replaceChildren(...(database ? this.createDatabase(database, input) : []));
    if (!hadFocus) return;
    if (database === null) return this.events.onLeave();
    const does = focused instanceof HTMLElement ? focused.dataset['does'] : undefined;
    const again = [...this.element.querySelectorAll('button')].find(
      (button) => button.dataset['does'] === does,
    );
    (again ?? this.element).focus();
  }

  /** Text in it is selected: new figures wait, or the selection would be lost with each arrival. */
  private isBeingCopied(): boolean {
    const selection = document.getSelection();
    return selection !== null && !selection.isCollapsed && this.element.contains(selection.anchorNode);
  }

  private createDatabase(database: DatabaseView, input: DetailInput): readonly HTMLElement[] {
    const tag = createElement('span.tag', {
      text: VERDICT_NAMES[database.verdict],
      'data-verdict': database.verdict,
    });
    const close = createClose(t('Clear the selection'), t('Clear the selection (Esc)'), () =>
      this.events.onClose(),
    );
    close.dataset['does'] = 'close';
    const target = createElement('span.dim', {
      text: describeTargetTime(database.targetSeconds),
    });
    const mine = input.changes.filter((change) => change.databaseId === database.databaseId);
    return [
      wrap('div.detail-head', [createElement('h2', { text: database.name }), close]),
      wrap('div.verdict', [tag, target]),
      createElement('p', { text: database.reason }),
      ...(mine.length === 0 && input.before !== null
        ? [t('No change of its target is known. Before and since are of the changes elsewhere.')]
        : mine.map((change) => describeChange(change, input.clock))
      ).map((text) => createElement('p.note', { text })),
      // If the database is gone, it has no setting to change.
      wrap('div.actions', [
        ...(database.databaseId < 0 ? [] : [this.createReview(database)]),
        this.createListing(),
      ]),
      this.createFigures(input),
      createElement('p.dim', { text: input.scope }),
    ];
  }

  private createFigures({ figures, before }: DetailInput): HTMLElement {
    const pairs = describeFigures(figures);
    if (before === null) return wrap('dl', createPairs(pairs));
    const was = new Map(describeFigures(before));
    const create = (tag: 'dt' | 'dd', text: string): HTMLElement => createElement(tag, { text });
    const rows: readonly (readonly string[])[] = [
      ['', t('Before'), t('Since')],
      ...pairs.map(([term, value]) => [term, was.get(term) ?? '', value]),
    ];
    const children = rows.flatMap(([term = '', ...values]) => [
      create('dt', term),
      ...values.map((value) => create('dd', value)),
    ]);
    return wrap('dl.sides', children);
  }

  private createListing(): HTMLElement {
    return createButton(t('Checkpoints…'), () => this.events.onList(), {
      title: t('Lists the checkpoints of this database that begin in the time in view (L)'),
      'data-does': 'list',
    });
  }

  private createReview({ databaseId }: DatabaseView): HTMLElement {
    return createButton(t('Review this one…'), () => this.events.onReview(databaseId), {
      title: t('Shows what a script would change before it is opened. Nothing is run.'),
      'data-does': 'review',
    });
  }
}

/** When a change was made, or between which times; from what to what, as far as known; and the source. */
function describeChange(
  { source, atUtcMs, notBeforeUtcMs, fromSeconds, toSeconds }: ChangeView,
  clock: Clock,
): string {
  const when = (utcMs: number): string => `${formatDay(utcMs, clock)} ${formatMinute(utcMs, clock)}`;
  const said =
    source === 'observed'
      ? t('Between {0} and {1}', when(notBeforeUtcMs), when(atUtcMs))
      : source === 'user'
        ? t('{0}, set by hand', when(atUtcMs))
        : t('{0}, according to the error log', when(atUtcMs));
  return `${said}: ${describeTargets(fromSeconds, toSeconds)}`;
}

function describeTargets(fromSeconds: number | null, toSeconds: number | null): string {
  if (toSeconds === null) return t('the target was changed.');
  if (fromSeconds === null) return t('the target became {0} s.', toSeconds);
  return t('the target went from {0} s to {1} s.', fromSeconds, toSeconds);
}
