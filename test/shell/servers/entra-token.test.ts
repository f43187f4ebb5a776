import assert from 'node:assert/strict';
import type { AuthenticationSession } from 'vscode';
import { type EditorSignIn, fetchEntraToken } from '../../../src/shell/servers/entra-token';

type Answer = string | undefined | Error | { readonly thrown: string };

/** Gives sessions of these accounts in turn, and writes down what it was asked for. */
class FakeSignIn implements EditorSignIn {
  readonly asked: unknown[] = [];

  constructor(private readonly answers: Answer[]) {}

  async getSession(...asked: unknown[]): Promise<AuthenticationSession | undefined> {
    this.asked.push(asked);
    const answer = this.answers.shift();
    if (answer instanceof Error) throw answer;
    // VS Code 1.79 rejects with a text here and there.
    if (typeof answer === 'object') return Promise.reject(answer.thrown);
    return answer === undefined
      ? undefined
      : { id: '1', accessToken: `token of ${answer}`, account: { id: answer, label: answer }, scopes: [] };
  }
}

const server = { server: 'db.database.windows.net', user: '' };
const scope = 'https://database.windows.net/.default';

describe('an access token of Microsoft Entra', () => {
  for (const [what, more, ...asked] of [
    ["is asked for SQL's own scope, of whoever is signed in", {}, 'microsoft', [scope]],
    [
      'is asked of the tenant that was chosen',
      { tenant: 'contoso.com' },
      'microsoft',
      [scope, 'VSCODE_TENANT:contoso.com'],
    ],
    [
      "is asked of the American cloud where the server's name says so",
      { server: 'DB.database.usgovcloudapi.net,1433' },
      'microsoft-sovereign-cloud',
      ['https://database.usgovcloudapi.net/.default'],
    ],
    [
      "is asked of the Chinese cloud where the server's name says so",
      { server: 'db.database.chinacloudapi.cn' },
      'microsoft-sovereign-cloud',
      ['https://database.chinacloudapi.cn/.default'],
    ],
  ] as const)
    it(what, async () => {
      const signIn = new FakeSignIn(['ann@contoso.com']);
      assert.equal(await fetchEntraToken(signIn, { ...server, ...more }, true), 'token of ann@contoso.com');
      assert.deepEqual(signIn.asked, [[...asked, { createIfNone: true }]]);
    });

  it('is that of the account that was meant: the editor is told which, where it can be', async () => {
    const account = { id: '7', label: 'Ann@contoso.com' };
    const signIn = Object.assign(new FakeSignIn(['ann@contoso.com']), {
      getAccounts: async () => [{ id: '1', label: 'bob' }, account],
    });
    assert.equal(
      await fetchEntraToken(signIn, { ...server, user: 'ann@contoso.com' }, true),
      'token of ann@contoso.com',
    );
    assert.deepEqual((signIn.asked[0] as unknown[])[2], { createIfNone: true, account });
  });

  it('lets the user choose once where somebody else is signed in, and is never that of somebody else', async () => {
    const chosen = new FakeSignIn(['bob@contoso.com', 'ann@contoso.com']);
    assert.equal(
      await fetchEntraToken(chosen, { ...server, user: 'ann@contoso.com' }, true),
      'token of ann@contoso.com',
    );
    assert.deepEqual((chosen.asked[1] as unknown[])[2], { createIfNone: true, clearSessionPreference: true });
    await assert.rejects(fetchEntraToken(new FakeSignIn(['bob', 'bob']), { ...server, user: 'ann' }, true), {
      message: 'You signed in as bob, but this server was set up for ann. Choose the account in Edit Server.',
    });
  });

  it('is asked for without a word to the user where they may not be asked, and is none where somebody would have to sign in', async () => {
    const signIn = new FakeSignIn(['ann@contoso.com']);
    assert.equal(await fetchEntraToken(signIn, server, false), 'token of ann@contoso.com');
    assert.deepEqual((signIn.asked[0] as unknown[])[2], { silent: true });
    assert.equal(await fetchEntraToken(new FakeSignIn([undefined]), server, false), undefined);
    const somebodyElse = new FakeSignIn(['bob@contoso.com', 'ann@contoso.com']);
    assert.equal(
      await fetchEntraToken(somebodyElse, { ...server, user: 'ann@contoso.com' }, false),
      undefined,
    );
    assert.equal(somebodyElse.asked.length, 1);
  });

  it('is none where the user does not want to sign in', async () => {
    for (const answer of [undefined, new Error('User did not consent to login.'), new Error('Cancelled')])
      assert.equal(await fetchEntraToken(new FakeSignIn([answer]), server, true), undefined);
  });

  it('cannot be had in an editor that knows nothing of Microsoft accounts, which is said', async () => {
    const unknown = new Error("No authentication provider 'microsoft' is currently registered.");
    for (const said of [unknown, { thrown: 'Timed out waiting for authentication provider to register' }])
      await assert.rejects(fetchEntraToken(new FakeSignIn([said]), server, true), {
        message:
          'This editor cannot sign in to Microsoft Entra. Choose a SQL login or a Windows login in Edit Server.',
      });
  });

  it('that fails for another reason is told so, without anything secret', async () => {
    const failure = new Error('The request failed: Bearer eyJ0eXAiOiJKV1Qi.eyJhdWQiOiJodHRwcyJ9.c2ln.');
    await assert.rejects(
      fetchEntraToken(new FakeSignIn([failure]), server, true),
      (error: Error) => /^Could not sign in/.test(error.message) && !/eyJ/.test(error.message),
    );
  });
});
