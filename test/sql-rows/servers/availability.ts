/** Servers with availability groups: a primary, a secondary, and a forwarder of a distributed group. */
import type { ModelledDatabase, ModelledServer, Row } from '../modelled-server';

const created = '2021-06-12T20:41:07.393';
const group = (id: string, name: string, isDistributed = 0): Row => ({ group_id: id, name, is_distributed: isDistributed });
const replica = (id: string, groupId: string, name: string): Row => ({ replica_id: id, group_id: groupId, replica_server_name: name });
const state = (id: string, groupId: string, isLocal: 0 | 1, role: string): Row => ({
  replica_id: id,
  group_id: groupId,
  is_local: isLocal,
  role_desc: role,
});
const copy = (replicaId: string, database: string, redo: number | null, send: number | null): Row => ({
  replica_id: replicaId,
  group_database_id: database,
  redo_queue_size: redo,
  log_send_queue_size: send,
});
const orders = (more: Partial<ModelledDatabase>): ModelledDatabase => ({
  id: 5,
  name: 'Orders',
  created,
  target: 0,
  updateability: 'READ_WRITE',
  groupDatabaseId: 'db-orders',
  ...more,
});
const tools: ModelledDatabase = { id: 6, name: 'Tools', created, target: 0, updateability: 'READ_WRITE' };
const groups = [group('ag-sales', 'SalesAG')];
const replicas = [replica('r1', 'ag-sales', 'SQL01'), replica('r2', 'ag-sales', 'SQL02'), replica('r3', 'ag-sales', 'SQL03')];

export const primary: ModelledServer = {
  name: 'SQL01',
  properties: { IsHadrEnabled: '1' },
  databases: [orders({ replicaId: 'r1' }), tools],
  rows: {
    'sys.availability_groups': groups,
    'sys.availability_replicas': replicas,
    'sys.dm_hadr_availability_replica_states': [
      state('r1', 'ag-sales', 1, 'PRIMARY'),
      state('r2', 'ag-sales', 0, 'SECONDARY'),
      state('r3', 'ag-sales', 0, 'SECONDARY'),
    ],
    'sys.dm_hadr_availability_group_states': [{ group_id: 'ag-sales', primary_replica: 'SQL01' }],
    'sys.dm_hadr_database_replica_states': [
      copy('r1', 'db-orders', null, null),
      copy('r2', 'db-orders', 128, 16),
      copy('r3', 'db-orders', 4_096, 0),
    ],
  },
  expected: {
    databaseFacts: [
      '5|Orders|2021-06-12T20:41:07.393|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|1',
      '6|Tools|2021-06-12T20:41:07.393|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|0',
    ],
    availabilityRoles: ['5|PRIMARY|SalesAG|SQL01|,SQL01,SQL02,SQL03'],
    databaseCopies: ['5|db-orders|3|4096|16'],
    distributedGroups: [],
  },
};

/** The groups' names are not visible to this login: it has no VIEW ANY DEFINITION. */
export const secondary: ModelledServer = {
  name: 'SQL02',
  properties: { IsHadrEnabled: '1' },
  databases: [orders({ replicaId: 'r2', updateability: 'READ_ONLY', log: { vlfs: null, sizeMb: null, sinceCheckpointMb: null } }), tools],
  rows: {
    'sys.dm_hadr_availability_replica_states': [state('r2', 'ag-sales', 1, 'SECONDARY')],
    'sys.dm_hadr_availability_group_states': [{ group_id: 'ag-sales', primary_replica: 'SQL01' }],
    'sys.dm_hadr_database_replica_states': [copy('r2', 'db-orders', 128, null)],
  },
  expected: {
    databaseFacts: [
      '5|Orders|2021-06-12T20:41:07.393|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_ONLY|1',
      '6|Tools|2021-06-12T20:41:07.393|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_WRITE|0',
    ],
    availabilityRoles: ['5|SECONDARY|~|SQL01|~'],
    databaseCopies: ['5|db-orders|1|128|~'],
    databaseLogs: ['5|~|~|~'],
    distributedGroups: [],
  },
};

/** PRIMARY of its own group and not writable. The database joins once with each of its two roles (docs/facts.md, SQL Server 2). */
export const forwarder: ModelledServer = {
  name: 'DR01',
  properties: { IsHadrEnabled: '1' },
  databases: [orders({ replicaId: 'r7', updateability: 'READ_ONLY' })],
  rows: {
    'sys.availability_groups': [group('ag-dr', 'SalesDR'), group('ag-all', 'SalesEverywhere', 1)],
    'sys.availability_replicas': [replica('r7', 'ag-dr', 'DR01'), replica('d1', 'ag-all', 'SalesAG'), replica('d2', 'ag-all', 'SalesDR')],
    'sys.dm_hadr_availability_replica_states': [
      state('r7', 'ag-dr', 1, 'PRIMARY'),
      state('r7', 'ag-all', 1, 'SECONDARY'),
      state('d2', 'ag-all', 1, 'SECONDARY'),
    ],
    'sys.dm_hadr_availability_group_states': [
      { group_id: 'ag-dr', primary_replica: 'DR01' },
      { group_id: 'ag-all', primary_replica: 'SalesAG' },
    ],
    'sys.dm_hadr_database_replica_states': [copy('r7', 'db-orders', 0, null)],
  },
  expected: {
    databaseFacts: ['5|Orders|2021-06-12T20:41:07.393|0|ONLINE|0|0|~|FULL|NOTHING|150|READ_ONLY|1'],
    availabilityRoles: ['5|MIXED|SalesDR|DR01|,DR01'],
    databaseCopies: ['5|db-orders|1|0|~'],
    distributedGroups: ['SalesEverywhere|SalesAG|~|0', 'SalesEverywhere|SalesDR|SECONDARY|1'],
  },
};
