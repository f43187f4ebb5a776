import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorLogPiece, ToWebview } from '../../src/protocol';
import type * as dashboards from '../../src/shell/dashboard/dashboards';
import { readPastedLog } from '../../src/shell/error-logs/error-log-document';
import type * as errorLogs from '../../src/shell/error-logs/error-log-panels';
import { KeptErrorLogs } from '../../src/shell/error-logs/kept-error-logs';
import { eventually } from '../e2e/eventually';
import { type Desk, openDesk, savedServer } from './fake-editor';
import { FakePanel, FakeTabInputWebview, loadShell, panels, tabs } from './fake-vscode';
import { makeFolder } from '../temporary-folder';
import { partsOf, shop } from './sample';

const { Dashboards } = loadShell<typeof dashboards>('dashboard/dashboards');
const { ErrorLogPanels } = loadShell<typeof errorLogs>('error-logs/error-log-panels');

const log = readPastedLog('ERRORLOG.1', '2026-03-02 08:00:00.00 spid7s  Starting up database.');
const ready = { type: 'ready', captureId: null, generation: 0, rows: 0 } as const;
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** One window: what is kept on disk outlives it, its panels do not. */
class FakeWindow {
  readonly failures: string[] = [];
  readonly invoked: (readonly [command: string, target: object])[] = [];
  readonly dashboards: dashboards.Dashboards;
  readonly errorLogs: errorLogs.ErrorLogPanels;

  constructor(
    desk: Desk,
    readonly folder: string,
  ) {
    const { context, conversation, servers } = desk;
    const exports = {
      files: { save: () => Promise.resolve(false) },
      conversation,
      nowUtcMs: () => 0,
      pause: () => Promise.resolve(),
      elapsedMs: () => 0,
      loadParquet: () => assert.fail('nobody asked for Parquet'),
    };
    const onFailure = (error: unknown): void => void this.failures.push((error as Error).message);
    const kept = new KeptErrorLogs(folder, files);
    const extensionUri = 'extension' as never;
    const common = { extensionUri, log: context.log, onFailure, exports };
    this.errorLogs = new ErrorLogPanels({
      ...common,
      kept,
      conversation,
      readErrorLog: () => undefined,
      createEventIntake: async () => null,
    });
    this.dashboards = new Dashboards({
      ...common,
      servers,
      invoke: (...invoked) => void this.invoked.push(invoked),
      createLogIntake: (post) => this.errorLogs.createIntake(post),
    });
  }

  dispose(): void {
    this.dashboards.dispose();
    this.errorLogs.dispose();
  }
}

const idOf = (panel: FakePanel | undefined): string =>
  /data-server-id="([^"]*)"/.exec(panel?.webview.html ?? '')?.[1] ?? assert.fail();
const postedTo = (panel: FakePanel | undefined, type: string): ToWebview | undefined =>
  (panel?.posted as ToWebview[] | undefined)?.find((message) => message.type === type);

/** @param of the servers whose dashboards are shown */
async function openWindow(
  of: readonly string[] = [],
  folder = makeFolder(),
): Promise<{ desk: Desk; window: FakeWindow }> {
  const desk = await openDesk(shop());
  await desk.servers.save({ ...savedServer, id: 'server-2', name: 'Production 8' });
  panels.length = 0;
  const window = new FakeWindow(desk, folder);
  for (const serverId of of) window.dashboards.show(serverId, null);
  return { desk, window };
}

describe('Several panels of a window', () => {
  it('stand beside each other: one for each server, one for each error log, each with what is its own', async () => {
    const { desk, window } = await openWindow(['server-1', 'server-2', 'server-1']);
    await window.errorLogs.show(log);
    await window.errorLogs.show({ ...log, name: 'ERRORLOG.2' });
    const titles = [
      'Production 7: checkpoints',
      'Production 8: checkpoints',
      'ERRORLOG.1: error log',
      'ERRORLOG.2: error log',
    ];
    assert.deepEqual(partsOf(panels, 'title'), titles);
    assert.equal(new Set(panels.map(idOf)).size, 4);
    for (const panel of panels) panel.say(ready);
    await desk.servers.look('server-2');
    panels[1]?.say(ready);
    const named = panels.slice(0, 2).map((panel) => postedTo(panel, 'server'));
    assert.deepEqual(named, [undefined, named[1]]);
    assert.ok(named[1]?.type === 'server' && named[1].server.name === 'Production 8');
    assert.deepEqual(panels[2]?.posted, [{ type: 'errorLog', ...log }]);
    const said = ['cancelReading', 'pauseReading', 'readOn'] as const;
    for (const type of said) panels[1]?.say({ type });
    await new Promise(setImmediate);
    const asked = desk.monitors.map(({ asked }) => said.filter((type) => asked.includes(type)));
    assert.deepEqual(asked, [said]);
    assert.deepEqual(window.failures, []);
  });

  it('come back with the window, each to its own, and those that cannot say so or are closed', async () => {
    const before = await openWindow(['server-2']);
    await before.window.errorLogs.show(log);
    const [dashboardId, logId] = panels.map(idOf);
    before.window.errorLogs.dispose();
    panels[1]?.dispose();

    const { window } = await openWindow([], before.window.folder);
    const restored = [dashboardId, logId, 'server-9', 'log-0000000000000000', undefined].map((serverId) => ({
      panel: new FakePanel('', 'ERRORLOG.7: error log'),
      state: { serverId },
    }));
    for (const { panel, state } of restored) {
      const { errorLogs, dashboards } = window;
      const serializer = state.serverId?.startsWith('log-') === true ? errorLogs : dashboards;
      await serializer.deserializeWebviewPanel(panel as never, state);
      panel.say(ready);
    }
    const closed = restored.map(({ panel }) => panel.isDisposed);
    assert.deepEqual(closed, [false, false, true, false, true]);
    const [dashboard, errorLog] = restored.map(({ panel }) => panel);
    assert.deepEqual([idOf(dashboard), idOf(errorLog)], [dashboardId, logId]);
    assert.ok(postedTo(dashboard, 'server') !== undefined);
    assert.deepEqual(errorLog?.posted, [{ type: 'errorLog', ...log }]);
    const [lost] = (restored[3]?.panel.posted ?? []) as {
      name: string;
      page: { missing?: { text: string } };
    }[];
    assert.equal(lost?.name, 'ERRORLOG.7');
    assert.match(lost.page.missing?.text ?? '', /was not kept: .* Open the error log again\.$/);
    errorLog?.dispose();
    const gone = 'closed by the reader, it is forgotten';
    await eventually(() => assert.deepEqual(readdirSync(window.folder), [], gone));
  });

  it('leave no file behind once no tab of an error log is open, and lose none while one is', async () => {
    const before = await openWindow();
    await before.window.errorLogs.show(log);
    before.window.errorLogs.dispose();
    const { window } = await openWindow([], before.window.folder);
    writeFileSync(join(window.folder, 'of another.json'), '');
    tabs.push({ input: new FakeTabInputWebview('mainThreadWebview-checkpointHealth.errorLog') });
    await window.errorLogs.sweep();
    assert.equal(readdirSync(window.folder).length, 2);
    tabs.length = 0;
    const sweeping = window.errorLogs.sweep();
    await window.errorLogs.show(log);
    await sweeping;
    assert.deepEqual(readdirSync(window.folder).sort(), [`${idOf(panels[0])}.json`, 'of another.json']);
  });

  it('hand commands what they are about, and know that object from others that look like it', async () => {
    const { window } = await openWindow(['server-1']);
    for (const command of ['startTracking', 'setChangeMoment'])
      panels[0]?.say({ type: 'invoke', command, databaseIds: [5] });
    const target = { serverId: 'server-1', databaseIds: [5], group: null };
    assert.deepEqual(window.invoked, [
      ['startTracking', target],
      ['setChangeMoment', target],
    ]);
    assert.deepEqual(window.failures, []);
    const [, invoked] = window.invoked[0] ?? assert.fail();
    const owned = [invoked, { ...invoked }, undefined, 'server-1'].map((each) =>
      window.dashboards.owns(each),
    );
    assert.deepEqual(owned, [true, false, false, false]);
  });

  it('do nothing for what is no message of the protocol, and log the first of each', async () => {
    const { desk, window } = await openWindow(['server-1']);
    await window.errorLogs.show(log);
    const logged = desk.logged.length;
    for (const panel of panels) {
      panel.say({ type: 'invoke', command: 'removeTracking', databaseIds: [] });
      panel.say({ ...ready, type: 'save' });
      panel.say({
        type: 'errorLogFile',
        name: 'ERRORLOG',
        totalBytes: 5,
        fromByte: 0,
        bytes: [1, 2, 3, 4, 5],
      });
      panel.say(null);
    }
    await settle();
    assert.deepEqual(
      [window.invoked, window.failures, panels.map(({ posted }) => posted)],
      [[], [], [[], []]],
    );
    const dropped = (title: string): string =>
      `${title}: A message was dropped because it breaks the protocol: invoke.`;
    assert.deepEqual(
      desk.logged.slice(logged),
      ['Production 7: checkpoints', 'ERRORLOG.1: error log'].map(dropped),
    );
    for (const panel of panels) panel.say(ready);
    assert.ok(!panels.some(({ posted }) => posted.length === 0), 'and go on');
  });

  it('are called by the name that a server has by then', async () => {
    const { desk } = await openWindow(['server-1', 'server-2']);
    await desk.servers.save({ ...savedServer, name: 'Renamed' });
    assert.deepEqual(partsOf(panels, 'title'), ['Renamed: checkpoints', 'Production 8: checkpoints']);
  });

  it('open an error log that is dropped on a dashboard, and say in one sentence where it is none', async () => {
    const { window } = await openWindow(['server-1']);
    const [dashboard] = panels;
    const dropped = async (text: string): Promise<void> => {
      const bytes = Uint8Array.from(Buffer.from(text)).buffer;
      const piece: ErrorLogPiece = {
        type: 'errorLogFile',
        name: 'ERRORLOG',
        totalBytes: bytes.byteLength,
        fromByte: 0,
        bytes,
      };
      dashboard?.say(piece);
      await settle();
    };
    await dropped('2026-03-02 08:00:00.00 spid7s  Starting up database.');
    assert.deepEqual(
      [panels.length, panels[1]?.title, window.failures.length],
      [2, 'ERRORLOG: error log', 0],
    );
    assert.deepEqual(dashboard?.posted.at(-1), { type: 'errorLogTaken', bytes: 52 });
    await dropped('GIF89a');
    assert.equal(panels.length, 2);
    assert.deepEqual(dashboard?.posted.at(-1), { type: 'errorLogTaken', bytes: null });
    assert.match(window.failures.join(), /^ERRORLOG cannot be read as an error log of SQL Server/);
    window.dispose();
  });
});
