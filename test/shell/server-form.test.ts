import assert from 'node:assert/strict';
import type { SavedServer } from '../../src/shell/saved-servers';
import { askServer, back, type ChoiceQuestion, type FormInput, type TextQuestion } from '../../src/shell/server-form';

const leave = Symbol('leave');

/** Answers questions in order: a text, a choice by its label, `back`, or `leave`. An answer that does not pass its check is written down and the next one taken. */
class FakeInput implements FormInput {
  readonly asked: string[] = [];
  readonly values: unknown[] = [];
  readonly complaints: string[] = [];

  constructor(private readonly answers: unknown[]) {}

  async askText(question: TextQuestion): Promise<string | typeof back | undefined> {
    this.note(question.prompt, question.value);
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
    this.note(question.placeholder, question.value);
    const answer = this.answers.shift();
    if (answer === leave || answer === undefined) return undefined;
    if (answer === back) return back;
    if (answer === 'keep') return question.value;
    return question.choices.find(({ label }) => label === answer)?.value;
  }

  private note(question: string, value: unknown): void {
    this.asked.push(question.split(/[:;( ]/)[0] as string);
    this.values.push(value);
  }
}

const anyAddress = (): null => null;
const saved: SavedServer = {
  id: '1',
  name: 'Prod',
  server: 'sql01',
  port: 1500,
  user: 'sa',
  encrypt: 'optional',
  trustServerCertificate: true,
};

describe('the questions of Add Server', () => {
  it('gather a server, encrypted and checked unless the user says otherwise', async () => {
    const input = new FakeInput(['sql01', 'dba', 'p4ss', 'keep', 'keep', 'keep']);
    assert.deepEqual(await askServer(input, undefined, anyAddress), {
      server: 'sql01',
      user: 'dba',
      password: 'p4ss',
      encrypt: 'mandatory',
      trustServerCertificate: false,
      name: 'sql01',
    });
  });

  it('use the words Mandatory, Strict and Optional, and make trust a choice of its own', async () => {
    const input = new FakeInput(['sql01', 'dba', 'p4ss', 'Optional', 'Trust the server certificate', 'Test']);
    const answers = await askServer(input, undefined, anyAddress);
    assert.deepEqual([answers?.encrypt, answers?.trustServerCertificate, answers?.name], ['optional', true, 'Test']);
  });

  it('leave no choice about the certificate with Strict, also on the way back', async () => {
    const input = new FakeInput(['sql01', 'dba', 'p4ss', 'Strict', back, 'keep', 'Name']);
    const answers = await askServer(input, undefined, anyAddress);
    assert.deepEqual([answers?.encrypt, answers?.trustServerCertificate, answers?.name], ['strict', false, 'Name']);
    assert.deepEqual(input.asked, ['Server', 'SQL', 'Password', 'Encryption', 'Name', 'Encryption', 'Name']);
  });

  it('do nothing when the user leaves, at whatever question', async () => {
    for (let at = 0; at < 6; at++) {
      const answers = ['sql01', 'dba', 'p4ss', 'keep', 'keep', 'keep'].slice(0, at);
      assert.equal(await askServer(new FakeInput([...answers, leave]), undefined, anyAddress), undefined);
    }
  });

  it('keep what was typed on the way back', async () => {
    const input = new FakeInput(['sql01', back, 'keep', 'dba', 'p4ss', 'keep', 'keep', 'keep']);
    assert.equal((await askServer(input, undefined, anyAddress))?.server, 'sql01');
    assert.deepEqual(input.values.slice(0, 4), ['', '', 'sql01', '']);
  });

  it('say what is wrong and wait for another answer', async () => {
    const input = new FakeInput([' ', 'np:x', 'sql01', '', 'dba', '', 'p4ss', 'keep', 'keep', 'keep']);
    const answers = await askServer(input, undefined, (server) => (server.startsWith('np:') ? 'Only TCP.' : null));
    assert.equal(answers?.server, 'sql01');
    assert.deepEqual(input.complaints, [
      'Type the name or address of the server.',
      'Only TCP.',
      'Type the name of a SQL login; Windows logins are not supported here.',
      'Type the password of the login.',
    ]);
  });

  it('show the kept values when a server is edited, and never its password', async () => {
    const input = new FakeInput(['keep', 'keep', '', 'keep', 'keep', 'keep']);
    const answers = await askServer(input, saved, anyAddress);
    assert.deepEqual(input.values, ['sql01,1500', 'sa', '', 'optional', true, 'Prod']);
    assert.equal(answers?.password, undefined);
    assert.equal(answers?.server, 'sql01,1500');
  });
});
