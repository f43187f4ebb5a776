import assert from 'node:assert/strict';
import { readServerAddress } from '../../../src/hosts/direct/address';

describe('a server address', () => {
  for (const [text, port, host, expectedPort, instance, shown] of [
    ['sql1', undefined, 'sql1', 1433, null, 'sql1,1433'],
    [' sql1 , 1500', undefined, 'sql1', 1500, null, 'sql1,1500'],
    ['tcp:sql1.example.com,1433', undefined, 'sql1.example.com', 1433, null, 'sql1.example.com,1433'],
    ['sql1\\PROD', undefined, 'sql1', null, 'PROD', 'sql1\\PROD'],
    ['sql1\\mssqlserver', undefined, 'sql1', 1433, null, 'sql1,1433'],
    ['sql1\\PROD,1500', undefined, 'sql1', 1500, null, 'sql1,1500'],
    ['sql1\\PROD', 1600, 'sql1', 1600, null, 'sql1,1600'],
    ['.', undefined, 'localhost', 1433, null, 'localhost,1433'],
    ['(local)\\PROD', undefined, 'localhost', null, 'PROD', 'localhost\\PROD'],
    ['fe80::1', undefined, 'fe80::1', 1433, null, 'fe80::1,1433'],
    ['fe80::1%eth0,1434', undefined, 'fe80::1%eth0', 1434, null, 'fe80::1%eth0,1434'],
    ['[::1],1434', undefined, '::1', 1434, null, '::1,1434'],
  ] as const) {
    it(`is read from ${JSON.stringify(text)}${port ? ` with port ${port} beside it` : ''}`, () => {
      assert.deepEqual(readServerAddress(text, port), { host, port: expectedPort, instance, shown });
    });
  }

  for (const text of ['np:\\\\sql1\\pipe\\sql\\query', '(localdb)\\x', 'lpc:sql1', 'admin:canary']) {
    it(`that only other protocols reach is refused: ${text}`, () => {
      assert.throws(() => readServerAddress(text), {
        reason: 'unreachable',
        message:
          'This is not a TCP address: only TCP connections are supported, write the server as host,port.',
      });
    });
  }

  // Of what is no address a part may be a password, so no message repeats it.
  for (const text of [
    '',
    ',1433',
    'sql1:1433',
    'tcp:sql1:1433',
    'sql1,0',
    'sql1,99999',
    'sql1,abc',
    'a\\b\\c',
    'a,1,2',
    'sa:canary',
    'sql1 sa canary',
    'sql1\\a b',
    'mssql://sa:canary@sql1',
    'sql1|sa|canary',
    '-Pcanary',
    '<canary>',
    'sql1\0canary',
  ]) {
    it(`that cannot be read is refused: ${JSON.stringify(text)}`, () => {
      assert.throws(() => readServerAddress(text), {
        reason: 'unreachable',
        message: 'This is not a server address: write host, host,port or host\\instance.',
      });
    });
  }
});
