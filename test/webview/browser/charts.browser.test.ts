import assert from 'node:assert/strict';
import type { PageId } from '../../../src/webview/model/view-state';
import { findAccessibilityFaults } from '../accessibility';
import { fakeMessages } from '../fake-capture';
import { fakeEvidence } from '../fake-evidence';
import { describePages, type OpenedPage, type PageOptions } from '../page';

const MESSAGES = [...fakeMessages(), { type: 'evidence', evidence: fakeEvidence() } as const];

describePages('The dashboard in a browser, small charts', (openPage) => {
  let opened: OpenedPage;
  const open = async (page: PageId, options: PageOptions = {}): Promise<OpenedPage> =>
    (opened = await openPage({ messages: MESSAGES, state: { page }, ...options }));
  const chart = (id: string) => opened.panel.locator(`[data-chart="${id}"]`);
  const marks = (id: string) => chart(id).locator('svg [role=option]');

  it('are one stop for Tab: arrows move, the row is read, Enter selects it everywhere', async () => {
    await open('errorLog');
    const id = 'flush-cache-durations';
    assert.equal(await chart(id).locator('[role=option][tabindex="0"]').count(), 1);
    await marks(id).first().focus();
    await opened.press('ArrowDown', 'ArrowRight', 'End', 'Home', 'ArrowDown');
    const label = await opened.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    assert.match(label, /^dbB: Logged .+, Duration .+$/);
    assert.equal(await chart(id).locator('.chart-reading').textContent(), label);
    await opened.press('Enter');
    assert.equal(
      await opened.panel.locator('tr[aria-selected="true"]').first().getAttribute('data-database-id'),
      '6',
    );
    assert.equal(await marks(id).nth(1).getAttribute('aria-selected'), 'true');
    assert.equal(
      await opened.page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      label,
      'the focus stays',
    );
    await opened.click(opened.panel.locator('tr[data-database-id="7"]').first());
    assert.match(
      (await chart(id).locator('[aria-selected="true"]').first().getAttribute('aria-label')) ?? '',
      /^dbC:/,
    );
    assert.deepEqual(await findAccessibilityFaults(opened), []);
  });

  it('name the databases that they tell apart by shape and colour, as the tables beside them do', async () => {
    await open('errorLog');
    const names = await opened.panel
      .locator('[data-table="flush-databases"] td[data-sign]')
      .allTextContents();
    assert.equal(names.length, 3);
    const legend = await chart('flush-cache-durations').locator('svg text').allTextContents();
    assert.deepEqual(legend.slice(0, 3), names);
    const shapes = await chart('flush-cache-durations')
      .locator('svg .sign')
      .evaluateAll((signs) => signs.map(({ classList }) => classList[1]));
    assert.deepEqual([...new Set(shapes)].sort(), ['first', 'second', 'third']);
  });

  it('follow the clock and the width, and are laid out again', async () => {
    await open('errorLog');
    const axis = async (): Promise<string> =>
      (await chart('flush-cache-durations').locator('svg text.title').last().textContent()) ?? '';
    const logged = (): Promise<string | null> =>
      opened.panel.locator('[data-table="flush-cache"] td').first().textContent();
    assert.match(await axis(), /^When it was logged, server time, 2026-11-18 to 2026-11-21$/);
    const [server, width] = [
      await logged(),
      await chart('flush-cache-durations').locator('svg').getAttribute('width'),
    ];
    await opened.page.getByRole('button', { name: 'Server time' }).click();
    await opened.click(opened.page.getByRole('menuitemradio', { name: 'UTC' }));
    assert.match(await axis(), /^When it was logged, UTC, /);
    assert.equal(
      Date.parse(`${server!.replace(' ', 'T')}Z`) - Date.parse(`${(await logged())!.replace(' ', 'T')}Z`),
      3_600_000,
    );
    await opened.page.setViewportSize({ width: 400, height: 800 });
    await opened.page.waitForFunction(
      (before) =>
        Number(document.querySelector('[data-chart="flush-cache-durations"] svg')!.getAttribute('width')) <
        before,
      Number(width),
    );
    assert.equal(await opened.widthPx(), 400);
  });

  it('are saved as an SVG that draws itself, with the colours of the theme', async () => {
    await open('errorLog', { theme: 'light' });
    await opened.page.evaluate(() => {
      const host = window as unknown as {
        postedMessages: { push: (message: unknown) => number };
        saved: string;
      };
      const push = host.postedMessages.push.bind(host.postedMessages);
      host.postedMessages.push = (message) => {
        const { type, bytes } = message as { type: string; bytes?: ArrayBuffer };
        if (type === 'save') host.saved = new TextDecoder().decode(bytes);
        return push(message);
      };
    });
    await chart('flush-cache-durations').getByRole('button', { name: 'Save as SVG' }).click();
    const found = await opened.page.evaluate(async () => {
      const { saved } = window as unknown as { saved: string };
      const root = new DOMParser().parseFromString(saved, 'image/svg+xml').documentElement;
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(saved)}`;
      await image.decode();
      return {
        name: root.nodeName,
        sign: root.querySelector('.sign.first')?.getAttribute('fill'),
        width: image.naturalWidth,
      };
    });
    assert.deepEqual([found.name, found.sign], ['svg', 'rgb(0, 95, 184)']);
    assert.ok(found.width > 300);
    const saves = (await opened.posted()).flatMap((message) =>
      message.type === 'save' ? [[message.format, message.name]] : [],
    );
    assert.deepEqual(saves, [['svg', 'chart-flush-cache-durations']]);
  });
});
