import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { type Host, serverFigure, startHost } from './host';
import type { ServerToAdd } from './host';
import { listenInSilence, type SilentServer } from './silent-server';

const password = 'Str0ng!Passw0rd';

describe('An ordinary bad day', function () {
  this.timeout(120_000);
  let simulator: Simulator;
  let host: Host;
  let silent: SilentServer;

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required' });
    silent = await listenInSilence();
    host = await startHost({ vsixFiles: [vsixFile], widthPx: 1440, heightPx: 900 });
    await host.openViewContainer('Checkpoint Health');
    await host.addServer(serverNamed('GOOD', {}));
    await rowOf('GOOD').filter({ hasText: serverFigure }).waitFor();
  });

  after(async () => {
    await host?.dispose();
    await silent?.close();
    await simulator?.close();
  });

  const serverNamed = (name: string, more: Partial<ServerToAdd>): ServerToAdd => ({
    name,
    server: '127.0.0.1',
    port: simulator.port,
    user: 'dba',
    password,
    encrypt: true,
    trustServerCertificate: true,
    ...more,
  });
  const rowOf = (name: string): Locator => host.treeRows(new RegExp(`^\\s*${name}`));
  /** Sentences of the rows under servers that could not be reached. */
  const failures = (sentence: RegExp): Locator => host.treeRows(sentence);

  afterEach('the good server is still read, and nothing shows the password', async () => {
    await rowOf('GOOD').filter({ hasText: '312 of 400 automatic' }).waitFor();
    const seen = await host.page.locator('body').evaluate((body) => body.outerHTML);
    assert.ok(!seen.includes(password) && !seen.includes('wr0ng-Secret'));
    await dismissNotifications(host);
  });

  it('a server that is down is one sentence in its row, and one when it is asked for', async () => {
    await host.addServer(serverNamed('DOWN', { port: 1 }));
    await failures(/Could not reach 127\.0\.0\.1,1: nothing listens there. Check the name, the port and the firewall\./).waitFor();
    await rowOf('DOWN').filter({ hasText: 'not reached' }).waitFor();
    assert.deepEqual(await host.notifications(), []);
    await host.takeContextMenuItem(rowOf('DOWN'), 'Refresh');
    assert.match(await onlyNotification(host), /^Could not reach 127\.0\.0\.1,1: nothing listens there\./);
  });

  it('a wrong password is a sentence that says where to mend it', async () => {
    await host.addServer(serverNamed('WRONG', { server: 'localhost', password: 'wr0ng-Secret' }));
    await failures(/refused login dba: check the user name and the password in Edit Server \(Msg 18456\)\./).waitFor();
    assert.deepEqual(await host.notifications(), []);
  });

  it('a certificate that nobody vouches for is a sentence with both ways out', async () => {
    await host.addServer(serverNamed('UNTRUSTED', { server: 'localhost', database: 'master', trustServerCertificate: false }));
    await failures(/is not trusted \(.+\). Install a trusted one on the server, or choose to trust/).waitFor();
    await host.screenshot('pane-failures-dark');
  });

  it('a server that does not answer keeps no other from being read', async () => {
    await host.addServer(serverNamed('SILENT', { port: silent.port }));
    await host.treeRows(/^\s*Connecting…/).waitFor();
    await host.addServer(serverNamed('VIEWER', { user: 'viewer' }));
    await rowOf('VIEWER').filter({ hasText: serverFigure }).waitFor();
    assert.equal(await host.treeRows(/^\s*Connecting…/).count(), 1);
    await host.page.getByRole('button', { name: 'Collapse All' }).click();
  });

  it('a login without permissions still sees its databases, and what it may not see', async () => {
    await host.addServer(serverNamed('READER', { user: 'reader' }));
    // The one that is offline and automatic is shown only to those who may alter databases.
    await rowOf('READER').filter({ hasText: '311 of 399 automatic' }).waitFor();
    await host.treeRows(/^\s*Automatic, not measured/).waitFor();
    await host.expandRow(host.treeRows('This login cannot see everything'));
    await host.treeRows(/Memory and event sessions cannot be seen/).waitFor();
    await host.treeRows(/^\s*Tracking needs ALTER ANY EVENT SESSION and VIEW SERVER STATE/).waitFor();
    await host.screenshot('pane-limits-dark');
  });

  it('a login that may not track is told which permissions it lacks, and nothing is tried', async () => {
    await host.takeContextMenuItem(rowOf('READER'), 'Start Tracking Checkpoints');
    assert.match(
      await onlyNotification(host),
      /^Tracking needs ALTER ANY EVENT SESSION and VIEW SERVER STATE, which the login reader does not have on LEGACY-SQL07\. Ask an administrator/,
    );
    assert.deepEqual(listRuns(simulator), []);
  });

  it('after all of that the good server can be tracked', async () => {
    await host.expandRow(rowOf('GOOD'));
    await host.pressRowIcon(host.treeRows('Start tracking').first(), 'Start Tracking Checkpoints');
    await host.treeRows(/^\s*Tracking\s*\d/).waitFor();
    assert.equal(listRuns(simulator).length, 1);
    assert.deepEqual(await host.notifications(), []);
  });

  it('a server that goes down while it is tracked is as last seen, and tracked again with its first answer', async () => {
    const { door } = simulator.replicas[0];
    await door.stop();
    await rowOf('GOOD')
      .filter({ hasText: /not reached since \d\d:\d\d/ })
      .waitFor();
    await host.treeRows(/^\s*Trying again in \d+ s.*last read \d\d:\d\d/).waitFor();
    await host.treeRows(/^\s*Last seen running/).waitFor();
    assert.equal(await host.treeRows(/^\s*Tracking\s*\d/).count(), 0);
    for (const theme of ['light', 'highContrast', 'dark'] as const) {
      await host.setTheme(theme);
      await host.screenshot(`pane-not-reached-${theme}`);
    }
    await door.start();
    // It is tried after 5, 10 and 20 seconds; a click tries at once.
    await host.page.mouse.move(900, 700);
    await host.treeRows(/^\s*Trying again/).click();
    await rowOf('GOOD').filter({ hasText: serverFigure }).waitFor();
    await host.treeRows(/^\s*Tracking\s*\d/).waitFor();
  });

  it('a password that is changed meanwhile is refused once, by nothing that goes on in the background, and once it was typed all goes on', async () => {
    const before = countRefused(simulator);
    simulator.server.changePassword('dba', newPassword);
    // Sessions outlive their password: they are ended too.
    await simulator.replicas[0].door.disconnect();
    await rowOf('GOOD').filter({ hasText: 'login refused' }).waitFor();
    const failure = failures(
      /^\s*Not trying again: click to choose.*refused login dba: check the user name and the password in Edit Server \(Msg 18456\)\./,
    ).first();
    await failure.waitFor();
    await host.screenshot('pane-login-refused-dark');
    // Polls every 5 seconds, samples every 15.
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    assert.equal(countRefused(simulator) - before, 1);
    assert.equal(await host.page.locator('.quick-input-widget:visible').count(), 0);

    await host.page.mouse.move(900, 700);
    await failure.click();
    await host.choose('Try Again');
    const box = host.page.locator('.quick-input-widget:visible');
    await box.getByText('Password of login dba on GOOD').waitFor();
    await host.screenshot('pane-waits-for-password-dark');
    await box.locator('input[type=password]').fill(newPassword);
    await box.locator('input[type=password]').press('Enter');
    await host.choose('Ask in each window');
    await rowOf('GOOD').filter({ hasText: serverFigure }).waitFor();
    await host.treeRows(/^\s*Tracking\s*\d/).waitFor();
    await host
      .treeRows(/Not trying again: click to choose/)
      .first()
      .waitFor({ state: 'hidden' });
    assert.equal(countRefused(simulator) - before, 1);
  });
});

const newPassword = 'N3w!Passw0rd';

/** Logins that the server refused. */
function countRefused({ server }: Simulator): number {
  return server.ledger.logins.filter(({ error }) => error !== null).length;
}

function listRuns({ server }: Simulator): readonly unknown[] {
  return server.ledger.sessionRuns.filter((run) => run.sessionName === 'CheckpointHealth');
}

/** What the one notification on screen says. */
async function onlyNotification(host: Host): Promise<string> {
  await host.page.locator('.notifications-toasts .notification-list-item-message').first().waitFor();
  const notifications = await host.notifications();
  assert.equal(notifications.length, 1, notifications.join('\n'));
  return notifications[0] as string;
}

async function dismissNotifications(host: Host): Promise<void> {
  await host.runCommandById('notifications.clearAll');
  await host.page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });
}
