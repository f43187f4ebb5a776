import assert from 'node:assert/strict';
import { readAddedServer } from '../../../src/shell/commands/given-server';

const given = { name: 'Prod', server: 'sql01', port: 1433, user: 'sa', password: 'p4ssword', encrypt: true, trustServerCertificate: false };

describe('a server that another extension adds', () => {
  it('is read into what is kept and a password', () => {
    assert.deepEqual(readAddedServer(given), {
      caller: undefined,
      server: {
        name: 'Prod',
        server: 'sql01',
        port: 1433,
        authentication: 'sql',
        user: 'sa',
        encrypt: 'mandatory',
        trustServerCertificate: false,
      },
      password: 'p4ssword',
    });
    const strict = readAddedServer({ ...given, encrypt: 'strict', trustServerCertificate: true, port: undefined, caller: 'Fleet' });
    assert.deepEqual([strict.server.encrypt, strict.server.trustServerCertificate, strict.caller], ['strict', false, 'Fleet']);
  });

  it('may have a Windows login, with its domain in it or beside it', () => {
    const windows = { ...given, authentication: 'windows' };
    for (const login of [{ user: 'CONTOSO\\ann' }, { user: 'ann', domain: 'CONTOSO' }])
      assert.equal(readAddedServer({ ...windows, ...login }).server.user, 'CONTOSO\\ann');
    assert.throws(() => readAddedServer({ ...windows, user: 'ann' }), /^Error: addServer: user is DOMAIN/);
  });

  it('may sign in by Microsoft Entra: without a password, and encrypted', () => {
    const entra = { ...given, authentication: 'entra', user: undefined, tenant: 'contoso.com', database: 'Sales' };
    const { server: read, password } = readAddedServer(entra);
    assert.deepEqual([read.user, read.tenant, read.database, read.encrypt, password], ['', 'contoso.com', 'Sales', 'mandatory', undefined]);
  });

  it('is always encrypted', () => {
    for (const encrypt of [false, 'optional'])
      assert.throws(() => readAddedServer({ ...given, encrypt }), {
        message: 'addServer: encrypt is mandatory, strict or true, because Checkpoint Health always encrypts.',
      });
  });

  it('gets no token where nobody checks its certificate', () => {
    assert.throws(
      () => readAddedServer({ ...given, authentication: 'entra', trustServerCertificate: true }),
      /^Error: addServer: trustServerCertificate is false for entra/,
    );
  });

  it('has no text that could pass for something else in the dialog', () => {
    for (const name of ['Prod\nAddress: good.example', 'a\u2028b', 'evil\u202egnp', 'a\u200bb', 'x'.repeat(257)])
      for (const key of ['name', 'server', 'user', 'caller', 'database'])
        assert.throws(() => readAddedServer({ ...given, [key]: name }), new RegExp(`^Error: addServer: ${key} is a text of at most 256`));
  });

  it('is refused with a sentence that names the field', () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ['name', ' '],
      ['server', 7],
      ['user', undefined],
      ['password', null],
      ['authentication', 'kerberos'],
      ['database', 5],
      ['hostNameInCertificate', ''],
      ['port', 0],
      ['port', '1433'],
      ['encrypt', 'yes'],
      ['trustServerCertificate', 'true'],
    ];
    for (const [field, value] of wrong)
      assert.throws(() => readAddedServer({ ...given, [field]: value }), new RegExp(`^Error: addServer: ${field} is `));
    assert.throws(() => readAddedServer('sql01'), /takes one object/);
  });

  it('keeps nothing but what is known', () => {
    assert.deepEqual(Object.keys(readAddedServer({ ...given, id: 'mine', extra: 1 }).server).sort(), [
      'authentication',
      'encrypt',
      'name',
      'port',
      'server',
      'trustServerCertificate',
      'user',
    ]);
  });
});
