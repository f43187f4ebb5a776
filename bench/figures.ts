/**
 * Goal 11 of bench/README.md, the figures' part: a refresh after 1,000 new events, with ten million checkpoints against
 * ten thousand. Run: npm run bench -- figures
 */
import { RunningStatistics } from '../src/core/statistics/running-statistics';
import { finishSteps } from '../src/core/steps';
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
    finishSteps(
      running.refresh({
        columns: { ...columns, rows: held },
        generation: 1,
        databases: DATABASES,
        observation,
        automatic,
      }),
    );
    held += NEW_ROWS;
    return performance.now() - begun;
  };
  return { firstMs: refresh(), refresh, running, rows };
}

function benchRefresh(): void {
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
}

benchRefresh();
