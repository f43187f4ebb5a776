/**
 * What a message of the error log is that was selected or pasted: with its date or without, alone or out of the middle
 * of a line.
 */
import type { ErrorLogReading } from './error-log';
import { readErrorLogText } from './error-log-text';
import { beginsCheckpointLine } from './flush-cache-line';

type MessageIn<
  List extends 'groups' | 'dirtyPageFlushes' | 'prints' | 'changes' | 'recoveries' | 'scans' | 'slowIos',
> = ErrorLogReading[List][number];

/**
 * `part`: lines of a FlushCache message without the first. `noise`: a known message that says nothing about
 * checkpoints. `unknown`: no known message. `others`: how many more messages about checkpoints the text holds.
 */
export type LineMeaning = MessageMeaning | { readonly kind: 'part' | 'noise' | 'unknown' };
export type MessageMeaning = (
  | { readonly kind: 'FlushCache'; readonly message: MessageIn<'groups'> }
  | { readonly kind: 'dirty pages'; readonly message: MessageIn<'dirtyPageFlushes'> }
  | { readonly kind: 'print'; readonly message: MessageIn<'prints'> }
  | { readonly kind: 'scan'; readonly message: MessageIn<'scans'> }
  | { readonly kind: 'slow I/O'; readonly message: MessageIn<'slowIos'> }
  | { readonly kind: 'recovery'; readonly message: MessageIn<'recoveries'> }
  | { readonly kind: 'change'; readonly message: MessageIn<'changes'> }
) & { readonly others: number };

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

function pickMessage({
  groups,
  dirtyPageFlushes,
  prints,
  scans,
  slowIos,
  recoveries,
  changes,
}: ErrorLogReading): MessageMeaning | null {
  const lists = [groups, dirtyPageFlushes, prints, scans, slowIos, recoveries, changes];
  const others = lists.reduce((sum, { length }) => sum + length, 0) - 1;
  const [longest] = [...groups].sort((a, b) => b.durationMs - a.durationMs);
  if (longest !== undefined) return { kind: 'FlushCache', message: longest, others };
  if (dirtyPageFlushes[0] !== undefined) return { kind: 'dirty pages', message: dirtyPageFlushes[0], others };
  if (scans[0] !== undefined) return { kind: 'scan', message: scans[0], others };
  if (slowIos[0] !== undefined) return { kind: 'slow I/O', message: slowIos[0], others };
  if (recoveries[0] !== undefined) return { kind: 'recovery', message: recoveries[0], others };
  if (changes[0] !== undefined) return { kind: 'change', message: changes[0], others };
  return prints[0] === undefined ? null : { kind: 'print', message: prints[0], others };
}

function unquote(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(QUOTING, ''))
    .join('\n');
}
