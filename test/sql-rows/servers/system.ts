/** The databases that every instance has. */
import type { ModelledDatabase, ModelledServer } from '../modelled-server';

export const systemDatabases: readonly ModelledDatabase[] = [
  {
    id: 1,
    name: 'master',
    created: '2003-04-08T09:13:36.390',
    target: 0,
    recoveryModel: 'SIMPLE',
    updateability: 'READ_WRITE',
    files: [
      { type: 0, sizeMb: 4, volume: 'C:\\', writes: 10, writeStallMs: 5 },
      { type: 1, sizeMb: 2, volume: 'C:\\', writes: 20, writeStallMs: 10 },
    ],
  },
  { id: 2, name: 'tempdb', created: '2026-02-18T04:00:00.123', target: 60, recoveryModel: 'SIMPLE', updateability: 'READ_WRITE' },
  { id: 3, name: 'model', created: '2003-04-08T09:13:36.390', target: 0, updateability: 'READ_WRITE' },
  { id: 4, name: 'msdb', created: '2019-09-24T14:21:42.270', target: 60, recoveryModel: 'SIMPLE', updateability: 'READ_WRITE' },
];

/** An instance with nothing on it. */
export const systemOnly: ModelledServer = {
  name: 'EMPTY',
  databases: systemDatabases,
  expected: {
    databaseFacts: [
      '1|master|2003-04-08T09:13:36.390|0|ONLINE|0|0|~|SIMPLE|NOTHING|150|READ_WRITE|0',
      '2|tempdb|2026-02-18T04:00:00.123|60|ONLINE|0|0|~|SIMPLE|NOTHING|150|READ_WRITE|0',
      '3|model|2003-04-08T09:13:36.390|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|0',
      '4|msdb|2019-09-24T14:21:42.270|60|ONLINE|0|0|~|SIMPLE|NOTHING|150|READ_WRITE|0',
    ],
    acceleratedRecovery: [],
    databaseLogs: [],
    databaseFiles: ['1|0|1|4.000', '1|1|1|2.000'],
    adoptableSessions: [],
    eventSession: ['EMPTY|2026-02-18T04:00:00.123|2026-03-02T08:00:00.1230000|60|0|0|~|~|~|~|~|~|~|~|0|0|~|~|~|~|~|0|~'],
    ringBuffer: [],
    checkpointEvents: [],
    backups: [],
    centralServers: [],
    utcOffsets: [],
    startupOptions: [],
  },
};
