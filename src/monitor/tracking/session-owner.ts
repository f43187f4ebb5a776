/** Whose an event session of our name is, and what the user has to agree to before another user's is changed. */
import type { SessionSnapshot } from '../../core/session/event-session';
import { isOurFileName, SESSION_NAME, type SessionOwner } from '../../core/script/session';
import type { Installation, StartedSession } from '../queries/surroundings';
import { t } from '../../core/language';

/** A session of our name that this installation did not start, as it was seen when the user was asked about it. */
export type SessionElsewhere = Pick<
  SessionSnapshot,
  'serverName' | 'definitionId' | 'mark' | 'configuredFile' | 'isRunning' | 'startedLocalMs'
>;

/** Thrown before anything is changed, because the user has to agree first. */
export class StartedElsewhere extends Error {
  constructor(
    label: string,
    readonly session: SessionElsewhere,
  ) {
    super(
      t(
        'The event session {0} on {1} was started elsewhere. It is changed only if you agree.',
        SESSION_NAME,
        label,
      ),
    );
  }
}

/**
 * Of another installation if its file has one of our names. Of this one only with a mark that this one gave, if it was
 * not started again since, and has the number that it had: a script of it has the mark too. That number alone, or the
 * server's name, tells nothing: another server may have the same.
 */
export function findOwner(session: SessionSnapshot, installation: Installation): SessionOwner {
  const { configuredFile, hasRing, mark = null, startedLocalMs, definitionId } = session;
  if (configuredFile === null ? !hasRing : !isOurFileName(configuredFile)) return 'a stranger';
  const started = mark === null ? null : installation.findStarted(mark);
  const isMade = started !== null && (started.definitionId ?? definitionId) === definitionId;
  return isMade && isOfStart(startedLocalMs, started.startedLocalMs)
    ? 'this installation'
    : 'another installation';
}

/** Whether it is still what the user agreed to: not made again since, nor started again. */
export function isAgreed(session: SessionSnapshot, agreed: SessionElsewhere | null): boolean {
  return (
    agreed !== null &&
    session.serverName === agreed.serverName &&
    session.configuredFile === agreed.configuredFile &&
    session.definitionId === agreed.definitionId &&
    session.mark === agreed.mark &&
    isOfStart(session.startedLocalMs, agreed.startedLocalMs)
  );
}

/** It may have been stopped since it was seen: we do that before we drop it. A new start is another user's. */
function isOfStart(nowMs: number | null, thenMs: number | null): boolean {
  return nowMs === null || nowMs === thenMs;
}

/** The number of its sessions that an installation remembers. One that it has forgotten counts as another's. */
const MOST_STARTED = 5_000;

/** What an installation has kept of its sessions, the newest last; null: it is no such list. */
export function readStarted(kept: unknown): readonly StartedSession[] | null {
  return Array.isArray(kept) && kept.every(isStarted) ? kept : null;
}

/** The entry of that mark in such a list; null: there is none that can be read. */
export function findStarted(kept: unknown, mark: string): StartedSession | null {
  return readStarted(listKept(kept).filter((each) => markOf(each) === mark))?.[0] ?? null;
}

/** The same list with one more, or with what is known now of one. What a later version wrote stays. */
export function addStarted(kept: unknown, started: StartedSession): readonly unknown[] {
  return [...listKept(kept).filter((each) => markOf(each) !== started.mark), started].slice(-MOST_STARTED);
}

const listKept = (kept: unknown): readonly unknown[] => (Array.isArray(kept) ? kept : []);
const markOf = (each: unknown): unknown => (each as Partial<StartedSession> | null)?.mark;

function isStarted(found: unknown): found is StartedSession {
  const { mark, startedLocalMs, definitionId = null } = (found ?? {}) as Partial<StartedSession>;
  if (definitionId !== null && !Number.isSafeInteger(definitionId)) return false;
  return (
    typeof mark === 'string' &&
    /^[0-9a-f]{32}$/.test(mark) &&
    (startedLocalMs === null || typeof startedLocalMs === 'number')
  );
}
