import type { Facts } from '../core/advice/facts';
import type { OwnSession } from './own-session';
import type { ServerQuery } from './server-query';
import { readSessionState } from './session-control';
import type { SessionElsewhere } from './session-owner';
import type { Tracking } from './tracking';

export interface SessionStop {
  readonly query: ServerQuery;
  readonly own: OwnSession;
  readonly tracking: Tracking;
  /** What the user agreed to, of a session that was started elsewhere. */
  readonly agreed: SessionElsewhere | null;
}

/** Reads to the end, stops the session unless a stranger made it, and reads what stopping wrote out. @throws StartedElsewhere, Error with one sentence, ConnectionError */
export async function stopSession({ query, own, tracking, agreed }: SessionStop, facts: Facts | null): Promise<void> {
  const seen = await tracking.readOn();
  // Made anew by a stranger meanwhile, it is theirs, and goes on.
  if (!tracking.isRunning || !tracking.isOwn || own.findOwner(seen) === 'a stranger') return tracking.settleAll();
  const isStopped = await own.stop(facts, agreed);
  await tracking.readToEnd(isStopped ? (await readSessionState(query)).nowUtcMs : seen.nowUtcMs);
}
