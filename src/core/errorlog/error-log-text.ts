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

/** Reads text that was pasted, in pieces of any size: an ERRORLOG file's lines, cells of a grid, CSV, or what the Log File Viewer copies. */
interface PastedLogReader {
  take(text: string): void;
  end(): ErrorLogTextReading;
}

export function createPastedLogReader(options: ErrorLogOptions = {}): PastedLogReader {
  const collector = createErrorLogCollector(options);
  const lines = readLogLines(collector);
  let held: string | null = null;
  const give = (line: string): void => lines.take(line.endsWith('\r') ? line.slice(0, -1) : line);
  return {
    take(text) {
      let from = held === null && text.charCodeAt(0) === 0xfeff ? 1 : 0;
      held ??= '';
      for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
        give(held + text.slice(from, end));
        held = '';
        from = end + 1;
      }
      held += text.slice(from);
    },
    end() {
      if (held !== null && held !== '') give(held);
      lines.end();
      return { ...collector.end(), form: lines.form()?.name ?? 'unknown', encoding: null };
    },
  };
}

/** The same at once, for a text of no more than some megabytes. */
export function readErrorLogText(text: string, options: ErrorLogOptions = {}): ErrorLogTextReading {
  const reader = createPastedLogReader(options);
  reader.take(text);
  return reader.end();
}
