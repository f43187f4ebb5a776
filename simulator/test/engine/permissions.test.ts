import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Principal } from '../../engine/interface/instance';
import { DBA, READER, VIEWER, createStill, defineTracking, readRows, refusalNumbers } from './modelled';
import { shown } from '../shown';

describe('permissions of the modelled server', () => {
  it('are taken away and given back while a login is in use', () => {
    const server = createStill();
    const read = (): number => readRows(server, 'sys.dm_xe_sessions', VIEWER).length;
    assert.ok(read() > 0);
    server.setGranted('viewer', 'VIEW SERVER STATE', false);
    assert.deepEqual(refusalNumbers(read), [300, 297]);
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
      assert.equal(shown(refusalNumbers(() => server.eventSessions.create(defineTracking('other'), principal))), '[15247,"undefined"]');
      assert.deepEqual(
        refusalNumbers(() => server.eventSessions.alter('track', 'server', [{ kind: 'state', state: 'start' }], principal)),
        [15151, undefined],
      );
      assert.equal(shown(refusalNumbers(() => server.eventSessions.drop('track', 'server', principal))), '[15151,"undefined"]');
      assert.equal(shown(refusalNumbers(() => server.setTargetRecoveryTime('a]b', 60, principal))), '[5011,5069]');
      await assert.rejects(server.checkpoint('master', undefined, principal, new AbortController().signal), { number: 262 });
      await assert.rejects(server.checkpoint('a]b', undefined, principal, new AbortController().signal), { number: 916 });
      assert.equal(shown(refusalNumbers(() => readRows(server, 'dbo.backupset', principal, 'msdb'))), '[229,"undefined"]');
    }
    assert.equal(server.ledger.settingChanges.length, 0);
  });

  it('answer HAS_PERMS_BY_NAME and IS_SRVROLEMEMBER, with null for what 2019 does not know', () => {
    const server = createStill();
    const has = (permission: string, principal: Principal) => server.hasPermission(null, null, permission, principal);
    assert.equal(shown([DBA, VIEWER, READER].map((principal) => has('VIEW SERVER STATE', principal))), '[1,1,0]');
    assert.equal(shown([DBA, VIEWER, READER].map((principal) => has('alter any event session', principal))), '[1,0,0]');
    for (const later of [
      'VIEW SERVER PERFORMANCE STATE',
      'CREATE ANY EVENT SESSION',
      'ALTER ANY EVENT SESSION ENABLE',
      'VIEW ANY ERROR LOG',
    ]) {
      assert.equal(has(later, DBA), null, later);
    }
    assert.equal(shown([DBA, VIEWER].map((principal) => server.hasPermission('a]b', 'DATABASE', 'ALTER', principal))), '[1,0]');
    assert.equal(server.hasPermission('no such database', 'DATABASE', 'ALTER', DBA), null);
    assert.equal(shown([DBA, VIEWER].map((principal) => server.isServerRoleMember('sysadmin', principal))), '[1,0]');
    assert.equal(server.isServerRoleMember('public', READER), 1);
    assert.equal(server.isServerRoleMember('no_such_role', DBA), null);
  });
});
