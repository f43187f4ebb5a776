/** What tracking says, as sentences. */
import type { SessionSnapshot } from '../../core/session/event-session';
import { countOf } from '../../core/format';
import { SESSION_NAME, type SessionOwner } from '../../core/script/session';
import { t } from '../../core/language';

export const RECOVERED_MESSAGE = 'Recovered from the last time; nothing is being tracked now.';
export const TAKEN_UP = 'The event session was running already; its events are read from their beginning.';
export const TAKEN_UP_ELSEWHERE =
  'The event session was running already, started by another installation of Checkpoint Health or by hand; its events are read from their beginning.';

export function describeAdopted(name: string): string {
  return `The event session ${name} is followed; it is not made by Checkpoint Health, so it is only read.`;
}

/** @param message of a session of ours */
export function describeFollowed(name: string, owner: SessionOwner, message: string | null): string | null {
  // It has our name but a stranger made it: it is read like any other that is not ours.
  if (owner === 'a stranger') return name === SESSION_NAME ? describeAdopted(name) : message;
  return owner === 'another installation' && message === TAKEN_UP ? TAKEN_UP_ELSEWHERE : message;
}

export function describeOnlyRead(name: string): string {
  return `The event session ${name} was not made by Checkpoint Health: it is only read, so its databases cannot be changed from here.`;
}

/** @param failure of the change, and of giving the event back */
export function describeBrokenOff(lacks: string, failure: string, failureToMend: string): string {
  return `${failure} The event session ${SESSION_NAME} is left without ${lacks}, which could not be added again: ${failureToMend} Remove Tracking Session drops it, then Start Tracking makes it anew.`;
}

export function describeStopped(trouble: string): string {
  return `${trouble} What was captured until then is kept; tracking goes on by itself when the session runs again.`;
}

/** @param events number of its events that were read so far @param failure why no more can be read now; null: nothing is in the way */
export function describeEnding(ending: 'Stopped' | 'Removed', events: number, failure: string | null): string {
  if (failure !== null) return `${ending}. What it recorded could not be read to its end yet: ${failure}`;
  return `${ending}. Reading what it recorded: ${countOf(events, t('{0} event'), t('{0} events'))} so far.`;
}

/** If such a session were read, it would look like a server without checkpoints. @param isOurs by the place where it records */
export function describeUnreadableSession(label: string, { lacks }: SessionSnapshot, isOurs: boolean): string {
  if (isOurs)
    return `The event session ${SESSION_NAME} is running on ${label}${lacks === undefined ? ' in a way that cannot be read' : ` without ${lacks}: a change of it was broken off`}. Remove Tracking Session drops it, then Start Tracking makes it anew.`;
  return `An event session [${SESSION_NAME}] is running on ${label} that does not record both the begin and the end of checkpoints in a target that can be read, so it was not made by Checkpoint Health. Stop and drop it there, then start tracking.`;
}

export function describeForeignSession(label: string): string {
  return `An event session named ${SESSION_NAME} is defined on ${label} and was not made by Checkpoint Health: it is left alone. Rename or drop it, then start tracking.`;
}

export function describeStartedMeanwhile(label: string): string {
  return `The event session ${SESSION_NAME} on ${label} was started by somebody else just now. Start tracking again to follow it.`;
}

export function describeOtherServer(label: string, other: string): string {
  return `Another server, ${other}, answers for ${label} now: what was captured before is of the other one and is kept apart.`;
}

export function describeUnadoptable(name: string, { isDefined, isRunning, hasBothEvents }: SessionSnapshot): string {
  const why = !isDefined
    ? 'is not there'
    : !isRunning
      ? 'is not running'
      : !hasBothEvents
        ? 'does not record both checkpoint_begin and checkpoint_end'
        : 'has neither event files nor a ring buffer';
  return `The event session ${name} cannot be followed: it ${why}.`;
}
