import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { lookAfter } from './chain';
import { type Host, serverFigure, startHost } from './host';
import { describeServer } from './ways/own';

describe('An ordinary bad day', function () {
  let simulator: Simulator;
  let host: Host;
  lookAfter(this, 'bad-days', () => host);

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required' });
    host = await startHost({ vsixFiles: [vsixFile] });
    await host.openViewContainer('Checkpoint Health');
    await host.addServer(describeServer('GOOD', simulator));
    await rowOf('GOOD').filter({ hasText: serverFigure }).waitFor();
  });

  after(() => simulator?.close());

  const rowOf = (name: string): Locator => host.treeRows(new RegExp(`^\\s*${name}`));

  afterEach('the good server is still read, and nothing shows the password', async () => {
    await rowOf('GOOD').filter({ hasText: '312 of 400 automatic' }).waitFor();
    const seen = await host.page.locator('body').evaluate((body) => body.outerHTML);
    assert.ok(!seen.includes(simulator.administrator.password));
    await dismissNotifications(host);
  });

  it('a server that is down is one sentence in its row, and one when it is asked for', async () => {
    await host.addServer(describeServer('DOWN', simulator, { port: 1 }));
    await host
      .treeRows(
        /Could not reach 127\.0\.0\.1,1: nothing listens there. Check the name, the port and the firewall\./,
      )
      .waitFor();
    await rowOf('DOWN').filter({ hasText: 'not reached' }).waitFor();
    assert.deepEqual(await host.notifications(), []);
    await host.takeContextMenuItem(rowOf('DOWN'), 'Refresh');
    assert.match(await onlyNotification(host), /^Could not reach 127\.0\.0\.1,1: nothing listens there\./);
    await host.page.getByRole('button', { name: 'Collapse All' }).click();
  });

  it('a server that goes down while it is tracked is as last seen, and tracked again with its first answer', async () => {
    await host.expandRow(rowOf('GOOD'));
    await host.pressRowIcon(host.treeRows('Start tracking').first(), 'Start Tracking Checkpoints');
    await host.treeRows(/^\s*Tracking\s*\d/).waitFor();
    const { door } = simulator.replicas[0];
    await door.stop();
    await rowOf('GOOD')
      .filter({ hasText: /not reached since \d\d:\d\d/ })
      .waitFor();
    await host.treeRows(/^\s*Trying again in \d+ s.*last read \d\d:\d\d/).waitFor();
    await host.treeRows(/^\s*Last seen running/).waitFor();
    assert.equal(await host.treeRows(/^\s*Tracking\s*\d/).count(), 0);
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
    const failure = host
      .treeRows(
        /^\s*Not trying again: click to choose.*refused login dba: check the user name and the password in Edit Server \(Msg 18456\)\./,
      )
      .first();
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

/** What the one notification on screen says. */
async function onlyNotification(host: Host): Promise<string> {
  await host.page.locator('.notifications-toasts .notification-list-item-message').first().waitFor();
  const notifications = await host.notifications();
  assert.equal(notifications.length, 1, notifications.join('\n'));
  return notifications[0] as string;
}

async function dismissNotifications(host: Host): Promise<void> {
  await host.runCommandById('notifications.clearAll');
  await host.page
    .locator('.notifications-toasts .notification-list-item')
    .first()
    .waitFor({ state: 'hidden' });
}
