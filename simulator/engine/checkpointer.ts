import type { Agenda } from './agenda';
import { createSerialTask, type Begun, type SerialTask, type Task } from './checkpoint-task';
import type { CheckpointKind, LedgerWriter } from './ledger';
import * as physics from './physics';
import type { Random } from './random';
import type { DatabaseWork, Writing } from './write-work';

/** After this long a trigger that lay too far ahead is looked for again. */
const ASK_AGAIN_US = 3_600_000_000;
/** Fewer writes than this do not slow the log down. The model's choice. */
const STORM_WRITES = 500;

/** A checkpoint under way, as those who listen are told. */
export interface RunningCheckpoint {
  readonly number: number;
  readonly work: DatabaseWork;
  readonly kind: CheckpointKind;
  readonly task: Task;
  readonly beginUs: number;
  readonly endUs: number;
  readonly scanMs: number;
  readonly pages: number;
  readonly writes: number;
}

export interface CheckpointListener {
  began(checkpoint: RunningCheckpoint): void;
  ended(checkpoint: RunningCheckpoint): void;
}

export interface CheckpointerOptions {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly works: readonly DatabaseWork[];
  readonly bufferPoolGb: number;
  readonly recoveryIntervalMinutes: number;
  readonly background: Task;
  readonly recoveryWriter: Task;
  readonly ledger: LedgerWriter;
  readonly listener: CheckpointListener;
}

interface Plan {
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

/**
 * The two ways of SQL Server (docs/facts.md, SQL Server 1): automatic checkpoints, triggered by log records and run one after another on one background task,
 * and indirect ones, one short cycle after another on the recovery writer.
 */
export class Checkpointer {
  private readonly automatic: SerialTask;
  private readonly indirect: SerialTask;
  /** Rises when a database's checkpoints are planned anew, so that what was entered before is void. */
  private readonly generations = new Map<DatabaseWork, number>();

  constructor(private readonly options: CheckpointerOptions) {
    this.automatic = createSerialTask(options.background, options.agenda, options.random);
    this.indirect = createSerialTask(options.recoveryWriter, options.agenda, options.random);
  }

  /** Sets every database going, each somewhere within its cycle. */
  start(atUs: number): void {
    this.options.works.forEach((work) => this.schedule(work, atUs, this.options.random.unit()));
  }

  /** The target of a database has just changed: at once its checkpoints are of the other kind. */
  targetChanged(work: DatabaseWork, atUs: number): void {
    this.planAnew(work, atUs, this.options.random.between(0.05, 1));
  }

  /** CHECKPOINT [n]: runs on the caller's task, beside any other. @returns the checkpoint with its end */
  runManual(work: DatabaseWork, task: Task, atUs: number, durationSeconds: number | undefined): RunningCheckpoint {
    const natural = work.database.targetRecoverySeconds > 0 ? this.planRemainder(work, atUs) : this.planFull(work, atUs);
    // CHECKPOINT n asks for n seconds and may finish earlier or later (docs/facts.md, SQL Server 1); how far off is the model's choice.
    const askedMs = durationSeconds === undefined ? 0 : durationSeconds * 1000 * this.options.random.between(0.9, 1.05);
    const plan = { ...natural, durationMs: Math.max(natural.durationMs, askedMs) };
    const { running, end, endUs } = this.begin({ work, kind: 'manual', task, atUs, dueUs: atUs, plan });
    this.options.agenda.enter(endUs, end);
    // The count of log records towards the next automatic one starts over.
    if (work.database.targetRecoverySeconds === 0) this.planAnew(work, atUs, 1);
    return running;
  }

  private planAnew(work: DatabaseWork, atUs: number, share: number): void {
    this.generations.set(work, this.generationOf(work) + 1);
    this.schedule(work, atUs, share);
  }

  private generationOf(work: DatabaseWork): number {
    return this.generations.get(work) ?? 0;
  }

  /** @param share how much of a cycle is still to come */
  private schedule(work: DatabaseWork, atUs: number, share: number): void {
    const { state, isReadOnly, isInStandby, targetRecoverySeconds } = work.database;
    if (state !== 'ONLINE' || isReadOnly || isInStandby) return;
    if (targetRecoverySeconds > 0) this.scheduleIndirect(work, atUs, share);
    else this.scheduleAutomatic(work, atUs, share);
  }

  private scheduleAutomatic(work: DatabaseWork, sinceUs: number, share = 1): void {
    if (!work.writesLog) return;
    const generation = this.generationOf(work);
    const wanted =
      work.meter.recordsAt(sinceUs) + work.database.workload.logRecordsPerCheckpoint * this.options.recoveryIntervalMinutes * share;
    const seek = (fromUs: number): void => {
      if (this.generationOf(work) !== generation) return;
      const dueUs = work.meter.whenReached(wanted, fromUs);
      if (dueUs === undefined) this.options.agenda.enter(fromUs + ASK_AGAIN_US, seek);
      else this.options.agenda.enter(dueUs, () => this.enqueue(work, 'automatic', dueUs, generation));
    };
    seek(sinceUs);
  }

  private scheduleIndirect(work: DatabaseWork, sinceUs: number, share = 1): void {
    const generation = this.generationOf(work);
    const dueUs = sinceUs + Math.round(indirectCycleMs(work, this.options.random) * share * 1000);
    this.options.agenda.enter(dueUs, () => this.enqueue(work, 'indirect', dueUs, generation));
  }

  private enqueue(work: DatabaseWork, kind: 'automatic' | 'indirect', dueUs: number, generation: number): void {
    if (this.generationOf(work) !== generation) return;
    const serial = this[kind];
    serial.enqueue(dueUs, (atUs) => {
      if (this.generationOf(work) !== generation) return undefined;
      const plan = kind === 'automatic' ? this.planFull(work, atUs) : this.planRemainder(work, atUs);
      const begun = this.begin({ work, kind, task: serial.task, atUs, dueUs, plan });
      this.schedule(work, atUs, 1);
      return begun;
    });
  }

  private planFull(work: DatabaseWork, atUs: number): Plan {
    const pages = work.dirtyAt(atUs);
    const writes = physics.countWrites(pages, work.database.workload.pagesPerWrite);
    const scanMs = physics.scanMs(this.options.bufferPoolGb) * this.options.random.factor(physics.SCAN_SPREAD);
    return {
      scanMs,
      pages,
      writes,
      durationMs: scanMs + physics.writeMs(pages, writes) * this.options.random.factor(physics.WRITE_SPREAD),
    };
  }

  private planRemainder(work: DatabaseWork, atUs: number): Plan {
    const pages = work.remainderAt(atUs);
    const writes = physics.countWrites(pages, work.database.workload.pagesPerWrite);
    const idleMs = this.options.random.between(...physics.IDLE_CHECKPOINT_MS);
    return { scanMs: 0, pages, writes, durationMs: idleMs + physics.writeMs(pages, writes) };
  }

  private begin({ work, kind, task, atUs, dueUs, plan }: Due): Begun & { readonly running: RunningCheckpoint } {
    const { ledger, listener, works } = this.options;
    const { id: databaseId, name: databaseName } = work.database;
    const { scanMs, pages, writes } = plan;
    const endUs = atUs + Math.max(1, Math.round(plan.durationMs * 1000));
    const number = ledger.checkpointBegan({ databaseId, databaseName, kind });
    const running: RunningCheckpoint = { number, work, kind, task, beginUs: atUs, endUs, scanMs, pages, writes };
    const writing: Writing = { fromUs: Math.min(endUs, atUs + Math.round(scanMs * 1000)), untilUs: endUs, pages, writes };
    const storm = writes >= STORM_WRITES ? watchLogs(works, writing, atUs) : undefined;
    const backgroundPages = work.flush(atUs, writing);
    listener.began(running);
    const end = (): void => {
      work.finish(writing);
      storm?.();
      const times = {
        beginUtcMs: Math.floor(atUs / 1000),
        endUtcMs: Math.floor(endUs / 1000),
        beginUs: atUs,
        endUs,
        queuedMs: Math.floor((atUs - dueUs) / 1000),
      };
      const { activityId, sessionId } = task;
      ledger.checkpointEnded({
        number,
        databaseId,
        databaseName,
        kind,
        activityId,
        sessionId,
        ...times,
        scanMs: Math.round(scanMs),
        pages,
        writes,
        backgroundPages,
      });
      listener.ended(running);
    };
    return { endUs, end, running };
  }
}

/** Time from one indirect checkpoint of a database to the next, from the published cycle; how it follows other targets than 60 seconds is the model's choice. */
function indirectCycleMs(work: DatabaseWork, random: Random): number {
  const { activity, logRecordsPerCheckpoint, logRecordsPerSecond } = work.database.workload;
  if (activity === 'idle') return random.between(...physics.IDLE_INDIRECT_CYCLE_MS);
  const [shortest, longest] = physics.INDIRECT_CYCLE_MS;
  const automaticMs = (logRecordsPerCheckpoint / logRecordsPerSecond) * 1000;
  const byTarget = Math.min(4, Math.max(0.25, work.database.targetRecoverySeconds / 60));
  return Math.min(longest, Math.max(shortest, automaticMs * physics.INDIRECT_CYCLE_SHARE)) * byTarget * random.between(0.9, 1.1);
}

/** Log writes wait with a checkpoint's (docs/facts.md, SQL Server 1, IO storm). @returns what to call at the checkpoint's end */
function watchLogs(works: readonly DatabaseWork[], writing: Writing, beginUs: number): () => void {
  const active = works.filter((work) => work.writesLog);
  const before = active.map((work) => work.transactionsAt(beginUs));
  const share = (writing.untilUs - writing.fromUs) / Math.max(1, writing.untilUs - beginUs);
  const writesPerSecond = (writing.writes * 1e6) / Math.max(1, writing.untilUs - writing.fromUs);
  return () =>
    active.forEach((work, i) => work.addLogStall((work.transactionsAt(writing.untilUs) - (before[i] ?? 0)) * share, writesPerSecond));
}
