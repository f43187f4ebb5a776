/** Pictures of the dashboard as the editor shows it, in each theme, at ratios and widths: to be looked at in artifacts/screenshots, and held to what can be measured. */
import assert from 'node:assert/strict';
import { findOverlaps } from '../pictures/overlaps';
import { PAGE_NAMES, type PageName } from './dashboard-page';
import { eventually } from './eventually';
import type { DashboardWorld } from './dashboard-world';
import { type Theme, themes } from './host';

const WIDE = { width: 1440, height: 900 };

export function describeLooks(world: () => DashboardWorld): void {
  /** @param ratio of device pixels to those of CSS, as the screen of the reader has it */
  async function setScreen(size: { readonly width: number; readonly height: number }, ratio: number): Promise<void> {
    const { page } = world().host;
    await page.setViewportSize(size);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: ratio, mobile: false });
    const devicePixelRatio = (): Promise<number> =>
      world()
        .dashboard.get('html')
        .evaluate(({ ownerDocument }) => ownerDocument.defaultView!.devicePixelRatio);
    await eventually(async () => assert.equal(await devicePixelRatio(), ratio));
  }

  async function look(name: string): Promise<void> {
    const { host, dashboard } = world();
    await host.page.mouse.move(5, 5);
    await host.page.waitForTimeout(400);
    await host.screenshot(`dashboard-${name}`);
    const frame = (await (await dashboard.get('html').elementHandle())?.ownerFrame()) ?? assert.fail('it is on screen');
    const [scrollWidth, clientWidth] = await dashboard.get('html').evaluate((html) => [html.scrollWidth, html.clientWidth]);
    assert.equal(scrollWidth, clientWidth, 'nothing scrolls the page sideways');
    assert.deepEqual(await findOverlaps({ page: frame }), [], 'nothing lies over anything');
  }

  const shortName = (page: PageName): string => page.toLowerCase().replace(/\W+/g, '-');

  before(async () => {
    const { host, dashboard } = world();
    await host.runCommandById('notifications.clearAll');
    await dashboard.show('Timeline');
    await dashboard.beginInTheMidst();
    await dashboard.press('f', 'ArrowDown');
  });

  after(async () => {
    await setScreen(WIDE, 1);
    await world().host.setTheme('dark');
    await world().host.openViewContainer('Checkpoint Health');
  });

  // The reader's own theme comes last.
  for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as readonly Theme[])
    it(`shows every page in the theme ${theme}`, async () => {
      const { host, dashboard } = world();
      await host.setTheme(theme);
      await dashboard.get(`body.${themes[theme].webviewClass}`).waitFor();
      for (const page of PAGE_NAMES) {
        await dashboard.show(page);
        await look(`${shortName(page)}-${theme}`);
      }
      await dashboard.show('Timeline');
    });

  for (const panelPx of [1024, 400])
    it(`fits every page in a panel of ${panelPx} pixels`, async () => {
      const { host, dashboard } = world();
      await host.runCommandById('workbench.action.closeSidebar');
      await setScreen(WIDE, 1);
      const beside = WIDE.width - (await dashboard.get('html').evaluate((html) => html.clientWidth));
      await setScreen({ width: panelPx + beside, height: WIDE.height }, 1);
      await eventually(async () => assert.equal(await dashboard.get('html').evaluate((html) => html.clientWidth), panelPx));
      for (const page of PAGE_NAMES) {
        await dashboard.show(page);
        await look(`${shortName(page)}-${panelPx}`);
      }
      await dashboard.show('Timeline');
    });
}
