/** The event files of our session: the space they take, and which of them stay, because T-SQL cannot delete files. */
import type { Facts } from '../../core/advice/facts';
import { formatCount } from '../../core/format';
import type { SessionSnapshot } from '../../core/session/event-session';
import { SESSION_NAME, type SessionOwner, writeEarlierPattern, writeEventsRead, writeFilePattern } from '../../core/script/session';
import { readTemplates } from '../../texts';
import { hasNoFiles } from '../facts/tracking-permission';
import { isLate, observe } from '../queries/observed-read';
import type { ServerQuery } from '../queries/server-query';
import { joinSentences, t } from '../../core/language';

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
  return t(
    '{0} has {1} MB free on {2}, where the event files go. They take {3} MB at most, and tracking starts only with {4} MB free. Make room there, then start tracking.',
    server.serverName,
    formatCount(Math.floor(freeMb)),
    volume,
    MOST_EVENT_FILES_MB,
    LEAST_FREE_MB,
  );
}

/** How much the event files will take and how much is free there, as one sentence; null if there will be no files. */
export function describeSpace({ eventVolume, server }: Facts): string | null {
  if (hasNoFiles(server)) return null;
  if (eventVolume.kind === 'not observable')
    return t('Event files take {0} MB at most. The free space on their volume could not be observed.', MOST_EVENT_FILES_MB);
  const { freeMb, volume } = eventVolume.value;
  return t('Event files take {0} MB at most. {1} MB are free on {2}.', MOST_EVENT_FILES_MB, formatCount(Math.floor(freeMb)), volume);
}

/**
 * The event files that stay, as patterns of their names, each with its largest possible size: not every version can tell in T-SQL how large a file is.
 * @param hasEarlier whether files of earlier versions are there
 */
export function nameLeftFiles(session: SessionSnapshot, hasEarlier = false): readonly string[] {
  const { configuredFile } = session;
  if (configuredFile === null) return [];
  const folder = folderOf(configuredFile);
  const placed = (files: string): string => (folder === '' ? t('{0} beside the error log', files) : files);
  const own = describeBound(placed(writeFilePattern(configuredFile)), session);
  const earlier = t(
    '{0} (of earlier versions of Checkpoint Health: up to {1} MB for each start)',
    placed(writeEarlierPattern(folder)),
    MOST_EVENT_FILES_MB,
  );
  return hasEarlier ? [own, earlier] : [own];
}

/**
 * Whether there are files of our earlier versions, which gave them a new name at each start; false if we cannot see. @throws ConnectionError if the
 * server could not be asked
 */
export async function findEarlierFiles(query: ServerQuery, { configuredFile, serverName }: SessionSnapshot): Promise<boolean> {
  if (configuredFile === null || configuredFile.startsWith('https:')) return false;
  const page = { filePattern: writeEarlierPattern(folderOf(configuredFile)), cursor: null, rows: 1, hasTimestampUtc: false, serverName };
  const text = writeEventsRead(page, readTemplates.checkpointEvents);
  const found = await observe(async () => (await query.run(text)).rows.length > 0, isLate);
  return found.kind === 'observed' && found.value;
}

/** Tells of a session of Checkpoint Health that is defined and does not run, in one or two sentences; null if there is none. */
export function describeLeftSession(session: SessionSnapshot, owner: SessionOwner): string | null {
  if (!session.isDefined || session.isRunning || owner === 'a stranger') return null;
  const isOwn = owner === 'this installation';
  return joinSentences(
    isOwn
      ? t('The event session {0} was left on this server and is not running.', SESSION_NAME)
      : t(
          'The event session {0} was left on this server and is not running. Another installation made it, or it was made by hand.',
          SESSION_NAME,
        ),
    session.configuredFile === null ? '' : t('Its files: {0}.', nameLeftFiles(session).join(', ')),
    isOwn
      ? t('Start Tracking replaces it; Remove Tracking Session drops it.')
      : t('Start Tracking replaces it, and Remove Tracking Session drops it; both ask first.'),
  );
}

function folderOf(configuredFile: string): string {
  return configuredFile.slice(0, Math.max(configuredFile.lastIndexOf('\\'), configuredFile.lastIndexOf('/')) + 1);
}

/** Counts the files that are kept and the one being written (docs/facts.md, SQL Server 4). That is what the session asks for: nobody has counted the files. */
function describeBound(files: string, { maxFileSizeMb, maxRolloverFiles }: SessionSnapshot): string {
  if (maxFileSizeMb === null || maxFileSizeMb === undefined || maxFileSizeMb <= 0) return files;
  if (maxRolloverFiles === null || maxRolloverFiles <= 0) return t('{0} (each up to {1} MB)', files, maxFileSizeMb);
  const most = maxRolloverFiles + 1;
  return t("{0} (up to {1} MB by the session's settings: {2} files of {3} MB)", files, most * maxFileSizeMb, most, maxFileSizeMb);
}
