import assert from 'node:assert/strict';
import type { PageId } from '../../../src/webview/model/view-state';
import { findAccessibilityFaults } from '../accessibility';
import { BEGIN_UTC_MS, fakeMessages } from '../fake-capture';
import { fakeEvidence } from '../fake-evidence';
import { describePages, type OpenedPage, type PageOptions } from '../page';

const MESSAGES = [...fakeMessages(), { type: 'evidence', evidence: fakeEvidence() } as const];

describePages('The dashboard in a browser, small charts', (openPage) => {
  let opened: OpenedPage;
  const open = async (page: PageId, more: object = {}, options: PageOptions = {}): Promise<OpenedPage> =>
    (opened = await openPage({ messages: MESSAGES, state: { page, ...more }, ...options }));
  const chart = (id: string) => opened.panel.locator(`[data-chart="${id}"]`);
  const marks = (id: string) => chart(id).locator('svg [role=option]');
  const labelOf = async (id: string): Promise<string> => (await marks(id).first().getAttribute('aria-label')) ?? '';
  const drawnNames = (id: string): Promise<readonly string[]> => chart(id).locator('svg text.name').allTextContents();

  it('are one stop for Tab: arrows move, the row is read, Enter selects it everywhere', async () => {
    await open('databases');
    assert.equal(await chart('databases').locator('[role=option][tabindex="0"]').count(), 1);
    await marks('databases').first().focus();
    await opened.press('ArrowDown', 'ArrowRight', 'End', 'Home', 'ArrowDown');
    const label = await opened.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    assert.match(label, /^dbB: Median .+, p95 .+, Longest .+$/);
    assert.equal(await chart('databases').locator('.chart-reading').textContent(), label);
    await opened.press('Enter');
    assert.equal(await opened.panel.locator('tr[aria-selected="true"]').getAttribute('data-database-id'), '6');
    assert.equal(await marks('databases').nth(1).getAttribute('aria-selected'), 'true');
    assert.equal(await opened.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), label, 'the focus stays');
    await opened.click(opened.panel.locator('tr[data-database-id="8"]'));
    assert.match((await chart('databases').locator('[aria-selected="true"]').getAttribute('aria-label')) ?? '', /^Orders_EU:/);
    assert.deepEqual(await findAccessibilityFaults(opened), []);
  });

  it('show the first rows of their table in its order', async () => {
    await open('databases');
    const names = (): Promise<readonly string[]> => opened.panel.locator('tbody td[data-column="database"]').allTextContents();
    assert.deepEqual(await drawnNames('databases'), (await names()).slice(0, 20));
    assert.equal(await chart('databases').locator('.chart-rest').textContent(), 'The first 20 of 45, as sorted below.');
    await opened.panel.getByRole('button', { name: 'Longest', exact: true }).click();
    assert.deepEqual(await drawnNames('databases'), (await names()).slice(0, 20));
    await opened.click(opened.panel.getByRole('button', { name: 'Verdict' }));
    const verdicts = await opened.panel.locator('tbody td[data-column="verdict"]').allTextContents();
    assert.deepEqual([...new Set(verdicts)], ['Switch', 'Watch', 'Leave']);
    await opened.fill(opened.page.getByRole('searchbox'), 'orders');
    assert.deepEqual([...(await drawnNames('databases'))].sort(), ['Orders_EU', 'Orders_US']);
  });

  it('give the databases of all that was observed, or of the time in view', async () => {
    const window = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + 600_000 };
    await open('databases', { window, follows: false });
    const [all, summary] = [await labelOf('databases'), await opened.panel.locator('.summary').textContent()];
    await opened.panel.getByLabel('Time in view of the timeline').check();
    await opened.settle();
    assert.notEqual(await labelOf('databases'), all);
    assert.match(summary ?? '', /^45 databases had checkpoints\. All that was observed: /);
    assert.match((await opened.panel.locator('.summary').textContent()) ?? '', / In view: 2026-11-21 12:45 – 12:55\.$/);
  });

  it('follow the clock and the width, and are laid out again', async () => {
    await open('errorLog');
    const axis = async (): Promise<string> => (await chart('flush-cache-durations').locator('svg text.title').last().textContent()) ?? '';
    const logged = (): Promise<string | null> => opened.panel.locator('[data-table="flush-cache"] td').first().textContent();
    assert.match(await axis(), /^When it was logged, server time, 2026-11-18 to 2026-11-21$/);
    const [server, width] = [await logged(), await chart('flush-cache-durations').locator('svg').getAttribute('width')];
    await opened.page.getByRole('button', { name: 'Server time' }).click();
    await opened.click(opened.page.getByRole('menuitemradio', { name: 'UTC' }));
    assert.match(await axis(), /^When it was logged, UTC, /);
    assert.equal(Date.parse(`${server!.replace(' ', 'T')}Z`) - Date.parse(`${(await logged())!.replace(' ', 'T')}Z`), 3_600_000);
    await opened.page.setViewportSize({ width: 400, height: 800 });
    await opened.page.waitForFunction(
      (before) => Number(document.querySelector('[data-chart="flush-cache-durations"] svg')!.getAttribute('width')) < before,
      Number(width),
    );
    assert.equal(await opened.widthPx(), 400);
  });

  it('are saved as an SVG that draws itself, with the colours of the theme', async () => {
    await open('writeWork', {}, { theme: 'light' });
    await opened.page.evaluate(() => {
      const host = window as unknown as { postedMessages: { push: (message: unknown) => number }; saved: string };
      const push = host.postedMessages.push.bind(host.postedMessages);
      host.postedMessages.push = (message) => {
        const { type, bytes } = message as { type: string; bytes?: ArrayBuffer };
        if (type === 'save') host.saved = new TextDecoder().decode(bytes);
        return push(message);
      };
    });
    await chart('latency-latency').getByRole('button', { name: 'Save as SVG' }).click();
    const found = await opened.page.evaluate(async () => {
      const { saved } = window as unknown as { saved: string };
      const root = new DOMParser().parseFromString(saved, 'image/svg+xml').documentElement;
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(saved)}`;
      await image.decode();
      return { name: root.nodeName, sign: root.querySelector('.span')?.getAttribute('stroke'), width: image.naturalWidth };
    });
    assert.deepEqual([found.name, found.sign], ['svg', 'rgb(0, 95, 184)']);
    assert.ok(found.width > 300);
    const saves = (await opened.posted()).flatMap((message) => (message.type === 'save' ? [[message.format, message.name]] : []));
    assert.deepEqual(saves, [['svg', 'chart-latency-latency']]);
  });
});
