/** Servers whose databases cannot be switched as they are, or are named as nobody expects. */
import type { ModelledDatabase, ModelledServer } from '../modelled-server';

const created = '2018-05-01T00:00:00';
const one = (
  database: Partial<ModelledDatabase>,
  fact: string,
  more: ModelledServer['expected'] = {},
): Pick<ModelledServer, 'databases' | 'expected'> => ({
  databases: [{ id: 5, name: 'Sales', created, target: 0, updateability: 'READ_WRITE', ...database }],
  expected: { databaseFacts: [fact], availabilityRoles: [], ...more },
});
const files = [{ type: 0, sizeMb: 8, volume: 'D:\\', writes: 1, writeStallMs: 1 }] as const;

export const readOnly: ModelledServer = {
  name: 'READONLY',
  ...one({ readOnly: true, updateability: 'READ_ONLY' }, '5|Sales|2018-05-01T00:00:00|0|ONLINE|1|0|~|FULL|NOTHING|150|READ_ONLY|0'),
};

export const standby: ModelledServer = {
  name: 'STANDBY',
  ...one(
    { readOnly: true, standby: true, updateability: 'READ_ONLY' },
    '5|Sales|2018-05-01T00:00:00|0|ONLINE|1|1|~|FULL|NOTHING|150|READ_ONLY|0',
  ),
};

/** Its files are known, its volumes and its log are not. */
export const offline: ModelledServer = {
  name: 'OFFLINE',
  ...one(
    { state: 'OFFLINE', files, log: { vlfs: 4, sizeMb: 8, sinceCheckpointMb: 0 } },
    '5|Sales|2018-05-01T00:00:00|0|OFFLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|0',
    {
      databaseFiles: ['5|0|1|8.000'],
      fileVolumes: [],
      databaseLogs: [],
    },
  ),
};

export const restoring: ModelledServer = {
  name: 'RESTORING',
  ...one({ state: 'RESTORING', target: null, updateability: null }, '5|Sales|2018-05-01T00:00:00|~|RESTORING|0|0|~|FULL|NOTHING|150|~|0', {
    databaseLogs: [],
  }),
};

/** A mount point whose name is the beginning of another folder's name is not where that folder lies. */
export const mountPoints: ModelledServer = {
  name: 'LINUX',
  properties: { PathSeparator: '/', ErrorLogFileName: '/var/opt/mssql/log/errorlog' },
  databases: ['/', '/var', '/var/opt/ms', '/var/opt/mssql/data'].map((volume, at) => ({
    id: 1 + at,
    name: `db${at}`,
    created,
    target: 0,
    updateability: 'READ_WRITE',
    files: [{ ...files[0], volume }],
  })),
  expected: { eventVolume: ['/var|40000|80000'] },
};

const ODD_NAMES = ["it's", 'a]b', '-- comment', 'with space ', '\u00dcber\u4e2d', '*/', '%_[x]', '_Total'];

export const oddNames: ModelledServer = {
  name: "O'DD\\SQL",
  databases: ODD_NAMES.map((name, at) => ({
    id: 5 + at,
    name,
    created,
    target: 0,
    updateability: 'READ_WRITE',
  })),
  expected: {
    databaseFacts: ODD_NAMES.map((name, at) => `${5 + at}|${name}|2018-05-01T00:00:00|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|0`),
    serverClock: ["O'DD\\SQL|2026-03-02T08:00:00.1230000|60"],
  },
};

/** Two databases whose names differ in case alone, and a volume that is written otherwise than the path of the error log. */
export const caseSensitive: ModelledServer = {
  name: 'CASE',
  isCaseSensitive: true,
  databases: [
    { id: 3, name: 'model', created, target: 0, updateability: 'READ_WRITE', files: [{ ...files[0], volume: 'C:\\' }] },
    { id: 5, name: 'Sales', created, target: 0, updateability: 'READ_WRITE' },
    { id: 6, name: 'sales', created, target: 60, updateability: 'READ_ONLY', readOnly: true },
    { id: 7, name: 'MODEL', created, target: 30, updateability: 'READ_WRITE' },
  ],
  expected: {
    databaseFacts: [
      '3|model|2018-05-01T00:00:00|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|0',
      '5|Sales|2018-05-01T00:00:00|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|0',
      '6|sales|2018-05-01T00:00:00|60|ONLINE|1|0|~|FULL|NOTHING|150|READ_ONLY|0',
      '7|MODEL|2018-05-01T00:00:00|30|ONLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|0',
    ],
    eventVolume: ['C:\\|40000|80000'],
    serverFacts: ['CASE|15.0.4322.2|RTM|Enterprise Edition (64-bit)|3|0|0|\\|dba|2026-03-02T08:00:00.1230000|60|~|0|1|~|0|~|~|~|~|~|~'],
  },
};
