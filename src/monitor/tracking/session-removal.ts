import type { Facts } from '../../core/advice/facts';
import type { SessionSnapshot } from '../../core/session/event-session';
import type { FollowedSession } from './followed-session';
import { findEarlierFiles, nameLeftFiles } from './event-files';
import type { OwnSession } from './own-session';
import type { ServerQuery } from '../queries/server-query';
import { readSessionState } from './session-looks';
import type { SessionElsewhere } from './session-owner';
import { findMissingPermission } from '../facts/tracking-permission';

interface SessionRemoval {
  readonly query: ServerQuery;
  readonly own: OwnSession;
  /** As the user named the server. */
  readonly label: string;
  /** Ours, where it is or was followed. */
  readonly followed: FollowedSession | null;
  /** Stops it; null where it is not being tracked. */
  readonly stop: (() => Promise<void>) | null;
  /** What the user agreed to, of a session that was started elsewhere. */
  readonly agreed: SessionElsewhere | null;
}

/** Stops our session if need be and drops it, after asking for the permission to do all of that. @returns the event files that stay @throws StartedElsewhere, Error with one sentence, ConnectionError */
export async function removeSession(removal: SessionRemoval, facts: Facts): Promise<readonly string[]> {
  const { query, own, followed, stop } = removal;
  const missing = findMissingPermission(facts.server, stop === null ? 'remove' : 'remove running');
  if (missing !== null) throw new Error(missing);
  await findOurs(removal);
  await stop?.();
  const session = await findOurs(removal);
  const hasEarlier = await findEarlierFiles(query, session);
  await own.drop(facts);
  if (followed?.isOn === true && followed.ending === null) await followed.end();
  return nameLeftFiles(session, hasEarlier);
}

/** The session of our name, where it may be stopped and dropped. */
async function findOurs({ query, own, label, agreed }: SessionRemoval): Promise<SessionSnapshot> {
  const session = await readSessionState(query);
  if (!session.isDefined) throw new Error(`There is no event session of Checkpoint Health on ${label}.`);
  own.checkOwner(session, agreed);
  return session;
}
