import type { ServerDescription } from '../../scenarios/scenario';
import { SerialTask, type Task, type Waiting } from './checkpoint-task';
import * as physics from '../databases/physics';
import type { Random } from '../../scenarios/random';
import {
  Running,
  delayLogs,
  type CheckpointSurroundings,
  type Plan,
  type RunningCheckpoint,
} from './running-checkpoint';
import type { InstanceConfiguration } from '../settings/configuration';
import { TRACE_FLAG, type TraceFlags } from '../settings/trace-flags';
import type { DatabaseWork } from '../databases/write-work';

/** If a trigger lies too far ahead to be found, it is looked for again after this time. */
const ASK_AGAIN_US = 3_600_000_000;
interface CheckpointerOptions extends CheckpointSurroundings {
  readonly random: Random;
  readonly server: ServerDescription;
  readonly configuration: InstanceConfiguration;
  readonly traceFlags: TraceFlags;
  readonly background: Task;
  readonly recoveryWriter: Task;
}

/**
 * Runs both kinds of checkpoints (docs/facts.md, SQL Server 1): log records trigger automatic ones, which run one after
 * another on the checkpoint task; indirect ones run on the recovery writer, in short cycles.
 */
export class Checkpointer {
  private readonly automatic: SerialTask;
  private readonly indirect: SerialTask;
  private readonly fullScanMs: number;
  private plannedEvery: number;
  private automaticUs = 0;
  private automaticUntilUs = 0;
  private automaticCount = 0;
  private backlogUntilUs = 0;
  /** How long automatic checkpoints of each database have waited for the checkpoint task. */
  private readonly waits = new Map<DatabaseWork, { readonly count: number; readonly totalUs: number }>();
  /** What the next checkpoint of each database waits for. */
  private readonly cycles = new Map<DatabaseWork, Cycle>();

  constructor(readonly options: CheckpointerOptions) {
    this.automatic = new SerialTask(options.background, options.agenda, options.random);
    this.indirect = new SerialTask(options.recoveryWriter, options.agenda, options.random);
    this.fullScanMs = physics.scanMs(options.server.bufferPoolGb, options.server.release);
    this.plannedEvery = this.automaticEvery();
  }

  /** Starts every database, each somewhere within its cycle. */
  start(atUs: number): void {
    this.options.works.forEach((work) => this.schedule(work, atUs, this.options.random.unit()));
  }

  /**
   * Call it after a change of target: the kind of checkpoint changes at once, and the recovery writer may take over the
   * dirty pages.
   */
  targetChanged(work: DatabaseWork, atUs: number): void {
    if (work.database.targetRecoverySeconds > 0) this.writeBacklog(work, atUs);
    this.planAnew(work, atUs, this.options.random.between(0.05, 1));
  }

  /** The one recovery writer takes one database's backlog after another. */
  private writeBacklog(work: DatabaseWork, atUs: number): void {
    const backlog = work.takeBacklog(atUs, Math.max(atUs, this.backlogUntilUs));
    if (backlog === undefined) return;
    this.backlogUntilUs = backlog.untilUs;
    delayLogs(this.options.storms, backlog);
    this.options.agenda.enter(backlog.untilUs, () => work.finishBacklog(backlog));
  }

  /**
   * Call it if the recovery interval or trace flag 3505 may have changed. Log records since the last checkpoint count
   * towards the new limit.
   */
  settingsChanged(atUs: number): void {
    const every = this.automaticEvery();
    if (every === this.plannedEvery) return;
    this.plannedEvery = every;
    for (const work of this.options.works) {
      if (work.database.targetRecoverySeconds === 0)
        this.planAnew(work, atUs, 1, work.logRecordsSinceCheckpoint(atUs));
    }
  }

  /**
   * How long the checkpoint task has worked up to that moment, and for how long it has had nothing to do now, in
   * microseconds; how many checkpoints it has begun.
   */
  automaticWork(atUs: number): { readonly busyUs: number; readonly idleUs: number; readonly begun: number } {
    const [restUs, idleUs] = [this.automaticUntilUs - atUs, atUs - this.automaticUntilUs].map((us) =>
      Math.max(0, us),
    ) as [number, number];
    return { busyUs: this.automaticUs - restUs, idleUs, begun: this.automaticCount };
  }

  countAutomatic({ work, beginUs, endUs }: RunningCheckpoint, waitedUs: number): void {
    const { count, totalUs } = this.waits.get(work) ?? { count: 0, totalUs: 0 };
    this.waits.set(work, { count: count + 1, totalUs: totalUs + waitedUs });
    this.automaticUs += endUs - beginUs;
    this.automaticUntilUs = endUs;
    this.automaticCount += 1;
  }

  /** CHECKPOINT [n]: runs on the caller's task, beside any other. @returns the checkpoint with its end */
  runManual(
    work: DatabaseWork,
    task: Task,
    atUs: number,
    durationSeconds: number | undefined,
  ): RunningCheckpoint {
    const natural =
      work.database.targetRecoverySeconds > 0 ? this.planRemainder(work, atUs) : this.planFull(work, atUs);
    // CHECKPOINT n asks for n seconds and may finish earlier or later (docs/facts.md, SQL Server 1). By how much is the
    // model's choice.
    const askedMs =
      durationSeconds === undefined ? 0 : durationSeconds * 1000 * this.options.random.between(0.9, 1.05);
    return this.runBeside(work, 'manual', task, atUs, {
      ...natural,
      durationMs: Math.max(natural.durationMs, askedMs),
    });
  }

  /** The recovery interval for automatic checkpoints, in minutes; 0: none run. */
  automaticEvery(): number {
    const { traceFlags, configuration } = this.options;
    return traceFlags.isOnForAll(TRACE_FLAG.noAutomaticCheckpoints)
      ? 0
      : configuration.recoveryIntervalMinutes;
  }

  /**
   * The checkpoint of a full or differential backup: on the backup's task, beside any other.
   * @returns the checkpoint with its end
   */
  runBackup(work: DatabaseWork, task: Task, atUs: number): RunningCheckpoint {
    const plan =
      work.database.targetRecoverySeconds > 0 ? this.planRemainder(work, atUs) : this.planFull(work, atUs);
    return this.runBeside(work, 'backup', task, atUs, plan);
  }

  private runBeside(
    work: DatabaseWork,
    kind: 'manual' | 'backup',
    task: Task,
    atUs: number,
    plan: Plan,
  ): RunningCheckpoint {
    const running = new Running(this.options, { work, kind, task, atUs, dueUs: atUs, plan });
    this.options.agenda.enter(running.endUs, () => running.end());
    // The count of log records towards the next automatic checkpoint starts again.
    if (work.database.targetRecoverySeconds === 0 || this.countsRecords(work)) this.planAnew(work, atUs, 1);
    return running;
  }

  /**
   * Whether log records trigger indirect checkpoints of that database too. So the model lets them write as much as
   * automatic ones.
   */
  countsRecords(work: DatabaseWork): boolean {
    return this.options.server.indirectWrites === 'same' && work.writesLog;
  }

  /**
   * How long automatic checkpoints of that database waited for their task. To write as much as they did, an indirect
   * one has to wait as long.
   */
  usualWaitUs(work: DatabaseWork): number {
    const waited = this.waits.get(work);
    return waited === undefined ? 0 : Math.round(waited.totalUs / waited.count);
  }

  private planAnew(work: DatabaseWork, atUs: number, share: number, recordsSoFar = 0): void {
    const cycle = this.cycles.get(work);
    if (cycle !== undefined) cycle.isVoid = true;
    this.cycles.delete(work);
    this.schedule(work, atUs, share, recordsSoFar);
  }

  /** @param share the part of a cycle that is still to come */
  schedule(work: DatabaseWork, atUs: number, share: number, recordsSoFar = 0): void {
    const { state, isReadOnly, isInStandby, targetRecoverySeconds, availability } = work.database;
    if (state !== 'ONLINE' || isReadOnly || isInStandby || availability?.isWritable === false) return;
    const kind = targetRecoverySeconds > 0 ? 'indirect' : 'automatic';
    if (kind === 'automatic' && (!work.writesLog || this.automaticEvery() === 0)) return;
    let cycle = this.cycles.get(work);
    if (cycle?.kind !== kind) this.cycles.set(work, (cycle = new Cycle(this, work, kind, this[kind])));
    cycle.restart(atUs, share, recordsSoFar);
  }

  planFull(work: DatabaseWork, atUs: number): Plan {
    const pages = work.dirtyAt(atUs);
    const writes = physics.countWrites(pages, work.database.workload.pagesPerWrite);
    const scanMs =
      this.fullScanMs * physics.drawScanFactor(this.options.server.bufferPoolGb, this.options.random);
    const naturalMs = physics.writeMs(pages, writes) * this.options.random.factor(physics.WRITE_SPREAD);
    const stallMs = this.drawStall(writes);
    const writingMs = Math.max(naturalMs, physics.cappedMs(pages, this.options.server.checkpointMbPerSecond));
    return { scanMs, pages, writes, stallMs, durationMs: scanMs + writingMs + stallMs };
  }

  private drawStall(writes: number): number {
    const { server, random } = this.options;
    const stallShare = server.stallShare ?? 0;
    if (stallShare === 0 || writes < physics.STALL_WRITES || random.unit() >= stallShare) return 0;
    return Math.round(random.between(...physics.STALL_MS));
  }

  planRemainder(work: DatabaseWork, atUs: number): Plan {
    const pages = work.remainderAt(atUs);
    const writes = physics.countWrites(pages, work.database.workload.pagesPerWrite);
    const idleMs = this.options.random.between(...physics.IDLE_CHECKPOINT_MS);
    const writingMs = Math.max(
      physics.writeMs(pages, writes),
      physics.cappedMs(pages, this.options.server.checkpointMbPerSecond),
    );
    return { scanMs: 0, pages, writes, stallMs: 0, durationMs: idleMs + writingMs };
  }
}

/**
 * One database between two automatic or indirect checkpoints. The object is used again for each, so that a history of
 * millions leaves no garbage.
 *   restart -> (log records or time) -> due -> waits for its task -> begin -> restart
 */
class Cycle implements Waiting {
  isVoid = false;
  private dueUs = 0;
  private wantedRecords = 0;

  constructor(
    private readonly checkpointer: Checkpointer,
    private readonly work: DatabaseWork,
    readonly kind: 'automatic' | 'indirect',
    private readonly serial: SerialTask,
  ) {}

  /** @param recordsSoFar log records before that moment which count towards the next checkpoint */
  restart(atUs: number, share: number, recordsSoFar: number): void {
    const { agenda, random } = this.checkpointer.options;
    if (this.kind === 'indirect' && !this.checkpointer.countsRecords(this.work)) {
      this.dueUs = atUs + Math.round(indirectCycleMs(this.work, random) * share * 1000);
      return agenda.enter(this.dueUs, this.enqueue);
    }
    const wanted = this.work.database.workload.logRecordsPerCheckpoint * this.countIntervals() * share;
    this.wantedRecords = this.work.meter.recordsAt(atUs) - recordsSoFar + wanted;
    this.seek(atUs);
  }

  /**
   * Intervals of one minute until the next checkpoint. An indirect one writes as much as automatic ones if it comes as
   * often.
   */
  private countIntervals(): number {
    if (this.kind === 'automatic') return this.checkpointer.automaticEvery();
    return Math.max(1, this.checkpointer.options.configuration.recoveryIntervalMinutes);
  }

  private readonly seek = (fromUs: number): void => {
    if (this.isVoid) return;
    const { agenda } = this.checkpointer.options;
    const dueUs = this.work.meter.whenReached(this.wantedRecords, fromUs);
    if (dueUs === undefined) return agenda.enter(fromUs + ASK_AGAIN_US, this.seek);
    this.dueUs = dueUs + (this.kind === 'indirect' ? this.checkpointer.usualWaitUs(this.work) : 0);
    agenda.enter(this.dueUs, this.enqueue);
  };

  private readonly enqueue = (): void => {
    if (!this.isVoid) this.serial.enqueue(this.dueUs, this);
  };

  begin(atUs: number): Running | undefined {
    if (this.isVoid) return undefined;
    const { checkpointer, work, kind, dueUs } = this;
    const plan =
      kind === 'automatic' ? checkpointer.planFull(work, atUs) : checkpointer.planRemainder(work, atUs);
    const running = new Running(checkpointer.options, {
      work,
      kind,
      task: this.serial.task,
      atUs,
      dueUs,
      plan,
    });
    if (kind === 'automatic') checkpointer.countAutomatic(running, atUs - dueUs);
    checkpointer.schedule(work, atUs, 1);
    return running;
  }
}

/**
 * Time from one indirect checkpoint of a database to the next, as published. For other targets than 60 seconds it is
 * the model's choice.
 */
function indirectCycleMs(work: DatabaseWork, random: Random): number {
  const { activity, logRecordsPerCheckpoint, logRecordsPerSecond } = work.database.workload;
  if (activity === 'idle') return random.between(...physics.IDLE_INDIRECT_CYCLE_MS);
  const [shortest, longest] = physics.INDIRECT_CYCLE_MS;
  const automaticMs = (logRecordsPerCheckpoint / logRecordsPerSecond) * 1000;
  const byTarget = Math.min(4, Math.max(0.25, work.database.targetRecoverySeconds / 60));
  return (
    Math.min(longest, Math.max(shortest, automaticMs * physics.INDIRECT_CYCLE_SHARE)) *
    byTarget *
    random.between(0.9, 1.1)
  );
}
