/** One capture in one file: what import and export are made of. */
import { decodeCapture, encodeCapture, type DecodedCapture } from './capture-format';
import type { KeptCapture } from './kept-capture';

/** What is needed of a file system; `node:fs/promises` has it. */
export interface FileSystem {
  mkdir(path: string, options: { readonly recursive: true }): Promise<unknown>;
  readFile(path: string): Promise<Uint8Array>;
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  readdir(path: string): Promise<readonly string[]>;
  unlink(path: string): Promise<void>;
}

/** What a file being written ends in, until it is whole. */
export const UNFINISHED = '.unfinished';

/**
 * Writes beside and renames, so that the path holds the old content or the new, never a part.
 * @throws Error of the file system; what had been written of the new file is removed where that works.
 */
export async function writeCaptureFile(files: FileSystem, path: string, capture: KeptCapture): Promise<void> {
  const unfinished = path + UNFINISHED;
  try {
    await files.writeFile(unfinished, encodeCapture(capture));
    await files.rename(unfinished, path);
  } catch (error) {
    await files.unlink(unfinished).catch(() => undefined);
    throw error;
  }
}

/** The capture of a file, or one clause that says why there is none. Never throws for what is on the disk. */
export async function readCaptureFile(files: FileSystem, path: string): Promise<DecodedCapture> {
  try {
    return decodeCapture(await files.readFile(path));
  } catch (error) {
    return { capture: null, problem: `it cannot be read (${describeError(error)})` };
  }
}

export function describeError(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code ?? message ?? String(error);
}
