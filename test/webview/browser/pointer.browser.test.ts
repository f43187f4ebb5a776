import assert from 'node:assert/strict';
import type { CDPSession } from 'playwright-core';
import type { TimeWindow } from '../../../src/core/statistics/statistics';
import type { POINTER_MAP } from '../../../src/webview/kit/gesture';
import { spanOf } from '../../../src/webview/model/time-window';
import { FAKE_CHECKPOINTS, FAKE_GAP } from '../fake-capture';
import { describePages, type OpenedPage } from '../page';
import {
  attempt,
  beginInTheMidst,
  drag,
  findPlot,
  type Plot,
  pointOf,
  pressKeys,
  readCard,
  readView,
  windowInView,
} from '../timeline-on-page';

describePages('The map of the pointer, in a browser', (open) => {
  let opened: OpenedPage;
  let session: CDPSession | undefined;
  /** What is in view before each gesture: some time in the midst, with nothing selected or measured. */
  let middle: TimeWindow;

  const moved = async (): Promise<number> =>
    ((await windowInView(opened)).beginUtcMs - middle.beginUtcMs) / spanOf(middle);
  const zoomed = async (): Promise<number> => spanOf(middle) / spanOf(await windowInView(opened));

  /** What each gesture of the pointer does. */
  const POINTER: Readonly<Record<keyof typeof POINTER_MAP, () => Promise<void>>> = {
    wheel: async () => {
      const { leftPx, widthPx } = await overBars();
      const under = async (): Promise<number> => {
        const window = await windowInView(opened);
        return window.beginUtcMs + ((500 - leftPx) / widthPx) * spanOf(window);
      };
      const before = await under();
      await opened.page.mouse.wheel(0, -200);
      await opened.settle();
      assert.ok((await zoomed()) > 1.3);
      assert.ok(
        Math.abs((await under()) - before) < (spanOf(middle) / widthPx) * 1.5,
        'the moment under the pointer stays there',
      );
    },
    shiftWheel: async () => {
      const { widthPx } = await overBars();
      await opened.page.keyboard.down('Shift');
      await opened.page.mouse.wheel(0, widthPx / 10);
      await opened.page.keyboard.up('Shift');
      await opened.settle();
      assert.ok(Math.abs((await moved()) - 0.1) < 0.01);
      await opened.page.mouse.wheel(-widthPx / 10, 0);
      await opened.settle();
      assert.ok(Math.abs(await moved()) < 0.01, 'and back by a horizontal wheel');
    },
    pinch: async () => {
      await overBars();
      await opened.page
        .locator('.lanes-stage')
        .dispatchEvent('wheel', { deltaY: -50, ctrlKey: true, clientX: 500, clientY: 400 });
      await opened.settle();
      assert.ok((await zoomed()) > 1.5);
      const before = await zoomed();
      await pinchWithFingers();
      assert.ok(Math.abs((await zoomed()) / before - 2) < 0.05, `${(await zoomed()) / before}`);
    },
    drag: async () => {
      const { widthPx } = await overBars();
      await drag(opened, [500, 400], [500 - widthPx / 10, 400]);
      assert.ok(Math.abs((await moved()) - 0.1) < 0.01);
    },
    doubleClick: async () => {
      const mine = FAKE_CHECKPOINTS.filter(
        ({ database, beginUtcMs }) =>
          database === 0 && beginUtcMs > middle.beginUtcMs && beginUtcMs < middle.endUtcMs - 300_000,
      );
      const longest = mine.reduce((a, b) => (b.durationMs > a.durationMs ? b : a));
      const at = await pointOf(opened, longest.beginUtcMs + longest.durationMs / 2, 0);
      const check = async (): Promise<void> =>
        assert.ok(Math.abs(spanOf(await windowInView(opened)) - longest.durationMs * 3) < 1);
      await opened.page.mouse.dblclick(at.x, at.y);
      await opened.settle();
      await check();
      await beginInTheMidst(opened);
      for (const type of ['touchStart', 'touchEnd', 'touchStart', 'touchEnd'])
        await touch(type, ...(type === 'touchStart' ? [at] : []));
      await check();
    },
    wheelOverNames: async () => {
      const { leftPx, topPx } = await findPlot(opened);
      await opened.page.mouse.move(leftPx - 40, topPx + 40);
      await opened.page.mouse.wheel(0, 200);
      await opened.page.waitForFunction(() => document.querySelector('.lanes')!.scrollTop > 100);
      assert.deepEqual(await windowInView(opened), middle);
    },
    click: async () => {
      const at = await pointOf(opened, middle.beginUtcMs + 60_000, 1);
      await opened.page.mouse.click(at.x, at.y);
      await opened.settle();
      assert.equal((await readView(opened)).selectedDatabaseId, 6);
    },
    tap: async () => {
      const one = FAKE_CHECKPOINTS.find(
        ({ database, beginUtcMs }) => database === 1 && beginUtcMs > middle.beginUtcMs + 60_000,
      )!;
      const at = await pointOf(opened, one.beginUtcMs + one.durationMs / 2, 1);
      await touch('touchStart', at);
      await touch('touchEnd');
      assert.equal((await readView(opened)).selectedDatabaseId, 6);
      // The details that open make the lanes narrower; the card is still of the checkpoint that was tapped.
      const card = await readCard(opened);
      assert.equal(card?.[0], 'dbB');
      const begin = new Date(one.beginUtcMs + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
      assert.ok(card[2]?.startsWith(begin), `${card[2]}, not ${begin}`);
      const strip = (await opened.page.locator('.strip-cursor').boundingBox())!;
      await touch('touchStart', { x: strip.x + strip.width / 2, y: strip.y + 5 });
      await touch('touchEnd');
      assert.match((await opened.page.locator('.time-head .card').textContent())!, /^Checkpoint task/);
      // Where the details open: what comes under the finger there is not pressed.
      await pressKeys(opened, 'Escape', 'Escape');
      const before = (await opened.posted()).length;
      for (const y of [300, 340, 358, 380]) {
        await touch('touchStart', { x: 1071, y });
        await touch('touchEnd');
        const commands = (await opened.posted()).slice(before).filter(({ type }) => type === 'invoke');
        assert.deepEqual(commands, []);
        await pressKeys(opened, 'Escape', 'Escape');
      }
      // What is in the gap between its checkpoints is told though the lanes move away from under the finger.
      await pressKeys(opened, 'f');
      const gap = await pointOf(opened, FAKE_GAP.beginUtcMs + 90_000, 3);
      await touch('touchStart', gap);
      await touch('touchEnd');
      await opened.settle();
      assert.equal((await readCard(opened))?.[0], 'Not observed: server restarted');
      await pressKeys(opened, 'Escape', 'Escape');
      // Held on the names, a finger scrolls as everywhere.
      await touch('touchStart', { x: 60, y: 400 });
      await opened.page.waitForTimeout(450);
      for (const y of [380, 350, 300]) await touch('touchMove', { x: 60, y });
      await touch('touchEnd');
      assert.ok((await opened.page.locator('.lanes').evaluate(({ scrollTop }) => scrollTop)) > 30);
      await touch('touchStart', { x: 5, y: 5 });
      await touch('touchEnd');
      assert.equal(
        await opened.page.locator('.card:visible:not(.measure-card)').count(),
        0,
        'until another tap',
      );
    },
    holdDrag: async () => {
      const from = await pointOf(opened, middle.beginUtcMs + 300_000, 3);
      const to = await pointOf(opened, middle.beginUtcMs + 900_000, 1);
      await touch('touchStart', from);
      await opened.page.waitForTimeout(450);
      // Straight up first, where a finger would scroll the lanes.
      await touch('touchMove', { x: from.x, y: to.y });
      await touch('touchMove', to);
      await touch('touchEnd');
      const part = (await readView(opened)).measured!;
      assert.deepEqual([...part.databaseIds].sort(), [6, 7, 8]);
      assert.ok(Math.abs(spanOf(part) - 600_000) < 5000);
      assert.deepEqual(await windowInView(opened), middle);
    },
    shiftDrag: async () => {
      const [from, to] = [
        await pointOf(opened, middle.beginUtcMs + 300_000, 3),
        await pointOf(opened, middle.beginUtcMs + 900_000, 1),
      ];
      await opened.page.keyboard.down('Shift');
      await drag(opened, [from.x, from.y], [to.x, to.y]);
      await opened.page.keyboard.up('Shift');
      const part = (await readView(opened)).measured!;
      assert.deepEqual([...part.databaseIds].sort(), [6, 7, 8]);
      assert.ok(
        Math.abs(part.beginUtcMs - middle.beginUtcMs - 300_000) < 5000 &&
          Math.abs(spanOf(part) - 600_000) < 5000,
      );
      const inside = FAKE_CHECKPOINTS.filter(
        ({ database, beginUtcMs }) =>
          database >= 1 && database <= 3 && beginUtcMs >= part.beginUtcMs && beginUtcMs < part.endUtcMs,
      );
      const card = opened.page.getByRole('region', { name: 'Measured' });
      assert.equal(await card.locator('dd').first().textContent(), String(inside.length));
      await card.getByRole('button', { name: 'Export' }).click();
      const posted = (await opened.lastPosted())!;
      assert.deepEqual(posted.type === 'export' && [posted.what, posted.window, posted.databaseIds], [
        'checkpoints',
        { beginUtcMs: part.beginUtcMs, endUtcMs: part.endUtcMs },
        part.databaseIds,
      ]);
      await opened.click(card.getByRole('button', { name: 'Zoom to it' }));
      const { beginUtcMs, endUtcMs } = await windowInView(opened);
      assert.deepEqual([beginUtcMs, endUtcMs], [part.beginUtcMs, part.endUtcMs]);
    },
  };

  const overBars = async (): Promise<Plot> => {
    const plot = await findPlot(opened);
    await opened.page.mouse.move(500, 400);
    assert.ok(plot.leftPx < 500 && plot.topPx < 400);
    return plot;
  };

  /** Fingers as the browser's own input has them, with everything that it makes of them. */
  const touch = async (type: string, ...touchPoints: { x: number; y: number }[]): Promise<void> => {
    session ??= await opened.page.context().newCDPSession(opened.page);
    await session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints });
    await opened.settle();
  };

  /** Two fingers, 100 pixels from each other, move to 200. */
  const pinchWithFingers = async (): Promise<void> => {
    const at = (...xs: readonly number[]) => xs.map((x, id) => ({ x, y: 400, id }));
    await touch('touchStart', ...at(450));
    await touch('touchStart', ...at(450, 550));
    await touch('touchMove', ...at(400, 550));
    await touch('touchMove', ...at(400, 600));
    await touch('touchEnd');
  };

  it('does with the pointer what the sheet says', async () => {
    opened = await open();
    for (const [id, act] of Object.entries(POINTER)) {
      middle = await beginInTheMidst(opened);
      await attempt(id, act);
    }
  });
});
