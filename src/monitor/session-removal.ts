import type { Facts } from '../core/advice/facts';
import type { EventSessionState } from '../core/capture/event-session';
import type { FollowedSession } from './followed-session';
import { nameLeftFiles } from './left-files';
import { isOwn, type OwnSession } from './own-session';
import type { ServerQuery } from './server-query';
import { readSessionState } from './session-control';
import { findMissingPermission } from './tracking-permission';
import { describeForeignSession } from './tracking-sentences';

export interface SessionRemoval {
  readonly query: ServerQuery;
  readonly own: OwnSession;
  /** As the user named the server. */
  readonly label: string;
  /** Ours, where it is or was followed. */
  readonly followed: FollowedSession | null;
  /** Reads to the end and stops it; null where it is not being tracked. */
  readonly stop: (() => Promise<void>) | null;
}

/** Stops our session if need be and drops it, after asking for the permission to do all of that. @returns the event files that stay @throws Error with one sentence, ConnectionError */
export async function removeSession({ query, own, label, followed, stop }: SessionRemoval, facts: Facts): Promise<readonly string[]> {
  const missing = findMissingPermission(facts.server, stop === null ? 'remove' : 'remove running');
  if (missing !== null) throw new Error(missing);
  await findOurs(query, label, facts);
  await stop?.();
  const session = await findOurs(query, label, facts);
  await own.drop(facts);
  const read = followed?.tracking.fileNames ?? [];
  if (followed?.isOn === true) await followed.end();
  return nameLeftFiles(session, read);
}

/** The session of our name, where it records as ours do: another's is neither stopped nor dropped. */
async function findOurs(query: ServerQuery, label: string, facts: Facts): Promise<EventSessionState> {
  const session = await readSessionState(query);
  if (!session.isDefined) throw new Error(`There is no event session of Checkpoint Health on ${label}.`);
  if (!isOwn(session, facts)) throw new Error(describeForeignSession(label));
  return session;
}
