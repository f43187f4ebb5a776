/** Facts that a review needs and the pane does not: questions whose cost grows with the number of databases. */
import { joinCopies, readDatabaseCopies, readDistributedGroups } from '../../core/advice/fact-rows';
import {
  type EventVolume,
  type Facts,
  notObservable,
  type Observed,
  observed,
} from '../../core/advice/facts';
import { findCounterColumn, isAzureSqlDatabase, knowsDistributedGroups } from '../../core/advice/platform';
import {
  joinDatabaseFiles,
  listFreeMb,
  readDatabaseLogs,
  readEventVolume,
  readFileSizes,
  readFileVolumes,
} from '../../core/advice/storage-rows';
import { type FileReading, readFileWork } from '../../core/write-work/work-readings';
import { finishSteps } from '../../core/steps';
import type { Readings, RowProblem, TextRows } from '../../core/rows';
import { ConnectionError } from '../../hosts/host';
import { readTemplates } from '../../texts';
import { readServerClock } from './facts-reading';
import type { FactsReading } from './facts-reading';
import { type AskAll, askIn, isLate, observe, takeOne, valueOr } from '../queries/observed-read';
import { createAllowance, type PagedRead, readInPages } from '../queries/paged-read';
import type { ServerQuery } from '../queries/server-query';
import { ANOTHER_SERVER } from '../queries/failure';
import { findSessionFolder, hasNoFiles } from './tracking-permission';
import { t } from '../../core/language';

/** Milliseconds after which no further read begins. What is missing then is said. */
const MOST_MS = 20_000;

/**
 * The facts, and those that take longer to read: logs, files, volumes, copies in availability groups. The time is
 * bounded, and each read can be refused alone. Clicks go between two questions, and their time does not count; if one
 * of them read the same, or found another server, the rest is not asked.
 * @param letPass lets clicks go
 * @param known the facts that are known by then
 * @throws ConnectionError
 */
export async function readMoreFacts(
  query: ServerQuery,
  facts: Facts,
  letPass: () => Promise<void>,
  known: () => Facts | null,
): Promise<FactsReading> {
  const problems: RowProblem[] = [];
  const unread: string[] = [];
  const now = (): Facts => known() ?? facts;
  const isOver = (): boolean =>
    now().logs !== facts.logs || now().server.serverName !== facts.server.serverName;
  let passingMs = 0;
  const run: ServerQuery['run'] = async (text) => {
    const fromMs = query.elapsedMs();
    await letPass();
    passingMs += query.elapsedMs() - fromMs;
    if (isOver()) throw new ConnectionError('cancelled', t('Cancelled.'));
    return query.run(text);
  };
  const all = askIn(run, problems);
  const world: World = {
    facts,
    all,
    allowance: createAllowance(() => query.elapsedMs() - passingMs, MOST_MS),
    unread,
  };
  try {
    const eventVolume = findEventVolume(await ask(world, () => readVolume(all)), facts);
    const copies = await readCopies(world);
    const { files, volumes } = await readFiles(world);
    const logs = await readLogs(world);
    // A file of an earlier version does not hold its server's clock.
    const clock = await observe(() => readServerClock({ run }, facts.server.serverName));
    if (clock.kind === 'observed' && clock.value === null)
      throw new ConnectionError('queryFailed', ANOTHER_SERVER);
    const more = { eventVolume, copies, files, volumes, logs, unread, moreReadUtcMs: facts.server.nowUtcMs };
    return { facts: { ...now(), ...more }, problems };
  } catch (error) {
    if (isOver()) return { facts: now(), problems };
    throw error;
  }
}

interface World extends PagedRead {
  readonly facts: Facts;
  readonly all: AskAll;
}

/** Asks only while there is time. */
async function ask<T>({ allowance }: World, read: () => Promise<T>): Promise<Observed<T>> {
  const refusal = allowance();
  return refusal !== null ? notObservable(refusal) : observe(read, isLate);
}

async function readCopies(world: World): Promise<Facts['copies']> {
  const { facts, all, unread } = world;
  const { server, roles } = facts;
  if (!server.isHadrEnabled || isAzureSqlDatabase(server)) return observed(new Map());
  const copies = await ask(world, () => all(readTemplates.databaseCopies, readDatabaseCopies));
  if (copies.kind === 'not observable') return copies;
  const groups = knowsDistributedGroups(server)
    ? await ask(world, () => all(readTemplates.distributedGroups, readDistributedGroups))
    : observed([]);
  if (groups.kind === 'not observable')
    unread.push(t('Distributed availability groups cannot be seen: {0}', groups.reason));
  return observed(joinCopies(copies.value, valueOr(groups, []), valueOr(roles, new Map())));
}

async function readFiles(world: World): Promise<Pick<Facts, 'files' | 'volumes'>> {
  const { all, facts, unread } = world;
  const sizes = await ask(world, async () => {
    const found = await all(readTemplates.databaseFiles, readFileSizes);
    if (found.length > 0) return found;
    const sentence = t(
      '{0} does not show this login any files. That needs VIEW ANY DEFINITION.',
      facts.server.serverName,
    );
    throw new ConnectionError('permissionDenied', sentence);
  });
  if (sizes.kind === 'not observable') return { files: sizes, volumes: sizes };
  const values = { counter_instance_column: findCounterColumn(facts.server) };
  const writes = await ask(world, () => all(readTemplates.fileIo, readWrites, values));
  if (writes.kind === 'not observable') unread.push(t('Write latency cannot be seen: {0}', writes.reason));
  const ids = [...new Set(sizes.value.map(({ databaseId }) => databaseId))];
  const volumes = await readInPages(world, ids, 'volumes', (range) =>
    all(readTemplates.fileVolumes, readFileVolumes, range),
  );
  const files = joinDatabaseFiles(sizes.value, valueOr(volumes, []), valueOr(writes, []));
  return {
    files: observed(files),
    volumes: volumes.kind === 'observed' ? observed(listFreeMb(volumes.value)) : volumes,
  };
}

function readWrites(set: TextRows): Readings<FileReading> {
  const { value, problems } = finishSteps(readFileWork(set));
  return { values: value?.databases ?? [], problems };
}

async function readLogs(world: World): Promise<Facts['logs']> {
  const { facts, all } = world;
  const ids = facts.databases.filter(({ state }) => state === 'ONLINE').map(({ databaseId }) => databaseId);
  const logs = await readInPages(world, ids, 'logs', (range) =>
    all(readTemplates.databaseLogs, readDatabaseLogs, range),
  );
  return logs.kind === 'observed' ? observed(new Map(logs.value)) : logs;
}

/** The volume of the error log, with its free space of now. @throws ConnectionError */
async function readVolume(all: AskAll): Promise<EventVolume> {
  const otherwise = t(
    'No file of a system database is on the volume of the error log, so its free space cannot be seen.',
  );
  return takeOne(await all(readTemplates.eventVolume, readEventVolume), otherwise);
}

/**
 * The facts with the free space of now, if files will be written: an older figure could refuse or allow wrongly.
 * @throws ConnectionError
 */
export async function readSpaceNow(query: ServerQuery, facts: Facts): Promise<Facts> {
  if (hasNoFiles(facts.server)) return facts;
  return {
    ...facts,
    eventVolume: findEventVolume(
      await observe(() => readVolume(askIn((text) => query.run(text), [])), isLate),
      facts,
    ),
  };
}

/** If event files have a folder of their own, the volume of the error log matters only if that folder is on it. */
function findEventVolume(volume: Facts['eventVolume'], facts: Facts): Facts['eventVolume'] {
  const folder = findSessionFolder(facts);
  if (volume.kind === 'not observable' || folder.toUpperCase().startsWith(volume.value.volume.toUpperCase()))
    return volume;
  return folder === ''
    ? volume
    : notObservable(t('Event files are written to {0}, but the error log is on another volume.', folder));
}
