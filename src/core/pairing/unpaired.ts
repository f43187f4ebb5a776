/** Events that became no checkpoint, and why. They are listed; nothing is guessed. */
import { lengthen } from '../number-columns';
import { ROWS_A_STEP, type Steps } from '../steps';
import { TimeBlocks } from '../time-blocks';

/** Events that became no checkpoint; 13 bytes each. */
export interface UnpairedColumns {
  readonly rows: number;
  readonly atUtcMs: Float64Array;
  readonly databaseId: Int32Array;
  /** Twice the reason's place in `unpairedReasons`, plus 1 for an end. */
  readonly reason: Uint8Array;
}

/** Why an event became no checkpoint. The numbers that are kept follow this order. */
export const UNPAIRED_REASONS = [
  'begin without end',
  'end without begin',
  /** Only in captures that earlier versions kept. */
  'overlap',
  /** Checkpoints of one database overlapped: nothing tells which end belongs to which begin. */
  'overlap without activity id',
  /** Events between begin and end were lost, so the two may belong to two checkpoints. */
  'across a gap',
  'clock moved back',
  /** More than 49 days: the clock of the server was moved, or the end belongs to another checkpoint. */
  'too long',
  /** It arrived after later events of the same task had been paired. */
  'arrived late',
  /** Its database_id was given to another database about then, so begin and end may belong to two. */
  'database replaced',
] as const;

export type UnpairedReason = (typeof UNPAIRED_REASONS)[number];

export interface UnpairedEvent {
  readonly databaseId: number;
  readonly atUtcMs: number;
  readonly kind: 'begin' | 'end';
  readonly reason: UnpairedReason;
}

/** Begins whose end may still come, and until when all events were looked at. */
export interface OpenBegins {
  readonly begins: readonly UnpairedEvent[];
  readonly untilUtcMs: number;
}

/** Unpaired events in columns: a session that lost its begins can have as many of them as checkpoints. */
export class UnpairedStore {
  private rows = 0;
  private atUtcMs = new Float64Array(64);
  private databaseId = new Int32Array(64);
  /** Twice the reason's index, plus 1 for an end. */
  private code = new Uint8Array(64);
  private readonly blocks = new TimeBlocks();

  get count(): number {
    return this.rows;
  }

  append(isEnd: boolean, databaseId: number, atUtcMs: number, reason: UnpairedReason): void {
    if (this.rows === this.code.length) this.grow();
    this.atUtcMs[this.rows] = atUtcMs;
    this.databaseId[this.rows] = databaseId;
    this.code[this.rows] = UNPAIRED_REASONS.indexOf(reason) * 2 + (isEnd ? 1 : 0);
    this.blocks.append(this.rows, atUtcMs, atUtcMs);
    this.rows++;
  }

  /** A view of the columns. */
  keep(): UnpairedColumns {
    return { rows: this.rows, atUtcMs: this.atUtcMs, databaseId: this.databaseId, reason: this.code };
  }

  /** Restores rows kept earlier, into an empty store, in steps; `reasons` says what their numbers mean. */
  *restore(columns: UnpairedColumns, reasons: readonly UnpairedReason[]): Steps<void> {
    for (let row = 0; row < columns.rows; row++) {
      if (row > 0 && row % ROWS_A_STEP === 0) yield;
      const code = columns.reason[row] as number;
      const reason = reasons[code >> 1] ?? 'begin without end';
      this.append(
        (code & 1) === 1,
        columns.databaseId[row] as number,
        columns.atUtcMs[row] as number,
        reason,
      );
    }
  }

  /** Rows `from` to `to`, in the order in which they were given up. */
  list(from = 0, to = this.rows): UnpairedEvent[] {
    const events: UnpairedEvent[] = [];
    for (let row = from; row < Math.min(to, this.rows); row++) events.push(this.at(row));
    return events;
  }

  /** Visits every event between the times, both included, and a few others. */
  visitBetween(
    fromUtcMs: number,
    toUtcMs: number,
    visit: (isEnd: boolean, databaseId: number, atUtcMs: number) => void,
  ): void {
    this.blocks.visit(this.rows, fromUtcMs, toUtcMs, (fromRow, toRow) => {
      for (let row = fromRow; row < toRow; row++) {
        visit(
          ((this.code[row] as number) & 1) === 1,
          this.databaseId[row] as number,
          this.atUtcMs[row] as number,
        );
      }
    });
  }

  private at(row: number): UnpairedEvent {
    const code = this.code[row] ?? 0;
    return {
      databaseId: this.databaseId[row] ?? 0,
      atUtcMs: this.atUtcMs[row] ?? 0,
      kind: code & 1 ? 'end' : 'begin',
      reason: UNPAIRED_REASONS[code >> 1] ?? 'begin without end',
    };
  }

  private grow(): void {
    const capacity = this.code.length * 2;
    this.atUtcMs = lengthen(this.atUtcMs, capacity);
    this.databaseId = lengthen(this.databaseId, capacity);
    this.code = lengthen(this.code, capacity);
  }
}
