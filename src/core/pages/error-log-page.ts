/** The error log as a page: what its messages say about checkpoints, and an account of every line that was read. */
import type { ErrorLogReading } from '../errorlog/error-log';
import type {
  FailedCheckpoint,
  LoggedScan,
  Notice,
  OptionChange,
  Recovery,
  SlowIo,
} from '../errorlog/error-log-message';
import type { Logged } from '../errorlog/error-log-row';
import type { FlushCacheGroup } from '../errorlog/flush-cache-group';
import { readLogDate } from '../errorlog/log-date';
import { formatCount, formatDateTime, formatDuration } from '../format';
import {
  column,
  type EvidenceCell,
  type EvidencePage,
  type EvidenceTable,
  writeCell,
  writeFigure,
  writeMoment,
} from './evidence-page';
import {
  atOf,
  describeAccount,
  describeFlushes,
  describeNotice,
  FAILURE_NAMES,
  describeTimes,
  longestOf,
  markFlushes,
} from './error-log-words';
import { formatRatio } from './write-tables';
import { joinSentences, t } from '../language';
import { addToList } from '../lists';

interface ErrorLogPageInput {
  /** null: no log could be read, or none has been read yet. */
  readonly reading: ErrorLogReading | null;
  /** Name of the database that has this id now; null if none is known. */
  readonly nameOf: (databaseId: number) => string | null;
  /** The id of the database that has this name now; null if none has. */
  readonly idOf: (name: string) => number | null;
  /** How it was read, and what could not be read; one sentence each. */
  readonly notes: readonly string[];
  /**
   * SQL Server allowed this login none of the ways. Otherwise what was not read was too large, or no answer came in
   * time.
   */
  readonly isRefused: boolean;
}

interface NamedInput extends ErrorLogPageInput {
  /** Ids of the databases with FlushCache messages, the one with the longest time first. */
  readonly ranked: readonly (number | null)[];
}

/** Unrecognised texts are cut to this length on a page. */
const LONGEST_TEXT = 300;

const WITHOUT = joinSentences(
  t('Without the log, FlushCache messages and changes made by others are missing.'),
  t('You can open an ERRORLOG file from the server on this page, or drop one on it.'),
);
const UNREAD = { title: t('The error log was not read'), text: WITHOUT };
/** docs/facts.md, SQL Server 5. Only a try shows whether a login may read the log. */
const REFUSED = {
  title: t('This login has no permission to read the error log'),
  text: joinSentences(
    t(
      'It needs VIEW SERVER STATE or the server role securityadmin; since SQL Server 2022, VIEW ANY ERROR LOG.',
    ),
    t('Permission to run xp_readerrorlog is enough too.'),
    t(
      'Checkpoints, their figures and write work do not need the log. They need VIEW SERVER STATE; since SQL Server 2022, VIEW SERVER PERFORMANCE STATE.',
    ),
    WITHOUT,
  ),
};

export function createErrorLogPage(input: ErrorLogPageInput): EvidencePage {
  const { reading, notes, isRefused } = input;
  if (reading === null)
    return {
      summary: t('The error log was not read.'),
      tables: [],
      notes,
      ...(notes.length > 0 && { missing: isRefused ? REFUSED : UNREAD }),
    };
  const byDatabase = listByDatabase(reading.groups);
  const named: NamedInput = { ...input, ranked: byDatabase.map((groups) => groups[0]!.databaseId) };
  const marks = markFlushes(input.idOf, reading, byDatabase);
  const { hours, changed } = marks;
  const against = { hours, changedMs: changed.map(({ atMs }) => atMs) };
  return {
    ...describeFlushes(reading, byDatabase.length, marks),
    tables: [
      createSummaryTable(named, byDatabase),
      createTable(
        named,
        { ...FLUSH_CACHE, chart: { ...FLUSH_CACHE_CHART, across: { ...ACROSS, ...against } } },
        reading.groups,
      ),
      createTable(named, SCANS, reading.scans),
      createTable(named, SLOW_IO, reading.slowIos),
      createTable(named, FAILURES, reading.failures),
      createTable(named, NOTICES, reading.notices.map(addDatabase)),
      createTable(named, CHANGES, reading.changes),
      createTable(named, RECOVERIES, reading.recoveries),
      createTable(named, DIRTY_PAGES, reading.dirtyPageFlushes),
      createUnrecognisedTable(reading),
    ].filter(({ rows }) => rows.length > 0),
    notes: [...notes, ...describeAccount(reading), ...describeTimes(reading)],
  };
}

/** The database of a message, by the id or the name that it has. */
interface OfDatabase {
  readonly databaseId?: number | null;
  readonly databaseName?: string | null;
}

/** One kind of message: its columns after those that all kinds have, and their cells. */
interface MessageKind<Message> extends Pick<EvidenceTable, 'id' | 'heading' | 'columns' | 'chart'> {
  readonly write: (message: Message) => readonly EvidenceCell[];
}

/** Of the databases with the most messages, in their order. */
const SERIES = ['first', 'second', 'third', 'fourth'] as const;

const LOGGED = column.moment('logged', t('Logged'), t('When it was logged'));
const DATABASE = column.word(
  'database',
  t('Database'),
  t('Name of the database that has this id now, or the id'),
);
const WRITE_LATENCY = column.ms('write_latency', t('Write latency'), t('avgWriteLatency of the message'));
const THROUGHPUT = column.megabytesPerSecond('throughput', 'MB/s', t('MB a second, as printed'));

const FLUSH_CACHE: MessageKind<FlushCacheGroup> = {
  id: 'flush-cache',
  heading: t('FlushCache messages'),
  columns: [
    column.ms('duration', t('Duration'), t('From begin to end of the checkpoint')),
    column.count('pages', t('Pages'), t('Pages of 8 KB that were written')),
    column.ratio('pages_per_write', t('Pages per write'), t('1 = random writes; 32 (128 from 2016) = best')),
    WRITE_LATENCY,
    THROUGHPUT,
  ],
  write: (group) => [
    writeFigure(group.durationMs, formatDuration),
    writeFigure(group.pages, formatCount),
    writeFigure(group.pagesPerWrite, formatRatio),
    writeFigure(group.averageWriteLatencyMs, formatDuration),
    writeFigure(group.megabytesPerSecond, formatRatio),
  ],
};

const ACROSS = { column: 0, axis: t('When it was logged') };
const FLUSH_CACHE_CHART = {
  kind: 'points',
  id: 'durations',
  title: t('Checkpoints longer than the recovery interval'),
  axis: t('Duration, on a logarithmic scale'),
  label: 1,
  column: 2,
} as const;

const SCANS: MessageKind<LoggedScan> = {
  id: 'scans',
  heading: t('Buffer pool scans of 10 s or more (898)'),
  columns: [
    column.ms('duration', t('Duration'), t('Of the scan')),
    column.word('command', t('Command'), t('What started the scan')),
    column.word('operation', t('Operation'), t('FlushCache is a checkpoint')),
    column.count('scanned_buffers', t('Scanned buffers'), t('Scanned buffers of this database')),
    column.count('total_buffers', t('Total buffers'), t('All scanned buffers')),
  ],
  write: (scan) => [
    writeFigure(scan.durationSeconds * 1000, formatDuration),
    writeCell(scan.command),
    writeCell(scan.operation),
    writeFigure(scan.scannedBuffers, formatCount),
    writeFigure(scan.iteratedBuffers, formatCount),
  ],
};

const SLOW_IO: MessageKind<SlowIo> = {
  id: 'slow-io',
  heading: t('I/O that took longer than 15 seconds (message 833)'),
  columns: [
    column.count('occurrences', t('Occurrences'), t('As the message says')),
    column.ms('longest', t('Longest'), t('Only newer versions log it')),
    column.word('file', t('File'), t('Path of the file')),
  ],
  write: (io) => [
    writeFigure(io.occurrences, formatCount),
    writeFigure(io.durationMs, formatDuration),
    writeCell(io.file),
  ],
};

const FAILURES: MessageKind<FailedCheckpoint> = {
  id: 'failed-checkpoints',
  heading: t('Checkpoints that failed or came too late (messages 3619, 5901, 9002)'),
  columns: [column.word('what', t('What'), t('What the message says'))],
  write: ({ messageId }) => [writeCell(FAILURE_NAMES[messageId])],
};

const NOTICES: MessageKind<Notice & OfDatabase> = {
  id: 'notices',
  heading: t('Settings of checkpoints, full logs and latches (messages 844 to 847, 9002)'),
  columns: [column.word('what', t('What'), t('What the message says'))],
  write: (notice) => [writeCell(describeNotice(notice))],
};

/** Most are of the whole server. */
const addDatabase = (notice: Notice): Notice & OfDatabase => ({
  databaseName: 'databaseId' in notice && notice.databaseId !== null ? null : '',
  ...notice,
});

const CHANGES: MessageKind<OptionChange> = {
  id: 'option-changes',
  heading: t('Changed database options (message 5084)'),
  columns: [
    column.word('option', t('Option'), t('As logged')),
    column.word('value', t('Value'), t('As logged; target_recovery_time in seconds')),
  ],
  write: ({ option, value }) => [writeCell(option), writeCell(value)],
};

const RECOVERIES: MessageKind<Recovery> = {
  id: 'recoveries',
  heading: t('Recoveries'),
  columns: [
    column.word('what', t('What'), t('Recovery completed, or its checkpoint')),
    column.ms('duration', t('Duration'), t('Of the whole recovery')),
    column.ms('redo', t('Redo'), t('The part that the target recovery time limits')),
  ],
  write: (recovery) =>
    recovery.kind === 'checkpoint'
      ? [writeCell(t('writing a checkpoint')), writeCell(''), writeCell('')]
      : [
          writeCell(t('completed')),
          writeFigure(recovery.durationSeconds * 1000, formatDuration),
          writeFigure(recovery.redoMs, formatDuration),
        ],
};

const DIRTY_PAGES: MessageKind<ErrorLogReading['dirtyPageFlushes'][number]> = {
  id: 'dirty-pages',
  heading: t('Indirect checkpoints that had to catch up'),
  columns: [
    column.count('pages', t('Pages'), t('Dirty pages that were written')),
    column.ms('duration', t('Duration'), t('As logged')),
    column.word('message', t('Message'), t('As logged')),
  ],
  write: (flush) => [
    writeFigure(flush.pages, formatCount),
    writeFigure(flush.durationMs, formatDuration),
    writeCell(flush.text.slice(0, LONGEST_TEXT)),
  ],
};

function createTable<Message extends Logged & OfDatabase>(
  input: NamedInput,
  { columns, write, ...kind }: MessageKind<Message>,
  messages: readonly Message[],
): EvidenceTable {
  const rows = messages.map((message) => {
    const { databaseName = null, databaseId: id = null } = message;
    const databaseId = id ?? (databaseName === null ? null : input.idOf(databaseName));
    const name = databaseName === null ? nameDatabase(input, databaseId) : writeCell(databaseName);
    return { databaseId, cells: [writeWhen(message), name, ...write(message)] };
  });
  return { ...kind, columns: [LOGGED, DATABASE, ...columns], rows };
}

/** A sign of its own for each of the databases with the most, so that they can be told apart in the picture. */
function nameDatabase({ ranked, nameOf }: NamedInput, databaseId: number | null): EvidenceCell {
  if (databaseId === null) return writeCell(t('not known'));
  const rank = ranked.indexOf(databaseId);
  const sign = rank < 0 ? undefined : (SERIES[rank] ?? 'other');
  return { ...writeCell(nameOf(databaseId) ?? t('database {0}', databaseId)), ...(sign && { sign }) };
}

const totalOf = (groups: readonly FlushCacheGroup[]): number =>
  groups.reduce((sum, { durationMs }) => sum + durationMs, 0);

function listByDatabase(groups: readonly FlushCacheGroup[]): readonly (readonly FlushCacheGroup[])[] {
  const lists = new Map<number | null, FlushCacheGroup[]>();
  for (const group of groups) addToList(lists, group.databaseId, group);
  return [...lists.values()].sort((a, b) => totalOf(b) - totalOf(a));
}

/** Of the values that are known. */
function averageOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

const summarize = (name: EvidenceCell, groups: readonly FlushCacheGroup[]): readonly EvidenceCell[] => [
  name,
  writeFigure(groups.length, formatCount),
  writeFigure(totalOf(groups), formatDuration),
  writeFigure(longestOf(groups), formatDuration),
  writeFigure(totalOf(groups) / groups.length, formatDuration),
  writeFigure(averageOf(groups.map(({ pages }) => pages)), formatCount),
  writeFigure(averageOf(groups.map(({ megabytesPerSecond }) => megabytesPerSecond)), formatRatio),
  writeFigure(averageOf(groups.map(({ averageWriteLatencyMs }) => averageWriteLatencyMs)), formatDuration),
  writeWhen(groups.reduce((last, one) => (atOf(one) > atOf(last) ? one : last))),
];

function createSummaryTable(
  input: NamedInput,
  byDatabase: readonly (readonly FlushCacheGroup[])[],
): EvidenceTable {
  const rows = byDatabase.map((groups) => {
    const { databaseId } = groups[0]!;
    return { databaseId, cells: summarize(nameDatabase(input, databaseId), groups) };
  });
  const all = writeCell(t('All {0}', formatCount(rows.length)));
  return {
    id: 'flush-databases',
    heading: t('By database'),
    columns: [
      DATABASE,
      column.count('messages', t('Messages'), t('Its FlushCache messages')),
      column.ms('total', t('Total time'), t('Sum of the durations')),
      column.ms('longest', t('Longest'), t('The longest of its checkpoints in the log')),
      column.ms('average', t('Average'), t('Average duration')),
      column.count('pages', t('Average pages'), t('Pages of 8 KB in one message')),
      THROUGHPUT,
      WRITE_LATENCY,
      column.moment('last', t('Last'), t('When its latest message was logged')),
    ],
    rows: rows.length < 2 ? rows : [...rows, { databaseId: null, cells: summarize(all, byDatabase.flat()) }],
  };
}

/** The time as it stands in the log, because the offset may have changed since. */
function writeWhen({ atUtcMs, logDateLocal }: Logged): EvidenceCell {
  const localMs = readLogDate(logDateLocal);
  if (logDateLocal === '') return { text: t('not known'), value: null };
  const text = localMs === null ? logDateLocal : formatDateTime(localMs, 0);
  if (atUtcMs === null || localMs === null)
    return { text: t('{0} (server time; UTC not known)', text), value: null };
  return writeMoment(atUtcMs, localMs);
}

function createUnrecognisedTable({ unrecognised }: ErrorLogReading): EvidenceTable {
  const columns = [
    column.count('line', t('Line'), t('Its number in what was read')),
    LOGGED,
    column.word('process', t('Process'), t('As logged')),
    column.word('text', t('Text'), t('As logged')),
  ];
  const rows = unrecognised.map(({ line, logDateLocal, processInfo, text }) => ({
    databaseId: null,
    cells: [
      writeFigure(line, formatCount),
      writeCell(logDateLocal),
      writeCell(processInfo),
      writeCell(text.slice(0, LONGEST_TEXT)),
    ],
  }));
  return { id: 'unrecognised', heading: t('Lines that were not recognised'), columns, rows };
}
