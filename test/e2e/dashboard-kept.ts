/** What belongs to the reader: kept over a reload of the window, and of each server's dashboard apart. */
import assert from 'node:assert/strict';
import { startSimulator, type Simulator } from '../../simulator/index';
import type { DashboardPage } from './dashboard-page';
import { eventually } from './eventually';
import { describeServer, type DashboardWorld, findDashboard, openDashboard, rowOf, SERVER } from './dashboard-world';
import { listenInSilence } from './silent-server';

const OTHER = 'APP-SQL01';

/** What of the view a reader would miss. */
async function readView(dashboard: DashboardPage): Promise<object> {
  return {
    time: await dashboard.timeText(),
    clock: await dashboard.get('.toolbar button[title=Clock]').innerText(),
    view: await dashboard.chosenIn('View'),
    lane: await dashboard.selectedLane(),
    first: (await dashboard.laneNames())[0],
    measured: await dashboard.measured(),
    filter: await dashboard.get('input[type=search]').inputValue(),
  };
}

export function describeKept(world: () => DashboardWorld): void {
  let other: Simulator;

  before(async () => {
    other = await startSimulator({ scenario: 'healthy', databases: 20, rate: 60, tls: 'required' });
  });
  after(() => other.close());

  it('over a reload: zoom, selection, clock, pinned lane, height of lanes, strips, what is measured, and the page', async () => {
    const { host, dashboard } = world();
    await dashboard.show('Timeline');
    await dashboard.beginInTheMidst();
    await dashboard.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'p', 'm', 'ArrowRight', 'ArrowDown', 'Enter');
    await dashboard.takeFromMenu('Clock', 'utc');
    await dashboard.takeFromMenu('View', 'compact');
    await dashboard.takeFromMenu('View', 'pages');
    await dashboard.standing();
    await eventually(async () => assert.equal((await dashboard.measured()).lanes, 2));
    const before = await readView(dashboard);
    assert.deepEqual(
      Object.values(before).filter((value) => value === null || value === ''),
      [''],
      'all of it is set but the filter',
    );
    await host.reload({ stored: ['"laneHeight":"compact"', '"pages"]', '"clock":"utc"'] });
    await dashboard.get('.lane-name.selected').waitFor({ timeout: 60_000 });
    await eventually(async () => assert.deepEqual(await readView(dashboard), before), 30_000);
    await host.screenshot('dashboard-reloaded');
    await dashboard.show('Databases');
    await host.reload({ stored: ['"page":"databases"'] });
    await dashboard.panel().locator('tbody tr').first().waitFor({ timeout: 60_000 });
    assert.equal(await dashboard.pageShown(), 'Databases');
    await dashboard.show('Timeline');
  });

  it('of two servers beside each other, each its own', async () => {
    const { host, dashboard } = world();
    await host.addServer(describeServer(other, OTHER));
    await rowOf(world(), OTHER).filter({ hasText: ' automatic' }).waitFor();
    await openDashboard(world(), OTHER);
    await host.runCommandById('workbench.action.moveEditorToRightGroup');
    const [mine, others] = [await findDashboard(world(), SERVER), await findDashboard(world(), OTHER)];
    const before = { clock: await mine.get('.toolbar button[title=Clock]').innerText(), page: await mine.pageShown() };
    assert.match(await others.get('.toolbar button[title=Clock]').innerText(), /^Server time/);
    await others.takeFromMenu('Clock', 'local');
    await others.show('I/O');
    assert.deepEqual({ clock: await mine.get('.toolbar button[title=Clock]').innerText(), page: await mine.pageShown() }, before);
    await mine.show('Error log');
    await mine.get('.toolbar button[title=Clock]').innerText();
    assert.deepEqual([await others.pageShown(), await mine.pageShown()], ['I/O', 'Error log']);
    await mine.show('Timeline');
    await host.screenshot('dashboard-two-servers');
    await host.reload({ stored: ['"page":"timeline"', '"page":"writeWork"', '"clock":"local"'] });
    const [mineAgain, othersAgain] = [await findDashboard(world(), SERVER), await findDashboard(world(), OTHER)];
    await eventually(async () => {
      assert.deepEqual([await mineAgain.pageShown(), await othersAgain.pageShown()], ['Timeline', 'I/O']);
      assert.deepEqual(
        [
          await mineAgain.get('.toolbar button[title=Clock]').innerText(),
          /^Local time/.test(await othersAgain.get('.toolbar button[title=Clock]').innerText()),
        ],
        [before.clock, true],
      );
    }, 30_000);
    assert.ok(dashboard);
  });

  it('while the server is silent: what was kept is there, marked as not verified, and is confirmed when the server answers', async () => {
    const { host, simulator } = world();
    const { door } = simulator.replicas[0];
    const before = await (await findDashboard(world(), SERVER)).laneNames();
    await door.stop();
    const silent = await listenInSilence(simulator.port);
    try {
      await host.reload();
      const kept = await findDashboard(world(), SERVER);
      await kept.get('.lane-name').first().waitFor();
      await kept
        .get('header')
        .getByText(/^As of .*\d\d:\d\d.*, not verified yet$/)
        .waitFor();
      assert.deepEqual(await kept.laneNames(), before);
      await host.screenshot('dashboard-not-verified');
    } finally {
      await silent.close();
      await door.start();
    }
    const again = await findDashboard(world(), SERVER);
    await again.button('Refresh').click();
    await again
      .get('header')
      .getByText(/not verified/)
      .waitFor({ state: 'hidden', timeout: 60_000 });
    assert.deepEqual(await again.laneNames(), before);
  });

  it('of a session that ran before: its picture shows while it is read, and reading pauses and goes on at a click', async () => {
    const { host } = world();
    const stored = await startSimulator({ scenario: 'taking-turns', storedEvents: 200_000, rate: 0, tls: 'required' });
    try {
      await host.addServer(describeServer(stored, 'HISTORY'));
      const dashboard = await openDashboard(world(), 'HISTORY');
      await host.takeContextMenuItem(rowOf(world(), 'HISTORY'), 'Follow an Existing Event Session…');
      await host.choose('checkpoint_history');
      const header = dashboard.get('header');
      await header.getByText(/^Reading what the session recorded: [\d,]+ events so far$/).waitFor();
      await dashboard.get('.lane-name').first().waitFor();
      await header.getByRole('button', { name: 'Pause reading' }).click();
      await header.getByText(/^Reading what the session recorded is paused: [\d,]+ events so far$/).waitFor();
      await host.treeRows(/Reading paused/).waitFor();
      await host.screenshot('dashboard-reading-paused');
      await header.getByRole('button', { name: 'Resume reading' }).click();
      await header.getByText(/^20\d,\d{3} events/).waitFor({ timeout: 60_000 });
      assert.equal(await header.getByText('events so far').count(), 0);
    } finally {
      await stored.close();
    }
  });
}
