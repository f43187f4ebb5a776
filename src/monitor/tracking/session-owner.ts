/** Whose an event session of our name is, and what the user has to agree to before somebody else's is changed. */
import type { SessionSnapshot } from '../../core/session/event-session';
import { readFileOwner, SESSION_NAME, type SessionOwner } from '../../core/script/session';
import type { Installation } from '../queries/surroundings';
import { t } from '../../core/language';

/** A session of our name that this installation did not start, as it was seen when the user was asked about it. */
export type SessionElsewhere = Pick<SessionSnapshot, 'serverName' | 'definitionId' | 'configuredFile' | 'isRunning' | 'startedLocalMs'>;

/** Thrown before anything is changed, because the user has to agree first. */
export class StartedElsewhere extends Error {
  constructor(
    label: string,
    readonly session: SessionElsewhere,
  ) {
    super(t('The event session {0} on {1} was started elsewhere. It is changed only if you agree.', SESSION_NAME, label));
  }
}

/** Goes by the name of the file. The name does not tell our installations apart: for that it goes by what this one remembers. */
export function findOwner(session: SessionSnapshot, installation: Installation): SessionOwner {
  const { configuredFile, hasRing } = session;
  const ofRing = hasRing ? 'another installation' : 'a stranger';
  const owner = configuredFile === null ? ofRing : readFileOwner(configuredFile, installation.id);
  if (owner !== 'another installation') return owner;
  const started = session.serverName === null ? null : installation.findStarted(session.serverName);
  return started !== null && isOfDefinition(session, started) ? 'this installation' : owner;
}

/** Whether it is still what the user agreed to: not made again since, nor started again by somebody. */
export function isAgreed(session: SessionSnapshot, agreed: SessionElsewhere | null): boolean {
  return (
    agreed !== null &&
    session.serverName === agreed.serverName &&
    session.configuredFile === agreed.configuredFile &&
    isOfDefinition(session, agreed)
  );
}

/** It may have been stopped since it was seen: we do that ourselves before we drop it. A new start is somebody else's. */
function isOfDefinition(now: SessionSnapshot, then: Pick<SessionSnapshot, 'definitionId' | 'startedLocalMs'>): boolean {
  return now.definitionId === then.definitionId && (now.startedLocalMs === null || now.startedLocalMs === then.startedLocalMs);
}
