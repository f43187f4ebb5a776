import assert from 'node:assert/strict';
import type { TimeWindow } from '../../../src/core/statistics/statistics';
import { createClock, formatWindow } from '../../../src/webview/model/clock';
import type { MeasuredPart } from '../../../src/webview/model/view-state';
import { KEY_MAP, POINTER_MAP, STRIP_KEY_MAP } from '../../../src/webview/kit/gesture';
import { spanOf } from '../../../src/webview/model/time-window';
import { BEGIN_UTC_MS, END_UTC_MS, FAKE_CHECKPOINTS } from '../fake-capture';
import { describePages, type OpenedPage } from '../page';
import {
  attempt,
  beginInTheMidst,
  readCard,
  readLanes,
  readSelectedLane,
  readView,
  WHOLE,
  windowInView,
} from '../timeline-on-page';

/** Names of keys as the browser has them. */
const CODES: Readonly<Record<string, string>> = {
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
  arrowup: 'ArrowUp',
  arrowdown: 'ArrowDown',
  home: 'Home',
  end: 'End',
  enter: 'Enter',
  escape: 'Escape',
};

const CHANGE_UTC_MS = BEGIN_UTC_MS + 95 * 60_000;

describePages('The map of keys and pointer, in a browser', (open) => {
  let opened: OpenedPage;
  /** What is in view before each gesture: some time in the midst, with nothing selected or measured. */
  let middle: TimeWindow;

  const press = (...keys: readonly string[]): Promise<void> =>
    opened.press(...keys.map((key) => CODES[key] ?? key));
  const said = async (): Promise<string> =>
    (await opened.page.locator('body > #app > [aria-live]').textContent()) ?? '';
  const focused = async (): Promise<string> => (await opened.active()).className;
  const measured = async (): Promise<MeasuredPart> => (await readView(opened)).measured!;
  const moved = async (): Promise<number> =>
    ((await windowInView(opened)).beginUtcMs - middle.beginUtcMs) / spanOf(middle);
  const zoomed = async (): Promise<number> => spanOf(middle) / spanOf(await windowInView(opened));
  const selectFirst = (): Promise<void> => press('arrowdown');
  /** Measures by keys, one step in time from where it begins. */
  const measureBy = async (key: string): Promise<MeasuredPart> => {
    await press('arrowdown', 'arrowdown', 'm', key, 'enter');
    return measured();
  };

  /** What each key of the map does, on the focused timeline. */
  const KEYS: Readonly<Record<keyof typeof KEY_MAP, (key: string) => Promise<void>>> = {
    zoomIn: async (key) => (await press(key), assert.ok(Math.abs((await zoomed()) - 1.5) < 1e-6)),
    zoomOut: async (key) => (await press(key), assert.ok(Math.abs((await zoomed()) - 1 / 1.5) < 1e-6)),
    earlier: async (key) => (await press(key), assert.ok(Math.abs((await moved()) + 0.15) < 1e-6)),
    later: async (key) => (await press(key), assert.ok(Math.abs((await moved()) - 0.15) < 1e-6)),
    begin: async (key) => (
      await press(key),
      assert.equal((await windowInView(opened)).beginUtcMs, BEGIN_UTC_MS)
    ),
    end: async (key) => {
      await press(key);
      assert.equal((await windowInView(opened)).endUtcMs, END_UTC_MS);
      assert.equal((await readView(opened)).follows, true);
    },
    fit: async (key) => (await press(key), assert.deepEqual(await windowInView(opened), WHOLE)),
    previousMark: async (key) => {
      await press('end', key);
      const { beginUtcMs, endUtcMs } = await windowInView(opened);
      assert.ok(Math.abs((beginUtcMs + endUtcMs) / 2 - CHANGE_UTC_MS) < 1);
      assert.match(await said(), /dbA → 60 s/);
    },
    nextMark: async (key) => {
      await press('home', key);
      const { beginUtcMs, endUtcMs } = await windowInView(opened);
      assert.ok(Math.abs((beginUtcMs + endUtcMs) / 2 - CHANGE_UTC_MS) < 1);
      assert.equal((await readCard(opened))?.[0], 'dbA → 60 s');
    },
    laneUp: async (key) => {
      await press('arrowdown', 'arrowdown', key);
      assert.equal(await readSelectedLane(opened), (await readLanes(opened))[0]);
    },
    laneDown: async (key) => {
      await press(key, key);
      assert.equal(await readSelectedLane(opened), (await readLanes(opened))[1]);
    },
    previousCheckpoint: async (key) => {
      await selectFirst();
      await press(key);
      assert.match(await said(), /^dbA, /);
    },
    nextCheckpoint: async (key) => {
      await selectFirst();
      await press(key);
      const inView = FAKE_CHECKPOINTS.filter(
        ({ database, beginUtcMs }) => database === 0 && beginUtcMs >= middle.beginUtcMs,
      );
      const first = Math.min(...inView.map(({ beginUtcMs }) => beginUtcMs));
      assert.ok(
        (await readCard(opened))?.[2]?.startsWith(
          new Date(first + 3_600_000).toISOString().slice(0, 23).replace('T', ' '),
        ),
      );
    },
    open: async (key) => {
      await selectFirst();
      await press(key);
      assert.equal((await opened.active()).tag, 'ASIDE');
      await press('escape');
      assert.equal(await focused(), 'lanes');
    },
    list: async (key) => {
      await selectFirst();
      await press(key);
      const dialog = opened.page.getByRole('dialog', { name: 'Checkpoints of dbA in view' });
      const inView = FAKE_CHECKPOINTS.filter(
        ({ database, beginUtcMs }) =>
          database === 0 && beginUtcMs >= middle.beginUtcMs && beginUtcMs < middle.endUtcMs,
      );
      assert.ok(inView.length > 3);
      assert.equal(await dialog.locator('tbody tr').count(), inView.length);
      await opened.click(dialog.locator('tbody button').nth(2));
      assert.equal(await dialog.isVisible(), false);
      assert.equal((await readCard(opened))?.[0], 'dbA');
      assert.equal(await focused(), 'lanes');
    },
    pin: async (key) => {
      await press('arrowdown', 'arrowdown', 'arrowdown', key);
      assert.equal((await readLanes(opened))[0], 'dbC');
      await press(key);
      assert.equal((await readLanes(opened))[0], 'dbA');
    },
    measure: async (key) => {
      await press('arrowdown', key, 'enter');
      const { beginUtcMs, endUtcMs, databaseIds } = await measured();
      assert.ok(Math.abs(beginUtcMs - (middle.beginUtcMs + middle.endUtcMs) / 2) <= 1);
      assert.ok(Math.abs(endUtcMs - beginUtcMs - spanOf(middle) / 20) <= 1);
      assert.deepEqual(databaseIds, [5]);
    },
    measureEarlier: async (key) => {
      assert.ok(Math.abs(spanOf(await measureBy(key)) - spanOf(middle) * 0.03) <= 1);
    },
    measureLater: async (key) => {
      assert.ok(Math.abs(spanOf(await measureBy(key)) - spanOf(middle) * 0.07) <= 1);
      assert.deepEqual(await windowInView(opened), middle);
    },
    measureUp: async (key) => assert.deepEqual((await measureBy(key)).databaseIds, [5, 6]),
    measureDown: async (key) => assert.deepEqual((await measureBy(key)).databaseIds, [6, 7]),
    measureKeep: async (key) => {
      await press('arrowdown', 'm', key);
      assert.match(await said(), /^Measured 1 lane, .*: /);
      assert.equal((await opened.active()).text, 'Zoom to it');
    },
    clear: async (key) => {
      await press('arrowdown', 'm', 'enter');
      await opened.page.locator('.lanes').focus();
      await press('.', key);
      assert.equal((await readView(opened)).measured, null);
      await press(key);
      assert.equal(await said(), 'Cursor cleared.');
      await press(key);
      assert.equal((await readView(opened)).selectedDatabaseId, null);
    },
    clock: async (key) => {
      await press(key);
      assert.equal((await readView(opened)).clock, 'utc');
      assert.equal(
        await opened.page.locator('.toolbar .num').first().textContent(),
        formatWindow(middle, createClock('utc', { utcOffsetMinutes: 60, offsets: [] })),
      );
      await press(key, key);
      assert.equal((await readView(opened)).clock, 'server');
    },
    filter: async (key) => {
      await press(key);
      assert.equal(await opened.page.evaluate(() => document.activeElement?.getAttribute('type')), 'search');
      await press(key);
      assert.equal((await readView(opened)).filter, '/', 'in a field it is a character');
    },
    help: async (key) => {
      await press(key);
      const dialog = opened.page.getByRole('dialog', { name: 'Keys and pointer' });
      assert.ok(await dialog.isVisible());
      const named = [
        ...Object.values(KEY_MAP),
        ...Object.values(STRIP_KEY_MAP),
        ...Object.values(POINTER_MAP),
      ].map(({ does }) => does);
      assert.deepEqual([...(await dialog.locator('td').allTextContents())].sort(), named.sort());
      await press('Tab', 'Tab', 'Tab');
      assert.equal(
        await opened.page.evaluate(() => document.activeElement?.closest('dialog')?.id),
        'key-sheet',
      );
      await press('escape');
      assert.equal(await dialog.isVisible(), false);
      assert.equal(await focused(), 'lanes');
    },
  };

  const check = async (name: string, act: () => Promise<void>): Promise<void> => {
    middle = await beginInTheMidst(opened);
    await attempt(name, act);
  };

  it('does with every key what the sheet says', async () => {
    opened = await open();
    for (const [id, { keys }] of Object.entries(KEY_MAP))
      for (const key of keys) await check(`${id} by ${key}`, () => KEYS[id as keyof typeof KEY_MAP](key));
  });
});
