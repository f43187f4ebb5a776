/** Reads an error log piece by piece: a file, or pasted text. */
import { createErrorLogCollector, type ErrorLogOptions, type ErrorLogReading } from './error-log';
import { decodeLines, type TextEncodingName } from '../line-decoder';
import { type LogFormName, readLogLines } from './log-lines';

export interface ErrorLogTextReading extends ErrorLogReading {
  readonly form: LogFormName;
  /** null: its lines came as text. */
  readonly encoding: TextEncodingName | null;
}

/**
 * Reads the bytes of a log in pieces of any size, cut anywhere. A piece of 256 KB takes a few milliseconds; the caller
 * pauses between pieces.
 */
interface ErrorLogReader {
  take(bytes: Uint8Array): void;
  end(): ErrorLogTextReading;
}

/** Memory holds what was found and, of the log itself, one message of each process at most. */
export function createErrorLogReader(): ErrorLogReader {
  const collector = createErrorLogCollector();
  const lines = readLogLines(collector);
  const decoder = decodeLines(lines.take);
  return {
    take: decoder.take,
    end() {
      const encoding = decoder.end();
      const form = lines.end();
      return { ...collector.end(), form, encoding };
    },
  };
}

/**
 * Reads pasted text of at most some megabytes: lines of an ERRORLOG file, cells of a grid, CSV, or what the Log File
 * Viewer copies.
 */
export function readErrorLogText(text: string, options: ErrorLogOptions = {}): ErrorLogTextReading {
  const collector = createErrorLogCollector(options);
  const lines = readLogLines(collector);
  const given = text.replace(/^\uFEFF/, '').split('\n');
  if (given[given.length - 1] === '') given.pop();
  for (const line of given) lines.take(line.replace(/\r$/, ''));
  const form = lines.end();
  return { ...collector.end(), form, encoding: null };
}
