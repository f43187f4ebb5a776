import assert from 'node:assert/strict';
import type { Connection, ConnectionHost, HostServer } from '../../../src/hosts/host';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import { HeldAnswer } from '../../held-answer';
import { createFakeMssql, PASSWORD, sharingError, type FakeMssql } from './fake';
import { failOf, freely } from '../opening';

const EDIT = 'editConnectionSharingPermissions';
const server = (id: string): HostServer => ({
  id: `mssql:${id}`,
  name: id.toUpperCase(),
  server: id,
  user: null,
});

const notConnected = (): Promise<never> => Promise.reject(sharingError('CONNECTION_FAILED'));
const REFUSED = /could not log in to one, but does not tell us why\. Connect there in its own pane/;
const NOBODY = /^Nothing answers at one: check the name, the port and the firewall\.$/;
const turns = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('opening a connection by way of mssql', () => {
  let fake: FakeMssql;
  let host: ConnectionHost;
  const open = (id: string, signal = new AbortController().signal): Promise<Connection> =>
    host.access(server(id)).open(freely(signal));
  const connects = (): readonly string[] => fake.calls.filter((call) => call.includes('.connect('));

  const fail = async (call: Promise<unknown>): Promise<readonly [string, string]> => {
    const { reason, message } = await failOf(call);
    assert.match(message, /^[A-Z].*\.$/s);
    return [reason, message];
  };

  beforeEach(() => {
    fake = createFakeMssql();
    host = createMssqlHost(fake.world);
  });

  for (const way of ['exports', 'commands'] as const)
    it(`goes by mssql's ${way}, and gives our id and the connection's own`, async () => {
      fake.way = way;
      await open('one');
      assert.deepEqual(connects(), [`${way}.connect(ours, one)`]);
    });

  it('looks again each time what mssql has to offer', async () => {
    await open('one');
    fake.way = 'commands';
    await open('one');
    fake.way = 'neither';
    assert.match((await fail(open('one')))[1], /does not share its connections/);
    fake.way = 'absent';
    assert.match((await fail(open('one')))[1], /not installed or is disabled/);
    fake.way = 'broken';
    assert.match((await fail(open('one')))[1], /could not be started/);
  });

  it('waits no longer than a minute for mssql to start', async () => {
    const extension = fake.world.findExtension();
    host = createMssqlHost({
      ...fake.world,
      findExtension: () => extension && { ...extension, activate: () => new Promise(() => undefined) },
    });
    const failure = fail(open('one'));
    fake.pass(60_000);
    assert.match((await failure)[1], /could not be started/);
  });

  it('asks for approval once, however many servers are opened at the same time', async () => {
    const question = new HeldAnswer<string>();
    fake.does['connect'] = question.call;
    const all = Promise.all(['a', 'b', 'c'].map((id) => open(id)));
    await turns();
    assert.deepEqual(connects(), ['exports.connect(ours, a)']);
    question.give('uri');
    await all;
    assert.equal(connects().length, 3);
  });

  it('lets no server wait for a slow one after the approval', async () => {
    await open('first');
    const slow = new HeldAnswer<string>();
    fake.does['connect'] = (_ours, id) => (id === 'slow' ? slow.call() : `uri-${String(id)}`);
    const opening = open('slow');
    await open('quick');
    slow.give('uri-slow');
    await opening;
  });

  it('goes on with the others where the first server itself cannot be reached', async () => {
    fake.does['connect'] = (_ours, id) =>
      id === 'down' ? Promise.reject(sharingError('CONNECTION_FAILED')) : 'uri';
    const [down, up] = await Promise.allSettled([open('down'), open('up')]);
    assert.deepEqual([down.status, up.status], ['rejected', 'fulfilled']);
  });

  it('explains a refusal with the way back, to all who waited for the one question', async () => {
    const question = new HeldAnswer<string>();
    fake.does['connect'] = question.call;
    const failures = Promise.all(['a', 'b'].map((id) => fail(open(id))));
    await turns();
    question.fail(sharingError('PERMISSION_DENIED'));
    for (const [reason, message] of await failures) {
      assert.equal(reason, 'permissionDenied');
      assert.match(message, /MSSQL: Edit Connection Sharing Permissions/);
    }
    assert.equal(connects().length, 1);
  });

  it('can be opened after the user took the refusal back', async () => {
    fake.does['connect'] = () => Promise.reject(sharingError('PERMISSION_DENIED'));
    await fail(open('one'));
    fake.does[EDIT] = () => 'approved';
    await host.editPermission?.();
    assert.equal(fake.calls.at(-1), `commands.${EDIT}(ours)`);
    fake.does['connect'] = () => 'uri';
    await open('one');
  });

  it('offers the permission itself, once, where the question can never be approved', async () => {
    let approved = false;
    fake.does['connect'] = () => (approved ? 'uri' : Promise.reject(sharingError('PERMISSION_REQUIRED')));
    fake.does[EDIT] = () => ((approved = true), 'approved');
    await open('one');
    assert.deepEqual(fake.calls, [
      'exports.connect(ours, one)',
      `commands.${EDIT}(ours)`,
      'exports.connect(ours, one)',
    ]);
  });

  for (const [answer, name] of [
    [undefined, 'closed'],
    ['denied', 'answered with no'],
  ] as const)
    it(`does not ask again where that was ${name}`, async () => {
      fake.does['connect'] = () => Promise.reject(sharingError('PERMISSION_REQUIRED'));
      fake.does[EDIT] = () => answer;
      const failures = await Promise.all(['a', 'b'].map((id) => fail(open(id))));
      assert.deepEqual(
        failures.map(([reason]) => reason),
        ['permissionDenied', 'permissionDenied'],
      );
      assert.equal(fake.calls.filter((call) => call.includes(EDIT)).length, 1);
    });

  it('stops waiting for the approval when it is cancelled, and closes what comes later', async () => {
    const question = new HeldAnswer<string>();
    fake.does['connect'] = question.call;
    const cancelling = new AbortController();
    const failure = fail(open('one', cancelling.signal));
    const waiting = fail(open('two', cancelling.signal));
    await turns();
    cancelling.abort();
    assert.equal((await failure)[0], 'cancelled');
    assert.equal((await waiting)[0], 'cancelled');
    question.give('late');
    await turns();
    assert.deepEqual(fake.calls, ['exports.connect(ours, one)', 'exports.disconnect(late)']);
  });

  it('shows no permission question to somebody who has cancelled', async () => {
    const question = new HeldAnswer<string>();
    fake.does['connect'] = question.call;
    const cancelling = new AbortController();
    const failure = fail(open('one', cancelling.signal));
    await turns();
    cancelling.abort();
    question.fail(sharingError('PERMISSION_REQUIRED'));
    await failure;
    await turns();
    assert.equal(fake.calls.filter((call) => call.includes(EDIT)).length, 0);
  });

  const failures: readonly (readonly [
    what: string,
    connect: () => unknown,
    reason: string,
    RegExp,
    where?: Partial<FakeMssql>,
  ])[] = [
    [
      'a connection that mssql does not share',
      () => Promise.reject(sharingError('CONNECTION_NOT_FOUND')),
      'unreachable',
      /shares no connection to one/,
    ],
    [
      'an answer that is no address',
      () => undefined,
      'unreachable',
      /could not connect to one: the reason is not known/,
    ],
    [
      'an error that quotes a connection string',
      () => Promise.reject(new Error(`Server=one;Pwd=${PASSWORD};`)),
      'unreachable',
      /its reason is not shown/,
    ],
    [
      'a failure at a server that answers: a refused login, because mssql does not say why',
      notConnected,
      'loginFailed',
      REFUSED,
    ],
    ['a failure where nothing is', notConnected, 'unreachable', NOBODY, { isThere: false }],
    [
      'a failure where a connection is accepted and nothing said',
      notConnected,
      'unreachable',
      NOBODY,
      { isSilent: true },
    ],
  ];
  for (const [what, connect, wantedReason, wanted, where] of failures)
    it(`explains ${what}`, async () => {
      Object.assign(fake, where);
      fake.does['connect'] = connect;
      const [reason, message] = await fail(open('one'));
      assert.equal(reason, wantedReason);
      assert.match(message, wanted);
      assert.ok(!message.includes(PASSWORD));
    });
});
