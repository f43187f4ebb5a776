import { type Facts, notObservable, type Observed } from '../../core/advice/facts';
import { readEventVolume } from '../../core/advice/storage-rows';
import { fillTemplate } from '../../core/script/template';
import { readTemplates } from '../../texts';
import { isLate, type Keep, keepIn, observe, takeOne } from '../queries/observed-read';
import type { ServerQuery } from '../queries/server-query';
import { findSessionFolder, hasNoFiles } from './tracking-permission';

/** Free space where event files are written, as it is now; what the server does not show is not observable. @throws ConnectionError */
export async function readVolumeOfEvents(query: ServerQuery, facts: Facts, keep: Keep = keepIn([])): Promise<Facts['eventVolume']> {
  const otherwise = 'No file of a system database lies on the volume of the error log, so that its free space cannot be seen.';
  const read = async () => takeOne(keep(readEventVolume(await query.run(fillTemplate(readTemplates.eventVolume, {})))), otherwise);
  return requireFolder(await observe(read, isLate), findSessionFolder(facts));
}

/** The facts with the free space of now, where files will be written: what was read a while ago would refuse, or allow, wrongly. @throws ConnectionError */
export async function readSpaceNow(query: ServerQuery, facts: Facts): Promise<Facts> {
  return hasNoFiles(facts.server) ? facts : { ...facts, eventVolume: await readVolumeOfEvents(query, facts) };
}

/** Where the files are given a folder, the volume of the error log says something about them only where it holds that folder. */
function requireFolder<T extends { readonly volume: string }>(volume: Observed<T>, folder: string): Observed<T> {
  if (volume.kind === 'not observable' || folder.toUpperCase().startsWith(volume.value.volume.toUpperCase())) return volume;
  return folder === '' ? volume : notObservable(`Event files are written to ${folder}, and the error log lies on another volume.`);
}
