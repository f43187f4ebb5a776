/** What tracking says, as sentences. */
import type { SessionSnapshot } from '../../core/session/event-session';
import { countOf } from '../../core/format';
import { SESSION_NAME, type SessionOwner } from '../../core/script/session';
import { joinSentences, t } from '../../core/language';

const REMOVE_AND_START = t('Remove it with Remove Tracking Session, then start tracking.');
const NO_CALLER = t(
  'It does not record is_system: checkpoints of the engine and those that a session asked for are not told apart.',
);
export const RECOVERED_MESSAGE = t('This capture is from an earlier session. Tracking is off now.');
export const TAKEN_UP = t('The event session was running already. Its events are read from the beginning.');
export const TAKEN_UP_ELSEWHERE = t(
  'The event session was running already. Another installation of Checkpoint Health started it, or it was started by hand. Its events are read from the beginning.',
);

/** @param failure why the server did not say what runs */
export function describeUntold(label: string, failure: string): string {
  return joinSentences(
    t('Tracking on {0}: not known yet. Checkpoint Health will ask again.', label),
    failure,
  );
}

export function describeAdopted(name: string): string {
  return t(
    'Following the event session {0}. Checkpoint Health did not create it, so it only reads it.',
    name,
  );
}

/** @param message of a session of ours */
export function describeFollowed(
  name: string,
  owner: SessionOwner,
  message: string | null,
  { recordsCaller }: Pick<SessionSnapshot, 'recordsCaller'>,
): string | null {
  const isOurs = owner !== 'a stranger';
  const lack = recordsCaller === false ? joinSentences(NO_CALLER, isOurs ? REMOVE_AND_START : '') : '';
  // It has our name but a stranger made it: it is read like any other that is not ours.
  const followed =
    !isOurs && name === SESSION_NAME
      ? describeAdopted(name)
      : owner === 'another installation' && message === TAKEN_UP
        ? TAKEN_UP_ELSEWHERE
        : message;
  return joinSentences(followed ?? '', lack) || null;
}

export function describeOnlyRead(name: string): string {
  return t(
    'Checkpoint Health did not create the event session {0}, so it only reads it. You cannot change its databases from here.',
    name,
  );
}

/** @param failure of the change, and of giving the event back */
export function describeBrokenOff(lacks: string, failure: string, failureToMend: string): string {
  return t(
    '{0} The event session {1} now lacks {2}, which could not be added again: {3} {4}',
    failure,
    SESSION_NAME,
    lacks,
    failureToMend,
    REMOVE_AND_START,
  );
}

export function describeStopped(trouble: string): string {
  return t(
    '{0} What was captured until then is kept. Tracking resumes when the session runs again.',
    trouble,
  );
}

/**
 * @param events number of its events that were read so far
 * @param failure why no more can be read now; null: nothing is in the way
 */
export function describeEnding(
  ending: 'Stopped' | 'Removed',
  events: number,
  failure: string | null,
): string {
  const rest =
    failure === null
      ? countOf(
          events,
          t('Reading what it recorded: {0} event so far.'),
          t('Reading what it recorded: {0} events so far.'),
        )
      : t('Some of what it recorded could not be read yet: {0}', failure);
  return joinSentences(ending === 'Stopped' ? t('Stopped.') : t('Removed.'), rest);
}

/**
 * If such a session were read, it would look like a server without checkpoints.
 * @param isOurs by the place where it records
 */
export function describeUnreadableSession(
  label: string,
  { lacks }: SessionSnapshot,
  isOurs: boolean,
): string {
  if (isOurs)
    return lacks === undefined
      ? t(
          'The event session {0} is running on {1}, but what it records cannot be read. {2}',
          SESSION_NAME,
          label,
          REMOVE_AND_START,
        )
      : t(
          'The event session {0} is running on {1} without {2}: a change to it was interrupted. {3}',
          SESSION_NAME,
          label,
          lacks,
          REMOVE_AND_START,
        );
  return t(
    'An event session [{0}] is running on {1}, but Checkpoint Health did not create it: it does not record both begin and end of checkpoints in a readable target. Stop and drop it there, then start tracking.',
    SESSION_NAME,
    label,
  );
}

export function describeForeignSession(label: string): string {
  return t(
    '{1} has an event session named {0} that Checkpoint Health did not create, so we leave it alone. Rename or drop it, then start tracking.',
    SESSION_NAME,
    label,
  );
}

export function describeStartedMeanwhile(label: string): string {
  return t(
    'The event session {0} on {1} has just been started from elsewhere. Start tracking again to follow it.',
    SESSION_NAME,
    label,
  );
}

export function describeChangedMeanwhile(label: string): string {
  return t(
    'The event session {0} on {1} has just changed, so it was left alone. Try again.',
    SESSION_NAME,
    label,
  );
}

export function describeOtherServer(label: string, other: string): string {
  return t(
    'Another server, {0}, now answers for {1}. The earlier capture belongs to the other server and is kept separately.',
    other,
    label,
  );
}

export function describeUnadoptable(
  name: string,
  { isDefined, isRunning, hasBothEvents }: SessionSnapshot,
): string {
  if (!isDefined) return t('The event session {0} cannot be followed: it does not exist.', name);
  if (!isRunning) return t('The event session {0} cannot be followed: it is not running.', name);
  if (!hasBothEvents)
    return t(
      'The event session {0} cannot be followed: it does not record both checkpoint_begin and checkpoint_end.',
      name,
    );
  return t('The event session {0} cannot be followed: it has neither event files nor a ring buffer.', name);
}
