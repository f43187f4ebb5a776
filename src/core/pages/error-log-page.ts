/** The error log as a page: what its messages say about checkpoints, and an account of every line that was read. */
import type { ErrorLogReading } from '../errorlog/error-log';
import type { Logged } from '../errorlog/error-log-row';
import { readLogDate } from '../errorlog/log-date';
import { countOf, formatCount, formatDateTime, formatDuration } from '../format';
import { type EvidenceChart, PLAIN_CHART } from './evidence-chart';
import {
  type EvidenceCell,
  type EvidencePage,
  type EvidenceRow,
  type EvidenceTable,
  figureColumn,
  wordColumn,
  writeCell,
  writeFigure,
  writeMoment,
} from './evidence-page';
import { t } from '../language';

interface ErrorLogPageInput {
  /** null: no log could be read, or none has been read yet. */
  readonly reading: ErrorLogReading | null;
  /** Name of the database that has this id now; null if none is known. */
  readonly nameOf: (databaseId: number) => string | null;
  /** The id of the database that has this name now; null if none has. */
  readonly idOf: (name: string) => number | null;
  /** How it was read, and what could not be read; one sentence each. */
  readonly notes: readonly string[];
}

/** Unrecognised texts are cut to this length on a page. */
const LONGEST_TEXT = 300;

/** docs/facts.md, SQL Server 5. Only a try shows whether a login may read the log. */
const REFUSED = {
  title: 'This login may not read the error log',
  text:
    'It takes VIEW SERVER STATE or the server role securityadmin; since SQL Server 2022 VIEW ANY ERROR LOG. The right to run xp_readerrorlog is enough too. ' +
    'Checkpoints, their figures and write work do not need the log; they take VIEW SERVER STATE, since SQL Server 2022 VIEW SERVER PERFORMANCE STATE. What only the log tells, FlushCache messages and changes made by others, is missing there; ' +
    'an ERRORLOG file from the server can be opened on this page, or dropped on it.',
};

export function createErrorLogPage(input: ErrorLogPageInput): EvidencePage {
  const { reading, notes } = input;
  if (reading === null) return { summary: 'The error log was not read.', tables: [], notes, ...(notes.length > 0 && { missing: REFUSED }) };
  const page = new PageParts(input);
  return {
    summary: summarize(reading),
    tables: [
      page.flushCache(reading),
      page.scans(reading),
      page.slowIos(reading),
      page.changes(reading),
      page.recoveries(reading),
      page.dirtyPages(reading),
      page.unrecognised(reading),
    ],
    notes: [...notes, ...describeAccount(reading), ...describeTimes(reading)],
  };
}

function summarize({ groups, scans, slowIos, changes, period }: ErrorLogReading): string {
  const span = period === null ? '' : ` over ${formatDuration(period.lastLocalMs - period.firstLocalMs)}`;
  const databases = new Set(groups.map(({ databaseId }) => databaseId)).size;
  const longestMs = groups.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 0);
  const flush =
    groups.length === 0
      ? `No FlushCache message in what was read: no checkpoint is known to have outlasted the recovery interval, which says nothing about shorter ones.`
      : `${countOf(groups.length, t('{0} FlushCache message'), t('{0} FlushCache messages'))} of ${countOf(databases, t('{0} database'), t('{0} databases'))}${span}; the longest checkpoint took ${formatDuration(longestMs)}.`;
  const rest = [
    count(
      scans.length,
      t('no long scans of the buffer pool'),
      t('{0} long scan of the buffer pool'),
      t('{0} long scans of the buffer pool'),
    ),
    count(
      slowIos.length,
      t('no reports of I/O slower than 15 s'),
      t('{0} report of I/O slower than 15 s'),
      t('{0} reports of I/O slower than 15 s'),
    ),
    count(changes.length, t('no changed options'), t('{0} changed option'), t('{0} changed options')),
  ];
  return `${flush} Beside them ${rest.join(', ')}.`;
}

/** `no changed options`, `1 changed option`, `2 changed options`. */
const count = (number: number, none: string, one: string, more: string): string => (number === 0 ? none : countOf(number, one, more));

function describeAccount({ counts, unrecognised }: ErrorLogReading): readonly string[] {
  const { read, parsed, noise, unrecognised: unknown } = counts.lines;
  const shown =
    unknown > 0 && unrecognised.length < counts.unrecognised ? `, of which the first ${formatCount(unrecognised.length)} are shown` : '';
  return [
    `Lines read: ${formatCount(read)} = ${formatCount(parsed)} about checkpoints + ${formatCount(noise)} known and without meaning here + ${formatCount(unknown)} unrecognised${shown}.`,
    'FlushCache is written only when a checkpoint outlasts the recovery interval, one minute unless changed: no message does not mean short checkpoints.',
  ];
}

/** Says in a sentence which times are not sure; each row says it too. */
function describeTimes(reading: ErrorLogReading): readonly string[] {
  const logged: readonly Logged[] = [...reading.groups, ...reading.scans, ...reading.slowIos, ...reading.changes, ...reading.recoveries];
  const undated = logged.filter(({ atUtcMs }) => atUtcMs === null).length;
  const assumed = logged.filter(({ sureness }) => sureness === 'assumed').length;
  return [
    ...(undated > 0
      ? [
          `Of ${countOf(undated, t('{0} message'), t('{0} messages'))} the time in UTC is not known: the offset of the server's clock then is not, or its time came twice.`,
        ]
      : []),
    ...(assumed > 0
      ? [
          `Of ${countOf(assumed, t('{0} message'), t('{0} messages'))} the time in UTC rests on an offset that was in force at another time.`,
        ]
      : []),
  ];
}

const LOGGED = figureColumn('Logged', 'When it was logged');
const DATABASE = wordColumn('Database', 'Name that the id has now, or its number');

const FLUSH_CHARTS: readonly EvidenceChart[] = [
  {
    ...PLAIN_CHART,
    id: 'durations',
    kind: 'points',
    title: 'Checkpoints that outlasted the recovery interval',
    axis: 'Duration, on a logarithmic scale',
    unit: 'ms',
    scale: 'log',
    labels: [1],
    column: 2,
    across: { column: 0, axis: 'When it was logged', unit: 'moment' },
    line: null,
  },
];

class PageParts {
  constructor(private readonly input: ErrorLogPageInput) {}

  flushCache({ groups }: ErrorLogReading): EvidenceTable {
    const columns = [
      LOGGED,
      DATABASE,
      figureColumn('Duration', 'From begin to end of the checkpoint'),
      figureColumn('Pages', 'Pages of 8 KB that were written'),
      figureColumn('Pages per write', '1 is scattered; up to 32, since SQL Server 2016 up to 128, is gathered'),
      figureColumn('Write latency', 'avgWriteLatency of the message'),
      figureColumn('Throughput', 'MB a second, as printed'),
      wordColumn('Message', 'whole; incomplete where a line is missing; mixture where lines of others stand among its own'),
    ];
    const rows = groups.map((group) =>
      this.row(group, group.databaseId, [
        writeFigure(group.durationMs, formatDuration),
        writeFigure(group.pages, formatCount),
        writeFigure(group.pagesPerWrite, formatRatio),
        writeFigure(group.averageWriteLatencyMs, formatDuration),
        writeFigure(group.megabytesPerSecond, (value) => `${value} MB/s`),
        writeCell(group.state),
      ]),
    );
    return { id: 'flush-cache', heading: 'FlushCache messages', columns, rows, empty: 'None in what was read.', charts: FLUSH_CHARTS };
  }

  scans({ scans }: ErrorLogReading): EvidenceTable {
    const columns = [
      LOGGED,
      DATABASE,
      figureColumn('Duration', 'Of the scan'),
      wordColumn('Command', 'What called for the scan'),
      wordColumn('Operation', 'FlushCache is a checkpoint'),
      figureColumn('Scanned buffers', 'Buffers of this database that were looked at'),
      figureColumn('Total buffers', 'All buffers that were gone through'),
    ];
    const rows = scans.map((scan) =>
      this.row(scan, scan.databaseId, [
        writeFigure(scan.durationSeconds * 1000, formatDuration),
        writeCell(scan.command),
        writeCell(scan.operation),
        writeFigure(scan.scannedBuffers, formatCount),
        writeFigure(scan.iteratedBuffers, formatCount),
      ]),
    );
    return { id: 'scans', heading: 'Long scans of the buffer pool (message 898)', columns, rows, empty: 'None in what was read.' };
  }

  slowIos({ slowIos }: ErrorLogReading): EvidenceTable {
    const columns = [
      LOGGED,
      DATABASE,
      figureColumn('Occurrences', 'As the message says'),
      figureColumn('Longest', 'Newer versions say it'),
      wordColumn('File', 'Path of the file'),
    ];
    const rows = slowIos.map((io) =>
      this.row(
        io,
        io.databaseId,
        [writeFigure(io.occurrences, formatCount), writeFigure(io.durationMs, formatDuration), writeCell(io.file)],
        io.databaseName,
      ),
    );
    return { id: 'slow-io', heading: 'I/O that took longer than 15 seconds (message 833)', columns, rows, empty: 'None in what was read.' };
  }

  changes({ changes }: ErrorLogReading): EvidenceTable {
    const columns = [
      LOGGED,
      DATABASE,
      wordColumn('Option', 'As logged'),
      wordColumn('Value', 'As logged; of target_recovery_time in seconds'),
    ];
    const rows = changes.map((change) =>
      this.row(change, this.input.idOf(change.databaseName), [writeCell(change.option), writeCell(change.value)], change.databaseName),
    );
    return { id: 'option-changes', heading: 'Changed database options (message 5084)', columns, rows, empty: 'None in what was read.' };
  }

  recoveries({ recoveries }: ErrorLogReading): EvidenceTable {
    const columns = [
      LOGGED,
      DATABASE,
      wordColumn('What', 'Recovery completed, or its checkpoint'),
      figureColumn('Duration', 'Of the whole recovery'),
      figureColumn('Redo', 'What target recovery time bounds'),
    ];
    const rows = recoveries.map((recovery) => {
      const isCompleted = recovery.kind === 'completed';
      const cells = [
        writeCell(isCompleted ? 'completed' : 'writing a checkpoint'),
        isCompleted ? writeFigure(recovery.durationSeconds * 1000, formatDuration) : writeCell(''),
        isCompleted ? writeFigure(recovery.redoMs, formatDuration) : writeCell(''),
      ];
      return this.row(recovery, recovery.databaseId, cells, recovery.databaseName);
    });
    return { id: 'recoveries', heading: 'Recoveries', columns, rows, empty: 'None in what was read.' };
  }

  dirtyPages({ dirtyPageFlushes }: ErrorLogReading): EvidenceTable {
    const columns = [
      LOGGED,
      DATABASE,
      figureColumn('Pages', 'Dirty pages that were written'),
      figureColumn('Duration', 'As logged'),
      wordColumn('Message', 'As logged'),
    ];
    const rows = dirtyPageFlushes.map((flush) =>
      this.row(flush, flush.databaseId, [
        writeFigure(flush.pages, formatCount),
        writeFigure(flush.durationMs, formatDuration),
        writeCell(flush.text.slice(0, LONGEST_TEXT)),
      ]),
    );
    return { id: 'dirty-pages', heading: 'Indirect checkpoints that had to catch up', columns, rows, empty: 'None in what was read.' };
  }

  unrecognised({ unrecognised }: ErrorLogReading): EvidenceTable {
    const columns = [
      figureColumn('Line', 'Its number in what was read'),
      LOGGED,
      wordColumn('Process', 'As logged'),
      wordColumn('Text', 'As logged'),
    ];
    const rows = unrecognised.map(({ line, logDateLocal, processInfo, text }) => ({
      databaseId: null,
      cells: [writeFigure(line, formatCount), writeCell(logDateLocal), writeCell(processInfo), writeCell(text.slice(0, LONGEST_TEXT))],
    }));
    return { id: 'unrecognised', heading: 'Lines that were not recognised', columns, rows, empty: 'Every line was recognised.' };
  }

  private row(logged: Logged, databaseId: number | null, cells: readonly EvidenceCell[], databaseName: string | null = null): EvidenceRow {
    const name = databaseName ?? (databaseId === null ? null : this.input.nameOf(databaseId));
    const shown = name ?? (databaseId === null ? 'not known' : `database ${databaseId}`);
    return { databaseId, cells: [this.when(logged), writeCell(shown), ...cells] };
  }

  /** The time as it stands in the log, because the offset may have changed since. */
  private when({ atUtcMs, logDateLocal, sureness }: Logged): EvidenceCell {
    const localMs = readLogDate(logDateLocal);
    const text = localMs === null ? logDateLocal : formatDateTime(localMs, 0);
    if (atUtcMs === null || localMs === null) return { text: `${text} (server time; UTC not known)`, value: null };
    return writeMoment(atUtcMs, localMs, sureness === 'assumed');
  }
}

const formatRatio = (value: number): string => (value < 10 ? value.toFixed(1) : formatCount(value));
