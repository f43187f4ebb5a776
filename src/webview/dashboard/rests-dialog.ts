/**
 * What the verdict on the instance rests on: the sources of its figures, what was read, and which time was not
 * observed.
 */
import type { InstanceWords } from '../../core/pages/instance-words';
import { listGaps, measureCoverage } from '../../core/statistics/coverage';
import {
  countOf,
  formatCount,
  formatDuration,
  countCheckpoints,
  countEvents,
  countBuffers,
} from '../../core/format';
import { describeCoverage, isPartlyObserved } from '../../core/pages/coverage-text';
import type { Gap, TrackingView } from '../../protocol';
import { formatDay, formatMinute, type Clock } from '../model/clock';
import { Dialog } from '../kit/dialog';
import { createButton, createElement, wrap } from '../kit/elements';
import { joinSentences, t } from '../../core/language';

interface RestsInput {
  /** null: not judged yet. */
  readonly words: InstanceWords | null;
  readonly tracking: TrackingView | null;
  readonly clock: Clock;
}

type Row = InstanceWords['rests'][number];

/** More are too many to read; the coverage sums up all gaps. */
const MOST_GAPS_NAMED = 6;

/** What the verdict and every figure rest on, each with its name. */
export function listRestRows({ words, tracking, clock }: RestsInput): readonly Row[] {
  return [
    ...(words?.rests ?? []),
    ...(tracking?.observation
      ? [{ name: t({ message: 'Read', comment: ['What was read'] }), text: describeRead(tracking) }]
      : []),
    ...listObserved(tracking, clock),
  ];
}

export function describeRead(tracking: TrackingView): string {
  const { rowsRead, checkpoints, otherEvents, unpaired, duplicates, malformed, lostEvents, lostBuffers } =
    tracking;
  const events = t(
    '{0}: {1} from {2}, {3}.',
    countEvents(rowsRead),
    formatCount(checkpoints * 2),
    countCheckpoints(checkpoints),
    countOf(otherEvents, t('{0} other event'), t('{0} other events')),
  );
  const byServer = [
    lostEvents === null ? t('events not observable') : countEvents(lostEvents),
    lostBuffers === null ? t('buffers not observable') : countBuffers(lostBuffers),
  ];
  const left = t(
    '{0} unpaired, {1}, {2} malformed.',
    formatCount(unpaired),
    countOf(duplicates, t('{0} duplicate'), t('{0} duplicates')),
    formatCount(malformed),
  );
  return joinSentences(events, left, t('Lost by the server: {0}.', byServer.join(', ')));
}

function listObserved(tracking: TrackingView | null, clock: Clock): readonly Row[] {
  const observation = tracking?.observation ?? null;
  if (observation === null) return [];
  const coverage = measureCoverage(observation, observation);
  const gaps = listGaps(observation);
  const observed =
    gaps.length === 0
      ? t('{0}, without a gap.', formatDuration(coverage.observedMs))
      : describeCoverage(coverage, 0);
  const named = gaps.slice(0, MOST_GAPS_NAMED).map((gap) => describeGap(gap, clock));
  const rest = gaps.length - named.length;
  const more = rest > 0 ? [`${countOf(rest, t('{0} more gap'), t('{0} more gaps'))}.`] : [];
  return [{ name: t('Observed'), text: [observed, ...named, ...more].join(' ') }];
}

/** In some kinds of gaps some events were recorded: it would be wrong to say that nothing was observed. */
function describeGap(gap: Gap, clock: Clock): string {
  const { beginUtcMs, endUtcMs } = gap;
  const isOneDay = formatDay(beginUtcMs, clock) === formatDay(endUtcMs, clock);
  const moment = (utcMs: number): string =>
    (isOneDay ? '' : `${formatDay(utcMs, clock)} `) + formatMinute(utcMs, clock);
  const [from, to] = [moment(beginUtcMs), moment(endUtcMs)];
  const when =
    from === to
      ? t('for {0} at {1}', formatDuration(endUtcMs - beginUtcMs), from)
      : t('between {0} and {1}', from, to);
  return isPartlyObserved(gap)
    ? t('Events may be missing {0} ({1}).', when, gap.reason)
    : t('Nothing was observed {0} ({1}).', when, gap.reason);
}

export class RestsDialog {
  readonly dialog: Dialog;
  private readonly rows: HTMLElement;
  private input: RestsInput | null = null;
  private shown = '';

  constructor(onEvidence: () => void) {
    this.rows = createElement('tbody');
    const evidence = createButton(t('Show evidence as text'), () => {
      this.dialog.leave();
      onEvidence();
    });
    const table = createElement('table.rests.num', {
      'aria-label': t('What this rests on'),
      children: [this.rows],
    });
    this.dialog = new Dialog('rests', [table, wrap('div.actions', [evidence])]);
  }

  open(): void {
    this.dialog.open(t('What this rests on'));
    this.show();
  }

  update(input: RestsInput): void {
    this.input = input;
    if (this.dialog.isOpen) this.show();
  }

  private show(): void {
    const rows = this.input === null ? [] : listRestRows(this.input);
    const key = JSON.stringify(rows);
    if (key === this.shown) return;
    this.shown = key;
    this.rows.replaceChildren(
      ...rows.map(({ name, text }) =>
        wrap('tr', [createElement('th', { text: name, scope: 'row' }), createElement('td', { text })]),
      ),
    );
  }
}
