import assert from 'node:assert/strict';
import type { ReadText } from '../../../src/core/script/text';
import { ConnectionError } from '../../../src/hosts/host';
import { createMssqlHost } from '../../../src/hosts/mssql/host';
import { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { ServerQuery } from '../../../src/monitor/queries/server-query';
import { HeldAnswer } from '../../held-answer';
import { VirtualTime } from '../../monitor/virtual-time';
import {
  CAUGHT_ANSWER,
  createFakeMssql,
  PASSWORD,
  serve,
  sharingError,
  type FakeMssql,
  type ServedMssql,
} from './fake';

const saved = { user: 'dba', authenticationType: 'SqlLogin', savePassword: true, groupId: 'ROOT' };
const profile = (id: string, more: object = {}): object => ({
  id,
  server: id,
  profileName: id.toUpperCase(),
  ...saved,
  ...more,
});
const unsaved = { savePassword: false };

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a server reached by way of mssql', () => {
  let fake: FakeMssql;
  let served: ServedMssql;
  let time: VirtualTime;
  let breaker: LoginBreaker;
  let queries: Record<string, ServerQuery>;

  beforeEach(async () => {
    fake = createFakeMssql();
    served = serve(fake);
    time = new VirtualTime();
    breaker = new LoginBreaker(time.world);
    fake.groups = [{ id: 'ROOT', name: 'ROOT' }];
    fake.user = [profile('sql07'), profile('sql08')];
    // The approval was given in an earlier window, mssql keeps it; and there is no editor.
    fake.does['getActiveEditorConnectionId'] = () => Promise.reject(sharingError('NO_ACTIVE_EDITOR'));
    await start();
  });

  /** As after a reload of the window. */
  async function start(): Promise<void> {
    const host = createMssqlHost(fake.world);
    const { servers } = await host.listServers();
    queries = Object.fromEntries(
      servers.map((server) => [server.server, new ServerQuery(host.access(server), breaker)]),
    );
  }

  function at(server: string): ServerQuery {
    const query = queries[server];
    if (query === undefined) assert.fail(`${server} is not listed`);
    return query;
  }

  function read(server: string, isClick = false): Promise<string> {
    const query = at(server);
    const click = isClick ? breaker.click() : null;
    return query
      .during(undefined, click, () => query.run('SELECT a = 1;' as ReadText))
      .then(
        () => 'read',
        (error: unknown) => (error instanceof ConnectionError ? error.reason : assert.fail(String(error))),
      );
  }

  /** A read by a click, for which the password is typed. */
  const readTyping = async (): Promise<string> => {
    const reading = read('sql07', true);
    await turns();
    served.prompts.pop()?.(PASSWORD);
    return reading;
  };
  /** Begins a read in the background, and says at any time what became of it. */
  const watchRead = async (): Promise<() => string> => {
    let outcome = 'waiting';
    void read('sql07').then((end) => (outcome = end));
    await turns();
    return () => outcome;
  };
  const connects = (): number => fake.calls.filter((call) => call.includes('.connect(')).length;
  /** A read in the background that ends when this much time has passed. */
  const readInVain = async (durationMs: number): Promise<string> => {
    const reading = read('sql07');
    await turns();
    fake.pass(durationMs);
    return reading;
  };
  const queried = (): number => fake.calls.filter((call) => call.includes('.executeSimpleQuery(')).length;

  it('that refuses the login of a query is connected to once more, and then left alone until a click', async () => {
    await read('sql07', true);
    served.server = 'refusing';
    assert.equal(await read('sql07'), 'loginFailed');
    assert.deepEqual([connects(), served.refused], [2, 2]);
    for (let poll = 0; poll < 10; poll++) {
      await time.pass(60_000);
      assert.deepEqual([await read('sql07'), await read('sql08')], ['loginFailed', 'loginFailed']);
    }
    assert.deepEqual([served.refused, at('sql07').door.standing?.kind], [2, 'refused']);
    served.server = 'up';
    assert.equal(await read('sql07', true), 'read');
    assert.equal(at('sql07').door.standing, null);
  });

  it('that is gone is known to be after three seconds, not after the fifteen that the service takes', async () => {
    await read('sql07', true);
    served.server = 'down';
    fake.isThere = false;
    assert.equal(await readInVain(3_000), 'unreachable');
    const { standing } = at('sql07').door;
    assert.equal(standing?.kind, 'unreachable');
    assert.equal(standing.sentence, 'Nothing answers at sql07: check the name, the port and the firewall.');
  });

  it('that is gone is asked nothing until it is back, and then read without another connect', async () => {
    await read('sql07', true);
    served.server = 'down';
    fake.isThere = false;
    await readInVain(3_000);
    const [wasConnected, wasQueried, wasLoggedIn] = [connects(), queried(), served.logins];
    for (let minute = 0; minute < 10; minute++) {
      await time.pass(60_000);
      assert.equal(await read('sql07'), 'unreachable');
    }
    assert.deepEqual([connects(), queried(), served.logins], [wasConnected, wasQueried, wasLoggedIn]);
    [served.server, fake.isThere] = ['up', true];
    await time.pass(300_000);
    assert.equal(await read('sql07'), 'read');
    assert.deepEqual([connects(), at('sql07').door.standing], [wasConnected, null]);
    assert.equal(served.logins, 3);
    assert.match(breaker.describe().join('\n'), /login dba[^\n]*: 3 logins sent, 0 refused$/);
  });

  it('that comes back goes on without the password that was typed for it, which is asked for no second time', async () => {
    fake.user = [profile('sql07', unsaved)];
    await start();
    assert.equal(await readTyping(), 'read');
    for (const state of ['down', 'silent'] as const) {
      [served.server, fake.isThere] = [state, state === 'silent'];
      assert.equal(
        await readInVain(state === 'silent' ? 30_000 : 3_000),
        state === 'silent' ? 'timedOut' : 'unreachable',
      );
      [served.server, fake.isThere] = ['up', true];
      await time.pass(300_000);
      assert.equal(await read('sql07'), 'read', state);
    }
    assert.equal(served.prompted, 1);
  });

  it('that stays silent is waited for as long as any, because it may answer yet', async () => {
    await read('sql07', true);
    served.server = 'silent';
    const outcome = await watchRead();
    fake.pass(29_999);
    await turns();
    assert.equal(outcome(), 'waiting');
    fake.pass(1);
    await turns();
    assert.equal(outcome(), 'timedOut');
  });

  it('that was given up twice is asked by another connection, because the service may be stuck with this one', async () => {
    await read('sql07', true);
    const before = connects();
    served.server = 'silent';
    for (let given = 0; given < 2; given++) {
      assert.deepEqual([await readInVain(30_000), connects()], ['timedOut', before]);
    }
    served.server = 'up';
    assert.deepEqual([await read('sql07'), connects()], ['read', before + 1]);
  });

  it('that accepts connections and says nothing is sent no query after the first, until it answers again', async () => {
    await read('sql07', true);
    served.server = 'silent';
    assert.equal(await readInVain(30_000), 'timedOut');
    fake.isSilent = true;
    const before = [queried(), connects()];
    assert.equal(await read('sql07'), 'unreachable');
    assert.deepEqual([queried(), connects()], before);
    [served.server, fake.isSilent] = ['up', false];
    await time.pass(300_000);
    assert.equal(await read('sql07'), 'read');
    assert.equal(connects(), before[1]);
  });

  it('whose address never accepted a connection, as one with an alias, is not taken for gone by that', async () => {
    fake.isThere = false;
    await read('sql07', true);
    served.server = 'silent';
    const outcome = await watchRead();
    fake.pass(3_000);
    await turns();
    assert.equal(outcome(), 'waiting');
  });

  it('for which mssql shows a dialog, as where a password has expired, waits for a click and holds up nothing', async () => {
    await read('sql07', true);
    served.server = 'refusing';
    const dialog = new HeldAnswer<string>();
    fake.does['connect'] = dialog.call;
    assert.equal(await readInVain(60_000), 'needsClick');
    const { standing } = at('sql07').door;
    assert.equal(standing?.kind, 'waiting');
    assert.match(
      standing?.sentence ?? '',
      /It may be showing a dialog, for instance about an expired password\./,
    );
    await time.pass(600_000);
    assert.equal(await read('sql07'), 'needsClick');
    dialog.give('uri-late');
    await turns();
    assert.deepEqual([connects(), fake.calls.at(-1)], [2, 'exports.disconnect(uri-late)']);
  });

  it('whose answer breaks off before its end is not taken at half', async () => {
    await read('sql07', true);
    // mssql hands on the rows that came before.
    fake.does['executeSimpleQuery'] = () => ({
      ...CAUGHT_ANSWER,
      rowCount: 1,
      rows: CAUGHT_ANSWER.rows.slice(0, 1),
    });
    const reading = at('sql07').during(undefined, null, () => at('sql07').run('SELECT a = 1;' as ReadText));
    await assert.rejects(reading, {
      reason: 'disconnected',
      message: 'The answer from SQL07 was cut off. None of it was used.',
    });
  });

  it('whose connection mssql has closed is connected to again', async () => {
    await read('sql07', true);
    await fake.does['disconnect']?.('uri-1');
    assert.equal(await read('sql07'), 'read');
    assert.deepEqual([connects(), served.refused], [2, 0]);
  });

  describe('whose password is not saved', () => {
    beforeEach(async () => {
      fake.user = [profile('sql07', unsaved), profile('sql08', { savePassword: false, user: 'reader' })];
      await start();
    });

    it('is opened on a click only, however often the others are read', async () => {
      for (let poll = 0; poll < 5; poll++) {
        assert.deepEqual([await read('sql07'), await read('sql08')], ['needsClick', 'needsClick']);
        await time.pass(60_000);
      }
      assert.deepEqual([served.prompted, served.logins], [0, 0]);
      assert.match(
        breaker.describe().join('\n'),
        /login dba[^\n]*: 0 logins sent, 0 refused\nlogin reader[^\n]*: 0 logins sent, 0 refused/,
      );
    });

    it('is asked for alone, by a row that says for what', async () => {
      const both = [read('sql07', true), read('sql08', true)];
      await turns();
      const where = '(mssql asks at the top of the window)';
      assert.equal(at('sql07').door.waitsFor, `the password of dba on SQL07 ${where}`);
      assert.equal(at('sql08').door.waitsFor, null);
      assert.equal(served.prompts.length, 1);
      served.prompts.pop()?.(PASSWORD);
      await turns();
      assert.equal(at('sql08').door.waitsFor, `the password of reader on SQL08 ${where}`);
      assert.equal(served.prompts.length, 1);
      served.prompts.pop()?.(PASSWORD);
      assert.deepEqual(await Promise.all(both), ['read', 'read']);
      assert.deepEqual([served.mostPrompts, served.prompted, served.refused], [1, 2, 0]);
    });

    it('costs one refused login where its prompt is lost, and no other server of that login', async () => {
      fake.user = [profile('sql07', unsaved), profile('sql08', unsaved)];
      await start();
      const both = [read('sql07', true), read('sql08', true)];
      await turns();
      served.prompts.pop()?.();
      assert.deepEqual(await Promise.all(both), ['loginFailed', 'loginFailed']);
      await time.pass(600_000);
      await read('sql07');
      await read('sql08');
      assert.deepEqual([served.prompted, served.logins, served.refused], [1, 1, 1]);
      assert.match(breaker.describe().join('\n'), /login dba[^\n]*: 1 login sent, 1 refused/);
    });

    it('is asked for again after the connection was lost, on a click only', async () => {
      await readTyping();
      await fake.does['disconnect']?.('uri-1');
      assert.equal(await read('sql07'), 'needsClick');
      assert.equal(served.prompted, 1);
    });

    it('needs no click after that where mssql remembers it', async () => {
      fake.remembersPasswords = true;
      await readTyping();
      await fake.does['disconnect']?.('uri-1');
      assert.equal(await read('sql07'), 'read');
      assert.deepEqual([served.prompted, await read('sql08')], [1, 'needsClick']);
    });
  });

  it('is not tried again by itself once mssql is gone, and is tried at once where it comes back', async () => {
    await read('sql07', true);
    const find = fake.world.findExtension;
    await fake.does['disconnect']?.('uri-1');
    fake.world.findExtension = () => undefined;
    assert.equal(await read('sql07'), 'hostGone');
    const { kind, retryInMs, sentence } = at('sql07').door.standing!;
    assert.deepEqual([kind, retryInMs], ['gone', null]);
    assert.match(sentence, /is not installed or is disabled/);
    await time.pass(3_600_000);
    assert.equal(at('sql07').door.retryInMs, null);
    fake.world.findExtension = find;
    at('sql07').door.hurry();
    assert.equal(await read('sql07'), 'read');
  });

  it('is not blamed for a service that has ended, by whatever call that shows, and is closed without a word to it', async () => {
    await read('sql07', true);
    served.isServiceGone = true;
    for (const id of ['sql07', 'sql07', 'sql08']) assert.equal(await read(id, true), 'hostGone');
    for (const id of ['sql07', 'sql08']) {
      const { kind, retryInMs, sentence } = at(id).door.standing!;
      assert.deepEqual([kind, retryInMs], ['gone', null]);
      assert.match(sentence, /^SQL Tools Service has ended/);
    }
    assert.deepEqual([served.refused, served.uncaught], [0, 0]);
  });

  it('asks on a new machine for the password that its profile says is saved, on a click, one at a time and by name', async () => {
    fake.user = ['sql07', 'sql08', 'sql09'].map((id) => profile(id, { user: `dba of ${id}` }));
    [fake.wasReached, fake.hasPasswords] = [false, false];
    await start();
    assert.deepEqual([await read('sql07'), await read('sql08')], ['needsClick', 'needsClick']);
    const clicked = [read('sql07', true), read('sql08', true), read('sql09', true)];
    for (const [id, password, end] of [
      ['sql07', undefined, 'loginFailed'],
      ['sql08', PASSWORD, 'read'],
      ['sql09', PASSWORD, 'read'],
    ] as const) {
      await turns();
      assert.equal(served.prompts.length, 1);
      assert.match(
        at(id).door.waitsFor ?? '',
        new RegExp(`^the password of dba of ${id} on ${id.toUpperCase()} `),
      );
      served.prompts.pop()?.(password);
      assert.equal(await clicked.shift(), end);
    }
    assert.deepEqual([served.mostPrompts, served.refused], [1, 1]);
    // It is there now: nothing is asked of the user.
    fake.hasPasswords = true;
    await fake.does['disconnect']?.('uri-1');
    assert.deepEqual([await read('sql08'), served.prompted], ['read', 3]);
  });

  it('is asked approval for before its password, so that each has its name', async () => {
    fake.user = [profile('sql07', unsaved)];
    const approval = new HeldAnswer();
    fake.does['getActiveEditorConnectionId'] = approval.call;
    await start();
    const opening = read('sql07', true);
    await turns();
    assert.match(at('sql07').door.waitsFor ?? '', /^approval: see notifications\n/);
    assert.equal(served.prompted, 0);
    approval.give();
    await turns();
    assert.match(at('sql07').door.waitsFor ?? '', /^the password of dba on SQL07 \(mssql asks/);
    served.prompts.pop()?.(PASSWORD);
    assert.equal(await opening, 'read');
  });
});
