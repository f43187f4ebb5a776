import assert from 'node:assert/strict';
import type { CaptureRecord } from '../../../src/core/capture/capture-record';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import type { TrueCheckpoint } from './histories';

/**
 * Holds a capture to what happened: every checkpoint in it happened so, as often, with that begin and end; every one of
 * the observed time that is not in it touches a gap; every row is accounted for.
 */
export function assertTrueCapture(capture: CaptureRecord | null, truth: Iterable<TrueCheckpoint>): void {
  assert.ok(capture !== null);
  assert.equal(findUnaccountedRows(capture.ledger()), 0);
  const { columns, databases, observation } = capture;
  const {
    beginUtcMs: fromUtcMs,
    endUtcMs: toUtcMs,
    gaps,
  } = observation ?? { beginUtcMs: 0, endUtcMs: 0, gaps: [] };
  const captured = new Set<string>();
  for (let row = 0; row < columns.rows; row++) {
    const beginUtcMs = columns.beginUtcMs[row]!;
    const { databaseId } = databases[columns.database[row]!]!;
    captured.add(keyOf({ databaseId, beginUtcMs, endUtcMs: beginUtcMs + columns.durationMs[row]! }));
  }
  assert.equal(captured.size, columns.rows, 'one was captured twice');
  const missing: string[] = [];
  for (const one of truth) {
    const { beginUtcMs, endUtcMs } = one;
    if (captured.delete(keyOf(one))) continue;
    const isObserved = beginUtcMs >= fromUtcMs && endUtcMs < toUtcMs;
    if (isObserved && !gaps.some((gap) => beginUtcMs <= gap.endUtcMs && gap.beginUtcMs <= endUtcMs))
      missing.push(keyOf(one));
  }
  assert.deepEqual(
    [[...captured].slice(0, 5), missing.slice(0, 5)],
    [[], []],
    'never happened; missing, and in no gap',
  );
}

const keyOf = ({ databaseId, beginUtcMs, endUtcMs }: TrueCheckpoint): string =>
  `${databaseId} ${beginUtcMs} ${endUtcMs}`;
