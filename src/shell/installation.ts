/** What the editor's state keeps about this installation of the extension: its id, and the sessions that it started. */
import { randomBytes } from 'node:crypto';
import type { Installation, StartedSession } from '../monitor/queries/surroundings';
import type { KeptState } from './servers/saved-servers';

const ID_KEY = 'checkpointHealth.installationId';
/** By the server's own name; one session each. */
const STARTED_KEY = 'checkpointHealth.startedSessions';

export function openInstallation(state: KeptState): Installation {
  const read = (): Readonly<Record<string, unknown>> => {
    const kept = state.get(STARTED_KEY);
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  };
  return {
    // Read each time: if two windows make an id at once, both use the one that was saved last.
    get id() {
      const kept = state.get(ID_KEY);
      return typeof kept === 'string' && /^[0-9a-f]{8}$/.test(kept) ? kept : makeId(state);
    },
    findStarted: (serverName) => {
      const started = read()[serverName];
      return isStartedSession(started) ? started : null;
    },
    keepStarted: async (serverName, session) => state.update(STARTED_KEY, { ...read(), [serverName]: session }),
  };
}

function makeId(state: KeptState): string {
  const id = randomBytes(4).toString('hex');
  void state.update(ID_KEY, id);
  return id;
}

function isStartedSession(found: unknown): found is StartedSession {
  const { definitionId, startedLocalMs } = (found ?? {}) as Partial<StartedSession>;
  return typeof definitionId === 'number' && typeof startedLocalMs === 'number';
}
