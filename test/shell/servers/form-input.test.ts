import assert from 'node:assert/strict';
import type { FormInput, TextQuestion } from '../../../src/shell/servers/server-questions';
import { inputs, loadShell } from '../fake-vscode';

const { formInput } = loadShell<{ formInput: FormInput }>('servers/form-input');

const question: TextQuestion = {
  title: 'Add Server',
  step: 1,
  totalSteps: 1,
  prompt: 'Server',
  placeholder: '',
  value: '',
  isPassword: false,
  hides: (text) => text.includes('Password='),
  check: () => null,
};

describe('the box of a question', () => {
  it('turns into a password box as soon as a password stands in it, and back when it stands there no more', async () => {
    await formInput.askText(question);
    const box = inputs.at(-1);
    const covered = [
      'Server=sql01;',
      'Server=sql01;Password=',
      'Server=sql01;Password=p4ss',
      'Server=sql01',
    ].map((text) => {
      box?.type(text);
      return box?.password;
    });
    assert.deepEqual(covered, [false, true, true, false]);
  });

  it('is a password box from the beginning where it asks for a password, or begins with one', async () => {
    for (const hidden of [{ isPassword: true }, { value: 'Server=sql01;Password=x' }]) {
      await formInput.askText({ ...question, ...hidden });
      assert.equal(inputs.at(-1)?.password, true);
    }
  });
});
