import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { findTerminal } from '../../cli/src/kit/terminal';
import { Credentials, describeWays } from '../../cli/src/servers/credentials';
import type { OwnServer } from '../../src/hosts/host';
import { makeFolder } from '../temporary-folder';

const server = (more: Partial<OwnServer> = {}): OwnServer => ({
  id: 'cli:S',
  name: 'S',
  server: 'S',
  user: 'dba',
  encrypt: 'mandatory',
  trustServerCertificate: false,
  ...more,
});
const get = (credentials: Credentials, of: OwnServer): Promise<string | undefined> =>
  credentials.secretsOf(of).get(false, new AbortController().signal);

function terminal(): {
  readonly type: (keys: string) => void;
  readonly shown: () => string;
  readonly of: Parameters<typeof findTerminal>[0];
} {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()].map((stream) =>
    Object.assign(stream, { isTTY: true }),
  );
  let shown = '';
  stderr?.on('data', (text) => (shown += String(text)));
  return { type: (keys) => void stdin?.write(keys), shown: () => shown, of: { stdin, stderr } as never };
}

describe('A question on the terminal', () => {
  it('shows nothing of a password, and no character of a name that writes into the terminal', async () => {
    const { type, shown, of } = terminal();
    const answer = findTerminal(of)?.askHidden('Password of a\u001b[2Jb: ');
    type('canary\r');
    assert.equal(await answer, 'canary');
    assert.equal(shown(), 'Password of a<U+001B>[2Jb: \n');
  });

  for (const way of ['ask', 'askHidden'] as const)
    it(`ends the program at Ctrl-C as anywhere else, and no other is asked: ${way}`, async () => {
      const { type, shown, of } = terminal();
      let interrupts = 0;
      const found = findTerminal(of, () => interrupts++);
      const answer = found?.[way]('First? ');
      type('\u0003');
      assert.equal(await answer, '');
      assert.equal(await found?.[way]('Second? '), '');
      assert.deepEqual([interrupts, /First/.test(shown()), /Second/.test(shown())], [1, true, false]);
    });
});

describe('Secrets of the command line', () => {
  let folder: string;
  const path = process.env.PATH;
  beforeEach(() => (folder = makeFolder()));
  afterEach(() => void (process.env.PATH = path));

  it('come from the environment, and nobody is asked then', async () => {
    const credentials = new Credentials(
      { CHECKPOINT_HEALTH_PASSWORD: 'p', CHECKPOINT_HEALTH_TOKEN: 't' },
      () => assert.fail('asked'),
    );
    assert.deepEqual(
      [await get(credentials, server()), await get(credentials, server({ authentication: 'entra' }))],
      ['p', 't'],
    );
  });

  it('are asked for once for each account, whatever the number of servers', async () => {
    const questions: string[] = [];
    const credentials = new Credentials({}, (question) => Promise.resolve((questions.push(question), 'p')));
    await Promise.all(
      [server(), server({ name: 'T' }), server({ user: 'other' })].map((each) => get(credentials, each)),
    );
    assert.deepEqual(questions, ['Password of dba: ', 'Password of other: ']);
    await assert.rejects(
      get(new Credentials({}, null), server()),
      /^Error: Set CHECKPOINT_HEALTH_PASSWORD, or run this on a terminal/,
    );
  });

  it('are asked for one after the other: what is typed is the answer to one question', async () => {
    const [questions, answers]: [string[], ((answer: string) => void)[]] = [[], []];
    const credentials = new Credentials({}, (question) => {
      questions.push(question);
      return new Promise((resolve) => answers.push(resolve));
    });
    const got = Promise.all(['ann', 'bob'].map((user) => get(credentials, server({ user }))));
    await new Promise(setImmediate);
    assert.deepEqual(questions, ['Password of ann: ']);
    answers[0]?.('a');
    await new Promise(setImmediate);
    answers[1]?.('b');
    assert.deepEqual(await got, ['a', 'b']);
  });

  it('of Microsoft Entra come from the Azure CLI, which is asked once a tenant and without a shell', async () => {
    writeFileSync(
      join(folder, 'az'),
      `#!/bin/sh\nprintf '%s\\n' "$*" >> '${join(folder, 'asked')}'\necho a-token\n`,
      { mode: 0o755 },
    );
    process.env.PATH = `${folder}:${path}`;
    const credentials = new Credentials({}, null);
    const servers = [{}, { name: 'T' }, { tenant: 'contoso.com; touch x' }].map((more) =>
      server({ authentication: 'entra', ...more }),
    );
    assert.deepEqual(await Promise.all(servers.map((each) => get(credentials, each))), [
      'a-token',
      'a-token',
      'a-token',
    ]);
    const base = 'account get-access-token --resource https://database.windows.net/';
    assert.deepEqual(readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n').sort(), [
      `${base} --query accessToken --output tsv`,
      `${base} --tenant contoso.com; touch x --query accessToken --output tsv`,
    ]);
  });

  it('say what to do where there is no Azure CLI, or where it gives no token', async () => {
    process.env.PATH = folder;
    const entra = server({ authentication: 'entra' });
    await assert.rejects(
      get(new Credentials({}, null), entra),
      /Set CHECKPOINT_HEALTH_TOKEN to an access token .*install the Azure CLI/,
    );
    for (const script of ['echo canary >&2; exit 1', 'echo two canaries', 'true']) {
      writeFileSync(join(folder, 'az'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      await assert.rejects(
        get(new Credentials({}, null), entra),
        (error: Error) =>
          /The Azure CLI gave no access token/.test(error.message) && !/canar/.test(error.message),
      );
    }
  });

  it('of a Windows login by a password are said to go by NTLM, and how Kerberos is had, before anything is tried', () => {
    assert.match(
      describeWays([server(), server({ authentication: 'windows' })]) ?? '',
      /password goes by NTLM\. To log in by Kerberos.*use --windows\.$/,
    );
    assert.equal(describeWays([server({ authentication: 'integrated' })]), null);
    assert.equal(describeWays([server(), server({ authentication: 'entra' })]), null);
  });
});
