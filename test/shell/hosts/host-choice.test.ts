import assert from 'node:assert/strict';
import { chooseHost, type HostFinding } from '../../../src/shell/hosts/host-choice';

const finding = (name: HostFinding['name'], obstacle: string | null, isPresent = true): HostFinding => ({ name, isPresent, obstacle });

describe('the host of the pane', () => {
  it('is our own container where no other product is here, or none lets its connections be used', () => {
    assert.equal(chooseHost([]).name, 'own');
    assert.equal(chooseHost([finding('mssql', 'It is not installed.', false)]).name, 'own');
    const closed = chooseHost([finding('mssql', 'It shares its connections no longer.')]);
    assert.deepEqual([closed.name, closed.why], ['own', 'It shares its connections no longer.']);
  });

  it('is Azure Data Studio before the mssql extension where both can be used', () => {
    assert.equal(chooseHost([finding('azdata', null), finding('mssql', null)]).name, 'azdata');
    assert.equal(chooseHost([finding('azdata', 'It is not here.', false), finding('mssql', null)]).name, 'mssql');
  });

  it('has the pane in our own container where its connections can be used and it has no container for ours', () => {
    const { name, place } = chooseHost([finding('mssql', null, false)]);
    assert.deepEqual([name, place], ['mssql', 'own']);
    assert.equal(chooseHost([finding('mssql', null)]).place, 'mssql');
  });
});
