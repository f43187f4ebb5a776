import assert from 'node:assert/strict';
import { BadUsage } from '../../cli/src/kit/exit';
import { readAddresses, readServerFile } from '../../cli/src/servers/server-file';
import { valuesOf } from '../core/values-of';

const defaults = { authentication: 'sql', user: 'monitor', trustServerCertificate: false } as const;
const read = (text: string): readonly unknown[] => readServerFile(text, defaults);

describe('A list of servers', () => {
  it('is one address a line, with comments, as any system ends lines', () => {
    assert.deepEqual(
      readServerFile('\ufeff# all\r\nSQL01,1433\r\n\r\nSQL02\\INST # reports\nSQL#3', defaults).map(
        ({ server, user }) => [server, user],
      ),
      [
        ['SQL01,1433', 'monitor'],
        ['SQL02\\INST', 'monitor'],
        ['SQL#3', 'monitor'],
      ],
    );
  });

  it('is JSON, in which an entry says what differs from the command line', () => {
    const [one, two] = readServerFile(
      '["SQL01", {"server": "SQL02", "name": "a]b\'c\\"--", "user": "other", "port": 1444}]',
      defaults,
    );
    assert.deepEqual(
      [one?.name, one?.user, two?.name, two?.user, two?.port],
      ['SQL01', 'monitor', 'a]b\'c"--', 'other', 1444],
    );
  });

  it('that is wrong gives one sentence', () => {
    for (const [text, said] of [
      ['', /No server given\.$/],
      ['# nothing', /No server given\.$/],
      ['SQL01\nSQL01', /Two servers are called SQL01/],
      ['[{"name": "x"}]', /Entry 1 of the list of servers has no "server"/],
      ['["SQL01", 5]', /Entry 2 of the list of servers is neither an address nor an object/],
      ['[{"server": "S", "colour": "red"}]', /has an unknown field: colour/],
      ['[{"server": "S", "constructor": 1}]', /has an unknown field: constructor/],
      [
        '{\n "password": "canary"\n}',
        /^Error: The list of servers is a single JSON object\. Write an array of servers: [^a-z]*$/,
      ],
      [
        '[{"server": "S", "trustServerCertificate": "false"}]',
        /trustServerCertificate: Give true or false\.$/,
      ],
      [
        '[{"server": "S", "authentication": "kerberos"}]',
        /authentication: Give sql or windows or integrated or entra\.$/,
      ],
    ] as const)
      assert.throws(() => read(text), said, text);
    assert.throws(
      () => readServerFile('SQL01', { ...defaults, user: '' }),
      /No login for SQL01\. Give one with --user/,
    );
    const windows = { ...defaults, authentication: 'windows', user: 'ann' } as const;
    assert.throws(
      () => readAddresses(['SQL01'], windows),
      /^Error: The Windows login for SQL01 has no domain\. Write it as DOMAIN\\user\.$/,
    );
  });

  it('of another shape is refused by line, before a name is looked up, and nothing of it is repeated', () => {
    for (const [text, place] of [
      ['sql01\nServer=sql02;User Id=sa;Password=canary', 'Line 2'],
      ['Server=sql02;Pass Word=canary', 'Line 1'],
      ['mssql://sa:canary@sql01?encrypt=true', 'Line 1'],
      ['Server=sql02;Connect Timeout=canary', 'Line 1'],
      ['# ours\n\nmssql://sa:canary@sql01', 'Line 3'],
      ['sql01,1433,sa,canary', 'Line 1'],
      ['sql01 sa canary', 'Line 1'],
      ['sql01\nsql02\tcanary', 'Line 2'],
      ['admin:canary', 'Line 1'],
      ['sa:canary', 'Line 1'],
      ['sa/canary@sql01', 'Line 1'],
      ['sql01|sa|canary', 'Line 1'],
      ['sql01\n-Pcanary', 'Line 2'],
      ['["<canary>"]', 'Entry 1'],
      ['["sql01\\u0000canary"]', 'Entry 1'],
      ['["sql01", "tcp:sql02;pwd=canary"]', 'Entry 2'],
      ['[{"server": "sql01"}, {"server": "{canary}"}]', 'Entry 2'],
      ['sql01/sa/canary', 'Line 1'],
      ['sql01,1433;sa;canary', 'Line 1'],
      ['<a><RegisteredServer><ServerName>sa:canary@sql01</ServerName></RegisteredServer></a>', 'Server 1'],
    ] as const)
      assert.throws(
        () => read(text),
        (error: Error) =>
          error instanceof BadUsage &&
          error.message.startsWith(`${place} of the list of servers`) &&
          !/canary/.test(error.message),
        text,
      );
  });

  it('may have connection strings, as Add Server takes them, but for a password; what they do not say is as on the command line', () => {
    const told: string[] = [];
    const azure =
      'Server=tcp:shop.database.windows.net,1433;Initial Catalog=Shop;Authentication=Active Directory Default;Pooling=False';
    const odbc =
      'Driver={ODBC Driver 18 for SQL Server};Server=sql01\\PROD;Uid=ann;TrustServerCertificate=yes;Encrypt=strict';
    const text = [azure, odbc, 'jdbc:sqlserver://sql02:1500;loginTimeout=5'].join('\n');
    const wanted = { ...defaults, tell: (sentence: string): void => void told.push(sentence) };
    const servers = readServerFile(text, wanted);
    const login = ['authentication', 'user', 'encrypt', 'trustServerCertificate'] as const;
    assert.deepEqual(valuesOf(servers, 'server', ...login, 'database', 'connectTimeoutSeconds'), [
      ['tcp:shop.database.windows.net,1433', 'entra', 'monitor', 'mandatory', false, 'Shop', undefined],
      ['sql01\\PROD', 'sql', 'ann', 'strict', true, undefined, undefined],
      ['sql02,1500', 'sql', 'monitor', 'mandatory', false, undefined, 5],
    ]);
    for (const { id, name, server, ...rest } of servers) {
      assert.deepEqual([id, name], [`cli:${server}`, server]);
      const known: readonly string[] = [...login, 'database', 'connectTimeoutSeconds'];
      for (const field of Object.keys(rest)) assert.ok(known.includes(field), field);
    }
    assert.deepEqual(told, ['Line 1 of the list of servers: Not used from the connection string: Pooling.']);
  });

  it('is on the command line one address an argument, also of IPv6', () => {
    const read = (...addresses: string[]) => readAddresses(addresses, defaults).map(({ server }) => server);
    assert.deepEqual(read('[::1],1434', 'SQL01'), ['[::1],1434', 'SQL01']);
    assert.throws(
      () => read('SQL01', 'Server=S;Pwd=canary'),
      /^Error: Address 2 of the command line: It may contain a password/,
    );
    assert.throws(() => readAddresses(['SQL01'], defaults, 'G'), /--group chooses among registered servers/);
  });

  it('has a name for each server, and none that may hold a password', () => {
    for (const user of ['sa;Password=canary', 'mssql://sa:canary@S'])
      assert.throws(
        () => read(JSON.stringify([{ server: 'S', user }])),
        /^Error: Entry 1 of the list of servers: It may contain a password\. (?!.*canary)/,
      );
    for (const name of [
      ...[
        '',
        ' ',
        'Server=S;Password=canary',
        'mssql://sa:canary@S',
        '{"pwd": "canary"}',
        'sa:canary@S',
        'S -U sa -P canary',
      ],
      ...[
        'pass=canary',
        'Passwd: canary',
        'Passwort=canary',
        'AccessToken=canary',
        'client secret=canary',
        'SharedAccessKey=canary',
      ],
    ])
      assert.throws(
        () => read(JSON.stringify([{ server: 'S', name }])),
        (error: Error) =>
          error.message.startsWith('Entry 1 of the list of servers') && !/canary/.test(error.message),
        name,
      );
    for (const name of [
      'sales (ops@corp)',
      'compass: north',
      'sql01 -UAT -PROD',
      'sql01:1433 of ops@corp',
      'Monkey: 1',
    ])
      assert.equal((read(JSON.stringify([{ server: 'S', name }]))[0] as { name: string }).name, name);
  });

  it('names a field that is not known only if it looks like one', () => {
    assert.throws(
      () => read('[{"server": "S", "Server=S;Pwd=canary": 1}]'),
      (error: Error) => !/canary/.test(error.message),
    );
  });

  it('with a secret in it is refused, and the secret is not repeated', () => {
    for (const text of [
      '[{"server": "S", "password": "canary"}]',
      '[{"server": "S", "password": canary}]',
      '[{"server": "S" "pwd": "canary"',
    ]) {
      assert.throws(
        () => read(text),
        (error: Error) =>
          !error.message.includes('canary') && /Keep secrets out of files|not valid JSON/.test(error.message),
      );
    }
  });
});
