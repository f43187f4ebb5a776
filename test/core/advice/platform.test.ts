import assert from 'node:assert/strict';
import { notObservable, observed, type ServerFacts } from '../../../src/core/advice/facts';
import {
  findPlatform,
  knowsAcceleratedRecovery,
  knowsDistributedGroups,
  knowsHost,
  type PlatformKind,
} from '../../../src/core/advice/platform';
import { databaseOf, serverOf } from './facts-of';

const unseen = notObservable('The login may not.');

function kindOf(
  server: Partial<ServerFacts>,
  names: readonly string[] = [],
  host = unseen as Parameters<typeof findPlatform>[0]['host'],
): PlatformKind {
  const databases = names.map((name, at) => databaseOf({ databaseId: 5 + at, name }));
  return findPlatform({ server: serverOf(server), databases, host }).kind;
}

describe('The platform of a server', () => {
  it('is told by the engine edition in Azure, whatever else is there', () => {
    assert.equal(kindOf({ engineEdition: 5 }, ['rdsadmin']), 'Azure SQL Database');
    assert.equal(kindOf({ engineEdition: 8, pathSeparator: '/' }), 'Azure SQL Managed Instance');
    for (const engineEdition of [6, 11, 12]) assert.equal(kindOf({ engineEdition }), 'Azure Synapse or Microsoft Fabric');
  });

  it('is Amazon RDS where its own database is there, in any case', () => assert.equal(kindOf({}, ['Sales', 'RDSAdmin']), 'Amazon RDS'));

  it('is Linux or Windows by what the server says of its host, or else by how it writes paths', () => {
    assert.equal(kindOf({ pathSeparator: '\\' }, [], observed({ platform: 'Linux', distribution: 'Ubuntu' })), 'SQL Server on Linux');
    assert.equal(kindOf({ pathSeparator: '/' }), 'SQL Server on Linux');
    assert.equal(kindOf({ pathSeparator: '\\' }), 'SQL Server on Windows');
  });

  it('is Windows before SQL Server 2017, which knows no path separator, and unknown where a later one does not say', () => {
    assert.equal(kindOf({ pathSeparator: null, productVersion: '13.0.6300.2' }), 'SQL Server on Windows');
    assert.equal(kindOf({ pathSeparator: null, productVersion: '14.0.1000.169' }), 'unknown');
  });

  it('is unknown, and never taken for the box product, where the edition has no name here', () => {
    for (const engineEdition of [0, 7, 9, 10, 13]) assert.equal(kindOf({ engineEdition }), 'unknown');
  });

  it('says what it was told by', () => {
    const { reason } = findPlatform({ server: serverOf({ engineEdition: 8 }), databases: [], host: unseen });
    assert.equal(reason, 'Engine edition 8 is Azure SQL Managed Instance.');
  });
});

describe('What a release has', () => {
  const box = (productVersion: string): ServerFacts => serverOf({ productVersion });

  it('follows from its major version, and in Azure from the platform, whose version says 12', () => {
    assert.deepEqual([box('14.0.3456.2'), box('15.0.2000.5')].map(knowsAcceleratedRecovery), [false, true]);
    assert.deepEqual([box('13.0.1601.5'), box('14.0.1000.1')].map(knowsHost), [false, true]);
    assert.deepEqual([box('12.0.6024.0'), box('13.0.1601.5')].map(knowsDistributedGroups), [false, true]);
    const azure = serverOf({ productVersion: '12.0.2000.8', engineEdition: 5 });
    assert.deepEqual([knowsAcceleratedRecovery(azure), knowsHost(azure)], [true, false]);
  });
});
