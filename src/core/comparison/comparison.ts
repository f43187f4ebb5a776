/**
 * Is it more than chance? The changed databases together, on the same hours of days before the first change and after
 * the last one, paired day by day.
 */
import { countOf, countSome } from '../format';
import { listSentences, t } from '../language';
import type { Steps } from '../steps';
import { BLOCK_MS } from '../write-work/block';
import { concludeEffect, type Conclusion } from './comparison-conclusion';
import { type ComparisonInput, measureSide } from './comparison-figures';
import { MEASURES, type Measure, type MeasureId, type WorkloadId } from './comparison-measure';
import { compareWorkloads, listDriftDoubts, listWorkloadDoubts, type WorkloadComparison } from './doubts';
import { estimateEffect, LEAST_PAIRS, type EffectEstimate } from './effect';
import { createLocalClock } from './local-blocks';
import { LEAST_HOURS, matchDays, type MatchedDays } from './matched-days';

/** Pages that were dirty at the change are written by then: a block that holds a change belongs to neither side. */
const SETTLING_MS = BLOCK_MS;
/** How far from the change a side reaches at most. Days further away do not compare. */
export const REACH_MS = 42 * 86_400_000;
/** How often a comparison without any change may say that anything rose or fell. */
const ERROR = 0.05;

/** One measure before and after. */
export interface MeasureComparison {
  readonly measure: Measure;
  /** null: not observable, or not enough data. */
  readonly effect: EffectEstimate | null;
  readonly pairs: number;
  /** Blocks on each side. */
  readonly blocks: number;
  readonly conclusion: Conclusion;
}

export interface Comparison {
  /** How often the interval of one measure may miss: all of them share the error (Bonferroni). */
  readonly error: number;
  readonly measures: readonly MeasureComparison[];
  readonly workload: readonly WorkloadComparison[];
}

export function* compareDays(input: ComparisonInput): Steps<Comparison> {
  const { calmUtcMs, firstUtcMs, lastUtcMs } = input.sides;
  const clock = createLocalClock(input.offsets);
  const before = yield* measureSide(
    input,
    { beginUtcMs: Math.max(calmUtcMs, firstUtcMs - REACH_MS), endUtcMs: firstUtcMs },
    clock,
  );
  const after = yield* measureSide(
    input,
    { beginUtcMs: lastUtcMs + SETTLING_MS, endUtcMs: lastUtcMs + REACH_MS },
    clock,
  );
  const changeIndex = clock(lastUtcMs + SETTLING_MS);
  const match = (id: MeasureId | WorkloadId): MatchedDays | null => {
    const [was, is] = [before[id], after[id]];
    return was === undefined || is === undefined ? null : matchDays(was, is, changeIndex);
  };
  yield;
  const workload = compareWorkloads(match);
  const error = ERROR / MEASURES.length;
  const measures = MEASURES.map((measure): MeasureComparison => {
    const matched = match(measure.id);
    const effect = matched === null ? null : estimateEffect(matched.pairs, error);
    const conclusion = conclude(matched, effect, [
      ...listWorkloadDoubts(workload),
      ...listDriftDoubts(matched, effect),
    ]);
    return { measure, effect, pairs: matched?.pairs.length ?? 0, blocks: matched?.blocks ?? 0, conclusion };
  });
  return { error, measures, workload };
}

function conclude(
  matched: MatchedDays | null,
  effect: EffectEstimate | null,
  doubts: readonly string[],
): Conclusion {
  if (matched === null) return { kind: 'not observable', largest: null, because: [] };
  if (effect !== null) return concludeEffect(effect, doubts);
  const { pairs, emptyDays } = matched;
  if (pairs.length < LEAST_PAIRS) {
    const days = countOf(pairs.length, t('{0} pair of days'), t('{0} pairs of days'));
    const few = t('{0} with {1} hours or more in common; {2} are needed.', days, LEAST_HOURS, LEAST_PAIRS);
    const empty = countSome(
      emptyDays,
      t('{0} more pair had nothing to measure.'),
      t('{0} more pairs had nothing to measure.'),
    );
    return { kind: 'not enough data', largest: null, because: listSentences(few, empty) };
  }
  if (doubts.length > 0) return { kind: 'cannot tell', largest: null, because: doubts };
  return { kind: 'no difference', largest: 1, because: [t('None before and none after.')] };
}
