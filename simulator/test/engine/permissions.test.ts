import assert from 'node:assert/strict';
import type { Principal } from '../../engine/interface/instance';
import { showRows, createStill, DBA, READER, readRows, refusalNumbers, VIEWER } from './modelled';
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
    assert.equal(showRows(readRows(server, 'sys.dm_exec_sessions', READER), 'session_id'), shown([[READER.spid]]));
  });

  it('answer HAS_PERMS_BY_NAME and IS_SRVROLEMEMBER, with null for what 2019 does not know', () => {
    const server = createStill();
    const has = (permission: string): string =>
      shown([DBA, VIEWER, READER].map((principal) => server.hasPermission(null, null, permission, principal)));
    assert.equal(has('VIEW SERVER STATE'), '[1,1,0]');
    assert.equal(has('alter any event session'), '[1,0,0]');
    assert.equal(has('VIEW ANY ERROR LOG'), '[null,null,null]');
    assert.equal(shown([DBA, VIEWER].map((principal) => server.hasPermission('a]b', 'DATABASE', 'ALTER', principal))), '[1,0]');
    assert.equal(server.hasPermission('no such database', 'DATABASE', 'ALTER', DBA), null);
    assert.equal(shown([DBA, VIEWER].map((principal) => server.isServerRoleMember('sysadmin', principal))), '[1,0]');
    assert.equal(server.isServerRoleMember('public', READER), 1);
    assert.equal(server.isServerRoleMember('no_such_role', DBA), null);
  });
});
