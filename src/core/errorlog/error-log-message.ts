/**
 * Numbered messages that belong on the timeline (docs/facts.md, SQL Server 5), and what each says, in whatever way its
 * values were found.
 */
import type { Logged, OneOf, ValuesOf } from './error-log-row';
import type { FlushCacheGroup } from './flush-cache-group';
import type { CheckpointPrint, DirtyPageFlush } from './flush-cache-line';

/**
 * `sentence`: by the English sentence. `template`: by the server's own sentence of that message, in its language.
 * `token`: the sentence is not known; only what is the same in every language was read.
 */
type ReadBy = 'sentence' | 'template' | 'token';

/** Message 5084: an option of a database was changed at that moment. */
export interface OptionChange extends Logged {
  /** As logged: `target_recovery_time` in lower case, `RECOVERY` in upper case. */
  readonly option: string;
  /** As logged; for target_recovery_time the seconds without a unit. */
  readonly value: string;
  readonly databaseName: string;
  readonly readBy: ReadBy;
}

/** Message 898: a scan of the buffer pool that took 10 seconds or more (docs/facts.md, SQL Server 5). */
export interface LoggedScan extends Logged {
  readonly durationSeconds: number;
  readonly databaseId: number;
  readonly command: string;
  readonly operation: string;
  readonly scannedBuffers: number;
  readonly iteratedBuffers: number;
  readonly waitMs: number | null;
  readonly readBy: ReadBy;
}

/** Recovery of a database: its end with its phases (message 3421), or its own checkpoint (3454). */
export type Recovery = CompletedRecovery | RecoveryCheckpoint;
interface CompletedRecovery extends Logged {
  readonly kind: 'completed';
  /** null if the name could not be told from the rest of the sentence. */
  readonly databaseName: string | null;
  readonly databaseId: number;
  readonly durationSeconds: number;
  readonly analysisMs: number | null;
  readonly redoMs: number | null;
  readonly undoMs: number | null;
  readonly readBy: ReadBy;
}
interface RecoveryCheckpoint extends Logged {
  readonly kind: 'checkpoint';
  readonly databaseName: string;
  readonly databaseId: number;
  readonly readBy: ReadBy;
}

/**
 * Message 833: reads or writes of a file that took longer than 15 seconds. Older versions log the database's name and
 * id, newer ones its id and a duration.
 */
export interface SlowIo extends Logged {
  readonly occurrences: number;
  readonly thresholdSeconds: number;
  readonly file: string;
  readonly databaseName: string | null;
  readonly databaseId: number | null;
  readonly durationMs: number | null;
  readonly readBy: ReadBy;
}

/**
 * A checkpoint that came to nothing: its record found no space in the log (message 3619), it failed (5901), or the log
 * is full until a checkpoint comes (9002 with CHECKPOINT).
 */
export interface FailedCheckpoint extends Logged {
  readonly messageId: 3619 | 5901 | 9002;
  /** null: the message names the id. */
  readonly databaseName: string | null;
  readonly databaseId: number | null;
  readonly readBy: ReadBy;
}

/**
 * What else is of interest for checkpoints: a trace flag turned on or off, another recovery interval (15457), a latch
 * that was waited for too long (844 to 847), a log that is full for another reason than a checkpoint (9002).
 */
export type Notice = Logged &
  (
    | { readonly kind: 'trace flag'; readonly flag: number; readonly isOn: boolean }
    | { readonly kind: 'recovery interval'; readonly fromMinutes: number; readonly toMinutes: number }
    | {
        readonly kind: 'latch time-out';
        readonly messageId: 844 | 845 | 846 | 847;
        readonly databaseId: number | null;
        readonly seconds: number | null;
      }
    | { readonly kind: 'full log'; readonly databaseName: string; readonly reason: string }
  );

/** Messages of each kind. */
export interface LoggedMessages {
  /** In the order of their first lines. */
  readonly groups: readonly FlushCacheGroup[];
  readonly failures: readonly FailedCheckpoint[];
  readonly dirtyPageFlushes: readonly DirtyPageFlush[];
  readonly scans: readonly LoggedScan[];
  readonly slowIos: readonly SlowIo[];
  readonly recoveries: readonly Recovery[];
  readonly changes: readonly OptionChange[];
  readonly notices: readonly Notice[];
  readonly prints: readonly CheckpointPrint[];
}

export type NoticeValues = ValuesOf<Notice>;
type Numbered = Omit<LoggedMessages, 'groups' | 'prints' | 'dirtyPageFlushes'>;
/** What a numbered message says, without when it was logged. */
export type NumberedMessage = OneOf<{ readonly [K in keyof Numbered]: ValuesOf<Numbered[K][number]> }>;

/** Messages for which we ask a server for its own sentences. */
export const MESSAGE_IDS = [833, 898, 3421, 3454, 3619, 5084, 5901, 9002] as const;
type MessageId = (typeof MESSAGE_IDS)[number];

/**
 * What each message is, its values in the order of its English sentence, and that sentence. `#`: the value is a number,
 * `?`: it may be missing. A number at the end of a sentence may have been cut.
 */
const NUMBERED: Readonly<Record<MessageId, readonly [NumberedMessage['kind'], values: string, RegExp]>> = {
  833: [
    'slowIos',
    'occurrences#,thresholdSeconds#,file,databaseName?,databaseId#,durationMs#?',
    /^SQL Server has encountered (\d{1,15}) occurrence\(s\) of I\/O requests taking longer than (\d{1,9}) seconds to complete on file \[(.*?)\] in database (?:\[(.*)\] \(|id )(\d{1,9})(?=\D)(?:.*The duration of the long I\/O is:?\s+(\d{1,15}) ms)?/s,
  ],
  898: [
    'scans',
    'durationSeconds#,databaseId#,command,operation,scannedBuffers#,iteratedBuffers#,waitMs#?',
    /^Buffer Pool scan took (\d{1,15}) seconds?: database ID (\d{1,9}), command '([^']*)', operation '([^']*)', scanned buffers (\d{1,15}), total iterated buffers (\d{1,15})(?=\D)(?:, wait time (\d{1,15}) ms)?/i,
  ],
  3421: [
    'recoveries',
    'databaseName?,databaseId#,durationSeconds#,analysisMs#?,redoMs#?,undoMs#?',
    /^Recovery completed for database (.+) \(database ID (\d{1,9})\) in (\d{1,15}) second\(s\)(?: \(analysis (\d{1,15}) ms, redo (\d{1,15}) ms, undo (\d{1,15}) ms)?/s,
  ],
  3454: [
    'recoveries',
    'databaseName,databaseId#',
    /^Recovery is writing a checkpoint in database '(.*)' \((\d{1,9})\)/s,
  ],
  3619: [
    'failures',
    'databaseId#?,databaseName?',
    /^Could not write a checkpoint record in database '?(?:ID (\d{1,9})|(.{1,128}?))'? because the log is out of space/i,
  ],
  5084: [
    'changes',
    'option,value,databaseName',
    /^Setting database option (\S+) to (.{1,200}?) for database '?((?<=').*(?=')|(?<!')[^'\s]+?(?!'))'?(?:\.(?:\s[^']{0,200})?)?$/s,
  ],
  5901: [
    'failures',
    'databaseName',
    /^One or more recovery units belonging to database '(.*)' failed to generate a checkpoint/s,
  ],
  9002: [
    'failures',
    'databaseName,reason',
    /^The transaction log for database '(.*)' is full due to '([A-Z_]+)'/s,
  ],
};
/** Tells most other texts apart. */
const BEGIN =
  /^(?:SQL Server has enc|Buffer Pool scan|Recovery |Could not write|Setting dat|One or more|The trans)/i;
/** None of these is longer. In a longer text a pattern could take very long to find its end. */
const LONGEST_SENTENCE = 8_000;

/** Flags that decide when checkpoints come, what they log, or how they look for pages (docs/facts.md, SQL Server 5). */
const FLAGS = [890, 3449, 3468, 3502, 3504, 3505];
/** Of both, only what stands around is translated. */
const TRACE = /^DBCC TRACE(ON|OFF) (\d{1,5}),/;
const INTERVAL = /^\D{1,100}recovery interval \(min\)\D{1,100}(\d{1,5})\D{1,60}(\d{1,5})\D/;
const LATCH = /^(A time-out|Time-out|Time out|Timeout) occurred while waiting for (?:buffer )?latch/;
export const LATCH_IDS = { 'Time out': 844, 'Time-out': 845, 'A time-out': 846, Timeout: 847 } as const;

/** Reads an English sentence as a message, also if it was wrapped; null for any other text. */
export function readSentence(text: string): NumberedMessage | null {
  if (text.length > LONGEST_SENTENCE) return null;
  const notice = readNotice(text);
  if (notice) return { kind: 'notices', values: notice };
  for (const id of BEGIN.test(text) ? MESSAGE_IDS : []) {
    const values = NUMBERED[id][2].exec(text)?.slice(1);
    if (values) return createMessage(id, values, 'sentence');
  }
  return text.includes('\n') ? readSentence(text.replace(/ ?\r?\n\s*/g, ' ')) : null;
}

function readNotice(text: string): NoticeValues | null {
  const [, on, flag] = TRACE.exec(text) ?? [];
  if (on !== undefined)
    return FLAGS.includes(Number(flag))
      ? { kind: 'trace flag', flag: Number(flag), isOn: on === 'ON' }
      : null;
  const [, from, to] = (text.includes('recovery interval') && INTERVAL.exec(text)) || [];
  if (from !== undefined)
    return { kind: 'recovery interval', fromMinutes: Number(from), toMinutes: Number(to) };
  const [, words] = LATCH.exec(text) ?? [];
  if (words === undefined) return null;
  const [, id] = /database id:? (\d{1,9})(?=\D)/i.exec(text) ?? [];
  const [, seconds] = /waittime (\d{1,9})(?=\D)/.exec(text) ?? [];
  const messageId = LATCH_IDS[words as keyof typeof LATCH_IDS];
  return { kind: 'latch time-out', messageId, databaseId: readWhole(id), seconds: readWhole(seconds) };
}

/** Whether a value of a message must be a number. Which values 833 has after the first two depends on the version. */
export const isNumber = (id: MessageId, place: number): boolean =>
  NUMBERED[id][1].split(',')[place]?.includes('#') === true && (id !== 833 || place < 2);

/** Makes a message of its values, in the order of the English sentence; null if one that it must have is missing. */
export function createMessage(
  id: MessageId,
  given: readonly (string | undefined)[],
  readBy: ReadBy,
): NumberedMessage | null {
  const [kind, shapes] = NUMBERED[id];
  const values: Record<string, unknown> = {};
  for (const [at, shape] of shapes.split(',').entries()) {
    const value = shape.includes('#') ? readWhole(given[at]) : (given[at] ?? null);
    if (!shape.endsWith('?') && (value === null || (value === '' && /^(?:option|databaseName)$/.test(shape))))
      return null;
    values[shape.replace(/[#?]/g, '')] = value;
  }
  const { databaseId = null, databaseName, reason = 'CHECKPOINT' } = values;
  if (reason !== 'CHECKPOINT')
    return { kind: 'notices', values: { kind: 'full log', ...values } as NoticeValues };
  if (id === 3619 && databaseId === null && databaseName === null) return null;
  if (kind === 'failures')
    return { kind, values: { messageId: id, databaseName, databaseId, readBy } } as NumberedMessage;
  const recovery = id === 3421 ? { kind: 'completed' } : id === 3454 ? { kind: 'checkpoint' } : {};
  return { kind, values: { ...recovery, ...values, readBy } } as NumberedMessage;
}

function readWhole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
