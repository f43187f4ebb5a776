import assert from 'node:assert/strict';
import { back, type FormRules } from '../../../src/shell/servers/server-questions';
import { askServer } from '../../../src/shell/servers/server-form';
import type { ConnectionRules } from '../../../src/shell/servers/connection-rules';
import { newAnswers } from '../../../src/shell/servers/server-answers';
import { nothingForbidden } from '../fake-editor';
import { add, anything, ask, edit, FakeInput, keepIt, leave, onlyTcp, plain } from './form-bench';

describe('the questions of Add Server', () => {
  it('gather a server, encrypted and checked unless the user says otherwise', async () => {
    const input = new FakeInput([...plain]);
    assert.deepEqual(await ask(input), {
      server: 'sql01',
      authentication: 'sql',
      user: 'dba',
      password: 'p4ss',
      asksPassword: false,
      database: '',
      encrypt: 'mandatory',
      trustServerCertificate: false,
      name: 'sql01',
    });
    assert.deepEqual(input.steps, ['1/9', '2/9', '3/9', '4/9', '5/9', '6/9', '7/9', '8/9', '9/9']);
  });

  it('use the words Mandatory and Strict, offer nothing less, and make trust a choice of its own', async () => {
    const input = new FakeInput([...plain.slice(0, 6), 'Mandatory', 'Trust the server certificate', 'Test']);
    const answers = await ask(input);
    assert.deepEqual([answers?.encrypt, answers?.trustServerCertificate, answers?.name], ['mandatory', true, 'Test']);
    assert.deepEqual(input.offered.slice(2), [
      ['Mandatory', 'Strict'],
      ['Check the certificate', 'Trust the server certificate'],
    ]);
  });

  it('ask whether to keep the password', async () => {
    const input = new FakeInput([...plain.slice(0, 4), 'Ask in each window', ...plain.slice(5)]);
    assert.equal((await ask(input))?.asksPassword, true);
    assert.deepEqual(input.offered[1], [keepIt, 'Ask in each window']);
  });

  it('hide a connection string on the screen as soon as a password may stand in it', async () => {
    const input = new FakeInput([...plain]);
    await ask(input);
    const covers = (text: string): boolean | undefined => input.questions[0]?.hides?.(text);
    for (const text of ['Server=h;Password=', 'server=h;PWD = x', 'jdbc:sqlserver://h;password={x}', 'User Password =x'])
      assert.equal(covers(text), true, text);
    for (const text of ['', 'sql01,1433', 'Server=h;User ID=sa']) assert.equal(covers(text), false, text);
  });

  it('leave no choice about the certificate with Strict, also on the way back', async () => {
    const input = new FakeInput([...plain.slice(0, 6), 'Strict', back, 'keep', 'Name']);
    const answers = await ask(input);
    assert.deepEqual([answers?.encrypt, answers?.trustServerCertificate, answers?.name], ['strict', false, 'Name']);
    assert.deepEqual(input.asked.slice(6), ['Encryption', 'Name', 'Encryption', 'Name']);
  });

  it('ask a Windows login for its domain, and for its password', async () => {
    const input = new FakeInput(['sql01', 'Windows Login', 'ann', 'CONTOSO\\ann', 'p4ss', 'keep', 'Sales', 'keep', 'keep', 'keep']);
    const answers = await ask(input);
    assert.deepEqual(
      [answers?.authentication, answers?.user, answers?.password, answers?.database],
      ['windows', 'CONTOSO\\ann', 'p4ss', 'Sales'],
    );
    assert.deepEqual(input.complaints, ['Type a Windows login as DOMAIN\\user.']);
  });

  it('ask for account and tenant of Microsoft Entra, for no password, and never to trust a certificate', async () => {
    const input = new FakeInput(['sql01', 'Microsoft Entra', '', 'contoso.com', 'Sales', 'keep', 'keep']);
    const answers = await ask(input);
    assert.deepEqual([answers?.authentication, answers?.user, answers?.tenant, answers?.password], ['entra', '', 'contoso.com', undefined]);
    assert.deepEqual(input.asked, ['Server', 'Kind', 'Account', 'Tenant', 'Database', 'Encryption', 'Name']);
    assert.deepEqual(input.offered[1], ['Mandatory', 'Strict']);
  });

  it('do nothing when the user leaves, at whatever question', async () => {
    for (let at = 0; at < plain.length; at++) assert.equal(await ask(new FakeInput([...plain.slice(0, at), leave])), undefined);
  });

  it('keep what was typed on the way back', async () => {
    const input = new FakeInput(['sql01', back, 'keep', 'keep', 'dba', back, ...plain.slice(2)]);
    assert.equal((await ask(input))?.server, 'sql01');
    assert.deepEqual(input.values.slice(0, 6), ['', 'sql', 'sql01', 'sql', '', '']);
  });

  it('say what is wrong and wait for another answer', async () => {
    const answers = [' ', 'np:x', 'mssql://u:secret@h', 'sql01', 'keep', '', 'A\\b', 'dba', '', 'p4ss', 'keep', '', 'keep', 'keep', 'keep'];
    const input = new FakeInput(answers);
    const given = await askServer(input, add, onlyTcp);
    assert.equal(given?.server, 'sql01');
    assert.deepEqual(input.complaints, [
      'Type the name or address of the server.',
      'Only TCP.',
      'Write the server as host,port, or paste a connection string.',
      'Type the name of a SQL login.',
      'A SQL login has no domain. Go back and choose Windows Login.',
      'Type the password of the login.',
    ]);
  });

  it('begin with what is known of a server that was reached in another way, and ask for its password', async () => {
    const known = { title: 'Connect to Prod', answers: { ...newAnswers, name: 'Prod', server: 'sql01,1500', user: 'sa' }, isEdit: false };
    const input = new FakeInput(['keep', 'keep', 'keep', '', 'p4ss', 'keep', '', 'keep', 'keep', 'keep']);
    const answers = await ask(input, known);
    assert.deepEqual([answers?.name, answers?.server, answers?.user, answers?.password], ['Prod', 'sql01,1500', 'sa', 'p4ss']);
    assert.deepEqual(input.complaints, ['Type the password of the login.']);
  });
});

describe('the questions of Edit Server', () => {
  it('show the kept values, and never the password', async () => {
    const input = new FakeInput(['keep', 'keep', 'keep', '', 'keep', 'keep', 'keep', 'keep', 'keep']);
    const answers = await ask(input, edit());
    assert.deepEqual(input.values, ['sql01,1500', 'sql', 'sa', '', false, '', 'mandatory', 'remembered', 'Prod']);
    assert.deepEqual([answers?.password, answers?.server, answers && 'port' in answers], [undefined, 'sql01,1500', false]);
  });

  for (const [what, answers] of [
    ['login', ['keep', 'keep', 'other', '', 'n3w', 'keep', 'keep', 'keep', 'keep', 'keep']],
    ['kind of login', ['keep', 'Windows Login', 'C\\sa', '', 'n3w', 'keep', 'keep', 'keep', 'keep', 'keep']],
    ['host', ['sql02,1500', 'keep', 'keep', '', 'n3w', 'keep', 'keep', 'keep', 'keep', 'keep']],
    ['port', ['sql01', 'keep', 'keep', '', 'n3w', 'keep', 'keep', 'keep', 'keep', 'keep']],
    ['instance', ['sql01\\A', 'keep', 'keep', '', 'n3w', 'keep', 'keep', 'keep', 'keep', 'keep']],
  ] as const) {
    it(`ask for the password of another ${what}: the stored one is not its own`, async () => {
      const input = new FakeInput([...answers]);
      assert.equal((await ask(input, edit()))?.password, 'n3w');
      assert.deepEqual(input.complaints, ['Type the password of the login.']);
    });
  }
});

describe('the certificate of a server that is edited', () => {
  const through = (...rest: string[]): FakeInput => new FakeInput(['keep', 'keep', 'keep', '', 'keep', 'keep', ...rest]);

  it('stays the remembered one unless the user chooses otherwise', async () => {
    const input = through('keep', 'keep', 'keep');
    assert.equal((await ask(input, edit()))?.trustedCertificate, 'AB:CD');
    assert.deepEqual(input.offered.at(-1), ['Check the certificate', 'Trust the remembered certificate', 'Trust the server certificate']);
  });

  it('is forgotten when the user chooses once more to trust what the server shows, or to check it', async () => {
    const again = await ask(through('keep', 'Trust the server certificate', 'keep'), edit());
    assert.deepEqual([again?.trustServerCertificate, again?.trustedCertificate], [true, undefined]);
    const checked = await ask(through('keep', 'Check the certificate', 'keep'), edit());
    assert.deepEqual([checked?.trustServerCertificate, checked?.trustedCertificate], [false, undefined]);
  });

  it('is forgotten with the address', async () => {
    const input = new FakeInput(['sql02', 'keep', 'keep', 'p4ss', 'keep', 'keep', 'keep', 'keep', 'keep']);
    assert.equal((await ask(input, edit()))?.trustedCertificate, undefined);
  });
});

describe("the login of this computer's own user", () => {
  it('is said to need a password where the kind of login is chosen, before anything is typed for it', async () => {
    const seen: string[] = [];
    const input = new FakeInput(['sql01', leave]);
    const choose = input.askChoice.bind(input);
    input.askChoice = (question) => {
      seen.push(question.placeholder, ...question.choices.map(({ label, detail }) => `${label}: ${detail}`));
      return choose(question);
    };
    await ask(input, add, anything);
    const windows = seen.find((text) => text.startsWith('Windows Login'));
    assert.match(
      windows ?? '',
      /by its name and password: DOMAIN\\user, by NTLM\. You cannot log in as yourself without typing a password\.$/,
    );
    seen.length = 0;
    const forbidding = { ...anything, rules: { ...nothingForbidden, allowNtlm: false } };
    input.askText = async () => 'sql01';
    await ask(input, add, forbidding);
    assert.equal(seen[0], 'Kind of login; your administrator does not allow Windows logins here');
  });
});

describe('what an administrator forbids', () => {
  const under = (forbidden: Partial<ConnectionRules>): FormRules => ({ ...anything, rules: { ...nothingForbidden, ...forbidden } });

  it('is not offered', async () => {
    const rules = under({ allowTrustServerCertificate: false, allowStoredPasswords: false, allowNtlm: false });
    const input = new FakeInput(['keep', 'keep', 'keep', '', 'keep', 'keep', 'keep']);
    const answers = await ask(input, edit(), rules);
    assert.deepEqual(input.offered, [
      ['SQL Login', 'Microsoft Entra'],
      ['Mandatory', 'Strict'],
    ]);
    assert.equal(answers?.trustServerCertificate, false);
  });

  it('is refused in the box, also in a connection string', async () => {
    const rules = under({ allowTrustServerCertificate: false, allowNtlm: false, allowedHosts: ['sql01'] });
    const given = ['sql02', 'Server=sql02;UID=a', 'Server=sql01;UID=a;TrustServerCertificate=yes', 'Server=sql01;UID=C\\a', leave];
    const input = new FakeInput(given);
    await ask(input, add, rules);
    assert.deepEqual(
      input.complaints.map((sentence) => /connections\.(\w+)/.exec(sentence)?.[1]),
      ['allowedHosts', 'allowedHosts', 'allowTrustServerCertificate', 'allowNtlm'],
    );
  });
});
