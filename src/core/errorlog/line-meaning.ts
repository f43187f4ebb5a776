/**
 * What a message of the error log is that was selected or pasted: with its date or without, alone or out of the middle
 * of a line.
 */
import type { ErrorLogReading } from './error-log';
import { readErrorLogText } from './error-log-text';
import { beginsCheckpointLine } from './flush-cache-line';

type Lists = Pick<
  ErrorLogReading,
  | 'groups'
  | 'dirtyPageFlushes'
  | 'scans'
  | 'slowIos'
  | 'recoveries'
  | 'changes'
  | 'failures'
  | 'notices'
  | 'prints'
>;
/** What is explained first if a text holds several kinds. */
const KINDS = {
  groups: 'FlushCache',
  failures: 'failure',
  dirtyPageFlushes: 'dirty pages',
  scans: 'scan',
  slowIos: 'slow I/O',
  recoveries: 'recovery',
  changes: 'change',
  notices: 'notice',
  prints: 'print',
} as const;

/**
 * `part`: lines of a FlushCache message without the first. `noise`: a known message that is not used here. `unknown`: no
 * known message. `others`: how many more messages about checkpoints the text holds.
 */
export type LineMeaning = MessageMeaning | { readonly kind: 'part' | 'noise' | 'unknown' };
export type MessageMeaning = {
  readonly [K in keyof Lists]: {
    readonly kind: (typeof KINDS)[K];
    readonly message: Lists[K][number];
    readonly others: number;
  };
}[keyof Lists];

/** What mail, Markdown and code put around a quoted line. */
const QUOTING = /^[\s>*`"'“„-]+|(?<![\s*`"'”“])[\s*`"'”“]+$/g;

/** If the text holds several messages, the longest checkpoint is explained, else the first message. */
export function readLineMeaning(text: string): LineMeaning {
  const reading = readErrorLogText(text);
  const found = pickMessage(reading) ?? pickMessage(readErrorLogText(unquote(text)));
  if (found !== null) return found;
  if (
    reading.unrecognised.some((row) => row.text.split('\n').some((line) => beginsCheckpointLine(line.trim())))
  )
    return { kind: 'part' };
  return { kind: reading.counts.noise > 0 && reading.counts.unrecognised === 0 ? 'noise' : 'unknown' };
}

function pickMessage(reading: ErrorLogReading): MessageMeaning | null {
  const lists = Object.keys(KINDS) as (keyof Lists)[];
  const others = lists.reduce((sum, list) => sum + reading[list].length, 0) - 1;
  const list = lists.find((each) => reading[each].length > 0);
  if (list === undefined) return null;
  const longest = [...reading.groups].sort((a, b) => b.durationMs - a.durationMs);
  const [message] = list === 'groups' ? longest : reading[list];
  return { kind: KINDS[list], message, others } as MessageMeaning;
}

function unquote(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(QUOTING, ''))
    .join('\n');
}
