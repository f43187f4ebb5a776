import assert from 'node:assert/strict';
import { back, type FormRules } from '../../../src/shell/servers/server-questions';
import type { ConnectionRules } from '../../../src/gate/connection-rules';
import { describeAnswers, newAnswers, type ServerAnswers } from '../../../src/shell/servers/server-answers';
import { nothingForbidden } from '../fake-editor';
import { takesPassword } from '../../../src/hosts/host';
import { add, anything, ask, edit, FakeInput, keepIt, leave, onlyTcp, saved } from './form-bench';

const onWindows = { ...anything, isWindows: true };
/** Address, login, password. */
const plain = ['sql01', 'dba', 'p4ss'];
/**
 * The same of a server that is edited and stays as it is; then whether to keep the password, database, encryption,
 * certificate, name.
 */
const kept = ['keep', 'keep', '', 'keep', 'keep', 'keep', 'keep', 'keep'];

describe('the questions of Add Server', () => {
  it('are three, and gather a server that is encrypted and checked', async () => {
    const input = new FakeInput([...plain]);
    assert.deepEqual(await ask(input), {
      server: 'sql01',
      authentication: 'sql',
      user: 'dba',
      password: 'p4ss',
      encrypt: 'mandatory',
      trustServerCertificate: false,
      name: 'sql01',
    });
    assert.deepEqual(input.steps, ['1/3', '2/3', '3/3']);
    assert.match(input.texts[0]!.prompt, /^Paste a connection string, or type the server/);
  });

  it('say that the password will be kept, where an administrator allows that', async () => {
    for (const [allowStoredPasswords, prompt] of [
      [
        true,
        /^Password of login dba\. Kept in the editor's secret storage once the server has accepted it; Edit Server changes that\.$/,
      ],
      [false, /^Password of login dba$/],
    ] as const) {
      const input = new FakeInput([...plain]);
      await ask(input, add, { ...anything, rules: { ...nothingForbidden, allowStoredPasswords } });
      assert.match(input.texts[1]!.prompt, prompt);
    }
  });

  it('hide a connection string on the screen as soon as a password may stand in it', async () => {
    const input = new FakeInput([...plain]);
    await ask(input);
    const covers = (text: string): boolean | undefined => input.texts[0]?.hides?.(text);
    for (const text of [
      'Server=h;Password=',
      'server=h;PWD = x',
      'jdbc:sqlserver://h;password={x}',
      'User Password =x',
      'Pass Word=x',
    ])
      assert.equal(covers(text), true, text);
    for (const text of ['Server=h;Pass=x', 'Server=h;AccessToken=x', 'mssql://sa:x@h'])
      assert.equal(covers(text), true, text);
    for (const text of ['', 'sql01,1433', 'Server=h;User ID=sa']) assert.equal(covers(text), false, text);
  });

  describe('are at most three,', () => {
    const ado = 'Data Source=sql01;Initial Catalog=app';
    const odbc = 'Driver={ODBC Driver 18 for SQL Server};Server=tcp:sql01,1433';
    const jdbc = 'jdbc:sqlserver://sql01:1433;databaseName=app';
    for (const [pasted, ...rest] of [
      ['sql01', 'sa', 'p4ss'],
      ['sql01,1500', 'CONTOSO\\ann', 'p4ss'],
      ['sql01\\PROD', 'As Yourself'],
      ['shop.database.windows.net', 'ann@contoso.com'],
      [ado, 'sa', 'p4ss'],
      [`${ado};User ID=sa`, 'p4ss'],
      [`${ado};User ID=CONTOSO\\ann;Password=p4ss`, 'keep', 'keep'],
      [`${ado};User ID=sa;Password=p4ss;TrustServerCertificate=true`],
      [`${ado};Integrated Security=SSPI`],
      [`${ado};Authentication=Active Directory Default`],
      [`${ado};Authentication=Kerberos`, 'sa', 'p4ss'],
      [odbc, 'sa', 'p4ss'],
      [`${odbc};Uid=sa;Pwd={p4;ss}`],
      [`${odbc};Uid=CONTOSO\\ann;Trusted_Connection=yes`, 'p4ss'],
      [`${odbc};Trusted_Connection=yes`],
      [jdbc, 'CONTOSO\\ann', 'p4ss'],
      [`${jdbc};user=sa`, 'p4ss'],
      [`${jdbc};integratedSecurity=true;authenticationScheme=NTLM;domain=CONTOSO;user=ann`, 'p4ss'],
      [`${jdbc};integratedSecurity=true`],
    ] as const)
      it(`and ${rest.length + 1} after ${pasted}`, async () => {
        const input = new FakeInput([pasted, ...rest]);
        const answers = await ask(input);
        assert.notEqual(answers, undefined);
        assert.deepEqual(
          [input.asked.length, input.complaints, takesPassword(answers ?? newAnswers)],
          [rest.length + 1, [], answers?.password !== undefined],
        );
      });
  });

  it('tell the kind of login by its name, and offer every other that the name fits', async () => {
    const input = new FakeInput(['sql01', leave]);
    await ask(input);
    const list = input.choices[0]?.typed?.list ?? assert.fail();
    const offered = (typed: string): readonly string[] => list(typed).map(({ label }) => label);
    // Whether the certificate is checked is chosen here, before the password.
    assert.deepEqual(
      list('sa').map(({ detail }) => /^(Connect only if an authority|Accept and remember)/.test(detail)),
      [true, true, false, false],
    );
    const trusting = (login: string): string => `${login}, and trust the server certificate`;
    const without = ['Microsoft Entra', 'As Yourself'];
    assert.deepEqual(offered(''), ['SQL Login', 'Windows Login (NTLM)', ...without]);
    assert.deepEqual(offered(' sa '), ['SQL Login: sa', trusting('SQL Login: sa'), ...without]);
    const windows = 'Windows Login (NTLM): CONTOSO\\ann';
    assert.deepEqual(offered('CONTOSO\\ann'), [windows, trusting(windows), ...without]);
    assert.deepEqual(offered('CONTOSO\\'), ['SQL Login', 'Windows Login (NTLM)', ...without]);
    assert.deepEqual(
      offered('ann@contoso.com').filter((label) => !label.includes('trust')),
      ['Microsoft Entra', 'SQL Login', 'Windows Login (NTLM)']
        .map((kind) => `${kind}: ann@contoso.com`)
        .concat('As Yourself'),
    );
  });

  it('trust the certificate of a new server by the choice of its login, if the user wants that', async () => {
    const input = new FakeInput(['sql01', leave]);
    await ask(input);
    const offered = input.choices[0]?.typed?.list('sa').slice(0, 2) as { value: ServerAnswers }[];
    assert.deepEqual(
      offered.map(({ value }) => [value.user, value.trustServerCertificate]),
      [
        ['sa', false],
        ['sa', true],
      ],
    );
  });

  it('wait for a name that is one', async () => {
    const input = new FakeInput(['sql01', '', '\\ann', 'CONTOSO\\ann', 'p4ss']);
    const answers = await ask(input);
    assert.deepEqual(
      [answers?.authentication, answers?.user, answers?.password],
      ['windows', 'CONTOSO\\ann', 'p4ss'],
    );
    assert.match(input.complaints.join(), /^Type its name above[^,]*,[^,]*,Type its name above/);
  });

  it('ask Microsoft Entra for no password, and where it is edited for its tenant, and never to trust a certificate', async () => {
    const input = new FakeInput(['sql01', 'Microsoft Entra']);
    const answers = await ask(input);
    assert.deepEqual([answers?.authentication, answers?.user, answers?.password], ['entra', '', undefined]);
    assert.deepEqual(input.asked, ['Paste', 'Type']);
    const edited = new FakeInput(Array.from({ length: 6 }, () => 'keep'));
    await ask(edited, edit({ ...saved, authentication: 'entra', user: 'Ann' }));
    assert.deepEqual(edited.asked, ['Paste', 'Type', 'Tenant', 'Database', 'Encryption', 'Name']);
  });

  it('do nothing when the user leaves, at whatever question', async () => {
    for (let at = 0; at < plain.length; at++)
      assert.equal(await ask(new FakeInput([...plain.slice(0, at), leave])), undefined);
  });

  it('keep what was typed on the way back', async () => {
    const input = new FakeInput(['sql01', back, 'keep', 'dba', back, 'keep', 'p4ss']);
    assert.equal((await ask(input))?.server, 'sql01');
    assert.deepEqual(input.values, ['', '', 'sql01', '', '', 'dba', '']);
  });

  it('say what is wrong and wait for another answer', async () => {
    const answers = [' ', 'np:x', 'mssql://u:secret@h', 'sql01', 'dba', '', 'p4ss'];
    const input = new FakeInput(answers);
    const given = await ask(input, add, onlyTcp);
    assert.equal(given?.server, 'sql01');
    assert.deepEqual(input.complaints, [
      'Type the name or address of the server.',
      'Only TCP.',
      'Write the server as host,port, or paste a connection string.',
      'Type the password of the login.',
    ]);
  });

  it('of a server that was reached in another way leave out what is known of it', async () => {
    const known = {
      title: 'Connect to Prod',
      answers: { ...newAnswers, name: 'Prod', server: 'sql01,1500', user: 'sa' },
      isEdit: false,
    };
    const input = new FakeInput(['', 'p4ss']);
    const answers = await ask(input, known);
    assert.deepEqual(
      [answers?.name, answers?.server, answers?.user, answers?.password],
      ['Prod', 'sql01,1500', 'sa', 'p4ss'],
    );
    assert.deepEqual([input.complaints, input.steps], [['Type the password of the login.'], ['1/1']]);
    const asked = async (answers: Partial<ServerAnswers>, rules = anything): Promise<readonly string[]> => {
      const left = new FakeInput([leave]);
      await ask(left, { ...known, answers: { ...known.answers, ...answers } }, rules);
      return left.asked;
    };
    const integrated = { authentication: 'integrated', user: '' } as const;
    assert.deepEqual(await asked(integrated), []);
    assert.deepEqual(await asked({ user: '' }), ['Type']);
    const forbidden = { ...anything, rules: { ...nothingForbidden, allowIntegrated: false } as const };
    assert.deepEqual(await asked(integrated, forbidden), ['Type']);
    assert.deepEqual(await asked({ server: 'np:x' }, onlyTcp), ['Paste']);
  });
});

describe('the questions of Edit Server', () => {
  it('show the kept values, and never the password', async () => {
    const input = new FakeInput([...kept]);
    const answers = await ask(input, edit());
    assert.deepEqual(input.values, ['sql01,1500', 'sa', '', false, '', 'mandatory', 'remembered', 'Prod']);
    assert.deepEqual(
      [answers?.password, answers?.server, answers && 'port' in answers],
      [undefined, 'sql01,1500', false],
    );
  });

  it('use the words Mandatory and Strict, offer nothing less, and leave no choice about the certificate with Strict', async () => {
    const input = new FakeInput([...kept.slice(0, 5), 'Strict', back, 'keep', 'Name']);
    const answers = await ask(input, edit());
    assert.deepEqual(
      [answers?.encrypt, answers?.trustServerCertificate, answers?.name],
      ['strict', true, 'Name'],
    );
    assert.deepEqual(input.asked.slice(5), ['Encryption', 'Name', 'Encryption', 'Name']);
    assert.deepEqual(input.offered[2], ['Mandatory', 'Strict']);
  });

  it('ask whether to keep the password', async () => {
    const input = new FakeInput([...kept.slice(0, 3), 'Ask in each window', ...kept.slice(4)]);
    assert.equal((await ask(input, edit()))?.asksPassword, true);
    assert.deepEqual(input.offered[1], [keepIt, 'Ask in each window']);
  });

  for (const [what, ...changed] of [
    ['login', 'keep', 'other'],
    ['kind of login', 'keep', 'C\\sa'],
    ['host', 'sql02,1500', 'keep'],
    ['port', 'sql01', 'keep'],
    ['instance', 'sql01\\A', 'keep'],
  ])
    it(`ask for the password of another ${what}: the stored one is not its own`, async () => {
      const input = new FakeInput([...changed, '', 'n3w', ...kept.slice(3)]);
      assert.equal((await ask(input, edit()))?.password, 'n3w');
      assert.deepEqual(input.complaints, ['Type the password of the login.']);
    });
});

describe('the certificate of a server that is edited', () => {
  const choices = [
    'Check the certificate',
    'Trust the remembered certificate',
    'Trust the server certificate',
  ];
  for (const [what, choice, trusts, remembered] of [
    ['stays the remembered one unless the user chooses otherwise', 'keep', true, 'AB:CD'],
    [
      'is forgotten when the user chooses once more to trust what the server shows',
      choices[2],
      true,
      undefined,
    ],
    ['is forgotten when the user chooses to check it', choices[0], false, undefined],
  ] as const)
    it(what, async () => {
      const input = new FakeInput([...kept.slice(0, 6), choice, 'keep']);
      const answers = await ask(input, edit());
      assert.deepEqual([answers?.trustServerCertificate, answers?.trustedCertificate], [trusts, remembered]);
      assert.deepEqual(input.offered.at(-1), choices);
    });

  it('is forgotten with the address, and so are its trust and a password that was typed', async () => {
    const moved = await ask(new FakeInput(['sql02', 'keep', 'p4ss', ...kept.slice(3)]), edit());
    assert.deepEqual([moved?.trustedCertificate, moved?.trustServerCertificate], [undefined, false]);
    for (const other of [['Server=prod;UID=sa'], ['prod', 'sa']]) {
      const input = new FakeInput(['Server=lab;PWD=p;TrustServerCertificate=1', back, ...other, 'own']);
      const answers = await ask(input);
      assert.deepEqual([answers?.trustServerCertificate, input.values.at(-1)], [false, '']);
    }
  });

  it('stays trusted where a connection string names the same address', async () => {
    const input = new FakeInput(['Server=tcp:SQL01,1500;UID=sa;PWD=p', ...kept.slice(3)]);
    assert.equal((await ask(input, edit()))?.trustServerCertificate, true);
  });
});

describe('a login as yourself', () => {
  const listKinds = async (rules: FormRules): Promise<readonly string[]> => {
    const input = new FakeInput(['sql01', leave]);
    await ask(input, add, rules);
    return input.offered[0] ?? assert.fail('no kind of login was offered');
  };
  const others = ['SQL Login', 'Windows Login (NTLM)', 'Microsoft Entra'];

  it('takes two questions, of which none is for a name or a password', async () => {
    const input = new FakeInput(['sql01', 'As Yourself']);
    assert.deepEqual(describeAnswers((await ask(input, add, onWindows)) ?? newAnswers, '1'), {
      id: '1',
      name: 'sql01',
      server: 'sql01',
      authentication: 'integrated',
      user: '',
      encrypt: 'mandatory',
      trustServerCertificate: false,
    });
    assert.deepEqual(input.asked, ['Paste', 'Type']);
  });

  it('comes first on Windows, which has logged its user in, and last elsewhere, where it takes a ticket', async () => {
    assert.deepEqual(await listKinds(onWindows), ['As Yourself', ...others]);
    assert.deepEqual(await listKinds(anything), [...others, 'As Yourself']);
  });

  it('is not offered where an administrator forbids it, and not in Azure Data Studio', async () => {
    for (const allowIntegrated of [false, 'not in Azure Data Studio'] as const)
      assert.deepEqual(
        await listKinds({ ...onWindows, rules: { ...nothingForbidden, allowIntegrated } }),
        others,
      );
  });

  it('keeps no name and no password of the login that it takes the place of', async () => {
    const input = new FakeInput(['keep', 'As Yourself', ...kept.slice(4)]);
    const server = describeAnswers((await ask(input, edit())) ?? newAnswers, '1');
    assert.deepEqual([server.authentication, server.user], ['integrated', '']);
    assert.deepEqual(input.asked, ['Paste', 'Type', 'Database', 'Encryption', 'The', 'Name']);
  });
});

describe('what an administrator forbids', () => {
  const under = (forbidden: Partial<ConnectionRules>): FormRules => ({
    ...anything,
    rules: { ...nothingForbidden, ...forbidden },
  });

  it('is not offered', async () => {
    const rules = under({
      allowTrustServerCertificate: false,
      allowStoredPasswords: false,
      allowNtlm: false,
    });
    const input = new FakeInput(kept.slice(0, 6));
    assert.equal((await ask(input, edit(), rules))?.trustServerCertificate, false);
    assert.deepEqual(input.offered, [
      ['SQL Login: sa', 'Microsoft Entra', 'As Yourself'],
      ['Mandatory', 'Strict'],
    ]);
  });

  it('is refused in the box, also in a connection string', async () => {
    const rules = under({ allowTrustServerCertificate: false, allowNtlm: false, allowedHosts: ['sql01'] });
    const given = [
      'sql02',
      'Server=sql02;UID=a',
      'Server=sql01;UID=a;TrustServerCertificate=yes',
      'Server=sql01;UID=C\\a',
      leave,
    ];
    const input = new FakeInput(given);
    await ask(input, add, rules);
    const settings = input.complaints.map((sentence) => /connections\.(\w+)/.exec(sentence)?.[1]);
    assert.deepEqual(settings, ['allowedHosts', 'allowedHosts', 'allowTrustServerCertificate', 'allowNtlm']);
  });
});
