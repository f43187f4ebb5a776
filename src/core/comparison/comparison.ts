import { countOf } from '../format';
import type { Steps } from '../steps';
import { listChangeTasks, listKnownChanges, type ChangeTask, type KnownChange } from './change-tasks';
import { SETTLING_MS } from './change-window';
import type { ChangeMoment } from '../task/change-moment';
import { concludeEffect, type Conclusion } from './comparison-conclusion';
import { listConfounders, type Confounders } from './comparison-confounders';
import { measureSide, type LogByBlock, type RowsOf, type SideFigures } from './comparison-figures';
import { DEFAULT_COMPARISON, type ComparedDatabase, type ComparisonInput, type ComparisonOptions } from './comparison-input';
import { MAIN_MEASURE, MEASURES, type Measure, type MeasureId, type WorkloadId } from './comparison-measure';
import { groupRows } from '../statistics/grouped-rows';
import { estimateEffect, LEAST_PAIRS, type Effect } from './effect';
import { createLocalClock, type LocalClock } from './local-blocks';
import { LEAST_HOURS, matchDays, type MatchedDays } from './matched-days';
import { compareWorkloads, listWorkloadDoubts, type WorkloadComparison, listDriftDoubts } from './doubts';
import { t } from '../language';

/** One measure before and after one change. */
export interface MeasureComparison {
  readonly measure: Measure;
  /** null: not observable, or not enough data. */
  readonly effect: Effect | null;
  readonly pairs: number;
  /** Blocks on each side. */
  readonly blocks: number;
  readonly conclusion: Conclusion;
}

/** One change of one database, or of several that changed within an hour taken as one, and everything measured before and after it. */
export interface ChangeComparison {
  /** Name of the database, or `3 databases together`. */
  readonly name: string;
  /** Names of databases that changed together; empty for a single database. */
  readonly members: readonly string[];
  readonly change: ChangeMoment;
  readonly measures: readonly MeasureComparison[];
  readonly workload: readonly WorkloadComparison[];
  readonly confounders: Confounders;
  /** The conclusion about the change: that of total write work. Durations have no say in it. */
  readonly conclusion: Conclusion;
}

/** How sure the intervals are, and how they were corrected. */
export interface ComparisonMethod {
  readonly blockMinutes: number;
  readonly comparisons: number;
  /** How often an interval may miss: that of total write work of one change, and that of one of the other measures. */
  readonly mainError: number;
  readonly otherError: number;
}

export interface Comparison {
  readonly method: ComparisonMethod;
  readonly changes: readonly ChangeComparison[];
}

/** Compares before and after each change: first of databases that changed together, then of each database. One step for each change. */
export function* compareChanges(input: ComparisonInput, options: ComparisonOptions = DEFAULT_COMPARISON): Steps<Comparison> {
  const clock = createLocalClock(input.offsets, options.blockMinutes);
  const tasks = yield* listChangeTasks(input.databases);
  const known = listKnownChanges(tasks);
  yield;
  const method = shareError(tasks.length, options);
  const rowsOf = yield* groupRows(input.columns, 1 + Math.max(-1, ...input.databases.map(({ database }) => database ?? -1)));
  const logs = yield* sumLogs(input.databases);
  const changes: ChangeComparison[] = [];
  for (const task of tasks) {
    changes.push(yield* compareChange(input, task, { clock, method, rowsOf, logs, known }));
    yield;
  }
  return { method, changes };
}

/**
 * Bonferroni over everything that is said. Half of the error goes to total write work, divided by the number of changes compared. Half goes to the other
 * measures, divided by their number too. So of 100 comparisons without any change, at most five say that anything rose or fell.
 */
function shareError(comparisons: number, { blockMinutes, error }: ComparisonOptions): ComparisonMethod {
  const each = error / 2 / Math.max(1, comparisons);
  return { blockMinutes, comparisons, mainError: each, otherError: each / (MEASURES.length - 1) };
}

function* sumLogs(databases: readonly ComparedDatabase[]): Steps<LogByBlock> {
  const logs = new Map<number, number>();
  for (const { blocks } of databases) {
    for (const { beginUtcMs, logWrittenBytes } of blocks) logs.set(beginUtcMs, (logs.get(beginUtcMs) ?? 0) + logWrittenBytes);
    yield;
  }
  return logs;
}

interface Means {
  readonly clock: LocalClock;
  readonly method: ComparisonMethod;
  readonly rowsOf: RowsOf;
  readonly logs: LogByBlock;
  readonly known: readonly KnownChange[];
}

function* compareChange(input: ComparisonInput, task: ChangeTask, { clock, method, rowsOf, logs, known }: Means): Steps<ChangeComparison> {
  const { one, window, members } = task;
  // If blocks are listed when asked for, this is a step of its own.
  if (one.blocks.length > 0) yield;
  const before = measureSide(input, { one, side: window.before, clock }, rowsOf, logs);
  yield;
  const after = measureSide(input, { one, side: window.after, clock }, rowsOf, logs);
  yield;
  const changeIndex = clock.indexOf(window.change.atUtcMs + SETTLING_MS);
  const match = makeMatcher(before, after, changeIndex, clock);
  const workload = compareWorkloads(match);
  const confounders = listConfounders(input, { task, known, clock, match });
  yield;
  const measures = MEASURES.map((measure): MeasureComparison => {
    const matched = match(measure.id);
    const error = measure.id === MAIN_MEASURE ? method.mainError : method.otherError;
    const effect = matched === null ? null : estimateEffect(matched.pairs, error);
    const doubts = [
      ...listWorkloadDoubts(workload, measure.scope),
      ...confounders.doubts[measure.scope],
      ...listDriftDoubts(matched, effect),
    ];
    const conclusion = conclude(matched, effect, doubts);
    return { measure, effect, pairs: matched?.pairs.length ?? 0, blocks: matched?.blocks ?? 0, conclusion };
  });
  const main = measures.find(({ measure }) => measure.id === MAIN_MEASURE);
  return {
    name: one.name,
    members: [...members].map(({ name }) => name),
    change: window.change,
    measures,
    workload,
    confounders,
    conclusion: main?.conclusion ?? { kind: 'not observable', largest: null, because: [] },
  };
}

type Match = (id: MeasureId | WorkloadId) => MatchedDays | null;

/** Matches each figure only once. */
function makeMatcher(before: SideFigures, after: SideFigures, changeIndex: number, clock: LocalClock): Match {
  const known = new Map<string, MatchedDays | null>();
  return (id) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const [figureBefore, figureAfter] = [before[id], after[id]];
    const isMissing = figureBefore === undefined || figureAfter === undefined;
    const matched = isMissing ? null : matchDays(figureBefore, figureAfter, changeIndex, clock);
    known.set(id, matched);
    return matched;
  };
}

function conclude(matched: MatchedDays | null, effect: Effect | null, doubts: readonly string[]): Conclusion {
  if (matched === null) return { kind: 'not observable', largest: null, because: [] };
  if (effect !== null) return concludeEffect(effect, doubts);
  const { pairs, emptyDays } = matched;
  if (pairs.length < LEAST_PAIRS) {
    const few = t(
      '{0} with {1} hours or more in common; {2} are needed.',
      countOf(pairs.length, t('{0} pair of days'), t('{0} pairs of days')),
      LEAST_HOURS,
      LEAST_PAIRS,
    );
    const empty = countOf(emptyDays, t('{0} more pair had nothing to measure.'), t('{0} more pairs had nothing to measure.'));
    const because = emptyDays > 0 ? [few, empty] : [few];
    return { kind: 'not enough data', largest: null, because };
  }
  if (doubts.length > 0) return { kind: 'cannot tell', largest: null, because: doubts };
  return { kind: 'no difference', largest: 1, because: [t('There was none on either side.')] };
}
