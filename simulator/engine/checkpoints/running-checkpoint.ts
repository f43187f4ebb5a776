import type { Agenda } from '../time/agenda';
import type { CheckpointKind } from '../ledger/checkpoint-columns';
import type { Begun, Task } from './checkpoint-task';
import type { LedgerWriter } from '../ledger/ledger';
import type { LogStorms } from '../databases/log-storms';
import { extraLatencyMs, type DatabaseWork, type Writing } from '../databases/write-work';

/** Fewer writes than this do not slow the log down. The model's choice. */
const STORM_WRITES = 500;

/** A running checkpoint, as listeners see it. */
export type RunningCheckpoint = Pick<
  Running,
  'number' | 'work' | 'kind' | 'task' | 'beginUs' | 'endUs' | 'scanMs' | 'pages' | 'writes'
>;

export interface CheckpointListener {
  began(checkpoint: RunningCheckpoint): void;
  ended(checkpoint: RunningCheckpoint): void;
  stalled?(stall: StorageStall): void;
}

/** The storage stood still while a checkpoint wrote. */
export interface StorageStall {
  readonly checkpoint: RunningCheckpoint;
  readonly untilUs: number;
  readonly stallMs: number;
  /** Writes of the checkpoint that waited for all of it. */
  readonly dataWrites: number;
  /** Databases whose log waited too. */
  readonly loggers: readonly DatabaseWork[];
}

/** What a running checkpoint acts on. */
export interface CheckpointSurroundings {
  readonly agenda: Agenda;
  readonly works: readonly DatabaseWork[];
  readonly ledger: LedgerWriter;
  readonly storms: LogStorms;
  readonly listener: CheckpointListener;
}

export interface Plan {
  /** Part of the duration. */
  readonly stallMs: number;
  readonly scanMs: number;
  readonly pages: number;
  readonly writes: number;
  readonly durationMs: number;
}

interface Due {
  readonly work: DatabaseWork;
  readonly kind: CheckpointKind;
  readonly task: Task;
  readonly atUs: number;
  readonly dueUs: number;
  readonly plan: Plan;
}

/** A checkpoint from its begin, when this is made, to its end. The ledger and the database's own figures use it too. */
export class Running implements Begun, Writing {
  readonly number: number;
  readonly work: DatabaseWork;
  readonly kind: CheckpointKind;
  readonly task: Task;
  readonly beginUs: number;
  readonly endUs: number;
  readonly queuedUs: number;
  readonly scanMs: number;
  readonly pages: number;
  readonly writes: number;
  readonly fromUs: number;
  readonly backgroundPages: number;

  constructor(
    private readonly options: CheckpointSurroundings,
    { work, kind, task, atUs, dueUs, plan }: Due,
  ) {
    this.work = work;
    this.kind = kind;
    this.task = task;
    this.beginUs = atUs;
    this.endUs = atUs + Math.max(1, Math.round(plan.durationMs * 1000));
    this.queuedUs = atUs - dueUs;
    this.scanMs = plan.scanMs;
    this.pages = plan.pages;
    this.writes = plan.writes;
    this.fromUs = Math.min(this.endUs, atUs + Math.round(plan.scanMs * 1000));
    this.number = options.ledger.checkpointBegan(this);
    delayLogs(options.storms, this);
    this.backgroundPages = work.flush(atUs, this);
    options.listener.began(this);
    if (plan.stallMs > 0) this.enterStall(plan.stallMs);
  }

  /** In the middle of the writing. */
  private enterStall(stallMs: number): void {
    const { agenda, works, listener } = this.options;
    const stallUs = stallMs * 1000;
    agenda.enter(this.fromUs + Math.round((this.endUs - this.fromUs - stallUs) / 2) + stallUs, (untilUs) => {
      const dataWrites = 1 + (this.number % 32);
      const loggers = works.filter((work) => work.writesLog && work.database.state === 'ONLINE');
      for (const work of loggers) work.addLogStall(stallMs);
      this.work.addDataStall(stallMs, dataWrites);
      listener.stalled?.({ checkpoint: this, untilUs, stallMs, dataWrites, loggers });
    });
  }

  get databaseId(): number {
    return this.work.database.id;
  }

  get databaseName(): string {
    return this.work.database.name;
  }

  get untilUs(): number {
    return this.endUs;
  }

  end(): void {
    this.work.finish(this);
    this.options.ledger.checkpointEnded(this);
    this.options.listener.ended(this);
  }
}

/** The command that scans the buffer pool, as message 898 and buffer_pool_scan_complete name it. */
export function commandOf({ kind }: RunningCheckpoint): string {
  return kind === 'backup' ? 'BACKUP DATABASE' : 'CHECKPOINT';
}

/** While a checkpoint writes, log writes wait too (docs/facts.md, SQL Server 1, IO storm). */
export function delayLogs(storms: LogStorms, { fromUs, untilUs, writes }: Writing): void {
  if (writes < STORM_WRITES) return;
  const writesPerSecond = (writes * 1e6) / Math.max(1, untilUs - fromUs);
  storms.add({ fromUs, untilUs, extraMs: extraLatencyMs(writesPerSecond) });
}
