/** Before a session that was started elsewhere is changed, the user is told what is known of it and says whether to go on. */
import { formatDateTime } from '../../core/format';
import { type SessionElsewhere, StartedElsewhere } from '../../monitor/tracking/session-owner';
import type { Conversation } from '../kit/conversation';

interface SessionStep {
  /** As the user named the server. */
  readonly label: string;
  /** "Stop it". */
  readonly what: string;
  readonly button: string;
}

/**
 * Runs a step and, where the user has to be asked first, asks and runs it again: once for each session that is found in its place.
 * @throws Dismissed, and what the step throws
 */
export async function changeSession<T>(
  conversation: Pick<Conversation, 'confirm'>,
  { label, what, button }: SessionStep,
  change: (agreed: SessionElsewhere | null) => Promise<T>,
): Promise<T> {
  for (let agreed: SessionElsewhere | null = null; ;) {
    try {
      return await change(agreed);
    } catch (error) {
      if (!(error instanceof StartedElsewhere)) throw error;
      agreed = error.session;
      const question = `The event session CheckpointHealth on ${label} was started elsewhere. ${what} all the same?`;
      await conversation.confirm(question, describeElsewhere(agreed), button);
    }
  }
}

function describeElsewhere({ configuredFile, isRunning, startedLocalMs }: SessionElsewhere): string {
  const since = startedLocalMs === null ? '' : ` since ${formatDateTime(startedLocalMs, 0)} by the server's clock`;
  const state = isRunning ? `It has been running${since}` : 'It does not run';
  const target =
    configuredFile === null
      ? 'It records in memory: what nobody has read is gone when it stops.'
      : `Its file is ${configuredFile}; its files stay on the server, whatever becomes of it.`;
  return `Another installation of Checkpoint Health made it, a colleague's or an earlier version, or somebody by hand. ${state}, and somebody may be reading it. ${target}`;
}
