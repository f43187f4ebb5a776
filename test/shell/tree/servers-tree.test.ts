import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Facts } from '../../../src/core/advice/facts';
import type { ServerChange, ServerSnapshot } from '../../../src/monitor/server-monitor';
import type { Notice } from '../../../src/shell/hosts/connection-hosts';
import type { Row } from '../../../src/shell/tree/row';
import type { ServersTree } from '../../../src/shell/tree/servers-tree';
import { agree, type Desk, type FakeMonitor, openDesk } from '../fake-editor';
import { loadWithVsCode } from '../fake-vscode';
import { notTracking, snapshot, upgradedServer } from '../sample';

/* eslint-disable-next-line @typescript-eslint/no-require-imports -- `vscode` exists only while this is loaded */
const { ServersTree: Tree } = loadWithVsCode(() => require('../../../src/shell/tree/servers-tree') as { ServersTree: typeof ServersTree });

describe('the tree of the pane', () => {
  let tree: ServersTree;
  let desk: Desk;
  const failures: unknown[] = [];
  const notices: Notice[] = [];

  beforeEach(async () => {
    failures.length = notices.length = 0;
    desk = await openDesk(snapshot(upgradedServer()));
    tree = new Tree(
      desk.servers,
      () => notices,
      (error) => failures.push(error),
    );
  });

  const { setTimeout: waitReally } = globalThis;
  afterEach(() => {
    globalThis.setTimeout = waitReally;
    tree.dispose();
  });

  const children = async (parent?: Row): Promise<readonly Row[]> => (await tree.getChildren(parent)) ?? [];

  /** Opens a server's row and waits until the server has answered. */
  const opened = async (server?: Row): Promise<readonly Row[]> => {
    await children(server);
    await desk.servers.connect('server-1', agree);
    await tree.drawn();
    return children(server);
  };

  /** What the editor is told from now on: labels of rows, or that the whole pane is another one. */
  const listen = (): (readonly string[] | 'all')[] => {
    const told: (readonly string[] | 'all')[] = [];
    tree.onDidChangeTreeData((rows) => told.push(rows === undefined ? 'all' : rows.map(({ label }) => label)));
    return told;
  };

  /** The server says something else. */
  const become = (more: Partial<ServerSnapshot>, change: ServerChange = 'tracking'): void => {
    const monitor = desk.monitors[0] as FakeMonitor;
    monitor.snapshot = { ...monitor.snapshot, ...more };
    monitor.change(change);
  };

  it('shows servers without connecting to them, and connects when one is opened', async () => {
    const [server] = await children();
    assert.deepEqual([server?.label, server?.expand, desk.monitors.length], ['Production 7', 'closed', 0]);
    const rows = await opened(server);
    assert.ok(rows.some((row) => row.kind === 'group'));
    assert.deepEqual(desk.monitors[0]?.asked, ['look']);
    assert.equal((await children())[0]?.expand, 'open');
  });

  it('knows the rows that it handed to the editor, as they are drawn again, from others that look like them', async () => {
    const [server] = await children();
    const rows = await opened(server);
    become({ failure: null });
    await tree.drawn();
    for (const row of [server, ...rows]) {
      assert.ok(tree.owns(row), row?.label);
      assert.ok(!tree.owns({ ...row }), row?.label);
    }
    assert.ok(!tree.owns(undefined) && !tree.owns('server-1'));
  });

  it('gives items a stable id, plain texts, a theme icon and words for a screen reader', async () => {
    const [server] = await children();
    await opened(server);
    const [connected] = await children();
    const item = tree.getTreeItem(connected as Row) as unknown as Record<string, unknown>;
    assert.equal(item['id'], 'server-1');
    assert.equal(typeof item['tooltip'], 'string');
    assert.equal(item['contextValue'], 'server:idle,own');
    assert.match((item['accessibilityInformation'] as { label: string }).label, /^Server Production 7, 312 of 400 automatic$/);
    assert.deepEqual(
      [(item['iconPath'] as { id: string }).id, (item['iconPath'] as { color: { id: string } }).color.id],
      ['server', 'icon.foreground'],
    );
  });

  it('gives every icon a colour, because Azure Data Studio cannot draw one that has none', async () => {
    notices.push({
      label: '2 connections ignored',
      sentence: 'The workspace that defines them is not trusted.',
    });
    const [notice, server] = await children();
    const rows = [notice, server, ...(await opened(server))];
    const groups = await Promise.all(rows.filter((row) => row?.kind === 'group').map((row) => children(row)));
    for (const row of [...rows, ...groups.flat()]) {
      const { iconPath } = tree.getTreeItem(row as Row) as unknown as { iconPath?: { color?: { id: string } } };
      assert.ok(iconPath === undefined || typeof iconPath.color?.id === 'string', row?.label);
    }
    assert.deepEqual([notice?.kind, server?.kind], ['notice', 'server']);
  });

  it('draws many changes once', async () => {
    const [server] = await children();
    await opened(server);
    const told = listen();
    for (let rowsRead = 0; rowsRead < 1000; rowsRead++)
      become({ tracking: { ...notTracking, state: 'failed', message: `${rowsRead} rows` } });
    assert.deepEqual(told, []);
    await sleep(1100);
    assert.deepEqual(told, [['Tracking failed']]);
  });

  it('tells the editor nothing where nothing is different', async () => {
    const [server] = await children();
    await opened(server);
    const told = listen();
    become({}, 'facts');
    await tree.drawn();
    assert.deepEqual(told, []);
  });

  it('keeps every row the same object, which says what the row says now', async () => {
    const [server] = await children();
    const group = (await opened(server)).find((row) => row.label === 'Indirect');
    const [first, second] = await children(group);
    const told = listen();
    const databases = upgradedServer().databases.map((one) => (one.databaseId === first?.databaseId ? { ...one, targetSeconds: 30 } : one));
    become({ facts: { ...upgradedServer(), databases } }, 'facts');
    await tree.drawn();
    assert.deepEqual(told, [[first?.label]]);
    assert.deepEqual([first?.description, second?.description], ['30 s', '60 s']);
    assert.equal((tree.getTreeItem(first as Row) as { description?: unknown }).description, '30 s');
    tree.filter('server-1', 'Db31');
    assert.deepEqual(told.slice(1), [['Production 7']]);
    assert.equal(
      (await children(server)).find((row) => row.label === 'Indirect'),
      group,
    );
    assert.equal((await children(group))[0], first);
  });

  it('answers by what the editor was told, until it is told more', async () => {
    const [server] = await children();
    const before = await opened(server);
    become({ facts: null }, 'facts');
    assert.deepEqual(await children(server), before);
    await tree.drawn();
    assert.deepEqual(await children(server), []);
  });

  it('tells of very many rows in parts, the longest waiting first, and loses none', async () => {
    const [server] = await children();
    const group = (await opened(server)).find((row) => row.kind === 'group');
    tree.showMore((await children(group)).at(-1) as Row);
    await tree.drawn();
    await children(server);
    const rows = await children(group);
    const told = listen();
    const states = (state: string): Facts => ({
      ...upgradedServer(),
      databases: upgradedServer().databases.map((one) => ({ ...one, state })),
    });
    become({ facts: states('SUSPECT') }, 'facts');
    await tree.drawn();
    become({ facts: states('RECOVERING') }, 'facts');
    await tree.drawn();
    assert.deepEqual(told, [rows.slice(0, 100).map(({ label }) => label)]);
    await sleep(4200);
    assert.deepEqual(
      told.map((part) => part.length),
      [100, 100, 100, 100, 12],
    );
    assert.deepEqual(
      told.flat(),
      [...rows, ...rows.slice(0, 100)].map(({ label }) => label),
    );
  }).timeout(10_000);

  it('waits for no server: one that does not answer keeps nothing else from being drawn', async () => {
    const [server] = await children();
    await desk.servers.monitor('server-1');
    const monitor = desk.monitors[0] as FakeMonitor;
    let answer = (): void => undefined;
    monitor.look = () => {
      monitor.snapshot = { ...monitor.snapshot, connection: 'connecting' };
      monitor.change('facts');
      return new Promise((resolve) => (answer = resolve));
    };
    assert.deepEqual(await children(server), []);
    await sleep(0);
    await tree.drawn();
    assert.deepEqual(
      (await children(server)).map((row) => [row.kind, row.label]),
      [['connecting', 'Connecting…']],
    );
    answer();
  });

  it('tells of a server that could not be opened, once', async () => {
    const [server] = await children();
    desk.servers.monitor = () => Promise.reject(new Error('The chunk could not be loaded.'));
    assert.deepEqual(await children(server), []);
    await sleep(0);
    assert.deepEqual(failures.map(String), ['Error: The chunk could not be loaded.']);
  });

  it('shows at once that a server was reached, however often its counts were drawn just before', async () => {
    const [server] = await children();
    await opened(server);
    const told = listen();
    become({ tracking: { ...notTracking, message: 'Reading.' } }, 'capture');
    become({ connection: 'failed', failure: 'It is gone.' }, 'facts');
    await sleep(200);
    assert.deepEqual(told, [['Production 7']]);
  });

  it('says again every five seconds in how long a server is tried again', async () => {
    const [server] = await children();
    await opened(server);
    // The five seconds pass in a tenth of one.
    globalThis.setTimeout = ((task: () => void, ms = 0) => waitReally(task, ms / 50)) as typeof setTimeout;
    const standing = { kind: 'unreachable', sentence: 'It is gone.', sinceMs: 0, retryInMs: 20_000 } as const;
    become({ connection: 'failed', failure: 'It is gone.', standing }, 'facts');
    await sleep(20);
    const label = async (): Promise<string | undefined> => (await children(server))[0]?.label;
    assert.match((await label()) ?? '', /rying again in 20 s$/);
    (desk.monitors[0] as FakeMonitor).snapshot = {
      ...(desk.monitors[0] as FakeMonitor).snapshot,
      standing: { ...standing, retryInMs: 14_800 },
    };
    await sleep(200);
    assert.match((await label()) ?? '', /rying again in 15 s$/);
  });

  it('filters and shows more at once', async () => {
    const [server] = await children();
    await opened(server);
    tree.filter('server-1', 'Db00');
    const rows = await children(server);
    assert.equal(rows.find((row) => row.kind === 'filter')?.label, 'Only names with "Db00"');
    tree.filter('server-1', '');
    assert.equal(
      (await children(server)).some((row) => row.kind === 'filter'),
      false,
    );
  });

  it('has nothing under a server that was removed meanwhile, and has the whole pane read again', async () => {
    const [server] = await children();
    const told = listen();
    await desk.servers.remove('server-1');
    await tree.drawn();
    assert.deepEqual([await children(server), await children(), failures, told], [[], [], [], ['all']]);
  });
});
