import assert from 'node:assert/strict';
import Module from 'node:module';
import { connectRow, seeded, startAzdata } from './host';
import { findAzdata } from '../../../src/hosts/azdata/host';

describe('The description of Azure Data Studio', () => {
  it('says what is there and how much, and names no server', async () => {
    const { fake, host, open } = startAzdata({ saved: [seeded, { id: 'second', server: 'other', user: 'reader' }] });
    await connectRow(fake);
    await open();
    assert.deepEqual(await host.describe(), [
      'Module azdata 1.47.0.',
      'Namespace connection: there.',
      'Namespace dataprotocol: there.',
      'Namespace queryeditor: there.',
      'Extensions that connect to SQL Server: Microsoft.mssql 1.47.0.',
      'Query provider of SQL Server: registered.',
      'SQL Server connections: 2 saved, 1 in use, 0 of those made by us.',
      'Workspace: trusted.',
      'Queries: one result set, no streaming; a query that is given up cannot be stopped on the server.',
    ]);
  });

  it('says what is missing, and what is ignored', async () => {
    const { fake, editor, host } = startAzdata({ workspace: [{ id: 'x', server: 'x', user: 'x' }] });
    editor.isTrusted = false;
    editor.extensions = [];
    fake.hasProvider = false;
    const lines = (await host.describe()).join('\n');
    assert.match(lines, /Extensions that connect to SQL Server: none\.\nQuery provider of SQL Server: not registered yet\./);
    assert.match(lines, /Workspace: not trusted; connections that it defines, all ignored: 1\./);
    assert.match(lines, /1 saved, 0 in use/);
  });

  it('is given where the module is there and has a version', () => {
    const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
    const load = loader._load;
    const given: { module: object } = { module: startAzdata().fake.azdata };
    loader._load = function (this: unknown, name, ...rest) {
      return name === 'azdata' ? given.module : load.call(this, name, ...rest);
    };
    try {
      assert.equal(findAzdata(), given.module);
      for (const other of [{}, { version: '9' }, { ...given.module, connection: undefined }]) {
        given.module = other;
        assert.equal(findAzdata(), null, 'something else of that name');
      }
    } finally {
      loader._load = load;
    }
  });

  it('is not given outside of Azure Data Studio, where there is no such module', () => {
    assert.equal(findAzdata(), null);
  });
});
