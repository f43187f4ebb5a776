import assert from 'node:assert/strict';
import { PasswordQuestions } from '../../../src/shell/servers/password-questions';
import { type Desk, openDesk, savedServer } from '../fake-editor';
import { snapshot, upgradedServer } from '../sample';

describe('asking for a password that is not stored any more', () => {
  let desk: Desk;
  let answer: (password: string | undefined) => void;
  let questions: PasswordQuestions;

  beforeEach(async () => {
    desk = await openDesk(snapshot(upgradedServer()));
    desk.secrets.values.clear();
    questions = new PasswordQuestions(desk.servers, (_, signal) => {
      return new Promise((resolve) => {
        answer = resolve;
        signal.addEventListener('abort', () => resolve(undefined));
      });
    });
  });

  afterEach(() => questions.dispose());

  it('gives what the user typed', async () => {
    const asked = questions.ask(savedServer);
    answer('p4ssword');
    assert.equal(await asked, 'p4ssword');
  });

  it('withdraws the question when the server is added anew with its password', async () => {
    const asked = questions.ask(savedServer);
    await desk.servers.save(savedServer, 'p4ssword');
    assert.equal(await asked, undefined);
  });

  it('withdraws the question when the server is removed, or the window closes', async () => {
    const asked = questions.ask(savedServer);
    await desk.servers.remove(savedServer.id);
    assert.equal(await asked, undefined);
    const askedAgain = questions.ask(savedServer);
    questions.dispose();
    assert.equal(await askedAgain, undefined);
  });

  it('leaves the question open when another server changes', async () => {
    const asked = questions.ask(savedServer);
    await desk.servers.save({ ...savedServer, id: 'server-2' }, 'other');
    await new Promise(setImmediate);
    answer('p4ssword');
    assert.equal(await asked, 'p4ssword');
  });
});
