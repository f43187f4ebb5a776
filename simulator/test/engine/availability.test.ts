import assert from 'node:assert/strict';
import { STORED } from '../../engine/catalog/catalog';
import { createLandscape, type Landscape } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import { RELEASES } from '../../scenarios/releases';
import { showRows, DBA, findRow, MINUTE_MS, READER, readRows, type Row } from './modelled';
import { listen } from './reconciled';
import { startTracking, stopTracking } from './tracking';
import { shown } from '../shown';

/** The views that tell of availability groups. */
const VIEWS = STORED.flatMap(({ name }) => (/availability|hadr/.test(name) ? [`sys.${name}`] : []));

describe('availability groups in the model', () => {
  const create = (seed = 1): Landscape => createLandscape({ scenario: 'availability-group', rate: 0, seed });
  const serverOf = (landscape: Landscape, name: string): ModelledServer =>
    landscape.servers.find(({ serverName }) => serverName === name) ?? assert.fail(name);
  const idOf = (server: ModelledServer, database: string): number =>
    server.findDatabase(database)?.id ?? assert.fail(database);
  /** Rows of sys.dm_hadr_database_replica_states about one database in one group, as one server has them. */
  const copiesOf = (server: ModelledServer, database: string, group = 'Sales'): readonly Row[] => {
    const groupId = findRow(server, 'sys.availability_groups', group)['group_id'];
    return readRows(server, 'sys.dm_hadr_database_replica_states').filter(
      (row) => row['database_id'] === idOf(server, database) && row['group_id'] === groupId,
    );
  };
  const targetsOf = (landscape: Landscape, database: string): readonly unknown[] =>
    landscape.servers.map(
      (server) => findRow(server, 'sys.databases', database)['target_recovery_time_in_seconds'],
    );
  const checkpointed = (server: ModelledServer, sinceUtcMs = 0): ReadonlySet<string> =>
    new Set(
      server.ledger.checkpoints
        .filter(({ beginUtcMs }) => beginUtcMs >= sinceUtcMs)
        .map(({ databaseName }) => databaseName),
    );

  it('knows a database on every server by its group_database_id, not by its database_id', () => {
    const { servers } = create();
    const found = servers.map((server) => findRow(server, 'sys.databases', 'Sales_Orders'));
    assert.equal(new Set(found.map((row) => row['group_database_id'])).size, 1);
    assert.ok(new Set(found.map((row) => row['database_id'])).size > 2);
    assert.equal(new Set(found.map((row) => row['replica_id'])).size, servers.length);
    const notJoined = findRow(
      serverOf({ servers } as Landscape, 'SALES-SQL03'),
      'sys.databases',
      'Sales_Import',
    );
    assert.deepEqual([notJoined['state_desc'], notJoined['replica_id']], ['RESTORING', null]);
  });

  it('runs checkpoints where the primary is and nowhere else, and page writes of secondaries follow without any event', () => {
    const landscape = create();
    landscape.servers.forEach((server) => startTracking(server));
    landscape.servers[0].advance(15 * MINUTE_MS);
    landscape.servers.forEach((server) => stopTracking(server));
    const names = (server: ModelledServer): string[] =>
      [...checkpointed(server)].filter((name) => name.startsWith('Sales_'));
    assert.equal(
      shown(names(serverOf(landscape, 'SALES-SQL01')).sort()),
      '["Sales_Audit","Sales_Customers","Sales_Import","Sales_Orders","Sales_Reports","Sales_Stock"]',
    );
    for (const name of ['SALES-SQL02', 'SALES-SQL03', 'SALES-DR01', 'SALES-DR02']) {
      const server = serverOf(landscape, name);
      assert.deepEqual(names(server), [], name);
      assert.equal(
        shown(
          server.ledger.capturedBy('track').filter(({ databaseName }) => databaseName.startsWith('Sales_')),
        ),
        '[]',
        name,
      );
      assert.ok(server.ledger.capturedBy('track').length > 0, 'its own databases have checkpoints');
    }
    const pages = (name: string): number => listen(serverOf(landscape, name)).counter('Checkpoint pages/sec');
    assert.ok(pages('SALES-DR02') > 1_000 && pages('SALES-DR02') <= pages('SALES-SQL01'));
  });

  it('moves log as far as each replica is behind, and queues are what lies between', () => {
    const landscape = create();
    landscape.servers[0].advance(10 * MINUTE_MS);
    const rows = copiesOf(landscape.servers[0], 'Sales_Stock');
    assert.equal(
      showRows(rows, 'is_local', 'synchronization_state_desc'),
      '[[true,"SYNCHRONIZED"],[false,"SYNCHRONIZED"],[false,"SYNCHRONIZING"]]',
    );
    const [primary, near, far] = rows as [Row, Row, Row];
    assert.ok(Number(near['log_send_queue_size']) < Number(far['log_send_queue_size']));
    assert.deepEqual([primary['log_send_queue_size'], primary['redo_queue_size']], [null, null]);
    // 0.9 s until it is there, 2.6 s more until it is redone, at the rate of its work.
    const kb = Number(far['log_send_queue_size']);
    assert.ok(
      kb > 0 && Math.abs(Number(far['redo_queue_size']) / kb - 2.6 / 0.9) < 0.2,
      `${kb} and ${String(far['redo_queue_size'])}`,
    );
    const own = copiesOf(serverOf(landscape, 'SALES-SQL03'), 'Sales_Stock');
    assert.deepEqual(
      own.map((row) => [row['is_local'], row['redo_queue_size'], row['log_send_queue_size']]),
      [[true, far['redo_queue_size'], null]],
      'a secondary knows of itself alone, and not what is still to be sent',
    );
  });

  it('fails over in virtual time: the workload follows the primary, both error logs tell, and the old one becomes a secondary that follows', () => {
    const landscape = create();
    const [old] = landscape.servers;
    const target = serverOf(landscape, 'SALES-SQL02');
    old.advance(5 * MINUTE_MS);
    const inMs = landscape.failover('Sales', 'SALES-SQL02');
    assert.deepEqual(
      [landscape.rolesOf('SALES-SQL01')['Sales'], landscape.findPrimary('Sales')],
      ['RESOLVING', undefined],
    );
    old.advance(inMs);
    assert.equal(landscape.findPrimary('Sales'), target);
    old.advance(10 * MINUTE_MS);
    const since = Date.UTC(2026, 2, 2, 8, 5, 10);
    assert.ok(
      checkpointed(target, since).has('Sales_Orders') && !checkpointed(old, since).has('Sales_Orders'),
    );
    const orders = copiesOf(target, 'Sales_Orders');
    assert.equal(
      showRows(orders, 'is_local', 'synchronization_state_desc'),
      '[[false,"SYNCHRONIZED"],[true,"SYNCHRONIZED"],[false,"SYNCHRONIZING"]]',
    );
    const says = (server: ModelledServer, pattern: RegExp): void =>
      assert.ok(server.errorLog().some(({ text }) => pattern.test(text)));
    says(
      old,
      /database "Sales_Orders" is changing roles from "PRIMARY" to "RESOLVING" because the mirroring session or availability group/,
    );
    says(old, /database "Sales_Orders" is changing roles from "RESOLVING" to "SECONDARY"/);
    says(target, /in availability group 'Sales' has changed from 'PRIMARY_PENDING' to 'PRIMARY_NORMAL'/);
    says(target, /Recovery is writing a checkpoint in database 'Sales_Orders' \(\d+\)/);
    old.advance(landscape.failover('Sales', 'SALES-SQL01') + MINUTE_MS);
    assert.equal(landscape.findPrimary('Sales'), old, 'and back');
  });

  it('has the target recovery time of the primary wherever log follows it, and the old one where data movement is suspended', () => {
    const landscape = create();
    const [first] = landscape.servers;
    for (const database of ['Sales_Orders', 'Sales_Archive']) first.setTargetRecoveryTime(database, 30, DBA);
    first.advance(MINUTE_MS);
    assert.deepEqual(targetsOf(landscape, 'Sales_Orders'), [30, 30, 30, 30, 30]);
    assert.equal(targetsOf(landscape, 'Sales_Archive')[2], 0);
    assert.equal(copiesOf(first, 'Sales_Archive')[2]?.['synchronization_state_desc'], 'NOT SYNCHRONIZING');
    first.advance(landscape.failover('Sales', 'SALES-SQL02') + MINUTE_MS);
    assert.deepEqual(targetsOf(landscape, 'Sales_Orders'), [30, 30, 30, 30, 30]);
  });

  it('is the same to the byte twice, however often it is looked at', () => {
    const story = (looks: boolean): string => {
      const landscape = create(7);
      const [first] = landscape.servers;
      for (let minute = 0; minute < 20; minute++) {
        first.advance(MINUTE_MS);
        if (looks) for (const server of landscape.servers) for (const view of VIEWS) readRows(server, view);
        if (minute === 9) landscape.failover('Sales', 'SALES-SQL02');
      }
      const rows = landscape.servers.map((server) => VIEWS.map((view) => readRows(server, view)));
      const truth = landscape.servers.map(({ ledger }) => [...ledger.checkpoints]);
      const logs = landscape.servers.map((server) => server.errorLog());
      return JSON.stringify([rows, truth, logs], (_key, value: unknown) =>
        typeof value === 'bigint' ? `${value}n` : value,
      );
    };
    assert.equal(story(true), story(false));
  });

  it('has rows in every view of every release, and hides groups from whoever may not see definitions', () => {
    for (const release of RELEASES) {
      const landscape = createLandscape({ scenario: 'availability-group', rate: 0, release });
      landscape.servers[0].advance(MINUTE_MS);
      for (const server of landscape.servers) {
        for (const view of VIEWS)
          assert.ok(readRows(server, view).length > 0, `${view} of ${server.serverName} in ${release}`);
      }
    }
    const [server] = create().servers;
    assert.deepEqual(readRows(server, 'sys.availability_groups', READER), []);
    assert.throws(() => readRows(server, 'sys.dm_hadr_availability_replica_states', READER), { number: 300 });
  });

  it('leaves a server by itself as it was: no groups, HADR off', () => {
    const { servers, groups } = createLandscape({ rate: 0 });
    assert.deepEqual([servers.length, groups.length], [1, 0]);
    assert.equal(readRows(servers[0], 'sys.availability_groups').length, 0);
    assert.deepEqual(servers[0].serverProperty('IsHadrEnabled'), { type: { name: 'int' }, value: 0 });
  });
});
