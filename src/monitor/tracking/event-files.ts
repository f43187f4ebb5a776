/** The event files of our session: the space they take, and which of them stay, because T-SQL cannot delete files. */
import type { Facts } from '../../core/advice/facts';
import { formatCount } from '../../core/format';
import type { SessionSnapshot } from '../../core/session/event-session';
import { SESSION_NAME, type SessionOwner, writeEarlierPattern, writeEventsRead, writeFilePattern } from '../../core/script/session';
import { ConnectionError } from '../../hosts/host';
import { readTemplates } from '../../texts';
import { hasNoFiles } from '../facts/tracking-permission';
import { isAnswer, isLate } from '../queries/observed-read';
import type { ServerQuery } from '../queries/server-query';

/**
 * What all event files of our session take at most: four that are kept and the one being written, of 50 MB (sql/change/session-create.sql;
 * docs/facts.md, SQL Server 4).
 */
const MOST_EVENT_FILES_MB = 250;
/** With less free space nothing is started: we must not fill the volume of the error log, and others write there too. */
const LEAST_FREE_MB = 2 * MOST_EVENT_FILES_MB;

/** Why no event files are written to this volume, as one sentence; null if there is room, or if nobody knows. */
export function findSpaceObstacle(facts: Facts): string | null {
  const { eventVolume, server } = facts;
  if (hasNoFiles(server) || eventVolume.kind === 'not observable' || eventVolume.value.freeMb >= LEAST_FREE_MB) return null;
  const { volume, freeMb } = eventVolume.value;
  return `${server.serverName} has ${formatCount(Math.floor(freeMb))} MB free on ${volume}, where event files are written: they take ${MOST_EVENT_FILES_MB} MB at most, and nothing is started below ${LEAST_FREE_MB} MB. Make room there, then start tracking.`;
}

/** How much the event files will take and how much is free there, as one sentence; null if there will be no files. */
export function describeSpace({ eventVolume, server }: Facts): string | null {
  if (hasNoFiles(server)) return null;
  const bound = `Event files take ${MOST_EVENT_FILES_MB} MB at most`;
  if (eventVolume.kind === 'not observable') return `${bound}; the free space on their volume could not be observed.`;
  return `${bound}; ${formatCount(Math.floor(eventVolume.value.freeMb))} MB are free on ${eventVolume.value.volume}.`;
}

/**
 * The event files that stay, as patterns of their names, each with its largest possible size: not every version can tell in T-SQL how large a file is.
 * @param hasEarlier whether files of earlier versions are there
 */
export function nameLeftFiles(session: SessionSnapshot, hasEarlier = false): readonly string[] {
  const { configuredFile } = session;
  if (configuredFile === null) return [];
  const folder = folderOf(configuredFile);
  const place = folder === '' ? ' beside the error log' : '';
  const own = `${writeFilePattern(configuredFile)}${place}${describeBound(session)}`;
  const earlier = `${writeEarlierPattern(folder)}${place} (of earlier versions of Checkpoint Health: up to ${MOST_EVENT_FILES_MB} MB for each start)`;
  return hasEarlier ? [own, earlier] : [own];
}

/**
 * Whether there are files of our earlier versions, which gave them a new name at each start; false if we cannot see. @throws ConnectionError if the
 * server could not be asked
 */
export async function findEarlierFiles(query: ServerQuery, { configuredFile, serverName }: SessionSnapshot): Promise<boolean> {
  if (configuredFile === null || configuredFile.startsWith('https:')) return false;
  const page = { filePattern: writeEarlierPattern(folderOf(configuredFile)), cursor: null, rows: 1, hasTimestampUtc: false, serverName };
  try {
    return (await query.run(writeEventsRead(page, readTemplates.checkpointEvents))).rows.length > 0;
  } catch (error) {
    if (error instanceof ConnectionError && (isAnswer(error) || isLate(error))) return false;
    throw error;
  }
}

/** Tells of a session of Checkpoint Health that is defined and does not run, in one or two sentences; null if there is none. */
export function describeLeftSession(session: SessionSnapshot, owner: SessionOwner): string | null {
  if (!session.isDefined || session.isRunning || owner === 'a stranger') return null;
  const files = session.configuredFile === null ? '' : `; its files are ${nameLeftFiles(session).join(', ')}`;
  const [made, asked] = owner === 'this installation' ? ['', ''] : [', made by another installation or by hand,', ', after asking'];
  return `The event session ${SESSION_NAME}${made} was left behind here and does not run${files}. Start Tracking makes it anew, Remove Tracking Session drops it${asked}.`;
}

function folderOf(configuredFile: string): string {
  return configuredFile.slice(0, Math.max(configuredFile.lastIndexOf('\\'), configuredFile.lastIndexOf('/')) + 1);
}

/** Counts the files that are kept and the one being written (docs/facts.md, SQL Server 4). That is what the session asks for: nobody has counted the files. */
function describeBound({ maxFileSizeMb, maxRolloverFiles }: SessionSnapshot): string {
  if (maxFileSizeMb === null || maxFileSizeMb === undefined || maxFileSizeMb <= 0) return '';
  if (maxRolloverFiles === null || maxRolloverFiles <= 0) return ` (each up to ${maxFileSizeMb} MB)`;
  const files = maxRolloverFiles + 1;
  return ` (up to ${files * maxFileSizeMb} MB by the session's settings: ${files} files of ${maxFileSizeMb} MB)`;
}
