import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../../src/shell/tree/row';
import type { ServersTree } from '../../src/shell/tree/servers-tree';
import { type Desk, openDesk } from './fake-editor';
import { loadWithVsCode } from './fake-vscode';
import { snapshot, upgradedServer } from './sample';

/* eslint-disable-next-line @typescript-eslint/no-require-imports -- `vscode` exists only while this is loaded */
const { ServersTree: Tree } = loadWithVsCode(() => require('../../src/shell/tree/servers-tree') as { ServersTree: typeof ServersTree });

describe('the tree of the pane', () => {
  let tree: ServersTree;
  let desk: Desk;
  const failures: unknown[] = [];

  beforeEach(async () => {
    failures.length = 0;
    desk = await openDesk(snapshot(upgradedServer()));
    tree = new Tree(desk.servers, (error) => failures.push(error));
  });

  afterEach(() => tree.dispose());

  const children = async (parent?: Row): Promise<readonly Row[]> => (await tree.getChildren(parent)) ?? [];

  it('shows servers without connecting to them, and connects when one is opened', async () => {
    const [server] = await children();
    assert.deepEqual([server?.label, server?.expand, desk.monitors.length], ['Production 7', 'closed', 0]);
    const rows = await children(server);
    assert.ok(rows.some((row) => row.kind === 'group'));
    assert.deepEqual(desk.monitors[0]?.asked, ['refresh']);
    assert.equal((await children())[0]?.expand, 'open');
  });

  it('gives items a stable id, plain texts, a theme icon and words for a screen reader', async () => {
    const [server] = await children();
    await children(server);
    const [connected] = await children();
    const item = tree.getTreeItem(connected as Row) as unknown as Record<string, unknown>;
    assert.equal(item['id'], 'server-1');
    assert.equal(typeof item['tooltip'], 'string');
    assert.equal(item['contextValue'], 'server:idle');
    assert.match((item['accessibilityInformation'] as { label: string }).label, /^Server Production 7, SQL Server 2019/);
    assert.deepEqual(
      [(item['iconPath'] as { id: string }).id, (item['iconPath'] as { color: { id: string } }).color.id],
      ['server', 'charts.yellow'],
    );
  });

  it('draws many changes once', async () => {
    const [server] = await children();
    await children(server);
    await sleep(80);
    let drawn = 0;
    tree.onDidChangeTreeData(() => drawn++);
    for (let at = 0; at < 1000; at++) desk.monitors[0]?.change('tracking');
    assert.equal(drawn, 0);
    await sleep(1100);
    assert.equal(drawn, 1);
  });

  it('filters and shows more at once', async () => {
    const [server] = await children();
    await children(server);
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
