/** One database's row: its setting, its figures, and the verdict's reason. */
import type { DatabaseFacts } from '../../core/advice/facts';
import type { Finding } from '../../core/advice/finding';
import { findObstacle } from '../../core/advice/obstacle';
import type { Group, Verdict } from '../../core/advice/verdict';
import type { CheckpointStatistics } from '../../core/evidence/statistics';
import { formatDuration, formatPerHour } from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { createRow, type Row, type RowIcon } from './row';

export function describeDatabase(snapshot: ServerSnapshot, database: DatabaseFacts, statistics: CheckpointStatistics | null): Row {
  const verdict = snapshot.verdicts.get(database.databaseId);
  const description = [
    ...describeFigures(statistics),
    describeTarget(database),
    ...describeRole(snapshot, database),
    ...describeState(database),
  ].join(' · ');
  return createRow({
    kind: 'database',
    id: `${snapshot.id}/database/${database.databaseId}/${database.createdLocal}`,
    serverId: snapshot.id,
    label: database.name,
    description,
    tooltip: listTooltipLines(database, description, verdict, snapshot.preflight.databases.get(database.databaseId) ?? []),
    icon: chooseIcon(verdict?.group ?? null),
    context: `database:${nameContext(snapshot, database)}`,
    spoken: `Database ${database.name}, ${description}. ${verdict === undefined ? '' : `${verdict.verdict}: ${verdict.reason}`}`,
    group: verdict?.group ?? null,
    databaseId: database.databaseId,
  });
}

/** "automatic" for 0, "60 s" for anything else. */
export function describeTarget({ targetSeconds }: DatabaseFacts): string {
  if (targetSeconds === null) return 'target not shown';
  return targetSeconds === 0 ? 'automatic' : `${targetSeconds} s`;
}

function describeFigures(statistics: CheckpointStatistics | null): readonly string[] {
  if (statistics === null || statistics.count === 0) return [];
  const { perHour, p95Ms, maximumMs } = statistics;
  return [
    ...(perHour === null ? [] : [`${formatPerHour(perHour)}/h`]),
    ...(p95Ms === null ? [] : [`p95 ${formatDuration(p95Ms)}`]),
    ...(maximumMs === null ? [] : [`max ${formatDuration(maximumMs)}`]),
  ];
}

function describeRole({ facts }: ServerSnapshot, database: DatabaseFacts): readonly string[] {
  if (facts === null || facts.roles.kind === 'not observable') return [];
  const role = facts.roles.value.get(database.databaseId);
  return role === undefined ? [] : [role.role.toLowerCase()];
}

function describeState(database: DatabaseFacts): readonly string[] {
  if (database.isSnapshot) return ['snapshot'];
  if (database.state !== 'ONLINE') return [database.state.toLowerCase().replace('_', ' ')];
  if (database.isInStandby) return ['standby'];
  return database.isReadOnly ? ['read-only'] : [];
}

function listTooltipLines(
  database: DatabaseFacts,
  description: string,
  verdict: Verdict | undefined,
  findings: readonly Finding[],
): readonly string[] {
  const lines = [database.name, description];
  if (verdict === undefined) return lines;
  const { verdict: name, confidence, reason, wouldChange } = verdict;
  return [
    ...lines,
    `${name} (${confidence} confidence): ${reason}`,
    ...(wouldChange === '' ? [] : [`What would change it: ${wouldChange}`]),
    // What stands against a change altogether is the reason already.
    ...findings.filter(({ severity }) => severity !== 'blocks').map(({ sentence }) => sentence),
  ];
}

function chooseIcon(group: Group | null): RowIcon {
  if (group === 'Switch') return { name: 'database', colour: 'charts.orange' };
  return group === 'Watch' ? { name: 'database', colour: 'charts.yellow' } : { name: 'database' };
}

function nameContext({ facts }: ServerSnapshot, database: DatabaseFacts): 'automatic' | 'indirect' | 'fixed' {
  if (facts === null || findObstacle(database, facts) !== null) return 'fixed';
  return database.targetSeconds === 0 ? 'automatic' : 'indirect';
}

/** Where harm is in question, the greatest total first; else by name. Equal ones keep the order of the catalog. */
export function sortDatabases(
  databases: readonly DatabaseFacts[],
  group: Group,
  statistics: ReadonlyMap<number, CheckpointStatistics>,
): readonly DatabaseFacts[] {
  if (group !== 'Switch' && group !== 'Watch') return [...databases].sort((a, b) => names.compare(a.name, b.name));
  const totalMs = (database: DatabaseFacts): number => statistics.get(database.databaseId)?.totalMs ?? 0;
  return [...databases].sort((a, b) => totalMs(b) - totalMs(a));
}

const names = new Intl.Collator('en', { numeric: true });
