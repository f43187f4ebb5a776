import { countOf, formatCount, formatNumber, formatPercent, formatShort, NOT_OBSERVABLE } from '../format';
import type { ChangeComparison, ComparisonMethod, MeasureComparison } from './comparison';
import { type Conclusion, MARGIN } from './comparison-conclusion';
import type { ChangeMoment } from '../task/change-moment';
import { DIFFERENT_MECHANISM, MAIN_MEASURE } from './comparison-measure';
import { LEAST_PAIRS, type Effect } from './effect';
import { LEAST_OBSERVED_SHARE } from './local-blocks';
import { LEAST_HOURS } from './matched-days';
import { joinSentences, t } from '../language';

/** A conclusion as a reader sees it. */
export const CONCLUSION_NAMES: Readonly<Record<Conclusion['kind'], string>> = {
  rose: t('rose'),
  fell: t('fell'),
  'no difference': t('no difference'),
  'cannot tell': t('cannot tell'),
  'not enough data': t('not enough data'),
  'not observable': NOT_OBSERVABLE,
};

/** What became of one measure after one change. The effect and its interval come first. */
export function writeMeasureSentence(
  { measure, effect, conclusion, pairs, blocks }: MeasureComparison,
  blockMinutes: number,
  change: Pick<ChangeMoment, 'fromSeconds' | 'toSeconds'>,
): string {
  const { title, unit } = measure;
  const note = measure.note === DIFFERENT_MECHANISM && !hasCrossedZero(change) ? '' : measure.note;
  const basis = t(
    '{0}, {1} of {2} minutes on each side',
    countOf(pairs, t('{0} pair of days'), t('{0} pairs of days')),
    countOf(blocks, t('{0} block'), t('{0} blocks')),
    blockMinutes,
  );
  const shown = effect === null ? '' : writeShown(effect, unit, basis);
  switch (conclusion.kind) {
    case 'rose':
      return joinSentences(t('{0} rose: {1}.', title, shown), note);
    case 'fell':
      return joinSentences(t('{0} fell: {1}.', title, shown), note);
    case 'no difference':
      if (effect === null) return joinSentences(t('{0}: none before and none after; {1}.', title, basis), note);
      return joinSentences(
        t('{0}: no difference larger than {1} seen.', title, writePercent(conclusion.largest)),
        t('Measured: {0}.', shown),
        note,
      );
    case 'cannot tell':
      return joinSentences(t('{0}: cannot tell.', title), ...conclusion.because, shown === '' ? '' : t('Measured: {0}.', shown), note);
    case 'not enough data':
      return joinSentences(t('{0}: not enough data.', title), ...conclusion.because, note);
    case 'not observable':
      return joinSentences(t('{0}: not observable.', title), note);
  }
}

function writeShown(effect: Effect, unit: string, basis: string): string {
  return t('{0}; {1}: {2} before, {3} after; {4}', writeEffect(effect), unit, writeFigure(effect.before), writeFigure(effect.after), basis);
}

/** Whether the change is known to lead from automatic checkpoints to indirect ones or back. From 60 to 30 seconds the mechanism stays the same. */
function hasCrossedZero({ fromSeconds, toSeconds }: Pick<ChangeMoment, 'fromSeconds' | 'toSeconds'>): boolean {
  return fromSeconds !== null && toSeconds !== null && (fromSeconds === 0) !== (toSeconds === 0);
}

/** The conclusion about one change: what became of total write work. */
export function writeChangeSentence(comparison: ChangeComparison): string {
  const { name, change, conclusion } = comparison;
  const main = comparison.measures.find(({ measure }) => measure.id === MAIN_MEASURE);
  const shown = main?.effect ? writeEffect(main.effect) : '';
  const measured = shown === '' ? '' : t('Measured: {0}.', shown);
  const what = t('{0}, {1} to {2}', name, writeTarget(change.fromSeconds), writeTarget(change.toSeconds));
  switch (conclusion.kind) {
    case 'rose':
      return t('{0}: total write work for the same work rose: {1}.', what, shown);
    case 'fell':
      return t('{0}: total write work for the same work fell: {1}.', what, shown);
    case 'no difference':
      return joinSentences(
        t('{0}: no difference in total write work larger than {1} seen.', what, writePercent(conclusion.largest)),
        measured,
      );
    case 'cannot tell':
      return joinSentences(t('{0}: cannot tell whether total write work changed.', what), ...conclusion.because, measured);
    case 'not enough data':
      return joinSentences(t('{0}: not enough data.', what), ...conclusion.because);
    case 'not observable':
      return t('{0}: not observable. Total write work was not sampled, and durations alone say nothing about it.', what);
  }
}

/** How the intervals were made, and what they were corrected for. */
export function writeMethodSentence({ blockMinutes, comparisons, mainError, otherError }: ComparisonMethod): string {
  return joinSentences(
    t('Blocks of {0} minutes are matched on hour and weekday in server time, and paired day by day.', blockMinutes),
    t("Intervals use Student's t over days, widened because neighbouring days resemble each other."),
    t(
      'They are Bonferroni-corrected for {0} and all measures: {1} for total write work, {2} for each of the others.',
      countOf(comparisons, t('{0} change'), t('{0} changes')),
      writeConfidence(mainError),
      writeConfidence(otherError),
    ),
    t('So if nothing changed, 95 of 100 comparisons report no rise and no fall.'),
    t('At least {0} pairs of days with {1} hours in common are needed.', LEAST_PAIRS, LEAST_HOURS),
    t('A block counts if {0} of it was observed.', formatPercent(LEAST_OBSERVED_SHARE)),
    t('"No difference" means that the whole interval lies within {0} times either way.', formatShort(MARGIN)),
    t('If all days are equally far from each other, as with one week on each side, a slow drift cannot be told from a change.'),
  );
}

/** `1.84 times (97.5 % interval 1.71 to 1.98)`. */
export function writeEffect({ ratio, low, high, confidence }: Effect): string {
  const times = ratio === null ? null : writeRatio(ratio);
  if (times === null) return t('from none');
  const [sureness, from] = [writeConfidence(1 - confidence), writeRatio(low)];
  return high === null
    ? t('{0} times ({1} interval {2} and more)', times, sureness, from)
    : t('{0} times ({1} interval {2} to {3})', times, sureness, from, writeRatio(high));
}

function writeRatio(ratio: number): string {
  if (ratio >= 1000) return t('more than {0}', formatCount(999));
  if (ratio !== 0 && ratio < 0.001) return t('less than {0}', formatNumber(0.001, 3));
  if (ratio >= 99.5) return formatCount(ratio);
  return formatNumber(ratio, ratio >= 9.95 ? 1 : ratio >= 0.0995 || ratio === 0 ? 2 : 3);
}

/** Three significant digits. */
function writeFigure(value: number): string {
  return Math.abs(value) >= 1000 ? formatCount(value) : formatShort(value);
}

/** Rounded up, because the text says that it is no larger. */
function writePercent(largest: number | null): string {
  return `${formatCount(Math.ceil(((largest ?? 1) - 1) * 100 - 1e-9))} %`;
}

/** Rounded down, with as many nines as it has. */
function writeConfidence(error: number): string {
  const digits = Math.max(1, Math.ceil(-Math.log10(error)) - 1);
  const scale = 10 ** digits;
  const percent = Math.floor((1 - error) * 100 * scale + 1e-6) / scale;
  return `${formatNumber(percent, (String(percent).split('.')[1] ?? '').length)} %`;
}

function writeTarget(seconds: number | null): string {
  if (seconds === null) return t('unknown target');
  return seconds === 0 ? t('automatic') : `${formatCount(seconds)} s`;
}
