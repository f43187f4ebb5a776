import assert from 'node:assert/strict';
import {
  BEGIN_UTC_MS,
  columnsMessage,
  END_UTC_MS,
  FAKE_CHECKPOINTS,
  FAKE_GAP,
  fakeDatabases,
  fakeMessages,
  fakeTracking,
} from '../fake-capture';
import { changeOf } from '../../core/task/changed';
import { FAKE_MARKS, FAKE_SAMPLES } from '../fake-samples';
import { describePages, type OpenedPage } from '../page';
import { pointAt, pressKeys, readCard, readLanes, WHOLE, windowInView } from '../timeline-on-page';
import { gapOf } from '../../core/gap-of';

/** The 40 pixels of the lanes around a point, from left to right: red, green, blue, opacity. */
const readPixels = (
  { page }: OpenedPage,
  at: { readonly x: number; readonly y: number },
): Promise<number[][]> =>
  page.evaluate(({ x, y }) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.lanes-canvas')!;
    const box = canvas.getBoundingClientRect();
    const bytes = [...canvas.getContext('2d')!.getImageData(x - box.left - 20, y - box.top, 40, 1).data];
    return Array.from({ length: 40 }, (_, i) => bytes.slice(4 * i, 4 * i + 4));
  }, at);

describePages('The dashboard in a browser, the timeline', (open) => {
  it('shows a card about the checkpoint under the pointer', async () => {
    const longest = FAKE_CHECKPOINTS.reduce((a, b) => (b.durationMs > a.durationMs ? b : a));
    const opened = await open();
    const lane = (await readLanes(opened)).indexOf(fakeDatabases(400, 45)[longest.database]!.name);
    await pointAt(opened, longest.beginUtcMs + longest.durationMs / 2, lane);
    const card = (await readCard(opened))!;
    assert.equal(card[1], '3 min 37 s');
    assert.ok(card.includes('at least as long as the recovery interval: logged as FlushCache'));
  });

  it('says in that card if a session asked for the checkpoint', async () => {
    const longest = FAKE_CHECKPOINTS.reduce((a, b) => (b.durationMs > a.durationMs ? b : a));
    const opened = await open();
    const asked = FAKE_CHECKPOINTS.map((one) => ({ ...one, caller: one === longest ? 1 : 2 }));
    await opened.send(columnsMessage(asked, 0, 'capture-1', 2));
    const lane = (await readLanes(opened)).indexOf(fakeDatabases(400, 45)[longest.database]!.name);
    await pointAt(opened, longest.beginUtcMs + longest.durationMs / 2, lane);
    assert.match(
      (await readCard(opened))!.join('; '),
      /a session asked for it: CHECKPOINT, a backup or a snapshot/,
    );
  });

  it('tells at the line of a change which settings were changed, however many at once', async () => {
    const atUtcMs = BEGIN_UTC_MS + 3_000_000;
    const changes = [5, 6, 7, 400].map((databaseId) =>
      changeOf(databaseId, atUtcMs, { source: 'error log' }),
    );
    const messages = fakeMessages(fakeDatabases(400, 1), [
      { database: 0, beginUtcMs: BEGIN_UTC_MS + 60_000, durationMs: 500 },
    ]).map((message) => (message.type === 'changes' ? { ...message, changes } : message));
    const opened = await open({ messages });
    await pointAt(opened, atUtcMs, 0);
    assert.deepEqual(await readCard(opened), [
      ...['dbA → 60 s', 'dbB → 60 s', 'dbC → 60 s', 'Tenant_0395 → 60 s'],
      '2026-11-21 13:35:00.000',
    ]);
  });

  it('tells of two changes near each other the one at the pointer, and of a checkpoint reached by keys no more than holds of it', async () => {
    const atUtcMs = BEGIN_UTC_MS + 3_000_000;
    const changes = [0, 20_000].map((ms, at) => changeOf(5 + at, atUtcMs + ms, { source: 'error log' }));
    const short = { database: 0, beginUtcMs: BEGIN_UTC_MS + 60_000, durationMs: 20 };
    const long = { database: 0, beginUtcMs: BEGIN_UTC_MS + 60_100, durationMs: 900 };
    const messages = fakeMessages(fakeDatabases(3, 1), [short, long]).map((message) =>
      message.type === 'changes' ? { ...message, changes } : message,
    );
    const opened = await open({ messages });
    await pointAt(opened, atUtcMs + 20_000, 0);
    assert.equal((await readCard(opened))?.[0], 'dbB → 60 s');
    await opened.page.mouse.move(5, 5);
    const notes: string[] = [];
    for (const key of ['ArrowDown', '.', '.']) {
      await pressKeys(opened, key);
      notes.push((await readCard(opened))?.find((line) => line.includes('under this pixel')) ?? '');
    }
    assert.deepEqual(notes, ['', '', 'longest of 2 checkpoints under this pixel']);
  });

  it('shows its cards whole over the rest of the page, also in a low window', async () => {
    const measured = { beginUtcMs: BEGIN_UTC_MS + 600_000, endUtcMs: END_UTC_MS - 600_000, databaseIds: [5] };
    for (const state of [{}, { measured }] as const) {
      const late = { database: 0, beginUtcMs: END_UTC_MS - 700_000, durationMs: 400_000 };
      const messages = fakeMessages(fakeDatabases(4, 1), [late]);
      const opened = await open({ width: 676, height: 508, messages, state });
      if (!('measured' in state)) await pointAt(opened, late.beginUtcMs + 300_000, 0);
      const cut = await opened.page.evaluate(() => {
        const card = document.querySelector<HTMLElement>('.lanes-stage .card:not([hidden])')!;
        card.style.pointerEvents = 'auto';
        const { left, right, top, bottom } = card.getBoundingClientRect();
        const corners = [left + 4, right - 4].flatMap((x) =>
          [top + 4, bottom - 4].map((y) => [x, y] as const),
        );
        return [
          card.scrollHeight > card.clientHeight,
          ...corners.map(([x, y]) => document.elementFromPoint(x, y)?.closest('.card') !== card),
        ];
      });
      assert.deepEqual(cut, [false, false, false, false, false], JSON.stringify(state));
    }
  });

  it('takes its cards out of sight with the lanes where the page scrolls as a whole', async () => {
    const measured = { beginUtcMs: BEGIN_UTC_MS + 600_000, endUtcMs: END_UTC_MS - 600_000, databaseIds: [5] };
    const { page } = await open({ width: 640, height: 420, state: { measured } });
    const card = page.locator('.measure-card');
    await page.evaluate(() => document.querySelector('.lanes')!.scrollIntoView());
    await card.waitFor();
    await page.evaluate(() => document.querySelector('.databases tbody tr:last-child')!.scrollIntoView());
    await card.waitFor({ state: 'hidden' });
  });

  it('keeps its ramp, signs and bars where the system forces its own colours', async () => {
    const opened = await open({ messages: [...fakeMessages(), FAKE_SAMPLES, FAKE_MARKS] });
    const { page } = opened;
    await page.emulateMedia({ forcedColors: 'active' });
    await opened.settle();
    for (const part of ['.ramp', '.legend .entry:not([hidden]) .swatch', '.databases .bar']) {
      const { x, y, width, height } = (await page.locator(part).first().boundingBox())!;
      const clip = { x, y: y - 2, width, height: height + 4 };
      const png = (await page.screenshot({ clip })).toString('base64');
      const colours = await page.evaluate(async (bytes) => {
        const image = new Image();
        image.src = `data:image/png;base64,${bytes}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        return new Set(new Uint32Array(data.buffer)).size;
      }, png);
      assert.ok(colours > 1, part);
    }
  });

  it('fits the checkpoint that a double click began on, also where the panel that it opens comes under the pointer', async () => {
    const late = { database: 0, beginUtcMs: END_UTC_MS - 700_000, durationMs: 400_000 };
    const opened = await open({ messages: fakeMessages(fakeDatabases(4, 1), [late]) });
    const at = await pointAt(opened, late.beginUtcMs + 300_000, 0);
    await opened.page.mouse.dblclick(at.x, at.y);
    await opened.settle();
    assert.ok(
      await opened.page.evaluate(
        ({ x, y }) => document.elementFromPoint(x, y)?.closest('aside') !== null,
        at,
      ),
    );
    const { beginUtcMs, endUtcMs } = await windowInView(opened);
    const isThird = beginUtcMs < late.beginUtcMs && endUtcMs - beginUtcMs <= late.durationMs * 3 + 1;
    assert.ok(isThird, 'the checkpoint fills a third of what is in view');
    // Of a capture that takes the place of this one between its two clicks, it fits nothing.
    await pressKeys(opened, 'f');
    const there = await pointAt(opened, late.beginUtcMs + 300_000, 0);
    await opened.page.mouse.click(there.x, there.y);
    await opened.send(
      { type: 'databases', captureId: 'other', databases: fakeDatabases(4, 1) },
      columnsMessage([{ ...late, durationMs: 5 }], 0, 'other', 2),
    );
    await opened.page.mouse.click(there.x, there.y, { clickCount: 2 });
    await opened.settle();
    assert.deepEqual(await windowInView(opened), WHOLE);
  });

  it('names the recovery interval in its legend as it is set', async () => {
    const { page } = await open();
    assert.equal(
      await page.locator('.legend .entry', { hasText: 'capped' }).first().textContent(),
      'capped: longer than 60 s',
    );
  });

  it('says of a gap that nothing was observed, and why', async () => {
    const opened = await open();
    const { page } = opened;
    const at = await pointAt(opened, (FAKE_GAP.beginUtcMs + FAKE_GAP.endUtcMs) / 2, 3);
    const within = (await readPixels(opened, at)).slice(10, 30);
    assert.ok(new Set(within.map(String)).size > 1, 'it is hatched');
    assert.deepEqual(await readCard(opened), [
      'Not observed: server restarted',
      '3 min',
      '2026-11-21 13:02:00.000 – 13:05:00.000',
      'server restart',
    ]);
    assert.equal(await page.locator('.entry:visible', { hasText: 'observed' }).textContent(), 'not observed');
    const inSheet = page.locator('.legend-sheet .entry', { hasText: 'observed:' }).first();
    assert.equal(await inSheet.textContent(), 'not observed: server restarted');
    const summary = (await page.locator('#timeline-summary').textContent())!;
    assert.ok(summary.includes('checkpoints in 45 lanes'), summary);
    assert.ok(
      summary.includes('1 gap: 2026-11-21 13:02:00.000 – 13:05:00.000 not observed, server restarted.'),
      summary,
    );
    const coverage =
      'Whole capture: 2026-11-21 12:45 – 14:59. 2 h 11 min of 2 h 14 min observed; missing: server restarted 3 min.';
    assert.equal(await page.locator('.coverage:visible').textContent(), coverage);
    await page.mouse.move(5, 5);
    await opened.settle();
    assert.equal(await readCard(opened), null);
    // One of a moment is a tick, which the pointer need not hit to the pixel.
    const moment = { ...FAKE_GAP, endUtcMs: FAKE_GAP.beginUtcMs + 100 };
    const observation = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS, gaps: [moment] };
    await opened.send({ type: 'tracking', tracking: fakeTracking(FAKE_CHECKPOINTS.length, { observation }) });
    const { x, y } = await pointAt(opened, moment.beginUtcMs, 11);
    await page.mouse.move(x + 2, y);
    await opened.settle();
    assert.equal((await readCard(opened))?.[1], '100 ms');
  });

  it('leaves in sight what was seen in a gap with events in it, if not all, and says which checkpoint a gap spoilt', async () => {
    const from = BEGIN_UTC_MS + 3_600_000;
    const lost = gapOf('events lost', from, from + 1_200_000, '3 events');
    const inside = { database: 0, beginUtcMs: from + 300_000, durationMs: 600_000 };
    const tracking = fakeTracking(1, { observation: { ...WHOLE, gaps: [lost] } });
    const opened = await open({
      messages: [...fakeMessages(fakeDatabases(4, 1), [inside]), { type: 'tracking', tracking }],
    });
    const at = await pointAt(opened, inside.beginUtcMs + 300_000, 0);
    assert.equal(
      (await readCard(opened))?.at(-1),
      'may be two checkpoints with a gap between them: left out of all figures',
    );
    assert.equal(
      await opened.page.locator('.entry:visible', { hasText: 'observed' }).textContent(),
      'not fully observed',
    );
    // The colour of a long checkpoint is red; hatching and grounds are grey.
    const painted = (await readPixels(opened, at)).filter(([red = 0, , blue = 0]) => red - blue > 60).length;
    assert.ok(painted > 20, `${painted} of 40 pixels`);
  });

  it('keeps the newest in view while it follows, and stays where it is otherwise', async () => {
    const opened = await open();
    const growTo = (endUtcMs: number): Promise<void> =>
      opened.send({
        type: 'tracking',
        tracking: fakeTracking(9, { observation: { beginUtcMs: BEGIN_UTC_MS, endUtcMs, gaps: [] } }),
      });
    await pressKeys(opened, 'w', 'w', 'w', 'End');
    await growTo(END_UTC_MS + 60_000);
    await pressKeys(opened, 'ArrowUp');
    assert.equal((await windowInView(opened)).endUtcMs, END_UTC_MS + 60_000);
    await pressKeys(opened, 'Home');
    const before = await windowInView(opened);
    await growTo(END_UTC_MS + 120_000);
    await pressKeys(opened, 'ArrowDown');
    assert.deepEqual(await windowInView(opened), before);
  });

  it('keeps a window of before a reload while its data is still arriving', async () => {
    const window = { beginUtcMs: BEGIN_UTC_MS + 3_600_000, endUtcMs: BEGIN_UTC_MS + 4_200_000 };
    const opened = await open({ messages: fakeMessages().slice(0, 2), state: { window, follows: false } });
    await opened.send(columnsMessage(FAKE_CHECKPOINTS.slice(0, 100)));
    await opened.send(columnsMessage(FAKE_CHECKPOINTS.slice(100), 100));
    assert.equal(
      await opened.page.locator('.toolbar .num').first().textContent(),
      '2026-11-21 13:45 – 13:55',
    );
  });

  it('shows all of another capture', async () => {
    const opened = await open();
    await pressKeys(opened, 'w', 'w', 'Home');
    await opened.send(
      columnsMessage([{ database: 1, beginUtcMs: BEGIN_UTC_MS + 1000, durationMs: 50 }], 0, 'capture-2'),
    );
    assert.deepEqual(await windowInView(opened), WHOLE);
    assert.deepEqual(await readLanes(opened), ['dbB']);
  });

  it('paints and names only the lanes in view of 400', async () => {
    const many = Array.from({ length: 40_000 }, (_, i) => ({
      database: i % 400,
      beginUtcMs: BEGIN_UTC_MS + i * 200,
      durationMs: 10 + (i % 977),
    }));
    const opened = await open({ messages: fakeMessages(fakeDatabases(400, 400), many) });
    assert.ok((await readLanes(opened)).length < 30);
  });

  it('reveals a database that was named before its checkpoints came', async () => {
    const messages = fakeMessages();
    const opened = await open({
      messages: [...messages.slice(0, -1), { type: 'reveal', databaseId: 45 }, ...messages.slice(-1)],
    });
    assert.ok((await readLanes(opened)).includes(fakeDatabases(400, 45)[40]!.name));
  });
});
