import type { Agenda } from './agenda';
import { createSerialTask, type Task } from './checkpoint-task';
import type { CheckpointEntry, CheckpointKind, LedgerWriter } from './ledger';
import * as physics from './physics';
import type { Random } from './random';
import type { DatabaseWork, Writing } from './write-work';

/** The hour after which a trigger that lay too far ahead is looked for again. */
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

export interface Checkpointer {
  /** Sets every database going. */
  start(atUs: number): void;
  /** The target of a database has just changed: at once its checkpoints are of the other kind. */
  targetChanged(work: DatabaseWork, atUs: number): void;
  /** CHECKPOINT [n]: runs on the caller's task, beside any other. @returns the checkpoint with its end. */
  runManual(work: DatabaseWork, task: Task, atUs: number, durationSeconds: number | undefined): RunningCheckpoint;
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

/**
 * The two ways of SQL Server (docs/facts.md, SQL Server 1): automatic checkpoints, triggered by log records and run one after another on one background task,
 * and indirect ones, one short cycle after another on the recovery writer.
 */
export function createCheckpointer(options: CheckpointerOptions): Checkpointer {
  const { agenda, random, works } = options;
  const automatic = createSerialTask(options.background, agenda, random);
  const indirect = createSerialTask(options.recoveryWriter, agenda, random);
  /** Rises when a database's target changes, so that what was entered before is void. */
  const generations = new Map<DatabaseWork, number>();
  const isCurrent = (work: DatabaseWork, generation: number): boolean => (generations.get(work) ?? 0) === generation;

  const planFull = (work: DatabaseWork, atUs: number): Plan => {
    const pages = work.dirtyAt(atUs);
    const writes = physics.countWrites(pages, work.database.workload.pagesPerWrite);
    const scanMs = physics.scanMs(options.bufferPoolGb) * random.factor(0.08);
    return { scanMs, pages, writes, durationMs: scanMs + physics.writeMs(pages, writes) * random.factor(0.12) };
  };
  const planRemainder = (work: DatabaseWork, atUs: number): Plan => {
    const pages = work.remainderAt(atUs);
    const writes = physics.countWrites(pages, work.database.workload.pagesPerWrite);
    return { scanMs: 0, pages, writes, durationMs: random.between(...physics.IDLE_CHECKPOINT_MS) + physics.writeMs(pages, writes) };
  };
  const run = (work: DatabaseWork, kind: CheckpointKind, task: Task, atUs: number, dueUs: number, plan: Plan) =>
    beginCheckpoint(options, { work, kind, task, atUs, dueUs, plan });

  const scheduleAutomatic = (work: DatabaseWork, sinceUs: number, already = 0): void => {
    const generation = generations.get(work) ?? 0;
    const limit = work.database.workload.logRecordsPerCheckpoint * options.recoveryIntervalMinutes;
    const wanted = work.meter.recordsAt(sinceUs) + limit - already;
    const seek = (fromUs: number): void => {
      if (!isCurrent(work, generation) || work.database.workload.logRecordsPerSecond === 0) return;
      const dueUs = work.meter.whenReached(wanted, fromUs);
      if (dueUs === undefined) return agenda.enter(fromUs + ASK_AGAIN_US, seek);
      agenda.enter(dueUs, () => isCurrent(work, generation) && enqueueAutomatic(work, dueUs, generation));
    };
    seek(sinceUs);
  };
  const enqueueAutomatic = (work: DatabaseWork, dueUs: number, generation: number): void =>
    automatic.enqueue(dueUs, (atUs) => {
      if (!isCurrent(work, generation)) return undefined;
      const running = run(work, 'automatic', automatic.task, atUs, dueUs, planFull(work, atUs));
      scheduleAutomatic(work, atUs);
      return running;
    });
  const scheduleIndirect = (work: DatabaseWork, sinceUs: number, share = 1): void => {
    const generation = generations.get(work) ?? 0;
    agenda.enter(sinceUs + Math.round(indirectCycleMs(work, random) * share * 1000), (dueUs) => {
      if (!isCurrent(work, generation)) return;
      indirect.enqueue(dueUs, (atUs) => {
        if (!isCurrent(work, generation)) return undefined;
        const running = run(work, 'indirect', indirect.task, atUs, dueUs, planRemainder(work, atUs));
        scheduleIndirect(work, atUs);
        return running;
      });
    });
  };
  const schedule = (work: DatabaseWork, atUs: number, share: number): void => {
    if (work.database.state !== 'ONLINE' || work.database.isReadOnly || work.database.isInStandby) return;
    if (work.database.targetRecoverySeconds > 0) return scheduleIndirect(work, atUs, share);
    scheduleAutomatic(work, atUs, work.database.workload.logRecordsPerCheckpoint * options.recoveryIntervalMinutes * (1 - share));
  };
  return {
    start: (atUs) => works.forEach((work) => schedule(work, atUs, random.unit())),
    targetChanged(work, atUs) {
      generations.set(work, (generations.get(work) ?? 0) + 1);
      schedule(work, atUs, random.between(0.05, 1));
    },
    runManual(work, task, atUs, durationSeconds) {
      const natural = work.database.targetRecoverySeconds > 0 ? planRemainder(work, atUs) : planFull(work, atUs);
      // CHECKPOINT n asks for n seconds and may finish earlier or later (docs/facts.md, SQL Server 1); how far off is the model's choice.
      const durationMs =
        durationSeconds === undefined
          ? natural.durationMs
          : Math.max(natural.durationMs, durationSeconds * 1000 * random.between(0.9, 1.05));
      const { running, end, endUs } = run(work, 'manual', task, atUs, atUs, { ...natural, durationMs });
      agenda.enter(endUs, end);
      if (work.database.targetRecoverySeconds === 0) {
        generations.set(work, (generations.get(work) ?? 0) + 1);
        schedule(work, atUs, 1);
      }
      return running;
    },
  };
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

function beginCheckpoint(
  options: CheckpointerOptions,
  begin: {
    readonly work: DatabaseWork;
    readonly kind: CheckpointKind;
    readonly task: Task;
    readonly atUs: number;
    readonly dueUs: number;
    readonly plan: Plan;
  },
): { readonly endUs: number; readonly end: () => void; readonly running: RunningCheckpoint } {
  const { work, kind, task, atUs, dueUs, plan } = begin;
  const { database } = work;
  const endUs = atUs + Math.max(1, Math.round(plan.durationMs * 1000));
  const number = options.ledger.checkpointBegan({ databaseId: database.id, databaseName: database.name, kind });
  const running: RunningCheckpoint = {
    number,
    work,
    kind,
    task,
    beginUs: atUs,
    endUs,
    scanMs: plan.scanMs,
    pages: plan.pages,
    writes: plan.writes,
  };
  const fromUs = Math.min(endUs, atUs + Math.round(plan.scanMs * 1000));
  const writing: Writing = { fromUs, untilUs: endUs, pages: plan.pages, writes: plan.writes };
  const isStorm = plan.writes >= STORM_WRITES;
  const before = isStorm ? options.works.map((each) => each.at(atUs).transactions) : [];
  const backgroundPages = work.flush(atUs, writing);
  options.listener.began(running);
  const end = (): void => {
    work.finish(writing);
    if (isStorm) stallLogs(options.works, before, writing, atUs);
    const entry: CheckpointEntry = {
      number,
      databaseId: database.id,
      databaseName: database.name,
      kind,
      activityId: task.activityId,
      sessionId: task.sessionId,
      beginUtcMs: Math.floor(atUs / 1000),
      endUtcMs: Math.floor(endUs / 1000),
      beginUs: atUs,
      endUs,
      queuedMs: Math.floor((atUs - dueUs) / 1000),
      scanMs: Math.round(plan.scanMs),
      pages: plan.pages,
      writes: plan.writes,
      backgroundPages,
    };
    options.ledger.checkpointEnded(entry);
    options.listener.ended(running);
  };
  return { endUs, end, running };
}

/** Log writes wait with the checkpoint's: docs/facts.md, SQL Server 1 (IO storm). */
function stallLogs(works: readonly DatabaseWork[], before: readonly number[], writing: Writing, beginUs: number): void {
  const share = (writing.untilUs - writing.fromUs) / Math.max(1, writing.untilUs - beginUs);
  const writesPerSecond = (writing.writes * 1e6) / Math.max(1, writing.untilUs - writing.fromUs);
  works.forEach((work, i) => work.addLogStall((work.at(writing.untilUs).transactions - (before[i] ?? 0)) * share, writesPerSecond));
}
