import assert from 'node:assert/strict';
import { readServerFile } from '../../cli/src/servers/server-file';

const defaults = { authentication: 'sql', user: 'monitor', trustServerCertificate: false } as const;
const ROOT = '/RegisteredServersStore/ServerGroup/DatabaseEngineServerGroup';

/** A document of one server, in the form of an export of SSMS. */
function server(name: string, address: string, group = '', type = 'DatabaseEngine'): string {
  const uri =
    ROOT +
    group
      .split('/')
      .filter((each) => each !== '')
      .map((each) => `/ServerGroup/${each.replace('%', '_/')}`)
      .join('');
  return `<document><docinfo><aliases><alias>${uri}/RegisteredServer/${name}</alias></aliases><sfc:version DomainVersion="1" /></docinfo><data>
    <RegisteredServers:RegisteredServer xmlns:RegisteredServers="http://schemas.microsoft.com/sqlserver/RegisteredServers/2007/08">
      <RegisteredServers:Parent><sfc:Reference sml:ref="true"><sml:Uri>${uri}</sml:Uri></sfc:Reference></RegisteredServers:Parent>
      <RegisteredServers:Name type="string">${name}</RegisteredServers:Name>
      <RegisteredServers:ServerName type="string">${address}</RegisteredServers:ServerName>
      <RegisteredServers:ConnectionStringWithEncryptedPassword type="string">server=other;uid=sa;password=canary;</RegisteredServers:ConnectionStringWithEncryptedPassword>
      <RegisteredServers:ServerType type="ServerType">${type}</RegisteredServers:ServerType>
    </RegisteredServers:RegisteredServer></data></document>`;
}

const exported = (...documents: readonly string[]): string =>
  `<?xml version="1.0"?><model xmlns="http://schemas.serviceml.org/smlif/2007/02"><identity><name>urn:uuid:1</name></identity><xs:bufferSchema xmlns:xs="x"><definitions xmlns:sfc="y"><document><data><xs:schema><sfc:DomainInfo><sfc:Name>RegisteredServers</sfc:Name></sfc:DomainInfo></xs:schema></data></document></definitions></xs:bufferSchema><instances>${documents.join('')}</instances></model>`;

const read = (text: string, group?: string): readonly (readonly [string, string])[] =>
  readServerFile(text, defaults, group).map(({ name, server: address }) => [name, address]);

describe('Registered servers of SSMS', () => {
  const text = exported(
    server('outside', 'SQL00'),
    server('PROD &amp; 1', 'SQL01,1433', 'Production'),
    server('PROD 2', 'SQL02\\INST', 'Production/East'),
    server('TEST', 'SQL03', 'Test%Lab'),
    server('CUBES', 'SQL04', 'Production', 'AnalysisServices'),
  );

  it('are read with their names and addresses, and with the login of the command line', () => {
    assert.deepEqual(read(text), [
      ['outside', 'SQL00'],
      ['PROD & 1', 'SQL01,1433'],
      ['PROD 2', 'SQL02\\INST'],
      ['TEST', 'SQL03'],
    ]);
    const servers = readServerFile(`\ufeff${text}`, defaults);
    assert.deepEqual(new Set(servers.map(({ user }) => user)), new Set(['monitor']));
    assert.doesNotMatch(JSON.stringify(servers), /canary|"sa"/);
  });

  it('are chosen by a group, which has those below it', () => {
    assert.deepEqual(read(text, 'Production'), [
      ['PROD & 1', 'SQL01,1433'],
      ['PROD 2', 'SQL02\\INST'],
    ]);
    assert.deepEqual(read(text, 'Production/East'), [['PROD 2', 'SQL02\\INST']]);
    assert.deepEqual(read(text, 'Test/Lab'), [['TEST', 'SQL03']]);
    assert.throws(
      () => read(text, 'Prod'),
      /No server is in the group Prod\. The groups are Production, Production\/East, Test\/Lab\.$/,
    );
    assert.throws(() => read('SQL01', 'Production'), /--group chooses among registered servers/);
  });

  it('may stand in two groups, but not under one name with two addresses', () => {
    assert.equal(read(exported(server('A', 'SQL01', 'One'), server('A', 'SQL01', 'Two'))).length, 1);
    assert.throws(
      () => read(exported(server('A', 'SQL01', 'One'), server('A', 'SQL02', 'Two'))),
      /Two servers are called A\./,
    );
  });

  it('in a file that cannot be read give one sentence, which repeats nothing of it', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "canary"><!ENTITY b "&a;&a;&a;&a;">]><model>${server('&b;', 'SQL01')}</model>`;
    for (const [bad, said] of [
      [text.slice(0, text.length / 2), /not a readable \.regsrvr file/],
      [bomb, /it has a document type, and SSMS writes none/],
      [exported(server('&bomb;', 'SQL01')), /undefined entity/],
      ['<html><body>canary</body></html>', /No server of the Database Engine is registered there/],
      [exported(), /No server of the Database Engine is registered there/],
      ['<model>\u0000</model>', /not a readable \.regsrvr file/],
      ['<', /not a readable \.regsrvr file/],
    ] as const) {
      assert.throws(
        () => read(bad),
        (error: Error) =>
          said.test(error.message) && !error.message.includes('canary') && !error.message.includes('\n'),
        bad.slice(0, 60),
      );
    }
  });

  it('are read from a large file, and from one that is nested without end', () => {
    const many = exported(...Array.from({ length: 5_000 }, (_, at) => server(`S${at}`, `SQL${at}`, 'All')));
    assert.equal(read(many, 'All').length, 5_000);
    assert.throws(() => read('<a>'.repeat(200_000)), /not a readable \.regsrvr file/);
  });
});
