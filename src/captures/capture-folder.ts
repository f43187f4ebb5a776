/** The folder in which captures survive a restart of the editor. Files that are no captures are reported and left alone. */
import type { Observation } from '../core/capture/checkpoint-columns';
import { describeError, readCaptureFile, UNFINISHED, writeCaptureFile, type FileSystem } from './capture-file';
import type { DecodedCapture } from './capture-format';
import type { KeptCapture } from './kept-capture';

const EXTENSION = '.checkpoints';

export interface ListedCapture {
  readonly id: string;
  readonly serverLabel: string;
  readonly serverName: string | null;
  readonly observation: Observation | null;
  readonly rows: number;
}

/** `message` is one sentence that names the file. */
export interface CaptureProblem {
  readonly file: string;
  readonly message: string;
}

export interface CaptureFolder {
  /** Keeps a capture, in place of an earlier one of the same id. @throws Error with one sentence, for instance when the disk is full */
  keep(capture: KeptCapture): Promise<void>;
  /** What can be recovered, by name of file, and beside it what cannot and why. */
  list(): Promise<{ readonly captures: readonly ListedCapture[]; readonly problems: readonly CaptureProblem[] }>;
  recover(id: string): Promise<DecodedCapture>;
  /** Harmless when it is not there. @throws Error with one sentence */
  remove(id: string): Promise<void>;
}

/** Work on a folder is done one after the other, so that two writes of one capture never meet in one file. */
export function openCaptureFolder(path: string, files: FileSystem): CaptureFolder {
  let lane: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lane.then(work);
    lane = turn.catch(() => undefined);
    return turn;
  };
  return {
    keep: (capture) => inTurn(() => keepCapture(path, files, capture)),
    list: () => inTurn(() => listCaptures(path, files)),
    recover: (id) => inTurn(() => recoverCapture(path, files, id)),
    remove: (id) => inTurn(() => removeCapture(path, files, id)),
  };
}

async function keepCapture(path: string, files: FileSystem, capture: KeptCapture): Promise<void> {
  const file = nameFile(path, capture.id);
  try {
    await files.mkdir(path, { recursive: true });
    await writeCaptureFile(files, file, capture);
  } catch (error) {
    throw new Error(
      `The capture of ${capture.serverLabel} could not be kept in ${file} (${describeError(error)}); export it to another place.`,
    );
  }
}

async function listCaptures(path: string, files: FileSystem): ReturnType<CaptureFolder['list']> {
  const captures: ListedCapture[] = [];
  const problems: CaptureProblem[] = [];
  for (const file of await readFolder(path, files, problems)) {
    const { capture, problem } = await readListedFile(path, files, file);
    if (capture === null) problems.push({ file, message: `${file} was skipped: ${problem}.` });
    else {
      const { id, serverLabel, serverName, observation, columns } = capture;
      captures.push({ id, serverLabel, serverName, observation, rows: columns.rows });
    }
  }
  return { captures, problems };
}

/** A folder that was never written to is empty. */
async function readFolder(path: string, files: FileSystem, problems: CaptureProblem[]): Promise<readonly string[]> {
  try {
    return [...(await files.readdir(path))].sort();
  } catch (error) {
    const code = describeError(error);
    if (code !== 'ENOENT') problems.push({ file: path, message: `The folder of captures ${path} cannot be read (${code}).` });
    return [];
  }
}

async function readListedFile(path: string, files: FileSystem, file: string): Promise<DecodedCapture> {
  if (file.endsWith(UNFINISHED)) return { capture: null, problem: 'it was not written to its end' };
  if (!file.endsWith(EXTENSION)) return { capture: null, problem: 'it is not a capture of Checkpoint Health' };
  return recoverFile(`${path}/${file}`, files, file.slice(0, -EXTENSION.length));
}

async function recoverFile(path: string, files: FileSystem, id: string): Promise<DecodedCapture> {
  const decoded = await readCaptureFile(files, path);
  if (decoded.capture === null || decoded.capture.id === id) return decoded;
  return { capture: null, problem: `it holds capture ${decoded.capture.id}, whose name it does not bear` };
}

function recoverCapture(path: string, files: FileSystem, id: string): Promise<DecodedCapture> {
  return recoverFile(nameFile(path, id), files, id);
}

async function removeCapture(path: string, files: FileSystem, id: string): Promise<void> {
  const file = nameFile(path, id);
  try {
    await files.unlink(file);
  } catch (error) {
    if (describeError(error) !== 'ENOENT') throw new Error(`The capture ${file} could not be removed (${describeError(error)}).`);
  }
}

/** An id names a file, so it may hold only what every file system takes. */
function nameFile(path: string, id: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new RangeError(`not an id of a capture: ${JSON.stringify(id)}`);
  return `${path}/${id}${EXTENSION}`;
}
