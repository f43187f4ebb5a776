import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { MeasuredPart } from '../../../src/webview/model/view-state';
import {
  BEGIN_UTC_MS,
  columnsMessage,
  END_UTC_MS,
  FAKE_CHECKPOINTS,
  FAKE_GAP,
  fakeDatabases,
  fakeMessages,
  fakeTracking,
  SPAN_MS,
} from '../fake-capture';
import { describePages, type OpenedPage } from '../page';
import { drag, findPlot, pointAt, pressKeys, readView, windowInView } from '../timeline-on-page';

const PART: MeasuredPart = {
  beginUtcMs: BEGIN_UTC_MS + SPAN_MS * 0.4,
  endUtcMs: BEGIN_UTC_MS + SPAN_MS * 0.5,
  databaseIds: [5, 6, 7],
};

describePages('Measuring, in a browser', (open) => {
  const end = ({ page }: OpenedPage): Locator =>
    page.getByRole('slider', { name: 'End of the measured time' });
  const endUtcMs = async (opened: OpenedPage): Promise<number | undefined> =>
    (await readView(opened)).measured?.endUtcMs;
  /** What a poll brings: a checkpoint and a later end of what was observed. */
  const poll = async (opened: OpenedPage): Promise<void> => {
    const observation = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS + 5000, gaps: [FAKE_GAP] };
    await opened.send(
      columnsMessage(
        [{ database: 9, beginUtcMs: END_UTC_MS + 100, durationMs: 10 }],
        FAKE_CHECKPOINTS.length,
      ),
      {
        type: 'tracking',
        tracking: fakeTracking(FAKE_CHECKPOINTS.length + 1, { observation }),
      },
    );
  };

  it('leaves a dragged end in the hand while tracking goes on', async () => {
    const opened = await open({ state: { measured: PART } });
    const { mouse } = opened.page;
    const box = (await end(opened).boundingBox())!;
    const plot = await findPlot(opened);
    const [x, y] = [box.x + box.width / 2, box.y + 4];
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x + 60, y, { steps: 30 });
    await opened.settle();
    const valueOf = async (): Promise<number> => Number(await end(opened).getAttribute('aria-valuenow'));
    const before = await valueOf();
    assert.ok(Math.abs(before - PART.endUtcMs - (60 / plot.widthPx) * SPAN_MS) < 2);
    await poll(opened);
    assert.equal(await valueOf(), before);
    await mouse.up();
    await opened.settle();
    assert.equal(await endUtcMs(opened), before);
  });

  it('measures the lane that was chosen, though rows that arrive meanwhile move it', async () => {
    const [a, b] = [0, 1].map((database) => ({
      database,
      beginUtcMs: BEGIN_UTC_MS + 1000,
      durationMs: 900 - database,
    }));
    const databases = fakeDatabases(2, 2);
    const opened = await open({ messages: fakeMessages(databases, [a!, b!]) });
    await pressKeys(opened, 'ArrowDown', 'ArrowDown', 'm', 'ArrowRight');
    await opened.send(
      columnsMessage([{ database: 1, beginUtcMs: BEGIN_UTC_MS + 60_000, durationMs: 50_000 }], 2),
    );
    assert.equal(await opened.page.locator('.lane-name').first().textContent(), 'dbB', 'it has moved');
    await opened.press('Enter');
    assert.deepEqual((await readView(opened)).measured?.databaseIds, [6]);
    // With the pointer too: on the lane where it was pressed, now the first.
    const { mouse, keyboard } = opened.page;
    const at = await pointAt(opened, BEGIN_UTC_MS + SPAN_MS / 2, 0);
    await keyboard.down('Shift');
    await mouse.down();
    await mouse.move(at.x + 40, at.y, { steps: 4 });
    const row = { database: 0, beginUtcMs: BEGIN_UTC_MS + 70_000, durationMs: 600_000 };
    await opened.send(columnsMessage([row], 3));
    assert.equal(await opened.page.locator('.lane-name').first().textContent(), 'dbA', 'it has moved back');
    await mouse.move(at.x + 42, at.y);
    await mouse.up();
    await keyboard.up('Shift');
    await opened.settle();
    assert.ok((await readView(opened)).measured?.databaseIds.includes(6));
  });

  it('moves an end by a key even where a hundredth of what is in view is less than a millisecond', async () => {
    const window = { beginUtcMs: PART.endUtcMs - 25, endUtcMs: PART.endUtcMs + 25 };
    const opened = await open({ state: { measured: PART, window, follows: false } });
    await end(opened).focus();
    await opened.press('ArrowLeft');
    assert.equal(await endUtcMs(opened), PART.endUtcMs - 1);
    await opened.press('ArrowRight');
    assert.equal(await endUtcMs(opened), PART.endUtcMs);
  });

  it('says the same figures while a filter hides some of the lanes, and none of another capture', async () => {
    const opened = await open({ state: { measured: PART } });
    const count = (): Promise<string | null> => opened.page.locator('.measure-card dd').first().textContent();
    const inside = FAKE_CHECKPOINTS.filter(
      ({ database, beginUtcMs }) =>
        database < 3 && beginUtcMs >= PART.beginUtcMs && beginUtcMs < PART.endUtcMs,
    ).length;
    assert.equal(await count(), String(inside));
    await opened.page.getByRole('searchbox').fill('dbA');
    await poll(opened);
    assert.equal(await count(), String(inside));
    await opened.send(
      { type: 'databases', captureId: 'capture-2', databases: fakeDatabases(400, 45) },
      columnsMessage(FAKE_CHECKPOINTS.slice(1), 0, 'capture-2'),
    );
    assert.equal((await readView(opened)).measured, null);
    assert.equal(await opened.page.locator('.measure-card').isVisible(), false);
  });

  for (const name of ['card', 'end'])
    it(`gives the lanes the focus when the ${name} that has it goes out of view`, async () => {
      const window = { beginUtcMs: PART.beginUtcMs - 60_000, endUtcMs: PART.endUtcMs + 60_000 };
      const opened = await open({ state: { measured: PART, window, follows: false } });
      await (name === 'card' ? opened.button('Zoom to it') : end(opened)).focus();
      await opened.press('Home');
      assert.equal((await opened.active()).className, 'lanes');
    });
});

describePages('The pointer on the timeline, in a browser', (open) => {
  it('leaves the focus where it is when it pins a lane', async () => {
    const opened = await open();
    await pressKeys(opened, 'ArrowDown');
    const at = await pointAt(opened, BEGIN_UTC_MS, 2);
    await opened.page.mouse.move(at.x - 20, at.y);
    await opened.settle();
    await opened.page.locator('button.pin').click();
    await opened.page.mouse.move(5, 5);
    await opened.settle();
    assert.deepEqual((await readView(opened)).pinned, [7]);
    assert.equal((await opened.active()).className, 'lanes');
  });

  it('drags nothing any more when its button was let go outside', async () => {
    const opened = await open();
    await pressKeys(opened, 'w', 'w', 'w');
    const before = await windowInView(opened);
    const plot = await findPlot(opened);
    const x = plot.leftPx + plot.widthPx / 2;
    await drag(opened, [x, plot.topPx + 30], [x, 5]);
    await opened.page.mouse.move(x, plot.topPx + 30);
    await opened.page.mouse.move(x + 200, plot.topPx + 30, { steps: 5 });
    await opened.settle();
    assert.deepEqual(await windowInView(opened), before);
  });
});
