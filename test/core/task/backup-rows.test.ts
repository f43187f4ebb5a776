import assert from 'node:assert/strict';
import { type BackupsReading, readBackupRows } from '../../../src/core/task/backup-rows';
import { finishSteps } from '../../../src/core/steps';

const columns = ['database_name', 'backup_type', 'begin_local', 'end_local', 'quarter_hours', 'size_bytes', 'is_snapshot', 'made_here'];
type Row = readonly (string | null)[];

const row = (
  name: string,
  type: string,
  begin: string,
  end: string,
  quarters: string | null,
  more: readonly string[] = ['8192', '0', '1'],
): Row => [name, type, `2026-${begin}`, `2026-${end}`, quarters, ...more];
const read = (rows: readonly Row[], mostRows = 100, toUtc?: (localMs: number) => number | null): BackupsReading =>
  finishSteps(readBackupRows({ columns, rows }, mostRows, toUtc));

describe('Backups from msdb', () => {
  it('are in UTC by the offset that msdb kept beside each, oldest first', () => {
    const { databases, leftOut, problems, completeFromUtcMs } = read([
      row('Sales', 'L', '03-30T12:00:00', '03-30T12:00:10', '8'),
      row('Sales', 'D', '03-27T22:00:00', '03-27T22:30:00', '4'),
      row('Sales', 'L', '03-28T01:00:00', '03-28T01:00:10', '4'),
      row('Stock', 'I', '03-30T13:00:00', '03-30T13:00:05', '8'),
    ]);
    assert.deepEqual(databases, [
      {
        databaseName: 'Sales',
        runs: [
          { type: 'full', beginUtcMs: Date.UTC(2026, 2, 27, 21), endUtcMs: Date.UTC(2026, 2, 27, 21, 30), bytes: 8192 },
          { type: 'log', beginUtcMs: Date.UTC(2026, 2, 30, 10), endUtcMs: Date.UTC(2026, 2, 30, 10, 0, 10), bytes: 8192 },
        ],
      },
      {
        databaseName: 'Stock',
        runs: [{ type: 'differential', beginUtcMs: Date.UTC(2026, 2, 30, 11), endUtcMs: Date.UTC(2026, 2, 30, 11, 0, 5), bytes: 8192 }],
      },
    ]);
    // The next one after that of 28 March has another offset: the clocks may have changed while it ran.
    assert.deepEqual(leftOut, { madeElsewhere: 0, snapshots: 0, unknownOffset: 0, clocksChanged: 1, senseless: 0 });
    assert.deepEqual([problems.length, completeFromUtcMs], [0, null]);
  });

  it('do not last an hour longer or shorter because the clocks changed while they ran', () => {
    const forward = [row('A', 'D', '03-29T01:30:00', '03-29T03:10:00', '4'), row('A', 'L', '03-29T04:00:00', '03-29T04:00:01', '8')];
    const back = [row('A', 'D', '10-25T02:50:00', '10-25T02:10:00', '8'), row('A', 'L', '10-25T03:00:00', '10-25T03:00:01', '4')];
    for (const rows of [forward, back]) {
      const { databases, leftOut } = read(rows);
      assert.deepEqual([databases[0]?.runs.map(({ type }) => type), leftOut.clocksChanged], [['log'], 1]);
    }
  });

  it('without an offset have the one that is known otherwise, or are left out and counted', () => {
    const rows = [row('A', 'D', '03-02T10:00:00', '03-02T10:01:00', '127'), row('A', 'D', '03-03T10:00:00', '03-03T10:01:00', null)];
    assert.equal(read(rows).leftOut.unknownOffset, 2);
    const { databases } = read(rows, 100, (localMs) => localMs + 5 * 3_600_000);
    assert.equal(databases[0]?.runs[0]?.beginUtcMs, Date.UTC(2026, 2, 2, 15));
  });

  it('of other servers, of storage and of other kinds are counted, not compared', () => {
    const times = ['03-02T10:00:00', '03-02T10:01:00', '4'] as const;
    const { databases, leftOut } = read([
      row('A', 'D', ...times, ['8192', '0', '0']),
      row('A', 'D', ...times, ['8192', '1', '1']),
      row('A', 'F', ...times, ['8192', '0', '1']),
    ]);
    assert.deepEqual(databases, []);
    assert.deepEqual(leftOut, { madeElsewhere: 1, snapshots: 1, unknownOffset: 0, clocksChanged: 0, senseless: 1 });
  });

  it('are known to be all there only from the oldest end on, where there are as many as were asked for', () => {
    const rows = [row('A', 'L', '03-02T11:00:00', '03-02T11:00:30', '4'), row('A', 'L', '03-02T09:00:00', '03-02T10:30:00', '4')];
    assert.equal(read(rows, 2).completeFromUtcMs, Date.UTC(2026, 2, 2, 9, 30));
  });

  it('that cannot be read are among the problems', () => {
    const { problems, databases } = read([row('A', 'D', '03-02T10:00', '03-02T10:01:00', '4')]);
    assert.deepEqual([problems[0]?.column, databases], ['begin_local', []]);
  });
});
