import assert from 'node:assert/strict';
import type { MeasuredPart, ViewState } from '../../../src/webview/model/view-state';
import { BEGIN_UTC_MS, columnsMessage, END_UTC_MS, FAKE_GAP, fakeCheckpoints, fakeDatabases, fakeTracking, SPAN_MS } from '../fake-capture';
import { useBrowser, type OpenedPage } from '../page';
import { findPlot, pointOf, pressKeys, windowInView } from '../timeline-on-page';

const PART: MeasuredPart = { beginUtcMs: BEGIN_UTC_MS + SPAN_MS * 0.4, endUtcMs: BEGIN_UTC_MS + SPAN_MS * 0.5, databaseIds: [5, 6, 7] };
const ROWS = fakeCheckpoints(45, FAKE_GAP);

describe('Measuring, in a browser', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  let opened: OpenedPage;

  const kept = async (): Promise<ViewState> => (await opened.kept()) as ViewState;
  const focused = (): Promise<string> => opened.page.evaluate(() => document.activeElement!.className);
  const count = (): Promise<string | null> => opened.page.locator('.measure-card dd').first().textContent();
  const end = (): ReturnType<OpenedPage['page']['locator']> => opened.page.getByRole('slider', { name: 'End of the measured time' });
  /** What a poll brings: a checkpoint and a later end of what was observed. */
  const poll = async (): Promise<void> => {
    await opened.send(columnsMessage([{ database: 9, beginUtcMs: END_UTC_MS + 100, durationMs: 10 }], ROWS.length));
    const observation = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS + 5000, gaps: [FAKE_GAP] };
    await opened.send({ type: 'tracking', tracking: fakeTracking(ROWS.length + 1, { observation }) });
    await opened.settle();
  };

  it('leaves a dragged end in the hand while tracking goes on', async () => {
    opened = await openPage({ state: { measured: PART } });
    const box = (await end().boundingBox())!;
    const plot = await findPlot(opened);
    const [x, y] = [box.x + box.width / 2, box.y + 4];
    await opened.page.mouse.move(x, y);
    await opened.page.mouse.down();
    await opened.page.mouse.move(x + 60, y, { steps: 30 });
    await opened.settle();
    const before = Number(await end().getAttribute('aria-valuenow'));
    assert.ok(Math.abs(before - PART.endUtcMs - (60 / plot.widthPx) * SPAN_MS) < 2);
    await poll();
    assert.equal(Number(await end().getAttribute('aria-valuenow')), before);
    await opened.page.mouse.up();
    await opened.settle();
    assert.equal((await kept()).measured?.endUtcMs, before);
  });

  it('moves an end by a key even where a hundredth of what is in view is less than a millisecond', async () => {
    const window = { beginUtcMs: PART.endUtcMs - 25, endUtcMs: PART.endUtcMs + 25 };
    opened = await openPage({ state: { measured: PART, window, follows: false } });
    await end().focus();
    await opened.page.keyboard.press('ArrowLeft');
    await opened.settle();
    assert.equal((await kept()).measured?.endUtcMs, PART.endUtcMs - 1);
    await opened.page.keyboard.press('ArrowRight');
    await opened.settle();
    assert.equal((await kept()).measured?.endUtcMs, PART.endUtcMs);
  });

  it('says the same figures while a filter hides some of the lanes, and none of another capture', async () => {
    opened = await openPage({ state: { measured: PART } });
    const inside = ROWS.filter(
      ({ database, beginUtcMs }) => database < 3 && beginUtcMs >= PART.beginUtcMs && beginUtcMs < PART.endUtcMs,
    ).length;
    assert.equal(await count(), String(inside));
    await opened.page.getByRole('searchbox').fill('dbA');
    await poll();
    assert.equal(await count(), String(inside));
    await opened.send({ type: 'databases', captureId: 'capture-2', databases: fakeDatabases(400, 45) });
    await opened.send(columnsMessage(ROWS.slice(1), 0, 'capture-2'));
    await opened.settle();
    assert.equal((await kept()).measured, null);
    assert.equal(await opened.page.locator('.measure-card').isVisible(), false);
  });

  it('gives the lanes the focus when the card or an end that has it goes out of view', async () => {
    const window = { beginUtcMs: PART.beginUtcMs - 60_000, endUtcMs: PART.endUtcMs + 60_000 };
    for (const name of ['card', 'end']) {
      opened = await openPage({ state: { measured: PART, window, follows: false } });
      await (name === 'card' ? opened.page.getByRole('button', { name: 'Zoom to it' }) : end()).focus();
      await opened.page.keyboard.press('Home');
      await opened.settle();
      assert.equal(await focused(), 'lanes', name);
    }
  });
});

describe('The pointer on the timeline, in a browser', function () {
  this.timeout(60_000);
  const openPage = useBrowser();

  it('leaves the focus where it is when it pins a lane', async () => {
    const opened = await openPage();
    await pressKeys(opened, 'ArrowDown');
    const at = await pointOf(opened, BEGIN_UTC_MS, 2);
    await opened.page.mouse.move(at.x - 20, at.y);
    await opened.settle();
    await opened.page.locator('button.pin').click();
    await opened.page.mouse.move(5, 5);
    await opened.settle();
    assert.deepEqual(((await opened.kept()) as ViewState).pinned, [7]);
    assert.equal(await opened.page.evaluate(() => document.activeElement!.className), 'lanes');
  });

  it('drags nothing any more when its button was let go outside', async () => {
    const opened = await openPage();
    await pressKeys(opened, 'w', 'w', 'w');
    const before = await windowInView(opened);
    const plot = await findPlot(opened);
    const x = plot.leftPx + plot.widthPx / 2;
    await opened.page.mouse.move(x, plot.topPx + 30);
    await opened.page.mouse.down();
    await opened.page.mouse.move(x, 5);
    await opened.page.mouse.up();
    await opened.page.mouse.move(x, plot.topPx + 30);
    await opened.page.mouse.move(x + 200, plot.topPx + 30, { steps: 5 });
    await opened.settle();
    assert.deepEqual(await windowInView(opened), before);
  });
});
