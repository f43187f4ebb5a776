/** Pages with nothing to draw: not tracking, no permission, waiting for a server. Each says what it is and what to do; none is blank. */
import assert from 'node:assert/strict';
import { PAGE_NAMES } from './dashboard-page';
import { eventually } from './eventually';
import { describeServer, type DashboardWorld, openDashboard, rowOf, SERVER } from './dashboard-world';
import { clearNotifications } from './saved-files';
import { listenInSilence, type SilentServer } from './silent-server';

export function describeStates(world: () => DashboardWorld): void {
  let silent: SilentServer;

  before(async () => {
    silent = await listenInSilence();
  });
  after(() => silent.close());

  /** Every page has words on it that can be seen. */
  async function assertNothingBlank(shot: string): Promise<void> {
    const { dashboard, host } = world();
    for (const page of PAGE_NAMES) {
      await dashboard.show(page);
      await eventually(async () => assert.ok((await dashboard.panel().innerText()).trim().length > 30, `${page} says something`));
      await host.screenshot(`dashboard-${shot}-${page.toLowerCase().replace(/\W+/g, '-')}`);
    }
    await dashboard.show('Timeline');
  }

  async function closeDashboard(): Promise<void> {
    await world().host.runCommandById('workbench.action.closeAllEditors');
  }

  beforeEach(() => clearNotifications(world().host));

  it('a server that does not answer: the dashboard says that it waits', async () => {
    const { host, dashboard, simulator } = world();
    await host.addServer(describeServer(simulator, 'SILENT', { port: silent.port }));
    await openDashboard(world(), 'SILENT');
    await dashboard
      .panel()
      .getByText(/Reading…|Waiting for the server/)
      .first()
      .waitFor();
    await assertNothingBlank('loading');
    assert.equal(await dashboard.get('h1').textContent(), 'SILENT', 'it names the server that it waits for');
  });

  it('a login without permissions: each page says what it lacks', async () => {
    const { host, dashboard, simulator } = world();
    await host.addServer(describeServer(simulator, 'READER', { user: 'reader' }));
    await rowOf(world(), 'READER').filter({ hasText: '399 automatic' }).waitFor();
    await openDashboard(world(), 'READER');
    await dashboard.panel().getByRole('heading', { name: 'This login has no permission to track checkpoints' }).waitFor();
    await dashboard.show('Error log');
    await dashboard
      .panel()
      .getByText(/no permission to read|VIEW SERVER STATE/)
      .first()
      .waitFor();
    await assertNothingBlank('no-permission');
    assert.equal(
      await dashboard.panel().getByRole('button', { name: 'Start tracking' }).count(),
      0,
      'what would be refused is not offered',
    );
  });

  it('a login without permissions: the timeline names what tracking lacks and shows what grants it, instead of Start', async () => {
    const { host, dashboard } = world();
    await dashboard.show('Timeline');
    const grant = 'USE master; GRANT ALTER ANY EVENT SESSION, VIEW SERVER STATE TO [reader];';
    await eventually(async () => assert.equal(await dashboard.panel().locator('.notice pre').innerText(), grant));
    await host.takeContextMenuItem(rowOf(world(), 'READER'), 'Start Tracking Checkpoints');
    await host.page
      .locator('.notification-list-item-message', { hasText: /^Tracking needs ALTER ANY EVENT SESSION and VIEW SERVER STATE/ })
      .waitFor();
    assert.equal(await dashboard.panel().getByRole('button', { name: 'Start tracking' }).count(), 0, 'nor is it after a refusal');
    await host.runCommandById('notifications.clearAll');
  });

  it('a login without permissions: the page of writes names the permission that it lacks, too', async () => {
    const { dashboard } = world();
    await dashboard.show('I/O');
    await eventually(async () => assert.match(await dashboard.panel().innerText(), /VIEW SERVER STATE/));
    await closeDashboard();
  });

  it('a server that is not tracked: the timeline offers to begin, and the others have what the server tells anyway', async () => {
    const { dashboard } = world();
    await openDashboard(world(), SERVER);
    await dashboard.panel().getByRole('heading', { name: 'Nothing observed yet' }).waitFor();
    await dashboard.panel().getByRole('button', { name: 'Start tracking' }).waitFor();
    await dashboard.show('Error log');
    await dashboard.panel().getByText('FlushCache messages').first().waitFor();
    await assertNothingBlank('not-tracking');
  });

  it('a server that is not tracked: the databases say so, too', async () => {
    const { dashboard } = world();
    await dashboard.show('Databases');
    await dashboard.panel().getByRole('heading', { name: 'Nothing observed yet' }).waitFor({ timeout: 5_000 });
    assert.equal(await dashboard.panel().getByRole('button', { name: 'Save as SVG' }).count(), 0, 'no chart of nothing');
  });
}
