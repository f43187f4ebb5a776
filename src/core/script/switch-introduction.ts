/** What a switch script says of itself before the first statement. */
import type { Finding } from '../advice/finding';
import type { Plan, PlanStep } from '../advice/plan';
import { unusuallyShortTargetSeconds } from '../advice/target-seconds';
import { countDatabases, countOf } from '../format';
import { writeHeading } from './review-heading';
import type { ScriptOrigin } from './switch-origin';
import type { SwitchPart } from './switch-parts';

/** Databases of the heading that are named with a finding; the record has all. */
const mostFindings = 200;

/** Waves beyond so many are counted. */
const mostSizes = 50;

export function writeSwitchIntroduction(part: SwitchPart, plan: Plan, origin: ScriptOrigin): string {
  const what = `SWITCH${nameWave(part)}: ${countDatabases(part.steps.length)} on ${origin.serverName} to ${describeTarget(plan.targetSeconds)}.`;
  return writeHeading(what, origin, [
    ...describeReason(plan),
    describeEffect(plan.targetSeconds),
    ...describeWaves(part, plan),
    ...listFindings(part.steps, origin),
    ...((part.wave ?? 1) === 1 ? listLeftOut(plan) : ['Left out: what the script of wave 1 lists.']),
  ]);
}

export function writeRollbackIntroduction(part: SwitchPart, origin: ScriptOrigin): string {
  const order = part.wave === null ? '' : ' Of several waves take back the last one first.';
  const what = `ROLLBACK${nameWave(part)}: ${countDatabases(part.steps.length)} on ${origin.serverName} back to the target recovery time seen before the switch. Run it only to undo the switch.${order}`;
  return writeHeading(what, origin, describeRollback(part.steps));
}

/** `, wave 2 of 4`; '' where it is the only one. It stands near the begin of a script: the tab of an unsaved one shows 40 characters of its first line (docs/facts.md, Hosts 1). */
export function nameWave({ wave, waves }: Pick<SwitchPart, 'wave' | 'waves'>): string {
  return wave === null ? '' : `, wave ${wave} of ${waves}`;
}

/** What the rollback cannot know, and what to do about it. */
export function describeRollback(steps: readonly PlanStep[]): readonly string[] {
  const isGrouped = steps.some(({ groupDatabaseId = null }) => groupDatabaseId !== null);
  return [
    'It restores the value from before wherever the value found equals the one that the switch sets, whoever set it, and the database is the same one; all else it leaves alone, with the reason.',
    'So first delete from its list the rows that the switch reported LEFT ALONE, FAILED or NOT REACHED. The undo_row column of the result of the switch is exactly what it changed.',
    ...(isGrouped ? ['After a failover this script changes nothing. Connect to the new primary and review a switch back there.'] : []),
  ];
}

/** The switch of a plan, as a title begins. */
export function nameSwitch({ targetSeconds }: Plan): string {
  return targetSeconds === 0 ? 'Switch to automatic checkpoints' : 'Switch to indirect checkpoints';
}

export function describeTarget(seconds: number): string {
  if (seconds === 0) return 'a target recovery time of 0 seconds (automatic checkpoints)';
  return `a target recovery time of ${countOf(seconds, 'second')} (indirect checkpoints)`;
}

export function describeReason({ targetSeconds, reason }: Plan): readonly string[] {
  const given = (reason ?? '').trim();
  const lines = given === '' ? [] : [`Reason given: ${given}`];
  if (targetSeconds > 0 && targetSeconds < unusuallyShortTargetSeconds)
    lines.push(
      `Unusually short: below ${unusuallyShortTargetSeconds} seconds pages are written again and again that would have changed once more before a checkpoint; total writes rise.`,
    );
  return lines;
}

export function describeEffect(targetSeconds: number): string {
  if (targetSeconds === 0)
    return 'Expect page writes to move from the background writer into checkpoints, which look through the whole buffer pool. Takes effect at once, without a restart.';
  return 'Expect page writes to move from checkpoints to the background writer: total writes may rise. Takes effect at once, without a restart.';
}

/** How many go when, and what stops the rest. */
export function describeWaves(part: SwitchPart, plan: Plan): readonly string[] {
  if (part.waves <= 1) return [];
  const limit =
    part.stopAboveWriteMs === null
      ? ''
      : `, or where writes to the data files of the earlier waves take more than ${part.stopAboveWriteMs} ms on average meanwhile, or none is seen (sys.dm_io_virtual_file_stats)`;
  const stops = `where a database failed, is not as it was left (failed over, replaced, changed by somebody else)${limit}`;
  const lines = [`Waves: ${describeSizes(plan)}. ${plan.order ?? ''}`.trim()];
  if (part.wave === null) lines.push(`It waits ${part.pauseMinutes} min before each wave after the first, and begins none ${stops}.`);
  else if (part.wave > 1) {
    const look = part.pauseMinutes === 0 ? '' : ` It looks for ${part.pauseMinutes} min before it begins.`;
    lines.push(
      `It does not begin while a database of the wave before is not as the script of that wave leaves it, nor ${stops}.${look} A database that cannot be changed holds it up until its row is taken out of the list.`,
    );
  }
  return lines;
}

/** "1: 1 database; 2: 10 databases". */
function describeSizes({ steps }: Plan): string {
  const sizes = new Map<number, number>();
  for (const { wave } of steps) sizes.set(wave, (sizes.get(wave) ?? 0) + 1);
  if (sizes.size > mostSizes) return `${sizes.size}, of up to ${countDatabases(Math.max(...sizes.values()))}`;
  return [...sizes].map(([wave, size]) => `${wave}: ${countDatabases(size)}`).join('; ');
}

function listFindings(steps: readonly PlanStep[], { preflight }: ScriptOrigin): readonly string[] {
  const server = (preflight?.server ?? []).map((finding) => `  The server: ${describeFinding(finding)}`);
  const all = steps.flatMap(({ database }) =>
    (preflight?.databases.get(database.databaseId) ?? []).map((finding) => ({ name: database.name, finding })),
  );
  const own = all.slice(0, mostFindings).map(({ name, finding }) => `  ${name}: ${describeFinding(finding)}`);
  const unseen = (preflight?.unseen ?? []).map((sentence) => `  Not seen: ${sentence}`);
  const more = all.length > mostFindings ? [`  and ${all.length - mostFindings} more about databases: see the change record`] : [];
  const lines = [...server, ...own, ...more, ...unseen];
  return lines.length === 0 ? [] : ['To know before it is run:', ...lines];
}

export function describeFinding({ severity, sentence, remedy }: Finding): string {
  return `${severity.toUpperCase()}: ${sentence}${remedy === null ? '' : ` ${remedy}`}`;
}

function listLeftOut(plan: Plan): readonly string[] {
  const { exclusions } = plan;
  if (exclusions.length === 0) return ['Left out: nothing that was chosen.'];
  return [`Left out (${exclusions.length}):`, ...exclusions.map(({ name, reason }) => `  ${name} ${reason}.`), ...listElsewhere(plan)];
}

function listElsewhere({ exclusions, elsewhere = [] }: Plan): readonly string[] {
  const written = new Set(elsewhere.map(({ primary }) => primary));
  const replicas = [...new Set(exclusions.flatMap(({ elsewhere }) => (elsewhere === null ? [] : [elsewhere])))];
  return replicas.map((replica) => {
    const there = exclusions.filter(({ elsewhere }) => elsewhere === replica);
    const or = written.has(replica) ? ', or run the script for it that stands behind those of this server' : '';
    return `To be changed on ${replica} (connect to it and review a script there${or}): ${there.map(({ name }) => name).join(', ')}`;
  });
}
