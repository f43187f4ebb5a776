import type { EventSessionState } from '../core/capture/event-session';
import type { KeptFollowing } from '../core/capture/following';
import { findFirstFile } from '../core/capture/session-sight';
import { FileSource } from './event-reading';
import type { EventSource } from './event-source';
import { RingSource } from './ring-reading';
import type { ServerQuery } from './server-query';

export interface SourcePlan {
  readonly sessionName: string;
  readonly hasTimestampUtc: boolean;
}

/** The source of a session's events: its files, which outlive it, else its ring buffer. @param kept where to go on */
export function openEventSource(query: ServerQuery, plan: SourcePlan, sight: EventSessionState, kept: KeptFollowing | null): EventSource {
  const { configuredFile, maxRolloverFiles, serverName } = sight;
  if (configuredFile === null) return new RingSource(query, plan.sessionName, kept?.position.ring ?? null);
  const files = { configuredFile, maxRolloverFiles, serverName, hasTimestampUtc: plan.hasTimestampUtc, firstFile: findFirstFile(sight) };
  return new FileSource(query, files, kept?.position.file ?? null);
}
