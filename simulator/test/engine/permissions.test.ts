import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Principal } from '../../engine/interface/instance';
import { SqlError } from '../../tds/handler';
import { DBA, READER, VIEWER, createStill, defineTracking, readFunction, readRows } from './modelled';

function refusal(act: () => unknown): readonly (number | undefined)[] {
  try {
    act();
  } catch (error) {
    if (error instanceof SqlError) return [error.number, (error as { followedBy?: SqlError }).followedBy?.number];
    throw error;
  }
  return [];
}

describe('permissions of the modelled server', () => {
  it('know three logins by name and password', () => {
    const server = createStill();
    for (const name of ['dba', 'viewer', 'reader']) assert.ok(server.isLogin(name) && server.authenticate(name, 'Str0ng!Passw0rd'));
    assert.ok(
      !server.authenticate('dba', 'str0ng!passw0rd') && !server.isLogin('nobody') && !server.authenticate('nobody', 'Str0ng!Passw0rd'),
    );
  });

  it('refuse server state to whoever lacks it with 300 and then 297', () => {
    const server = createStill();
    for (const view of ['sys.dm_xe_sessions', 'sys.dm_os_sys_info', 'sys.dm_os_performance_counters', 'sys.server_event_sessions']) {
      assert.deepEqual(
        refusal(() => readRows(server, view, READER)),
        [300, 297],
        view,
      );
      assert.ok(readRows(server, view, VIEWER).length > 0, view);
    }
    assert.deepEqual(
      refusal(() => readFunction(server, 'sys.fn_xe_file_target_read_file', ['track*.xel', null, null, null], READER)),
      [300, 297],
    );
    assert.deepEqual(
      refusal(() => readFunction(server, 'sys.dm_db_log_stats', [5], READER)),
      [300, 297],
    );
  });

  it('are taken away and given back while a login is in use', () => {
    const server = createStill();
    const read = (): number => readRows(server, 'sys.dm_xe_sessions', VIEWER).length;
    assert.ok(read() > 0);
    server.setGranted('viewer', 'VIEW SERVER STATE', false);
    assert.deepEqual(refusal(read), [300, 297]);
    server.setGranted('viewer', 'VIEW SERVER STATE', true);
    assert.ok(read() > 0);
  });

  it('let everyone list databases, but an offline one only to those who may alter it', () => {
    const server = createStill();
    const count = (principal: Principal): number => readRows(server, 'sys.databases', principal).length;
    assert.deepEqual([count(DBA), count(VIEWER), count(READER)], [404, 403, 403]);
    assert.deepEqual([readRows(server, 'sys.master_files', VIEWER).length, readRows(server, 'sys.master_files', READER).length], [808, 0]);
    assert.deepEqual(
      readRows(server, 'sys.dm_exec_sessions', READER).map((row) => row['session_id']),
      [READER.spid],
    );
  });

  it('refuse changes with the numbers of SQL Server', async () => {
    const server = createStill();
    server.eventSessions.create(defineTracking(), DBA);
    for (const principal of [VIEWER, READER]) {
      assert.deepEqual(
        refusal(() => server.eventSessions.create(defineTracking('other'), principal)),
        [15247, undefined],
      );
      assert.deepEqual(
        refusal(() => server.eventSessions.alter('track', 'server', [{ kind: 'state', state: 'start' }], principal)),
        [15151, undefined],
      );
      assert.deepEqual(
        refusal(() => server.eventSessions.drop('track', 'server', principal)),
        [15151, undefined],
      );
      assert.deepEqual(
        refusal(() => server.setTargetRecoveryTime('a]b', 60, principal)),
        [5011, 5069],
      );
      await assert.rejects(server.checkpoint('master', undefined, principal, new AbortController().signal), { number: 262 });
      await assert.rejects(server.checkpoint('a]b', undefined, principal, new AbortController().signal), { number: 916 });
      assert.deepEqual(
        refusal(() => readRows(server, 'dbo.backupset', principal, 'msdb')),
        [229, undefined],
      );
    }
    assert.equal(server.ledger.settingChanges.length, 0);
  });

  it('open databases to sysadmin, and to others those of guest', () => {
    const server = createStill();
    const rows = readRows(server, 'sys.databases');
    const nameOf = (state: string): string => String(rows.find((row) => row['state_desc'] === state)?.['name']);
    assert.equal(server.openDatabase('A]B', DBA).name, 'a]b');
    assert.equal(server.openDatabase('msdb', READER).id, 4);
    assert.deepEqual(refusal(() => server.openDatabase('a]b', VIEWER))[0], 916);
    assert.deepEqual(refusal(() => server.openDatabase('nowhere', DBA))[0], 911);
    assert.deepEqual(refusal(() => server.openDatabase(nameOf('OFFLINE'), DBA))[0], 942);
    assert.deepEqual(refusal(() => server.openDatabase(nameOf('RESTORING'), DBA))[0], 927);
  });

  it('answer HAS_PERMS_BY_NAME and IS_SRVROLEMEMBER, with null for what 2019 does not know', () => {
    const server = createStill();
    const has = (permission: string, principal: Principal) => server.hasPermission(null, null, permission, principal);
    assert.deepEqual(
      [DBA, VIEWER, READER].map((principal) => has('VIEW SERVER STATE', principal)),
      [1, 1, 0],
    );
    assert.deepEqual(
      [DBA, VIEWER, READER].map((principal) => has('alter any event session', principal)),
      [1, 0, 0],
    );
    for (const later of [
      'VIEW SERVER PERFORMANCE STATE',
      'CREATE ANY EVENT SESSION',
      'ALTER ANY EVENT SESSION ENABLE',
      'VIEW ANY ERROR LOG',
    ]) {
      assert.equal(has(later, DBA), null, later);
    }
    assert.deepEqual(
      [DBA, VIEWER].map((principal) => server.hasPermission('a]b', 'DATABASE', 'ALTER', principal)),
      [1, 0],
    );
    assert.equal(server.hasPermission('no such database', 'DATABASE', 'ALTER', DBA), null);
    assert.deepEqual(
      [DBA, VIEWER].map((principal) => server.isServerRoleMember('sysadmin', principal)),
      [1, 0],
    );
    assert.equal(server.isServerRoleMember('public', READER), 1);
    assert.equal(server.isServerRoleMember('no_such_role', DBA), null);
  });
});
