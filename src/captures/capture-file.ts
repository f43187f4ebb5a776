/** One capture in one file. Import and export use it too. */
import { lengthen } from '../core/number-columns';
import { type Pause, takeSteps } from '../core/steps';
import { type CaptureHead, decodeCapture, encodeCapture, type DecodedCapture, readCaptureHead } from './capture-format';
import type { KeptCapture } from './capture-header';
import { t } from '../core/language';

/** The functions of an open file that are used here. */
interface OpenFile {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{ readonly size: number }>;
  close(): Promise<void>;
}

/** The functions of a file system that are used here; `node:fs/promises` has them. */
export interface FileSystem {
  mkdir(path: string, options: { readonly recursive: true; readonly mode: number }): Promise<unknown>;
  chmod(path: string, mode: number): Promise<void>;
  readFile(path: string): Promise<Uint8Array>;
  open(path: string, flags: 'r'): Promise<OpenFile>;
  writeFile(path: string, bytes: Uint8Array, options: { readonly mode: number }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  readdir(path: string): Promise<readonly string[]>;
  unlink(path: string): Promise<void>;
}

type WritableFiles = Pick<FileSystem, 'writeFile' | 'chmod' | 'rename' | 'unlink'>;

/** The disk, and a pause that lets other work run while a long file is put together or taken apart. */
export interface Disk {
  readonly files: FileSystem;
  readonly pause: Pause;
}

/** The ending of a file that is not written completely yet. */
export const UNFINISHED = '.unfinished';

/** Captures name servers and databases, so only the user may read them. Windows ignores it. */
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;

/** First lines have a few kilobytes; with many databases, a few hundred. */
const HEAD_BYTES = 64 * 1024;
const MOST_HEAD_BYTES = 64 * 1024 * 1024;
const NEW_LINE = 10;

/** Makes the folder. One that others can read is closed to them. @throws Error of the file system */
export async function makeFolder(files: Pick<FileSystem, 'mkdir' | 'chmod'>, path: string): Promise<void> {
  await files.mkdir(path, { recursive: true, mode: OWN_FOLDER });
  await closeToOthers(files, path, OWN_FOLDER);
}

/** Some file systems cannot do it. The capture is kept all the same. */
async function closeToOthers(files: Pick<FileSystem, 'chmod'>, path: string, mode: number): Promise<void> {
  await files.chmod(path, mode).catch(() => undefined);
}

/**
 * Writes a second file and renames it, so that the path holds the old content or the new, never a part.
 * @throws Error of the file system; the unfinished file is then removed if possible
 */
export async function writeWholeFile(files: WritableFiles, path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = path + UNFINISHED;
  try {
    await files.writeFile(unfinished, bytes, { mode: OWN_FILE });
    // A file left unfinished before keeps the mode that it had.
    await closeToOthers(files, unfinished, OWN_FILE);
    await files.rename(unfinished, path);
  } catch (error) {
    await files.unlink(unfinished).catch(() => undefined);
    throw error;
  }
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

/** Reads only the first line of a capture file, so damage after it is not found. Never throws, whatever is on the disk. */
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
  while (filled < MOST_HEAD_BYTES) {
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
