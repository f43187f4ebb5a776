import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Notice } from '../../src/shell/hosts/host-notices';
import type { Row } from '../../src/shell/tree/row';
import type { ServersTree } from '../../src/shell/tree/servers-tree';
import { type Desk, type FakeMonitor, openDesk } from './fake-editor';
import { loadWithVsCode } from './fake-vscode';
import { snapshot, upgradedServer } from './sample';

/* eslint-disable-next-line @typescript-eslint/no-require-imports -- `vscode` exists only while this is loaded */
const { ServersTree: Tree } = loadWithVsCode(() => require('../../src/shell/tree/servers-tree') as { ServersTree: typeof ServersTree });

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

  afterEach(() => tree.dispose());

  const children = async (parent?: Row): Promise<readonly Row[]> => (await tree.getChildren(parent)) ?? [];

  /** Opens a server's row and waits until the server has answered. */
  const opened = async (server?: Row): Promise<readonly Row[]> => {
    await children(server);
    await desk.servers.connect('server-1');
    return children(server);
  };

  it('shows servers without connecting to them, and connects when one is opened', async () => {
    const [server] = await children();
    assert.deepEqual([server?.label, server?.expand, desk.monitors.length], ['Production 7', 'closed', 0]);
    const rows = await opened(server);
    assert.ok(rows.some((row) => row.kind === 'group'));
    assert.deepEqual(desk.monitors[0]?.asked, ['refresh']);
    assert.equal((await children())[0]?.expand, 'open');
  });

  it('gives items a stable id, plain texts, a theme icon and words for a screen reader', async () => {
    const [server] = await children();
    await opened(server);
    const [connected] = await children();
    const item = tree.getTreeItem(connected as Row) as unknown as Record<string, unknown>;
    assert.equal(item['id'], 'server-1');
    assert.equal(typeof item['tooltip'], 'string');
    assert.equal(item['contextValue'], 'server:idle,own');
    assert.match((item['accessibilityInformation'] as { label: string }).label, /^Server Production 7, SQL Server 2019/);
    assert.deepEqual(
      [(item['iconPath'] as { id: string }).id, (item['iconPath'] as { color: { id: string } }).color.id],
      ['server', 'charts.yellow'],
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
    await sleep(80);
    let drawn = 0;
    tree.onDidChangeTreeData(() => drawn++);
    for (let at = 0; at < 1000; at++) desk.monitors[0]?.change('tracking');
    assert.equal(drawn, 0);
    await sleep(1100);
    assert.equal(drawn, 1);
  });

  it('waits for no server: one that does not answer keeps nothing else from being drawn', async () => {
    const [server] = await children();
    await desk.servers.monitor('server-1');
    const monitor = desk.monitors[0] as FakeMonitor;
    let answer = (): void => undefined;
    monitor.refresh = () => {
      monitor.snapshot = { ...monitor.snapshot, connection: 'connecting' };
      monitor.change('facts');
      return new Promise((resolve) => (answer = resolve));
    };
    assert.deepEqual(await children(server), []);
    await sleep(0);
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
    await sleep(80);
    let drawn = 0;
    tree.onDidChangeTreeData(() => drawn++);
    desk.monitors[0]?.change('capture');
    desk.monitors[0]?.change('facts');
    await sleep(200);
    assert.equal(drawn, 1);
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

  it('has nothing under a server that was removed meanwhile', async () => {
    const [server] = await children();
    await desk.servers.remove('server-1');
    assert.deepEqual([await children(server), await children(), failures], [[], [], []]);
  });
});
