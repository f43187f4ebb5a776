/**
 * Goal 11, the capture's part: 1,000 new events on ten million checkpoints against the same on ten thousand, and the
 * same events read again.
 */
import { type Capture, createCapture, restoreCapture } from '../src/core/capture/capture';
import type { EventRow } from '../src/core/events/event';
import { findMedian, printGoal } from './contest';
import { BEGIN_UTC_MS, createEventRows, EVENT_MS } from './event-rows';
import { finishSteps } from '../src/core/steps';

const PAGE = 1000;
const PAGES = 41;
const DATABASES = 500;

/** A capture that already has this many checkpoints, all before BEGIN_UTC_MS. */
function createHistory(rows: number): Capture {
  const columns = {
    rows,
    beginUtcMs: new Float64Array(rows),
    durationMs: new Uint32Array(rows),
    database: new Uint16Array(rows),
  };
  for (let row = 0; row < rows; row++) {
    columns.beginUtcMs[row] = BEGIN_UTC_MS - (rows - row) * 2 * EVENT_MS;
    columns.durationMs[row] = EVENT_MS;
    columns.database[row] = row % DATABASES;
  }
  const { plain, ...rest } = createCapture({ id: 'history' }).keepState();
  const databases = Array.from({ length: DATABASES }, (_, i) => {
    const open = {
      fromUtcMs: null,
      toUtcMs: null,
      seenUtcMs: null,
      seenOffsetMinutes: null,
      firstEventUtcMs: null,
    };
    return { databaseId: i + 5, createdLocal: null, name: null, ...open };
  });
  return finishSteps(
    restoreCapture({ plain: { ...plain, databases, horizonUtcMs: BEGIN_UTC_MS }, ...rest, columns }),
  );
}

export function benchHistory(): void {
  console.log('\nGoal 11, capture: 1,000 new events');
  const rows = createEventRows(PAGE * PAGES, DATABASES, 'own');
  const histories = [10_000, 10_000_000].map(createHistory);
  const read = histories.map(() => [] as number[]);
  const readAgain = histories.map(() => [] as number[]);
  for (let page = 0; page < PAGES; page++) {
    const events = rows.slice(page * PAGE, (page + 1) * PAGE);
    const horizonUtcMs = BEGIN_UTC_MS + (page + 1) * PAGE * EVENT_MS;
    histories.forEach((capture, i) => {
      read[i]?.push(measure(capture, events, horizonUtcMs));
      readAgain[i]?.push(measure(capture, events, horizonUtcMs));
    });
  }
  const medians = [...read, ...readAgain].map((times) => findMedian(times.slice(PAGES >> 2)));
  console.log(
    `  history of     10,000: ${medians[0]?.toFixed(3)} ms; read again ${medians[2]?.toFixed(3)} ms`,
  );
  console.log(
    `  history of 10,000,000: ${medians[1]?.toFixed(3)} ms; read again ${medians[3]?.toFixed(3)} ms`,
  );
  if (histories.some((capture) => capture.ledger().duplicates !== PAGE * PAGES))
    throw new Error('Events read again are not known again.');
  printGoal('10 million against 10 thousand', (medians[1] ?? NaN) / (medians[0] ?? NaN), 2, 1.1, true);
}

function measure(capture: Capture, events: readonly EventRow[], horizonUtcMs: number): number {
  const begun = performance.now();
  capture.append(events);
  capture.settle(horizonUtcMs);
  return performance.now() - begun;
}
