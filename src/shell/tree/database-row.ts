/** A database's row: its name and one figure. The tooltip has its setting, its share and its verdict. */
import type { DatabaseFacts } from '../../core/advice/facts';
import { findObstacle } from '../../core/advice/obstacle';
import type { Part, Verdict } from '../../core/advice/verdict';
import type { OwnTaskShare } from '../../core/task/task-share';
import { formatCount, formatDuration, formatPercent, formatPerHour } from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { createRow, type Row, type RowIcon } from './row';

/** Shows databases with automatic checkpoints at a glance, in every group. */
export const AUTOMATIC_ICON: RowIcon = { name: 'history' };

const HOUR_MS = 3_600_000;

export function describeDatabase(snapshot: ServerSnapshot, database: DatabaseFacts): Row {
  const verdict = snapshot.verdicts.get(database.databaseId);
  const own = findShare(snapshot, database);
  const figure = own === null ? describeTarget(database) : formatPercent(own.share);
  const spoken = own === null ? figure : `${figure} of the checkpoint task, ${describeTarget(database)}`;
  return createRow({
    kind: 'database',
    id: `${snapshot.id}/database/${database.databaseId}/${database.createdLocal}`,
    serverId: snapshot.id,
    label: database.name,
    description: figure,
    tooltip: listTooltipLines(snapshot, database, own),
    icon: chooseIcon(database),
    context: `database:${nameContext(snapshot, database)}`,
    spoken: `Database ${database.name}, ${spoken}. ${verdict === undefined ? '' : `${verdict.verdict}: ${verdict.reason}`}`,
    group: verdict?.group ?? null,
    databaseId: database.databaseId,
  });
}

/** The database's own share of the checkpoint task's time. null before there is a verdict: otherwise whoever came first would be at the top. */
export function findShare({ instance }: ServerSnapshot, { databaseId }: DatabaseFacts): OwnTaskShare | null {
  if (instance === null || instance.neededMs > 0) return null;
  return instance.task?.databases.get(databaseId) ?? null;
}

/** "automatic" for 0, "60 s" for anything else. */
export function describeTarget({ targetSeconds }: DatabaseFacts): string {
  if (targetSeconds === null) return 'target not shown';
  return targetSeconds === 0 ? 'automatic' : `${targetSeconds} s`;
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

const partWords: Readonly<Record<Part, string>> = {
  feeds: 'feeds the queue',
  waits: 'waits in the queue',
  'hurts alone': 'hurts by itself',
  'held back': 'its log waits for a checkpoint',
  'much to redo': 'much log to redo',
  quiet: 'quiet',
  'none seen': 'no checkpoint seen',
};

function listTooltipLines(snapshot: ServerSnapshot, database: DatabaseFacts, own: OwnTaskShare | null): readonly string[] {
  const { databaseId, name } = database;
  const verdict = snapshot.verdicts.get(databaseId);
  const part = verdict?.part ?? null;
  const state = [
    nameTarget(database),
    ...describeRole(snapshot, database),
    ...describeState(database),
    ...describeWave(snapshot, databaseId),
  ];
  return [
    part === null ? name : `${name}: ${partWords[part]}`,
    ...describeTurns(snapshot, databaseId, own),
    state.join(' · '),
    ...(verdict === undefined ? [] : listVerdictLines(verdict)),
    // A finding that blocks a change is the reason of the verdict already.
    ...(snapshot.preflight.databases.get(databaseId) ?? []).filter(({ severity }) => severity !== 'blocks').map(({ sentence }) => sentence),
  ];
}

/** "wave 2 of 4" once scripts were opened; before that, whether the wave is proposed. */
function describeWave({ forecast, instance }: ServerSnapshot, databaseId: number): readonly string[] {
  const waves = forecast?.waves ?? [];
  const at = waves.findIndex(({ databaseIds }) => databaseIds.includes(databaseId));
  if (at >= 0) return [`wave ${formatCount(at + 1)} of ${formatCount(waves.length)}`];
  return instance?.advised.includes(databaseId) === true ? ['in the proposed switch'] : [];
}

/** "1.6 % of the task: 32.6 turns an hour, median 1.8 s". */
function describeTurns({ statistics }: ServerSnapshot, databaseId: number, own: OwnTaskShare | null): readonly string[] {
  if (own === null) return [];
  const median = statistics.get(databaseId)?.p50Ms ?? null;
  const turns = [
    ...(own.observedMs > 0 ? [`${formatPerHour((own.count * HOUR_MS) / own.observedMs)} turns an hour`] : []),
    ...(median === null ? [] : [`median ${formatDuration(median)}`]),
  ];
  return [`${formatPercent(own.share)} of the task${turns.length === 0 ? '' : `: ${turns.join(', ')}`}`];
}

/** "Automatic (0 s)", "Indirect (60 s)". */
function nameTarget({ targetSeconds }: DatabaseFacts): string {
  if (targetSeconds === null) return 'Target recovery time not shown';
  return targetSeconds === 0 ? 'Automatic (0 s)' : `Indirect (${targetSeconds} s)`;
}

function listVerdictLines({ verdict, confidence, reason, wouldChange }: Verdict): readonly string[] {
  return [
    `Verdict: ${verdict}, ${confidence} confidence. ${reason}`,
    ...(wouldChange === '' ? [] : [`What would change it: ${wouldChange}`]),
  ];
}

function chooseIcon({ targetSeconds }: DatabaseFacts): RowIcon {
  return targetSeconds === 0 ? AUTOMATIC_ICON : { name: 'database' };
}

function nameContext({ facts }: ServerSnapshot, database: DatabaseFacts): 'automatic' | 'indirect' | 'fixed' {
  if (facts === null || findObstacle(database, facts) !== null) return 'fixed';
  return database.targetSeconds === 0 ? 'automatic' : 'indirect';
}
