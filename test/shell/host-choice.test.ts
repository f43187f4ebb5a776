import assert from 'node:assert/strict';
import { chooseHost, type HostName } from '../../src/shell/host-choice';

const set = (...names: HostName[]): ReadonlySet<HostName> => new Set(names);

describe('the host of the pane', () => {
  it('is our own container wherever we cannot use the connections of what is there', () => {
    assert.equal(chooseHost(set(), set('own')), 'own');
    assert.equal(chooseHost(set('azdata', 'mssql'), set('own')), 'own');
    assert.equal(chooseHost(set('mssql'), set('own', 'azdata')), 'own');
  });

  it('is Azure Data Studio before the mssql extension where both can be used', () => {
    assert.equal(chooseHost(set('azdata', 'mssql'), set('own', 'azdata', 'mssql')), 'azdata');
    assert.equal(chooseHost(set('mssql'), set('own', 'azdata', 'mssql')), 'mssql');
  });
});
