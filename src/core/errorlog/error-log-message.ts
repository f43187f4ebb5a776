/**
 * Numbered messages that belong on the timeline (docs/facts.md, SQL Server 5), and what each says, in whatever way its
 * values were found.
 */
import type { Logged } from './error-log-row';

/**
 * `sentence`: by the English sentence. `template`: by the server's own sentence of that message, in its language.
 * `token`: the sentence is not known; only what is the same in every language was read.
 */
type ReadBy = 'sentence' | 'template' | 'token';

/** Message 5084: an option of a database was changed at that moment. */
export interface OptionChange extends Logged, OptionChangeText {}
interface OptionChangeText {
  /** As logged: `target_recovery_time` in lower case, `RECOVERY` in upper case. */
  readonly option: string;
  /** As logged; for target_recovery_time the seconds without a unit. */
  readonly value: string;
  readonly databaseName: string;
  readonly readBy: ReadBy;
}

/** Message 898: a scan of the buffer pool that took 10 seconds or more (docs/facts.md, SQL Server 5). */
export interface LoggedScan extends Logged, BufferPoolScanText {}
interface BufferPoolScanText {
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
export type Recovery = Logged & RecoveryText;
type RecoveryText = RecoveryCompletedText | RecoveryCheckpointText;
interface RecoveryCompletedText {
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
interface RecoveryCheckpointText {
  readonly kind: 'checkpoint';
  readonly databaseName: string;
  readonly databaseId: number;
  readonly readBy: ReadBy;
}

/**
 * Message 833: reads or writes of a file that took longer than 15 seconds. Older versions log the database's name and
 * id, newer ones its id and a duration.
 */
export interface SlowIo extends Logged, SlowIoText {}
interface SlowIoText {
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
export interface FailedCheckpoint extends Logged, FailedCheckpointText {}
interface FailedCheckpointText {
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
export type Notice = Logged & NoticeText;
export type NoticeText =
  | { readonly kind: 'trace flag'; readonly flag: number; readonly isOn: boolean }
  | { readonly kind: 'recovery interval'; readonly fromMinutes: number; readonly toMinutes: number }
  | {
      readonly kind: 'latch time-out';
      readonly messageId: 844 | 845 | 846 | 847;
      readonly databaseId: number | null;
      readonly seconds: number | null;
    }
  | { readonly kind: 'full log'; readonly databaseName: string; readonly reason: string };

export type NumberedMessage =
  | { readonly list: 'notices'; readonly message: NoticeText }
  | { readonly list: 'changes'; readonly message: OptionChangeText }
  | { readonly list: 'scans'; readonly message: BufferPoolScanText }
  | { readonly list: 'recoveries'; readonly message: RecoveryText }
  | { readonly list: 'slowIos'; readonly message: SlowIoText }
  | { readonly list: 'failures'; readonly message: FailedCheckpointText };

/** Messages for which we ask a server for its own sentences. */
export const MESSAGE_IDS = [833, 898, 3421, 3454, 3619, 5084, 5901, 9002] as const;
export type MessageId = (typeof MESSAGE_IDS)[number];

/** None of these is longer. In a longer text a pattern could take very long to find its end. */
const LONGEST_SENTENCE = 8_000;
const OPTION_CHANGE =
  /^Setting database option (\S+) to (.{1,200}?) for database ('.*'|[^'\s]+?)(?:\.(?:\s[^']{0,200})?)?$/s;
const SCAN =
  /^Buffer Pool scan took (\d{1,15}) seconds?: database ID (\d{1,9}), command '([^']*)', operation '([^']*)', scanned buffers (\d{1,15}), total iterated buffers (\d{1,15})(?:, wait time (\d{1,15}) ms)?/i;
const RECOVERY_COMPLETED =
  /^Recovery completed for database (.+) \(database ID (\d{1,9})\) in (\d{1,15}) second\(s\)(?: \(analysis (\d{1,15}) ms, redo (\d{1,15}) ms, undo (\d{1,15}) ms)?/s;
const RECOVERY_CHECKPOINT = /^Recovery is writing a checkpoint in database '(.*)' \((\d{1,9})\)/s;
const FULL_LOG = /^The transaction log for database '(.*)' is full due to '([A-Z_]+)'/s;
const FAILED = /^One or more recovery units belonging to database '(.*)' failed to generate a checkpoint/s;
const UNWRITTEN =
  /^Could not write a checkpoint record in database (?:ID (\d{1,9})|'?(.{1,128}?)'?) because the log is out of space/i;
const SLOW_IO =
  /^SQL Server has encountered (\d{1,15}) occurrence\(s\) of I\/O requests taking longer than (\d{1,9}) seconds to complete on file \[(.*?)\] in database (?:\[(.*)\] \(|id )(\d{1,9})\)?(?:.*The duration of the long I\/O is:?\s+(\d{1,15}) ms)?/s;
const SENTENCES: readonly (readonly [MessageId, RegExp])[] = [
  [5084, OPTION_CHANGE],
  [833, SLOW_IO],
  [898, SCAN],
  [9002, FULL_LOG],
  [5901, FAILED],
  [3619, UNWRITTEN],
  [3454, RECOVERY_CHECKPOINT],
  [3421, RECOVERY_COMPLETED],
];

/** Flags that decide when checkpoints come, what they log, or how they look for pages (docs/facts.md, SQL Server 5). */
const FLAGS = [890, 3449, 3468, 3502, 3504, 3505];
/** Of both, only what stands around is translated. */
const TRACE = /^DBCC TRACE(ON|OFF) (\d{1,5}),/;
const INTERVAL = /^\D{1,100}recovery interval \(min\)\D{1,100}(\d{1,5})\D{1,60}(\d{1,5})\D/;
const LATCH = /^(A time-out|Time-out|Time out|Timeout) occurred while waiting for (?:buffer )?latch/;
export const LATCH_IDS = { 'Time out': 844, 'Time-out': 845, 'A time-out': 846, Timeout: 847 } as const;

/** Reads an English sentence as a message; null for any other text. */
export function readSentence(text: string): NumberedMessage | null {
  if (text.length > LONGEST_SENTENCE) return null;
  const notice = readNotice(text);
  if (notice) return { list: 'notices', message: notice };
  for (const [id, pattern] of SENTENCES) {
    // The first letter tells most texts apart.
    const match = text.startsWith(pattern.source.charAt(1)) ? pattern.exec(text) : null;
    const values = match?.slice(1).map((value) => (id === 5084 ? value.replace(/^'(.*)'$/s, '$1') : value));
    if (values) return createMessage(id, values, 'sentence');
  }
  return null;
}

function readNotice(text: string): NoticeText | null {
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
  const [, databaseId] = /database id:? (\d{1,9})/i.exec(text) ?? [];
  const [, seconds] = /waittime (\d{1,9})/.exec(text) ?? [];
  const messageId = LATCH_IDS[words as keyof typeof LATCH_IDS];
  return {
    kind: 'latch time-out',
    messageId,
    databaseId: readWhole(databaseId),
    seconds: readWhole(seconds),
  };
}

type Values = readonly (string | undefined)[];

/** The list of each message, and its values in the order of the English sentence: `#` a number, `?` may be missing. */
const SHAPES: Readonly<Record<MessageId, readonly [list: NumberedMessage['list'], ...values: string[]]>> = {
  833: [
    'slowIos',
    'occurrences#',
    'thresholdSeconds#',
    'file',
    'databaseName?',
    'databaseId#',
    'durationMs#?',
  ],
  898: [
    'scans',
    ...['durationSeconds#', 'databaseId#', 'command', 'operation', 'scannedBuffers#'],
    ...['iteratedBuffers#', 'waitMs#?'],
  ],
  3421: [
    'recoveries',
    'databaseName?',
    'databaseId#',
    'durationSeconds#',
    'analysisMs#?',
    'redoMs#?',
    'undoMs#?',
  ],
  3454: ['recoveries', 'databaseName', 'databaseId#'],
  3619: ['failures', 'databaseId#?', 'databaseName?'],
  5084: ['changes', 'option', 'value', 'databaseName'],
  5901: ['failures', 'databaseName', 'databaseId#?'],
  9002: ['failures', 'databaseName', 'reason'],
};

/** Whether a value of a message must be a number. Which values 833 has after the first two depends on the version. */
export const isNumber = (id: MessageId, place: number): boolean =>
  SHAPES[id][place + 1]?.includes('#') === true && (id !== 833 || place < 2);

/** Makes a message of its values, in the order of the English sentence; null if one that it must have is missing. */
export function createMessage(id: MessageId, values: Values, readBy: ReadBy): NumberedMessage | null {
  const [list, ...names] = SHAPES[id];
  const message: Record<string, unknown> = {};
  for (const [at, shape] of names.entries()) {
    const value = shape.includes('#') ? readWhole(values[at]) : (values[at] ?? null);
    if (!shape.endsWith('?') && (value === null || (value === '' && /^(?:option|databaseName)$/.test(shape))))
      return null;
    message[shape.replace(/[#?]/g, '')] = value;
  }
  const { databaseId = null, databaseName, reason = 'CHECKPOINT' } = message;
  if (reason !== 'CHECKPOINT')
    return { list: 'notices', message: { kind: 'full log', ...message } as NoticeText };
  if (id === 3619 && databaseId === null && databaseName === null) return null;
  if (list === 'failures')
    return { list, message: { messageId: id, databaseName, databaseId, readBy } as FailedCheckpointText };
  const kind = id === 3421 ? { kind: 'completed' } : id === 3454 ? { kind: 'checkpoint' } : {};
  return { list, message: { ...kind, ...message, readBy } } as NumberedMessage;
}

function readWhole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
