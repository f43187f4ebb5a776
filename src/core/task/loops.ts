import { callerOfRow, type CheckpointColumns } from '../capture/checkpoint-columns';
import { isSessionCaller, sessionOfCaller } from '../events/event-register';
import { orderRows } from '../statistics/row-order';
import { ROWS_A_STEP, type Steps } from '../steps';

/** From here on databases are many: our own number. */
export const FEWEST_DATABASES = 5;
/** Between two checkpoints of a loop there is no longer pause: our own number. */
const MOST_PAUSE_MS = 60_000;

/** One walk of a session through many databases, with a checkpoint of each. */
export interface CheckpointLoop {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  readonly databases: number;
  /** null: not recorded. */
  readonly sessionId: number | null;
}

/**
 * The loops of CHECKPOINT that sessions ran, in order of their ends, whatever kind of checkpoints the databases use. A
 * loop that goes through the databases again is another one. If the events do not say who asked, none is known.
 * @param isOther whether a backup or a snapshot explains that checkpoint
 */
export function* findLoops(
  columns: CheckpointColumns,
  isOther: (row: number) => boolean,
): Steps<readonly CheckpointLoop[]> {
  const rows = yield* orderRows(
    columns,
    (row) => isSessionCaller(callerOfRow(columns, row)) && !isOther(row),
  );
  const loops: CheckpointLoop[] = [];
  const open = new Map<
    number,
    { beginUtcMs: number; endUtcMs: number; last: number; readonly databases: Set<number> }
  >();
  const close = (session: number): void => {
    const one = open.get(session);
    open.delete(session);
    if (one === undefined || one.databases.size < FEWEST_DATABASES) return;
    const { beginUtcMs, endUtcMs, databases } = one;
    loops.push({ beginUtcMs, endUtcMs, databases: databases.size, sessionId: session > 0 ? session : null });
  };
  for (let i = 0; i < rows.length; i++) {
    if (i % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    const row = rows[i] ?? 0;
    const [begin, database] = [columns.beginUtcMs[row] ?? 0, columns.database[row] ?? 0];
    // Each CHECKPOINT may have been sent by itself, and then is a task by itself.
    const session = sessionOfCaller(callerOfRow(columns, row)) || -(columns.task?.[row] ?? 0);
    const before = open.get(session);
    // Twice in a row is one step of a walk.
    const isAgain = before !== undefined && before.last !== database && before.databases.has(database);
    if (before !== undefined && (isAgain || begin - before.endUtcMs > MOST_PAUSE_MS)) close(session);
    const one = open.get(session) ?? {
      beginUtcMs: begin,
      endUtcMs: begin,
      last: database,
      databases: new Set<number>(),
    };
    one.last = database;
    one.endUtcMs = Math.max(one.endUtcMs, begin + (columns.durationMs[row] ?? 0));
    one.databases.add(database);
    open.set(session, one);
  }
  for (const session of [...open.keys()]) close(session);
  return loops.sort((a, b) => a.endUtcMs - b.endUtcMs);
}
