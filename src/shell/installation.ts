/** What the editor's state keeps about this installation of the extension: the event sessions that it made. */
import { randomBytes } from 'node:crypto';
import { addStarted, findStarted } from '../monitor/tracking/session-owner';
import type { Installation } from '../monitor/queries/surroundings';
import type { KeptState } from './servers/saved-servers';

const STARTED_KEY = 'checkpointHealth.markedSessions';

export function openInstallation(state: KeptState): Installation {
  // Read each time: another window may have added one.
  return {
    newMark: () => randomBytes(16).toString('hex'),
    findStarted: (mark) => findStarted(state.get(STARTED_KEY), mark),
    keepStarted: async (started) => state.update(STARTED_KEY, addStarted(state.get(STARTED_KEY), started)),
  };
}
