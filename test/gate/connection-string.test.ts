import assert from 'node:assert/strict';
import { describeAnswers, newAnswers, type ServerAnswers } from '../../src/shell/servers/server-answers';
import {
  isConnectionString,
  readConnectionString,
  type PastedAnswers,
} from '../../src/gate/connection-string';
import { back } from '../../src/shell/servers/server-questions';
import { askServer } from '../../src/shell/servers/server-form';
import { add, ask, edit, FakeInput, leave, onlyTcp, saved } from '../shell/servers/form-bench';

const read = (text: string): PastedAnswers['answers'] => readConnectionString(text).answers;
const notices = (text: string): readonly string[] => readConnectionString(text).notices;
const tellQuotes = (part: number): string =>
  `This connection string cannot be read: the quotes around the value of its part ${part} do not match.`;
const checked = { encrypt: 'mandatory', trustServerCertificate: false } as const;

/** What is read of each, beside a SQL login to the server db. */
const READ: readonly (readonly [text: string, answers: Partial<ServerAnswers>])[] = [
  [
    'Server=tcp:shop.database.windows.net,1433;Initial Catalog=Shop;Persist Security Info=False;User ID=ann;Password={your_password};MultipleActiveResultSets=False;Encrypt=True;TrustServerCertificate=False;Connection Timeout=30;',
    {
      server: 'tcp:shop.database.windows.net,1433',
      user: 'ann',
      ...checked,
      database: 'Shop',
      connectTimeoutSeconds: 30,
    },
  ],
  [
    'Driver={ODBC Driver 18 for SQL Server};Server=sql01\\PROD;Database=Shop;Uid=ann;Pwd={a}};b};Encrypt=yes;TrustServerCertificate=no;Connection Timeout=30;',
    {
      server: 'sql01\\PROD',
      user: 'ann',
      password: 'a};b',
      ...checked,
      database: 'Shop',
      connectTimeoutSeconds: 30,
    },
  ],
  [
    'jdbc:sqlserver://db:1433;database=Shop;user=ann@shop;password={p;w};encrypt=true;trustServerCertificate=false;hostNameInCertificate=sql.contoso.com;loginTimeout=30;',
    {
      server: 'db,1433',
      user: 'ann@shop',
      password: 'p;w',
      ...checked,
      database: 'Shop',
      connectTimeoutSeconds: 30,
      hostNameInCertificate: 'sql.contoso.com',
    },
  ],
  [
    'data source = db ; multi subnet failover=true;Application Intent=ReadOnly; Integrated Security=SSPI; Encrypt=Strict',
    { authentication: 'integrated', encrypt: 'strict', multiSubnetFailover: true, readOnlyIntent: true },
  ],
  [
    'Server=db;Authentication=Active Directory Interactive;User ID=ann@contoso.com;Database=Shop;Encrypt=Mandatory',
    { authentication: 'entra', user: 'ann@contoso.com', encrypt: 'mandatory', database: 'Shop' },
  ],
  ['Server=db;UID=CONTOSO\\ann;PWD=x', { authentication: 'windows', user: 'CONTOSO\\ann', password: 'x' }],
  ["Server=db;uid=ann;pwd='it''s \"it\"'", { user: 'ann', password: 'it\'s "it"' }],
  ['Server=db;uid=ann;Password=a=b{c}"d', { user: 'ann', password: 'a=b{c}"d' }],
  ['Server=db;uid=ann;Password={abc}', { user: 'ann', password: '{abc}' }],
  ['Server=db;;uid=ann;Password=abc;; ;', { user: 'ann', password: 'abc' }],
  ['Server=db;Password=;Encrypt=True', { encrypt: 'mandatory' }],
  ['jdbc:sqlserver://db;instanceName=PROD;user=a', { server: 'db\\PROD', user: 'a' }],
  ['jdbc:sqlserver://;serverName=db;portNumber=1500;user=a', { server: 'db,1500', user: 'a' }],
  ['Server=db,1433;Port=1500;Uid=a', { server: 'db,1433', user: 'a' }],
  ['Server=db;Encrypt=', {}],
  ['"Server=db\\\\PROD;Trusted_Connection=False;User=ann"', { server: 'db\\PROD', user: 'ann' }],
  ['"jdbc:sqlserver://db:1500;user=a;password=b";', { server: 'db,1500', user: 'a', password: 'b' }],
  ['"Server=db;User ID=a;Password=\\"b;c\\";"', { user: 'a', password: 'b;c' }],
  ["'Server=db;User ID=a'", { user: 'a' }],
  [
    'jdbc:sqlserver://db;integratedSecurity=true;authenticationScheme=NTLM;domain=CONTOSO;user=ann;password=x',
    { authentication: 'windows', user: 'CONTOSO\\ann', password: 'x' },
  ],
  [
    'Server=db;Integrated Security=true;User ID=sa;Password=x;Server SPN=MSSQLSvc/real.contoso.com:1433',
    { authentication: 'integrated', serverSpn: 'MSSQLSvc/real.contoso.com:1433' },
  ],
  [
    'jdbc:sqlserver://db;integratedSecurity=true;authenticationScheme=JavaKerberos',
    { authentication: 'integrated' },
  ],
  [
    'Driver={ODBC Driver 18 for SQL Server};Server=db;Trusted_Connection=yes',
    { authentication: 'integrated' },
  ],
  ['Server=db;Authentication=Active Directory Service Principal;UID=0f3a;PWD=x', { authentication: 'entra' }],
  [
    'Server=db;Authentication=ActiveDirectoryPassword;UID=a@b.c;PWD=x',
    { authentication: 'entra', user: 'a@b.c' },
  ],
  ['Server=db;User ID=a;User ID=b', { user: 'b' }],
  ['jdbc:sqlserver://db;user=a;password=b;password=c', { user: 'a', password: 'c' }],
  ['DSN=sales;Server=db;Uid=a;Pwd={b;c};Pwd=d', { user: 'a', password: 'b;c' }],
  ['FILEDSN=sales.dsn;Server=db;Uid=a;Password=b;Pwd=c', { user: 'a', password: 'b' }],
  ['Server=np:\\\\h\\pipe\\sql\\query;Uid=a', { server: 'np:\\\\h\\pipe\\sql\\query', user: 'a' }],
  ['Server=\\\\.\\pipe\\sql\\query;Uid=a', { server: '\\\\.\\pipe\\sql\\query', user: 'a' }],
];

describe('a connection string', () => {
  for (const [text, answers] of READ)
    it(`is read: ${text.slice(0, 60)}`, () => {
      assert.equal(isConnectionString(text), true);
      assert.deepEqual(read(text), { server: 'db', authentication: 'sql', ...answers });
    });

  for (const [text, sentence] of [
    ['Password=p4ss', 'This connection string names no server.'],
    ['Server=;Password=p4ss', 'This connection string names no server.'],
    ['Server=db;p4ss', 'This connection string cannot be read: its part 2 has no = sign.'],
    ["Server=db;Password='p4ss", tellQuotes(2)],
    ['Server=db;Password="p4"ss"', tellQuotes(2)],
    ['Server=db;Password= "p4"ss', tellQuotes(2)],
    ['Driver=x;Server=db;Pwd={p4ss', tellQuotes(3)],
    ['Server=db;Encrypt=p4ss', 'Encrypt in this connection string is neither yes nor no.'],
    [
      'Server=db;Trust Server Certificate=p4ss',
      'Trust Server Certificate in this connection string is neither yes nor no.',
    ],
    ...(['p4ss', '-1', '1e10', '100000'] as const).map(
      (timeout) =>
        [
          `Server=db;Connect Timeout=${timeout}`,
          'Connect Timeout in this connection string is not a number of seconds that can be used. Give a whole number from 0 to 99,999.',
        ] as const,
    ),
  ] as const)
    it(`that is damaged is told in one sentence without its values: ${text}`, () => {
      assert.throws(() => readConnectionString(text), { message: sentence });
    });

  const hint = 'Put a password that has a semicolon in quotes.';
  for (const [text, ...told] of [
    [
      'Application Name=x;Pooling=true;Failover Partner=db2;Persist Security Info=False;MARS_Connection=no;Driver={x}',
      'Not used from the connection string: Application Name, Pooling, Failover Partner.',
    ],
    [
      'HostNameInCertificate=*.database.windows.net',
      'Not used from the connection string: HostNameInCertificate.',
    ],
    ['Persist Security Info=True', 'Not used from the connection string: Persist Security Info.'],
    ['UID=u;PWD=ab;cd=ef', `1 part of the connection string has an unknown keyword. ${hint}`],
    ['Integrated Security=true'],
    ['UID=a;Server SPN=MSSQLSvc/db:1433', 'Not used from the connection string: Server SPN.'],
    ['Integrated Security=true;User ID=C\\a;Password=x'],
    [
      'Authentication=Active Directory Managed Identity',
      'This way to sign in to Microsoft Entra is not supported. A signed-in account is used.',
    ],
    ['Authentication=Kerberos', 'This kind of authentication is not supported. Choose another.'],
    ['UID=a;Encrypt=yes'],
  ])
    it(`names what of it is not used or cannot be done, and nothing else: ${text}`, () => {
      assert.deepEqual(notices(`Server=db;${text}`), told);
    });

  for (const [text, ...questions] of [
    ['Server=db'],
    ['Server=db;UID=a', 'authentication', 'login'],
    ['Server=db;UID=C\\a;PWD=x'],
    [
      'Server=db;UID=a;PWD=x;Encrypt=yes;TrustServerCertificate=yes',
      'authentication',
      'login',
      'password',
      'encryption',
      'trust',
    ],
    ['Server=db;Integrated Security=SSPI', 'authentication', 'login'],
  ] as const)
    it(`answers the questions that it says something about: ${text}`, () => {
      assert.deepEqual(readConnectionString(text).answered, new Set(['database', 'tenant', ...questions]));
    });

  it('that asks for less than encryption is read as mandatory, which is told', () => {
    for (const word of ['no', 'False', 'Optional', '0']) {
      const text = `Server=db;UID=a;PWD=x;Encrypt=${word}`;
      assert.equal(read(text).encrypt, 'mandatory', word);
      assert.deepEqual(notices(text), [
        `Checkpoint Health always encrypts. Encrypt=${word} is read as mandatory encryption.`,
      ]);
      assert.ok(readConnectionString(text).answered.has('encryption'), word);
    }
  });

  it('that trusts any certificate does not do so with Microsoft Entra, which is told', () => {
    const text = 'Server=db;Authentication=Active Directory Default;TrustServerCertificate=yes';
    assert.equal(read(text).trustServerCertificate, false);
    assert.match(
      notices(text).join(),
      /^TrustServerCertificate is not used\. A Microsoft Entra token goes only/,
    );
    assert.deepEqual(notices(text.replace('yes', 'no')), []);
  });

  it('is told from an address', () => {
    for (const text of ['sql01', 'tcp:sql01,1433', 'sql01\\PROD', '[::1],1433', '(local)'])
      assert.equal(isConnectionString(text), false, text);
  });
});

describe('a connection string that is pasted as the first answer', () => {
  const whole =
    'Server=tcp:db.example.com,1433;Initial Catalog=Sales;User ID=ann;Password="a;b";Encrypt=True;TrustServerCertificate=False;';

  it('leaves nothing to ask', async () => {
    const input = new FakeInput([whole]);
    assert.deepEqual(await ask(input), {
      server: 'tcp:db.example.com,1433',
      authentication: 'sql',
      user: 'ann',
      password: 'a;b',
      database: 'Sales',
      encrypt: 'mandatory',
      trustServerCertificate: false,
      name: 'db.example.com',
    });
    assert.deepEqual([input.steps, input.told], [['1/3'], []]);
  });

  it('leaves to ask what it does not say', async () => {
    const input = new FakeInput(['Data Source=sql01;UID=ann;App=x', 'p4ss']);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Paste', 'Password']);
    assert.deepEqual([answers?.user, answers?.password, answers?.name], ['ann', 'p4ss', 'sql01']);
    assert.deepEqual(input.told, ['Not used from the connection string: App.']);
  });

  it('lets everything be asked once the user goes back, without the string and its password', async () => {
    const input = new FakeInput(['Server=db.example.com;UID=ann', back, back, leave]);
    await ask(input);
    assert.deepEqual(input.asked, ['Paste', 'Password', 'Type', 'Paste']);
    assert.equal(input.values.at(-1), 'db.example.com');
  });

  it('that is damaged is told in one sentence, and stays in the box', async () => {
    const input = new FakeInput([
      'Server=sql01;Password="secret',
      'Password=secret',
      'Server=np:x;Password=secret',
      leave,
    ]);
    assert.equal(await askServer(input, add, onlyTcp), undefined);
    assert.deepEqual(input.complaints, [
      tellQuotes(2),
      'This connection string names no server.',
      'Only TCP.',
    ]);
  });

  it('changes a server that is edited and keeps its name; its password only where address and login are the same', async () => {
    const same = new FakeInput(['Server=tcp:SQL01,1500;User ID=sa;Encrypt=Strict', '', 'keep', 'keep']);
    const answers = await ask(same, edit());
    assert.deepEqual([answers?.name, answers?.password, answers?.encrypt], ['Prod', undefined, 'strict']);
    const other = new FakeInput(['Server=sql02;User ID=sa;Encrypt=Strict', '', 'n3w', 'keep', 'keep']);
    assert.equal((await ask(other, edit()))?.password, 'n3w');
    assert.deepEqual(other.complaints, ['Type the password of the login.']);
  });

  it('with a name that is no login of its kind asks for both the login and its password', async () => {
    const pasted = 'Server=sql01;Authentication=SqlPassword;User ID=C\\ann;Password=x;Encrypt=Strict';
    const input = new FakeInput([pasted, 'sa', 'p4ss']);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Paste', 'Type', 'Password']);
    assert.deepEqual([answers?.user, answers?.password], ['sa', 'p4ss']);
  });

  it('that logs in as yourself asks nothing more, and keeps a name of the domain for the server', async () => {
    const pasted =
      'Server=alias;Integrated Security=SSPI;Encrypt=Strict;Server SPN=MSSQLSvc/real.contoso.com:1433';
    const input = new FakeInput([pasted]);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Paste']);
    const { authentication, user, serverSpn } = describeAnswers(answers ?? newAnswers, '1');
    assert.deepEqual([authentication, user, serverSpn], ['integrated', '', 'MSSQLSvc/real.contoso.com:1433']);
    const moved = await ask(
      new FakeInput(['sql02', 'keep', 'keep', 'keep', 'keep', 'keep']),
      edit(describeAnswers(answers ?? newAnswers, '1')),
    );
    assert.equal(moved?.serverSpn, undefined);
  });

  it('names the host in the certificate, which another address typed later does not keep', async () => {
    const pasted = 'Server=sql01;User ID=sa;Password=x;Encrypt=Strict;HostNameInCertificate=sql.contoso.com';
    assert.equal((await ask(new FakeInput([pasted])))?.hostNameInCertificate, 'sql.contoso.com');
    const kept = { ...saved, hostNameInCertificate: 'sql.contoso.com' };
    const change = (address: string): FakeInput =>
      new FakeInput([address, 'keep', 'p4ss', 'keep', 'keep', 'keep', 'keep', 'keep']);
    assert.equal((await ask(change('sql02'), edit(kept)))?.hostNameInCertificate, undefined);
    assert.equal((await ask(change('keep'), edit(kept)))?.hostNameInCertificate, 'sql.contoso.com');
  });
});
