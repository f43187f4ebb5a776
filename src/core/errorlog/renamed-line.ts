/** Lines of the error log for a reader who must not learn a name: each is written again from what was read of it. */
import { readAdjustment } from './error-log';
import { type NumberedMessage, LATCH_IDS, type NoticeValues, readSentence } from './error-log-message';
import { readCheckpointLines } from './flush-cache-line';
import { isKnownNoise } from './known-noise';
import { createTemplateReader, type MessageTemplate } from './message-template';
import { readTranslated } from './translated-message';

/** What stands in place of a name. The same for the same name. */
interface LineNames {
  database(name: string): string;
  file(path: string): string;
}

/** Every word that a checkpoint logs. */
const CHECKPOINT_WORDS = new Set(
  `flushcache cleaned up bufs with writes in ms avoided new dirty for db average per second sec throughput mb i o saturation context switches last target
  outstanding avgwritelatency ckpt dbid started phase ended complete about to log checkpoint begin end checkpointing and truncating dirtypagemgr
  forcecatchuporflushcache pages`.split(/\s+/),
);
const OPTION = /^[A-Za-z_]{1,60}$/;
/** Values that name nothing; some options take a name. */
const VALUE =
  /^(?:\d{1,10}(?: (?:MINUTES|SECONDS))?|ON|OFF|FULL|SIMPLE|BULK_LOGGED|ONLINE|OFFLINE|EMERGENCY|READ_ONLY|READ_WRITE|SINGLE_USER|RESTRICTED_USER|MULTI_USER|CHECKSUM|TORN_PAGE_DETECTION|NONE)$/i;
const LEFT_OUT = 'left out';
/** A line that every log has. */
const NOISE = 'All rights reserved.';

/**
 * Makes a function that writes a line again without a name. A message that is read here is written in English from its
 * values; anything else says only that it was there: known noise stays noise, and what could not be read stays unread.
 * @param templates the server's own sentences, by which messages in other languages are read
 */
export function createLineRenamer(
  templates: readonly MessageTemplate[],
  names: LineNames,
): (line: string) => string {
  const readTemplate = createTemplateReader(templates);
  return (given) => {
    const line = given.trim();
    if (readCheckpointLines(line) !== null) return hasOnlyWords(line) ? line : LEFT_OUT;
    const offsetMinutes = readAdjustment(line);
    if (offsetMinutes !== null) return writeAdjustment(offsetMinutes);
    const known = readSentence(line) ?? readTemplate(line);
    if (known === null && isKnownNoise(line)) return NOISE;
    const message = known ?? readTranslated(line);
    return message === null ? LEFT_OUT : writeMessage(message, names);
  };
}

/**
 * A word of the server's own, such as the kind of a command: one of a fixed list that differs between versions.
 * Anything else is left out.
 */
export function keepWord(text: string): string {
  return /^[A-Za-z][\w .,:;()/%+-]{0,99}$/.test(text) ? text : LEFT_OUT;
}

function hasOnlyWords(line: string): boolean {
  return (line.match(/\p{L}+/gu) ?? []).every((word) => CHECKPOINT_WORDS.has(word.toLowerCase()));
}

function writeAdjustment(minutes: number): string {
  const size = Math.abs(minutes);
  return `UTC adjustment: ${minutes < 0 ? '-' : ''}${Math.floor(size / 60)}:${String(size % 60).padStart(2, '0')}`;
}

function writeMessage({ kind, values }: NumberedMessage, names: LineNames): string {
  switch (kind) {
    case 'changes': {
      const option = OPTION.test(values.option) ? values.option : 'OTHER';
      const value = VALUE.test(values.value) ? values.value : 'OTHER';
      return `Setting database option ${option} to ${value} for database '${names.database(values.databaseName)}'.`;
    }
    case 'scans': {
      const { durationSeconds, databaseId, command, operation, scannedBuffers, iteratedBuffers, waitMs } =
        values;
      const kinds = `command '${keepWord(command)}', operation '${keepWord(operation)}'`;
      const wait = waitMs === null ? '' : `, wait time ${waitMs} ms`;
      return `Buffer Pool scan took ${durationSeconds} seconds: database ID ${databaseId}, ${kinds}, scanned buffers ${scannedBuffers}, total iterated buffers ${iteratedBuffers}${wait}.`;
    }
    case 'recoveries': {
      const name = names.database(values.databaseName ?? '');
      if (values.kind === 'checkpoint')
        return `Recovery is writing a checkpoint in database '${name}' (${values.databaseId}).`;
      const { databaseId, durationSeconds, analysisMs, redoMs, undoMs } = values;
      const phases =
        analysisMs === null ? '' : ` (analysis ${analysisMs} ms, redo ${redoMs} ms, undo ${undoMs} ms.)`;
      return `Recovery completed for database ${name} (database ID ${databaseId}) in ${durationSeconds} second(s)${phases}.`;
    }
    case 'failures': {
      const name = names.database(values.databaseName ?? '');
      if (values.messageId === 9002)
        return `The transaction log for database '${name}' is full due to 'CHECKPOINT'.`;
      return values.messageId === 5901
        ? `One or more recovery units belonging to database '${name}' failed to generate a checkpoint.`
        : `Could not write a checkpoint record in database ${values.databaseId === null ? name : `ID ${values.databaseId}`} because the log is out of space.`;
    }
    case 'notices':
      return writeNotice(values, names);
    case 'slowIos': {
      const { occurrences, thresholdSeconds, file, databaseName, databaseId, durationMs } = values;
      const where =
        databaseName === null ? `id ${databaseId}` : `[${names.database(databaseName)}] (${databaseId})`;
      const duration = durationMs === null ? '' : ` The duration of the long I/O is: ${durationMs} ms.`;
      return `SQL Server has encountered ${occurrences} occurrence(s) of I/O requests taking longer than ${thresholdSeconds} seconds to complete on file [${names.file(file)}] in database ${where}.${duration}`;
    }
  }
}

function writeNotice(notice: NoticeValues, names: LineNames): string {
  if (notice.kind === 'trace flag')
    return `DBCC TRACE${notice.isOn ? 'ON' : 'OFF'} ${notice.flag}, server process ID (SPID) 0.`;
  if (notice.kind === 'recovery interval')
    return `Configuration option 'recovery interval (min)' changed from ${notice.fromMinutes} to ${notice.toMinutes}. Run the RECONFIGURE statement to install.`;
  if (notice.kind === 'full log')
    return `The transaction log for database '${names.database(notice.databaseName)}' is full due to '${notice.reason}'.`;
  const [words] = Object.entries(LATCH_IDS).find(([, id]) => id === notice.messageId) ?? [];
  const database = notice.databaseId === null ? '' : `, database id: ${notice.databaseId}`;
  const wait = notice.seconds === null ? '' : `, waittime ${notice.seconds} seconds`;
  return `${words} occurred while waiting for latch${database}${wait}.`;
}
