import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createOutput } from '../../cli/src/kit/output';
import { reachServers, type ServerOptions } from '../../cli/src/servers/reaching';
import { guardHost } from '../../src/gate/connection-rules';
import { passGate } from '../../src/gate/gate';
import type { OwnServer, ServerAccess } from '../../src/hosts/host';
import { readAddedServer } from '../../src/shell/commands/given-server';
import { readConnectionString } from '../../src/gate/connection-string';
import { readImported } from '../../src/shell/servers/imported-servers';
import { SavedServers } from '../../src/shell/servers/saved-servers';
import { describeAnswers, newAnswers, type ServerAnswers } from '../../src/shell/servers/server-answers';
import { explainAddress } from '../../src/gate/address';
import { keptSecret, freely } from '../hosts/opening';
import { FakeSecrets, FakeState, nothingForbidden } from '../shell/fake-editor';
import { makeFolder } from '../temporary-folder';

/** What a user, or an attacker, asks for by some way in. */
interface Wish {
  readonly server: string;
  readonly authentication: 'sql' | 'entra' | 'integrated';
  readonly trustServerCertificate: boolean;
  /** The user named this host as one that may get tokens. */
  readonly tokenHost?: string;
}

type Reached = { readonly server: OwnServer; readonly access: ServerAccess };

const USER = 'ann@contoso.com';
/** How a connection string and the SQL Server extension write a kind of login. */
const KINDS = {
  sql: ['', 'SqlLogin'],
  entra: ['Authentication=Active Directory Default;', 'AzureMFA'],
  integrated: ['Integrated Security=SSPI;', 'Integrated'],
} as const;
let folder = '';

const answer = (answers: Partial<ServerAnswers>): OwnServer =>
  describeAnswers({ ...newAnswers, name: 'P', user: USER, ...answers }, '1');

/** Ways into the editor: what each makes of the wish, by its own reading. */
const EDITOR: Readonly<Record<string, (wish: Wish) => OwnServer | undefined>> = {
  'Add Server': answer,
  'a pasted connection string': ({ server, authentication, trustServerCertificate }) =>
    answer(
      readConnectionString(
        `Server=${server};${KINDS[authentication][0]}Trust Server Certificate=${trustServerCertificate}`,
      ).answers,
    ),
  'an import from the SQL Server extension': ({ server, authentication, trustServerCertificate }) => {
    const authenticationType = KINDS[authentication][1];
    const connections = [{ server, authenticationType, user: USER, trustServerCertificate }];
    const [found] = readImported(
      { connections, groups: [] },
      { checkAddress: explainAddress, rules: nothingForbidden, isWindows: false },
      [],
    ).servers;
    return found && answer(found.answers);
  },
  'another extension': (wish) => ({
    ...readAddedServer({ ...wish, name: 'P', user: USER, encrypt: true, password: 'p' }).server,
    id: '1',
  }),
  'a way that checks nothing by itself': (wish) => ({
    ...wish,
    id: '1',
    name: 'P',
    user: USER,
    encrypt: 'mandatory',
  }),
  'the list that an earlier version kept': (wish) => {
    const state = new FakeState();
    state.values.set('checkpointHealth.servers', [
      { ...wish, id: '1', name: 'P', user: USER, encrypt: 'optional' },
    ]);
    return new SavedServers(state, new FakeSecrets()).list()[0];
  },
};

const registered = (server: string): string =>
  `<a><RegisteredServer><ServerName>${server}</ServerName></RegisteredServer></a>`;

/** Ways into the command line: options, and the text of the file that they name. */
const COMMAND_LINE: Readonly<
  Record<string, (server: string) => Partial<ServerOptions> & { readonly text?: string }>
> = {
  '--server': (server) => ({ server: [server] }),
  '--servers with lines': (text) => ({ text }),
  '--servers with connection strings': (server) => ({ text: `Server=${server};Database=master` }),
  '--servers with JSON': (server) => ({ text: JSON.stringify([{ server }]) }),
  '--servers with registered servers': (server) => ({ text: registered(server) }),
  '--cms': (cms) => ({ cms }),
};

async function reach(
  named: ReturnType<(typeof COMMAND_LINE)[string]>,
  wish: Wish,
): Promise<Reached | undefined> {
  const { text, ...options } = named;
  const servers = join(folder, 'servers');
  if (text !== undefined) writeFileSync(servers, text);
  const output = createOutput(
    'json',
    {},
    { out: { write: () => true }, error: { write: () => true } },
    () => 0,
  );
  const { authentication, trustServerCertificate, tokenHost } = wish;
  const login = {
    user: USER,
    authentication,
    trustServerCertificate,
    ...(tokenHost !== undefined && { tokenHost: [tokenHost] }),
  };
  const [reached] = await reachServers(
    { ...login, ...options, ...(text !== undefined && { servers }) },
    output,
  );
  return reached;
}

type Rules = Partial<typeof nothingForbidden>;
type Way = (wish: Wish, rules?: Rules) => Promise<Reached | undefined>;

const editorWays = Object.entries(EDITOR).map(([name, read]): [string, Way] => [
  name,
  async (wish, rules = {}) => {
    const server = read(wish);
    if (server === undefined) return undefined;
    const named = { ...server, ...(wish.tokenHost !== undefined && { tokenHost: wish.tokenHost }) };
    const gate = { rules: () => ({ ...nothingForbidden, ...rules }), howToName: 'Name it.' };
    return { server: named, access: passGate({ server: named, secrets: keptSecret('canary') }, gate) };
  },
]);
const ways = [
  ...editorWays,
  ...Object.entries(COMMAND_LINE).map(([name, read]): [string, Way] => [
    name,
    (wish) => reach(read(wish.server), wish),
  ]),
];

/** Thrown in place of a login: the driver was reached, and has the secret or is about to ask for it. */
class LetThrough extends Error {}

/**
 * What stops the wish, as a sentence, before anything is looked up, asked for or sent; `certificate checked` or
 * `any certificate`: it is let through so.
 */
async function judge(way: Way, wish: Wish, rules?: Rules): Promise<string> {
  let reached: Reached | undefined;
  const check = (): never => {
    throw new LetThrough();
  };
  try {
    reached = await way(wish, rules);
    await reached?.access.open({ ...freely(), check });
    return 'It is not taken.';
  } catch (error) {
    if (!(error instanceof LetThrough)) return (error as Error).message;
    return reached?.server.trustServerCertificate === true ? 'any certificate' : 'certificate checked';
  }
}

const azure: Wish = {
  server: 'shop.database.windows.net',
  authentication: 'entra',
  trustServerCertificate: false,
};

describe('Every way in', () => {
  const before = {
    token: process.env.CHECKPOINT_HEALTH_TOKEN,
    password: process.env.CHECKPOINT_HEALTH_PASSWORD,
  };
  beforeEach(() => {
    folder = makeFolder();
    Object.assign(process.env, { CHECKPOINT_HEALTH_TOKEN: 'canary', CHECKPOINT_HEALTH_PASSWORD: 'canary' });
  });
  afterEach(() => {
    for (const [name, value] of [
      ['CHECKPOINT_HEALTH_TOKEN', before.token],
      ['CHECKPOINT_HEALTH_PASSWORD', before.password],
    ] as const)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });

  it('lets through what no rule forbids', async () => {
    // A central management server is asked for its list at once, so that it can be tried here only where it is refused.
    for (const [name, way] of ways.filter(([each]) => each !== '--cms')) {
      assert.equal(await judge(way, azure), 'certificate checked', name);
      assert.equal(
        await judge(way, { ...azure, server: 'tcp:SQL01,1500', tokenHost: 'sql01' }),
        'certificate checked',
        name,
      );
      for (const authentication of ['sql', 'integrated'] as const) {
        const plain = { server: 'sql01', authentication, trustServerCertificate: true };
        assert.equal(await judge(way, plain), 'any certificate', name);
      }
    }
  });

  it('waits as long as usual where a list of an earlier version has a connect time-out that no timer can be', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined))
      .listen(0, '127.0.0.1')
      .unref();
    await once(silent, 'listening');
    for (const connectTimeoutSeconds of [0, -1, 1e10, 9007199254740991, NaN]) {
      const server = answer({ server: `127.0.0.1,${(silent.address() as AddressInfo).port}` });
      const access = { server: { ...server, connectTimeoutSeconds }, secrets: keptSecret('canary') };
      const stop = new AbortController();
      const attempt = passGate(access, { rules: () => nothingForbidden, howToName: '' }).open(
        freely(stop.signal),
      );
      const first = await Promise.race([
        attempt.then(String, String),
        new Promise((resolve) => setTimeout(resolve, 200, 'it waits')),
      ]);
      assert.equal(first, 'it waits', String(connectTimeoutSeconds));
      stop.abort();
      await assert.rejects(attempt);
    }
    silent.close();
  });

  it('gives no token to a host that is not of Azure and was not named for it', async () => {
    for (const [name, way] of ways) {
      for (const server of [
        '127.0.0.1,1433',
        'sql01',
        'shop.database.windows.net.evil.example',
        'evil.example\\shop.database.windows.net',
      ])
        assert.match(
          await judge(way, { ...azure, server }),
          /^No token was sent: \S+ is not an Azure host/,
          `${name}: ${server}`,
        );
      assert.match(
        await judge(way, { ...azure, server: 'sql02', tokenHost: 'sql01' }),
        /^No token was sent: sql02/,
        name,
      );
    }
  });

  it('gives no token where any certificate would be accepted', async () => {
    for (const [name, way] of ways) {
      const server = name === '--cms' ? 'sql01' : azure.server;
      const said = await judge(way, { ...azure, server, trustServerCertificate: true });
      assert.match(said, /^certificate checked$|check of its certificate|certificate is checked/, name);
    }
  });

  it('takes nothing for a server that is no address', async () => {
    for (const [name, way] of ways)
      for (const server of [
        'sql01:1433',
        'sa:canary@sql01',
        'sql{01',
        'np:\\\\sql01\\pipe\\sql\\query',
        'sql01,99999',
      ])
        for (const authentication of ['sql', 'integrated'] as const)
          assert.match(
            await judge(way, { ...azure, server, authentication }),
            /address|not taken/,
            `${name}: ${server}`,
          );
  });

  it("obeys an administrator's settings, if it is one of the editor", async () => {
    const wish = { ...azure, server: 'sql01', authentication: 'sql' } as const;
    const account = { key: 'k', shown: 'another product' };
    const reach = (allowedHosts: readonly string[]): Promise<unknown> => {
      const other = { id: '1', label: 'P', account, open: () => Promise.reject(new LetThrough()) };
      return guardHost(other, 'sql01,1433', () => ({ ...nothingForbidden, allowedHosts })).open(freely());
    };
    await assert.rejects(
      reach(['sql02']),
      /allowedHosts does not allow a connection to sql01/,
      'Azure Data Studio, and the SQL Server extension',
    );
    await assert.rejects(reach(['sql01']), LetThrough);
    for (const [name, way] of editorWays) {
      assert.match(
        await judge(way, wish, { allowedHosts: ['sql02'] }),
        /allowedHosts does not allow a connection to sql01/,
        name,
      );
      const trusting = await judge(
        way,
        { ...wish, trustServerCertificate: true },
        { allowTrustServerCertificate: false },
      );
      assert.match(trusting, /allowTrustServerCertificate does not allow/, name);
      assert.equal(await judge(way, wish, { allowedHosts: ['sql01'] }), 'certificate checked', name);
      assert.match(
        await judge(way, { ...wish, authentication: 'integrated' }, { allowIntegrated: false }),
        /allowIntegrated does not allow logins as yourself/,
        name,
      );
    }
  });
});
