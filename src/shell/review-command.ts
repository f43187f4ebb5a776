/** From chosen databases to a script in an editor. Nothing here, or behind it, runs the script. */
import type { DatabaseFacts } from '../core/advice/facts';
import { checkTargetSeconds, oneWave, type Plan, unusuallyShortTargetSeconds } from '../core/advice/plan';
import type { ScriptEditor } from '../hosts/host';
import type { ServerSnapshot } from '../monitor/server-monitor';
import { type CommandContext, connectTo, findTarget } from './command-context';
import type { CommandTarget } from './command-target';
import type { CommandHandler } from './commands';

export function createReviewCommand(context: CommandContext, editor: ScriptEditor): CommandHandler {
  return async (invoked, selection) => {
    const target = await findTarget(context, invoked, selection);
    const monitor = await connectTo(context, target.serverId);
    const chosen = await chooseForScript(context, monitor.snapshot, target);
    const seconds = await askTargetSeconds(context);
    const { plan, scripts } = await context.conversation.showWork('Writing the script', (signal) =>
      monitor.reviewSwitch({ ...chosen, targetSeconds: seconds, waves: oneWave, waveOf: new Map() }, signal),
    );
    if (scripts === null) {
      context.conversation.tell(describeEmptyPlan(plan));
      return;
    }
    const { label } = monitor.snapshot;
    for (const { title, kind, text } of scripts.scripts)
      await editor.open(text, title, target.serverId, kind === 'rollback' ? 'beside' : 'in front');
    context.log.info(
      `${label}: opened the script for ${plan.steps.length} databases and its rollback; ${plan.exclusions.length} left out. Nothing was executed.`,
    );
  };
}

interface Chosen {
  readonly databaseIds: readonly number[];
  /** The user pointed at them themselves: then a value above 0 may be overwritten. */
  readonly byName: boolean;
}

async function chooseForScript(context: CommandContext, snapshot: ServerSnapshot, target: CommandTarget): Promise<Chosen> {
  if (target.databaseIds.length > 0) return { databaseIds: target.databaseIds, byName: true };
  const automatic = listAutomatic(snapshot, target);
  const harmful = automatic.filter((database) => snapshot.verdicts.get(database.databaseId)?.verdict === 'Switch');
  if (harmful.length > 0) return { databaseIds: harmful.map((database) => database.databaseId), byName: false };
  if (automatic.length === 0)
    throw new Error('No database here uses automatic checkpoints and can be changed: there is nothing to switch.');
  const databaseIds = await context.conversation.chooseMany(
    'Databases to put into the script',
    automatic.map((database) => ({
      value: database.databaseId,
      label: database.name,
      description: snapshot.verdicts.get(database.databaseId)?.reason ?? '',
      isPicked: true,
    })),
  );
  if (databaseIds.length === 0) throw new Error('No database was chosen, so there is no script.');
  return { databaseIds, byName: false };
}

/** Automatic and changeable here; of the group that was pointed at. */
function listAutomatic(snapshot: ServerSnapshot, target: CommandTarget): readonly DatabaseFacts[] {
  return (snapshot.facts?.databases ?? []).filter((database) => {
    const group = snapshot.verdicts.get(database.databaseId)?.group;
    return database.targetSeconds === 0 && group !== 'Not changeable here' && (target.group === null || group === target.group);
  });
}

async function askTargetSeconds({ conversation }: CommandContext): Promise<number> {
  const text = await conversation.askText({
    title: 'Target recovery time',
    prompt: 'Target recovery time in seconds; 60 is the default of new databases since SQL Server 2016',
    value: '60',
    check: (typed) => checkTargetSeconds(readSeconds(typed)),
  });
  const seconds = readSeconds(text);
  if (seconds < unusuallyShortTargetSeconds) {
    await conversation.confirm(
      `Write a target recovery time of ${seconds === 1 ? '1 second' : `${seconds} seconds`}?`,
      `Below ${unusuallyShortTargetSeconds} seconds the background writer has to write pages again and again that would have changed once more before a checkpoint: total writes rise. You gain a shorter recovery after a crash.`,
      'Write the Script',
    );
  }
  return seconds;
}

function readSeconds(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}

/** Reasons beyond these are counted. */
const mostReasons = 3;

/** Why nothing can be switched, in one sentence. */
export function describeEmptyPlan(plan: Plan): string {
  const reasons = plan.exclusions.slice(0, mostReasons).map(({ name, reason }) => `${name} ${reason}`);
  const more = plan.exclusions.length > mostReasons ? `; and ${plan.exclusions.length - mostReasons} more` : '';
  return `There is nothing to switch: ${reasons.join('; ')}${more}.`;
}
