import assert from 'node:assert/strict';
import { findUnaccountedRows } from '../../../src/core/capture/ledger';
import { computeStatistics } from '../../core/finished';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import type { Simulator } from '../../../simulator/index';
import { readTruth, type Truth } from '../../e2e/ledger-truth';

const always = { beginUtcMs: -Infinity, endUtcMs: Infinity };

/** What our capture says of each database that had checkpoints, in the ledger's own terms. */
export function listCaptured({ capture }: Pick<ServerMonitor, 'capture'>): readonly Truth[] {
  if (capture === null || capture.observation === null) return [];
  return computeStatistics(capture.columns, capture.databases.length, always, capture.observation)
    .filter(({ count }) => count > 0)
    .map(({ database, count, totalMs, maximumMs }) => ({
      databaseId: capture.databases[database]?.databaseId ?? 0,
      count,
      totalMs,
      maximumMs: maximumMs ?? 0,
    }))
    .sort((a, b) => a.databaseId - b.databaseId);
}

/** Holds a capture to the ledger of the server: every row is accounted for, and each database had these checkpoints and no others. */
export function assertWholeCapture(monitor: Pick<ServerMonitor, 'capture'>, { server }: Simulator): void {
  assert.ok(monitor.capture !== null && findUnaccountedRows(monitor.capture.ledger()) === 0);
  const truth = readTruth(server.ledger);
  assert.ok(truth.length > 0);
  assert.deepEqual(listCaptured(monitor), truth);
}
