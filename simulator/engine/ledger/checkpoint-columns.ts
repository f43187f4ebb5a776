export type CheckpointKind = 'automatic' | 'indirect' | 'manual' | 'backup';

export interface CheckpointEntry {
  /** Counts checkpoints by their begin, from 1. */
  readonly number: number;
  readonly databaseId: number;
  readonly databaseName: string;
  readonly kind: CheckpointKind;
  /**
   * The task that ran it: one for all automatic ones, one for the recovery writer, one for each manual one, one for
   * each run of a backup job.
   */
  readonly activityId: string;
  readonly sessionId: number;
  /** As in Extended Events, cut to the millisecond. */
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  /** The same, unrounded, in microseconds. */
  readonly beginUs: number;
  readonly endUs: number;
  /** Time between being due and beginning. */
  readonly queuedMs: number;
  readonly scanMs: number;
  /** Pages and writes of the checkpoint itself. */
  readonly pages: number;
  readonly writes: number;
  /** Pages that the recovery writer wrote since the checkpoint before. */
  readonly backgroundPages: number;
}

export interface BegunCheckpoint {
  readonly databaseId: number;
  readonly databaseName: string;
  readonly kind: CheckpointKind;
  readonly beginUs: number;
}

export interface EndedCheckpoint {
  readonly number: number;
  readonly task: { readonly activityId: string; readonly sessionId: number };
  readonly endUs: number;
  readonly queuedUs: number;
  readonly scanMs: number;
  readonly pages: number;
  readonly writes: number;
  readonly backgroundPages: number;
}

/** Checkpoints by number, some 45 bytes each, in blocks that are never moved: millions of them leave no garbage. */
export class CheckpointColumns {
  private readonly blocks: Block[] = [];
  private readonly databases: { readonly databaseId: number; readonly databaseName: string }[] = [];
  private readonly databaseIndexOf = new Map<number, number>();
  private readonly tasks: EndedCheckpoint['task'][] = [];
  private readonly taskIndexOf = new Map<EndedCheckpoint['task'], number>();
  /** Checkpoints that have begun. */
  count = 0;
  endedCount = 0;

  /** @returns the checkpoint's number */
  begin(begun: BegunCheckpoint): number {
    const at = this.count % BLOCK_ROWS;
    if (at === 0) this.blocks.push(new Block());
    const block = this.blockOf(this.count);
    block.databases[at] = this.indexOfDatabase(begun);
    block.kinds[at] = KINDS.indexOf(begun.kind);
    block.beginUs[at] = begun.beginUs;
    this.count += 1;
    return this.count;
  }

  end(ended: EndedCheckpoint): void {
    const at = (ended.number - 1) % BLOCK_ROWS;
    const block = this.blockOf(ended.number - 1);
    block.endUs[at] = ended.endUs;
    block.tasks[at] = this.indexOfTask(ended.task);
    block.queuedMs[at] = Math.floor(ended.queuedUs / 1000);
    block.scanMs[at] = Math.round(ended.scanMs);
    block.pages[at] = ended.pages;
    block.writes[at] = ended.writes;
    block.backgroundPages[at] = ended.backgroundPages;
    this.endedCount += 1;
  }

  /** Its database, and when it began. */
  begun(number: number): BegunCheckpoint {
    const at = (number - 1) % BLOCK_ROWS;
    const block = this.blockOf(number - 1);
    const database = this.databases[block.databases[at] as number] as (typeof this.databases)[number];
    return {
      ...database,
      kind: KINDS[block.kinds[at] as number] as CheckpointKind,
      beginUs: block.beginUs[at] as number,
    };
  }

  /** NaN until it has ended. */
  endUs(number: number): number {
    const endUs = this.blockOf(number - 1).endUs[(number - 1) % BLOCK_ROWS] as number;
    return endUs === 0 ? Number.NaN : endUs;
  }

  /** All of a checkpoint; undefined until it has ended. */
  entry(number: number): CheckpointEntry | undefined {
    const endUs = this.endUs(number);
    if (Number.isNaN(endUs)) return undefined;
    const at = (number - 1) % BLOCK_ROWS;
    const block = this.blockOf(number - 1);
    const { databaseId, databaseName, kind, beginUs } = this.begun(number);
    const { activityId, sessionId } = this.tasks[block.tasks[at] as number] as EndedCheckpoint['task'];
    const whole = (column: Uint32Array): number => column[at] as number;
    return {
      number,
      databaseId,
      databaseName,
      kind,
      activityId,
      sessionId,
      beginUtcMs: Math.floor(beginUs / 1000),
      endUtcMs: Math.floor(endUs / 1000),
      beginUs,
      endUs,
      queuedMs: whole(block.queuedMs),
      scanMs: whole(block.scanMs),
      pages: whole(block.pages),
      writes: whole(block.writes),
      backgroundPages: whole(block.backgroundPages),
    };
  }

  private blockOf(row: number): Block {
    const block = this.blocks[Math.floor(row / BLOCK_ROWS)];
    if (block === undefined) throw new RangeError(`no checkpoint ${row + 1}`);
    return block;
  }

  /** After a rename, checkpoints already written keep the old name of the database. */
  private indexOfDatabase({ databaseId, databaseName }: BegunCheckpoint): number {
    const known = this.databaseIndexOf.get(databaseId);
    if (known !== undefined && this.databases[known]?.databaseName === databaseName) return known;
    this.databaseIndexOf.set(databaseId, this.databases.length);
    return this.databases.push({ databaseId, databaseName }) - 1;
  }

  private indexOfTask(task: EndedCheckpoint['task']): number {
    const known = this.taskIndexOf.get(task);
    if (known !== undefined) return known;
    this.taskIndexOf.set(task, this.tasks.length);
    return this.tasks.push(task) - 1;
  }
}

const KINDS: readonly CheckpointKind[] = ['automatic', 'indirect', 'manual', 'backup'];
const BLOCK_ROWS = 16_384;

class Block {
  readonly beginUs = new Float64Array(BLOCK_ROWS);
  readonly endUs = new Float64Array(BLOCK_ROWS);
  readonly databases = new Uint32Array(BLOCK_ROWS);
  readonly tasks = new Uint32Array(BLOCK_ROWS);
  readonly queuedMs = new Uint32Array(BLOCK_ROWS);
  readonly scanMs = new Uint32Array(BLOCK_ROWS);
  readonly pages = new Uint32Array(BLOCK_ROWS);
  readonly writes = new Uint32Array(BLOCK_ROWS);
  readonly backgroundPages = new Uint32Array(BLOCK_ROWS);
  readonly kinds = new Uint8Array(BLOCK_ROWS);
}

/** A set of whole numbers, one bit each. */
export class NumberSet {
  private bits = new Uint8Array(1024);

  add(number: number): void {
    const at = number >> 3;
    if (at >= this.bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    this.bits[at] = (this.bits[at] as number) | (1 << (number & 7));
  }

  has(number: number): boolean {
    return ((this.bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}
