import type { EventSessionState } from '../core/capture/event-session';
import type { KeptFollowing } from '../core/capture/following';
import { FileSource } from './event-reading';
import type { EventSource } from './event-source';
import type { ServerQuery } from './server-query';

export interface SourcePlan {
  readonly sessionName: string;
  readonly hasTimestampUtc: boolean;
}

/** The source of a session's events: its files, which outlive it, else its ring buffer. @param kept where to go on */
export function openEventSource(query: ServerQuery, plan: SourcePlan, sight: EventSessionState, kept: KeptFollowing | null): EventSource {
  const { configuredFile, maxRolloverFiles, serverName } = sight;
  const files = { configuredFile: configuredFile ?? '', maxRolloverFiles, serverName, hasTimestampUtc: plan.hasTimestampUtc };
  return new FileSource(query, files, kept?.position.file ?? null, kept?.files ?? []);
}
