/** Whether a lake can be written into a folder: does there what an append does, and takes it away again. */
import { randomUUID } from 'node:crypto';
import { link, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeSynced } from '../../../src/lake/delta-log';
import { type DoctorAnswer, problem, ok } from './answer';
import { describeError } from '../../../src/monitor/queries/failure';

/** A folder that is not there is made by the first run; then the nearest one above is tried. */
export async function tryFolder(lake: string): Promise<DoctorAnswer> {
  const folder = await findNearest(resolve(lake));
  if (folder === null) return problem(`The lake ${lake} is not a folder. Name another one.`);
  let trial: string;
  try {
    trial = await mkdtemp(join(folder, '.checkpoint-health-trial-'));
  } catch (error) {
    return problem(`The lake cannot be written: ${describeError(error)}. Let this user write to ${folder}.`);
  }
  try {
    const fault = await findFault(trial);
    const advice = 'A lake there could lose what was written: use a local disk, or another kind of share.';
    if (fault !== null) return problem(`The filesystem of ${folder} ${fault}. ${advice}`);
    const where = `The lake ${lake}${folder === resolve(lake) ? '' : ' does not exist yet. Its place'}`;
    return ok(`${where} can be written, and its filesystem has reliable hard links.`);
  } catch (error) {
    return problem(`The lake cannot be written: ${describeError(error)}.`);
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** @returns what the filesystem does wrong, as a sentence's end; null: nothing @throws Error if it cannot be written */
async function findFault(folder: string): Promise<string | null> {
  const content = randomUUID();
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const [name, other] = [join(folder, 'name'), join(folder, 'other')];
  /** Its error; null: it was made. */
  const tryLink = (from: string): Promise<string | null> =>
    link(from, name).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
  await writeSynced(first, content);
  await writeSynced(second, 'another collector');
  const refused = await tryLink(first);
  if (refused !== null) return `makes no hard links (${refused})`;
  const taken = await tryLink(second);
  if (taken !== 'EEXIST') return `lets a hard link take a name that is taken (${taken ?? 'none'})`;
  await rm(first);
  await rename(second, other);
  return (await readFile(name, 'utf8')) === content ? null : 'does not keep what a hard link leads to';
}

/** null: a file is in the way. */
async function findNearest(folder: string): Promise<string | null> {
  try {
    return (await stat(folder)).isDirectory() ? folder : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    return dirname(folder) === folder ? folder : findNearest(dirname(folder));
  }
}
