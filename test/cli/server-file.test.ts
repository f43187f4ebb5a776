import assert from 'node:assert/strict';
import { readServerFile } from '../../cli/src/servers/server-file';

const defaults = { authentication: 'sql', user: 'monitor', trustServerCertificate: false } as const;
const read = (text: string): readonly unknown[] => readServerFile(text, defaults);

describe('A list of servers', () => {
  it('is one address a line, with comments, as any system ends lines', () => {
    assert.deepEqual(
      readServerFile('\ufeff# all\r\nSQL01,1433\r\n\r\nSQL02\\INST # reports\nSQL#3', defaults).map(({ server, user }) => [server, user]),
      [
        ['SQL01,1433', 'monitor'],
        ['SQL02\\INST', 'monitor'],
        ['SQL#3', 'monitor'],
      ],
    );
  });

  it('is JSON, in which an entry says what differs from the command line', () => {
    const [one, two] = readServerFile('["SQL01", {"server": "SQL02", "name": "a]b\'c\\"--", "user": "other", "port": 1444}]', defaults);
    assert.deepEqual([one?.name, one?.user, two?.name, two?.user, two?.port], ['SQL01', 'monitor', 'a]b\'c"--', 'other', 1444]);
  });

  it('that is wrong gives one sentence', () => {
    for (const [text, said] of [
      ['', /No server is named\.$/],
      ['# nothing', /No server is named\.$/],
      ['SQL01\nSQL01', /Two servers are called SQL01/],
      ['[{"name": "x"}]', /Entry 1 of the list of servers has no "server"/],
      ['["SQL01", 5]', /Entry 2 of the list of servers is neither an address nor an object/],
      ['[{"server": "S", "colour": "red"}]', /has a field that is not known: colour/],
      ['[{"server": "S", "constructor": 1}]', /has a field that is not known: constructor/],
      ['[{"server": "S", "port": "1433"}]', /Entry 1 of the list of servers: port is to be a number/],
      ['[{"server": "S", "trustServerCertificate": "false"}]', /trustServerCertificate is to be a boolean/],
      ['[{"server": "S", "authentication": "kerberos"}]', /authentication is to be sql or windows or entra/],
    ] as const)
      assert.throws(() => read(text), said, text);
    assert.throws(() => readServerFile('SQL01', { ...defaults, user: '' }), /No login is named for SQL01\. Give it by --user/);
  });

  it('with a secret in it is refused, and the secret is not repeated', () => {
    for (const text of [
      '[{"server": "S", "password": "canary"}]',
      '[{"server": "S", "password": canary}]',
      '[{"server": "S" "pwd": "canary"',
    ]) {
      assert.throws(
        () => read(text),
        (error: Error) => !error.message.includes('canary') && /Keep secrets out of files|no JSON that can be read/.test(error.message),
      );
    }
  });
});
