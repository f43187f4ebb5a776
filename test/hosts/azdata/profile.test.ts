import assert from 'node:assert/strict';
import { isCopyOf, reachesSame, readProfile, type AzdataProfile } from '../../../src/hosts/azdata/profile';

const options = { server: 'sql01', user: 'sa', authenticationType: 'SqlLogin' };
const read = (more: Record<string, unknown> = {}): AzdataProfile =>
  readProfile({ id: '1', providerName: 'MSSQL', options: { ...options, ...more } })!;

describe('A profile of Azure Data Studio', () => {
  it('is read without anything that is or may hold a secret', () => {
    const secrets = {
      password: 's3cret',
      pwd: 's3cret',
      azureAccountToken: 's3cret',
      clientSecret: 's3cret',
      connectionString: 'PWD=s3cret',
    };
    assert.deepEqual(read({ ...secrets, encrypt: 'Mandatory' }).options, { ...options, encrypt: 'Mandatory' });
    assert.doesNotMatch(JSON.stringify(readProfile({ id: '1', providerName: 'MSSQL', password: 's3cret', options })), /s3cret/);
  });

  it('for one database is no copy of that for another, and one for the server covers all of its own', () => {
    assert.equal(isCopyOf(read({ database: 'Sales' }), read()), true);
    assert.equal(isCopyOf(read({ database: 'Sales' }), read({ database: 'master' })), true);
    assert.equal(isCopyOf(read({ database: 'Sales' }), read({ database: 'SALES' })), true);
    assert.equal(isCopyOf(read({ database: 'Sales' }), read({ database: 'Stock' })), false);
  });

  it('leads to the same place only with the same kind of login and the same user', () => {
    assert.equal(reachesSame(read(), read({ server: 'SQL01' })), true);
    for (const other of [{ server: 'sql02' }, { user: 'dba' }, { authenticationType: 'AzureMFA' }])
      assert.equal(reachesSame(read(), read(other)), false, JSON.stringify(other));
  });

  it('is none where it is of another product, lacks a server, or throws when it is read', () => {
    const broken = Object.defineProperty({}, 'options', { get: () => assert.fail('no options') });
    for (const value of [null, 'x', [], { id: '1', providerName: 'PGSQL', options }, { id: '1', providerName: 'MSSQL' }, broken])
      assert.equal(readProfile(value), null);
  });
});
