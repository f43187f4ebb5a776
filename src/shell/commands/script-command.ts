/**
 * Opens the review of a switch for the databases that the user pointed at, and writes the other scripts into editors.
 * Nothing here runs a script.
 */
import type { Facts } from '../../core/advice/facts';
import { writeAgentJob } from '../../core/script/agent-job';
import type { ReviewScript, ScriptSet } from '../../core/script/script-set';
import type { ScriptEditor } from '../../hosts/host';
import type { ServerSnapshot } from '../../monitor/server-monitor';
import { type CommandContext, connectTo, onTarget } from './command-context';
import type { CommandHandler, CommandTarget } from '../kit/command-table';
import type { Option } from '../kit/conversation';
import { askScript, scriptChoices } from './script-questions';
import { proposeDatabases, type Proposal } from '../../core/advice/proposal';
import { t } from '../../core/language';

const AGENT_JOB = 'agent job';
const choices: readonly Option<(typeof scriptChoices)[number]['value'] | typeof AGENT_JOB>[] = [
  ...scriptChoices,
  {
    value: AGENT_JOB,
    label: t('The switch as an Agent job'),
    description: t(
      'Creates a disabled job without a schedule. Its step is the switch script that you reviewed and opened last.',
    ),
  },
];

/** @param findOpened the scripts that were last opened from the review of that server */
export function createScriptCommand(
  context: CommandContext,
  editor: ScriptEditor,
  findOpened: (serverId: string) => ScriptSet | undefined = () => undefined,
): CommandHandler {
  return onTarget(context, async (target) => {
    const monitor = await connectTo(context, target.serverId);
    const { conversation } = context;
    const kind = await conversation.chooseOne(
      t('Which script? It opens in an editor; nothing is run.'),
      choices,
    );
    const write = async (): Promise<readonly ReviewScript[]> => {
      if (kind === AGENT_JOB) return [writeJob(findOpened(target.serverId))];
      const request = await askScript(kind, { conversation, snapshot: monitor.snapshot, target });
      return conversation.showWork(t('Writing the script'), (signal) => monitor.writeScript(request, signal));
    };
    const scripts = await write();
    const opened = await conversation.showWork(t('Opening scripts'), (signal) =>
      openScripts(editor, scripts, target.serverId, signal),
    );
    const titles = opened.map(({ title }) => title).join('; ');
    context.log.info(`${monitor.snapshot.label}: opened ${titles}. Nothing was executed.`);
  });
}

/** @returns those that were opened before the signal was aborted */
async function openScripts(
  editor: ScriptEditor,
  scripts: readonly ReviewScript[],
  serverId: string,
  signal: AbortSignal,
): Promise<readonly ReviewScript[]> {
  const opened: ReviewScript[] = [];
  for (const script of scripts) {
    if (signal.aborted) break;
    await editor.open(
      script.text,
      script.title,
      serverId,
      script.kind === 'rollback' ? 'beside' : 'in front',
    );
    opened.push(script);
  }
  return opened;
}

/** @throws Error with one sentence if no switch was opened */
function writeJob(opened: ScriptSet | undefined): ReviewScript {
  const change = opened?.scripts.find(({ kind }) => kind === 'change');
  if (change === undefined)
    throw new Error(t('Review a switch and open its scripts first. The job runs exactly that text.'));
  return writeAgentJob(change);
}

/** @param reviews opens the panel */
export function createReviewCommand(
  context: CommandContext,
  reviews: { show(serverId: string, proposal: Proposal): void },
): CommandHandler {
  return onTarget(context, async (target) => {
    const { snapshot } = await connectTo(context, target.serverId);
    // connectTo has made sure that the facts are there.
    if (snapshot.facts !== null)
      reviews.show(target.serverId, proposeReview(target, snapshot, snapshot.facts));
  });
}

/** The databases that a review of this server begins with. */
export function proposeReview(
  pointedAt: Pick<CommandTarget, 'databaseIds' | 'group' | 'rollsBack'>,
  { verdicts, instance }: ServerSnapshot,
  facts: Facts,
): Proposal {
  const next = instance?.next ?? null;
  const advised = next?.databaseIds ?? instance?.advised ?? [];
  return {
    ...proposeDatabases(pointedAt, facts, verdicts, advised),
    isCanaryRun: next !== null,
    ...(pointedAt.rollsBack && { rollsBack: true }),
  };
}
