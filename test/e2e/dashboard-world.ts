/** A server with a morning behind it, and its dashboard: what the tests of the dashboard share. */
import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { startSimulator, type Simulator } from '../../simulator/index';
import { vsixFile } from '../../tools/build/vsix';
import { DashboardPage } from './dashboard-page';
import { eventually } from './eventually';
import { type Host, startHost } from './host';
import type { ServerToAdd } from './host';
import { readCheckpoints, type TrueCheckpoint } from './ledger-truth';
import { runScript } from './query-window';

export const SERVER = 'PROD-SQL07';
/** Half an hour off every whole one, so that no clock is taken for another. */
const LOCAL_ZONE = 'Asia/Kolkata';
/** Of the simulated server. */
export const SERVER_OFFSET_MS = 60 * 60_000;
/** Virtual time before tracking begins: after it the first long checkpoints come. */
const QUIET_MS = 8 * 60_000;
/** Virtual time that is tracked, with the log backups at a quarter past. */
const TRACKED_MS = 16 * 60_000;
const CHANGED_MS = 6 * 60_000;

export interface DashboardWorld {
  readonly simulator: Simulator;
  readonly host: Host;
  readonly dashboard: DashboardPage;
  /** Once tracking has ended. */
  readonly truth: readonly TrueCheckpoint[];
}

/** A server and an editor that knows it, with nothing tracked; the server's clock stands. */
export async function openWorld(): Promise<DashboardWorld> {
  const simulator = await startSimulator({ rate: 10, tls: 'required' });
  simulator.server.pause();
  simulator.server.advance(QUIET_MS);
  const host = await startHost({ vsixFiles: [vsixFile], widthPx: 1440, heightPx: 900, timezoneId: LOCAL_ZONE });
  // Samples are compared only where they are near enough by the server's clock.
  await host.setSetting('checkpointHealth.sampleIntervalSeconds', 1);
  await host.setSetting('checkpointHealth.pollIntervalSeconds', 1);
  await host.openViewContainer('Checkpoint Health');
  await host.addServer(describeServer(simulator, SERVER));
  const dashboard = new DashboardPage(host);
  return {
    simulator,
    host,
    dashboard,
    get truth() {
      return readCheckpoints(simulator.server.ledger);
    },
  };
}

export function describeServer({ host, port, administrator }: Simulator, name: string, more: Partial<ServerToAdd> = {}): ServerToAdd {
  return { name, server: host, port, ...administrator, encrypt: true, trustServerCertificate: true, ...more };
}

export const rowOf = ({ host }: DashboardWorld, name: string): Locator => host.treeRows(new RegExp(`^\\s*${name}`));

export async function openDashboard(world: DashboardWorld, name: string): Promise<DashboardPage> {
  await world.host.takeContextMenuItem(rowOf(world, name), 'Open Checkpoint Timeline');
  await world.host.page
    .locator('.tab.active')
    .filter({ hasText: `${name}: checkpoints` })
    .waitFor();
  return findDashboard(world, name);
}

/** The dashboard of a server among those on screen. */
export async function findDashboard({ host }: DashboardWorld, server: string): Promise<DashboardPage> {
  const frameOf = (at: number): FrameLocator =>
    host.page.locator('iframe.webview.ready').nth(at).contentFrame().locator('#active-frame').contentFrame();
  let found = -1;
  await eventually(async () => {
    const count = await host.page.locator('iframe.webview.ready').count();
    const titles = Array.from({ length: count }, (_, at) => frameOf(at).locator('h1').textContent({ timeout: 2_000 }));
    found = (await Promise.allSettled(titles)).findIndex((title) => title.status === 'fulfilled' && title.value === server);
    assert.ok(found >= 0, `${server} is on screen`);
  }, 60_000);
  return new DashboardPage(host, () => frameOf(found));
}

/** Tracks for as long as it takes to have something of everything: long checkpoints and short ones, a change, backups, samples. */
export async function trackAMorning(world: DashboardWorld): Promise<void> {
  const { simulator, dashboard } = world;
  const { server } = simulator;
  await openDashboard(world, SERVER);
  await dashboard.show('Timeline');
  server.resume();
  await dashboard.button('Start tracking').locator('visible=true').first().click();
  await dashboard
    .get('header')
    .getByText(/^Tracking/)
    .waitFor();
  await dashboard.get('.lane-name').first().waitFor({ timeout: 60_000 });
  const startedUtcMs = server.ledger.sessionRuns.find((run) => run.sessionName === 'CheckpointHealth')?.startedUtcMs ?? 0;
  const waitFor = (sinceStartMs: number): Promise<void> =>
    server.clock.wait(Math.max(0, startedUtcMs + sinceStartMs - server.clock.nowUtcMs()));
  await waitFor(CHANGED_MS);
  const { host, port, administrator } = simulator;
  await runScript({ host, port, ...administrator }, 'ALTER DATABASE [a]]b] SET TARGET_RECOVERY_TIME = 60 SECONDS;');
  await waitFor(TRACKED_MS);
  await dashboard.get('header').getByRole('button', { name: 'Stop tracking' }).click();
  await dashboard
    .get('header')
    .getByText(/^Stopped after/)
    .waitFor();
  server.pause();
}

/** The last rows may still be on their way when tracking has ended. */
export async function waitForAll({ dashboard, truth }: DashboardWorld): Promise<void> {
  const expected = truth.length;
  await dashboard.show('Databases');
  await eventually(async () => {
    const counts = await dashboard
      .get('.databases-page td[data-column=count]')
      .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset['value'] ?? 0)));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      expected,
    );
  }, 30_000);
  await dashboard.show('Timeline');
}
