/** Says how much of the time behind figures was observed, and what is missing. */
import { type Gap, GAP_NAMES, type GapKind } from '../session/gap';
import { SPOILT_THROUGHOUT } from '../session/gap-crossing';
import type { Coverage, GapTally } from '../statistics/coverage';
import { countSome, formatDuration, countGaps } from '../format';
import { joinSentences, t } from '../language';

/** Whether some events from within such a gap are there. Gaps of other kinds have none. */
export function isPartlyObserved({ kind }: { readonly kind: GapKind }): boolean {
  return SPOILT_THROUGHOUT.has(kind);
}

/** `not observed`, or `not fully observed` if some events are there, but perhaps not all. */
export function describeGapKind(gap: Pick<Gap, 'kind'>): string {
  return isPartlyObserved(gap) ? t('not fully observed') : t('not observed');
}

/** `1 gap, 3 min`; empty if there is none. Gaps that overlap count once in the time. */
export function describeGapCount(coverage: Coverage): string {
  const count = coverage.gaps.reduce((sum, tally) => sum + tally.count, 0);
  return count === 0 ? '' : `${countGaps(count)}, ${formatDuration(coverage.gapMs)}`;
}

/** `3 min`, `2 gaps, 5 min`: the gaps of one kind. */
function describeGapTally({ count, gapMs }: GapTally): string {
  return count === 1 ? formatDuration(gapMs) : `${countGaps(count)}, ${formatDuration(gapMs)}`;
}

/**
 * `2 h 11 min of 2 h 14 min observed; missing: server restarted 3 min. 2 checkpoints may each be two with a gap between them, and are in no figure.`
 * Empty if no gap touches the window and no checkpoint is left out.
 */
export function describeCoverage(coverage: Coverage, acrossGaps: number): string {
  const { observedMs, gapMs, unwatchedMs, gaps } = coverage;
  const missing = gaps.map((tally) => `${GAP_NAMES[tally.kind]} ${describeGapTally(tally)}`).join('; ');
  const [seen, whole] = [observedMs, observedMs + gapMs + (unwatchedMs ?? 0)].map(formatDuration);
  const leftOut = countSome(
    acrossGaps,
    t('{0} checkpoint may really be two with a gap between them. All figures leave it out.'),
    t('{0} checkpoints may each really be two with a gap between them. All figures leave them out.'),
  );
  return joinSentences(
    missing === '' ? '' : t('{0} of {1} observed; missing: {2}.', seen!, whole!, missing),
    leftOut,
  );
}
