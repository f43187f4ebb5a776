import assert from 'node:assert/strict';
import { createTrackingCommands } from '../../../src/shell/commands/tracking-commands';
import { createLookCommands } from '../../../src/shell/commands/look-commands';
import {
  agree,
  createDesk,
  databaseRow,
  type Desk,
  nothingForbidden,
  openDesk,
  run,
  savedServer,
  serverRow,
} from '../fake-editor';
import { database, facts, partsOf, shop, snapshot, systemDatabases } from '../sample';
import type { ConnectionRules } from '../../../src/gate/connection-rules';
import { createAnotherWayCommand } from '../../../src/shell/commands/another-way';
import { Dismissed, NotReached } from '../../../src/shell/kit/command-table';
import { ConnectionHosts } from '../../../src/shell/hosts/connection-hosts';
import { connectTo, readTarget, takeUpNode } from '../../../src/shell/commands/command-context';
import { createRow } from '../../../src/shell/tree/row';
import { FakeHost, hostServer } from '../fake-host';

const found = shop();
const targetOf = (...databaseIds: number[]) => ({ serverId: 'server-1', databaseIds, group: null });

describe('what a command is about', () => {
  it('is all databases selected with the one that was clicked, of its server', () => {
    const selection = [databaseRow(5), databaseRow(6), databaseRow(9, 'server-2'), serverRow];
    assert.deepEqual(readTarget(databaseRow(6), selection), { kind: 'target', target: targetOf(5, 6) });
  });

  it('is the server when the server was clicked, whatever else is selected', () => {
    assert.deepEqual(readTarget(serverRow, [serverRow, databaseRow(5)]), {
      kind: 'target',
      target: targetOf(),
    });
  });

  it('is nothing of ours for nodes of Azure Data Studio and of the mssql extension', () => {
    for (const node of [
      { isConnectionNode: true, connectionProfile: { id: 'x', serverName: 's' } },
      { nodeType: 'Server', connectionProfile: { server: 's' }, label: 's' },
      { serverId: 's', databaseIds: ['5'] },
    ])
      assert.equal(readTarget(node, []).kind, 'foreign');
    assert.equal(readTarget(undefined, undefined).kind, 'none');
  });

  it('is the only server from the palette, and asked for where there are several: that choice is an answer', async () => {
    const desk = await openDesk(found, [true, 'server-2']);
    await run(createTrackingCommands(desk.context).startTracking);
    const only = 'Track checkpoints of all databases on Production 7 (sql07)?';
    assert.deepEqual([desk.conversation.said, desk.changed()], [[only], [['startTracking', null]]]);
    await desk.servers.save({ ...savedServer, id: 'server-2', name: 'Two' });
    await run(createTrackingCommands(desk.context).startTracking);
    assert.deepEqual(
      [desk.conversation.said.slice(1), desk.monitors[1]?.asked],
      [['Which server?'], ['look', ['startTracking', null]]],
    );
    assert.deepEqual(partsOf(desk.conversation.offered[0], 'label'), ['Production 7', 'Two']);
  });

  it('is asked for with the way to each server where there is more than one way', async () => {
    const desk = await openDesk(found);
    desk.servers.point({ ...hostServer, name: 'Production 7', server: 'sql07' });
    await run(createTrackingCommands(desk.context).startTracking);
    assert.deepEqual(partsOf(desk.conversation.offered[0], 'description'), [
      'sql07, SQL Server extension (mssql)',
      'sql07, Own driver',
    ]);
  });
});

describe('A command that connects', () => {
  it('is left without a word when the user cancels it, and the server is read all the same', async () => {
    const desk = await openDesk(found);
    const cancel = new AbortController();
    desk.conversation.showWork = (_, work) => {
      const working = work(cancel.signal, () => undefined);
      cancel.abort();
      return working;
    };
    await assert.rejects(connectTo(desk.context, 'server-1'), Dismissed);
    await new Promise(setImmediate);
    assert.equal(desk.servers.snapshot('server-1').connection, 'connected');
  });

  it('leads to the other ways where the server is not reached', async () => {
    const sentence = 'Not allowed to use the connections of the SQL Server extension.';
    const desk = await openDesk({ ...found, connection: 'failed', failure: sentence, facts: null });
    await assert.rejects(connectTo(desk.context, 'server-1'), new NotReached(sentence, 'server-1'));
  });
});

describe('commands that look', () => {
  let filter = '';
  const lookAt = (desk: Desk): ReturnType<typeof createLookCommands> =>
    createLookCommands(desk.context, {
      tree: {
        filterOf: () => filter,
        filter: (id, text) => void (filter = id === 'server-1' ? text : id),
        showMore: () => undefined,
      },
      showLog: () => undefined,
    });
  beforeEach(() => (filter = ''));

  it('open the dashboard at the database that was clicked, and connect', async () => {
    const desk = await openDesk(found, ['or']);
    const { openDashboard, filterDatabases } = lookAt(desk);
    await run(openDashboard, databaseRow(6), [databaseRow(6)]);
    await run(filterDatabases, serverRow);
    assert.deepEqual([desk.timelines, filter, desk.asked()], [[['server-1', 6]], 'or', ['look']]);
  });

  it('show automatic databases alone at a click on how many there are, and all at the next, and ask nothing', async () => {
    const { filterDatabases } = lookAt(await openDesk(found));
    const flag = createRow({
      kind: 'automatic',
      id: 'server-1/automatic',
      serverId: 'server-1',
      label: '312 of 400 automatic',
    });
    for (const expected of ['automatic', '']) {
      await run(filterDatabases, flag);
      assert.equal(filter, expected);
    }
  });
});

const payroll = snapshot(
  facts([...systemDatabases, database(5, 'Payroll'), database(6, 'PAYROLL'), database(7, 'a]b')]),
);

describe("a node of another product's tree", () => {
  let host: FakeHost;
  let desk: Desk;
  let happened: string[];

  beforeEach(() => {
    host = new FakeHost();
    host.pointedAt = { server: hostServer, databaseName: null };
    happened = [];
    desk = createDesk(payroll, [true]);
  });

  const takeUp = (node: unknown = 'its node'): ReturnType<typeof takeUpNode> => {
    const hosts = new ConnectionHosts(
      { hosts: [host], onLooked: () => undefined, onFailure: () => undefined },
      () => undefined,
    );
    const connectAnotherWay = async ({ id }: { id: string }): Promise<void> =>
      void happened.push(`taken ${id}`);
    return takeUpNode(
      desk.context,
      { hosts, connectAnotherWay, reveal: (id) => void happened.push(`revealed ${id}`) },
      node,
    );
  };
  const pointAt = (databaseName: string): ReturnType<typeof takeUpNode> => {
    host.pointedAt = { server: hostServer, databaseName };
    return takeUp();
  };

  it('puts its server into the list, without connecting, and shows it', async () => {
    assert.deepEqual(await takeUp(), { serverId: 'mssql:11', databaseIds: [], group: null });
    assert.deepEqual(
      [desk.servers.list.find('mssql:11')?.name, happened, desk.monitors.length],
      ['Payroll', ['revealed mssql:11'], 0],
    );
  });

  it('keeps its own database, by the exact name first', async () => {
    assert.deepEqual((await pointAt('PAYROLL')).databaseIds, [6]);
    assert.deepEqual((await pointAt('A]B')).databaseIds, [7]);
  });

  it('is explained where its database is gone, or could be one of two, and where it is no server', async () => {
    for (const name of ['gone', 'payroll'])
      await assert.rejects(
        pointAt(name),
        new Error(`Database ${name} is no longer on Payroll, or this login may not see it.`),
      );
    await assert.rejects(takeUp('a folder'), /^Error: This is not a SQL Server or one of its databases/);
  });

  it('leads to another way where its connection cannot be used', async () => {
    host.obstacle = 'It shares its connections no longer.';
    await assert.rejects(takeUp(), Dismissed);
    assert.deepEqual([desk.conversation.said, happened], [[host.obstacle], ['taken mssql:11']]);
  });

  it('needs that product no longer where our own driver has taken its server over', async () => {
    host.obstacle = 'It shares its connections no longer.';
    await desk.servers.save({ ...savedServer, id: hostServer.id });
    assert.equal((await takeUp()).serverId, 'mssql:11');
  });
});

describe('connecting another way', () => {
  const nothing = async (): Promise<void> => undefined;
  /** The ways that are offered, of which the first is taken where the user answers so. */
  async function offer(
    desk: Desk,
    row: unknown,
    {
      rules = nothingForbidden,
      ...world
    }: Partial<Parameters<typeof createAnotherWayCommand>[2]> & { readonly rules?: ConnectionRules },
  ): Promise<readonly unknown[]> {
    const noWay = {
      findHost: () => undefined,
      findChange: () => null,
      connectDirectly: nothing,
      editServer: nothing,
      importServers: nothing,
    };
    const command = createAnotherWayCommand(desk.context, () => rules, {
      ...noWay,
      showDiagnostics: nothing,
      ...world,
    });
    assert.equal(await run(command, row), undefined);
    return partsOf(desk.conversation.offered[0], 'label');
  }
  const standing = {
    kind: 'certificate',
    sentence: 'It is another one.',
    sinceMs: 0,
    retryInMs: null,
  } as const;
  const change = { was: 'AB:CD', is: 'EF:01' };

  it('offers our own driver, the taking back of a refusal, another try and the diagnostics', async () => {
    const desk = createDesk(payroll);
    desk.servers.point(hostServer);
    const host = Object.assign(new FakeHost(), { editPermission: nothing });
    assert.deepEqual(await offer(desk, { serverId: 'mssql:11', databaseIds: [] }, { findHost: () => host }), [
      'Connect Directly…',
      'Allow or Deny Use of Its Connections…',
      'Try Again',
      'Show Connection Diagnostics',
    ]);
  });

  it('offers only what leads somewhere where the other product cannot help any more', async () => {
    const desk = createDesk({ ...payroll, standing: { ...standing, kind: 'gone' } });
    desk.servers.point(hostServer);
    await desk.servers.connect(hostServer.id, agree);
    const host = Object.assign(new FakeHost(), { editPermission: nothing });
    assert.deepEqual(await offer(desk, { serverId: 'mssql:11', databaseIds: [] }, { findHost: () => host }), [
      'Connect Directly…',
      'Import Connections…',
    ]);
  });

  it('offers to trust the certificate of a server of our own where only that keeps us out and it may be, and connects again', async () => {
    const trusting = { ...savedServer, trustServerCertificate: true };
    const forbidden = { rules: { ...nothingForbidden, allowTrustServerCertificate: false } };
    const [isChanged, ways] = [
      { findChange: () => change },
      ['Edit Server…', 'Try Again', 'Show Connection Diagnostics'],
    ];
    for (const [server, more, isOffered, kept] of [
      [savedServer, {}, true],
      [savedServer, forbidden, false],
      [{ ...savedServer, encrypt: 'strict' }, {}, false],
      [{ ...savedServer, authentication: 'entra' }, {}, false],
      [trusting, {}, false],
      [trusting, isChanged, true],
      [trusting, { ...forbidden, ...isChanged }, false],
      [trusting, isChanged, false, { ...standing, kind: 'refused' }],
      [trusting, isChanged, false, null],
    ] as const) {
      const desk = await openDesk(
        { ...payroll, standing: kept === undefined ? standing : kept },
        isOffered ? [true] : [],
      );
      await desk.servers.save(server);
      if (server === trusting) await desk.servers.saved.keepTrusted('server-1', 'AB:CD');
      await desk.servers.connect('server-1', agree);
      if (!isOffered) {
        assert.deepEqual(await offer(desk, serverRow, more), ways);
        continue;
      }
      desk.conversation.chooseOne = async (_, choices) => (choices[0] ?? assert.fail()).value;
      await offer(desk, serverRow, more);
      const { trustServerCertificate, trustedCertificate } =
        desk.servers.saved.find('server-1') ?? assert.fail();
      const accepted = server === trusting ? 'EF:01' : undefined;
      assert.deepEqual([trustServerCertificate, trustedCertificate], [true, accepted]);
      // One that is saved is read by another monitor from then on.
      assert.equal(
        accepted === undefined ? desk.monitors.length : desk.asked().at(-1),
        accepted ? 'refresh' : 2,
      );
    }
  });
});
