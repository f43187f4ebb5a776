import assert from 'node:assert/strict';
import { createServerTime } from '../../../src/core/errorlog/server-clock';
import type { LatencyAnswer } from '../../../src/core/write-work/latency-during';
import type { EvidenceTable } from '../../../src/core/pages/evidence-page';
import { createWriteWorkPage, type WriteWorkPageInput } from '../../../src/core/pages/write-work-page';
import { createBesideTable } from '../../../src/core/pages/task-tables';
import { describeLatency } from '../../../src/core/pages/write-tables';

const NOTHING: WriteWorkPageInput = {
  localMsOf: (utcMs) => utcMs,
  nameOf: () => ({ databaseId: 5, name: 'Sales' }),
  task: null,
  queueBusy: null,
  silent: null,
  instance: null,
  databases: [],
  writelog: null,
  latencies: [],
  loops: [],
  scanCost: null,
  ownScanCost: null,
  unsampled: { instance: 'Not sampled: the instance.', databases: 'Not sampled: the databases.' },
  missingPermission: null,
  notes: [],
};

function tableOf(input: WriteWorkPageInput, id: string): EvidenceTable {
  return createWriteWorkPage(input).tables.find((table) => table.id === id) ?? assert.fail(`no table ${id}`);
}

const NOTHING_RUN = {
  busyShareMargin: 0,
  coverage: { observedMs: 3_600_000 },
  delays: [],
  beside: [],
  longestRun: null,
} as unknown as NonNullable<WriteWorkPageInput['task']>;

function writtenOf(): WriteWorkPageInput['databases'][number] {
  const figures = {
    dataWrittenBytes: 2 ** 30,
    logWrittenBytes: 2 ** 20,
    writeTransactions: 10,
    observedMs: 1_200_000,
    dataWrites: 1,
  };
  const ratios = { pagesPerWrite: 1, dataLatencyMs: 1, logLatencyMs: 1, dataBytesPerLogByte: 1 };
  return {
    databaseId: 5,
    name: 'Sales',
    figures: { ...figures, ...ratios, logWrites: 1 },
  } as WriteWorkPageInput['databases'][number];
}

describe('A page of write work', () => {
  it('says beside the events how busy the task was by its own waits, and where the two disagree', () => {
    const task = {
      ...NOTHING_RUN,
      busyShare: 0.2,
      coverage: { ...NOTHING_RUN.coverage, observedMs: 3_600_000 },
    };
    const say = (share: number): string =>
      createWriteWorkPage({ ...NOTHING, task, queueBusy: { share, observedMs: 3_600_000 } }).summary;
    assert.match(
      say(0.21),
      /busy 20 % of .* Wait statistics \(CHECKPOINT_QUEUE\) show the checkpoint task busy 21 % of /,
    );
    assert.match(say(0.78), /The events show 20 %\. What else keeps it busy is not known\./);
    assert.match(say(0), /Compare both on the I\/O page before you change anything\./);
  });

  it('says in a sentence why there are no figures, and shows no table without them', () => {
    const { summary, tables, notes } = createWriteWorkPage(NOTHING);
    assert.match(
      summary,
      /^Log write wait \(WRITELOG\), during and outside checkpoints: not measured\. No checkpoint has been captured yet\.$/,
    );
    assert.deepEqual([tables, notes], [[], ['Not sampled: the instance.', 'Not sampled: the databases.']]);
  });

  it('names the missing permission in place of its tables where there is nothing to show, and in a note where there is', () => {
    const refused = { ...NOTHING, missingPermission: 'VIEW SERVER STATE' };
    const { missing, tables } = createWriteWorkPage(refused);
    assert.match(missing?.text ?? '', /both need VIEW SERVER STATE\./);
    assert.deepEqual(tables, []);
    assert.equal(createWriteWorkPage(NOTHING).missing, undefined);
    const kept = { ...refused, databases: [writtenOf()] };
    assert.equal(createWriteWorkPage(kept).missing, undefined);
    assert.match(createWriteWorkPage(kept).notes[0] ?? '', /it needs VIEW SERVER STATE/);
  });

  it('says in the heading itself that amounts are those of an hour, because Markdown shows no titles', () => {
    const { columns, rows } = tableOf({ ...NOTHING, databases: [writtenOf()] }, 'databases');
    const shown = Object.fromEntries(columns.map(({ heading }, at) => [heading, rows[0]?.cells[at]?.text]));
    assert.equal(shown['Data written/h'], '3.0 GB');
    assert.equal(shown['Log written/h'], '3.0 MB');
    assert.equal(shown['Transactions/h'], '30');
  });

  it('says of the cost of a scan that it is the tenth percentile, and bounds no scan of a longer checkpoint', () => {
    // 124 checkpoints, of which 105 took longer: it is no upper bound of a scan.
    const value = { costMs: 8_200, checkpoints: 124, databases: 3, chosenBy: 'log bytes' } as const;
    const [row] = tableOf({ ...NOTHING, ownScanCost: { kind: 'observed', value } }, 'scan-cost').rows;
    assert.deepEqual(
      row?.cells.map(({ text }) => text),
      [
        'Seen here, 10th percentile',
        'not observable',
        '8.2 s',
        'One in ten checkpoints took this long or less, scan included. Other scans may have taken longer. ' +
          'Measured: 124 automatic checkpoints of 3 databases, those that wrote the least log.',
      ],
    );
  });

  it('shows when a checkpoint ran beside the task as the clock of the server showed it then', () => {
    const offsets = [
      { fromUtcMs: -Infinity, offsetMinutes: 120 },
      { fromUtcMs: Date.UTC(2026, 9, 25, 1), offsetMinutes: 60 },
    ];
    const beside = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)].map((beginUtcMs, row) => ({
      row,
      database: 0,
      beginUtcMs,
      durationMs: 100 - row,
      overlapMs: 0,
      cause: 'unknown' as const,
    }));
    // The table reads nothing else of it.
    const task = { beside } as unknown as NonNullable<WriteWorkPageInput['task']>;
    assert.deepEqual(
      createBesideTable(task, createServerTime(offsets, 60), NOTHING.nameOf).rows.map(
        ({ cells }) => cells[1]?.text,
      ),
      ['2026-10-25 02:30:00', '2026-10-25 02:30:00'],
    );
  });

  it('sends nobody to sample more often than once a second', () => {
    const use = { samples: 18, during: 0, outside: 18, mixed: 0, unobserved: 0, idle: 0 };
    const coarse = (neededMs: number): LatencyAnswer => ({
      kind: 'resolution too coarse',
      use,
      sampleMs: 60_000,
      neededMs,
    });
    assert.match(
      describeLatency('Sales, data files', coarse(1_200), ''),
      /resolution too coarse\. .* Samples of 1\.2 s or shorter would tell\./,
    );
    assert.match(
      describeLatency('Sales, data files', coarse(4), ''),
      /resolution too coarse\. .* Even one-second samples would be too long/,
    );
  });
});
