/** Pages of evidence made up for tests of the dashboard; what real ones say is for core to decide. */
import { formatDuration, formatPercent } from '../../src/core/format';
import {
  writeCell,
  writeFigure,
  type EvidenceColumn,
  type EvidencePages,
  type EvidenceRow,
  type EvidenceTable,
} from '../../src/core/pages/evidence-page';
import { fakeDatabases } from './fake-capture';

const nameOf = (heading: string): string => heading.toLowerCase().replace(/\W+/g, '_');
const words = (heading: string): EvidenceColumn => ({ name: nameOf(heading), heading, title: `${heading}, in words`, isNumeric: false });
const figure = (heading: string, title: string): EvidenceColumn => ({ name: nameOf(heading), heading, title, isNumeric: true });

/** Write latency of this many databases; that of every seventh could not be observed. Figures fall with the id. */
export function fakeWriteWork(databases: number, part: Partial<EvidenceTable> = {}): EvidenceTable {
  const rows = fakeDatabases(databases, databases).map(({ databaseId, name }, i): EvidenceRow => {
    const latencyMs = i % 7 === 3 ? null : 2 + 40 / (i + 1);
    return {
      databaseId,
      cells: [
        writeCell(name),
        writeFigure(latencyMs, formatDuration),
        writeFigure(1 + (i % 5) * 3.2, (pages) => pages.toFixed(1)),
        writeFigure(1 / (i + 3), formatPercent),
        writeCell(i % 5 === 0 ? 'scattered: 8 KB at a time' : 'gathered'),
      ],
    };
  });
  return {
    id: 'write-work',
    heading: 'Write work by database',
    columns: [
      words('Database'),
      figure('Write latency', 'Average time of a write to a data file'),
      figure('Pages per write', '1 is scattered, 128 is the most'),
      figure('Share of writes', 'Of all bytes written to data files'),
      words('What it looks like'),
    ],
    rows,
    empty: 'No sample was taken yet. Rates need two.',
    ...part,
  };
}

/** The four measures of one database around its change. */
const COMPARISON: EvidenceTable = {
  id: 'comparison',
  heading: 'dbA, target 0 s → 60 s on 2026-11-14 02:00',
  columns: [
    words('Measure'),
    figure('After / before', 'Ratio of the medians of matched blocks'),
    words('95 % interval'),
    words('Conclusion'),
  ],
  rows: [
    {
      databaseId: 5,
      cells: [writeCell('Data written per log byte'), writeFigure(1.34, (r) => `${r} ×`), writeCell('1.21 to 1.49'), writeCell('rose')],
    },
    {
      databaseId: 5,
      cells: [
        writeCell('Data-file write latency'),
        writeFigure(0.98, (r) => `${r} ×`),
        writeCell('0.93 to 1.04'),
        writeCell('no difference larger than 10 % seen'),
      ],
    },
    {
      databaseId: 5,
      cells: [
        writeCell('Checkpoint duration, p95 (different mechanism)'),
        writeFigure(0.2, (r) => `${r} ×`),
        writeCell('0.16 to 0.25'),
        writeCell('fell, because the pages are written outside the checkpoint'),
      ],
    },
    {
      databaseId: null,
      cells: [
        writeCell('WRITELOG, average wait'),
        writeFigure(null, String),
        writeCell(''),
        writeCell('cannot tell: dbB changed in the same window'),
      ],
    },
  ],
  empty: '',
};

const LOG_LINES = [
  [
    '2026-11-21 13:31:04.79',
    'dbA',
    65_544,
    'FlushCache: cleaned up 394031 bufs with 282252 writes in 65544 ms (avoided 21 new dirty bufs) for db 5:0',
  ],
  [
    '2026-11-21 13:12:40.01',
    'dbB',
    61_020,
    'FlushCache: cleaned up 36565 bufs with 2714 writes in 61020 ms (avoided 0 new dirty bufs) for db 6:0',
  ],
  ['2026-11-21 13:05:11.20', 'master', null, "Recovery is writing a checkpoint in database 'dbA' (5)."],
] as const;

const ERROR_LOG: EvidenceTable = {
  id: 'flush-cache',
  heading: 'FlushCache groups',
  columns: [words('Time'), words('Database'), figure('Duration', 'As the server measured it'), words('Line')],
  rows: LOG_LINES.map(([time, name, durationMs, line]) => ({
    databaseId: name === 'dbA' ? 5 : name === 'dbB' ? 6 : null,
    cells: [
      { text: time, value: Date.parse(`${time.replace(' ', 'T')}Z`) },
      writeCell(name),
      writeFigure(durationMs, formatDuration),
      writeCell(line),
    ],
  })),
  empty: 'No FlushCache group is in the error log.',
};

/** All pages of a server whose login may see nearly everything. */
export function fakeEvidence(writeWork: EvidenceTable = fakeWriteWork(45)): EvidencePages {
  return {
    beforeAfter: {
      summary: 'Of one change, total write work rose by 34 % (95 % interval 21 to 49 %); latency did not change by more than 10 %.',
      tables: [COMPARISON],
      notes: [
        'Blocks of 15 minutes, matched on hour and weekday: 212 before, 198 after, on 7 and 6 days.',
        'VLF maintenance cannot be seen.',
      ],
    },
    writeWork: {
      summary: 'Writes to data files took 8.1 ms on average; five databases wrote 71 % of the bytes, most of it scattered.',
      tables: [
        writeWork,
        { ...fakeWriteWork(0), id: 'backups', heading: 'Backups', empty: 'Not observable: this login may not read msdb.dbo.backupset.' },
      ],
      notes: [
        'Sampled every 60 s; two gaps of 4 min in all are left out.',
        'Scan cost from memory is an estimate, from published figures.',
      ],
    },
    errorLog: {
      summary: '2 checkpoints outlasted the recovery interval; 1 recovery was completed.',
      tables: [ERROR_LOG],
      notes: ['Read with sys.sp_readerrorlog: 10,412 lines, of them 9 parsed, 10,398 known noise, 5 unrecognised.'],
    },
  };
}
