import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { vsixFile } from '../../tools/build/vsix';
import { stopAtFailure } from '../e2e/chain';
import { type Host, startHost } from '../e2e/host';
import { assertDatabases } from '../e2e/database-rows';
import { openReviewedScripts } from '../e2e/review-panel';
import { runScript } from '../e2e/query-window';
import { findFiles, readClock, readTruth } from './event-files';
import { type LiveLogin, openLogin, quoteText } from './login';
import { readSettings } from './settings';
import { type LiveTarget, openTarget } from './target';

const settings = readSettings(process.env);
const serverName = 'LIVE';

describe(`The main job in VS Code, on ${settings.kind === 'simulator' ? 'the simulator' : 'SQL Server'}`, function () {
  this.timeout(900_000);
  stopAtFailure(this);
  let target: LiveTarget;
  let login: LiveLogin;
  let host: Host;
  let pattern = '';
  let sinceUtcMs = 0;
  let targets = '';

  before(async () => {
    target = await openTarget(settings);
    login = await openLogin(target.address);
    targets = await readTargets(login);
    const { host: server, port, user, password } = target.address;
    host = await startHost({
      vsixFiles: [vsixFile],
      server: { name: serverName, server, port, user, password, encrypt: true, trustServerCertificate: true },
      widthPx: 1440,
      heightPx: 900,
    });
  });

  after(async () => {
    await host?.dispose();
    login?.close();
    await target?.dispose();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await host?.screenshot(`live-failed-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const serverRow = (): Locator => host.treeRows(serverName);

  it('flags the server with the databases that sys.databases has at 0', async () => {
    const [automatic, all] = await countDatabases(login);
    await host.answerDialog('Add and Keep the Password');
    await host.openViewContainer('Checkpoint Health');
    await host.expandRow(serverRow().first());
    await serverRow()
      .filter({ hasText: `${automatic} of ${all} automatic` })
      .waitFor();
    await host.screenshot('live-pane');
  });

  it('tracks while the databases work, and shows their checkpoints', async () => {
    sinceUtcMs = await readClock(login);
    await host.pressRowIcon(host.treeRows('Start tracking'), 'Start Tracking Checkpoints');
    await host.treeRows(/^\s*Tracking\s*\d/).waitFor();
    pattern = await findFiles(login);
    await host.takeContextMenuItem(serverRow(), 'Open Checkpoint Timeline');
    await target.work();
    await host.webview().locator('tr[data-database-id]').first().waitFor({ timeout: 60_000 });
  });

  it('stops, and its table equals what the event files hold, read past it', async () => {
    await host.pressRowIcon(host.treeRows(/^\s*Tracking\s*\d/), 'Stop Tracking Checkpoints');
    await host.treeRows(/^\s*Tracked\s*\d/).waitFor();
    const truth = await readTruth(login, pattern, sinceUtcMs);
    assert.ok(truth.length > 1, `${truth.length} databases had checkpoints`);
    await assertDatabases(host.webview(), truth);
    await host.screenshot('live-timeline');
  });

  it('opens the script and its rollback, and has changed nothing by then', async () => {
    const [name] = target.databases.busyAutomatic;
    await host.takeContextMenuItem(serverRow(), 'Filter Databases…');
    await host.fillInputBox(name);
    await host.treeRows(`Only names with "${name}"`).waitFor();
    await host.takeContextMenuItem(await findDatabase(host, name), 'Review Script for Indirect Checkpoints…');
    await openReviewedScripts(host);
    await host.page.locator('.tab').filter({ hasText: 'Untitled-2' }).waitFor();
    assert.match(await readScript(host, 'SWITCH'), /^\/\* SWITCH: /);
    assert.equal(await readTargets(login), targets);
  });

  it('is done when the user has run the script, and undone by the rollback', async () => {
    const script = await readScript(host, 'SWITCH');
    const rollback = await readScript(host, 'ROLLBACK');
    const [name] = target.databases.busyAutomatic;
    await runScript(target.address, script);
    const [row] = await login.rows(`SELECT seconds = target_recovery_time_in_seconds FROM sys.databases WHERE name = ${quoteText(name)};`);
    assert.equal(row?.['seconds'], 60);
    await runScript(target.address, rollback);
    assert.equal(await readTargets(login), targets);
  });

  it('leaves no event session behind once tracking is removed', async () => {
    await host.takeContextMenuItem(serverRow(), 'Remove Tracking Session');
    await host.answerDialog('Remove');
    await host.treeRows('Start tracking').waitFor();
    assert.equal(await login.number("SELECT n = COUNT(*) FROM sys.server_event_sessions WHERE name = N'CheckpointHealth';"), 0);
  });
});

/** The row of a database in the filtered pane, whichever group it has come to be in. */
async function findDatabase(host: Host, name: string): Promise<Locator> {
  const row = host.treeRows().filter({ has: host.page.locator('.label-name').getByText(name, { exact: true }) });
  const closed = host.treeRows().and(host.page.locator('[aria-level="2"][aria-expanded="false"]'));
  for (let left = await closed.count(); left > 0 && !(await row.isVisible()); left--) {
    await closed.first().locator('.monaco-tl-twistie').click();
    // The next one takes the place of the first.
    await closed.nth(left - 1).waitFor({ state: 'detached' });
  }
  await row.waitFor();
  return row;
}

async function readScript(host: Host, kind: 'SWITCH' | 'ROLLBACK'): Promise<string> {
  return (await host.documents()).find(({ text }) => text.startsWith(`/* ${kind}:`))?.text ?? '';
}

async function readTargets(login: LiveLogin): Promise<string> {
  return JSON.stringify(await login.rows('SELECT name, target_recovery_time_in_seconds FROM sys.databases ORDER BY database_id;'));
}

/** User databases at 0, and all of them. */
async function countDatabases(login: LiveLogin): Promise<readonly [number, number]> {
  // A contained availability group has a master and an msdb of its own.
  const users = "database_id > 4 AND RIGHT(name, 7) <> N'_master' AND RIGHT(name, 5) <> N'_msdb'";
  const count = (where: string): Promise<number> => login.number(`SELECT n = COUNT(*) FROM sys.databases WHERE ${users}${where};`);
  return [await count(' AND target_recovery_time_in_seconds = 0'), await count('')];
}
