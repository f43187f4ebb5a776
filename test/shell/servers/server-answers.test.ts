import assert from 'node:assert/strict';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { answersOf, describeAnswers, newAnswers, type ServerAnswers } from '../../../src/shell/servers/server-answers';

const answers: ServerAnswers = { ...newAnswers, name: 'Prod', server: 'sql01', user: 'sa', password: 'p4ssword' };
const keep = (changes: Partial<ServerAnswers>): SavedServer => describeAnswers({ ...answers, ...changes }, '1');

describe('the answers of Add Server, kept', () => {
  it('have no password, and nothing that was left empty', () => {
    assert.deepEqual(keep({ tenant: '', database: '' }), {
      id: '1',
      name: 'Prod',
      server: 'sql01',
      authentication: 'sql',
      user: 'sa',
      encrypt: 'mandatory',
      trustServerCertificate: false,
    });
  });

  it('trust no certificate with Microsoft Entra: a token goes only to a server whose certificate is checked', () => {
    assert.equal(keep({ authentication: 'entra', trustServerCertificate: true }).trustServerCertificate, false);
  });

  it('let tokens go to a host that was confirmed, and to no other address', () => {
    const entra = { authentication: 'entra', tokenHost: 'sql01' } as const;
    assert.equal(keep(entra).tokenHost, 'sql01');
    assert.equal(keep({ ...entra, server: 'tcp:SQL01,1500' }).tokenHost, 'sql01');
    for (const change of [{ server: 'sql02' }, { authentication: 'sql' }] as const)
      assert.equal(keep({ ...entra, ...change }).tokenHost, undefined);
  });

  it('ask for the password in each window only where there is one', () => {
    assert.equal(keep({ asksPassword: true }).asksPassword, true);
    assert.equal(keep({ asksPassword: false }).asksPassword, undefined);
    assert.equal(keep({ asksPassword: true, authentication: 'entra' }).asksPassword, undefined);
  });

  it('trust no certificate with Strict, whatever was chosen before', () => {
    assert.equal(keep({ encrypt: 'strict', trustServerCertificate: true }).trustServerCertificate, false);
    assert.equal(keep({ trustServerCertificate: true }).trustServerCertificate, true);
  });

  it('have a tenant with Microsoft Entra only', () => {
    assert.equal('tenant' in keep({ tenant: 'contoso.com' }), false);
    assert.equal(keep({ authentication: 'entra', tenant: 'contoso.com' }).tenant, 'contoso.com');
  });

  it('are asked again with the port beside the address, and without the password', () => {
    const { server, password } = answersOf({ ...keep({}), port: 1500 });
    assert.deepEqual([server, password], ['sql01,1500', undefined]);
  });
});
