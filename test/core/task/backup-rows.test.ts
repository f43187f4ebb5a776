import assert from 'node:assert/strict';
import { type BackupRun, type BackupsReading, readBackupRows } from '../../../src/core/task/backup-rows';
import { finishSteps } from '../../../src/core/steps';
import { valuesOf } from '../values-of';
import { BACKUP_COLUMNS } from './backup-columns';

type Row = readonly (string | null)[];

const row = (
  name: string,
  type: string,
  begin: string,
  end: string,
  quarters: string | null,
  more: readonly string[] = ['8192', '0', '1'],
): Row => [name, type, `2026-${begin}`, `2026-${end}`, quarters, ...more];
const read = (rows: readonly Row[]): BackupsReading =>
  finishSteps(readBackupRows({ columns: BACKUP_COLUMNS, rows }));

describe('Backups from msdb', () => {
  it('are in UTC by the offset that msdb kept beside each, oldest first', () => {
    const { databases, problems } = read([
      row('Sales', 'L', '03-30T12:00:00', '03-30T12:00:10', '8'),
      row('Sales', 'D', '03-27T22:00:00', '03-27T22:30:00', '4'),
      row('Sales', 'L', '03-28T01:00:00', '03-28T01:00:10', '4'),
      row('Stock', 'I', '03-30T13:00:00', '03-30T13:00:05', '8'),
    ]);
    const run = (type: BackupRun['type'], begin: string, end: string): BackupRun => ({
      type,
      beginUtcMs: Date.parse(`2026-${begin}Z`),
      endUtcMs: Date.parse(`2026-${end}Z`),
      bytes: 8192,
    });
    assert.deepEqual(valuesOf(databases, 'databaseName', 'runs'), [
      [
        'Sales',
        [run('full', '03-27T21:00:00', '03-27T21:30:00'), run('log', '03-30T10:00:00', '03-30T10:00:10')],
      ],
      ['Stock', [run('differential', '03-30T11:00:00', '03-30T11:00:05')]],
    ]);
    // That of 28 March is missing: the next one has another offset, so the clocks may have changed while it ran.
    assert.equal(problems.length, 0);
  });

  it('do not last an hour longer or shorter because the clocks changed while they ran', () => {
    const forward = [
      row('A', 'D', '03-29T01:30:00', '03-29T03:10:00', '4'),
      row('A', 'L', '03-29T04:00:00', '03-29T04:00:01', '8'),
    ];
    const back = [
      row('A', 'D', '10-25T02:50:00', '10-25T02:10:00', '8'),
      row('A', 'L', '10-25T03:00:00', '10-25T03:00:01', '4'),
    ];
    for (const rows of [forward, back]) {
      assert.deepEqual(valuesOf(read(rows).databases[0]?.runs, 'type'), ['log']);
    }
  });

  it('without a known offset are left out', () => {
    const rows = [
      row('A', 'D', '03-02T10:00:00', '03-02T10:01:00', '127'),
      row('A', 'D', '03-03T10:00:00', '03-03T10:01:00', null),
    ];
    assert.deepEqual(read(rows).databases, []);
  });

  it('of other servers, of storage and of other kinds are left out', () => {
    const times = ['03-02T10:00:00', '03-02T10:01:00', '4'] as const;
    const { databases } = read([
      row('A', 'D', ...times, ['8192', '0', '0']),
      row('A', 'D', ...times, ['8192', '1', '1']),
      row('A', 'F', ...times, ['8192', '0', '1']),
    ]);
    assert.deepEqual(databases, []);
  });

  it('that cannot be read are among the problems', () => {
    const { problems, databases } = read([row('A', 'D', '03-02T10:00', '03-02T10:01:00', '4')]);
    assert.deepEqual([problems[0]?.column, databases], ['begin_local', []]);
  });
});
