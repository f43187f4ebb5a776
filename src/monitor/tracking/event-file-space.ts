import type { Facts } from '../../core/advice/facts';
import { formatCount } from '../../core/format';
import { hasNoFiles } from '../facts/tracking-permission';

/** What all event files of our session take at most: four that are kept and the one being written, of 50 MB (sql/change/session-create.sql; docs/facts.md, SQL Server 4). */
export const MOST_EVENT_FILES_MB = 250;
/** Below this nothing is started: the volume of the error log must not be filled by us, and others write there too. */
const LEAST_FREE_MB = 2 * MOST_EVENT_FILES_MB;

/** Why no event files are written to this volume, as one sentence; null where there is room, or where it is not known. */
export function findSpaceObstacle(facts: Facts): string | null {
  const { eventVolume, server } = facts;
  if (hasNoFiles(server) || eventVolume.kind === 'not observable' || eventVolume.value.freeMb >= LEAST_FREE_MB) return null;
  const { volume, freeMb } = eventVolume.value;
  return `${server.serverName} has ${formatCount(Math.floor(freeMb))} MB free on ${volume}, where event files are written: they take ${MOST_EVENT_FILES_MB} MB at most, and nothing is started below ${LEAST_FREE_MB} MB. Make room there, then start tracking.`;
}

/** What the event files will take and what is free there, as one sentence; null where there will be no files. */
export function describeSpace({ eventVolume, server }: Facts): string | null {
  if (hasNoFiles(server)) return null;
  const bound = `Event files take ${MOST_EVENT_FILES_MB} MB at most`;
  if (eventVolume.kind === 'not observable') return `${bound}; the free space on their volume could not be observed.`;
  return `${bound}; ${formatCount(Math.floor(eventVolume.value.freeMb))} MB are free on ${eventVolume.value.volume}.`;
}
