import assert from 'node:assert/strict';
import {
  explainForbidden,
  explainForbiddenHost,
  guardAccess,
  readRules,
  type ConnectionRules,
} from '../../src/gate/connection-rules';
import { nothingForbidden, savedServer } from '../shell/fake-editor';

const hosts = (...allowedHosts: string[]): ConnectionRules =>
  readRules({ ...nothingForbidden, allowedHosts });

describe('what an administrator forbids', () => {
  it('is nothing where no setting says so', () => {
    const server = {
      ...savedServer,
      authentication: 'windows',
      user: 'C\\ann',
      trustServerCertificate: true,
    } as const;
    assert.equal(explainForbidden(server, nothingForbidden), null);
  });

  for (const [setting, server] of [
    ['allowTrustServerCertificate', { ...savedServer, trustServerCertificate: true }],
    ['allowNtlm', { ...savedServer, authentication: 'windows', user: 'C\\ann' }],
    ['allowIntegrated', { ...savedServer, authentication: 'integrated', user: '' }],
  ] as const)
    it(`is told in one sentence that names the setting: ${setting}`, () => {
      const sentence = explainForbidden(server, { ...nothingForbidden, [setting]: false });
      assert.match(
        String(sentence),
        new RegExp(
          `^The setting checkpointHealth\\.connections\\.${setting} does not allow [^.]*\\. Ask .*\\.$`,
        ),
      );
      assert.equal(explainForbidden(savedServer, { ...nothingForbidden, [setting]: false }), null);
    });

  it('is a login as yourself in Azure Data Studio, whatever the settings say: its own connections log in so', () => {
    const rules = readRules(nothingForbidden, true);
    const sentence = explainForbidden({ ...savedServer, authentication: 'integrated', user: '' }, rules);
    assert.match(
      String(sentence),
      /^In Azure Data Studio, log in as yourself by one of its own connections\.$/,
    );
    assert.equal(explainForbidden(savedServer, rules), null);
  });

  it('is no trust where the certificate is checked anyway', () => {
    const strict = { ...savedServer, encrypt: 'strict', trustServerCertificate: true } as const;
    assert.equal(explainForbidden(strict, { ...nothingForbidden, allowTrustServerCertificate: false }), null);
  });

  it('names the host that is not in the list', () => {
    assert.match(
      String(explainForbidden({ ...savedServer, server: 'tcp:Evil.example,1433' }, hosts('sql01'))),
      /^The setting checkpointHealth\.connections\.allowedHosts does not allow a connection to evil\.example\./,
    );
  });

  for (const [entry, allowed, forbidden] of [
    [
      'SQL01.corp.example',
      ['sql01.corp.example', 'SQL01.Corp.Example,1433', 'tcp:sql01.corp.example\\PROD'],
      [
        'sql02.corp.example',
        'sql01.corp.example.evil.example',
        'xsql01.corp.example',
        'sql01xcorp.example',
        '',
      ],
    ],
    [
      '*.corp.example',
      ['a.corp.example', 'a.b.corp.example,1433'],
      ['corp.example', 'acorp.example', 'a.corp.example.evil.example'],
    ],
    ['10.1.*', ['10.1.2.3', '10.1.2.3,1433'], ['10.10.2.3', '10.1.evil.example', '110.1.2.3']],
    ['sql*.corp.example', ['sql07.corp.example'], ['sql07.corp.evil.example']],
    ['sql*', ['sql07'], ['sql.evil.example']],
    ['*', ['anything'], []],
  ] as const)
    it(`allows of all hosts only those of the list, also where ports and instances are written: ${entry}`, () => {
      for (const address of allowed)
        assert.equal(explainForbiddenHost(address, hosts('other', entry)), null, address);
      for (const address of forbidden)
        assert.notEqual(explainForbiddenHost(address, hosts('other', entry)), null, address);
    });

  it('forbids where a setting holds something else than it should', () => {
    const odd = readRules({
      allowTrustServerCertificate: 'yes',
      allowStoredPasswords: 0,
      allowNtlm: null,
      allowIntegrated: 'true',
      allowedHosts: [5, ''],
    });
    assert.deepEqual(
      [odd.allowTrustServerCertificate, odd.allowStoredPasswords, odd.allowNtlm, odd.allowIntegrated],
      [false, false, false, false],
    );
    assert.notEqual(explainForbiddenHost('sql01', odd), null);
    assert.equal(
      explainForbiddenHost('sql01', readRules({ ...nothingForbidden, allowedHosts: 'sql01' })),
      null,
    );
    assert.notEqual(
      explainForbiddenHost('sql02', readRules({ ...nothingForbidden, allowedHosts: 'sql01' })),
      null,
    );
  });

  it('is asked before each connection, whatever it was before', async () => {
    let reason: string | null = null;
    let opened = 0;
    const connection = {} as never;
    const access = guardAccess(
      { id: '1', label: 'P', open: async () => (opened++, connection) } as never,
      () => reason,
    );
    const open = access.open as () => Promise<unknown>;
    assert.equal(await open(), connection);
    reason = 'It is forbidden.';
    await assert.rejects(open(), {
      name: 'ConnectionError',
      reason: 'permissionDenied',
      message: 'It is forbidden.',
    });
    assert.deepEqual([opened, access.id, access.label], [1, '1', 'P']);
  });
});
