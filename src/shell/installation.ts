/** What the editor's state keeps about this installation of the extension: the event sessions that it made. */
import { randomBytes } from 'node:crypto';
import { addStarted, readStarted } from '../monitor/tracking/session-owner';
import type { Installation } from '../monitor/queries/surroundings';
import type { KeptState } from './servers/saved-servers';

const STARTED_KEY = 'checkpointHealth.markedSessions';

export function openInstallation(state: KeptState): Installation {
  // Read each time: another window may have added one.
  const list = () => readStarted(state.get(STARTED_KEY)) ?? [];
  return {
    newMark: () => randomBytes(16).toString('hex'),
    findStarted: (mark) => list().find((started) => started.mark === mark) ?? null,
    keepStarted: async (started) => state.update(STARTED_KEY, addStarted(list(), started)),
  };
}
