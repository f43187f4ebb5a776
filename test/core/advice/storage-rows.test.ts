import assert from 'node:assert/strict';
import { FILE_FIGURES } from '../../../src/core/write-work/work-samples';
import type { FileReading } from '../../../src/core/write-work/work-readings';
import {
  type FileSize,
  type FileVolume,
  joinDatabaseFiles,
  listFreeMb,
  readDatabaseLogs,
  readEventVolume,
  readFileVolumes,
} from '../../../src/core/advice/storage-rows';
import { fileOf } from '../write-work/work-readings-of';

const size = (databaseId: number, isLog: boolean, sizeMb: number): FileSize => ({
  databaseId,
  isLog,
  sizeMb,
});
const volume = (
  databaseId: number,
  isLog: boolean,
  name: string,
  freeMb: number | null = 10,
): FileVolume => ({ databaseId, isLog, volume: name, freeMb });

const nothingSeen = Object.fromEntries(FILE_FIGURES.map((figure) => [figure, null]));
const io = (databaseId: number, figures: Readonly<Record<string, number>>): FileReading =>
  fileOf(databaseId, 0, { figures: { ...nothingSeen, ...figures } });

describe('The files of a database', () => {
  it('are put together from sizes, volumes and latencies, each volume once', () => {
    const sizes = [size(5, false, 1_000), size(5, false, 24), size(5, true, 250), size(6, false, 8)];
    const volumes = [
      volume(5, false, 'D:\\'),
      volume(5, false, 'E:\\'),
      volume(5, true, 'D:\\'),
      volume(5, false, 'D:\\'),
    ];
    const writes = [io(5, { dataWrites: 200, dataWriteStallMs: 4_000 })];
    const files = joinDatabaseFiles(sizes, volumes, writes);
    assert.deepEqual(files.get(5), {
      dataMb: 1_024,
      logMb: 250,
      dataVolumes: ['D:\\', 'E:\\'],
      logVolumes: ['D:\\'],
      dataWriteMs: 20,
    });
    assert.deepEqual(files.get(6), {
      dataMb: 8,
      logMb: 0,
      dataVolumes: [],
      logVolumes: [],
      dataWriteMs: null,
    });
  });

  it('have no latency, rather than 0, where data and log cannot be told apart or nothing was written', () => {
    const files = joinDatabaseFiles([size(5, false, 1)], [], [io(5, {})]);
    assert.equal(files.get(5)?.dataWriteMs, null);
  });

  it('lie on volumes whose free space is the least that any row told', () => {
    const free = listFreeMb([
      volume(5, false, 'D:\\', 100),
      volume(6, false, 'D:\\', 90),
      volume(6, true, 'L:\\', null),
    ]);
    assert.deepEqual([...free], [['D:\\', 90]]);
  });
});

describe('Rows about logs and volumes', () => {
  it('leave out the log that a secondary replica does not know', () => {
    const columns = ['database_id', 'vlf_count', 'since_checkpoint_mb'];
    const { values } = readDatabaseLogs({
      columns,
      rows: [
        ['5', '9000', null],
        ['6', null, null],
      ],
    });
    assert.deepEqual(values, [[5, { vlfCount: 9_000, sinceCheckpointMb: null }]]);
  });

  it('leave out volumes without a name, which could not be told apart', () => {
    const columns = ['database_id', 'file_type', 'volume_name', 'free_mb'];
    const { values } = readFileVolumes({
      columns,
      rows: [
        ['5', '0', '', '1'],
        ['5', '1', null, '1'],
        ['5', '1', '/data', '7'],
      ],
    });
    assert.deepEqual(values, [volume(5, true, '/data', 7)]);
  });

  it('give the volume of the error log, or nothing', () => {
    const columns = ['volume_name', 'free_mb'];
    assert.deepEqual(readEventVolume({ columns, rows: [['C:\\', '10']] }).values, [
      { volume: 'C:\\', freeMb: 10 },
    ]);
    assert.deepEqual(readEventVolume({ columns, rows: [] }).values, []);
  });
});
