/** Goal 11, the figures' part: a refresh after 1,000 new events, with ten million checkpoints against ten thousand. */
import { CheckpointStore } from '../src/core/capture/checkpoint-store';
import { Handovers } from '../src/core/capture/handovers';
import { describeTask } from '../src/core/task/task-statistics';
import { findAutomaticTime } from '../src/core/task/automatic-time';
import { RunningStatistics } from '../src/core/statistics/running-statistics';
import { computeStatistics } from '../src/core/statistics/statistics';
import { finishSteps, type Steps } from '../src/core/steps';
import { makeCheckpoints, observeAll } from './checkpoints';
import { findMedian, printGoal } from './contest';

const DATABASES = 500;
const NEW_ROWS = 500;
const REFRESHES = 101;

function startHistory(rows: number) {
  const columns = makeCheckpoints(rows, DATABASES, NEW_ROWS * (REFRESHES + 10));
  const observation = observeAll({ ...columns, rows: columns.database.length });
  const running = new RunningStatistics();
  let held = rows;
  const refresh = (): number => {
    const begun = performance.now();
    finishSteps(
      running.refresh({
        columns: { ...columns, rows: held },
        generation: 1,
        databases: DATABASES,
        observation,
      }),
    );
    held += NEW_ROWS;
    return performance.now() - begun;
  };
  return { firstMs: refresh(), refresh, running, rows };
}

/** Processor time of the longest step, including garbage collection. */
function findLongestStep(steps: Steps<unknown>): number {
  for (let longestMs = 0; ;) {
    const begun = process.cpuUsage();
    const { done } = steps.next();
    const { user, system } = process.cpuUsage(begun);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    if (done === true) return longestMs;
  }
}

/** The median of three rounds, after one that does not count. */
function findTypicalStep(start: () => Steps<unknown>): string {
  findLongestStep(start());
  return findMedian([0, 1, 2].map(() => findLongestStep(start()))).toFixed(1);
}

export function benchRefresh(): void {
  console.log('\nGoal 11, figures: a refresh after 1,000 new events');
  const histories = [startHistory(10_000), startHistory(10_000_000)] as const;
  const times = histories.map(() => [] as number[]);
  for (let i = 0; i < REFRESHES; i++)
    histories.forEach(({ refresh }, place) => times[place]?.push(refresh()));
  histories.forEach(({ rows, firstMs, running }, place) => {
    const median = findMedian(times[place] ?? []).toFixed(3);
    const bytes = (running.bytesHeld / rows).toFixed(2);
    console.log(
      `  history of ${rows.toLocaleString('en').padStart(10)}: ${median} ms; the first time ${firstMs.toFixed(0)} ms; ${bytes} B a checkpoint held beside the columns`,
    );
  });
  printGoal(
    '10 million against 10 thousand',
    findMedian(times[1] ?? []) / findMedian(times[0] ?? []),
    2,
    1.1,
    true,
  );
  if (histories.some(({ running }) => running.timesAnew !== 1))
    throw new Error('A refresh went through the whole history.');
  const columns = makeCheckpoints(1_000_000, DATABASES);
  const observation = observeAll(columns);
  const automatic = findAutomaticTime(new Map(Array.from({ length: DATABASES }, (_, i) => [i, 0])));
  const scope = { window: observation, observation, automatic, backups: null };
  // `serial`: one after the other, as on a real task. `columns`: as they are, with a third beside the task.
  const serial = { ...columns, durationMs: columns.durationMs.map((ms) => Math.min(ms, 75)) };
  console.log('  longest step at 1,000,000 checkpoints, ms CPU (bound 50):');
  console.log(
    `    statistics ${findTypicalStep(() => computeStatistics(columns, DATABASES, observation, observation))}`,
  );
  console.log(`    checkpoint task ${findTypicalStep(() => describeTask(serial, DATABASES, scope))}`);
  console.log(
    `    checkpoint task, 375,000 beside it ${findTypicalStep(() => describeTask(columns, DATABASES, scope))}`,
  );
  benchHandingOver();
}

/**
 * Measures database_ids that pass to other databases in the middle of ten million checkpoints: one of them, then all.
 */
function benchHandingOver(): void {
  const columns = makeCheckpoints(10_000_000, DATABASES);
  const middleUtcMs = columns.beginUtcMs[columns.rows / 2] ?? 0;
  const handOver = (databases: number): Steps<boolean> => {
    const store = new CheckpointStore();
    store.restore(columns);
    const handovers = Array.from({ length: databases }, (_, database) => {
      return {
        database,
        untilUtcMs: middleUtcMs,
        fromUtcMs: middleUtcMs,
        findHeir: () => DATABASES + database,
      };
    });
    return store.rewrite(new Handovers(handovers), () => undefined);
  };
  console.log('  longest step at 10,000,000 checkpoints, ms CPU (bound 50):');
  for (const databases of [1, DATABASES]) {
    console.log(
      `    ${databases} of ${DATABASES} databases replaced ${findTypicalStep(() => handOver(databases))}`,
    );
  }
}
