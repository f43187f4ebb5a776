/** Add databases to what is tracked, and take some out, while tracking goes on. */
import { countDatabases } from '../../core/format';
import type { ServerMonitor, ServerSnapshot } from '../../monitor/server-monitor';
import { MOST_PREDICATE_IDS } from '../../core/script/session';
import { type CommandContext, confirmDeed, connectTo, findPointedAt, type PointedTarget } from './command-context';
import type { CommandTable } from '../kit/command-table';
import { changeSession } from './session-elsewhere';

export type TrackedDatabasesCommands = Pick<CommandTable, 'addToTracking' | 'removeFromTracking'>;

export function createTrackedDatabasesCommands(context: CommandContext): TrackedDatabasesCommands {
  return {
    addToTracking: async (invoked, selection) => addToTracked(context, await findPointedAt(context, invoked, selection)),
    removeFromTracking: async (invoked, selection) =>
      changeTracked(context, await findPointedAt(context, invoked, selection), {
        change: removeDatabases,
        question: 'Track fewer databases of',
      }),
  };
}

/** @throws Dismissed, Error with one sentence */
export function addToTracked(context: CommandContext, pointed: PointedTarget): Promise<void> {
  return changeTracked(context, pointed, { change: addDatabases, question: 'Track more databases of' });
}

/** @param databaseIds null: all @throws Dismissed, Error with one sentence */
export async function trackInstead(context: CommandContext, monitor: ServerMonitor, databaseIds: readonly number[] | null): Promise<void> {
  const { conversation } = context;
  const { label } = monitor.snapshot;
  const wanted = databaseIds === null ? null : checkNumber(databaseIds, label);
  await changeSession(conversation, { label, what: 'Change its databases', button: 'Change Databases' }, (agreed) =>
    conversation.showWork('Changing the tracked databases', (signal) => monitor.changeTrackedDatabases(wanted, signal, agreed)),
  );
}

/** Before the databases of a running session are changed. @throws Dismissed */
export function confirmChange(context: CommandContext, pointed: PointedTarget, question: string): Promise<void> {
  const detail = 'The event session CheckpointHealth goes on with other databases, which leaves a gap of a moment.';
  return confirmDeed(context, pointed, { question, detail, button: 'Change Databases' });
}

interface DatabasesStep {
  readonly change: (snapshot: ServerSnapshot, databaseIds: readonly number[]) => readonly number[];
  readonly question: string;
}

async function changeTracked(context: CommandContext, pointed: PointedTarget, { change, question }: DatabasesStep): Promise<void> {
  const { serverId, databaseIds } = pointed.target;
  if (databaseIds.length === 0) throw new Error('Choose one or more databases in the pane first.');
  await confirmChange(context, pointed, question);
  const monitor = await connectTo(context, serverId);
  if (monitor.snapshot.tracking.state !== 'tracking') throw new Error(`Checkpoints of ${monitor.snapshot.label} are not being tracked.`);
  await trackInstead(context, monitor, change(monitor.snapshot, databaseIds));
}

/** @throws Error with one sentence */
function addDatabases({ trackedDatabaseIds, label }: ServerSnapshot, databaseIds: readonly number[]): readonly number[] {
  const added = trackedDatabaseIds === null ? [] : databaseIds.filter((id) => !trackedDatabaseIds.includes(id));
  if (trackedDatabaseIds === null || added.length === 0) throw new Error(`They are tracked on ${label} already.`);
  return [...trackedDatabaseIds, ...added];
}

/** @throws Error with one sentence */
function removeDatabases({ trackedDatabaseIds, facts, label }: ServerSnapshot, databaseIds: readonly number[]): readonly number[] {
  const tracked = trackedDatabaseIds ?? (facts?.databases ?? []).map(({ databaseId }) => databaseId);
  const left = tracked.filter((id) => !databaseIds.includes(id));
  if (left.length === tracked.length) throw new Error(`They are not tracked on ${label}.`);
  if (left.length === 0) throw new Error('No database would be left: stop tracking instead.');
  return left;
}

/** An event session can tell this many databases apart and no more (docs/facts.md, SQL Server 3). @throws Error with one sentence */
function checkNumber(databaseIds: readonly number[], label: string): readonly number[] {
  if (databaseIds.length <= MOST_PREDICATE_IDS) return databaseIds;
  throw new Error(
    `That would be ${countDatabases(databaseIds.length)} of ${label}; an event session records ${MOST_PREDICATE_IDS} chosen ones at most, or all of them.`,
  );
}
