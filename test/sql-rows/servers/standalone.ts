/** A server of 2019 without availability groups, on which every read has rows, and one with nothing on it. */
import { factsRow, type ModelledDatabase, type ModelledServer } from '../modelled-server';
import { EXPECTED_OF_SESSIONS, SESSION_ROWS } from './event-sessions';
import { EXPECTED_OF_FIGURES, FIGURE_ROWS } from './figures';

const installed = '2003-04-08T09:13:36.390';
const simple = { recoveryModel: 'SIMPLE', updateability: 'READ_WRITE' } as const;

/** The databases that every instance has. */
const systemDatabases: readonly ModelledDatabase[] = [
  {
    ...simple,
    id: 1,
    name: 'master',
    created: installed,
    target: 0,
    files: [
      { type: 0, sizeMb: 4, volume: 'C:\\', writes: 10, writeStallMs: 5 },
      { type: 1, sizeMb: 2, volume: 'C:\\', writes: 20, writeStallMs: 10 },
    ],
  },
  { ...simple, id: 2, name: 'tempdb', created: '2026-02-18T04:00:00.123', target: 60 },
  { id: 3, name: 'model', created: installed, target: 0, updateability: 'READ_WRITE' },
  { ...simple, id: 4, name: 'msdb', created: '2019-09-24T14:21:42.270', target: 60 },
];

const simpleRow = (id: number, name: string, created_local: string, target_seconds: string): string =>
  factsRow(id, name, { created_local, target_seconds, recovery_model: 'SIMPLE' });
const SYSTEM_FACTS = [
  simpleRow(1, 'master', installed, '0'),
  simpleRow(2, 'tempdb', '2026-02-18T04:00:00.123', '60'),
  factsRow(3, 'model', { created_local: installed }),
  simpleRow(4, 'msdb', '2019-09-24T14:21:42.270', '60'),
];

const created = '2019-03-01T10:00:00.123';

export const standalone: ModelledServer = {
  name: 'STANDALONE',
  databases: [
    ...systemDatabases,
    {
      id: 5,
      name: 'Sales',
      created,
      target: 0,
      updateability: 'READ_WRITE',
      logReuse: 'OLDEST_PAGE',
      files: [
        { type: 0, sizeMb: 1_000, volume: 'D:\\', writes: 200, writeStallMs: 4_000 },
        { type: 1, sizeMb: 250, volume: 'L:\\', writes: 1_000, writeStallMs: 900 },
        { type: 0, sizeMb: 24, volume: 'E:\\', writes: 100, writeStallMs: 1_000 },
        { type: 2, sizeMb: 8, volume: 'F:\\', writes: 0, writeStallMs: 0 },
      ],
      log: { vlfs: 134, sizeMb: 250, sinceCheckpointMb: 12.3456 },
    },
    { ...simple, id: 6, name: 'Mail', created, target: 60, accelerated: true },
    {
      id: 7,
      name: 'Sales_snapshot',
      created,
      target: 0,
      updateability: 'READ_ONLY',
      readOnly: true,
      snapshotOf: 5,
    },
  ],
  rows: { ...FIGURE_ROWS, ...SESSION_ROWS },
  expected: {
    ...EXPECTED_OF_FIGURES,
    ...EXPECTED_OF_SESSIONS,
    databaseFacts: [
      ...SYSTEM_FACTS,
      factsRow(5, 'Sales', { created_local: created, log_reuse_wait: 'OLDEST_PAGE' }),
      simpleRow(6, 'Mail', created, '60'),
      factsRow(7, 'Sales_snapshot', {
        created_local: created,
        is_read_only: '1',
        source_database_id: '5',
        updateability: 'READ_ONLY',
      }),
    ],
    acceleratedRecovery: ['6'],
    databaseFiles: ['1|0|1|4.000', '1|1|1|2.000', '5|0|2|1024.000', '5|1|1|250.000'],
    fileVolumes: ['1|0|C:\\|40000', '1|1|C:\\|40000', '5|0|D:\\|40000', '5|0|E:\\|40000', '5|1|L:\\|40000'],
    eventVolume: ['C:\\|40000'],
    databaseLogs: ['5|134|12.346'],
    availabilityRoles: [],
    databaseCopies: [],
    distributedGroups: [],
    fileIo: [
      'STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|1|master|2003-04-08T09:13:36.390|master|NOTHING|1|1|0|10|81920|5|20|10|20|163840|10',
      'STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|2|tempdb|2026-02-18T04:00:00.123|tempdb|NOTHING|~|~|~|~|~|~|~|~|~|~|~',
      'STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|3|model|2003-04-08T09:13:36.390|model|NOTHING|~|~|~|~|~|~|~|~|~|~|~',
      'STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|4|msdb|2019-09-24T14:21:42.270|msdb|NOTHING|~|~|~|~|~|~|~|~|~|~|~',
      'STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|5|Sales|2019-03-01T10:00:00.123|Sales|OLDEST_PAGE|2|1|0|300|2457600|5000|600|10000|1000|8192000|900',
      'STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|6|Mail|2019-03-01T10:00:00.123|Mail|NOTHING|~|~|~|~|~|~|~|~|~|~|~',
      'STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|7|Sales_snapshot|2019-03-01T10:00:00.123|Sales_snapshot|NOTHING|~|~|~|~|~|~|~|~|~|~|~',
    ],
  },
};

/** An instance with nothing on it. */
export const systemOnly: ModelledServer = {
  name: 'EMPTY',
  databases: systemDatabases,
  expected: {
    databaseFacts: SYSTEM_FACTS,
    acceleratedRecovery: [],
    databaseLogs: [],
    databaseFiles: ['1|0|1|4.000', '1|1|1|2.000'],
    adoptableSessions: [],
    eventSession: [
      'EMPTY|2026-02-18T04:00:00.123|370|2026-03-02T08:00:00.1230000|60|0|0|~|~|~|~|~|~|~|~|0|0|0|~|~|~|~|~|~|0|~',
    ],
    ringBuffer: [],
    checkpointEvents: [],
    backups: [],
    centralServers: [],
    utcOffsets: [],
    startupOptions: [],
  },
};
