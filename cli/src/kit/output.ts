/** What the program says: progress for people on a terminal, one JSON object a line elsewhere. Results go to standard output, all else to standard error. */
import { access, constants, lstat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { replaceFile } from '../../../src/lake/delta-log';
import { writeWellFormed } from '../../../src/core/export/json';
import { makeVisible } from '../../../src/core/visible';

export interface Output {
  /** A result: standard output, as it is. */
  result(text: string): void;
  /** Something that happened, with its fields. `message` is one sentence. */
  event(level: 'info' | 'warning' | 'error', message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Lines on how to use the program: as they are, or as the message of one object. */
  usage(text: string): void;
  /** How far the work is; shown on a terminal only. */
  progress(text: string): void;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const MARKS = { info: '', warning: 'warning ', error: 'error ' } as const;
const COLOURED_MARKS = { info: '', warning: '\u001b[33mwarning\u001b[0m ', error: '\u001b[31merror\u001b[0m ' } as const;
const CLEAR_LINE = '\r\u001b[K';

/** @param wanted `auto`: JSON unless standard error is a terminal @param isQuiet says only what went wrong, and results */
export function createOutput(
  wanted: 'auto' | 'text' | 'json',
  environment: Readonly<Record<string, string | undefined>>,
  streams: { readonly out: Stream; readonly error: Stream },
  nowMs: () => number,
  isQuiet = false,
): Output {
  const { out, error } = streams;
  const isTerminal = error.isTTY === true && environment.TERM !== 'dumb';
  const isJson = wanted === 'json' || (wanted === 'auto' && !isTerminal);
  const hasColour = isTerminal && (environment.NO_COLOR ?? '') === '';
  let shown = false;
  const clear = (): void => {
    if (shown) error.write(CLEAR_LINE);
    shown = false;
  };
  const event: Output['event'] = (level, message, fields = {}) => {
    if (isQuiet && level === 'info') return;
    clear();
    if (isJson) error.write(`${writeWellFormed({ time: new Date(nowMs()).toISOString(), level, message, ...fields })}\n`);
    else error.write(`${(hasColour ? COLOURED_MARKS : MARKS)[level]}${makeVisible(message)}\n`);
  };
  return {
    result: (text) => {
      clear();
      out.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    event,
    usage: (text) => void (isJson ? event('error', text.trim()) : error.write(text)),
    progress: (said) => {
      if (isJson || !isTerminal || isQuiet) return;
      const text = makeVisible(said);
      const width = error.columns ?? 80;
      error.write(`${CLEAR_LINE}${text.length < width ? text : text.slice(0, width - 1)}`);
      shown = true;
    },
  };
}

/** The disk takes no more. Written in place, what was there before would be lost. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

/**
 * Writes a result beside its place first: on a full disk no half of it stays, and what was there before does. What is no plain file of one name, and what
 * its folder does not let be replaced by a file of the same owner and mode, is written as it is.
 */
export async function writeResult(file: string, text: string): Promise<void> {
  const before = await lstat(file).catch(() => null);
  try {
    if (before !== null) await access(file, constants.W_OK);
    if (before === null || (before.isFile() && before.nlink === 1))
      return await replaceFile(dirname(file), basename(file), Buffer.from(text, 'utf8'), before);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (NO_ROOM.has(code)) throw Object.assign(new Error(`${file}: ${message.replace(/,.*/s, '')}`), { code });
  }
  await writeFile(file, text, 'utf8');
}
