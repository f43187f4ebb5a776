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
  /^Setting database option (\S+) to (.{1,200}?) for database (?:'(.*)'|([^'\s]+?))(?:\.(?:\s[^']{0,200})?)?$/s;
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
    if (match) return createMessage(id, match.slice(1), 'sentence');
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

/**
 * Makes a message of its values, in the order of the English sentence; null if a value that must be a number is none.
 * Values of 833: occurrences, seconds, file, name of the database (older versions), its id, duration (newer versions).
 */
export function createMessage(id: MessageId, values: Values, readBy: ReadBy): NumberedMessage | null {
  return CREATORS[id](values, readBy);
}

const CREATORS: Readonly<Record<MessageId, (values: Values, readBy: ReadBy) => NumberedMessage | null>> = {
  833: createSlowIo,
  898: createScan,
  3421: createRecovery,
  3454: createRecoveryCheckpoint,
  3619: (values, readBy) => createFailure(3619, values, readBy),
  5084: createChange,
  5901: (values, readBy) => createFailure(5901, values, readBy),
  9002: (values, readBy) => createFailure(9002, values, readBy),
};

function createChange(
  [option = '', value = '', quoted, databaseName = quoted ?? '']: Values,
  readBy: ReadBy,
): NumberedMessage | null {
  return option === '' || databaseName === ''
    ? null
    : { list: 'changes', message: { option, value, databaseName, readBy } };
}

function createScan(
  [seconds, id, command = '', operation = '', scanned, iterated, wait]: Values,
  readBy: ReadBy,
): NumberedMessage | null {
  const [durationSeconds, databaseId] = [readWhole(seconds), readWhole(id)];
  const [scannedBuffers, iteratedBuffers] = [readWhole(scanned), readWhole(iterated)];
  if (durationSeconds === null || databaseId === null || scannedBuffers === null || iteratedBuffers === null)
    return null;
  const message = {
    durationSeconds,
    databaseId,
    command,
    operation,
    scannedBuffers,
    iteratedBuffers,
    waitMs: readWhole(wait),
    readBy,
  };
  return { list: 'scans', message };
}

function createRecovery(
  [name, id, seconds, analysis, redo, undo]: Values,
  readBy: ReadBy,
): NumberedMessage | null {
  const [databaseId, durationSeconds] = [readWhole(id), readWhole(seconds)];
  if (databaseId === null || durationSeconds === null) return null;
  const phases = { analysisMs: readWhole(analysis), redoMs: readWhole(redo), undoMs: readWhole(undo) };
  return {
    list: 'recoveries',
    message: {
      kind: 'completed',
      databaseName: name ?? null,
      databaseId,
      durationSeconds,
      ...phases,
      readBy,
    },
  };
}

function createRecoveryCheckpoint([databaseName = '', id]: Values, readBy: ReadBy): NumberedMessage | null {
  const databaseId = readWhole(id);
  return databaseId === null
    ? null
    : { list: 'recoveries', message: { kind: 'checkpoint', databaseName, databaseId, readBy } };
}

/** Values of 3619: the id, or the name. A log that is full for another reason than a checkpoint is a notice. */
function createFailure(
  messageId: 3619 | 5901 | 9002,
  [which = '', second]: Values,
  readBy: ReadBy,
): NumberedMessage | null {
  const databaseId = messageId === 3619 ? readWhole(which) : null;
  const databaseName = messageId === 3619 ? (second ?? null) : which;
  if (databaseId === null && (databaseName ?? '') === '') return null;
  if (messageId === 9002 && second !== 'CHECKPOINT')
    return second === undefined
      ? null
      : { list: 'notices', message: { kind: 'full log', databaseName: which, reason: second } };
  return { list: 'failures', message: { messageId, databaseName, databaseId, readBy } };
}

function createSlowIo(
  [occurrences, seconds, file = '', name, id, duration]: Values,
  readBy: ReadBy,
): NumberedMessage | null {
  const count = readWhole(occurrences);
  const thresholdSeconds = readWhole(seconds);
  const databaseId = readWhole(id);
  if (count === null || thresholdSeconds === null || databaseId === null) return null;
  const where = { file, databaseName: name ?? null, databaseId, durationMs: readWhole(duration) };
  return { list: 'slowIos', message: { occurrences: count, thresholdSeconds, ...where, readBy } };
}

function readWhole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
