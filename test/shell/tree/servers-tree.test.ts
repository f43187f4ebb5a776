import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../e2e/eventually';
import type { Facts } from '../../../src/core/advice/facts';
import type { Notice } from '../../../src/shell/hosts/connection-hosts';
import type { Row } from '../../../src/shell/tree/row';
import type * as trees from '../../../src/shell/tree/servers-tree';
import { HeldAnswer } from '../../held-answer';
import { agree, type Desk, openDesk } from '../fake-editor';
import { loadShell } from '../fake-vscode';
import { notTracking, partsOf, snapshot, upgradedServer } from '../sample';

const { ServersTree } = loadShell<typeof trees>('tree/servers-tree');
type Item = Readonly<
  Record<string, { readonly label?: string; readonly id?: string; readonly color?: { readonly id: string } }>
>;

describe('the tree of the pane', () => {
  let tree: trees.ServersTree;
  let desk: Desk;
  let server: Row;
  const failures: unknown[] = [];
  const notices: Notice[] = [];
  const { setTimeout: waitReally } = globalThis;

  beforeEach(async () => {
    failures.length = notices.length = 0;
    desk = await openDesk(snapshot(upgradedServer()));
    tree = new ServersTree(
      desk.servers,
      () => notices,
      (error) => failures.push(error),
    );
    [server] = tree.getChildren() as [Row];
  });
  afterEach(() => {
    globalThis.setTimeout = waitReally;
    tree.dispose();
  });

  /** From now on what waits a second waits a fiftieth of one. */
  const hurry = (): void => {
    globalThis.setTimeout = ((task: () => void, ms = 0) => waitReally(task, ms / 50)) as typeof setTimeout;
  };
  const itemOf = (row: Row | undefined): Item => tree.getTreeItem(row as Row) as unknown as Item;
  /** Opens the server's row and waits until the server has answered. */
  const opened = async (): Promise<readonly Row[]> => {
    tree.getChildren(server);
    await desk.servers.connect('server-1', agree);
    await tree.drawn();
    return tree.getChildren(server);
  };

  /** What the editor is told from now on: labels of rows, or that the whole pane is another one. */
  const listen = (): (readonly string[] | 'all')[] => {
    const told: (readonly string[] | 'all')[] = [];
    tree.onDidChangeTreeData((rows) =>
      told.push(rows === undefined ? 'all' : rows.map(({ label }) => label)),
    );
    return told;
  };

  it('shows servers without connecting to them, and connects when one is opened', async () => {
    assert.deepEqual([server.label, server.expand, desk.monitors.length], ['Production 7', 'closed', 0]);
    const rows = await opened();
    assert.ok(rows.some((row) => row.kind === 'group'));
    assert.deepEqual(desk.asked(), ['look']);
    assert.equal(tree.getChildren()[0]?.expand, 'open');
  });

  it('knows the rows that it handed to the editor, as they are drawn again, from others that look like them', async () => {
    const rows = await opened();
    desk.monitor.become({ failure: null });
    await tree.drawn();
    for (const row of [server, ...rows]) {
      assert.ok(tree.owns(row), row?.label);
      assert.ok(!tree.owns({ ...row }), row?.label);
    }
    assert.ok(!tree.owns(undefined) && !tree.owns('server-1'));
  });

  it('gives items a stable id, plain texts, a theme icon and words for a screen reader', async () => {
    await opened();
    const { id, tooltip, contextValue, accessibilityInformation, iconPath } = itemOf(tree.getChildren()[0]);
    assert.deepEqual([id, typeof tooltip, contextValue], ['server-1', 'string', 'server:idle,own']);
    assert.equal(accessibilityInformation?.label, 'Server Production 7, 312 of 400 automatic');
    assert.deepEqual([iconPath?.id, iconPath?.color?.id], ['server', 'icon.foreground']);
  });

  it('gives every icon a colour, because Azure Data Studio cannot draw one that has none', async () => {
    notices.push({
      label: '2 connections ignored',
      sentence: 'The workspace that defines them is not trusted.',
    });
    const under = await opened();
    const top = tree.getChildren();
    const groups = under.filter(({ kind }) => kind === 'group').flatMap((row) => tree.getChildren(row));
    for (const row of [...top, ...under, ...groups]) {
      const { iconPath } = itemOf(row);
      assert.ok(iconPath === undefined || typeof iconPath.color?.id === 'string', row.label);
    }
    assert.deepEqual(partsOf(top, 'kind'), ['notice', 'server']);
  });

  it('draws many changes once', async () => {
    await opened();
    const told = listen();
    for (let rowsRead = 0; rowsRead < 1000; rowsRead++)
      desk.monitor.become({ tracking: { ...notTracking, state: 'failed', message: `${rowsRead} rows` } });
    assert.deepEqual(told, []);
    await tree.drawn();
    assert.deepEqual(told, [['Production 7']]);
  });

  it('keeps every row the same object, which says what the row says now', async () => {
    const group = (await opened()).find((row) => row.label === 'Indirect');
    const [first, second] = tree.getChildren(group);
    const told = listen();
    const databases = upgradedServer().databases.map((one) =>
      one.databaseId === first?.databaseId ? { ...one, targetSeconds: 30 } : one,
    );
    desk.monitor.become({ facts: { ...upgradedServer(), databases } }, 'facts');
    await tree.drawn();
    assert.deepEqual(told, [[first?.label]]);
    assert.deepEqual(
      [first?.description, second?.description, itemOf(first)['description']],
      ['30 s', '60 s', '30 s'],
    );
    tree.filter('server-1', 'Db31');
    assert.deepEqual(told.slice(1), [['Production 7']]);
    const found = tree.getChildren(server).find((row) => row.label === 'Indirect');
    assert.equal(found, group);
    assert.equal(tree.getChildren(group)[0], first);
  });

  it('answers by what the editor was told, until it is told more', async () => {
    const before = await opened();
    desk.monitor.become({ facts: null }, 'facts');
    assert.deepEqual(tree.getChildren(server), before);
    await tree.drawn();
    assert.deepEqual(tree.getChildren(server), []);
  });

  it('tells of very many rows in parts, the longest waiting first, and loses none', async () => {
    const group = (await opened()).find((row) => row.kind === 'group');
    tree.showMore(tree.getChildren(group).at(-1) as Row);
    tree.getChildren(server);
    const rows = tree.getChildren(group);
    const told = listen();
    const given = upgradedServer();
    for (const state of ['SUSPECT', 'RECOVERING']) {
      const facts: Facts = { ...given, databases: given.databases.map((one) => ({ ...one, state })) };
      desk.monitor.become({ facts }, 'facts');
      await tree.drawn();
    }
    assert.deepEqual(told, [partsOf(rows.slice(0, 100), 'label')]);
    hurry();
    await eventually(() => assert.equal(told.flat().length, 412));
    assert.deepEqual(partsOf(told, 'length'), [100, 100, 100, 100, 12]);
    assert.deepEqual(told.flat(), partsOf([...rows, ...rows.slice(0, 100)], 'label'));
  });

  it('waits for no server: one that does not answer keeps nothing else from being drawn', async () => {
    await desk.servers.monitor('server-1');
    const answer = new HeldAnswer();
    desk.monitor.look = () => {
      desk.monitor.become({ connection: 'connecting' }, 'facts');
      return answer.call();
    };
    assert.deepEqual(tree.getChildren(server), []);
    await sleep(0);
    await tree.drawn();
    assert.deepEqual(partsOf(tree.getChildren(server), 'kind', 'label'), [['connecting', 'Connecting…']]);
    answer.give();
  });

  it('tells of a server that could not be opened, once', async () => {
    desk.servers.monitor = () => Promise.reject(new Error('The chunk could not be loaded.'));
    assert.deepEqual(tree.getChildren(server), []);
    await sleep(0);
    assert.deepEqual(failures.map(String), ['Error: The chunk could not be loaded.']);
  });

  it('shows at once that a server was reached, however often its counts were drawn just before', async () => {
    await opened();
    const told = listen();
    desk.monitor.become({ tracking: { ...notTracking, message: 'Reading.' } }, 'capture');
    desk.monitor.become({ connection: 'failed', failure: 'It is gone.' }, 'facts');
    await eventually(() => assert.deepEqual(told, [['Production 7']]));
  });

  it('says again every five seconds in how long a server is tried again', async () => {
    await opened();
    hurry();
    const standing = { kind: 'unreachable', sentence: 'It is gone.', sinceMs: 0, retryInMs: 20_000 } as const;
    desk.monitor.become({ connection: 'failed', failure: 'It is gone.', standing }, 'facts');
    await eventually(() => assert.match(tree.getChildren(server)[0]?.label ?? '', /rying again in 20 s$/));
    desk.monitor.snapshot = { ...desk.monitor.snapshot, standing: { ...standing, retryInMs: 14_800 } };
    await eventually(() => assert.match(tree.getChildren(server)[0]?.label ?? '', /rying again in 15 s$/));
  });

  it('has nothing under a server that was removed meanwhile, and has the whole pane read again', async () => {
    const told = listen();
    await desk.servers.remove('server-1');
    await tree.drawn();
    assert.deepEqual([tree.getChildren(server), tree.getChildren(), failures, told], [[], [], [], ['all']]);
  });
});
