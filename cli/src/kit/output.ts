/** What the program says: to people on a terminal, else one JSON object a line. Only results go to standard output. */
import { access, constants, lstat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { replaceFile } from '../../../src/lake/delta-log';
import { writeWellFormed } from '../../../src/core/export/json';
import { makeVisible } from '../../../src/core/visible';

export interface Output {
  /** A result: standard output, as it is. */
  result(text: string): void;
  /** Something that happened, with its fields. `message` is one sentence. */
  event(level: 'info' | 'warning' | 'error', message: string, fields?: Record<string, unknown>): void;
  /** Lines on how to use the program: as they are, or as the message of one object. */
  usage(text: string): void;
  /** How far the work is, as a bar; shown on a terminal only. @param what is counted, in the plural */
  progress(done: number, all: number, what: string): void;
  /** Standard output where a person reads it; null: a program does. */
  readonly screen: Screen | null;
}

/** Is told of a server in one sentence what cannot be read of it. */
export type TellProblem = (server: string, problem: string) => void;

export const tellOf =
  (output: Output): TellProblem =>
  (server, problem) =>
    output.event('warning', `${server}: ${problem}`, { server });

export interface Screen {
  /** Characters a line. */
  readonly columns: number;
  readonly paint: Paint;
}

/** The text in that style, or as it is where the terminal or its user wants none. */
type Paint = (style: keyof typeof STYLES, text: string) => string;

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const STYLES = { bold: 1, dim: 2, red: 31, yellow: 33, cyan: 36 } as const;
const MARK_STYLES = { warning: 'yellow', error: 'red' } as const;
/** Characters of the bar. */
const BAR = 20;
const CLEAR_LINE = '\r\u001b[K';

/** @param wanted `auto`: JSON unless standard error is a terminal @param isQuiet only what went wrong, and results */
export function createOutput(
  wanted: 'auto' | 'text' | 'json',
  environment: Readonly<Record<string, string | undefined>>,
  streams: { readonly out: Stream; readonly error: Stream },
  nowMs: () => number,
  isQuiet = false,
): Output {
  const { out, error } = streams;
  const isScreen = ({ isTTY }: Stream): boolean => isTTY === true && environment.TERM !== 'dumb';
  const isTerminal = isScreen(error);
  const isJson = wanted === 'json' || (wanted === 'auto' && !isTerminal);
  const hasColour = (environment.NO_COLOR ?? '') === '';
  const paint: Paint = (style, text) => (hasColour ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
  // The bar may be that of another output.
  const clear = (): unknown => isTerminal && !isJson && error.write(CLEAR_LINE);
  const event: Output['event'] = (level, message, fields = {}) => {
    if (isQuiet && level === 'info') return;
    clear();
    const mark = level === 'info' ? '' : `${isTerminal ? paint(MARK_STYLES[level], level) : level} `;
    if (!isJson) return void error.write(`${mark}${makeVisible(message)}\n`);
    const time = new Date(nowMs()).toISOString();
    error.write(`${writeWellFormed({ time, level, message, ...fields })}\n`);
  };
  return {
    result: (text) => {
      clear();
      out.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    event,
    usage: (text) => void (isJson ? event('error', text.trim()) : error.write(text)),
    progress: (done, all, what) => {
      if (isJson || !isTerminal || isQuiet) return;
      const full = Math.round((BAR * done) / Math.max(1, all));
      const text = `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${all} ${what}`;
      error.write(`${CLEAR_LINE}${text.slice(0, (error.columns ?? 80) - 1)}`);
    },
    screen: isScreen(out) ? { columns: out.columns ?? 80, paint } : null,
  };
}

/** The disk takes no more. Written in place, what was there before would be lost. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO']);

/**
 * Writes a result beside its place first: on a full disk no half of it stays, and what was there before does. What is
 * no plain file of one name, or cannot be replaced by a file of the same owner and mode, is written as it is.
 */
export async function writeResult(file: string, text: string): Promise<void> {
  const before = await lstat(file).catch(() => null);
  try {
    if (before !== null) await access(file, constants.W_OK);
    if (before === null || (before.isFile() && before.nlink === 1))
      return await replaceFile(dirname(file), basename(file), Buffer.from(text, 'utf8'), before);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const short = `${file}: ${message.replace(/,.*/s, '')}`;
    if (NO_ROOM.has(code)) throw Object.assign(new Error(short), { code });
  }
  await writeFile(file, text, 'utf8');
}
