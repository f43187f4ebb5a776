import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { computeStatistics } from '../../src/core/evidence/statistics';
import { spanOf } from '../../src/webview/layout/time-window';
import { columnsOf, type Row } from '../core/picture/columns-of';
import {
  BEGIN_UTC_MS,
  columnsMessage,
  END_UTC_MS,
  FAKE_GAP,
  FAKE_SERVER,
  fakeCheckpoints,
  fakeDatabases,
  fakeMessages,
  fakeTracking,
  SPAN_MS,
} from './fake-capture';
import { openPage, startBrowser, type OpenedPage, type PageOptions } from './page';
import { findPlot, pointOf, pressKeys, readCard, readLanes, windowInView, WHOLE } from './timeline-on-page';

const HOSTILE_NAMES = [
  'a]b',
  `x'; DROP DATABASE y;--`,
  '<img src=x onerror=alert(1)>',
  'n'.repeat(128),
  '🗄️ naïve ✓',
  '   leading blanks',
  '{{7*7}}',
  '</script><b>',
];

describe('The dashboard in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let opened: OpenedPage;

  const open = async (options: PageOptions = {}): Promise<OpenedPage> =>
    (opened = await openPage(browser, { messages: fakeMessages(), ...options }));

  before(async () => {
    browser = await startBrowser();
  });

  after(() => browser.close());

  afterEach('has no console error and no violation of the content security policy', async () => {
    await opened.page.context().close();
    assert.deepEqual(opened.problems, []);
  });

  describe('talking to the extension', () => {
    it('says first that it holds nothing, and acknowledges what it receives', async () => {
      const posted = await (await open()).posted();
      assert.deepEqual(posted[0], { type: 'ready', captureId: null, generation: 0, rows: 0 });
      assert.deepEqual(posted[1], { type: 'received', captureId: 'capture-1', generation: 1, rows: fakeCheckpoints(45, FAKE_GAP).length });
    });

    it('asks for what is missing', async () => {
      await open();
      await opened.send(columnsMessage([{ database: 0, beginUtcMs: END_UTC_MS, durationMs: 1 }], 1_000_000));
      assert.deepEqual((await opened.posted()).at(-1), {
        type: 'ready',
        captureId: 'capture-1',
        generation: 1,
        rows: fakeCheckpoints(45, FAKE_GAP).length,
      });
    });

    it('tells a failure instead of dying of it', async () => {
      await open();
      await opened.send({ ...columnsMessage([]), rows: 3 });
      assert.equal((await opened.posted()).at(-1)?.type, 'failed');
      await opened.send({ type: 'server', server: { ...FAKE_SERVER, name: 'Still here' } });
      await opened.settle();
      assert.equal(await opened.page.locator('h1').textContent(), 'Still here');
    });

    it('invokes what its buttons say', async () => {
      await open();
      for (const name of ['Refresh', 'Stop tracking', 'Review script…'])
        await opened.page.getByRole('button', { name, exact: true }).click();
      await opened.page.locator('tr[data-database-id="6"]').click();
      await opened.page.getByRole('button', { name: 'Review script for this database…' }).click();
      const invoked = (await opened.posted()).filter((message) => message.type === 'invoke');
      assert.deepEqual(invoked, [
        { type: 'invoke', command: 'refresh', databaseIds: [] },
        { type: 'invoke', command: 'stopTracking', databaseIds: [] },
        { type: 'invoke', command: 'reviewScript', databaseIds: [] },
        { type: 'invoke', command: 'reviewScript', databaseIds: [6] },
      ]);
    });

    it('offers to start where nothing was observed, and does nothing twice while it starts', async () => {
      await open({
        messages: [
          { type: 'server', server: FAKE_SERVER },
          { type: 'tracking', tracking: fakeTracking(0, { state: 'not tracking', observation: null }) },
        ],
      });
      await opened.page.locator('.notice button').click();
      await opened.send({ type: 'tracking', tracking: fakeTracking(0, { state: 'starting', observation: null }) });
      await opened.settle();
      await opened.page.getByRole('button', { name: 'Start tracking' }).click({ force: true });
      assert.equal((await opened.posted()).filter((message) => message.type === 'invoke').length, 1);
      assert.equal(await opened.page.locator('.split').isVisible(), false);
    });
  });

  describe('the offenders table', () => {
    it('carries the exact figures of the core', async () => {
      await open();
      const checkpoints = fakeCheckpoints(45, FAKE_GAP);
      const rows = checkpoints.map(({ beginUtcMs, durationMs, database }): Row => [beginUtcMs, durationMs, database]);
      const expected = computeStatistics(columnsOf(rows), 400, WHOLE, { ...WHOLE, gaps: [FAKE_GAP] });
      const shown = await opened.page.locator('tbody tr').evaluateAll((elements) =>
        elements.map((element) => ({
          id: Number(element.getAttribute('data-database-id')),
          values: Object.fromEntries([...element.querySelectorAll('td')].map((cell) => [cell.dataset['column']!, cell.dataset['value']!])),
        })),
      );
      assert.equal(shown.length, expected.filter((figures) => figures.count > 0).length);
      for (const { id, values } of shown) {
        const figures = expected[id - 5]!;
        for (const column of ['count', 'perHour', 'averageMs', 'p50Ms', 'p95Ms', 'p99Ms', 'maximumMs', 'totalMs', 'share'] as const) {
          assert.equal(Number(values[column]), figures[column], `${column} of ${values['database']}`);
        }
      }
      assert.equal(await opened.page.locator('.rest').textContent(), '355 databases had no checkpoint in this window.');
    });

    it('sorts by its headings, and the lanes follow', async () => {
      await open();
      await opened.page.getByRole('button', { name: 'Database', exact: true }).click();
      await opened.settle();
      assert.equal(await opened.page.locator('th[data-column="database"]').getAttribute('aria-sort'), 'ascending');
      assert.deepEqual((await readLanes(opened)).slice(0, 3), ['Archive_2019', 'Audit', 'Billing']);
      await opened.page.getByRole('button', { name: 'Database', exact: true }).click();
      await opened.settle();
      assert.equal(await opened.page.locator('th[data-column="database"]').getAttribute('aria-sort'), 'descending');
      assert.equal(await opened.page.locator('tbody tr td').first().textContent(), (await readLanes(opened))[0]);
    });

    it('filters rows and lanes by name, and offers to clear a filter that leaves none', async () => {
      await open();
      await opened.page.getByRole('searchbox').fill('orders');
      await opened.settle();
      assert.deepEqual(await readLanes(opened), ['Orders_EU', 'Orders_US']);
      await opened.page.getByRole('searchbox').fill('nothing has this name');
      await opened.settle();
      await opened.page.getByRole('button', { name: 'Clear filter' }).click();
      await opened.settle();
      assert.equal(await opened.page.locator('tbody tr').count(), 45);
    });

    it('selects the lane, and the lane selects the row', async () => {
      await open();
      await opened.page.locator('tr[data-database-id="8"]').click();
      await opened.settle();
      assert.equal(await opened.page.locator('.lane-name.selected').textContent(), 'Orders_EU');
      assert.equal(await opened.page.locator('aside h2').textContent(), 'Orders_EU');
      await opened.page.locator('.lane-name', { hasText: 'dbB' }).click();
      await opened.settle();
      assert.equal(await opened.page.locator('tr[aria-selected="true"]').getAttribute('data-database-id'), '6');
      assert.equal(await opened.page.locator('[aria-live]').textContent(), 'dbB selected.');
    });

    it('works by keyboard: arrows move, Enter selects', async () => {
      await open();
      await opened.page.locator('tbody tr[tabindex="0"]').focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await opened.page.keyboard.press(key);
      await opened.settle();
      assert.equal(await opened.page.locator('tr[aria-selected="true"]').getAttribute('data-database-id'), '7');
    });

    it('keeps the focus and the row elements while data arrives', async () => {
      await open();
      await opened.page.locator('tr[data-database-id="9"]').focus();
      await opened.send(
        columnsMessage([{ database: 4, beginUtcMs: END_UTC_MS - 900, durationMs: 800 }], fakeCheckpoints(45, FAKE_GAP).length),
      );
      await opened.settle();
      assert.equal(await opened.page.evaluate(() => document.activeElement?.getAttribute('data-database-id')), '9');
    });

    it('takes the figures of the time in view where the reader wants them', async () => {
      await open({ state: { window: { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + 600_000 }, follows: false } });
      const total = (): Promise<number> =>
        opened.page
          .locator('td[data-column="count"]')
          .evaluateAll((cells) => cells.reduce((sum, cell) => sum + Number((cell as HTMLElement).dataset['value']), 0));
      const checkpoints = fakeCheckpoints(45, FAKE_GAP);
      assert.equal(await total(), checkpoints.length);
      await opened.page.getByLabel('Figures of the time in view').check();
      await opened.settle();
      assert.equal(await total(), checkpoints.filter(({ beginUtcMs }) => beginUtcMs < BEGIN_UTC_MS + 600_000).length);
    });
  });

  describe('the timeline', () => {
    it('zooms by wheel around the pointer', async () => {
      await open();
      const moment = BEGIN_UTC_MS + SPAN_MS / 4;
      const at = await pointOf(opened, moment, 2);
      await opened.page.mouse.move(at.x, at.y);
      await opened.page.mouse.wheel(0, -400);
      await opened.settle();
      assert.ok(spanOf(await windowInView(opened)) < SPAN_MS / 2);
      const after = await pointOf(opened, moment, 2);
      assert.ok(Math.abs(after.x - at.x) < 1.5, `the moment moved by ${after.x - at.x} pixels`);
    });

    it('pans by a horizontal wheel and by dragging', async () => {
      await open();
      await pressKeys(opened, 'w', 'w', 'w');
      const plot = await findPlot(opened);
      const before = await windowInView(opened);
      await opened.page.mouse.move(plot.leftPx + 300, plot.topPx + 50);
      await opened.page.mouse.wheel(plot.widthPx / 10, 0);
      await opened.settle();
      const wheeled = await windowInView(opened);
      assert.ok(Math.abs((wheeled.beginUtcMs - before.beginUtcMs) / spanOf(before) - 0.1) < 0.01);
      await opened.page.mouse.down();
      await opened.page.mouse.move(plot.leftPx + 300 + plot.widthPx / 10, plot.topPx + 50, { steps: 5 });
      await opened.page.mouse.up();
      await opened.settle();
      assert.ok(Math.abs(((await windowInView(opened)).beginUtcMs - before.beginUtcMs) / spanOf(before)) < 0.01);
    });

    it('does by key what its summary says', async () => {
      await open();
      await pressKeys(opened, '+', '+');
      assert.ok(Math.abs(spanOf(await windowInView(opened)) / SPAN_MS - 1 / 2.25) < 0.001);
      await pressKeys(opened, 'Home');
      assert.equal((await windowInView(opened)).beginUtcMs, BEGIN_UTC_MS);
      await pressKeys(opened, 'ArrowRight', 'd', 'ArrowLeft');
      assert.ok((await windowInView(opened)).beginUtcMs > BEGIN_UTC_MS);
      await pressKeys(opened, 'End');
      assert.equal((await windowInView(opened)).endUtcMs, END_UTC_MS);
      await pressKeys(opened, '-', 's');
      assert.deepEqual(await windowInView(opened), WHOLE);
      await pressKeys(opened, 'w', 'f');
      assert.deepEqual(await windowInView(opened), WHOLE);
      await pressKeys(opened, 'ArrowDown', 'ArrowDown');
      assert.equal(await opened.page.locator('.lane-name.selected').textContent(), (await readLanes(opened))[1]);
      await pressKeys(opened, 'ArrowUp');
      assert.equal(await opened.page.locator('.lane-name.selected').textContent(), (await readLanes(opened))[0]);
      await pressKeys(opened, 'Escape');
      assert.equal(await opened.page.locator('.lane-name.selected').count(), 0);
      assert.equal(await opened.page.locator('[aria-live]').textContent(), 'Selection cleared.');
    });

    it('steps through the checkpoints of the selected lane and tells each', async () => {
      const mine = fakeCheckpoints(45, FAKE_GAP).filter(({ database }) => database === 0);
      await open({ state: { selectedDatabaseId: 5 } });
      await pressKeys(opened, 'w', 'w', 'w', 'w', 'w', 'Home', '.', '.', '.', ',');
      const second = [...mine].sort((a, b) => a.beginUtcMs - b.beginUtcMs)[1]!;
      const card = await readCard(opened);
      assert.equal(card?.[0], 'dbA');
      assert.ok(card?.[2]?.startsWith(new Date(second.beginUtcMs + 3_600_000).toISOString().slice(11, 23)), card?.[2]);
      assert.ok((await opened.page.locator('[aria-live]').textContent())!.startsWith('dbA, '));
    });

    it('shows a card about the checkpoint under the pointer, and fits it on a double click', async () => {
      const longest = fakeCheckpoints(45, FAKE_GAP).reduce((a, b) => (b.durationMs > a.durationMs ? b : a));
      await open();
      const lane = (await readLanes(opened)).indexOf(fakeDatabases(400, 45)[longest.database]!.name);
      const at = await pointOf(opened, longest.beginUtcMs + longest.durationMs / 2, lane);
      await opened.page.mouse.move(at.x, at.y);
      await opened.settle();
      const card = (await readCard(opened))!;
      assert.equal(card[1], '3 min 37 s');
      assert.ok(card.includes('not shorter than the recovery interval: logged as FlushCache'));
      await opened.page.mouse.dblclick(at.x, at.y);
      await opened.settle();
      const { beginUtcMs, endUtcMs } = await windowInView(opened);
      assert.ok(beginUtcMs < longest.beginUtcMs && endUtcMs > longest.beginUtcMs + longest.durationMs);
      assert.ok(Math.abs(endUtcMs - beginUtcMs - longest.durationMs * 3) < 1);
    });

    it('says of a gap that nothing was observed, and why', async () => {
      await open();
      const at = await pointOf(opened, (FAKE_GAP.beginUtcMs + FAKE_GAP.endUtcMs) / 2, 3);
      await opened.page.mouse.move(at.x, at.y);
      await opened.settle();
      assert.deepEqual(await readCard(opened), ['Not observed', '13:02:00.000 – 13:05:00.000', 'server restart']);
      await opened.page.mouse.move(5, 5);
      await opened.settle();
      assert.equal(await readCard(opened), null);
    });

    it('keeps the newest in view while it follows, and stays where it is otherwise', async () => {
      await open();
      const grown = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS + 60_000, gaps: [] };
      await pressKeys(opened, 'w', 'w', 'w', 'End');
      await opened.send({ type: 'tracking', tracking: fakeTracking(9, { observation: grown }) });
      await opened.settle();
      await pressKeys(opened, 'ArrowUp');
      assert.equal((await windowInView(opened)).endUtcMs, grown.endUtcMs);
      await pressKeys(opened, 'Home');
      const before = await windowInView(opened);
      await opened.send({ type: 'tracking', tracking: fakeTracking(9, { observation: { ...grown, endUtcMs: grown.endUtcMs + 60_000 } }) });
      await opened.settle();
      await pressKeys(opened, 'ArrowDown');
      assert.deepEqual(await windowInView(opened), before);
    });

    it('keeps a window of before a reload while its data is still arriving', async () => {
      const window = { beginUtcMs: BEGIN_UTC_MS + 3_600_000, endUtcMs: BEGIN_UTC_MS + 4_200_000 };
      const checkpoints = fakeCheckpoints(45, FAKE_GAP);
      const [server, databases] = fakeMessages();
      await open({ messages: [server!, databases!], state: { window, follows: false } });
      await opened.send(columnsMessage(checkpoints.slice(0, 100)));
      await opened.settle();
      await opened.send(columnsMessage(checkpoints.slice(100), 100));
      await opened.settle();
      assert.equal(await opened.page.locator('.toolbar .num').first().textContent(), '2026-11-21 13:45 – 13:55');
    });

    it('shows all of another capture', async () => {
      await open();
      await pressKeys(opened, 'w', 'w', 'Home');
      await opened.send(columnsMessage([{ database: 1, beginUtcMs: BEGIN_UTC_MS + 1000, durationMs: 50 }], 0, 'capture-2'));
      await opened.settle();
      assert.deepEqual(await windowInView(opened), WHOLE);
      assert.deepEqual(await readLanes(opened), ['dbB']);
    });

    it('paints and names only the lanes in view of 400, and scrolls them by the wheel over the names', async () => {
      await open({
        messages: fakeMessages(
          fakeDatabases(400, 400),
          Array.from({ length: 100_000 }, (_, i) => ({ database: i % 400, beginUtcMs: BEGIN_UTC_MS + i * 80, durationMs: 10 + (i % 977) })),
        ),
      });
      const plot = await findPlot(opened);
      assert.ok((await readLanes(opened)).length < 30);
      const first = (await readLanes(opened))[0];
      await opened.page.mouse.move(plot.leftPx - 40, plot.topPx + 60);
      await opened.page.mouse.wheel(0, 3000);
      await opened.page.waitForFunction(() => document.querySelector('.lanes')!.scrollTop > 2000);
      await opened.settle();
      assert.notEqual((await readLanes(opened))[0], first);
      assert.deepEqual(await windowInView(opened), WHOLE);
    });

    it('reveals the database that the extension names', async () => {
      await open();
      await opened.send({ type: 'reveal', databaseId: 45 });
      await opened.settle();
      assert.equal(await opened.page.locator('.lane-name.selected').getAttribute('data-database-id'), '45');
      assert.equal(await opened.page.locator('tr[aria-selected="true"]').getAttribute('data-database-id'), '45');
    });

    it('takes zoom, selection and sort up again after a reload', async () => {
      const window = { beginUtcMs: BEGIN_UTC_MS + 600_000, endUtcMs: BEGIN_UTC_MS + 1_200_000 };
      await open({
        state: {
          window,
          follows: false,
          selectedDatabaseId: 9,
          sort: { column: 'count', descending: false },
          filter: 'o',
          figuresInView: false,
        },
      });
      assert.equal(await opened.page.locator('th[data-column="count"]').getAttribute('aria-sort'), 'ascending');
      assert.equal(await opened.page.locator('tr[aria-selected="true"]').getAttribute('data-database-id'), '9');
      assert.equal(await opened.page.locator('.toolbar .num').first().textContent(), '2026-11-21 12:55 – 13:05');
      assert.equal(await opened.page.getByRole('searchbox').inputValue(), 'o');
    });
  });

  describe('its looks', () => {
    it('shows hostile names as they are, everywhere', async () => {
      const databases = fakeDatabases(HOSTILE_NAMES.length, 8).map((database, i) => ({ ...database, name: HOSTILE_NAMES[i]! }));
      const checkpoints = HOSTILE_NAMES.map((_, database) => ({
        database,
        beginUtcMs: BEGIN_UTC_MS + 1000 * database,
        durationMs: 9000 - database,
      }));
      await open({ messages: fakeMessages(databases, checkpoints), state: { selectedDatabaseId: 7 } });
      assert.deepEqual(await readLanes(opened), HOSTILE_NAMES);
      assert.deepEqual(await opened.page.locator('td[data-column="database"]').allTextContents(), HOSTILE_NAMES);
      assert.equal(await opened.page.locator('aside h2').textContent(), HOSTILE_NAMES[2]);
      assert.equal(await opened.page.locator('#app img, #app script, td b').count(), 0);
      const cell = opened.page.locator('td[data-column="database"]').nth(5);
      assert.equal(
        await cell.evaluate((element) => getComputedStyle(element).whiteSpaceCollapse ?? getComputedStyle(element).whiteSpace),
        'preserve',
      );
      assert.equal(await opened.page.locator('td[data-column="database"]').nth(3).getAttribute('title'), HOSTILE_NAMES[3]);
      assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
    });

    it('takes the colours of another theme at once', async () => {
      await open({ theme: 'dark' });
      const picture = (): Promise<string> => opened.page.evaluate(() => document.querySelector('canvas')!.toDataURL());
      const pictures = new Set([await picture()]);
      for (const theme of ['light', 'high-contrast', 'high-contrast-light'] as const) {
        await opened.setTheme(theme);
        await opened.settle();
        pictures.add(await picture());
      }
      assert.equal(pictures.size, 4);
    });

    for (const pixelRatio of [1, 1.25, 1.5, 2]) {
      it(`has a canvas pixel for each device pixel at a ratio of ${pixelRatio}`, async () => {
        await open({ pixelRatio });
        const sizes = await opened.page.evaluate(() => {
          const canvas = document.querySelector('canvas')!;
          const box = canvas.getBoundingClientRect();
          return [canvas.width, box.width * devicePixelRatio, canvas.height, box.height * devicePixelRatio];
        });
        assert.ok(Math.abs(sizes[0]! - sizes[1]!) < 0.05 && Math.abs(sizes[2]! - sizes[3]!) < 0.05, sizes.join());
      });
    }

    for (const width of [400, 640, 1024]) {
      it(`never scrolls sideways as a page at ${width} pixels`, async () => {
        await open({ width, height: 700, state: { selectedDatabaseId: 5 } });
        assert.equal(await opened.page.evaluate(() => document.documentElement.scrollWidth), width);
        assert.ok((await readLanes(opened)).length > 5);
      });
    }

    it('gives every control a name', async () => {
      await open({ state: { selectedDatabaseId: 5 } });
      const nameless = await opened.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button, input, [tabindex="0"]')]
          .filter(
            (element) =>
              !(element.textContent?.trim() || element.getAttribute('aria-label') || element.closest('label')?.textContent?.trim()),
          )
          .map((element) => element.outerHTML),
      );
      assert.deepEqual(nameless, []);
      assert.ok((await opened.page.locator('#timeline-summary').textContent())!.includes('checkpoints in 45 lanes'));
    });
  });
});
