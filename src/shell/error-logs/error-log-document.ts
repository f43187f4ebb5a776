/** An error log that was read without a server: from a file, from pieces of a dropped file, or from pasted text. */
import {
  createErrorLogReader,
  type ErrorLogReader,
  type ErrorLogTextReading,
  readErrorLogText,
} from '../../core/errorlog/error-log-text';
import { formatUtcOffset } from '../../core/format';
import { createErrorLogPage } from '../../core/pages/error-log-page';
import type { EvidencePage } from '../../core/pages/evidence-page';
import type { ErrorLogPiece } from '../../protocol';
import { t } from '../../core/language';
import { Dismissed } from '../kit/command-table';

export interface ErrorLogDocument {
  /** The name of the file. */
  readonly name: string;
  readonly page: EvidencePage;
  /** One message explained, named by itself. */
  readonly isMessage?: true;
}

/** Reading a piece takes a few milliseconds; others can run between two pieces. */
export const READ_BYTES = 256 * 1024;

/** What happens between two pieces of a file. */
interface BetweenPieces {
  readonly pause: () => Promise<void>;
  readonly isCancelled: () => boolean;
  /** @param bytes read so far */
  readonly tell: (bytes: number) => void;
}

/** @throws Error with one sentence if it is no error log, or of the file system; Dismissed if the reader cancelled */
export async function readLogFile(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  { pause, isCancelled, tell }: BetweenPieces,
): Promise<ErrorLogDocument> {
  const reader = createErrorLogReader();
  let bytes = 0;
  for await (const piece of pieces)
    for (const part of cutPieces(piece)) {
      if (isCancelled()) throw new Dismissed();
      reader.take(part);
      bytes += part.length;
      tell(bytes);
      await pause();
    }
  return createDocument(name, reader.end());
}

function* cutPieces(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += READ_BYTES) yield bytes.subarray(at, at + READ_BYTES);
}

/** @throws Error with one sentence if it is not an error log */
export function readPastedLog(name: string, text: string): ErrorLogDocument {
  return createDocument(name, readErrorLogText(text));
}

/** The answer to one piece. */
export interface LogTaken {
  /** Bytes of the file so far; null if the piece does not follow the one before. */
  readonly bytes: number | null;
  /** Comes with the last piece. */
  readonly document: ErrorLogDocument | null;
}

const REFUSED: LogTaken = { bytes: null, document: null };

/** A file that comes in pieces. */
interface FileIntake {
  readonly name: string;
  readonly reader: ErrorLogReader;
  takenBytes: number;
}

/** Reads a file in pieces as they come, and never holds the whole of it. */
export class LogIntake {
  private file: FileIntake | null = null;

  constructor(private readonly pause: () => Promise<void>) {}

  /**
   * @returns null if another file was begun meanwhile, so that this one is not waited for.
   * @throws Error with one sentence if it is not an error log
   */
  async take({ name, fromByte, totalBytes, bytes }: ErrorLogPiece): Promise<LogTaken | null> {
    if (fromByte === 0) this.file = { name, reader: createErrorLogReader(), takenBytes: 0 };
    const { file } = this;
    if (name !== file?.name || fromByte !== file.takenBytes || !(bytes instanceof ArrayBuffer))
      return REFUSED;
    file.takenBytes += bytes.byteLength;
    for (const part of cutPieces(new Uint8Array(bytes))) {
      file.reader.take(part);
      await this.pause();
      if (this.file !== file) return null;
    }
    const takenBytes = fromByte + bytes.byteLength;
    if (takenBytes < totalBytes) return { bytes: takenBytes, document: null };
    this.file = null;
    return { bytes: takenBytes, document: createDocument(name, file.reader.end()) };
  }
}

function createDocument(name: string, reading: ErrorLogTextReading): ErrorLogDocument {
  if (reading.period === null && reading.counts.parsed === 0)
    throw new Error(
      t(
        '{0} cannot be read as an error log of SQL Server: none of its lines begins with a date and a process.',
        name,
      ),
    );
  const [first] = reading.observations;
  const clock =
    first === undefined
      ? t('The log does not say how far its clock is from UTC.')
      : t('The log says that its clock was at {0} when it began.', formatUtcOffset(first.offsetMinutes));
  const notes = [
    reading.encoding === null
      ? t('Read as {0}.', reading.form)
      : t('Read as {0}, {1}.', reading.form, reading.encoding),
    reading.form === 'Windows events'
      ? t('Times are those of the computer on which Get-WinEvent ran.')
      : t("Times are those of the server's own clock. {0}", clock),
  ];
  return {
    name,
    page: createErrorLogPage({ reading, nameOf: () => null, idOf: () => null, notes, isRefused: false }),
  };
}
