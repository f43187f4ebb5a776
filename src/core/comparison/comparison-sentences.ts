import { countOf, formatCount, formatNumber, formatPercent, formatShort, NOT_OBSERVABLE } from '../format';
import type { Comparison, MeasureComparison } from './comparison';
import { MARGIN } from './comparison-conclusion';
import { LEAST_PAIRS, type EffectEstimate } from './effect';
import { LEAST_OBSERVED_SHARE } from './local-blocks';
import { LEAST_HOURS } from './matched-days';
import { joinSentences, t } from '../language';

/** Whether it is more than chance, in one or two sentences: for the time in checkpoints and for total writes. */
export function writeAnswer({ measures }: Comparison): string {
  const told = measures
    .slice(0, 2)
    .filter(({ conclusion: { kind } }) => kind !== 'not enough data' && kind !== 'not observable');
  if (told.length > 0) return joinSentences(...told.map(writeShort));
  const pairs = Math.max(0, ...measures.map((one) => one.pairs));
  return t('{1} of {0} comparable days so far.', LEAST_PAIRS, pairs);
}

function writeShort({ measure, effect, conclusion }: MeasureComparison): string {
  const { title, unit } = measure;
  const { kind, largest, because } = conclusion;
  const change = effect === null ? '' : `${writeAbout(effect.before)} → ${writeAbout(effect.after)} ${unit}`;
  if (kind === 'rose') return t('{0} rose: {1}.', title, change);
  if (kind === 'fell') return t('{0} fell: {1}.', title, change);
  if (kind === 'no difference')
    return t('{0}: no difference larger than {1} seen.', title, writePercent(largest));
  return joinSentences(t('{0}: cannot tell.', title), ...because);
}

/** What became of one measure. The effect and its interval come first. */
export function writeMeasureSentence(measured: MeasureComparison): string {
  const { measure, effect, conclusion, pairs, blocks } = measured;
  const { title, unit, note } = measure;
  const days = countOf(pairs, t('{0} pair of days'), t('{0} pairs of days'));
  const basis = t('{0}, {1} on each side', days, countOf(blocks, t('{0} hour'), t('{0} hours')));
  const shown = effect === null ? '' : writeShown(effect, unit, basis);
  const told = shown === '' ? '' : t('Measured: {0}.', shown);
  switch (conclusion.kind) {
    case 'rose':
      return joinSentences(t('{0} rose: {1}.', title, shown), note);
    case 'fell':
      return joinSentences(t('{0} fell: {1}.', title, shown), note);
    case 'no difference':
      if (effect === null)
        return joinSentences(t('{0}: none before and none after; {1}.', title, basis), note);
      return joinSentences(writeShort(measured), told, note);
    case 'cannot tell':
      return joinSentences(writeShort(measured), told, note);
    case 'not enough data':
      return joinSentences(t('{0}: not enough data.', title), ...conclusion.because, note);
    case 'not observable':
      return `${title}: ${NOT_OBSERVABLE}.`;
  }
}

function writeShown(effect: EffectEstimate, unit: string, basis: string): string {
  return t(
    '{0}; {1}: {2} before, {3} after; {4}',
    writeEffect(effect),
    unit,
    writeFigure(effect.before),
    writeFigure(effect.after),
    basis,
  );
}

/** How the intervals were made, and what they were corrected for. */
export function writeMethodSentence({ error, measures }: Comparison): string {
  return joinSentences(
    t('Hours are matched by hour and weekday in server time, and paired day by day.'),
    t("Intervals use Student's t over days, widened because neighbouring days resemble each other."),
    t('They are Bonferroni-corrected for {0} measures: {1} each.', measures.length, writeConfidence(error)),
    t('So if nothing changed, 95 of 100 comparisons report no rise and no fall.'),
    t('This takes at least {0} pairs of days with {1} hours in common.', LEAST_PAIRS, LEAST_HOURS),
    t('An hour counts if {0} of it was observed.', formatPercent(LEAST_OBSERVED_SHARE)),
    t('"No difference" means: the whole interval lies within a factor of {0}.', formatShort(MARGIN)),
    t(
      'If all days are equally far from each other, as with one week on each side, a slow drift cannot be told from a change.',
    ),
    t(
      'Not observable here: maintenance of virtual log files, other hardware or settings, and which pages the workload touched.',
    ),
  );
}

/** `1.84 times (97.5 % interval 1.71 to 1.98)`. */
export function writeEffect({ ratio, low, high, confidence }: EffectEstimate): string {
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

/** Two significant digits: the table above has the figure of all hours, this is that of paired days. */
const writeAbout = (value: number): string => writeFigure(Number(value.toPrecision(2)));

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
