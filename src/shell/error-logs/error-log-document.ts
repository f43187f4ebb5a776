/** An error log that was read without a server: from a file, from pieces of a dropped file, or from pasted text. */
import {
  createErrorLogReader,
  type ErrorLogTextReading,
  readErrorLogText,
} from '../../core/errorlog/error-log-text';
import { formatUtcOffset } from '../../core/format';
import { createErrorLogPage } from '../../core/pages/error-log-page';
import type { EvidencePage } from '../../core/pages/evidence-page';
import type { Pause } from '../../core/steps';
import { t } from '../../core/language';
import { Dismissed } from '../kit/command-table';
import { cutPieces, FileIntake } from '../kit/file-pieces';

export interface ErrorLogDocument {
  /** The name of the file. */
  readonly name: string;
  readonly page: EvidencePage;
  /** One message explained, named by itself. */
  readonly isMessage?: true;
}

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

/** @throws Error with one sentence if it is not an error log */
export function readPastedLog(name: string, text: string): ErrorLogDocument {
  return createDocument(name, readErrorLogText(text));
}

/** A log that is dropped on a page. */
export class LogIntake extends FileIntake<ErrorLogDocument> {
  constructor(pause: Pause) {
    super(pause, (name) => {
      const reader = createErrorLogReader();
      return { take: (bytes) => reader.take(bytes), end: () => createDocument(name, reader.end()) };
    });
  }
}

/** What stands in no other text; the word checkpoint alone does. */
const OF_A_LOG = /FlushCache|DirtyPageMgr|avgWriteLatency|last target outstanding/i;

function createDocument(name: string, reading: ErrorLogTextReading): ErrorLogDocument {
  const { period, counts, unread } = reading;
  if (period === null && counts.parsed === 0 && !unread.first.some((line) => OF_A_LOG.test(line)))
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
