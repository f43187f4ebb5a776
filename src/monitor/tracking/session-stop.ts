import type { Facts } from '../../core/advice/facts';
import type { OwnSession } from './own-session';
import type { ServerQuery } from '../queries/server-query';
import { readSessionState } from './session-looks';
import type { SessionElsewhere } from './session-owner';
import type { Tracking } from './session-reader';

interface SessionStop {
  readonly query: ServerQuery;
  readonly own: OwnSession;
  readonly tracking: Tracking;
  /** What the user agreed to, of a session that was started elsewhere. */
  readonly agreed: SessionElsewhere | null;
}

/**
 * Stops the session unless a stranger made it. What it recorded is read afterwards, when the server has written it out; a ring buffer is gone then, and is read
 * before. @throws StartedElsewhere, AnotherServer, Error with one sentence, ConnectionError
 */
export async function stopSession({ query, own, tracking, agreed }: SessionStop, facts: Facts | null): Promise<void> {
  const seen = await tracking.lookNow();
  if (tracking.isInMemory) await tracking.takeTurn();
  // Made again by a stranger meanwhile, it is theirs, and goes on.
  const isOurs = tracking.isRunning && tracking.isOwn && own.findOwner(seen) !== 'a stranger';
  const isStopped = isOurs && (await own.stop(facts, agreed));
  const after = isStopped ? await readSessionState(query).catch(() => seen) : seen;
  tracking.endAt(after.serverName === seen.serverName ? after.nowUtcMs : seen.nowUtcMs);
}
