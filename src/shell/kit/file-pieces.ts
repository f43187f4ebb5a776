/** Files of the user, read in pieces, so that a long one never stands in memory as a whole. */
import type * as vscode from 'vscode';
import type { FileSystem } from '../../captures/capture-file';
import type { Pause } from '../../core/steps';
import type { ErrorLogPiece } from '../../protocol';

/** Reading a piece takes a few milliseconds; others can run between two pieces. */
const READ_BYTES = 256 * 1024;

/**
 * @param others the file systems of the editor, which give no parts of a file
 * @throws Error of the file system
 */
export function readPieces(
  files: Pick<FileSystem, 'open'>,
  others: Pick<vscode.FileSystem, 'readFile'>,
  uri: vscode.Uri,
): AsyncIterable<Uint8Array> {
  return uri.scheme === 'file' ? readParts(files, uri.fsPath) : readWhole(others, uri);
}

async function* readParts(files: Pick<FileSystem, 'open'>, path: string): AsyncIterable<Uint8Array> {
  const file = await files.open(path, 'r');
  try {
    for (let at = 0; ;) {
      const piece = new Uint8Array(READ_BYTES);
      const { bytesRead } = await file.read(piece, 0, READ_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* readWhole(
  others: Pick<vscode.FileSystem, 'readFile'>,
  uri: vscode.Uri,
): AsyncIterable<Uint8Array> {
  yield await others.readFile(uri);
}

export function* cutPieces(bytes: Uint8Array, size = READ_BYTES): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The answer to one piece. */
export interface PieceTaken<T> {
  /** Bytes of the file so far; null if the piece does not follow the one before. */
  readonly bytes: number | null;
  /** Comes with the last piece. */
  readonly document: T | null;
}

/** Reads one file. */
interface PieceReader<T> {
  take(bytes: Uint8Array): void;
  end(): T | Promise<T>;
}

/** Reads a file in pieces as they come, and never holds the whole of it. */
export class FileIntake<T> {
  private file: { readonly name: string; readonly reader: PieceReader<T>; takenBytes: number } | null = null;

  constructor(
    private readonly pause: Pause,
    private readonly begin: (name: string) => PieceReader<T>,
  ) {}

  /**
   * @returns null if another file was begun meanwhile, so that this one is not waited for.
   * @throws Error with one sentence if it is not what is read here
   */
  async take({ name, fromByte, totalBytes, bytes }: ErrorLogPiece): Promise<PieceTaken<T> | null> {
    if (fromByte === 0) this.file = { name, reader: this.begin(name), takenBytes: 0 };
    const { file } = this;
    if (name !== file?.name || fromByte !== file.takenBytes || !(bytes instanceof ArrayBuffer))
      return { bytes: null, document: null };
    file.takenBytes += bytes.byteLength;
    for (const part of cutPieces(new Uint8Array(bytes))) {
      file.reader.take(part);
      await this.pause();
      if (this.file !== file) return null;
    }
    const takenBytes = fromByte + bytes.byteLength;
    if (takenBytes < totalBytes) return { bytes: takenBytes, document: null };
    this.file = null;
    return { bytes: takenBytes, document: await file.reader.end() };
  }
}
