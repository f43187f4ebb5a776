/**
 * What a message of the error log is that was selected or pasted: with its date or without, alone or out of the middle
 * of a line.
 */
import { type ErrorLogReading, MESSAGE_KINDS } from './error-log';
import type { LoggedMessages } from './error-log-message';
import { readErrorLogText } from './error-log-text';
import { beginsCheckpointLine } from './flush-cache-line';

/**
 * `part`: lines of a FlushCache message without the first. `noise`: a known message that is not used here. `unknown`: no
 * known message. `others`: how many more messages about checkpoints the text holds.
 */
export type LineMeaning = MessageMeaning | { readonly kind: 'part' | 'noise' | 'unknown' };
export type MessageMeaning = {
  readonly [K in keyof LoggedMessages]: {
    readonly kind: K;
    readonly message: LoggedMessages[K][number];
    readonly others: number;
  };
}[keyof LoggedMessages];

/** If the text holds several messages, the longest checkpoint is explained, else the first message. */
export function readLineMeaning(text: string): LineMeaning {
  const reading = readErrorLogText(text);
  // Mail, Markdown and prose put marks around what they quote.
  const found = pickMessage(reading) ?? pickMessage(readErrorLogText(text.replace(/["“”„‘’`*]/g, '\n')));
  if (found !== null) return found;
  const lines = reading.unrecognised.flatMap((row) => row.text.split('\n'));
  if (lines.some((line) => beginsCheckpointLine(line.trim()))) return { kind: 'part' };
  return { kind: reading.counts.noise > 0 && reading.counts.unrecognised === 0 ? 'noise' : 'unknown' };
}

function pickMessage(reading: ErrorLogReading): MessageMeaning | null {
  const others = MESSAGE_KINDS.reduce((sum, kind) => sum + reading[kind].length, 0) - 1;
  const kind = MESSAGE_KINDS.find((each) => reading[each].length > 0);
  if (kind === undefined) return null;
  const longest = [...reading.groups].sort((a, b) => b.durationMs - a.durationMs);
  const [message] = kind === 'groups' ? longest : reading[kind];
  return { kind, message, others } as MessageMeaning;
}
