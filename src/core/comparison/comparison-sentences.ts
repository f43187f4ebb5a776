import { countOf, formatCount } from '../format';
import type { ChangeComparison, ComparisonMethod, MeasureComparison } from './comparison';
import { MARGIN } from './comparison-conclusion';
import type { ChangeMoment } from '../task/change-moment';
import { DIFFERENT_MECHANISM, MAIN_MEASURE } from './comparison-measure';
import { LEAST_PAIRS, type Effect } from './effect';
import { LEAST_OBSERVED_SHARE } from './local-blocks';
import { LEAST_HOURS } from './matched-days';
import { t } from '../language';

/** One plain sentence about one measure before and after one change. The effect and its interval come first. */
export function writeMeasureSentence(
  { measure, effect, conclusion, pairs, blocks }: MeasureComparison,
  blockMinutes: number,
  change: Pick<ChangeMoment, 'fromSeconds' | 'toSeconds'>,
): string {
  const { title, unit } = measure;
  const note = measure.note === DIFFERENT_MECHANISM && !hasCrossedZero(change) ? '' : measure.note;
  const ending = note === '' ? '' : ` (${note})`;
  const basis = `${countOf(pairs, t('{0} pair'), t('{0} pairs'))} of days, ${countOf(blocks, t('{0} block'), t('{0} blocks'))} of ${blockMinutes} minutes on each side`;
  const shown = effect === null ? '' : `, ${writeEffect(effect)}, ${unit} ${writeLevels(effect)}; ${basis}`;
  switch (conclusion.kind) {
    case 'rose':
    case 'fell':
      return `${title} ${conclusion.kind}${shown}${ending}.`;
    case 'no difference':
      return effect === null
        ? `${title}: none before and none after; ${basis}${ending}.`
        : `${title}: no difference larger than ${writePercent(conclusion.largest)} seen${shown}${ending}.`;
    case 'cannot tell':
      return `${title}: cannot tell, because ${conclusion.because.join(', and ')}${shown}${ending}.`;
    case 'not enough data':
      return `${title}: not enough data, ${conclusion.because.join(', ')}${ending}.`;
    case 'not observable':
      return `${title}: not observable${ending}.`;
  }
}

/** Whether the change is known to lead from automatic checkpoints to indirect ones or back. From 60 to 30 seconds the mechanism stays the same. */
function hasCrossedZero({ fromSeconds, toSeconds }: Pick<ChangeMoment, 'fromSeconds' | 'toSeconds'>): boolean {
  return fromSeconds !== null && toSeconds !== null && (fromSeconds === 0) !== (toSeconds === 0);
}

/** The conclusion about one change: what became of total write work. */
export function writeChangeSentence(comparison: ChangeComparison): string {
  const { name, change, conclusion } = comparison;
  const main = comparison.measures.find(({ measure }) => measure.id === MAIN_MEASURE);
  const shown = main?.effect ? ` (${writeEffect(main.effect)})` : '';
  const what = `${name}, ${writeTarget(change.fromSeconds)} to ${writeTarget(change.toSeconds)}`;
  switch (conclusion.kind) {
    case 'rose':
    case 'fell':
      return `${what}: total write work for the same work done ${conclusion.kind}${shown}.`;
    case 'no difference':
      return `${what}: no difference in total write work larger than ${writePercent(conclusion.largest)} seen${shown}.`;
    case 'cannot tell':
      return `${what}: cannot tell what became of total write work, because ${conclusion.because.join(', and ')}${shown}.`;
    case 'not enough data':
      return `${what}: not enough data, ${conclusion.because.join(', ')}.`;
    case 'not observable':
      return `${what}: not observable: total write work was not sampled, and durations alone say nothing about it.`;
  }
}

/** How the intervals were made, and what they were corrected for. */
export function writeMethodSentence({ blockMinutes, comparisons, mainError, otherError }: ComparisonMethod): string {
  return (
    `Blocks of ${blockMinutes} minutes matched on hour and weekday in server time, paired day by day; intervals by Student's t over days, widened for days that resemble their neighbours, ` +
    `and corrected for ${countOf(comparisons, t('{0} change'), t('{0} changes'))} and all measures by Bonferroni: ` +
    `${writeConfidence(mainError)} for total write work, ${writeConfidence(otherError)} for each other measure, so that 95 of 100 comparisons without any change say of nothing that it rose or fell. ` +
    `At least ${LEAST_PAIRS} pairs of days with ${LEAST_HOURS} hours in common; a block counts where ${LEAST_OBSERVED_SHARE * 100} % of it was observed. ` +
    `"No difference" means that the whole interval lies within ${MARGIN} times either way. ` +
    'Days that are all equally far from each other, as with one week on each side, cannot tell a slow drift from a change.'
  );
}

/** `1.84 times (97.5 % interval 1.71 to 1.98)`. */
export function writeEffect({ ratio, low, high, confidence }: Effect): string {
  if (ratio === null) return 'from none';
  const bounds = `${writeRatio(low)} to ${high === null ? 'no bound' : writeRatio(high)}`;
  return `${writeRatio(ratio)} times (${writeConfidence(1 - confidence)} interval ${bounds})`;
}

function writeLevels({ before, after }: Effect): string {
  return `${writeFigure(before)} before, ${writeFigure(after)} after`;
}

function writeRatio(ratio: number): string {
  if (ratio >= 1000) return 'more than 999';
  if (ratio !== 0 && ratio < 0.001) return 'less than 0.001';
  return ratio >= 99.5
    ? ratio.toFixed(0)
    : ratio >= 9.95
      ? ratio.toFixed(1)
      : ratio >= 0.0995 || ratio === 0
        ? ratio.toFixed(2)
        : ratio.toFixed(3);
}

/** Three significant digits. */
function writeFigure(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) >= 1000) return formatCount(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

/** Rounded up, because the text says that it is no larger. */
function writePercent(largest: number | null): string {
  return `${Math.ceil(((largest ?? 1) - 1) * 100 - 1e-9)} %`;
}

/** Rounded down, with as many nines as it has. */
function writeConfidence(error: number): string {
  const digits = Math.max(1, Math.ceil(-Math.log10(error)) - 1);
  const scale = 10 ** digits;
  return `${Math.floor((1 - error) * 100 * scale + 1e-6) / scale} %`;
}

function writeTarget(seconds: number | null): string {
  if (seconds === null) return 'unknown target';
  return seconds === 0 ? 'automatic' : `${formatCount(seconds)} s`;
}
