import type { ChangeMoment } from './change-moment';
import { isInPieces, type TimePieces } from '../statistics/observed-time';

/**
 * When each database used automatic checkpoints, by its index in the capture. If a database is missing, it never did,
 * or it is not known.
 */
export type AutomaticTime = ReadonlyMap<number, TimePieces>;

const ALWAYS: TimePieces = Float64Array.of(-Infinity, Infinity);

/**
 * When databases used automatic checkpoints, from the target recovery time that they have now and its changes. If it is
 * only known that a change fell into some time, that time is left out. What is automatic now counts since its last
 * known change.
 * @param targets target_recovery_time_in_seconds now, by index; null: not known
 * @param changes of each database, in any order
 */
export function findAutomaticTime(
  targets: ReadonlyMap<number, number | null>,
  changes: ReadonlyMap<number, readonly ChangeMoment[]> = new Map(),
): AutomaticTime {
  const automatic = new Map<number, TimePieces>();
  for (const [database, target] of targets) {
    const pieces = findPieces(target, changes.get(database) ?? []);
    if (pieces.length > 0) automatic.set(database, pieces);
  }
  return automatic;
}

export function isAutomatic(automatic: AutomaticTime, database: number, utcMs: number): boolean {
  const pieces = automatic.get(database);
  return pieces !== undefined && (pieces === ALWAYS || isInPieces(pieces, utcMs));
}

function findPieces(target: number | null, changes: readonly ChangeMoment[]): TimePieces {
  if (changes.length === 0) return target === 0 ? ALWAYS : new Float64Array(0);
  const ordered = [...changes].sort((a, b) => a.atUtcMs - b.atUtcMs);
  const pieces: number[] = [];
  // Who switches a database to indirect checkpoints takes it from automatic ones. Too busy is safer here than falsely
  // free.
  let since = -Infinity;
  let seconds = ordered[0]?.fromSeconds ?? ((ordered[0]?.toSeconds ?? 0) > 0 ? 0 : null);
  for (const change of ordered) {
    // If two sources disagree about the value before, it is not known.
    const isKnown = change.fromSeconds === null || change.fromSeconds === seconds;
    if (isKnown && seconds === 0 && change.notBeforeUtcMs > since) pieces.push(since, change.notBeforeUtcMs);
    [since, seconds] = [change.atUtcMs, change.toSeconds];
  }
  // What is automatic now came back at an unknown time, for example by a restore.
  if (target === 0 || (seconds === 0 && target === null)) pieces.push(since, Infinity);
  return Float64Array.from(pieces);
}
