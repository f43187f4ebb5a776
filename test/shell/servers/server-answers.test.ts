import assert from 'node:assert/strict';
import type { SavedServer } from '../../../src/shell/servers/saved-servers';
import { answersOf, describeAnswers, findTwin, newAnswers, type ServerAnswers } from '../../../src/shell/servers/server-answers';

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

  it('never send a token readable, whatever was chosen before Microsoft Entra was', () => {
    assert.equal(keep({ authentication: 'entra', encrypt: 'optional' }).encrypt, 'mandatory');
    assert.equal(keep({ encrypt: 'optional' }).encrypt, 'optional');
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

  it('are those of a server of the list where place and login are the same', () => {
    const listed = [keep({})];
    for (const same of [{ server: 'SQL01' }, { server: 'tcp:sql01, 1433' }, { name: 'Other' }, { encrypt: 'strict' }] as const)
      assert.equal(findTwin(listed, keep(same)), listed[0], JSON.stringify(same));
    for (const other of [{ server: 'sql01,1434' }, { user: 'SA' }, { database: 'Sales' }, { readOnlyIntent: true }] as const)
      assert.equal(findTwin(listed, keep(other)), undefined, JSON.stringify(other));
  });
});
