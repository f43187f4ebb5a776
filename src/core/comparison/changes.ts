import type { ChangeMoment } from '../task/change-moment';

/** A moment set by hand is taken for a known change if it is within this time of it. */
const SAME_CHANGE_MS = 10 * 60_000;

/**
 * The changes of one database in order, each once. Left out: a change to the value already set, and one that another
 * source knows better.
 */
export function listChanges(changes: readonly ChangeMoment[]): readonly ChangeMoment[] {
  const known = changes
    .filter(({ atUtcMs, notBeforeUtcMs }) => Number.isFinite(atUtcMs) && Number.isFinite(notBeforeUtcMs))
    .map((change) => ({ ...change, notBeforeUtcMs: Math.min(change.notBeforeUtcMs, change.atUtcMs) }))
    .sort((a, b) => a.atUtcMs - b.atUtcMs);
  const logged = known.filter(({ source }) => source === 'error log');
  const distinct = known.filter(
    (change) => change.source === 'error log' || !logged.some((line) => isSame(change, line)),
  );
  const listed: ChangeMoment[] = [];
  for (const change of distinct) {
    const fromSeconds =
      change.fromSeconds ??
      findSeenBefore(change, known, logged) ??
      listed[listed.length - 1]?.toSeconds ??
      null;
    const isNone = change.source !== 'user' && fromSeconds !== null && fromSeconds === change.toSeconds;
    if (!isNone) listed.push({ ...change, fromSeconds });
  }
  return listed;
}

/**
 * The log tells what was set, not what was before. A reading shows that, if the line is the first between two readings
 * that differ.
 */
function findSeenBefore(
  line: ChangeMoment,
  known: readonly ChangeMoment[],
  logged: readonly ChangeMoment[],
): number | null {
  const seen = known.find((change) => change.source === 'observed' && isSame(change, line));
  return seen !== undefined && logged.find((other) => isSame(seen, other)) === line ? seen.fromSeconds : null;
}

function isSame({ source, notBeforeUtcMs, atUtcMs }: ChangeMoment, line: ChangeMoment): boolean {
  const slackMs = source === 'user' ? SAME_CHANGE_MS : 0;
  return line.atUtcMs >= notBeforeUtcMs - slackMs && line.atUtcMs <= atUtcMs + slackMs;
}
