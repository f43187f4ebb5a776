/** Events that became no checkpoint, and why. They are listed, never guessed at. */
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

export type UnpairedReason =
  | 'begin without end'
  | 'end without begin'
  | 'overlap'
  | 'overlap without activity id'
  | 'across a gap'
  | 'clock moved back'
  | 'too long'
  | 'arrived late'
  | 'database replaced';

export interface UnpairedEvent {
  readonly databaseId: number;
  readonly atUtcMs: number;
  readonly kind: 'begin' | 'end';
  readonly reason: UnpairedReason;
}

/** Each reason as a sentence for the screen. */
export const UNPAIRED_SENTENCES: Readonly<Record<UnpairedReason, string>> = {
  'begin without end': 'The checkpoint began, but its end was never seen.',
  'end without begin': 'The checkpoint ended, but its begin was never seen.',
  overlap: 'Checkpoints of this database overlapped within one task: which end belongs to which begin can not be told.',
  'overlap without activity id':
    'Checkpoints of this database overlapped, and the session records no activity id: which end belongs to which begin can not be told.',
  'across a gap': 'Between begin and end lies time in which events were lost, so they may belong to two checkpoints.',
  'clock moved back': 'The end is dated before its begin: the clock of the server was moved back in between.',
  'too long': 'Begin and end are more than 49 days apart: the clock of the server was moved, or the end belongs to another checkpoint.',
  'arrived late': 'The event arrived after later events of the same checkpoint task had been paired.',
  'database replaced':
    'About that time the database was dropped and its database_id given to another one, so that begin and end may belong to two databases.',
};

/** In the order of their numbers. */
export const UNPAIRED_REASONS = Object.keys(UNPAIRED_SENTENCES) as readonly UnpairedReason[];

/** Unpaired events in columns: 13 bytes each, because a session that lost its begins can hold as many of them as checkpoints. */
export class UnpairedStore {
  private rows = 0;
  private atUtcMs = new Float64Array(64);
  private databaseId = new Int32Array(64);
  /** Twice the reason's index, plus 1 for an end. */
  private code = new Uint8Array(64);
  private readonly blocks = new TimeBlocks();
  /** How many there are, by the reason's index; and the reasons that there are, in the order in which they were first met. */
  private readonly counts: number[] = UNPAIRED_REASONS.map(() => 0);
  private readonly met: number[] = [];

  get count(): number {
    return this.rows;
  }

  get bytesHeld(): number {
    return this.atUtcMs.byteLength + this.databaseId.byteLength + this.code.byteLength + this.blocks.bytesHeld;
  }

  append(isEnd: boolean, databaseId: number, atUtcMs: number, reason: UnpairedReason): void {
    if (this.rows === this.code.length) this.grow();
    this.atUtcMs[this.rows] = atUtcMs;
    this.databaseId[this.rows] = databaseId;
    const index = UNPAIRED_REASONS.indexOf(reason);
    this.code[this.rows] = index * 2 + (isEnd ? 1 : 0);
    this.blocks.append(this.rows, atUtcMs, atUtcMs);
    this.rows++;
    const before = this.counts[index] as number;
    this.counts[index] = before + 1;
    if (before === 0) this.met.push(index);
  }

  /** The columns as they are; a view. */
  keep(): UnpairedColumns {
    return { rows: this.rows, atUtcMs: this.atUtcMs, databaseId: this.databaseId, reason: this.code };
  }

  /** Takes rows kept earlier, into an empty store, in steps; `reasons` says what their numbers mean. */
  *restore(columns: UnpairedColumns, reasons: readonly UnpairedReason[]): Steps<void> {
    for (let row = 0; row < columns.rows; row++) {
      if (row > 0 && row % ROWS_A_STEP === 0) yield;
      const code = columns.reason[row] as number;
      const reason = reasons[code >> 1] ?? 'begin without end';
      this.append((code & 1) === 1, columns.databaseId[row] as number, columns.atUtcMs[row] as number, reason);
    }
  }

  /** Rows `from` to `to`, in the order in which they were given up. */
  list(from = 0, to = this.rows): UnpairedEvent[] {
    const events: UnpairedEvent[] = [];
    for (let row = from; row < Math.min(to, this.rows); row++) events.push(this.at(row));
    return events;
  }

  /** Visits every event between the times, both included, and a few others. */
  visitBetween(fromUtcMs: number, toUtcMs: number, visit: (isEnd: boolean, databaseId: number, atUtcMs: number) => void): void {
    this.blocks.visit(this.rows, fromUtcMs, toUtcMs, (fromRow, toRow) => {
      for (let row = fromRow; row < toRow; row++) {
        visit(((this.code[row] as number) & 1) === 1, this.databaseId[row] as number, this.atUtcMs[row] as number);
      }
    });
  }

  /** Without a look at the events: they are counted as they come. */
  countByReason(): ReadonlyMap<UnpairedReason, number> {
    return new Map(this.met.map((index) => [UNPAIRED_REASONS[index] as UnpairedReason, this.counts[index] as number]));
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
    const [atUtcMs, databaseId, code] = [new Float64Array(capacity), new Int32Array(capacity), new Uint8Array(capacity)];
    atUtcMs.set(this.atUtcMs);
    databaseId.set(this.databaseId);
    code.set(this.code);
    [this.atUtcMs, this.databaseId, this.code] = [atUtcMs, databaseId, code];
  }
}
