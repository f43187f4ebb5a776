import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describeError } from '../../../src/monitor/queries/failure';
import { redact } from '../../../src/shell/kit/log';
import { assertLinear } from '../../fuzz/cases';
import { createFakeLog } from '../fake-editor';
import { forAll } from '../../for-all';

/** Each holds the secret `Tr0ub4dor` in a shape that reaches logs. */
const shapes = [
  "{ password: 'Tr0ub4dor' }",
  "CREATE CREDENTIAL c WITH IDENTITY = 'SHARED ACCESS SIGNATURE', SECRET = 'Tr0ub4dor'",
  'Authorization: Bearer Tr0ub4dor.Tr0ub4dor',
  'access_token=Tr0ub4dor&x=1',
  'https://store.example/x?sv=1&sig=Tr0ub4dor&se=2',
  '(see odbc+x.y://host/a,mssql://sa:Tr0ub4dor@h:1433/m and a@b)',
  `${'Password=x;'.repeat(60)}Pwd=Tr0ub4dor`,
  'mssql://sa:Tr0ub4dor@sql01:1433/master',
  'AccountKey=Tr0ub4dor==;EndpointSuffix=x',
];

describe('the log', () => {
  for (const shape of shapes) {
    it(`keeps the secret out of: ${shape}`, () => {
      assert.doesNotMatch(redact(shape), /Tr0ub4dor/);
      assert.match(redact(shape), /\*\*\*/);
    });
  }

  const double = (quote: string, secret: string): string => secret.split(quote).join(quote + quote);
  /** Every way to write a secret that may hold anything, with what stands around it. */
  const quotedForms: Readonly<Record<string, (secret: string) => string>> = {
    'ADO.NET, double quotes': (secret) => `Server=h;Password="${double('"', secret)}";Encrypt=true`,
    'ADO.NET, single quotes': (secret) => `Server=h;pwd = '${double("'", secret)}' ;Encrypt=true`,
    'ADO.NET, at the end': (secret) => `Server=h;Password='${double("'", secret)}'`,
    ODBC: (secret) => `Driver={x};Pwd={${double('}', secret)}};Encrypt=yes`,
    JSON: (secret) => JSON.stringify({ user: 'u', password: secret, port: 1433 }),
    'JSON, with line breaks': (secret) => JSON.stringify({ password: secret, port: 1433 }, null, 2),
    'JSON in JSON': (secret) => JSON.stringify({ body: JSON.stringify({ password: secret, port: 1433 }) }),
    'ADO.NET in JSON': (secret) =>
      JSON.stringify({ text: `Server=h;Password="${double('"', secret)}";Encrypt=true` }),
    'T-SQL': (secret) => `ALTER LOGIN x WITH PASSWORD = N'${double("'", secret)}', CHECK_POLICY = OFF`,
    'T-SQL, two of them': (secret) =>
      `PASSWORD = N'${double("'", secret)}' OLD_PASSWORD = '${double("'", secret)}' UNLOCK`,
    'T-SQL, cut off': (secret) => `CREATE LOGIN x WITH PASSWORD = N'${double("'", secret)}`,
    XML: (secret) =>
      `<add connectionString="Server=h;Password=&quot;${secret.replace(/[&"]/g, '')}&quot;;Encrypt=true" />`,
  };
  const plainForms: Readonly<Record<string, (secret: string) => string>> = {
    'without quotes': (secret) => `Server=h;Password=${secret};Encrypt=true`,
    'without quotes, at the end': (secret) => `Server=h;PWD = ${secret}`,
    'in a line among others': (secret) => `first\nServer=h;Password=${secret}\nlast`,
    'in an address': (secret) => `https://u:${secret.replace(/\s/g, '')}@h/x`,
  };
  const anySecret = fc.string({
    minLength: 3,
    maxLength: 30,
    unit: fc.oneof(fc.constantFrom(...`'"{}\\;,&@ =:/\n*)]N`), fc.string({ minLength: 1, maxLength: 1 })),
  });
  // Without quotes a value ends at a semicolon or a line break, and begins with no quote and no blank.
  const plainSecret = anySecret.map((secret) => secret.replace(/[;\r\n]/g, '').replace(/^[\s"'{]+/, ''));

  /** Three characters of the secret that stand in the text, and would not stand there without it. */
  function findTail(form: (secret: string) => string, secret: string): string | undefined {
    const redacted = redact(form(secret));
    const threes = [...secret]
      .map((_, at) => [...secret].slice(at, at + 3).join(''))
      .filter((three) => [...three].length === 3);
    return threes.find(
      (three) =>
        redacted.includes(three) && !form('').includes(three) && !'***'.includes(three) && !/\*/.test(three),
    );
  }

  for (const [forms, secrets] of [
    [quotedForms, anySecret],
    [plainForms, plainSecret],
  ] as const)
    for (const [name, form] of Object.entries(forms))
      it(`leaves no three characters of any password: ${name}`, () => {
        forAll(secrets, 1000, (secret) =>
          assert.equal(findTail(form, secret), undefined, redact(form(secret))),
        );
      });

  for (const [text, expected] of [
    ['Server=h;Password=a b c;Encrypt=true', 'Server=h;Password=***;Encrypt=true'],
    ['https://u:p@ss@h/x', 'https://u:***@h/x'],
    [
      "ALTER LOGIN [x] WITH PASSWORD = N'it''s', CHECK_POLICY = OFF;",
      'ALTER LOGIN [x] WITH PASSWORD = ***, CHECK_POLICY = OFF;',
    ],
    [
      "EXEC(N'CREATE LOGIN x WITH PASSWORD = N''a;b'', CHECK_POLICY = OFF')",
      "EXEC(N'CREATE LOGIN x WITH PASSWORD = ***, CHECK_POLICY = OFF')",
    ],
    ['{"password":"a\\"b;c","port":1433}', '{"password":***,"port":1433}'],
    ['Password=ab;Server=h', 'Password=***;Server=h'],
    ['MSSQL_SA_PASSWORD=x y\nnext', 'MSSQL_SA_PASSWORD=***\nnext'],
    ['Server=h;Password=', 'Server=h;Password='],
  ] as const) {
    it(`loses the secret and keeps the rest: ${text}`, () => {
      assert.equal(redact(text), expected);
    });
  }

  it('keeps a JSON web token out', () => {
    assert.equal(redact('token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_d end'), 'token *** end');
  });

  it('leaves what is no secret as it is', () => {
    const texts = [
      'PROD-SQL07,1433 refused login sa: check the user name and the password in Edit Server (Msg 18456).',
      'CREATE EVENT SESSION [CheckpointHealth] ON SERVER ADD EVENT sqlserver.checkpoint_begin',
      'Server=sql01;Encrypt=true;User ID=sa',
    ];
    for (const text of texts) assert.equal(redact(text), text);
  });

  it('hides a password that it was told of wherever it stands, in every kind of entry', () => {
    const lines: string[] = [];
    const log = createFakeLog(lines);
    log.hide('hunter(2)$&');
    log.info('a hunter(2)$& b');
    log.warn('hunter(2)$&');
    log.error('hunter(2)$&hunter(2)$&');
    log.statement('s', 't', "PRINT 'hunter(2)$&'");
    assert.deepEqual(lines, ['a *** b', '***', '******', "s: t\nPRINT '***'"]);
  });

  it('hides a password that it was told of also as it is written within quotes, JSON and addresses', () => {
    const lines: string[] = [];
    const log = createFakeLog(lines);
    log.hide(`it's "x" y`);
    for (const spelling of [`it''s "x" y`, `it's ""x"" y`, `it's \\"x\\" y`, `it's%20%22x%22%20y`])
      log.info(`<${spelling}>`);
    assert.deepEqual(lines, ['<***>', '<***>', '<***>', '<***>']);
  });

  it('takes no longer for a text that was made to take long than for any other of its length', () => {
    const names = ['pwd=', 'pwd={', "pwd='", 'pwd=&quot;', '   pwd =', "pwd=\\'"];
    for (const piece of [...names, 'a.', 'a://b:', 'a://', 'a://b:c@', 'eyJaaaaaaaa.', 'Bearer '])
      for (const [before, after] of [
        ['', ''],
        ['x', '@'],
      ])
        assertLinear((size) => `${before}${piece.repeat(size)}${after}`, redact);
  });

  it('does not blank out letters for a password of one letter', () => {
    const lines: string[] = [];
    const log = createFakeLog(lines);
    log.hide('a');
    log.info('a database');
    assert.deepEqual(lines, ['a database']);
  });

  it('has a sentence for an error of any kind', () => {
    const sentences = [
      describeError(new Error('It failed.')),
      describeError('why'),
      describeError(new Error('')),
    ];
    assert.deepEqual(sentences, ['It failed.', 'why', 'Something failed, but gave no reason.']);
  });
});
