/** What a session leaves behind: its definition, and event files that T-SQL cannot delete. */
import type { SessionSnapshot } from '../../core/session/event-session';
import { SESSION_NAME, type SessionOwner, writeEarlierPattern, writeEventsRead, writeFilePattern } from '../../core/script/session';
import { ConnectionError } from '../../hosts/host';
import { readTemplates } from '../../texts';
import { MOST_EVENT_FILES_MB } from './event-file-space';
import type { ServerQuery } from '../queries/server-query';

/**
 * The event files that stay, as patterns of their names, each with the size that they have at most: how large a file is cannot be asked in T-SQL of every version.
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

const unseen: readonly string[] = ['queryFailed', 'permissionDenied', 'timedOut'];

/** Whether files are there that earlier versions of ours gave a name for each start; false where that cannot be seen. @throws ConnectionError where the server could not be asked */
export async function findEarlierFiles(query: ServerQuery, { configuredFile, serverName }: SessionSnapshot): Promise<boolean> {
  if (configuredFile === null || configuredFile.startsWith('https:')) return false;
  const page = { filePattern: writeEarlierPattern(folderOf(configuredFile)), cursor: null, rows: 1, hasTimestampUtc: false, serverName };
  try {
    return (await query.run(writeEventsRead(page, readTemplates.checkpointEvents))).rows.length > 0;
  } catch (error) {
    if (error instanceof ConnectionError && unseen.includes(error.reason)) return false;
    throw error;
  }
}

/** A session of Checkpoint Health that is defined and does not run, as one or two sentences; null where there is none. */
export function describeLeftSession(session: SessionSnapshot, owner: SessionOwner): string | null {
  if (!session.isDefined || session.isRunning || owner === 'a stranger') return null;
  const files = session.configuredFile === null ? '' : `; its files are ${nameLeftFiles(session).join(', ')}`;
  const [made, asked] = owner === 'this installation' ? ['', ''] : [', made by another installation or by hand,', ', after asking'];
  return `The event session ${SESSION_NAME}${made} was left behind here and does not run${files}. Start Tracking makes it anew, Remove Tracking Session drops it${asked}.`;
}

function folderOf(configuredFile: string): string {
  return configuredFile.slice(0, Math.max(configuredFile.lastIndexOf('\\'), configuredFile.lastIndexOf('/')) + 1);
}

/** Those that are kept and the one that is being written (docs/facts.md, SQL Server 4). That they are no more is what the session asks for: nobody has counted them. */
function describeBound({ maxFileSizeMb, maxRolloverFiles }: SessionSnapshot): string {
  if (maxFileSizeMb === null || maxFileSizeMb === undefined || maxFileSizeMb <= 0) return '';
  if (maxRolloverFiles === null || maxRolloverFiles <= 0) return ` (each up to ${maxFileSizeMb} MB)`;
  const files = maxRolloverFiles + 1;
  return ` (up to ${files * maxFileSizeMb} MB by the session's settings: ${files} files of ${maxFileSizeMb} MB)`;
}
