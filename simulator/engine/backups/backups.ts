import type { ServerDescription } from '../../scenarios/scenario';
import type { Agenda } from '../time/agenda';
import {
  BACKUP_GAP_US,
  copyUs,
  fullBytes,
  isBackedUp,
  listEarlierBackups,
  nextBackupRun,
  type Backup,
  type BackupType,
} from './backup-schedule';
import type { Task } from '../checkpoints/checkpoint-task';
import type { Checkpointer } from '../checkpoints/checkpointer';
import type { Database } from '../databases/databases';
import type { Random } from '../../scenarios/random';
import type { DatabaseWork } from '../databases/write-work';

/** Each type of job has a session of its own. */
const SPIDS: Readonly<Record<BackupType, number>> = { D: 54, I: 55, L: 56 };
const MASTER_ID = 1;
/** Size of a backup without data, also of the backup of a log without records. */
const LEAST_BYTES = 66_560;

interface BackupsOptions {
  readonly server: ServerDescription;
  readonly agenda: Agenda;
  readonly checkpointer: Checkpointer;
  readonly works: readonly DatabaseWork[];
  readonly seed: number;
  readonly random: Random;
  readonly startUs: number;
}

/**
 * The backup jobs. A full or differential backup first runs a checkpoint on its own task, beside any other, then
 * copies. A log backup runs no checkpoint.
 *   [checkpoint][copy.........] [checkpoint][copy..]     one database after another
 * Microsoft Learn, "Database checkpoints (SQL Server)": internal checkpoints of backups; docs/facts.md, SQL Server 1.
 */
export class Backups {
  private readonly done: Backup[] = [];
  private earlier: readonly Backup[] | undefined;
  /** Log bytes of a database at its last log backup, and pages written at its last full backup. */
  private readonly logMarks = new Map<DatabaseWork, number>();
  private readonly fullMarks = new Map<DatabaseWork, number>();
  /** Which databases were backed up before the model began: their roles at that time decide, not those of now. */
  private readonly before: Readonly<Record<'D' | 'L', readonly Database[]>>;

  constructor(private readonly options: BackupsOptions) {
    const databases = options.works.map((work) => work.database);
    const backedUp = (type: 'D' | 'L') => databases.filter((database) => isBackedUp(type, database));
    this.before = { D: backedUp('D'), L: backedUp('L') };
  }

  start(): void {
    for (const type of ['D', 'I', 'L'] as const) this.enterNext(type, this.options.startUs);
  }

  /** Every backup that has finished, in the order of finishing, with those from before the model. */
  get all(): readonly Backup[] {
    return [...this.listEarlier(), ...this.done];
  }

  /** Log bytes since the last log backup, at a moment; ask with rising times only. */
  logBytesSinceBackup(work: DatabaseWork, atUs: number): number {
    return work.at(atUs).logBytes - (this.logMarks.get(work) ?? 0);
  }

  private listEarlier(): readonly Backup[] {
    if (this.earlier !== undefined) return this.earlier;
    const { server, seed, startUs } = this.options;
    const listed = listEarlierBackups({ server, databases: this.before, seed, untilUs: startUs });
    this.earlier = [...listed].sort((a, b) => a.finishUs - b.finishUs);
    return this.earlier;
  }

  private enterNext(type: BackupType, afterUs: number): void {
    const { agenda, server, random, works } = this.options;
    const runUs = nextBackupRun(type, afterUs, server);
    if (runUs === undefined) return;
    agenda.enter(runUs, (atUs) => {
      const task: Task = {
        activityId: random.guid(),
        sessionId: SPIDS[type],
        contextDatabaseId: MASTER_ID,
        nextSequence: 1,
      };
      const queue = works.filter((work) => isBackedUp(type, work.database));
      this.takeNext({ type, runUs, task, queue: queue.values() }, atUs);
    });
  }

  private takeNext(run: Run, atUs: number): void {
    const next = run.queue.next();
    // A job that is still running is not started again.
    if (next.done === true) return this.enterNext(run.type, atUs);
    const work = next.value;
    if (!isBackedUp(run.type, work.database)) return this.takeNext(run, atUs);
    const { agenda, checkpointer, seed } = this.options;
    const copyFromUs = run.type === 'L' ? atUs : checkpointer.runBackup(work, run.task, atUs).endUs;
    const bytes = this.countBytes(run.type, work, atUs);
    const mark = work.at(atUs);
    agenda.enter(copyFromUs + copyUs(bytes, seed, work.database.id, run.runUs), (finishUs) => {
      this.done.push({ database: work.database, type: run.type, startUs: atUs, finishUs, bytes });
      if (run.type === 'L') this.logMarks.set(work, mark.logBytes);
      if (run.type === 'D') this.fullMarks.set(work, mark.checkpointPages + mark.backgroundPages);
      agenda.enter(finishUs + BACKUP_GAP_US, (nextUs) => this.takeNext(run, nextUs));
    });
  }

  private countBytes(type: BackupType, work: DatabaseWork, atUs: number): number {
    if (type === 'D') return fullBytes(work.database);
    if (type === 'L') return LEAST_BYTES + this.logBytesSinceBackup(work, atUs);
    const { checkpointPages, backgroundPages } = work.at(atUs);
    const written = checkpointPages + backgroundPages - (this.fullMarks.get(work) ?? 0);
    return LEAST_BYTES + Math.min(work.database.workload.workingSetPages, written) * 8192;
  }
}

interface Run {
  readonly type: BackupType;
  readonly runUs: number;
  readonly task: Task;
  readonly queue: Iterator<DatabaseWork, undefined>;
}
