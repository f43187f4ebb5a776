/** What a line of the sheet of keys is tried on. */
import assert from 'node:assert/strict';
import type { DashboardPage, TimeInView } from './dashboard-page';
import type { TrueCheckpoints } from './ledger-truth';

export interface SheetWorld {
  readonly dashboard: DashboardPage;
  readonly truth: TrueCheckpoints;
  /** What is in view when the line is tried. */
  readonly middle: TimeInView;
}

/** @param cap text of the key cap that is tried; of the pointer the whole gesture */
export type SheetAct = (world: SheetWorld, cap: string) => Promise<void>;

/** Bounds in view are written to the second. */
const NEAR_MS = 1_500;

export function assertNear(actual: number, expected: number, what: string, toleranceMs = NEAR_MS): void {
  assert.ok(Math.abs(actual - expected) <= toleranceMs, `${what}: ${actual}, expected about ${expected}`);
}
