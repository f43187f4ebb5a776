import assert from 'node:assert/strict';
import { back, type ChoiceQuestion, type FormInput, type TextQuestion } from '../../../src/shell/servers/form-question';
import type { SavedServer } from '../../../src/shell/servers/saved-servers';
import { answersOf, newAnswers, type ServerAnswers } from '../../../src/shell/servers/server-answers';
import { askServer } from '../../../src/shell/servers/server-form';

const leave = Symbol('leave');

/** Answers questions in order: a text, a choice by its label, `back`, or `leave`. An answer that does not pass its check is written down and the next one taken. */
class FakeInput implements FormInput {
  readonly asked: string[] = [];
  readonly values: unknown[] = [];
  readonly complaints: string[] = [];
  readonly told: string[] = [];
  readonly steps: string[] = [];
  readonly offered: string[][] = [];

  constructor(private readonly answers: unknown[]) {}

  async askText(question: TextQuestion): Promise<string | typeof back | undefined> {
    this.note(question, question.prompt);
    for (;;) {
      const answer = this.answers.shift();
      if (answer === leave || answer === undefined) return undefined;
      if (answer === back) return back;
      const text = answer === 'keep' ? question.value : (answer as string);
      const complaint = question.check(text);
      if (complaint === null) return text;
      this.complaints.push(complaint);
    }
  }

  async askChoice<T>(question: ChoiceQuestion<T>): Promise<T | typeof back | undefined> {
    this.note(question, question.placeholder);
    this.offered.push(question.choices.map(({ label }) => label));
    const answer = this.answers.shift();
    if (answer === leave || answer === undefined) return undefined;
    if (answer === back) return back;
    if (answer === 'keep') return question.value;
    return question.choices.find(({ label }) => label === answer)?.value;
  }

  tell(sentence: string): void {
    this.told.push(sentence);
  }

  private note({ value, step, totalSteps }: TextQuestion | ChoiceQuestion<unknown>, question: string): void {
    this.asked.push(question.split(/[:;( ]/)[0] as string);
    this.values.push(value);
    this.steps.push(`${step}/${totalSteps}`);
  }
}

const anyAddress = (): null => null;
const add = { title: 'Add Server', answers: newAnswers, isEdit: false };
const saved: SavedServer = {
  id: '1',
  name: 'Prod',
  server: 'sql01',
  port: 1500,
  authentication: 'sql',
  user: 'sa',
  encrypt: 'optional',
  trustServerCertificate: true,
};
const edit = (server: SavedServer = saved): typeof add => ({ title: 'Edit Prod', answers: answersOf(server), isEdit: true });
/** Address, kind of login, login, password, database, encryption, certificate, name. */
const plain = ['sql01', 'keep', 'dba', 'p4ss', '', 'keep', 'keep', 'keep'];

async function ask(input: FakeInput, asked = add): Promise<ServerAnswers | undefined> {
  return askServer(input, asked, anyAddress);
}

describe('the questions of Add Server', () => {
  it('gather a server, encrypted and checked unless the user says otherwise', async () => {
    const input = new FakeInput([...plain]);
    assert.deepEqual(await ask(input), {
      server: 'sql01',
      authentication: 'sql',
      user: 'dba',
      password: 'p4ss',
      database: '',
      encrypt: 'mandatory',
      trustServerCertificate: false,
      name: 'sql01',
    });
    assert.deepEqual(input.steps, ['1/8', '2/8', '3/8', '4/8', '5/8', '6/8', '7/8', '8/8']);
  });

  it('use the words Mandatory, Strict and Optional, and make trust a choice of its own', async () => {
    const answers = await ask(new FakeInput([...plain.slice(0, 5), 'Optional', 'Trust the server certificate', 'Test']));
    assert.deepEqual([answers?.encrypt, answers?.trustServerCertificate, answers?.name], ['optional', true, 'Test']);
  });

  it('leave no choice about the certificate with Strict, also on the way back', async () => {
    const input = new FakeInput([...plain.slice(0, 5), 'Strict', back, 'keep', 'Name']);
    const answers = await ask(input);
    assert.deepEqual([answers?.encrypt, answers?.trustServerCertificate, answers?.name], ['strict', false, 'Name']);
    assert.deepEqual(input.asked.slice(5), ['Encryption', 'Name', 'Encryption', 'Name']);
  });

  it('ask a Windows login for its domain, and for its password', async () => {
    const input = new FakeInput(['sql01', 'Windows Login', 'ann', 'CONTOSO\\ann', 'p4ss', 'Sales', 'keep', 'keep', 'keep']);
    const answers = await ask(input);
    assert.deepEqual(
      [answers?.authentication, answers?.user, answers?.password, answers?.database],
      ['windows', 'CONTOSO\\ann', 'p4ss', 'Sales'],
    );
    assert.deepEqual(input.complaints, ['Type a Windows login as DOMAIN\\user.']);
  });

  it('ask for account and tenant of Microsoft Entra, for no password, and never for less than encryption', async () => {
    const input = new FakeInput(['sql01', 'Microsoft Entra', '', 'contoso.com', 'Sales', 'keep', 'keep', 'keep']);
    const answers = await ask(input);
    assert.deepEqual([answers?.authentication, answers?.user, answers?.tenant, answers?.password], ['entra', '', 'contoso.com', undefined]);
    assert.deepEqual(input.asked, ['Server', 'Kind', 'Account', 'Tenant', 'Database', 'Encryption', 'The', 'Name']);
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
    const answers = [' ', 'np:x', 'mssql://u:secret@h', 'sql01', 'keep', '', 'A\\b', 'dba', '', 'p4ss', '', 'keep', 'keep', 'keep'];
    const input = new FakeInput(answers);
    const given = await askServer(input, add, (server) => (server.startsWith('np:') ? 'Only TCP.' : null));
    assert.equal(given?.server, 'sql01');
    assert.deepEqual(input.complaints, [
      'Type the name or address of the server.',
      'Only TCP.',
      'Write the server as host,port, or paste a connection string.',
      'Type the name of a SQL login.',
      'A SQL login has no domain: go back and choose Windows Login.',
      'Type the password of the login.',
    ]);
  });

  it('begin with what is known of a server that was reached in another way, and ask for its password', async () => {
    const known = { title: 'Connect to Prod', answers: { ...newAnswers, name: 'Prod', server: 'sql01,1500', user: 'sa' }, isEdit: false };
    const input = new FakeInput(['keep', 'keep', 'keep', '', 'p4ss', '', 'keep', 'keep', 'keep']);
    const answers = await ask(input, known);
    assert.deepEqual([answers?.name, answers?.server, answers?.user, answers?.password], ['Prod', 'sql01,1500', 'sa', 'p4ss']);
    assert.deepEqual(input.complaints, ['Type the password of the login.']);
  });
});

describe('the questions of Edit Server', () => {
  it('show the kept values, and never the password', async () => {
    const input = new FakeInput(['keep', 'keep', 'keep', '', 'keep', 'keep', 'keep', 'keep']);
    const answers = await ask(input, edit());
    assert.deepEqual(input.values, ['sql01,1500', 'sql', 'sa', '', '', 'optional', true, 'Prod']);
    assert.deepEqual([answers?.password, answers?.server, answers && 'port' in answers], [undefined, 'sql01,1500', false]);
  });

  for (const [what, answers] of [
    ['login', ['keep', 'keep', 'other', '', 'n3w', 'keep', 'keep', 'keep', 'keep']],
    ['kind of login', ['keep', 'Windows Login', 'C\\sa', '', 'n3w', 'keep', 'keep', 'keep', 'keep']],
  ] as const) {
    it(`ask for the password of another ${what}: the stored one is not its own`, async () => {
      const input = new FakeInput([...answers]);
      assert.equal((await ask(input, edit()))?.password, 'n3w');
      assert.deepEqual(input.complaints, ['Type the password of the login.']);
    });
  }
});

describe('a connection string that is pasted as the first answer', () => {
  const whole =
    'Server=tcp:db.example.com,1433;Initial Catalog=Sales;User ID=ann;Password="a;b";Encrypt=True;TrustServerCertificate=False;';

  it('leaves nothing to ask but the name', async () => {
    const input = new FakeInput([whole, 'keep']);
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
    assert.deepEqual([input.asked, input.steps, input.told], [['Server', 'Name'], ['1/8', '2/2'], []]);
  });

  it('leaves to ask what it does not say', async () => {
    const input = new FakeInput(['Data Source=sql01;UID=ann;App=x', 'p4ss', 'keep', 'Trust the server certificate', 'Test']);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Server', 'Password', 'Encryption', 'The', 'Name']);
    assert.deepEqual([answers?.user, answers?.password, answers?.trustServerCertificate], ['ann', 'p4ss', true]);
    assert.deepEqual(input.told, ['Not used from the connection string: App.']);
  });

  it('lets everything be asked once the user goes back, without the string and its password', async () => {
    const input = new FakeInput([whole, back, back, 'Strict', 'Name']);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Server', 'Name', 'The', 'Encryption', 'Name']);
    assert.deepEqual([answers?.encrypt, answers?.password], ['strict', 'a;b']);
    const again = new FakeInput([whole, ...Array.from({ length: 7 }, () => back), leave]);
    await ask(again);
    assert.deepEqual([again.asked.at(-1), again.values.at(-1)], ['Server', 'tcp:db.example.com,1433']);
  });

  it('that is damaged is told in one sentence, and stays in the box', async () => {
    const input = new FakeInput(['Server=sql01;Password="secret', 'Password=secret', 'Server=np:x;Password=secret', leave]);
    assert.equal(await askServer(input, add, (server) => (server.startsWith('np:') ? 'Only TCP.' : null)), undefined);
    assert.deepEqual(input.complaints, [
      'This connection string cannot be read: the quotes around the value of part 2 do not match.',
      'This connection string names no server.',
      'Only TCP.',
    ]);
  });

  it('changes a server that is edited, keeps its name and its password where the login is the same', async () => {
    const input = new FakeInput(['Server=sql02;User ID=sa;Encrypt=False;TrustServerCertificate=True', '', 'keep', 'keep']);
    const answers = await ask(input, edit());
    assert.deepEqual([answers?.server, answers?.name, answers?.password, answers?.encrypt], ['sql02', 'Prod', undefined, 'optional']);
    assert.deepEqual(input.asked, ['Server', 'Password', 'Encryption', 'Name']);
  });

  it('with a name that is no login of its kind asks for both the login and its password', async () => {
    const input = new FakeInput(['Server=sql01;Integrated Security=SSPI;User ID=sa;Password=x;Encrypt=Strict', 'C\\ann', 'p4ss', 'keep']);
    const answers = await ask(input);
    assert.deepEqual(input.asked, ['Server', 'Windows', 'Password', 'Name']);
    assert.deepEqual([answers?.user, answers?.password], ['C\\ann', 'p4ss']);
  });

  it('names the host in the certificate, which another address typed later does not keep', async () => {
    const pasted = 'Server=sql01;User ID=sa;Password=x;Encrypt=Strict;HostNameInCertificate=sql.contoso.com';
    assert.equal((await ask(new FakeInput([pasted, 'keep'])))?.hostNameInCertificate, 'sql.contoso.com');
    const kept = { ...saved, hostNameInCertificate: 'sql.contoso.com' };
    const change = (address: string): FakeInput => new FakeInput([address, 'keep', 'keep', '', 'keep', 'keep', 'keep', 'keep']);
    assert.equal((await ask(change('sql02'), edit(kept)))?.hostNameInCertificate, undefined);
    assert.equal((await ask(change('keep'), edit(kept)))?.hostNameInCertificate, 'sql.contoso.com');
  });
});
