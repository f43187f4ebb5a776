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
    if (fault !== null)
      return problem(
        `The filesystem of ${folder} ${fault}. A lake there could lose what was written: use a local disk, or another kind of share.`,
      );
    const where =
      folder === resolve(lake) ? `The lake ${lake}` : `The lake ${lake} does not exist yet. Its place`;
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
  const [first, second, name, other] = ['first', 'second', 'name', 'other'].map((each) =>
    join(folder, each),
  ) as [string, string, string, string];
  await writeSynced(first, content);
  await writeSynced(second, 'another collector');
  const refused = await link(first, name).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
  if (refused !== null) return `makes no hard links (${refused})`;
  const taken = await link(second, name).then(
    () => 'none',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
  if (taken !== 'EEXIST') return `lets a hard link take a name that is taken (${taken})`;
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
