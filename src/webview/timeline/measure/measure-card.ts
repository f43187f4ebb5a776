/** The card of what is measured: its figures, its gaps, and what the reader can do with it. */
import { countOf, formatCount, formatDuration, formatObserved, formatPercentile } from '../../../core/format';
import { describeCoverage } from '../../../core/pages/coverage-text';
import type { MeasuredFigures } from '../../../core/timeline/measured-part';
import type { MeasuredPart } from '../../model/view-state';
import { formatSpan, type Clock } from '../../model/clock';
import {
  createButton,
  createElement,
  setText,
  type Pair,
  createPairs,
  showText,
  createClose,
} from '../../kit/elements';
import type { CheckpointStatistics } from '../../../core/statistics/statistics';
import { t } from '../../../core/language';

type DurationFigures = Pick<
  CheckpointStatistics,
  'averageMs' | 'p50Ms' | 'p95Ms' | 'p99Ms' | 'maximumMs' | 'count'
>;

interface MeasureCardEvents {
  onZoom(): void;
  onExport(): void;
  onClose(): void;
}

/** What is measured, in words: `3 lanes, 2 min 10 s`. */
export function describePart({ beginUtcMs, endUtcMs, databaseIds }: MeasuredPart): string {
  const lanes = countOf(databaseIds.length, t('{0} lane'), t('{0} lanes'));
  return `${lanes}, ${formatDuration(endUtcMs - beginUtcMs)}`;
}

/** Terms and values; only the count if there is no checkpoint. */
function describeMeasured({ figures }: MeasuredFigures): readonly Pair[] {
  if (figures.count === 0) return [[t('Checkpoints'), t('none observed')]];
  return [
    [t('Checkpoints'), formatCount(figures.count)],
    [t('Total'), formatDuration(figures.totalMs)],
    ...listDurations(figures),
  ];
}

/** How long checkpoints took. */
export function listDurations({
  averageMs,
  p50Ms,
  p95Ms,
  p99Ms,
  maximumMs,
  count,
}: DurationFigures): readonly Pair[] {
  const tell = (ms: number | null): string => formatObserved(ms, formatDuration);
  return [
    [t('Average'), tell(averageMs)],
    [t('Median'), tell(p50Ms)],
    ['p95', formatPercentile(p95Ms, count)],
    ['p99', formatPercentile(p99Ms, count)],
    [t('Longest'), tell(maximumMs)],
  ];
}

/** What is missing in the figures, in sentences; empty: nothing known. */
function describeMissing({ coverage, acrossGaps, partlyRecorded }: MeasuredFigures): string {
  const unwatched = coverage.unwatchedMs ?? 0;
  const recorded =
    partlyRecorded === 0
      ? ''
      : countOf(
          partlyRecorded,
          t('{0} of these databases was recorded only part of the time.'),
          t('{0} of these databases were recorded only part of the time.'),
        );
  const outside =
    unwatched === 0 || coverage.gaps.length > 0
      ? ''
      : t('{0} of this time was not observed.', formatDuration(unwatched));
  return [describeCoverage(coverage, acrossGaps), outside, recorded].filter((text) => text !== '').join(' ');
}

export class MeasureCard {
  readonly element: HTMLElement;
  private readonly heading: HTMLElement;
  private readonly time: HTMLElement;
  private readonly list: HTMLElement;
  private readonly missing: HTMLElement;
  private readonly zoom: HTMLButtonElement;
  private shown = '';

  constructor(events: MeasureCardEvents) {
    this.heading = createElement('strong');
    this.time = createElement('div.card-time');
    this.list = createElement('dl');
    this.missing = createElement('p.card-note');
    this.zoom = createButton(t('Zoom to it'), () => events.onZoom());
    const exports = createButton(t('Export'), () => events.onExport(), {
      title: t('Saves these checkpoints as a CSV file'),
    });
    const close = createClose(t('Stop measuring'), t('Stop measuring (Esc)'), () => events.onClose());
    const head = createElement('div.measure-head', { children: [this.heading, close] });
    const actions = createElement('div.actions', { children: [this.zoom, exports] });
    this.element = createElement('section.card.measure-card', {
      'aria-label': t('Measured'),
      hidden: '',
      children: [head, this.time, this.list, this.missing, actions],
    });
  }

  /** @param figures null while they are being computed */
  show(part: MeasuredPart, figures: MeasuredFigures | null, clock: Clock): void {
    this.element.hidden = false;
    const pairs: readonly Pair[] = figures ? describeMeasured(figures) : [[t('Checkpoints'), t('counting…')]];
    const missing = figures ? describeMissing(figures) : '';
    const key = JSON.stringify([part, pairs, missing, clock.key]);
    if (key === this.shown) return;
    this.shown = key;
    setText(this.heading, describePart(part));
    setText(this.time, formatSpan(part, clock));
    this.list.replaceChildren(...createPairs(pairs));
    showText(this.missing, missing);
  }

  /** Works even before the frame that shows the card: a key may come that soon after measuring began. */
  focus(): void {
    this.element.hidden = false;
    this.zoom.focus();
  }
}
