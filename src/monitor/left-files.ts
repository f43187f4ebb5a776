/** What a session leaves behind: its definition, and event files that T-SQL cannot delete. */
import type { EventSessionState } from '../core/capture/event-session';
import { sessionName, type SessionOwner, writeFilePattern } from '../core/script/session';

type Bounds = Pick<EventSessionState, 'maxFileSizeMb' | 'maxRolloverFiles'>;

/**
 * The event files that stay, each with the size that it has at most: how large a file is cannot be asked in T-SQL of every version. @param read those that rows were read from
 */
export function nameLeftFiles(session: EventSessionState, read: readonly string[]): readonly string[] {
  if (session.configuredFile === null) return read;
  const files = read.length > 0 ? read : [writeFilePattern(session.configuredFile)];
  const size = read.length > 0 ? describeSize(session.maxFileSizeMb) : describeBounds(session);
  return size === '' ? files : files.map((file) => `${file} (${size})`);
}

/** A session of Checkpoint Health that is defined and does not run, as one or two sentences; null where there is none. */
export function describeLeftSession(session: EventSessionState, owner: SessionOwner): string | null {
  if (!session.isDefined || session.isRunning || owner === 'a stranger') return null;
  const files = session.configuredFile === null ? '' : `; its files are ${nameLeftFiles(session, []).join(', ')}`;
  const [made, asked] = owner === 'this installation' ? ['', ''] : [', made by another installation or by hand,', ', after asking'];
  return `The event session ${sessionName}${made} was left behind here and does not run${files}. Start Tracking makes it anew, Remove Tracking Session drops it${asked}.`;
}

function describeBounds({ maxFileSizeMb = null, maxRolloverFiles }: Bounds): string {
  if (maxRolloverFiles === null || maxRolloverFiles <= 0) return describeSize(maxFileSizeMb);
  return [`at most ${maxRolloverFiles} files`, ...(maxFileSizeMb === null ? [] : [`of ${maxFileSizeMb} MB`])].join(' ');
}

function describeSize(maxFileSizeMb: number | null | undefined): string {
  return typeof maxFileSizeMb === 'number' && maxFileSizeMb > 0 ? `at most ${maxFileSizeMb} MB` : '';
}
