/** Start, stop and remove tracking, and the T-SQL that this takes. Every text that changes something is logged by the monitor when it runs it. */
import type { DatabaseFacts } from '../core/advice/facts';
import type { ServerSnapshot } from '../monitor/server-monitor';
import { type CommandContext, confirmDeed, connectTo, type Deed, findPointedAt, findTarget, nameWithAddress } from './command-context';
import type { CommandTarget } from './command-target';
import type { CommandTable } from './commands';
import { changeSession } from './session-elsewhere';
import { createTrackedDatabasesCommands, type TrackedDatabasesCommands } from './tracked-databases-commands';
import { describeTarget } from './tree/database-row';

type TrackingCommands = Pick<
  CommandTable,
  'startTracking' | 'startTrackingChosen' | 'stopTracking' | 'removeTracking' | 'showTrackingSql'
> &
  TrackedDatabasesCommands;

export function createTrackingCommands(context: CommandContext): TrackingCommands {
  return {
    startTracking: async (invoked, selection) => {
      const pointed = await findPointedAt(context, invoked, selection);
      const { serverId, databaseIds } = pointed.target;
      await confirmDeed(context, pointed, describeStart(nameDatabases(databaseIds)));
      await startTracking(context, serverId, databaseIds.length === 0 ? null : databaseIds);
    },
    startTrackingChosen: async (invoked, selection) => {
      const pointed = await findPointedAt(context, invoked, selection);
      await confirmDeed(context, pointed, describeStart('databases that you choose'));
      await startTracking(context, pointed.target.serverId, await chooseDatabases(context, pointed.target));
    },
    stopTracking: (invoked, selection) => stopTracking(context, invoked, selection),
    removeTracking: (invoked, selection) => removeTracking(context, invoked, selection),
    showTrackingSql: (invoked, selection) => showTrackingSql(context, invoked, selection),
    ...createTrackedDatabasesCommands(context),
  };
}

async function startTracking(context: CommandContext, serverId: string, databaseIds: readonly number[] | null): Promise<void> {
  const monitor = await connectTo(context, serverId);
  const { conversation } = context;
  const step = { label: monitor.snapshot.label, what: 'Drop it and make it anew', button: 'Make It Anew' };
  await changeSession(conversation, step, (agreed) =>
    conversation.showWork('Starting to track', (signal) => monitor.startTracking(databaseIds, signal, agreed)),
  );
}

function describeStart(databases: string): Deed {
  return {
    question: `Track checkpoints of ${databases} on`,
    detail: 'The event session CheckpointHealth is created and started on that server.',
    button: 'Start Tracking',
  };
}

function nameDatabases({ length }: readonly number[]): string {
  return length === 0 ? 'all databases' : length === 1 ? 'one database' : `${length} databases`;
}

async function chooseDatabases(context: CommandContext, target: CommandTarget): Promise<readonly number[]> {
  const { snapshot } = await connectTo(context, target.serverId);
  const choices = listTrackable(snapshot, target).map((database) => ({
    value: database.databaseId,
    label: database.name,
    description: describeTarget(database),
    isPicked: isPreselected(database, snapshot, target),
  }));
  if (choices.length === 0) throw new Error('There is no database here that can be tracked.');
  const chosen = await context.conversation.chooseMany('Databases to track', choices);
  if (chosen.length === 0) throw new Error('No database was chosen, so tracking was not started.');
  return chosen;
}

/** Databases that can have checkpoints here now. */
function listTrackable(snapshot: ServerSnapshot, target: CommandTarget): readonly DatabaseFacts[] {
  const online = (snapshot.facts?.databases ?? []).filter((database) => database.state === 'ONLINE' && !database.isSnapshot);
  return target.group === null ? online : online.filter((database) => snapshot.verdicts.get(database.databaseId)?.group === target.group);
}

function isPreselected(database: DatabaseFacts, snapshot: ServerSnapshot, target: CommandTarget): boolean {
  if (target.databaseIds.length > 0) return target.databaseIds.includes(database.databaseId);
  if (snapshot.trackedDatabaseIds !== null) return snapshot.trackedDatabaseIds.includes(database.databaseId);
  return database.targetSeconds === 0 && snapshot.verdicts.get(database.databaseId)?.group !== 'Not changeable here';
}

async function stopTracking(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const { conversation } = context;
  const pointed = await findPointedAt(context, invoked, selection);
  const detail = 'The event session CheckpointHealth is read to its end and stopped; what was read stays on screen.';
  await confirmDeed(context, pointed, { question: 'Stop tracking checkpoints on', detail, button: 'Stop Tracking' });
  const monitor = await connectTo(context, pointed.target.serverId);
  const step = { label: monitor.snapshot.label, what: 'Stop it', button: 'Stop It' };
  await changeSession(conversation, step, (agreed) =>
    conversation.showWork('Reading to the end and stopping', (signal) => monitor.stopTracking(signal, agreed)),
  );
}

async function removeTracking(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const { serverId } = await findTarget(context, invoked, selection);
  const monitor = await connectTo(context, serverId);
  const { conversation } = context;
  const { label } = monitor.snapshot;
  await conversation.confirm(
    `Remove the tracking session from ${nameWithAddress(context, serverId)}?`,
    'The event session CheckpointHealth is dropped. What was read stays on screen. The .xel files stay on the server, because T-SQL cannot delete them; they are named afterwards.',
    'Remove',
  );
  const files = await changeSession(conversation, { label, what: 'Drop it', button: 'Drop It' }, (agreed) =>
    conversation.showWork('Removing the tracking session', (signal) => monitor.removeTracking(signal, agreed)),
  );
  context.log.info(`${label}: tracking session removed. Files left on the server: ${files.length === 0 ? 'none' : files.join(', ')}`);
  conversation.tell(describeLeftFiles(label, files));
}

/** Names more than these go to the log only. */
const mostFilesNamed = 3;

export function describeLeftFiles(label: string, files: readonly string[]): string {
  if (files.length === 0) return `The tracking session was removed from ${label}; no file of it is known there.`;
  // A pattern stands for files of which none was read.
  const isOneFile = files.length === 1 && files[0]?.includes('*') === false;
  const named = files.slice(0, mostFilesNamed).join(', ');
  const more = files.length > mostFilesNamed ? ` and ${files.length - mostFilesNamed} more, all named in the log` : '';
  return `The tracking session was removed from ${label}. ${isOneFile ? 'This file stays' : 'These files stay'} on the server: ${named}${more}.`;
}

async function showTrackingSql(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const target = await findTarget(context, invoked, selection);
  const monitor = await connectTo(context, target.serverId);
  const texts = monitor.showTrackingTexts(target.databaseIds.length === 0 ? monitor.snapshot.trackedDatabaseIds : target.databaseIds);
  const parts = texts.map(({ title, text }) => `/* ---- ${title} ---- */\n${text.trim()}\n`);
  await context.conversation.showText(parts.join('GO\n\n'), 'sql');
}
