/** Servers whose databases cannot be switched as they are, or are named as nobody expects. */
import { factsRow, type ModelledServer } from '../modelled-server';

const created = '2018-05-01T00:00:00';
const open = { created, target: 0, updateability: 'READ_WRITE' } as const;
const files = [{ type: 0, sizeMb: 8, volume: 'D:\\', writes: 1, writeStallMs: 1 }] as const;
const log = { vlfs: 4, sizeMb: 8, sinceCheckpointMb: 0 };

/** Read-only, standby, offline, whose files are known, but neither its volumes nor its log, and restoring. */
export const unwritable: ModelledServer = {
  name: 'UNWRITABLE',
  databases: [
    { ...open, id: 5, name: 'Read', readOnly: true, updateability: 'READ_ONLY' },
    { ...open, id: 6, name: 'Standby', readOnly: true, standby: true, updateability: 'READ_ONLY' },
    { ...open, id: 7, name: 'Offline', state: 'OFFLINE', files, log },
    { ...open, id: 8, name: 'Restoring', state: 'RESTORING', target: null, updateability: null },
  ],
  expected: {
    databaseFacts: [
      factsRow(5, 'Read', { is_read_only: '1', updateability: 'READ_ONLY' }),
      factsRow(6, 'Standby', { is_read_only: '1', is_in_standby: '1', updateability: 'READ_ONLY' }),
      factsRow(7, 'Offline', { state_name: 'OFFLINE' }),
      factsRow(8, 'Restoring', { target_seconds: '~', state_name: 'RESTORING', updateability: '~' }),
    ],
    availabilityRoles: [],
    databaseFiles: ['7|0|1|8.000'],
    fileVolumes: [],
    databaseLogs: [],
  },
};

/**
 * A mount point whose name is the beginning of another folder's name is not where that folder lies; files of users are
 * not asked.
 */
export const mountPoints: ModelledServer = {
  name: 'LINUX',
  properties: { PathSeparator: '/', ErrorLogFileName: '/var/opt/mssql/log/errorlog' },
  databases: ['/', '/var/opt/ms', '/var/opt/mssql/dat', '/var', '/var/opt/mssql'].map((volume, at) => ({
    ...open,
    id: 1 + at,
    name: `db${at}`,
    files: [{ ...files[0], volume }],
  })),
  expected: { eventVolume: ['/var|40000'] },
};

const ODD_NAMES = ["it's", 'a]b', '-- comment', 'with space ', '\u00dcber\u4e2d', '*/', '%_[x]', '_Total'];

export const oddNames: ModelledServer = {
  name: "O'DD\\SQL",
  databases: ODD_NAMES.map((name, at) => ({ ...open, id: 5 + at, name })),
  expected: {
    databaseFacts: ODD_NAMES.map((name, at) => factsRow(5 + at, name)),
    serverClock: ["O'DD\\SQL|2026-03-02T08:00:00.1230000|60"],
  },
};

/**
 * Two databases whose names differ in case alone, and a volume that is written otherwise than the path of the error
 * log.
 */
export const caseSensitive: ModelledServer = {
  name: 'CASE',
  isCaseSensitive: true,
  databases: [
    { ...open, id: 3, name: 'model', files: [{ ...files[0], volume: 'C:\\' }] },
    { ...open, id: 5, name: 'Sales' },
    { ...open, id: 6, name: 'sales', target: 60, updateability: 'READ_ONLY', readOnly: true },
    { ...open, id: 7, name: 'MODEL', target: 30 },
  ],
  expected: {
    databaseFacts: [
      factsRow(3, 'model'),
      factsRow(5, 'Sales'),
      factsRow(6, 'sales', { target_seconds: '60', is_read_only: '1', updateability: 'READ_ONLY' }),
      factsRow(7, 'MODEL', { target_seconds: '30' }),
    ],
    eventVolume: ['C:\\|40000'],
    serverFacts: [
      'CASE|15.0.4322.2|RTM|Enterprise Edition (64-bit)|3|0|0|\\|dba|2026-03-02T08:00:00.1230000|60|~|0|1|~|0|~|~|~|~|~|~',
    ],
  },
};
