/** `start`, `stop` and `remove`: only they change anything on a server, and only the event session CheckpointHealth. */
import { MOST_PREDICATE_IDS, SESSION_NAME } from '../../../src/core/script/session';
import type { Facts } from '../../../src/core/advice/facts';
import { formatDateTime } from '../../../src/core/format';
import { makeVisible } from '../../../src/core/visible';
import { AlreadySo, describeError } from '../../../src/monitor/queries/failure';
import type { Installation } from '../../../src/monitor/queries/surroundings';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type SessionElsewhere, StartedElsewhere } from '../../../src/monitor/tracking/session-owner';
import { doWithin, forEachAtOnce, untilInterrupted } from '../kit/at-once';
import { BadUsage, exitFor } from '../kit/exit';
import { type Output, tellOf } from '../kit/output';
import type { Ask } from '../kit/terminal';
import { openOwnInstallation } from '../servers/installation';
import { type ReachedServer, reachServers, type ServerOptions } from '../servers/reaching';
import { lookOnce, NO_INSTALLATION, watchServer } from '../servers/watching';

export type TrackingDeed = 'start' | 'stop' | 'remove';

export interface TrackingOptions extends ServerOptions {
  /** Of `start`: only these databases. */
  readonly database?: readonly string[];
  /** Of `start`. */
  readonly days?: number;
  readonly takeOver: boolean;
  readonly showSql: boolean;
  readonly yes: boolean;
}

const AT_ONCE = 8;
/** What one server may take. A change that broke off would leave half of it. */
const SERVER_MS = 5 * 60_000;
/** Names that a question lists. */
const SHOWN_NAMES = 10;

const WORDS = { start: 'Start', stop: 'Stop', remove: 'Remove' } as const;

/** @param ask null: there is no terminal @returns the exit code @throws BadUsage, Error with one sentence */
export async function runTracking(
  deed: TrackingDeed,
  options: TrackingOptions,
  output: Output,
  ask: Ask | null,
): Promise<number> {
  const servers = await reachServers(options, output);
  if (servers.length > 1 && !options.showSql && !options.yes) {
    const names = servers.slice(0, SHOWN_NAMES).map(({ name }) => name);
    const more = servers.length > SHOWN_NAMES ? ` and ${servers.length - SHOWN_NAMES} more` : '';
    const where = `${servers.length} servers: ${names.join(', ')}${more}`;
    const question = `${WORDS[deed]} the event session ${SESSION_NAME} on ${where}?`;
    if (ask === null) throw new BadUsage(`${question} No terminal to ask on. Add --yes to agree.`);
    if (!/^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())) {
      output.event('info', 'Nothing was changed.');
      return exitFor(0, servers.length);
    }
  }
  const installation = options.showSql ? NO_INSTALLATION : openOwnInstallation();
  let fine = 0;
  await untilInterrupted((stop) =>
    forEachAtOnce(servers, options.showSql ? 1 : AT_ONCE, stop, async (server) => {
      try {
        const done = await doWithin(SERVER_MS, stop, (signal) =>
          workOn(deed, server, options, installation, output, signal),
        );
        output.event('info', `${server.name}: ${done}`, { server: server.name });
        fine++;
      } catch (error) {
        tellOf(output)(server.name, describeError(error));
      }
    }),
  );
  return exitFor(fine, servers.length);
}

/** @returns what was done, as sentences @throws Error with one sentence */
async function workOn(
  deed: TrackingDeed,
  server: ReachedServer,
  options: TrackingOptions,
  installation: Installation,
  output: Output,
  signal: AbortSignal,
): Promise<string> {
  const monitor = watchServer(server, { installation, sessionDays: () => options.days });
  try {
    await lookOnce(monitor, signal);
    const { connection, failure, facts } = monitor.snapshot;
    if (connection !== 'connected' || facts === null)
      throw new Error(failure ?? 'The server did not answer in time.');
    const databaseIds = findDatabases(facts, options.database);
    if (options.showSql) {
      const name = makeVisible(server.name).replace(/\*\//g, '* /');
      for (const { title, text } of monitor.showTrackingTexts(databaseIds))
        if (title.startsWith(`${WORDS[deed]} tracking`))
          output.result(`/* ---- ${name}: ${title} ---- */\n${text.trim()}\nGO\n`);
      return 'This is what would run. Nothing was run.';
    }
    if (deed === 'start') return await start(monitor, databaseIds, options.takeOver, signal);
    return await (deed === 'stop' ? stopSession : remove)(monitor, options.takeOver, signal);
  } finally {
    await monitor.dispose();
  }
}

/** @returns null: all @throws Error with one sentence */
function findDatabases({ databases, server }: Facts, names?: readonly string[]): readonly number[] | null {
  if (names === undefined) return null;
  const most = MOST_PREDICATE_IDS;
  if (names.length > most)
    throw new Error(`An event session records ${most} chosen databases at most, or all of them.`);
  return names.map((wanted) => {
    const found = databases.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`${server.serverName} shows this login no database ${wanted}.`);
    return found.databaseId;
  });
}

async function start(
  monitor: ServerMonitor,
  databaseIds: readonly number[] | null,
  takeOver: boolean,
  signal: AbortSignal,
): Promise<string> {
  const { tracking, trackedDatabaseIds: tracked, adoptedSession: adopted } = monitor.snapshot;
  if (tracking.state === 'tracking') {
    if (adopted !== null)
      return tracking.message ?? `The event session ${adopted} is already running. Nothing was changed.`;
    if (databaseIds?.length !== tracked?.length || databaseIds?.some((id) => tracked?.includes(id) !== true))
      throw new Error(
        'Its event session is already running and records other databases. Stop it first, then start it again.',
      );
    return 'Its event session is already running. Nothing was changed.';
  }
  await changeSession(takeOver, (agreed) => monitor.startTracking(databaseIds, signal, agreed));
  const { message } = monitor.snapshot.tracking;
  return message === null ? 'Started.' : `Started. ${message}`;
}

async function stopSession(monitor: ServerMonitor, takeOver: boolean, signal: AbortSignal): Promise<string> {
  const { adoptedSession: adopted, tracking } = monitor.snapshot;
  if (adopted !== null) throw new Error(tracking.message ?? `${adopted} is not ours.`);
  try {
    await changeSession(takeOver, (agreed) => monitor.stopTracking(signal, agreed));
    return 'Stopped.';
  } catch (error) {
    if (!(error instanceof AlreadySo)) throw error;
    return 'Its event session is not running. Nothing was changed.';
  }
}

async function remove(monitor: ServerMonitor, takeOver: boolean, signal: AbortSignal): Promise<string> {
  const files = await changeSession(takeOver, (agreed) => monitor.removeTracking(signal, agreed));
  if (files.length === 0) return 'Removed. It left no files.';
  return `Removed. These files stay on the server: ${files.join('; ')}. Delete them there when they are no longer needed.`;
}

/** Runs a change; if the session was started elsewhere, only if that was agreed to. @throws Error with one sentence */
async function changeSession<T>(
  takeOver: boolean,
  change: (agreed: SessionElsewhere | null) => Promise<T>,
): Promise<T> {
  try {
    return await change(null);
  } catch (error) {
    if (!(error instanceof StartedElsewhere)) throw error;
    if (takeOver) return change(error.session);
    throw new Error(`${describe(error.session)} Nothing was changed. --take-over changes it anyway.`);
  }
}

function describe({ configuredFile, isRunning, startedLocalMs }: SessionElsewhere): string {
  const since =
    startedLocalMs === null ? '' : ` since ${formatDateTime(startedLocalMs, 0)} by the server's clock`;
  const target = configuredFile === null ? 'It records in memory' : `Its file is ${configuredFile}`;
  return `Another installation of Checkpoint Health or a person created its event session. ${isRunning ? `It has been running${since}` : 'It is not running'}. ${target}.`;
}
