/** Add databases to what is tracked, and take some out, while tracking goes on. */
import type { ServerSnapshot } from '../monitor/server-monitor';
import { mostPredicateIds } from '../core/script/session';
import { type CommandContext, confirmDeed, connectTo, findPointedAt } from './command-context';
import type { CommandTable } from './commands';
import { changeSession } from './session-elsewhere';

export type TrackedDatabasesCommands = Pick<CommandTable, 'addToTracking' | 'removeFromTracking'>;

export function createTrackedDatabasesCommands(context: CommandContext): TrackedDatabasesCommands {
  return {
    addToTracking: (invoked, selection) =>
      changeTracked(context, invoked, selection, { change: addDatabases, question: 'Track more databases of' }),
    removeFromTracking: (invoked, selection) =>
      changeTracked(context, invoked, selection, { change: removeDatabases, question: 'Track fewer databases of' }),
  };
}

interface DatabasesStep {
  readonly change: (snapshot: ServerSnapshot, databaseIds: readonly number[]) => readonly number[];
  readonly question: string;
}

async function changeTracked(
  context: CommandContext,
  invoked: unknown,
  selection: unknown,
  { change, question }: DatabasesStep,
): Promise<void> {
  const { conversation } = context;
  const pointed = await findPointedAt(context, invoked, selection);
  const { serverId, databaseIds } = pointed.target;
  if (databaseIds.length === 0) throw new Error('Choose one or more databases in the pane first.');
  const detail = 'The event session CheckpointHealth goes on with other databases, which leaves a gap of a moment.';
  await confirmDeed(context, pointed, { question, detail, button: 'Change Databases' });
  const monitor = await connectTo(context, serverId);
  if (monitor.snapshot.tracking.state !== 'tracking') throw new Error(`Checkpoints of ${monitor.snapshot.label} are not being tracked.`);
  const wanted = change(monitor.snapshot, databaseIds);
  const step = { label: monitor.snapshot.label, what: 'Change its databases', button: 'Change Databases' };
  await changeSession(conversation, step, (agreed) =>
    conversation.showWork('Changing the tracked databases', (signal) => monitor.changeTrackedDatabases(wanted, signal, agreed)),
  );
}

/** @throws Error with one sentence */
function addDatabases({ trackedDatabaseIds, label }: ServerSnapshot, databaseIds: readonly number[]): readonly number[] {
  const added = trackedDatabaseIds === null ? [] : databaseIds.filter((id) => !trackedDatabaseIds.includes(id));
  if (trackedDatabaseIds === null || added.length === 0) throw new Error(`They are tracked on ${label} already.`);
  return checkNumber([...trackedDatabaseIds, ...added], label);
}

/** @throws Error with one sentence */
function removeDatabases({ trackedDatabaseIds, facts, label }: ServerSnapshot, databaseIds: readonly number[]): readonly number[] {
  const tracked = trackedDatabaseIds ?? (facts?.databases ?? []).map(({ databaseId }) => databaseId);
  const left = tracked.filter((id) => !databaseIds.includes(id));
  if (left.length === tracked.length) throw new Error(`They are not tracked on ${label}.`);
  if (left.length === 0) throw new Error('No database would be left: stop tracking instead.');
  return checkNumber(left, label);
}

/** An event session can tell so many databases apart and no more (docs/facts.md, SQL Server 3). @throws Error with one sentence */
function checkNumber(databaseIds: readonly number[], label: string): readonly number[] {
  if (databaseIds.length <= mostPredicateIds) return databaseIds;
  throw new Error(
    `That would be ${databaseIds.length} databases of ${label}; an event session records ${mostPredicateIds} chosen ones at most, or all of them.`,
  );
}
