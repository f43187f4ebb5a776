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
  /** The look with which following begins; if a capture goes on, the last look of the window before. */
  readonly snapshot: SessionSnapshot;
  /** null: the session was running before us, and only reading its target tells how far back it reaches. */
  readonly beginUtcMs: number | null;
  /** If a capture goes on: what is needed for that. */
  readonly kept: KeptFollowing | null;
  /** Only the file that is being written now, and later ones, are read. */
  readonly isNewestOnly?: boolean;
}

/** Files of one name, or one ring buffer. It is read to its end before the next one. */
export interface OpenSource {
  readonly source: EventSource;
  /** The last look that showed this source. */
  snapshot: SessionSnapshot;
  /** When the run began for which it was opened: earlier events are another run's. Its first file may tell an earlier moment than was known without it. */
  earliestUtcMs: number;
  /** It is being read from its beginning, where files of earlier runs may come first. */
  isFromBeginning: boolean;
}

/**
 * The source of a session's events: its files, which outlive it, or its ring buffer. @param snapshot the look with which it is opened @param kept the
 * place to go on from
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
