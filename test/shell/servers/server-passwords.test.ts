import assert from 'node:assert/strict';
import { ServerPasswords } from '../../../src/shell/servers/server-passwords';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { type Desk, openDesk, savedServer } from '../fake-editor';
import { partsOf, snapshot, upgradedServer } from '../sample';

interface Box {
  readonly server: SavedServer;
  readonly keeps: boolean;
  readonly signal: AbortSignal;
  readonly answer: (password: string) => void;
}

const soon = (): Promise<void> => new Promise(setImmediate);

describe('the passwords of the servers', () => {
  let desk: Desk;
  let boxes: Box[];
  let offers: { readonly sentence: string; readonly act: () => Promise<void> }[];
  let mayStore: boolean;
  let failures: unknown[];
  let passwords: ServerPasswords;

  beforeEach(async () => {
    desk = await openDesk(snapshot(upgradedServer()));
    desk.secrets.values.clear();
    [boxes, offers, failures, mayStore] = [[], [], [], true];
    passwords = openWindow();
  });

  afterEach(() => passwords.dispose());

  /** As many windows as one likes know the same servers and the same storage. */
  function openWindow(): ServerPasswords {
    return new ServerPasswords(desk.servers, {
      askPassword: (server, keeps, signal) =>
        new Promise<string | undefined>((resolve) => {
          signal.addEventListener('abort', () => resolve(undefined));
          boxes.push({
            server,
            keeps,
            signal,
            answer: resolve,
          });
        }),
      mayStore: () => mayStore,
      hide: (password) => desk.context.log.hide(password),
      offer: (sentence, _button, act) => void offers.push({ sentence, act }),
      onFailure: (error) => void failures.push(error),
    });
  }

  const stored = (id = savedServer.id): Promise<string | undefined> => desk.servers.saved.password(id);
  const store = (password: string, id = savedServer.id): Promise<void> =>
    desk.servers.saved.keepPassword(id, password);
  const known = (server: SavedServer = savedServer): Promise<string | undefined> =>
    passwords.password(server, false);
  const add = async (id: string, name: string, password?: string): Promise<SavedServer> => {
    const server = { ...savedServer, id, name, server: `host-${id}` };
    await desk.servers.save(server);
    if (password !== undefined) await store(password, id);
    return server;
  };
  /** Types into the box that opens for a server. */
  const type = async (password: string, asked: Promise<unknown> = passwords.password(savedServer, true)) => {
    await soon();
    boxes.at(-1)?.answer(password);
    return asked;
  };

  it('are stored only after the server took them, which the box says', async () => {
    assert.equal(await type('p4ssword'), 'p4ssword');
    assert.deepEqual([await stored(), boxes[0]?.keeps], [undefined, true]);
    await passwords.accepted(savedServer, 'p4ssword');
    assert.equal(await stored(), 'p4ssword');
    assert.equal(await openWindow().password(savedServer, false), 'p4ssword');
  });

  it('that are not to be kept are known until the window closes, and are asked for in the next one', async () => {
    await desk.servers.save({ ...savedServer, asksPassword: true });
    assert.equal(await type('p4ssword'), 'p4ssword');
    await passwords.accepted(savedServer, 'p4ssword');
    assert.deepEqual([await known(), await stored()], ['p4ssword', undefined]);
    const next = openWindow();
    assert.equal(await next.password(savedServer, false), undefined);
    await type('p4ssword', next.password(savedServer, true));
    assert.deepEqual(partsOf(boxes, 'keeps'), [false, false]);
  });

  it('are forgotten once the server refused them, in memory and in storage', async () => {
    await store('old');
    assert.equal(await known(), 'old');
    await passwords.refused(savedServer, 'old');
    assert.equal(await stored(), undefined);
    await type('wrong');
    await passwords.refused(savedServer, 'wrong');
    assert.equal(await known(), undefined);
  });

  it('that were given meanwhile stay where another one was refused', async () => {
    await store('new');
    await passwords.refused(savedServer, 'old');
    assert.equal(await stored(), 'new');
    await passwords.takeIn(savedServer, 'newer');
    await passwords.refused(savedServer, 'old');
    assert.equal(await known(), 'newer');
  });

  it('go to no other address and to no other login than they were given for', async () => {
    await store('stored');
    for (const other of [
      { server: 'evil' },
      { server: 'sql07,1500' },
      { user: 'sa' },
      { authentication: 'windows' },
    ] as const)
      assert.equal(await known({ ...savedServer, ...other }), undefined, JSON.stringify(other));
    await passwords.takeIn(savedServer, 'typed');
    await desk.servers.save({ ...savedServer, server: 'elsewhere' });
    await soon();
    assert.equal(await known({ ...savedServer, server: 'elsewhere' }), undefined);
  });

  it('that were typed for an address that was changed meanwhile are not stored for the new one', async () => {
    await type('p4ssword');
    await desk.servers.saved.save({ ...savedServer, server: 'elsewhere' });
    await passwords.accepted(savedServer, 'p4ssword');
    assert.equal(await stored(), undefined);
  });

  it('given with Add Server or Edit Server are stored when the server took them, or never', async () => {
    for (const [asksPassword, expected] of [
      [undefined, 'given'],
      [true, undefined],
    ] as const) {
      const server = { ...savedServer, asksPassword };
      await passwords.takeIn(server, 'given');
      await desk.servers.save(server);
      assert.equal(await stored(), undefined);
      await passwords.accepted(server, 'given');
      assert.equal(await stored(), expected);
      assert.equal(await known(server), 'given');
    }
  });

  it('that were stored stay known in this window where they are not to be stored any more', async () => {
    await store('stored');
    const server = { ...savedServer, asksPassword: true };
    await passwords.takeIn(server, undefined);
    await desk.servers.save(server);
    assert.deepEqual([await stored(), await known(server)], [undefined, 'stored']);
  });

  it('are neither stored nor read from storage where that is forbidden: those stored are deleted', async () => {
    await store('stored');
    mayStore = false;
    assert.equal(await type('typed'), 'typed');
    await passwords.accepted(savedServer, 'typed');
    assert.deepEqual([await stored(), boxes[0]?.keeps], [undefined, false]);
  });

  it('stay known in this window where the storage fails, which is told', async () => {
    await type('p4ssword');
    desk.secrets.store = () => Promise.reject(new Error('The keychain is locked.'));
    await passwords.accepted(savedServer, 'p4ssword');
    assert.deepEqual([failures.length, await known()], [1, 'p4ssword']);
  });

  it('never appear in the log, typed or stored', async () => {
    await store('st0red-one');
    await known();
    await type('typ3d-one', passwords.password(await add('2', 'Two'), true));
    desk.context.log.error('the driver says st0red-one and typ3d-one');
    assert.deepEqual(desk.logged, ['the driver says *** and ***']);
  });

  it('are asked for one at a time, each box for its own server', async () => {
    const second = await add('2', 'Two');
    const [first, other] = [passwords.password(savedServer, true), passwords.password(second, true)];
    await soon();
    assert.deepEqual(partsOf(boxes, 'server'), [savedServer]);
    await type('one', first);
    await type('two', other);
    assert.deepEqual([await first, await other, boxes.length], ['one', 'two', 2]);
  });

  it('are asked for once, however many wait for the same one and whatever happens to another server', async () => {
    const asked = [passwords.password(savedServer, true), passwords.password(savedServer, true)];
    await soon();
    await add('2', 'Two', 'other');
    await type('p4ssword', asked[0]);
    assert.deepEqual([await Promise.all(asked), boxes.length], [['p4ssword', 'p4ssword'], 1]);
  });

  it('are asked for no longer when nobody waits any more, and the next box opens', async () => {
    const second = await add('2', 'Two');
    const [one, two] = [new AbortController(), new AbortController()];
    const asked = [
      passwords.password(savedServer, true, one.signal),
      passwords.password(savedServer, true, two.signal),
    ];
    const other = passwords.password(second, true);
    await soon();
    one.abort();
    await soon();
    assert.deepEqual([boxes.length, boxes[0]?.signal.aborted], [1, false]);
    two.abort();
    assert.deepEqual(await Promise.all(asked), [undefined, undefined]);
    assert.equal(boxes[0]?.signal.aborted, true);
    assert.equal(await type('two', other), 'two');
  });

  it('are asked for no longer when the server is removed, changed, given its password, or the window closes', async () => {
    for (const end of [
      () => desk.servers.remove(savedServer.id),
      () => desk.servers.save({ ...savedServer, server: 'elsewhere' }),
      async () => {
        await passwords.takeIn(savedServer, 'given');
        await desk.servers.save(savedServer);
      },
      async () => passwords.dispose(),
    ]) {
      await passwords.refused(savedServer, 'given');
      await desk.servers.save(savedServer);
      await soon();
      const asked = passwords.password(savedServer, true);
      await soon();
      await end();
      assert.equal(await asked, undefined);
    }
    assert.equal(boxes.length, 4);
  });

  describe('that were corrected', () => {
    /** The old one is refused by the first server, which takes the new one. */
    async function correct(): Promise<void> {
      await store('old');
      await passwords.refused(savedServer, 'old');
      await type('new');
      await passwords.accepted(savedServer, 'new');
    }

    it('are offered once for the other servers that had the old one, and stored there only on a click and once accepted', async () => {
      const names = ['A', 'B', 'C', 'D', 'E'];
      for (const name of names) await add(name, name, 'old');
      await correct();
      assert.deepEqual(partsOf(offers, 'sentence'), [
        'Production 7 accepted the new password of login dba. The old one is also known for A, B, C and 2 more. Use the new one there too?',
      ]);
      const other = desk.servers.saved.find('A') ?? assert.fail();
      assert.equal(await known(other), 'old');
      await offers[0]?.act();
      assert.deepEqual([await known(other), await stored('A')], ['new', 'old']);
      for (const each of [savedServer, other]) await passwords.accepted(each, 'new');
      assert.deepEqual([await stored('A'), await stored('B'), offers.length], ['new', 'old', 1]);
    });

    it('are used on a click, and never stored, where they are not to be', async () => {
      const other = await add('A', 'A');
      await desk.servers.save({ ...other, asksPassword: true });
      await passwords.takeIn(other, 'old');
      await correct();
      await offers[0]?.act();
      await passwords.accepted(other, 'new');
      assert.deepEqual([await known(other), await stored('A')], ['new', undefined]);
    });

    it('leave alone a server that has accepted one of its own before the click', async () => {
      const other = await add('A', 'A', 'old');
      await correct();
      await passwords.takeIn(other, 'own');
      await passwords.accepted(other, 'own');
      await offers[0]?.act();
      assert.equal(await known(other), 'own');
    });

    it('are not offered after another login of the same server was refused', async () => {
      await passwords.refused({ ...savedServer, user: 'sa' }, 'old');
      await add('A', 'A', 'old');
      await type('new');
      await passwords.accepted(savedServer, 'new');
      assert.deepEqual(offers, []);
    });

    it('are offered also for a server that has refused the old one by itself meanwhile', async () => {
      const other = await add('A', 'A', 'old');
      await passwords.refused(other, 'old');
      await correct();
      assert.match(offers[0]?.sentence ?? '', /known for A\./);
    });

    it('are offered for servers that were given the old one with this one, and stored when they have accepted it', async () => {
      const other = await add('A', 'A');
      for (const each of [savedServer, other]) await passwords.takeIn(each, 'typo');
      await passwords.refused(savedServer, 'typo');
      await type('wrong too');
      await passwords.refused(savedServer, 'wrong too');
      await type('right');
      await passwords.accepted(savedServer, 'right');
      assert.match(offers[0]?.sentence ?? '', /known for A\./);
      assert.equal(await known(other), 'typo');
      await offers[0]?.act();
      assert.deepEqual([await known(other), await stored('A')], ['right', undefined]);
      await passwords.accepted(other, 'right');
      assert.equal(await stored('A'), 'right');
    });

    it('are offered for no other login, no other kind of login, no other password, and not where nothing was refused', async () => {
      await add('A', 'A', 'different');
      await add('B', 'B');
      for (const change of [{ user: 'DBA' }, { authentication: 'windows' }] as const) {
        const id = JSON.stringify(change);
        await desk.servers.save({ ...savedServer, ...change, id, server: 'x' });
        await store('old', id);
      }
      await correct();
      await add('C', 'C', 'new');
      await passwords.accepted(savedServer, 'new');
      assert.deepEqual(offers, []);
    });

    it('go to no server that was removed or changed before the click', async () => {
      await add('A', 'A', 'old');
      const other = await add('B', 'B', 'old');
      await correct();
      await desk.servers.remove('A');
      const moved = { ...other, server: 'evil' };
      await desk.servers.save(moved);
      await offers[0]?.act();
      assert.deepEqual(await Promise.all([{ ...other, id: 'A' }, moved].map(known)), [undefined, undefined]);
    });
  });
});
