/** How busy the one task of automatic checkpoints was, as verdicts and scripts say it. */
import type { TaskShare } from '../evidence/task-share';
import { formatPercent } from '../format';

/** What the task did, seen from one database. Shares of the observed time, 0 to 1. */
export interface TaskOfDatabase extends Omit<TaskShare, 'databases'> {
  /** Checkpoints of this database that the task ran, and its time with them. */
  readonly ownCount: number;
  readonly ownShare: number;
  /** The database that the task spent most time with; null: with none. */
  readonly heaviest: { readonly name: string; readonly share: number; readonly isOwn: boolean } | null;
}

export const idleTask: TaskOfDatabase = { busyShare: 0, margin: 0, areBackupsKnown: false, ownCount: 0, ownShare: 0, heaviest: null };

/** Below it, the margin is no news. */
const leastMargin = 0.001;

/** "The one task of automatic checkpoints was busy 71 % of the time, give or take 5 %", without its stop. */
export function describeBusy({ busyShare, margin }: Pick<TaskShare, 'busyShare' | 'margin'>): string {
  const give = margin < leastMargin ? '' : `, give or take ${formatPercent(margin)}`;
  return `The one task of automatic checkpoints was busy ${formatPercent(busyShare)} of the time${give}`;
}

/** Why the share may be too high; '' where the backups are known. */
export function describeBackups({ areBackupsKnown }: Pick<TaskShare, 'areBackupsKnown'>): string {
  return areBackupsKnown ? '' : 'Backups were not read, so that checkpoints opened by backups may be in it.';
}
