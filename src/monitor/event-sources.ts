import type { EventSessionState } from '../core/capture/event-session';
import type { KeptFollowing } from '../core/capture/following';
import { findCurrentFile, findFirstFile } from '../core/capture/session-sight';
import { FileSource } from './event-reading';
import type { EventSource } from './event-source';
import { RingSource } from './ring-reading';
import type { ServerQuery } from './server-query';

export interface SourcePlan {
  readonly sessionName: string;
  readonly hasTimestampUtc: boolean;
}

/**
 * The source of a session's events: its files, which outlive it, else its ring buffer. @param kept where to go on
 * @param isNewestOnly reads of the files the one that is being written now, and those behind it
 */
export function openEventSource(
  query: ServerQuery,
  { sessionName, hasTimestampUtc }: SourcePlan,
  sight: EventSessionState,
  kept: Pick<KeptFollowing, 'position' | 'unread'> | null,
  isNewestOnly = false,
): EventSource {
  const { configuredFile, maxRolloverFiles, serverName } = sight;
  if (configuredFile === null) return new RingSource(query, sessionName, kept?.position.ring ?? null);
  const beginsWith = isNewestOnly ? findCurrentFile(sight) : findFirstFile(sight);
  const names = kept?.unread?.takingUp?.files ?? [];
  const files = { configuredFile, maxRolloverFiles, serverName, hasTimestampUtc, beginsWith, isNewestOnly, names };
  return new FileSource(query, files, kept?.position.file ?? null);
}
