/** The scripts beside the switch: which one, what it needs, and into an editor. Nothing here, or behind it, runs a script. */
import type { ScriptRequest } from '../core/script/script-request';
import type { ScriptEditor } from '../hosts/host';
import { type CommandContext, connectTo, findTarget } from './command-context';
import type { CommandHandler } from './commands';
import { askScript, scriptChoices } from './script-questions';

export function createScriptCommand(context: CommandContext, editor: ScriptEditor): CommandHandler {
  return async (invoked, selection) => {
    const target = await findTarget(context, invoked, selection);
    const monitor = await connectTo(context, target.serverId);
    const kind = await context.conversation.chooseOne('Which script? It opens in an editor; nothing is run.', scriptChoices);
    const request: ScriptRequest = await askScript(kind, { conversation: context.conversation, snapshot: monitor.snapshot, target });
    const scripts = await context.conversation.showWork('Writing the script', (signal) => monitor.writeScript(request, signal));
    for (const script of scripts)
      await editor.open(script.text, script.title, target.serverId, script.kind === 'rollback' ? 'beside' : 'in front');
    const titles = scripts.map(({ title }) => title).join('; ');
    context.log.info(`${monitor.snapshot.label}: opened ${titles}. Nothing was executed.`);
  };
}
