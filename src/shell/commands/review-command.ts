/** From what was pointed at to a review, and from there to scripts in editors. Nothing here, or behind it, runs a script. */
import { findNextWave } from '../../core/advice/forecast-seen';
import { proposeDatabases, type Proposal } from '../../core/advice/proposal';
import { findSwitches } from '../../core/task/change-moment';
import { type CommandContext, connectTo, findTarget } from './command-context';
import type { CommandHandler } from '../kit/command-table';

/** @param reviews opens the panel */
export function createReviewCommand(
  context: CommandContext,
  reviews: { show(serverId: string, proposal: Proposal): void },
): CommandHandler {
  return async (invoked, selection) => {
    const target = await findTarget(context, invoked, selection);
    const { snapshot } = await connectTo(context, target.serverId);
    // Connected, its facts are there: connectTo throws where they are not.
    const { facts, verdicts, instance, forecast, changes } = snapshot;
    if (facts === null) return;
    const isCanaryRun = forecast !== null && findNextWave(forecast, findSwitches(changes, forecast.madeUtcMs)) !== null;
    reviews.show(target.serverId, { ...proposeDatabases(target, facts, verdicts, instance?.advised ?? []), isCanaryRun });
  };
}
