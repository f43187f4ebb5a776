/**
 * When a session did not record a database. The databases of a running session can be changed. A database has no
 * checkpoints before it is added or after it is removed. That is no silence, and its rates leave that time out.
 *
 *     recorded            5, 6          |gap|        5, 7
 *     not recorded of 6   .............. gap xxxxxxxxxxxxxxxxx
 *     not recorded of 7   xxxxxxxxxxxxxx gap .................
 */
import type { CapturedDatabase, Observation, Unrecorded } from './checkpoint-columns';
import { t } from '../language';
import type { Gap } from '../session/gap';

type Interval = Omit<Unrecorded, 'database'>;

/**
 * The stretches of the interval in which the session did not record that database, without the gaps. Empty if the
 * session was never changed.
 */
export function findUnrecorded(
  databaseId: number,
  { beginUtcMs, endUtcMs }: Interval,
  gaps: readonly Gap[],
): readonly Interval[] {
  const found: Interval[] = [];
  let [from, recorded] = [beginUtcMs, null as readonly number[] | null];
  const note = (untilUtcMs: number): void => {
    if (recorded !== null && !recorded.includes(databaseId) && from < untilUtcMs)
      found.push({ beginUtcMs: from, endUtcMs: untilUtcMs });
  };
  let isFirst = true;
  for (const { databases, beginUtcMs: changeUtcMs, endUtcMs: changedUtcMs } of gaps) {
    if (databases === undefined) continue;
    if (isFirst) recorded = databases.before;
    note(changeUtcMs);
    [from, recorded, isFirst] = [changedUtcMs, databases.after, false];
  }
  note(endUtcMs);
  return found;
}

/** The unrecorded stretches of all databases of a capture. @param gaps in order of time */
export function listUnrecorded(
  databases: readonly CapturedDatabase[],
  interval: Interval,
  gaps: readonly Gap[],
): readonly Unrecorded[] {
  if (!gaps.some((gap) => gap.databases !== undefined)) return [];
  return databases.flatMap(({ databaseId }, database) =>
    findUnrecorded(databaseId, interval, gaps).map((stretch) => ({ database, ...stretch })),
  );
}

/**
 * What was watched of one database: the observation, with a gap for each stretch in which it was not recorded.
 * @param database its index in the capture
 */
export function observationOf(observation: Observation, database: number): Observation {
  const own = (observation.unrecorded ?? []).filter((stretch) => stretch.database === database);
  if (own.length === 0) return observation;
  const gaps = own.map(
    ({ beginUtcMs, endUtcMs }) =>
      ({ kind: 'databases changed', beginUtcMs, endUtcMs, reason: NOT_RECORDED }) as const,
  );
  return { ...observation, gaps: [...observation.gaps, ...gaps].sort((a, b) => a.beginUtcMs - b.beginUtcMs) };
}

const NOT_RECORDED = t('The event session did not record this database then.');
