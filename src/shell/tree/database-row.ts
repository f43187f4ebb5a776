/** A database's row: its name and one figure. The tooltip has its setting, its share and its verdict. */
import type { DatabaseFacts } from '../../core/advice/facts';
import { findObstacle } from '../../core/advice/obstacle';
import type { Verdict } from '../../core/advice/verdict';
import type { OwnTaskShare } from '../../core/task/task-share';
import { formatCount, formatDuration, formatPercent, formatPerHour } from '../../core/format';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { type Part, VERDICT_NAMES } from '../../core/advice/verdict-names';
import { createRow, type Row, type RowIcon } from './row';
import { joinSentences, t } from '../../core/language';
import { HOUR_MS } from '../../core/time';

/** Shows databases with automatic checkpoints at a glance, in every group. */
export const AUTOMATIC_ICON: RowIcon = { name: 'history', colour: 'charts.blue' };

export function describeDatabase(snapshot: ServerSnapshot, database: DatabaseFacts): Row {
  const verdict = snapshot.verdicts.get(database.databaseId);
  const own = findShare(snapshot, database);
  const figure = own === null ? describeTarget(database) : formatPercent(own.share);
  const spoken =
    own === null ? figure : t('{0} of the checkpoint task, {1}', figure, describeTarget(database));
  return createRow({
    kind: 'database',
    id: `${snapshot.id}/database/${database.databaseId}/${database.createdLocal}`,
    serverId: snapshot.id,
    label: database.name,
    description: [figure, ...listNextWave(snapshot, database).map((wave) => t('wave {0}', wave))].join(' · '),
    tooltip: listTooltipLines(snapshot, database, own),
    icon: chooseIcon(database),
    context: `database:${nameContext(snapshot, database)},${nameTracked(snapshot, database)}`,
    spoken: joinSentences(
      t('Database {0}, {1}.', database.name, spoken),
      verdict === undefined ? '' : `${VERDICT_NAMES[verdict.verdict]}: ${verdict.reason}`,
    ),
    group: verdict?.group ?? null,
    databaseId: database.databaseId,
  });
}

/**
 * The wave in which it comes, once one was run and nothing speaks against the next: those that take most need not be
 * the first.
 */
function listNextWave({ instance }: ServerSnapshot, { databaseId }: DatabaseFacts): readonly number[] {
  const { next = null, later = [], objection = null } = instance ?? {};
  const waves = next === null || objection !== null ? [] : [next, ...later];
  return waves.filter(({ databaseIds }) => databaseIds.includes(databaseId)).map(({ wave }) => wave);
}

/**
 * The database's own share of the checkpoint task's time. null before there is a verdict: otherwise the first one to
 * come would be at the top.
 */
export function findShare({ instance }: ServerSnapshot, { databaseId }: DatabaseFacts): OwnTaskShare | null {
  if (instance === null || instance.neededMs > 0) return null;
  return instance.task?.databases.get(databaseId) ?? null;
}

/** A database to choose, with its target. */
export const offerDatabase = (database: DatabaseFacts) => ({
  value: database.databaseId,
  label: database.name,
  description: describeTarget(database),
});

/** "automatic" for 0, "60 s" for anything else. */
function describeTarget({ targetSeconds }: DatabaseFacts): string {
  if (targetSeconds === null) return t('target not shown');
  return targetSeconds === 0 ? t('automatic') : `${targetSeconds} s`;
}

const ROLE_NAMES = new Map(
  Object.entries({
    PRIMARY: t('primary'),
    SECONDARY: t('secondary'),
    RESOLVING: t('resolving'),
    MIXED: t('mixed'),
  }),
);

function describeRole({ facts }: ServerSnapshot, database: DatabaseFacts): readonly string[] {
  if (facts === null || facts.roles.kind === 'not observable') return [];
  const role = facts.roles.value.get(database.databaseId);
  return role === undefined ? [] : [ROLE_NAMES.get(role.role) ?? role.role.toLowerCase()];
}

function describeState(database: DatabaseFacts): readonly string[] {
  if (database.isSnapshot) return [t('snapshot')];
  if (database.state !== 'ONLINE') return [database.state.toLowerCase().replace('_', ' ')];
  if (database.isInStandby) return [t('standby')];
  return database.isReadOnly ? [t('read-only')] : [];
}

const partWords: Readonly<Record<Part, string>> = {
  feeds: t('feeds the queue'),
  waits: t('waits in the queue'),
  'hurts alone': t('hurts on its own'),
  'held back': t('its log waits for a checkpoint'),
  'much to redo': t('much log to redo'),
  quiet: t('quiet'),
  'none seen': t('no checkpoint seen'),
};

function listTooltipLines(
  snapshot: ServerSnapshot,
  database: DatabaseFacts,
  own: OwnTaskShare | null,
): readonly string[] {
  const { databaseId, name } = database;
  const verdict = snapshot.verdicts.get(databaseId);
  const part = verdict?.part ?? null;
  const state = [
    nameTarget(database),
    ...describeRole(snapshot, database),
    ...describeState(database),
    ...describeWave(snapshot, database),
  ];
  return [
    part === null ? name : `${name}: ${partWords[part]}`,
    ...describeTurns(snapshot, databaseId, own),
    state.join(' · '),
    ...(verdict === undefined ? [] : listVerdictLines(verdict)),
    // A finding that blocks a change is the reason of the verdict already, and so is a log that is held.
    ...(snapshot.preflight.databases.get(databaseId) ?? [])
      .filter(
        ({ severity, sentence }) => severity !== 'blocks' && verdict?.reason.includes(sentence) !== true,
      )
      .map(({ sentence }) => sentence),
  ];
}

/** "wave 2 of 4" once scripts were opened; before that, whether the wave is proposed. */
function describeWave(snapshot: ServerSnapshot, database: DatabaseFacts): readonly string[] {
  const { forecast, instance } = snapshot;
  const { databaseId } = database;
  const waves = forecast?.waves ?? [];
  const planned = waves.findIndex(({ databaseIds }) => databaseIds.includes(databaseId)) + 1;
  const [wave = planned] = listNextWave(snapshot, database);
  if (wave > 0)
    return [
      waves.length === 0
        ? t('wave {0}', wave)
        : t('wave {0} of {1}', formatCount(wave), formatCount(waves.length)),
    ];
  return instance?.advised.includes(databaseId) === true ? [t('in the proposed switch')] : [];
}

/** "1.6 % of the task: 32.6 turns an hour, median 1.8 s". */
function describeTurns(
  { statistics }: ServerSnapshot,
  databaseId: number,
  own: OwnTaskShare | null,
): readonly string[] {
  if (own === null) return [];
  const median = statistics.get(databaseId)?.p50Ms ?? null;
  const turns = [
    ...(own.observedMs > 0
      ? [t('{0} turns an hour', formatPerHour((own.count * HOUR_MS) / own.observedMs))]
      : []),
    ...(median === null ? [] : [t('median {0}', formatDuration(median))]),
  ];
  return [
    [t('{0} of the task', formatPercent(own.share)), ...(turns.length === 0 ? [] : [turns.join(', ')])].join(
      ': ',
    ),
  ];
}

/** "Automatic (0 s)", "Indirect (60 s)". */
function nameTarget({ targetSeconds }: DatabaseFacts): string {
  if (targetSeconds === null) return t('Target recovery time not shown');
  return targetSeconds === 0 ? t('Automatic (0 s)') : t('Indirect ({0} s)', targetSeconds);
}

function listVerdictLines({ verdict, reason, wouldChange }: Verdict): readonly string[] {
  return [
    t('Verdict: {0}. {1}', VERDICT_NAMES[verdict], reason),
    ...(wouldChange === '' ? [] : [t('What would change it: {0}', wouldChange)]),
  ];
}

function chooseIcon({ targetSeconds }: DatabaseFacts): RowIcon {
  return targetSeconds === 0 ? AUTOMATIC_ICON : { name: 'database' };
}

function nameContext({ facts }: ServerSnapshot, database: DatabaseFacts): 'automatic' | 'indirect' | 'fixed' {
  if (facts === null || findObstacle(database, facts) !== null) return 'fixed';
  return database.targetSeconds === 0 ? 'automatic' : 'indirect';
}

/** Whether our own session records it, or records others only. */
function nameTracked(
  { tracking, adoptedSession, trackedDatabaseIds }: ServerSnapshot,
  { databaseId }: DatabaseFacts,
): 'idle' | 'tracked' | 'beside' {
  if (tracking.state !== 'tracking' || adoptedSession !== null) return 'idle';
  return trackedDatabaseIds?.includes(databaseId) === false ? 'beside' : 'tracked';
}
