/** Commands that only change what is on screen. */
import { t } from '../../core/language';
import { type CommandContext, findTarget, onTarget, tryToConnect } from './command-context';
import { type CommandTable, type CommandTarget, NotReached } from '../kit/command-table';
import { AUTOMATIC, isAutomaticFilter } from '../tree/group-rows';
import { isRow, type Row } from '../tree/row';

interface Screen {
  readonly tree: {
    filterOf(serverId: string): string;
    filter(serverId: string, text: string): void;
    showMore(row: Row): void;
  };
  readonly showLog: () => void;
}

export function createLookCommands(context: CommandContext, screen: Screen) {
  return {
    openDashboard: onTarget(context, (target) => openDashboard(context, target)),
    filterDatabases: (invoked, selection) => filterDatabases(context, screen, invoked, selection),
    showMoreDatabases: (invoked) => {
      if (isRow(invoked)) screen.tree.showMore(invoked);
    },
    showLog: () => screen.showLog(),
  } satisfies Partial<CommandTable>;
}

/** Opens at once and connects to the server meanwhile; tells the user what fails. */
async function openDashboard(
  context: CommandContext,
  { serverId, databaseIds }: CommandTarget,
): Promise<void> {
  context.showTimeline(serverId, databaseIds[0] ?? null);
  const { snapshot } = await tryToConnect(context, serverId);
  if (snapshot.failure !== null) throw new NotReached(snapshot.failure, serverId);
}

async function filterDatabases(
  context: CommandContext,
  screen: Screen,
  invoked: unknown,
  selection: unknown,
): Promise<void> {
  const { serverId } = await findTarget(context, invoked, selection);
  const now = screen.tree.filterOf(serverId);
  if (isRow(invoked) && invoked.kind === 'automatic')
    return screen.tree.filter(serverId, isAutomaticFilter(now) ? '' : AUTOMATIC);
  const text = await context.conversation.askText({
    title: t('Filter the databases of {0}', context.servers.snapshot(serverId).label),
    prompt: t('Part of the name, or the word automatic. Empty shows all databases.'),
    value: now,
  });
  screen.tree.filter(serverId, text);
}
