/**
 * Start, stop and remove tracking, choose the databases to track, and show the T-SQL for it. The monitor logs every
 * text that changes something.
 */
import { countDatabases, formatCount, formatDateTime } from '../../core/format';
import type { DatabaseFacts } from '../../core/advice/facts';
import { AlreadySo } from '../../monitor/queries/failure';
import type { ServerSnapshot, ServerMonitor } from '../../monitor/server-monitor';
import {
  type CommandContext,
  confirmDeed,
  connectTo,
  type Deed,
  nameWithAddress,
  onPointedAt,
  onTarget,
  type PointedTarget,
} from './command-context';
import { type CommandTable, type CommandTarget, targetServer } from '../kit/command-table';
import { offerDatabase } from '../tree/database-row';
import { MOST_PREDICATE_IDS } from '../../core/script/session';
import { type SessionElsewhere, StartedElsewhere } from '../../monitor/tracking/session-owner';
import { joinSentences, t } from '../../core/language';

export function createTrackingCommands(context: CommandContext) {
  return {
    startTracking: onPointedAt(context, (pointed) => startPointedAt(context, pointed)),
    startTrackingChosen: onPointedAt(context, (pointed) => startChosen(context, pointed)),
    stopTracking: onPointedAt(context, (pointed) => stopTracking(context, pointed)),
    removeTracking: onTarget(context, ({ serverId }) => removeTracking(context, serverId)),
    showTrackingSql: onTarget(context, (target) => showTrackingSql(context, target)),
    addToTracking: onPointedAt(context, (pointed) => addToTracked(context, pointed)),
    removeFromTracking: onPointedAt(context, (pointed) => removeFromTracked(context, pointed)),
  } satisfies Partial<CommandTable>;
}

async function startPointedAt(context: CommandContext, pointed: PointedTarget): Promise<void> {
  const { serverId, databaseIds } = pointed.target;
  if (isTracked(context.servers.snapshot(serverId))) return meetTracked(context, pointed);
  await confirmStart(context, pointed, (server) => askToTrack(databaseIds.length, server));
  await startTracking(context, pointed, databaseIds.length === 0 ? null : databaseIds);
}

/** If databases are tracked already, the user chooses all those to be tracked from now on. */
async function startChosen(context: CommandContext, pointed: PointedTarget): Promise<void> {
  const { target } = pointed;
  const wasTracked = isTracked(context.servers.snapshot(target.serverId));
  if (wasTracked)
    await confirmChange(context, pointed, (server) => t('Change the tracked databases of {0}?', server));
  else
    await confirmStart(context, pointed, (server) =>
      t('Track checkpoints of databases that you choose on {0}?', server),
    );
  const monitor = await connectTo(context, target.serverId);
  const { snapshot } = monitor;
  if (!isTracked(snapshot))
    return startTracking(context, pointed, await chooseDatabases(context, snapshot, target));
  if (snapshot.adoptedSession !== null) return meetTracked(context, pointed);
  const whole = targetServer(target.serverId);
  const offered = listTrackable(snapshot, whole);
  const chosen = await chooseDatabases(context, snapshot, whole);
  const isSame = offered.every(
    ({ databaseId }) => isTrackedNow(snapshot, databaseId) === chosen.includes(databaseId),
  );
  if (isSame) return context.showTimeline(target.serverId, null);
  await trackInstead(context, monitor, chosen.length === offered.length ? null : chosen);
}

async function startTracking(
  context: CommandContext,
  pointed: PointedTarget,
  databaseIds: readonly number[] | null,
): Promise<void> {
  const monitor = await connectTo(context, pointed.target.serverId);
  const question = t(
    'The event session CheckpointHealth on {0} was started elsewhere. Drop it and create it again all the same?',
    monitor.snapshot.label,
  );
  try {
    await changeSession(
      context,
      { title: t('Starting to track'), question, button: t('Create Again') },
      (signal, agreed) => monitor.startTracking(databaseIds, signal, agreed),
    );
  } catch (error) {
    // The server's answer showed that tracking runs already, or the user clicked twice.
    if (!(error instanceof AlreadySo)) throw error;
    await meetTracked(context, pointed);
  }
}

/** False if the server is not connected: then it is not known what it does. */
const isTracked = ({ connection, tracking }: ServerSnapshot): boolean =>
  connection === 'connected' && tracking.state === 'tracking';

const isTrackedNow = ({ trackedDatabaseIds }: ServerSnapshot, databaseId: number): boolean =>
  trackedDatabaseIds?.includes(databaseId) ?? true;

/** For a Start while tracking runs already: adds the databases that are not tracked yet, or shows the timeline. */
async function meetTracked(context: CommandContext, pointed: PointedTarget): Promise<void> {
  const { serverId, databaseIds } = pointed.target;
  const snapshot = context.servers.snapshot(serverId);
  const isOwn = snapshot.adoptedSession === null;
  if (isOwn && databaseIds.some((databaseId) => !isTrackedNow(snapshot, databaseId)))
    return addToTracked(context, pointed);
  context.showTimeline(serverId, databaseIds[0] ?? null);
  tellTracked(context, pointed, snapshot);
}

/**
 * Says what the timeline does not: which databases are tracked, because all may have been asked for, and whose session
 * is followed.
 */
function tellTracked(
  context: CommandContext,
  { target }: PointedTarget,
  { label, adoptedSession, trackedDatabaseIds }: ServerSnapshot,
): void {
  const { conversation } = context;
  if (adoptedSession !== null)
    return conversation.tell(
      t(
        'The event session {1} already records checkpoints of {0}. Checkpoint Health only reads it. To stop reading, stop tracking.',
        label,
        adoptedSession,
      ),
    );
  if (trackedDatabaseIds === null) return;
  conversation.offer(
    t('Already tracked on {0}: {1}.', label, countDatabases(trackedDatabaseIds.length)),
    t('Choose Databases…'),
    () => startChosen(context, { target: targetServer(target.serverId), isByUser: true }),
  );
}

/** Asks before a session is started. @throws Dismissed */
function confirmStart(context: CommandContext, pointed: PointedTarget, ask: Deed['ask']): Promise<void> {
  const detail = t('The event session CheckpointHealth is created and started on that server.');
  return confirmDeed(context, pointed, { ask, detail, button: t('Start Tracking') });
}

/** @param databases how many; 0: all */
function askToTrack(databases: number, server: string): string {
  if (databases === 0) return t('Track checkpoints of all databases on {0}?', server);
  if (databases === 1) return t('Track checkpoints of one database on {0}?', server);
  return t('Track checkpoints of {0} databases on {1}?', formatCount(databases), server);
}

async function chooseDatabases(
  context: CommandContext,
  snapshot: ServerSnapshot,
  target: CommandTarget,
): Promise<readonly number[]> {
  const choices = listTrackable(snapshot, target).map((database) => ({
    ...offerDatabase(database),
    isPicked: isPreselected(database, snapshot, target),
  }));
  if (choices.length === 0) throw new Error(t('No database here can be tracked.'));
  const chosen = await context.conversation.chooseMany(t('Databases to track'), choices);
  if (chosen.length === 0)
    throw new Error(
      isTracked(snapshot)
        ? t('No database was chosen, so the tracked ones stay. To track none, stop tracking.')
        : t('No database was chosen, so tracking was not started.'),
    );
  return chosen;
}

/** Databases that can have checkpoints on this server now. */
function listTrackable(
  snapshot: ServerSnapshot,
  target: Pick<CommandTarget, 'group'>,
): readonly DatabaseFacts[] {
  const online = (snapshot.facts?.databases ?? []).filter(
    (database) => database.state === 'ONLINE' && !database.isSnapshot,
  );
  return target.group === null
    ? online
    : online.filter((database) => snapshot.verdicts.get(database.databaseId)?.group === target.group);
}

function isPreselected(database: DatabaseFacts, snapshot: ServerSnapshot, target: CommandTarget): boolean {
  if (target.databaseIds.length > 0) return target.databaseIds.includes(database.databaseId);
  if (snapshot.trackedDatabaseIds !== null || isTracked(snapshot))
    return isTrackedNow(snapshot, database.databaseId);
  return (
    database.targetSeconds === 0 && snapshot.verdicts.get(database.databaseId)?.group !== 'Cannot change here'
  );
}

async function stopTracking(context: CommandContext, pointed: PointedTarget): Promise<void> {
  const known = context.servers.snapshot(pointed.target.serverId);
  if (isKnownIdle(known)) return tellNothingTracked(context, known);
  const detail = t(
    'The event session CheckpointHealth is read to its end and stopped. What was read stays on screen.',
  );
  const ask = (server: string): string => t('Stop tracking checkpoints on {0}?', server);
  await confirmDeed(context, pointed, { ask, detail, button: t('Stop Tracking') });
  const monitor = await connectTo(context, pointed.target.serverId);
  const question = t(
    'The event session CheckpointHealth on {0} was started elsewhere. Stop it all the same?',
    monitor.snapshot.label,
  );
  try {
    await changeSession(
      context,
      { title: t('Reading to the end and stopping'), question, button: t('Stop It') },
      (signal, agreed) => monitor.stopTracking(signal, agreed),
    );
  } catch (error) {
    if (!(error instanceof AlreadySo)) throw error;
    tellNothingTracked(context, monitor.snapshot);
  }
}

/** False if the server is not connected: then it is not known. */
const isKnownIdle = ({ connection, tracking: { state } }: ServerSnapshot): boolean =>
  connection === 'connected' && (state === 'not tracking' || state === 'stopped' || state === 'failed');

function tellNothingTracked({ conversation }: CommandContext, { label }: ServerSnapshot): void {
  conversation.tell(t('Checkpoints of {0} are not tracked from here, so there is nothing to stop.', label));
}

async function removeTracking(context: CommandContext, serverId: string): Promise<void> {
  const monitor = await connectTo(context, serverId);
  const { conversation } = context;
  const { label } = monitor.snapshot;
  await conversation.confirm(
    t('Remove the tracking session from {0}?', nameWithAddress(context, serverId)),
    t(
      'The event session CheckpointHealth is dropped. What was read stays on screen. The .xel files stay on the server, because T-SQL cannot delete them. Their names and largest sizes are shown afterwards.',
    ),
    t('Remove'),
  );
  const question = t(
    'The event session CheckpointHealth on {0} was started elsewhere. Drop it all the same?',
    label,
  );
  const files = await changeSession(
    context,
    { title: t('Removing the tracking session'), question, button: t('Drop It') },
    (signal, agreed) => monitor.removeTracking(signal, agreed),
  );
  context.log.info(
    `${label}: tracking session removed. Files left on the server: ${files.length === 0 ? 'none' : files.join(', ')}`,
  );
  // Patterns of the file names, each with the largest size of the files.
  if (files.length > 0)
    conversation.tell(
      t(
        'The tracking session was removed from {0}. Its event files stay on the server: {1}. Delete them there when they are no longer needed.',
        label,
        files.join('; '),
      ),
    );
}

async function showTrackingSql(context: CommandContext, target: CommandTarget): Promise<void> {
  const monitor = await connectTo(context, target.serverId);
  const texts = monitor.showTrackingTexts(
    target.databaseIds.length === 0 ? monitor.snapshot.trackedDatabaseIds : target.databaseIds,
  );
  const parts = texts.map(({ title, text }) => `/* ---- ${title} ---- */\n${text.trim()}\n`);
  await context.conversation.showText(parts.join('GO\n\n'), 'sql');
}

/** @throws Dismissed, Error with one sentence */
function addToTracked(context: CommandContext, pointed: PointedTarget): Promise<void> {
  return changeTracked(context, pointed, (server) => t('Track more databases of {0}?', server), addDatabases);
}

/** @throws Dismissed, Error with one sentence */
function removeFromTracked(context: CommandContext, pointed: PointedTarget): Promise<void> {
  return changeTracked(
    context,
    pointed,
    (server) => t('Track fewer databases of {0}?', server),
    removeDatabases,
  );
}

/** @param databaseIds null: all @throws Dismissed, Error with one sentence */
async function trackInstead(
  context: CommandContext,
  monitor: ServerMonitor,
  databaseIds: readonly number[] | null,
): Promise<void> {
  const { label } = monitor.snapshot;
  const wanted = databaseIds === null ? null : checkNumber(databaseIds, label);
  const question = t(
    'The event session CheckpointHealth on {0} was started elsewhere. Change its databases all the same?',
    label,
  );
  await changeSession(
    context,
    { title: t('Changing the tracked databases'), question, button: t('Change Databases') },
    (signal, agreed) => monitor.changeTrackedDatabases(wanted, signal, agreed),
  );
}

/** Asks before the databases of a running session are changed. @throws Dismissed */
function confirmChange(context: CommandContext, pointed: PointedTarget, ask: Deed['ask']): Promise<void> {
  const detail = t(
    'The event session CheckpointHealth goes on with other databases. That leaves a short gap.',
  );
  return confirmDeed(context, pointed, { ask, detail, button: t('Change Databases') });
}

async function changeTracked(
  context: CommandContext,
  pointed: PointedTarget,
  ask: Deed['ask'],
  change: (snapshot: ServerSnapshot, databaseIds: readonly number[]) => readonly number[],
): Promise<void> {
  const { serverId, databaseIds } = pointed.target;
  if (databaseIds.length === 0) throw new Error(t('Choose one or more databases in the pane first.'));
  await confirmChange(context, pointed, ask);
  const monitor = await connectTo(context, serverId);
  if (monitor.snapshot.tracking.state !== 'tracking')
    throw new Error(t('Checkpoints of {0} are not being tracked.', monitor.snapshot.label));
  await trackInstead(context, monitor, change(monitor.snapshot, databaseIds));
}

/** @throws Error with one sentence */
function addDatabases(
  { trackedDatabaseIds, label }: ServerSnapshot,
  databaseIds: readonly number[],
): readonly number[] {
  const added =
    trackedDatabaseIds === null ? [] : databaseIds.filter((id) => !trackedDatabaseIds.includes(id));
  if (trackedDatabaseIds === null || added.length === 0)
    throw new Error(t('They are already tracked on {0}.', label));
  return [...trackedDatabaseIds, ...added];
}

/** @throws Error with one sentence */
function removeDatabases(
  { trackedDatabaseIds, facts, label }: ServerSnapshot,
  databaseIds: readonly number[],
): readonly number[] {
  const tracked = trackedDatabaseIds ?? (facts?.databases ?? []).map(({ databaseId }) => databaseId);
  const left = tracked.filter((id) => !databaseIds.includes(id));
  if (left.length === tracked.length) throw new Error(t('They are not tracked on {0}.', label));
  if (left.length === 0) throw new Error(t('No database would be left. Stop tracking instead.'));
  return left;
}

/**
 * An event session can tell this many databases apart, no more (docs/facts.md, SQL Server 3).
 * @throws Error with one sentence
 */
function checkNumber(databaseIds: readonly number[], label: string): readonly number[] {
  if (databaseIds.length <= MOST_PREDICATE_IDS) return databaseIds;
  throw new Error(
    t(
      'That would be {0} databases of {1}. An event session can record at most {2} chosen databases, or all of them.',
      formatCount(databaseIds.length),
      label,
      formatCount(MOST_PREDICATE_IDS),
    ),
  );
}

interface SessionStep {
  /** Of the work that the pane shows. */
  readonly title: string;
  /** Asks for the step although the session was started elsewhere. */
  readonly question: string;
  readonly button: string;
}

/**
 * Runs a step that changes the event session. If the session was started elsewhere, tells the user what is known of it,
 * asks, and runs the step again. Asks again for each other session that it finds there.
 * @throws Dismissed, and what the step throws
 */
async function changeSession<T>(
  { conversation }: CommandContext,
  { title, question, button }: SessionStep,
  change: (signal: AbortSignal, agreed: SessionElsewhere | null) => Promise<T>,
): Promise<T> {
  for (let agreed: SessionElsewhere | null = null; ;) {
    try {
      return await conversation.showWork(title, (signal) => change(signal, agreed));
    } catch (error) {
      if (!(error instanceof StartedElsewhere)) throw error;
      agreed = error.session;
      await conversation.confirm(question, describeElsewhere(agreed), button);
    }
  }
}

function describeElsewhere({ configuredFile, isRunning, startedLocalMs }: SessionElsewhere): string {
  return joinSentences(
    t(
      "Another installation of Checkpoint Health (a colleague's or an earlier version) or a person created it.",
    ),
    isRunning ? describeRunning(startedLocalMs) : t('It is not running.'),
    t('It may be in use.'),
    configuredFile === null
      ? t('It records in memory. When it stops, anything not read is lost.')
      : t('Its files stay on the server in any case: {0}.', configuredFile),
  );
}

/** @param startedLocalMs by the server's clock */
function describeRunning(startedLocalMs: number | null): string {
  if (startedLocalMs === null) return t('It is running.');
  return t("It has been running since {0} by the server's clock.", formatDateTime(startedLocalMs, 0));
}
