/** An error log as a file or as text that somebody pasted, read piece by piece. */
import { createErrorLogCollector, type ErrorLogOptions, type ErrorLogReading } from './error-log';
import { decodeLines, type TextEncodingName } from './line-decoder';
import type { LogFormName } from './log-form';
import { readLogLines } from './log-lines';

export interface ErrorLogTextReading extends ErrorLogReading {
  readonly form: LogFormName;
  /** null: its lines came as text. */
  readonly encoding: TextEncodingName | null;
}

/** Reads the bytes of a log in pieces of any size, cut anywhere. A piece of 256 KB takes a few milliseconds: the caller lets others have their turn between two. */
export interface ErrorLogReader {
  take(bytes: Uint8Array): void;
  end(): ErrorLogTextReading;
}

/** Holds what was found and no more of the log than one message of each process. */
export function createErrorLogReader(options: ErrorLogOptions = {}): ErrorLogReader {
  const collector = createErrorLogCollector(options);
  const lines = readLogLines(collector);
  const decoder = decodeLines((line) => lines.take(line));
  return {
    take: (bytes) => decoder.take(bytes),
    end() {
      decoder.end();
      lines.end();
      return { ...collector.end(), form: lines.form()?.name ?? 'unknown', encoding: decoder.encoding() };
    },
  };
}

/** Reads text that was pasted, of no more than some megabytes: an ERRORLOG file's lines, cells of a grid, CSV, or what the Log File Viewer copies. */
export function readErrorLogText(text: string, options: ErrorLogOptions = {}): ErrorLogTextReading {
  const collector = createErrorLogCollector(options);
  const lines = readLogLines(collector);
  const given = text.replace(/^\uFEFF/, '').split('\n');
  if (given[given.length - 1] === '') given.pop();
  for (const line of given) lines.take(line.replace(/\r$/, ''));
  lines.end();
  return { ...collector.end(), form: lines.form()?.name ?? 'unknown', encoding: null };
}
