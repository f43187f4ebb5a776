import assert from 'node:assert/strict';
import { mayTakeToken, readHost } from '../../src/gate/address';

describe('an address', () => {
  it('has a host, however it is written', () => {
    const hosts = ['SQL01', ' tcp:sql01 , 1433', 'sql01\\PROD', 'sql01.', 'sql01\\a,1500'].map(readHost);
    assert.deepEqual(hosts, ['sql01', 'sql01', 'sql01', 'sql01', 'sql01']);
    assert.deepEqual(['.', '(local)', '[::1],1433', '10.1.2.3,1', ''].map(readHost), [
      'localhost',
      'localhost',
      '::1',
      '10.1.2.3',
      '',
    ]);
  });
});

describe('a token of Microsoft Entra', () => {
  it("may go to Azure's own hosts", () => {
    for (const server of [
      'shop.database.windows.net',
      'tcp:SHOP.database.windows.net,1433',
      'mi.public.0123456789ab.database.windows.net,3342',
      'shop.database.usgovcloudapi.net',
      'shop.database.chinacloudapi.cn',
      'x.database.fabric.microsoft.com',
      'work.sql.azuresynapse.net',
      'work-ondemand.sql.azuresynapse.net',
      'x.datawarehouse.fabric.microsoft.com',
    ])
      assert.equal(mayTakeToken({ server }), true, server);
  });

  it('goes to no host that only looks like them, unless the user named that host', () => {
    for (const server of [
      'sql01',
      'localhost,1433',
      'database.windows.net',
      'database.windows.net.evil.example',
      'shop.database.windows.net.evil.example,1433',
      'evil-database.windows.net',
      'evil.example\\shop.database.windows.net',
      'evil.example,1433.database.windows.net',
      'databaseXwindows.net',
    ])
      assert.equal(mayTakeToken({ server }), false, server);
    assert.equal(mayTakeToken({ server: 'tcp:SQL01,1500', tokenHost: 'sql01' }), true);
    assert.equal(mayTakeToken({ server: 'sql02', tokenHost: 'sql01' }), false);
  });
});
