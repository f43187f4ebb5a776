/** Messages of one line that belong on the timeline, and those that are known and say nothing here (docs/facts.md, SQL Server 5). */
import type { ErrorLogRow } from './error-log-row';

interface Logged {
  readonly logDateLocal: string;
  readonly processInfo: string;
}

/** Message 5084: somebody changed an option of a database at that moment. */
export interface OptionChange extends Logged {
  /** As logged: `target_recovery_time` in lower case, `RECOVERY` in upper case. */
  readonly option: string;
  /** As logged; of target_recovery_time a number of seconds without its unit. */
  readonly value: string;
  readonly databaseName: string;
  /** `token`: the sentence is translated, and only the option's name, one number and one quoted name were read from it. */
  readonly readBy: 'sentence' | 'token';
}

/** Message 898: a scan of the buffer pool that took longer than a second. */
export interface BufferPoolScan extends Logged {
  readonly durationSeconds: number;
  readonly databaseId: number;
  readonly command: string;
  readonly operation: string;
  readonly scannedBuffers: number;
  readonly iteratedBuffers: number;
  readonly waitMs: number | null;
}

/** Recovery of a database: its end with its phases, or its own checkpoint (message 3454). */
export type Recovery = RecoveryCompleted | RecoveryCheckpoint;

export interface RecoveryCompleted extends Logged {
  readonly kind: 'completed';
  readonly databaseName: string;
  readonly databaseId: number;
  readonly durationSeconds: number;
  readonly analysisMs: number | null;
  readonly redoMs: number | null;
  readonly undoMs: number | null;
}

export interface RecoveryCheckpoint extends Logged {
  readonly kind: 'checkpoint';
  readonly databaseName: string;
  readonly databaseId: number;
}

/** An indirect checkpoint that had to catch up. Other wordings exist: what could not be read is null, the text is always there. */
export interface DirtyPageFlush extends Logged {
  readonly text: string;
  readonly pages: number | null;
  readonly durationMs: number | null;
  readonly databaseId: number | null;
}

const OPTION_CHANGE = /^Setting database option (\S+) to (.+?) for database '(.*)'\.?\s*$/s;
const TARGET_TOKEN = /(?<!\w)target_recovery_time(?!\w)/;
const SCAN =
  /^Buffer Pool scan took (\d+) seconds?: database ID (\d+), command '([^']*)', operation '([^']*)', scanned buffers (\d+), total iterated buffers (\d+)(?:, wait time (\d+) ms)?/i;
const RECOVERY_COMPLETED =
  /^Recovery completed for database (.+) \(database ID (\d+)\) in (\d+) second\(s\)(?: \(analysis (\d+) ms, redo (\d+) ms, undo (\d+) ms)?/s;
const RECOVERY_CHECKPOINT = /^Recovery is writing a checkpoint in database '(.*)' \((\d+)\)\./s;
const DIRTY_PAGE_PREFIX = /^DirtyPageMgr::ForceCatchupOrFlushCache/i;
const DIRTY_PAGES = /cleaned up (\d+) dirty pages in (\d+)\s*ms for db (\d+)/i;

/** Messages 3014 (backup), 17137, 17177, 18264 and 18265 (backup), 18453 to 18456 (logins), and the line that precedes a message of severity. */
const NOISE = [
  /^BACKUP (DATABASE|LOG) successfully processed \d+ pages/,
  /^Starting up database '/,
  /^This instance of SQL Server has been using a process ID of \d+/,
  /^(Database|Log) (was )?backed up\. Database: /,
  /^Login (succeeded|failed) for user '/,
  /^Error: \d+, Severity: \d+, State: \d+\.$/,
];

export function readOptionChange({ logDateLocal, processInfo, text }: ErrorLogRow): OptionChange | null {
  const match = OPTION_CHANGE.exec(text);
  if (!match) return readTranslatedChange({ logDateLocal, processInfo, text });
  const [, option = '', value = '', databaseName = ''] = match;
  return { logDateLocal, processInfo, option, value, databaseName, readBy: 'sentence' };
}

/** The token is the same in every language; the sentence around it may name value and database in any order, but each once. */
function readTranslatedChange({ logDateLocal, processInfo, text }: ErrorLogRow): OptionChange | null {
  const at = text.search(TARGET_TOKEN);
  if (at < 0) return null;
  const [before, after] = [text.slice(0, at), text.slice(at + 'target_recovery_time'.length)];
  const named = after.includes("'") ? after : before;
  const [first, last] = [named.indexOf("'"), named.lastIndexOf("'")];
  const isApart = !/[\p{L}\d]/u.test(named.charAt(first - 1)) && !/[\p{L}\d]/u.test(named.charAt(last + 1));
  const rest = named === after ? after.slice(0, Math.max(first, 0)) + after.slice(last + 1) : after;
  const numbers = rest.match(/\d+/g) ?? [];
  if (last <= first || !isApart || numbers.length !== 1) return null;
  const databaseName = named.slice(first + 1, last);
  return { logDateLocal, processInfo, option: 'target_recovery_time', value: numbers[0], databaseName, readBy: 'token' };
}

export function readBufferPoolScan({ logDateLocal, processInfo, text }: ErrorLogRow): BufferPoolScan | null {
  const match = SCAN.exec(text);
  if (!match) return null;
  const [, seconds, databaseId, command = '', operation = '', scanned, iterated, wait] = match;
  return {
    logDateLocal,
    processInfo,
    durationSeconds: Number(seconds),
    databaseId: Number(databaseId),
    command,
    operation,
    scannedBuffers: Number(scanned),
    iteratedBuffers: Number(iterated),
    waitMs: readNumber(wait),
  };
}

export function readRecovery({ logDateLocal, processInfo, text }: ErrorLogRow): Recovery | null {
  const writing = RECOVERY_CHECKPOINT.exec(text);
  if (writing) return { kind: 'checkpoint', logDateLocal, processInfo, databaseName: writing[1] ?? '', databaseId: Number(writing[2]) };
  const match = RECOVERY_COMPLETED.exec(text);
  if (!match) return null;
  const [, databaseName = '', databaseId, seconds, analysis, redo, undo] = match;
  const phases = { analysisMs: readNumber(analysis), redoMs: readNumber(redo), undoMs: readNumber(undo) };
  const durationSeconds = Number(seconds);
  return { kind: 'completed', logDateLocal, processInfo, databaseName, databaseId: Number(databaseId), durationSeconds, ...phases };
}

export function readDirtyPageFlush({ logDateLocal, processInfo, text }: ErrorLogRow): DirtyPageFlush | null {
  if (!DIRTY_PAGE_PREFIX.test(text)) return null;
  const [, pages, duration, databaseId] = DIRTY_PAGES.exec(text) ?? [];
  return {
    logDateLocal,
    processInfo,
    text,
    pages: readNumber(pages),
    durationMs: readNumber(duration),
    databaseId: readNumber(databaseId),
  };
}

export function isKnownNoise({ text }: ErrorLogRow): boolean {
  return NOISE.some((pattern) => pattern.test(text));
}

function readNumber(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
