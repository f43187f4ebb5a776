/**
 * What Before / after takes from the error log: changed settings, long checkpoints, and the time covered. Only messages
 * with a certain time count.
 */
import type { ChangeMoment } from '../task/change-moment';
import type { OptionChange } from './error-log-message';
import type { Logged } from './error-log-row';
import type { FlushCacheGroup } from './flush-cache-group';
import { addToList } from '../lists';

const TARGET = 'target_recovery_time';

/** A changed target recovery time, with the name that the database had then. */
export interface LoggedChange {
  readonly databaseName: string;
  readonly moment: ChangeMoment;
}

interface LoggedChanges {
  /** In order of time. */
  readonly changes: readonly LoggedChange[];
  /**
   * Changes whose time in UTC is not certain, or whose value is no number of seconds: they are shown, but nothing is
   * compared around them.
   */
  readonly uncertain: readonly OptionChange[];
}

interface FlushCacheMoments {
  /** When each message was written, which is the end of the checkpoint: by database_id, in order of time. */
  readonly byDatabaseId: ReadonlyMap<number, readonly number[]>;
  /** Messages whose time is not certain, or whose database is not known. */
  readonly uncertain: readonly FlushCacheGroup[];
}

/** True if a time may be compared with others: the offset in force is known, or the order of the lines decided it. */
export function isCertain({ sureness }: Pick<Logged, 'sureness'>): boolean {
  return sureness === 'known' || sureness === 'by order';
}

/** Changes of target_recovery_time as moments; the value before is known if the log has the change before. */
export function listLoggedChanges(changes: readonly OptionChange[]): LoggedChanges {
  const ofTarget = changes.filter(({ option }) => option.toLowerCase() === TARGET);
  const isUsable = (change: OptionChange): boolean => isCertain(change) && readSeconds(change) !== null;
  const ordered = ofTarget.filter(isUsable).sort((a, b) => (a.atUtcMs ?? 0) - (b.atUtcMs ?? 0));
  const before = new Map<string, number>();
  const moments = ordered.map((change): LoggedChange => {
    const { databaseName, atUtcMs } = change;
    const toSeconds = readSeconds(change) ?? 0;
    const fromSeconds = before.get(databaseName) ?? null;
    before.set(databaseName, toSeconds);
    const at = atUtcMs ?? 0;
    return {
      databaseName,
      moment: { atUtcMs: at, source: 'error log', notBeforeUtcMs: at, fromSeconds, toSeconds },
    };
  });
  return { changes: moments, uncertain: ofTarget.filter((change) => !isUsable(change)) };
}

function readSeconds({ value }: OptionChange): number | null {
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}

export function listFlushCacheMoments(groups: readonly FlushCacheGroup[]): FlushCacheMoments {
  const moments = new Map<number, number[]>();
  const uncertain: FlushCacheGroup[] = [];
  for (const group of groups) {
    const { databaseId, atUtcMs } = group;
    if (databaseId === null || atUtcMs === null || !isCertain(group)) uncertain.push(group);
    else addToList(moments, databaseId, atUtcMs);
  }
  for (const times of moments.values()) times.sort((a, b) => a - b);
  return { byDatabaseId: moments, uncertain };
}
