/** Goal 11, the figures' part: a refresh after 1,000 new events, with a history of ten million checkpoints against one of ten thousand. */
import { describeTask } from '../src/core/evidence/task-statistics';
import { findAutomaticTime } from '../src/core/evidence/automatic-time';
import { RunningStatistics } from '../src/core/evidence/running-statistics';
import { computeStatisticsSet } from '../src/core/evidence/statistics';
import { finishSteps, type Steps } from '../src/core/steps';
import { makeCheckpoints, observeAll } from './checkpoints';
import { findMedian, printGoal } from './contest';

const DATABASES = 500;
const NEW_ROWS = 500;
const REFRESHES = 101;

function startHistory(rows: number) {
  const columns = makeCheckpoints(rows, DATABASES, NEW_ROWS * (REFRESHES + 10));
  const observation = observeAll({ ...columns, rows: columns.database.length });
  const automatic = new Set(Array.from({ length: DATABASES }, (_, i) => i));
  const running = new RunningStatistics();
  let held = rows;
  const refresh = (): number => {
    const begun = performance.now();
    finishSteps(running.refresh({ columns: { ...columns, rows: held }, generation: 1, databases: DATABASES, observation, automatic }));
    held += NEW_ROWS;
    return performance.now() - begun;
  };
  return { firstMs: refresh(), refresh, running, rows };
}

function findLongestStep(steps: Steps<unknown>): number {
  for (let longestMs = 0; ;) {
    const begun = performance.now();
    const { done } = steps.next();
    longestMs = Math.max(longestMs, performance.now() - begun);
    if (done === true) return longestMs;
  }
}

export function benchRefresh(): void {
  console.log('\nGoal 11, figures: a refresh after 1,000 new events');
  const histories = [startHistory(10_000), startHistory(10_000_000)] as const;
  const times = histories.map(() => [] as number[]);
  for (let i = 0; i < REFRESHES; i++) histories.forEach(({ refresh }, place) => times[place]?.push(refresh()));
  histories.forEach(({ rows, firstMs, running }, place) => {
    const median = findMedian(times[place] ?? []).toFixed(3);
    const bytes = (running.bytesHeld / rows).toFixed(2);
    console.log(
      `  history of ${rows.toLocaleString('en').padStart(10)}: ${median} ms; the first time ${firstMs.toFixed(0)} ms; ${bytes} B a checkpoint held beside the columns`,
    );
  });
  printGoal('10 million against 10 thousand', findMedian(times[1] ?? []) / findMedian(times[0] ?? []), 2, 1.1, true);
  if (histories.some(({ running }) => running.timesAnew !== 1)) throw new Error('A refresh went through the whole history.');
  const columns = makeCheckpoints(1_000_000, DATABASES);
  const observation = observeAll(columns);
  const automatic = findAutomaticTime(new Map(Array.from({ length: DATABASES }, (_, i) => [i, 0])));
  const scope = { window: observation, observation, automatic, backups: null };
  const statistics = findMedian(
    [0, 1, 2, 3, 4].map(() => findLongestStep(computeStatisticsSet(columns, DATABASES, observation, observation))),
  );
  const task = findMedian([0, 1, 2].map(() => findLongestStep(describeTask(columns, DATABASES, scope))));
  console.log(
    `  longest step at 1,000,000 checkpoints: statistics ${statistics.toFixed(1)} ms, checkpoint task ${task.toFixed(1)} ms (bound 50 ms)`,
  );
}
