/** Which way the rows of a log run through time, and where time ran against them. */
import type { PlacedRow } from './error-log-row';
import type { ClockJump } from './server-clock';

/** Rows of one moment are written a few hundredths of a second out of order. */
const JUMP_MS = 60_000;
const MOST_JUMPS = 1_000;

interface RowOrder {
  take(row: PlacedRow): void;
  end(): { readonly jumps: readonly ClockJump[]; readonly isNewestFirst: boolean };
}

export function watchRowOrder(): RowOrder {
  const [back, ahead]: [ClockJump[], ClockJump[]] = [[], []];
  const steps = { up: 0, down: 0 };
  let last: number | null = null;
  return {
    take({ localMs, line }) {
      if (localMs === null) return;
      const before = last;
      last = localMs;
      if (before === null || before === localMs) return;
      steps[localMs > before ? 'up' : 'down']++;
      const jumps = localMs > before ? ahead : back;
      // Ahead is the usual way of a log that runs oldest first: only what may be an hour is of interest.
      if (Math.abs(localMs - before) >= JUMP_MS && Math.abs(localMs - before) <= 2 * 60 * JUMP_MS && jumps.length < MOST_JUMPS)
        jumps.push({ line, beforeLocalMs: before, afterLocalMs: localMs });
    },
    end() {
      const isNewestFirst = steps.down > steps.up;
      return { jumps: isNewestFirst ? ahead : back, isNewestFirst };
    },
  };
}
