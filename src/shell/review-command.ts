/** From what was pointed at to a review, and from there to scripts in editors. Nothing here, or behind it, runs a script. */
import { proposeDatabases, type Proposal } from '../core/advice/proposal';
import { type CommandContext, connectTo, findTarget } from './command-context';
import type { CommandHandler } from './commands';

/** @param reviews opens the panel */
export function createReviewCommand(
  context: CommandContext,
  reviews: { show(serverId: string, proposal: Proposal): void },
): CommandHandler {
  return async (invoked, selection) => {
    const target = await findTarget(context, invoked, selection);
    const { snapshot } = await connectTo(context, target.serverId);
    // Connected, its facts are there: connectTo throws where they are not.
    if (snapshot.facts !== null)
      reviews.show(target.serverId, proposeDatabases(target, snapshot.facts, snapshot.verdicts, snapshot.instance?.advised ?? []));
  };
}
