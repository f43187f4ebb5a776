/** Servers with availability groups: a primary, a secondary, and a forwarder of a distributed group. */
import { factsRow, type ModelledDatabase, type ModelledServer } from '../modelled-server';

const created = '2021-06-12T20:41:07.393';
const orders = (more: Partial<ModelledDatabase>): ModelledDatabase => ({
  id: 5,
  name: 'Orders',
  created,
  target: 0,
  updateability: 'READ_WRITE',
  groupDatabaseId: 'db-orders',
  ...more,
});
const tools: ModelledDatabase = {
  id: 6,
  name: 'Tools',
  created,
  target: 0,
  updateability: 'READ_WRITE',
  distributor: true,
};
export const primary: ModelledServer = {
  name: 'SQL01',
  properties: { IsHadrEnabled: '1' },
  databases: [orders({ replicaId: 'r1' }), tools],
  rows: {
    'sys.availability_groups': [['ag-sales', 'SalesAG', false]],
    'sys.availability_replicas': ['r1', 'r2', 'r3'].map((id, at) => [id, 'ag-sales', `SQL0${at + 1}`]),
    'sys.dm_hadr_availability_replica_states': [
      ['r1', 'ag-sales', true, 'PRIMARY'],
      ['r2', 'ag-sales', false, 'SECONDARY'],
      ['r3', 'ag-sales', false, 'SECONDARY'],
    ],
    'sys.dm_hadr_availability_group_states': [['ag-sales', 'SQL01']],
    'sys.dm_hadr_database_replica_states': [
      ['r1', 'db-orders', null, null],
      ['r2', 'db-orders', 128, 16],
      ['r3', 'db-orders', 4_096, 0],
    ],
  },
  expected: {
    databaseFacts: [
      factsRow(5, 'Orders', { created_local: '2021-06-12T20:41:07.393', in_availability_group: '1' }),
      factsRow(6, 'Tools', { created_local: '2021-06-12T20:41:07.393', is_distributor: '1' }),
    ],
    availabilityRoles: ['5|PRIMARY|SalesAG|SQL01|,SQL01,SQL02,SQL03'],
    databaseCopies: ['5|db-orders|4096'],
    distributedGroups: [],
  },
};

/** The groups' names are not visible to this login: it has no VIEW ANY DEFINITION. */
export const secondary: ModelledServer = {
  name: 'SQL02',
  properties: { IsHadrEnabled: '1' },
  databases: [
    orders({
      replicaId: 'r2',
      updateability: 'READ_ONLY',
      log: { vlfs: null, sizeMb: null, sinceCheckpointMb: null },
    }),
    tools,
  ],
  rows: {
    'sys.dm_hadr_availability_replica_states': [['r2', 'ag-sales', true, 'SECONDARY']],
    'sys.dm_hadr_availability_group_states': [['ag-sales', 'SQL01']],
    'sys.dm_hadr_database_replica_states': [['r2', 'db-orders', 128, null]],
  },
  expected: {
    availabilityRoles: ['5|SECONDARY|~|SQL01|~'],
    databaseCopies: ['5|db-orders|128'],
    databaseLogs: ['5|~|~'],
    distributedGroups: [],
  },
};

/**
 * PRIMARY of its own group and not writable. The database joins once with each of its two roles (docs/facts.md, SQL
 * Server 2).
 */
export const forwarder: ModelledServer = {
  name: 'DR01',
  properties: { IsHadrEnabled: '1' },
  databases: [orders({ replicaId: 'r7', updateability: 'READ_ONLY' })],
  rows: {
    'sys.availability_groups': [
      ['ag-dr', 'SalesDR', false],
      ['ag-all', 'SalesEverywhere', true],
    ],
    'sys.availability_replicas': [
      ['r7', 'ag-dr', 'DR01'],
      ['d1', 'ag-all', 'SalesAG'],
      ['d2', 'ag-all', 'SalesDR'],
    ],
    'sys.dm_hadr_availability_replica_states': [
      ['r7', 'ag-dr', true, 'PRIMARY'],
      ['r7', 'ag-all', true, 'SECONDARY'],
      ['d2', 'ag-all', true, 'SECONDARY'],
    ],
    'sys.dm_hadr_availability_group_states': [
      ['ag-dr', 'DR01'],
      ['ag-all', 'SalesAG'],
    ],
    'sys.dm_hadr_database_replica_states': [['r7', 'db-orders', 0, null]],
  },
  expected: {
    availabilityRoles: ['5|MIXED|SalesDR|DR01|,DR01'],
    databaseCopies: ['5|db-orders|0'],
    distributedGroups: ['SalesAG|~|0', 'SalesDR|SECONDARY|1'],
  },
};
