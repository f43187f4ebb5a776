/** The event files of our session: the space they take, and which of them stay, because T-SQL cannot delete files. */
import type { Facts } from '../../core/advice/facts';
import { formatCount } from '../../core/format';
import type { SessionSnapshot } from '../../core/session/event-session';
import { SESSION_NAME, type SessionOwner, writeFilePattern } from '../../core/script/session';
import { hasNoFiles } from '../facts/tracking-permission';
import { joinSentences, t } from '../../core/language';

/**
 * What all event files of our session take at most: four that are kept and the one being written, of 50 MB
 * (sql/change/session-create.sql; docs/facts.md, SQL Server 4).
 */
const MOST_EVENT_FILES_MB = 250;
/** With less free space nothing is started: we must not fill the volume of the error log, and others write there. */
const LEAST_FREE_MB = 2 * MOST_EVENT_FILES_MB;

/** Why no event files are written to this volume, as one sentence; null if there is room, or if that is not known. */
export function findSpaceObstacle(facts: Facts): string | null {
  const { eventVolume, server } = facts;
  if (
    hasNoFiles(server) ||
    eventVolume.kind === 'not observable' ||
    eventVolume.value.freeMb >= LEAST_FREE_MB
  )
    return null;
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
    return t('Event files take up to {0} MB. Free space on their volume: not known.', MOST_EVENT_FILES_MB);
  const { freeMb, volume } = eventVolume.value;
  return t(
    'Event files take {0} MB at most. {1} MB are free on {2}.',
    MOST_EVENT_FILES_MB,
    formatCount(Math.floor(freeMb)),
    volume,
  );
}

/**
 * The event files that stay, as a pattern of their names with their largest possible size: not every version can tell
 * in T-SQL how large a file is.
 */
export function nameLeftFiles(session: SessionSnapshot): readonly string[] {
  const { configuredFile } = session;
  if (configuredFile === null) return [];
  const files = writeFilePattern(configuredFile);
  return [
    describeBound(/[\\/]/.test(configuredFile) ? files : t('{0} beside the error log', files), session),
  ];
}

/**
 * Tells of a session of Checkpoint Health that is defined and does not run, in one or two sentences; null if there is
 * none.
 */
export function describeLeftSession(session: SessionSnapshot, owner: SessionOwner): string | null {
  if (!session.isDefined || session.isRunning || owner === 'a stranger') return null;
  const isOwn = owner === 'this installation';
  return joinSentences(
    isOwn
      ? t('The event session {0} was left on this server and is not running.', SESSION_NAME)
      : t(
          'The event session {0} was left on this server and is not running. Another installation or a person created it.',
          SESSION_NAME,
        ),
    session.configuredFile === null ? '' : t('Its files: {0}.', nameLeftFiles(session).join(', ')),
    isOwn
      ? t('Start Tracking replaces it; Remove Tracking Session drops it.')
      : t('Start Tracking replaces it, and Remove Tracking Session drops it; both ask first.'),
  );
}

/**
 * Counts the files that are kept and the one being written (docs/facts.md, SQL Server 4). That is what the session asks
 * for: the files were not counted.
 */
function describeBound(files: string, { maxFileSizeMb, maxRolloverFiles }: SessionSnapshot): string {
  if (maxFileSizeMb === null || maxFileSizeMb === undefined || maxFileSizeMb <= 0) return files;
  if (maxRolloverFiles === null || maxRolloverFiles <= 0)
    return t('{0} (each up to {1} MB)', files, maxFileSizeMb);
  const most = maxRolloverFiles + 1;
  return t(
    "{0} (up to {1} MB by the session's settings: {2} files of {3} MB)",
    files,
    most * maxFileSizeMb,
    most,
    maxFileSizeMb,
  );
}
