import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCounterWork, readFileWork, readInstanceWork } from '../../../src/core/write-work/work-readings';
import { readBackupRows } from '../../../src/core/task/backup-rows';
import { finishSteps } from '../../../src/core/steps';
import { BACKUP_COLUMNS } from '../task/backup-columns';
import { valuesOf } from '../values-of';
import { forAll } from '../../for-all';

const moment = {
  server_name: 'PROD',
  now_utc: '2026-03-02T08:00:00.123',
  ticks_ms: '5000',
  started_ticks_ms: '100',
};
const database = {
  database_id: '5',
  database_name: 'Sales',
  created_local: '2020-01-01T00:00:00',
  counter_instance: 'Sales  ',
  log_reuse_wait: 'NOTHING',
};
const kinds = ['writes', 'written_bytes', 'write_stall_ms'];
const figures = [
  ...kinds.map((each) => `data_${each}`),
  'data_reads',
  'data_read_stall_ms',
  ...kinds.map((each) => `log_${each}`),
];
const file = {
  ...moment,
  ...database,
  data_files: '2',
  log_files: '1',
  untyped_files: '0',
  ...Object.fromEntries(figures.map((name, at) => [name, String(at + 1)])),
};

const tableOf = (...rows: Readonly<Record<string, string | null>>[]) => ({
  columns: Object.keys(rows[0] ?? {}),
  rows: rows.map((row) => Object.values(row)),
});

describe('Rows of write work', () => {
  it('are the files of each database, in the order of their figures, at the moment of the server', () => {
    const { value, problems } = finishSteps(readFileWork(tableOf(file)));
    assert.deepEqual(problems, []);
    assert.deepEqual(value?.moment, {
      serverName: 'PROD',
      nowUtcMs: Date.UTC(2026, 2, 2, 8, 0, 0, 123),
      ticksMs: 5000,
      startedTicksMs: 100,
    });
    const [read] = value?.databases ?? [];
    // dataWrites, dataWrittenBytes, dataWriteStallMs, dataReads, dataReadStallMs, logWrites, logWrittenBytes,
    // logWriteStallMs
    assert.deepEqual([...(read?.figures ?? [])], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual([read?.counterInstance, read?.dataFiles], ['Sales', 2]);
  });

  it('have no figure where a file could be either data or log', () => {
    const { value } = finishSteps(readFileWork(tableOf({ ...file, untyped_files: '1' })));
    assert.ok(value?.databases[0]?.figures.every(Number.isNaN));
  });

  it('keep two names apart that differ only in a blank, which the server does too: only the spaces that pad a name go', () => {
    const written = ['Sales', 'Sales\u00a0', 'Sales\t', 'Sales\u3000', '\u2003Sales', 'Sales \u00a0'];
    const counter = { log_flushed_bytes: '1', log_flushes: '1', write_transactions: '1' };
    const { value } = finishSteps(
      readCounterWork(
        tableOf(...written.map((name) => ({ ...moment, counter_instance: `${name}  `, ...counter }))),
      ),
    );
    assert.deepEqual([...(value?.figures.keys() ?? [])], written);
    const files = finishSteps(
      readFileWork(
        tableOf(
          ...written.map((name, at) => ({
            ...file,
            database_id: String(5 + at),
            counter_instance: at % 2 === 0 ? name : null,
            database_name: `${name} `,
          })),
        ),
      ),
    );
    assert.deepEqual(valuesOf(files.value?.databases, 'counterInstance'), written);
  });

  it('of which one cannot be read, or comes twice, are no part that is taken for the whole', () => {
    for (const [second, said] of [
      [{ ...file, database_id: '6', log_writes: '1,5' }, /Row 2, column "log_writes"/],
      [file, /a row twice/],
    ] as const) {
      const { value, problems } = finishSteps(readFileWork(tableOf(file, second)));
      assert.equal(value, null);
      assert.match(problems[0]?.message ?? '', said);
    }
  });

  it('may hold anything, in any number: nothing throws, and no figure is other than a count or not there', () => {
    const cell = fc.oneof(
      fc.constant(null),
      fc.string(),
      fc.integer().map(String),
      fc.constant('9'.repeat(40)),
      fc.constant(moment.now_utc),
    );
    const table = (columns: readonly string[]) =>
      fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 5 });
    const columns = Object.keys(file);
    forAll(fc.tuple(table(columns), table(BACKUP_COLUMNS)), 200, ([rows, backups]) => {
      for (const each of finishSteps(readFileWork({ columns, rows })).value?.databases ?? [])
        assert.ok(each.figures.every((figure) => Number.isNaN(figure) || Number.isSafeInteger(figure)));
      finishSteps(readCounterWork({ columns, rows }));
      readInstanceWork({ columns, rows });
      finishSteps(readBackupRows({ columns: BACKUP_COLUMNS, rows: backups }));
    });
  });
});
