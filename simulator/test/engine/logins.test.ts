import assert from 'node:assert/strict';
import type { Principal } from '../../engine/interface/instance';
import { createModelledServer } from '../../engine/landscape';
import type { ModelledServer } from '../../engine/modelled-server';
import { ENTRA_LOGIN, LOGINS } from '../../engine/permissions/permissions-logins';
import { RELEASES, type Release } from '../../scenarios/releases';
import { createStill, DBA, READER, readRows, refusal, refusalNumbers, VIEWER } from './modelled';
import { defineTracking } from './tracking';
import { shown } from '../shown';

const as = (login: string, database = 'master'): Principal => ({ spid: 70, login, database });
const still = (release: Release, databases = 12): ModelledServer =>
  createModelledServer({ release, databases, rate: 0 });

/**
 * Microsoft Learn, "sys.dm_os_performance_counters" and the other views: VIEW SERVER STATE, from 2022 on VIEW SERVER
 * PERFORMANCE STATE.
 */
const STATE_READERS = ['dba', 'viewer', 'operator', 'CONTOSO\\svc-monitor'];
const PERFORMANCE_READERS = [...STATE_READERS, 'performance'];

/** Microsoft Learn, "sys.sp_readerrorlog": VIEW SERVER STATE, from 2022 on VIEW ANY ERROR LOG; securityadmin always. */
const LOG_READERS = {
  2019: ['dba', 'viewer', 'operator', 'security', 'CONTOSO\\svc-monitor'],
  2022: ['dba', 'security', 'errorlog'],
} as const;

const names = LOGINS.map(({ name }) => name);

describe('logins of the modelled server', () => {
  it('each say what they are there to show, and let in by the password that all share', () => {
    const server = still(2019);
    for (const { name, purpose, isWindows = false } of LOGINS) {
      assert.ok(purpose.length > 10, name);
      const letIn = (word: string): boolean =>
        isWindows
          ? server.authenticateWindows(name.toUpperCase(), (known) => known === word)
          : server.authenticate(name.toUpperCase(), word);
      assert.ok(letIn('Str0ng!Passw0rd') && !letIn(''), name);
    }
    assert.deepEqual([server.administrator.name, server.logins.length], ['dba', LOGINS.length]);
  });

  it('are of one kind each: no SQL login is one of Windows, and no Windows login takes a password', () => {
    const server = still(2022);
    assert.equal(server.authenticate('CONTOSO\\svc-monitor', 'Str0ng!Passw0rd'), false);
    assert.ok(!server.authenticateWindows('dba', () => true));
    assert.equal(server.authenticate('svc-monitor@contoso.com', ''), false);
  });

  it('of Microsoft Entra are there since 2022, let in by one access token', () => {
    const token = ENTRA_LOGIN.accessToken ?? '';
    const nameIn = (release: Release, given: string): string | undefined =>
      still(release).findTokenLogin(given)?.name;
    assert.deepEqual(
      [nameIn(2019, token), nameIn(2022, token), nameIn(2022, 'another'), nameIn(2022, '')],
      [undefined, 'svc-monitor@contoso.com', undefined, undefined],
    );
  });

  for (const release of RELEASES)
    it(`read management views of ${release} with the permission of that release, and are told its name otherwise`, () => {
      const server = still(release);
      const [readers, permission] =
        release >= 2022
          ? [PERFORMANCE_READERS, 'VIEW SERVER PERFORMANCE STATE']
          : [STATE_READERS, 'VIEW SERVER STATE'];
      const told = `300 ${permission} permission was denied on object 'server', database 'master'. | 297 The user does not have permission to perform this action.`;
      for (const name of names)
        assert.equal(
          refusal(() => readRows(server, 'sys.dm_os_performance_counters', as(name))),
          readers.includes(name) ? '' : told,
          name,
        );
    });

  for (const [year, readers] of Object.entries(LOG_READERS)) {
    it(`read the error log of ${year} through the procedure that checks, or by EXECUTE on the one that does not`, () => {
      const server = still(Number(year) as Release);
      const refused = (procedure: string, name: string) =>
        refusalNumbers(() => server.requireErrorLog(procedure, as(name)))[0];
      for (const name of names) {
        const isReader = (readers as readonly string[]).includes(name);
        assert.equal(
          refused('sp_readerrorlog', name),
          isReader ? undefined : year === '2022' ? 27219 : 15003,
          name,
        );
        assert.equal(
          refused('xp_readerrorlog', name),
          ['dba', 'logreader'].includes(name) ? undefined : 229,
          name,
        );
        assert.equal(
          refused('sp_enumerrorlogs', name) === undefined,
          ['dba', 'security'].includes(name),
          name,
        );
      }
    });
  }

  it('create sessions with the permission of 2022 for that alone, which cannot start, alter or drop them', () => {
    const creator = as('session-creator');
    const server = still(2022);
    server.eventSessions.create(defineTracking(), creator);
    const start = (by: Principal): void =>
      server.eventSessions.alter('track', 'server', [{ kind: 'state', state: 'start' }], by);
    assert.throws(() => start(creator), { number: 15151 });
    assert.throws(() => server.eventSessions.drop('track', 'server', creator), { number: 15151 });
    start(as('operator'));
    server.eventSessions.drop('track', 'server', as('operator'));
    assert.throws(() => still(2019).eventSessions.create(defineTracking(), creator), { number: 15247 });
  });

  it('own databases without any permission on the server', async () => {
    const server = createModelledServer({ scenario: 'healthy', databases: 12, rate: 0 });
    const mine = server.databaseName(5) ?? '';
    const others = server.databaseName(7) ?? '';
    const owner = as('owner');
    assert.equal(server.openDatabase(mine, owner).id, 5);
    server.setTargetRecoveryTime(mine, 90, owner);
    assert.equal(server.ledger.settingChanges.at(-1)?.login, 'owner');
    assert.deepEqual(
      refusalNumbers(() => server.setTargetRecoveryTime(others, 60, owner)),
      [5011, 5069],
    );
    assert.throws(() => server.openDatabase(others, owner), { number: 916 });
    await assert.rejects(server.checkpoint('master', undefined, owner, new AbortController().signal), {
      number: 262,
    });
    await assert.rejects(server.checkpoint(others, undefined, owner, new AbortController().signal), {
      number: 916,
    });
    assert.equal(
      shown([mine, others].map((name) => server.hasPermission(name, 'DATABASE', 'ALTER', owner))),
      '[1,0]',
    );
  });

  it('see master, tempdb, what they own and where they are, if VIEW ANY DATABASE is denied to them', () => {
    const server = still(2019);
    const seen = (database: string) =>
      readRows(server, 'sys.databases', as('blind', database), database).map((row) => row['database_id']);
    assert.deepEqual(seen('master'), [1, 2, 6]);
    assert.deepEqual(seen('msdb'), [1, 2, 4, 6]);
    const named = [5, 6, 2, 4].map((id) => server.nameDatabase(id, as('blind'))?.id);
    assert.deepEqual(named, [undefined, 6, 2, undefined]);
    assert.equal(server.nameDatabase('msdb', as('reader'))?.id, 4);
    assert.equal(server.hasPermission(null, null, 'VIEW ANY DATABASE', as('blind')), 0);
  });

  it('know the roles of their release', () => {
    const roles = (release: Release) =>
      ['sysadmin', 'securityadmin', 'public', '##MS_ServerStateReader##', 'no such role'].map((role) =>
        still(release).isServerRoleMember(role, as('security')),
      );
    assert.deepEqual(roles(2019), [0, 1, 1, null, null]);
    assert.deepEqual(roles(2022), [0, 1, 1, 0, null]);
  });
});

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
    assert.deepEqual(
      [
        readRows(server, 'sys.master_files', VIEWER).length,
        readRows(server, 'sys.master_files', READER).length,
      ],
      [808, 0],
    );
  });

  it('answer HAS_PERMS_BY_NAME and IS_SRVROLEMEMBER, with null for what 2019 does not know', () => {
    const server = createStill();
    const has = (permission: string): string =>
      shown(
        [DBA, VIEWER, READER].map((principal) => server.hasPermission(null, null, permission, principal)),
      );
    assert.equal(has('VIEW SERVER STATE'), '[1,1,0]');
    assert.equal(has('alter any event session'), '[1,0,0]');
    assert.equal(has('VIEW ANY ERROR LOG'), '[null,null,null]');
    assert.equal(
      shown([DBA, VIEWER].map((principal) => server.hasPermission('a]b', 'DATABASE', 'ALTER', principal))),
      '[1,0]',
    );
    assert.equal(server.hasPermission('no such database', 'DATABASE', 'ALTER', DBA), null);
    assert.equal(
      shown([DBA, VIEWER].map((principal) => server.isServerRoleMember('sysadmin', principal))),
      '[1,0]',
    );
    assert.equal(server.isServerRoleMember('public', READER), 1);
    assert.equal(server.isServerRoleMember('no_such_role', DBA), null);
  });
});
