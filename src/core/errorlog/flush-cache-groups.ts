/** FlushCache messages put together from their lines while a log is read, process by process; holds no more than one run of lines of each. */
import type { PlacedRow } from './error-log-row';
import type { GroupLine, GroupState, OpenGroup } from './flush-cache-group';
import type { FlushCacheLine } from './flush-cache-line';
import { type Direction, findPlainMessage, MESSAGE_SPAN_MS, solveRun } from './flush-cache-run';

/** A run that time does not end, where many short checkpoints are printed or dates cannot be read, is cut behind its last whole message. */
const LONGEST_RUN = 128;

interface GroupSink {
  readonly found: (group: OpenGroup, state: GroupState) => void;
  /** A row with a line that belongs to no message. */
  readonly stray: (row: PlacedRow) => void;
}

interface GroupAssembler {
  take(row: PlacedRow, line: FlushCacheLine): void;
  /** Settles what is left. */
  end(): void;
}

export function assembleGroups(sink: GroupSink): GroupAssembler {
  const runs = new Map<string, GroupLine[]>();
  const seen = { forward: 0, backward: 0 };
  const settlePlain = (run: GroupLine[], next: GroupLine): void => {
    const plain = findPlainMessage(run, next);
    if (!plain) return;
    if (plain.direction !== null) seen[plain.direction]++;
    sink.found(plain.group, plain.state);
    run.length = 0;
  };
  const settle = (lines: readonly GroupLine[]): void => {
    const usual: Direction = seen.backward > seen.forward ? 'backward' : 'forward';
    const { groups, strays } = solveRun(lines, usual);
    for (const { group, state, direction } of groups) {
      if (state === 'whole' && direction !== null) seen[direction]++;
      sink.found(group, state);
    }
    for (const { row } of strays) sink.stray(row);
  };
  return {
    take(row, line) {
      const process = row.processInfo.trim().toLowerCase();
      const run = runs.get(process) ?? [];
      if (run.length >= 3) settlePlain(run, { row, line });
      if (!isSameRun(run[run.length - 1]?.row, row)) settle(run.splice(0));
      if (run.length >= LONGEST_RUN) settle(run.splice(0, findCut(run)));
      run.push({ row, line });
      runs.set(process, run);
    },
    end() {
      for (const run of runs.values()) settle(run);
      runs.clear();
    },
  };
}

function isSameRun(last: PlacedRow | undefined, next: PlacedRow): boolean {
  if (last === undefined || last.orderMs === null || next.orderMs === null) return true;
  return Math.abs(next.orderMs - last.orderMs) <= MESSAGE_SPAN_MS;
}

/** How many lines can be settled now: all up to the last whole message, or all. */
function findCut(run: readonly GroupLine[]): number {
  const whole = solveRun(run, 'forward').groups.filter(({ state }) => state === 'whole');
  return whole.length > 1 ? (whole[whole.length - 2]?.end ?? 0) + 1 : run.length;
}
