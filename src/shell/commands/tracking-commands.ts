/** Start, stop and remove tracking, choose the databases to track, and show the T-SQL for it. The monitor logs every text that changes something. */
import { countDatabases, formatDateTime } from '../../core/format';
import type { DatabaseFacts } from '../../core/advice/facts';
import { AlreadySo } from '../../monitor/queries/failure';
import type { ServerSnapshot, ServerMonitor } from '../../monitor/server-monitor';
import {
  type CommandContext,
  confirmDeed,
  connectTo,
  type Deed,
  findPointedAt,
  findTarget,
  nameWithAddress,
  type PointedTarget,
} from './command-context';
import type { CommandTable, CommandTarget } from '../kit/command-table';
import { describeTarget } from '../tree/database-row';
import { MOST_PREDICATE_IDS } from '../../core/script/session';
import { type SessionElsewhere, StartedElsewhere } from '../../monitor/tracking/session-owner';
import type { Conversation } from '../kit/conversation';
import { t } from '../../core/language';

type TrackingCommands = Pick<
  CommandTable,
  'startTracking' | 'startTrackingChosen' | 'stopTracking' | 'removeTracking' | 'showTrackingSql' | 'addToTracking' | 'removeFromTracking'
>;

export function createTrackingCommands(context: CommandContext): TrackingCommands {
  return {
    startTracking: async (invoked, selection) => startPointedAt(context, await findPointedAt(context, invoked, selection)),
    startTrackingChosen: async (invoked, selection) => startChosen(context, await findPointedAt(context, invoked, selection)),
    stopTracking: (invoked, selection) => stopTracking(context, invoked, selection),
    removeTracking: (invoked, selection) => removeTracking(context, invoked, selection),
    showTrackingSql: (invoked, selection) => showTrackingSql(context, invoked, selection),
    addToTracking: async (invoked, selection) => addToTracked(context, await findPointedAt(context, invoked, selection)),
    removeFromTracking: async (invoked, selection) => removeFromTracked(context, await findPointedAt(context, invoked, selection)),
  };
}

async function startPointedAt(context: CommandContext, pointed: PointedTarget): Promise<void> {
  const { serverId, databaseIds } = pointed.target;
  if (isTracked(context.servers.snapshot(serverId))) return meetTracked(context, pointed);
  await confirmDeed(context, pointed, describeStart(nameDatabases(databaseIds)));
  await startTracking(context, pointed, databaseIds.length === 0 ? null : databaseIds);
}

/** If databases are tracked already, the user chooses all those to be tracked from now on. */
async function startChosen(context: CommandContext, pointed: PointedTarget): Promise<void> {
  const { target } = pointed;
  const wasTracked = isTracked(context.servers.snapshot(target.serverId));
  if (wasTracked) await confirmChange(context, pointed, 'Change the tracked databases of');
  else await confirmDeed(context, pointed, describeStart('databases that you choose'));
  const monitor = await connectTo(context, target.serverId);
  const { snapshot } = monitor;
  if (!isTracked(snapshot)) return startTracking(context, pointed, await chooseDatabases(context, snapshot, target));
  if (snapshot.adoptedSession !== null) return meetTracked(context, pointed);
  const offered = listTrackable(snapshot, NO_GROUP);
  const chosen = await chooseDatabases(context, snapshot, { ...target, ...NO_GROUP });
  const isSame = offered.every(({ databaseId }) => isTrackedNow(snapshot, databaseId) === chosen.includes(databaseId));
  if (isSame) return context.showTimeline(target.serverId, null);
  await trackInstead(context, monitor, chosen.length === offered.length ? null : chosen);
}

async function startTracking(context: CommandContext, pointed: PointedTarget, databaseIds: readonly number[] | null): Promise<void> {
  const monitor = await connectTo(context, pointed.target.serverId);
  const { conversation } = context;
  const step = { label: monitor.snapshot.label, what: 'Drop it and make it anew', button: 'Make It Anew' };
  try {
    await changeSession(conversation, step, (agreed) =>
      conversation.showWork('Starting to track', (signal) => monitor.startTracking(databaseIds, signal, agreed)),
    );
  } catch (error) {
    // The server's answer showed that tracking runs already, or somebody clicked twice.
    if (!(error instanceof AlreadySo)) throw error;
    await meetTracked(context, pointed);
  }
}

/** False if the server is not connected: then nobody knows what it does. */
const isTracked = ({ connection, tracking }: ServerSnapshot): boolean => connection === 'connected' && tracking.state === 'tracking';

const isTrackedNow = ({ trackedDatabaseIds }: ServerSnapshot, databaseId: number): boolean =>
  trackedDatabaseIds?.includes(databaseId) ?? true;

/** For a Start while tracking runs already: adds the databases that are not tracked yet, or shows the timeline. */
async function meetTracked(context: CommandContext, pointed: PointedTarget): Promise<void> {
  const { serverId, databaseIds } = pointed.target;
  const snapshot = context.servers.snapshot(serverId);
  const isOwn = snapshot.adoptedSession === null;
  if (isOwn && databaseIds.some((databaseId) => !isTrackedNow(snapshot, databaseId))) return addToTracked(context, pointed);
  context.showTimeline(serverId, databaseIds[0] ?? null);
  tellTracked(context, pointed, snapshot);
}

/** Says what the timeline does not: which databases are tracked, because all may have been asked for, and whose session is followed. */
function tellTracked(
  context: CommandContext,
  { target }: PointedTarget,
  { label, adoptedSession, trackedDatabaseIds }: ServerSnapshot,
): void {
  const { conversation } = context;
  if (adoptedSession !== null)
    return conversation.tell(
      t(
        'Checkpoints of {0} are being tracked already, by the event session {1}, which is only read. Stop Tracking ends that.',
        label,
        adoptedSession,
      ),
    );
  if (trackedDatabaseIds === null) return;
  conversation.offer(t('Tracked on {0} already: {1}.', label, countDatabases(trackedDatabaseIds.length)), t('Choose Databases…'), () =>
    startChosen(context, { target: { ...target, ...NO_GROUP }, isByUser: true }),
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
  return length === 0 ? 'all databases' : length === 1 ? 'one database' : countDatabases(length);
}

async function chooseDatabases(context: CommandContext, snapshot: ServerSnapshot, target: CommandTarget): Promise<readonly number[]> {
  const choices = listTrackable(snapshot, target).map((database) => ({
    value: database.databaseId,
    label: database.name,
    description: describeTarget(database),
    isPicked: isPreselected(database, snapshot, target),
  }));
  if (choices.length === 0) throw new Error('There is no database here that can be tracked.');
  const chosen = await context.conversation.chooseMany('Databases to track', choices);
  if (chosen.length === 0)
    throw new Error(
      isTracked(snapshot)
        ? 'No database was chosen, so the tracked ones stay: to track none, stop tracking.'
        : 'No database was chosen, so tracking was not started.',
    );
  return chosen;
}

const NO_GROUP = { group: null, databaseIds: [] } as const;

/** Databases that can have checkpoints on this server now. */
function listTrackable(snapshot: ServerSnapshot, target: Pick<CommandTarget, 'group'>): readonly DatabaseFacts[] {
  const online = (snapshot.facts?.databases ?? []).filter((database) => database.state === 'ONLINE' && !database.isSnapshot);
  return target.group === null ? online : online.filter((database) => snapshot.verdicts.get(database.databaseId)?.group === target.group);
}

function isPreselected(database: DatabaseFacts, snapshot: ServerSnapshot, target: CommandTarget): boolean {
  if (target.databaseIds.length > 0) return target.databaseIds.includes(database.databaseId);
  if (snapshot.trackedDatabaseIds !== null || isTracked(snapshot)) return isTrackedNow(snapshot, database.databaseId);
  return database.targetSeconds === 0 && snapshot.verdicts.get(database.databaseId)?.group !== 'Cannot change here';
}

async function stopTracking(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const { conversation } = context;
  const pointed = await findPointedAt(context, invoked, selection);
  const known = context.servers.snapshot(pointed.target.serverId);
  if (isKnownIdle(known)) return tellNothingTracked(context, known);
  const detail = 'The event session CheckpointHealth is read to its end and stopped; what was read stays on screen.';
  await confirmDeed(context, pointed, { question: 'Stop tracking checkpoints on', detail, button: 'Stop Tracking' });
  const monitor = await connectTo(context, pointed.target.serverId);
  const step = { label: monitor.snapshot.label, what: 'Stop it', button: 'Stop It' };
  try {
    await changeSession(conversation, step, (agreed) =>
      conversation.showWork('Reading to the end and stopping', (signal) => monitor.stopTracking(signal, agreed)),
    );
  } catch (error) {
    if (!(error instanceof AlreadySo)) throw error;
    tellNothingTracked(context, monitor.snapshot);
  }
}

/** False if the server is not connected: then nobody knows. */
const isKnownIdle = ({ connection, tracking: { state } }: ServerSnapshot): boolean =>
  connection === 'connected' && (state === 'not tracking' || state === 'stopped' || state === 'failed');

function tellNothingTracked({ conversation }: CommandContext, { label }: ServerSnapshot): void {
  conversation.tell(`Checkpoints of ${label} are not being tracked from here: there is nothing to stop.`);
}

async function removeTracking(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const { serverId } = await findTarget(context, invoked, selection);
  const monitor = await connectTo(context, serverId);
  const { conversation } = context;
  const { label } = monitor.snapshot;
  await conversation.confirm(
    `Remove the tracking session from ${nameWithAddress(context, serverId)}?`,
    'The event session CheckpointHealth is dropped. What was read stays on screen. The .xel files stay on the server, because T-SQL cannot delete them; their names and how large they are at most are said afterwards.',
    'Remove',
  );
  const files = await changeSession(conversation, { label, what: 'Drop it', button: 'Drop It' }, (agreed) =>
    conversation.showWork('Removing the tracking session', (signal) => monitor.removeTracking(signal, agreed)),
  );
  context.log.info(`${label}: tracking session removed. Files left on the server: ${files.length === 0 ? 'none' : files.join(', ')}`);
  if (files.length > 0) conversation.tell(describeLeftFiles(label, files));
}

/** @param files patterns of the file names, each with the largest size of the files */
function describeLeftFiles(label: string, files: readonly string[]): string {
  return t(
    'The tracking session was removed from {0}. Its event files stay on the server: {1}. Delete them there when nobody needs them.',
    label,
    files.join('; '),
  );
}

async function showTrackingSql(context: CommandContext, invoked: unknown, selection: unknown): Promise<void> {
  const target = await findTarget(context, invoked, selection);
  const monitor = await connectTo(context, target.serverId);
  const texts = monitor.showTrackingTexts(target.databaseIds.length === 0 ? monitor.snapshot.trackedDatabaseIds : target.databaseIds);
  const parts = texts.map(({ title, text }) => `/* ---- ${title} ---- */\n${text.trim()}\n`);
  await context.conversation.showText(parts.join('GO\n\n'), 'sql');
}

/** @throws Dismissed, Error with one sentence */
function addToTracked(context: CommandContext, pointed: PointedTarget): Promise<void> {
  return changeTracked(context, pointed, 'Track more databases of', addDatabases);
}

/** @throws Dismissed, Error with one sentence */
function removeFromTracked(context: CommandContext, pointed: PointedTarget): Promise<void> {
  return changeTracked(context, pointed, 'Track fewer databases of', removeDatabases);
}

/** @param databaseIds null: all @throws Dismissed, Error with one sentence */
async function trackInstead(context: CommandContext, monitor: ServerMonitor, databaseIds: readonly number[] | null): Promise<void> {
  const { conversation } = context;
  const { label } = monitor.snapshot;
  const wanted = databaseIds === null ? null : checkNumber(databaseIds, label);
  await changeSession(conversation, { label, what: 'Change its databases', button: 'Change Databases' }, (agreed) =>
    conversation.showWork('Changing the tracked databases', (signal) => monitor.changeTrackedDatabases(wanted, signal, agreed)),
  );
}

/** Asks before the databases of a running session are changed. @throws Dismissed */
function confirmChange(context: CommandContext, pointed: PointedTarget, question: string): Promise<void> {
  const detail = 'The event session CheckpointHealth goes on with other databases, which leaves a gap of a moment.';
  return confirmDeed(context, pointed, { question, detail, button: 'Change Databases' });
}

async function changeTracked(
  context: CommandContext,
  pointed: PointedTarget,
  question: string,
  change: (snapshot: ServerSnapshot, databaseIds: readonly number[]) => readonly number[],
): Promise<void> {
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

/** An event session can tell this many databases apart, no more (docs/facts.md, SQL Server 3). @throws Error with one sentence */
function checkNumber(databaseIds: readonly number[], label: string): readonly number[] {
  if (databaseIds.length <= MOST_PREDICATE_IDS) return databaseIds;
  throw new Error(
    `That would be ${countDatabases(databaseIds.length)} of ${label}; an event session records ${MOST_PREDICATE_IDS} chosen ones at most, or all of them.`,
  );
}

interface SessionStep {
  /** The user's name for the server. */
  readonly label: string;
  /** "Stop it". */
  readonly what: string;
  readonly button: string;
}

/**
 * Runs a step that changes the event session. If the session was started elsewhere, tells the user what is known of it, asks, and runs the step again.
 * Asks again for each other session that it finds there.
 * @throws Dismissed, and what the step throws
 */
async function changeSession<T>(
  conversation: Pick<Conversation, 'confirm'>,
  { label, what, button }: SessionStep,
  change: (agreed: SessionElsewhere | null) => Promise<T>,
): Promise<T> {
  for (let agreed: SessionElsewhere | null = null; ;) {
    try {
      return await change(agreed);
    } catch (error) {
      if (!(error instanceof StartedElsewhere)) throw error;
      agreed = error.session;
      const question = `The event session CheckpointHealth on ${label} was started elsewhere. ${what} all the same?`;
      await conversation.confirm(question, describeElsewhere(agreed), button);
    }
  }
}

function describeElsewhere({ configuredFile, isRunning, startedLocalMs }: SessionElsewhere): string {
  const since = startedLocalMs === null ? '' : ` since ${formatDateTime(startedLocalMs, 0)} by the server's clock`;
  const state = isRunning ? `It has been running${since}` : 'It does not run';
  const target =
    configuredFile === null
      ? 'It records in memory: what nobody has read is gone when it stops.'
      : `Its file is ${configuredFile}; its files stay on the server, whatever becomes of it.`;
  return `Another installation of Checkpoint Health made it, a colleague's or an earlier version, or somebody by hand. ${state}, and somebody may be reading it. ${target}`;
}
