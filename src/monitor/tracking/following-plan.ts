import type { SessionSnapshot } from '../../core/session/event-session';
import type { KeptFollowing } from '../../core/capture/following';
import { findCurrentFile, findFirstFile } from '../../core/session/session-snapshots';
import { FileSource } from './file-source';
import type { EventSource } from './event-source';
import { RingSource } from './ring-source';
import type { ServerQuery } from '../queries/server-query';

export interface FollowingPlan {
  readonly sessionName: string;
  readonly isOwn: boolean;
  readonly hasTimestampUtc: boolean;
  /** The look with which following begins; of a capture that goes on, the last one before. */
  readonly snapshot: SessionSnapshot;
  /** null: the session was running before us, and how far back its target reaches is found by reading it. */
  readonly beginUtcMs: number | null;
  /** Of a capture that goes on. */
  readonly kept: KeptFollowing | null;
  /** Only the file that is being written now and those behind it are read. */
  readonly isNewestOnly?: boolean;
}

/** Files of one name, or one ring, which are read to their end before those that follow them. */
export interface OpenSource {
  readonly source: EventSource;
  /** The last look that showed it. */
  snapshot: SessionSnapshot;
  /** The start of the run with which it was opened: events from before are another run's. */
  readonly earliestUtcMs: number;
  /** Read from its beginning now, where files of earlier runs may come first. */
  isFromBeginning: boolean;
}

/**
 * The source of a session's events: its files, which outlive it, else its ring buffer. @param snapshot the look with which it is opened @param kept where to go on
 */
export function openEventSource(
  query: ServerQuery,
  { sessionName, hasTimestampUtc, isNewestOnly = false }: FollowingPlan,
  snapshot: SessionSnapshot,
  kept: Pick<KeptFollowing, 'position' | 'unread'> | null,
): EventSource {
  const { configuredFile, maxRolloverFiles, serverName } = snapshot;
  if (configuredFile === null) return new RingSource(query, sessionName, kept?.position.ring ?? null);
  const beginsWith = isNewestOnly ? findCurrentFile(snapshot) : findFirstFile(snapshot);
  const names = kept?.unread?.takingUp?.files ?? [];
  const files = { configuredFile, maxRolloverFiles, serverName, hasTimestampUtc, beginsWith, isNewestOnly, names };
  return new FileSource(query, files, kept?.position.file ?? null);
}
