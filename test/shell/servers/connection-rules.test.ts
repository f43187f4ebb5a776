import assert from 'node:assert/strict';
import {
  explainForbidden,
  explainForbiddenHost,
  guardAccess,
  readRules,
  type ConnectionRules,
} from '../../../src/shell/servers/connection-rules';
import { nothingForbidden, savedServer } from '../fake-editor';

const hosts = (...allowedHosts: string[]): ConnectionRules => readRules({ ...nothingForbidden, allowedHosts });
const isAllowed = (address: string, ...entries: string[]): boolean => explainForbiddenHost(address, hosts(...entries)) === null;

describe('what an administrator forbids', () => {
  it('is nothing where no setting says so', () => {
    const server = { ...savedServer, authentication: 'windows', user: 'C\\ann', trustServerCertificate: true } as const;
    assert.equal(explainForbidden(server, nothingForbidden), null);
  });

  for (const [setting, server] of [
    ['allowTrustServerCertificate', { ...savedServer, trustServerCertificate: true }],
    ['allowNtlm', { ...savedServer, authentication: 'windows', user: 'C\\ann' }],
  ] as const)
    it(`is told in one sentence that names the setting: ${setting}`, () => {
      const sentence = explainForbidden(server, { ...nothingForbidden, [setting]: false });
      assert.match(
        String(sentence),
        new RegExp(`^The setting checkpointHealth\\.connections\\.${setting} does not allow [^.]*\\. Ask .*\\.$`),
      );
      assert.equal(explainForbidden(savedServer, { ...nothingForbidden, [setting]: false }), null);
    });

  it('is no trust where the certificate is checked anyway', () => {
    const strict = { ...savedServer, encrypt: 'strict', trustServerCertificate: true } as const;
    assert.equal(explainForbidden(strict, { ...nothingForbidden, allowTrustServerCertificate: false }), null);
  });

  it('is every host but those of the list, also where ports and instances are written', () => {
    for (const address of ['sql01.corp.example', 'SQL01.Corp.Example,1433', 'tcp:sql01.corp.example\\PROD'])
      assert.ok(isAllowed(address, 'sql01.corp.example'));
    for (const address of ['sql02.corp.example', 'sql01.corp.example.evil.example', 'xsql01.corp.example', 'sql01xcorp.example', ''])
      assert.equal(isAllowed(address, 'SQL01.corp.example'), false, address);
    assert.match(
      String(explainForbidden({ ...savedServer, server: 'tcp:Evil.example,1433' }, hosts('sql01'))),
      /^The setting checkpointHealth\.connections\.allowedHosts does not allow a connection to evil\.example\./,
    );
  });

  it('lets a star stand for names in front, for numbers in an address, and else for a part of a name', () => {
    for (const address of ['a.corp.example', 'a.b.corp.example,1433']) assert.ok(isAllowed(address, '*.corp.example'), address);
    for (const address of ['corp.example', 'acorp.example', 'a.corp.example.evil.example'])
      assert.equal(isAllowed(address, '*.corp.example'), false, address);
    for (const address of ['10.1.2.3', '10.1.2.3,1433']) assert.ok(isAllowed(address, '10.1.*'), address);
    for (const address of ['10.10.2.3', '10.1.evil.example', '110.1.2.3']) assert.equal(isAllowed(address, '10.1.*'), false, address);
    assert.ok(isAllowed('sql07.corp.example', 'sql*.corp.example'));
    assert.equal(isAllowed('sql.evil.example', 'sql*'), false);
    assert.ok(isAllowed('anything', 'other', '*'));
  });

  it('forbids where a setting holds something else than it should', () => {
    const odd = readRules({ allowTrustServerCertificate: 'yes', allowStoredPasswords: 0, allowNtlm: null, allowedHosts: [5, ''] });
    assert.deepEqual([odd.allowTrustServerCertificate, odd.allowStoredPasswords, odd.allowNtlm], [false, false, false]);
    assert.notEqual(explainForbiddenHost('sql01', odd), null);
    assert.equal(explainForbiddenHost('sql01', readRules({ ...nothingForbidden, allowedHosts: 'sql01' })), null);
    assert.notEqual(explainForbiddenHost('sql02', readRules({ ...nothingForbidden, allowedHosts: 'sql01' })), null);
  });

  it('is asked before each connection, whatever it was before', async () => {
    let reason: string | null = null;
    let opened = 0;
    const connection = {} as never;
    const access = guardAccess({ id: '1', label: 'P', open: async () => (opened++, connection) } as never, () => reason);
    const open = access.open as () => Promise<unknown>;
    assert.equal(await open(), connection);
    reason = 'It is forbidden.';
    await assert.rejects(open(), { name: 'ConnectionError', reason: 'permissionDenied', message: 'It is forbidden.' });
    assert.deepEqual([opened, access.id, access.label], [1, '1', 'P']);
  });
});
