/** One capture in one file. Import and export use it too. */
import { lengthen } from '../core/number-columns';
import { type Pause, takeSteps } from '../core/steps';
import {
  type CaptureHead,
  decodeCapture,
  encodeCapture,
  type DecodedCapture,
  readCaptureHead,
} from './capture-format';
import { type KeptCapture, MOST_HEADER_BYTES } from './capture-header';
import { t } from '../core/language';

/** The functions of an open file or folder that are used here. */
interface OpenFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{ readonly size: number }>;
  writeFile(bytes: Uint8Array): Promise<void>;
  /** Waits until all of it survives a loss of power: of a file its content, of a folder the names in it. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The functions of a file system that are used here; `node:fs/promises` has them. */
export interface FileSystem {
  mkdir(
    path: string,
    options: { readonly recursive: true; readonly mode: number },
  ): Promise<string | undefined>;
  chmod(path: string, mode: number): Promise<void>;
  readFile(path: string): Promise<Uint8Array>;
  /** @param flags `r`: to read; `wx`: to write a file that is not there yet */
  open(path: string, flags: 'r' | 'wx', mode?: number): Promise<OpenFile>;
  stat(path: string): Promise<{ readonly mtimeMs: number }>;
  rename(from: string, to: string): Promise<void>;
  readdir(path: string): Promise<readonly string[]>;
  unlink(path: string): Promise<void>;
}

/** The disk, and a pause that lets other work run while a long file is put together or taken apart. */
export interface Disk {
  readonly files: FileSystem;
  readonly pause: Pause;
}

/** The ending of a file that is not written completely yet. */
const UNFINISHED = '.unfinished';
/** No write takes as long as this. Another window may be writing an unfinished file that is younger. */
const LONGEST_WRITE_MS = 3_600_000;

/** Captures name servers and databases, so only the user may read them. Windows ignores it. */
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;

/** First lines have a few kilobytes; with many databases, a few hundred. */
const HEAD_BYTES = 64 * 1024;
const NEW_LINE = 10;

/** Makes the folder. One that others can read is closed to them. @throws Error of the file system */
export async function makeCaptureFolder(
  files: Pick<FileSystem, 'mkdir' | 'chmod' | 'open'>,
  path: string,
): Promise<void> {
  const first = await files.mkdir(path, { recursive: true, mode: OWN_FOLDER });
  // Some file systems cannot do it. The capture is kept all the same.
  await files.chmod(path, OWN_FOLDER).catch(() => undefined);
  if (first === undefined) return;
  for (let made = path; made.includes('/'); made = folderOf(made)) {
    await syncFolder(files, folderOf(made));
    if (made === first) return;
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/**
 * Writes a second file and renames it, so that the path holds the old content or the new, never a part, also after a
 * loss of power. Two windows that write one path have a second file each.
 * @throws Error of the file system; the unfinished file is then removed if possible
 */
export async function writeWholeFile(
  files: Pick<FileSystem, 'open' | 'rename' | 'unlink'>,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const unfinished = `${path}.${Math.random().toString(36).slice(2)}${UNFINISHED}`;
  try {
    const file = await files.open(unfinished, 'wx', OWN_FILE);
    try {
      await file.writeFile(bytes);
      // A disk may do the rename first.
      await file.sync();
    } finally {
      await file.close();
    }
    await files.rename(unfinished, path);
  } catch (error) {
    await files.unlink(unfinished).catch(() => undefined);
    throw error;
  }
  await syncFolder(files, folderOf(path));
}

/** So the new name survives a loss of power. Windows cannot do it; then the old content may come back, whole too. */
async function syncFolder(files: Pick<FileSystem, 'open'>, path: string): Promise<void> {
  const folder = await files.open(path === '' ? '/' : path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/**
 * The names of the finished files in a folder. Removes unfinished ones that a crash left there.
 * @throws Error of the file system if the folder cannot be read
 */
export async function listFiles(
  files: Pick<FileSystem, 'readdir' | 'stat' | 'unlink'>,
  folder: string,
): Promise<readonly string[]> {
  const names = await files.readdir(folder);
  for (const name of names)
    if (name.endsWith(UNFINISHED)) await removeLeft(files, `${folder}/${name}`).catch(() => undefined);
  return names.filter((name) => !name.endsWith(UNFINISHED));
}

/** @throws Error of the file system, for instance if another window was faster */
async function removeLeft(files: Pick<FileSystem, 'stat' | 'unlink'>, path: string): Promise<void> {
  // A file that is as far ahead of our clock was written while that was wrong.
  if (Math.abs(Date.now() - (await files.stat(path)).mtimeMs) > LONGEST_WRITE_MS) await files.unlink(path);
}

/** @throws Error of the file system */
export async function writeCaptureFile(disk: Disk, path: string, capture: KeptCapture): Promise<void> {
  await writeWholeFile(disk.files, path, await takeSteps(encodeCapture(capture), disk.pause));
}

/** The capture in a file, or one clause that says why there is none. Never throws, whatever is on the disk. */
export async function readCaptureFile({ files, pause }: Disk, path: string): Promise<DecodedCapture> {
  try {
    return await takeSteps(decodeCapture(await files.readFile(path)), pause);
  } catch (error) {
    return { capture: null, problem: t('it cannot be read ({0})', describeDiskError(error)), isUnread: true };
  }
}

/** Reads only the first line of a capture file, so later damage is not found. Never throws, whatever is on the disk. */
export async function readCaptureFileHead({ files }: Disk, path: string): Promise<CaptureHead> {
  try {
    const file = await files.open(path, 'r');
    try {
      return readCaptureHead(await readFirstLine(file), (await file.stat()).size);
    } finally {
      await file.close();
    }
  } catch (error) {
    return { problem: t('it cannot be read ({0})', describeDiskError(error)) };
  }
}

/** The first line and what was read after it; the whole file if the line has no end. */
async function readFirstLine(file: OpenFile): Promise<Uint8Array> {
  let bytes = new Uint8Array(HEAD_BYTES);
  let filled = 0;
  while (filled <= MOST_HEADER_BYTES) {
    if (filled === bytes.length) bytes = lengthen(bytes, filled * 2);
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled);
    const isThere = bytes.subarray(filled, filled + bytesRead).includes(NEW_LINE);
    filled += bytesRead;
    if (bytesRead === 0 || isThere) break;
  }
  return bytes.subarray(0, filled);
}

export function describeDiskError(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code ?? message ?? String(error);
}
