import assert from 'node:assert/strict';
import type { Gap } from '../../../src/protocol';
import { spanOf } from '../../../src/webview/model/time-window';
import {
  BEGIN_UTC_MS,
  columnsMessage,
  END_UTC_MS,
  FAKE_GAP,
  fakeCheckpoints,
  fakeDatabases,
  fakeMessages,
  fakeTracking,
  SPAN_MS,
} from '../fake-capture';
import { useBrowser, type OpenedPage } from '../page';
import { findPlot, pointOf, pressKeys, readCard, readLanes, windowInView, WHOLE } from '../timeline-on-page';

describe('The dashboard in a browser, the timeline', function () {
  this.timeout(60_000);
  const openPage = useBrowser();
  let opened: OpenedPage;
  const open = async (...options: Parameters<typeof openPage>): Promise<OpenedPage> => (opened = await openPage(...options));

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
    assert.ok(card.includes('at least as long as the recovery interval: logged as FlushCache'));
    await opened.page.mouse.dblclick(at.x, at.y);
    await opened.settle();
    const { beginUtcMs, endUtcMs } = await windowInView(opened);
    assert.ok(beginUtcMs < longest.beginUtcMs && endUtcMs > longest.beginUtcMs + longest.durationMs);
    assert.ok(Math.abs(endUtcMs - beginUtcMs - longest.durationMs * 3) < 1);
  });

  it('fits the checkpoint that a double click began on, also where the panel that it opens comes under the pointer', async () => {
    const late = { database: 0, beginUtcMs: END_UTC_MS - 700_000, durationMs: 400_000 };
    await open({ messages: fakeMessages(fakeDatabases(4, 1), [late]) });
    const at = await pointOf(opened, late.beginUtcMs + 300_000, 0);
    await opened.page.mouse.dblclick(at.x, at.y);
    await opened.settle();
    assert.equal(await opened.page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('aside') !== null, at), true);
    const { beginUtcMs, endUtcMs } = await windowInView(opened);
    assert.ok(
      beginUtcMs < late.beginUtcMs && endUtcMs - beginUtcMs <= late.durationMs * 3 + 1,
      'the checkpoint fills a third of what is in view',
    );
  });

  it('says of a gap that nothing was observed, and why', async () => {
    await open();
    const at = await pointOf(opened, (FAKE_GAP.beginUtcMs + FAKE_GAP.endUtcMs) / 2, 3);
    await opened.page.mouse.move(at.x, at.y);
    await opened.settle();
    assert.deepEqual(await readCard(opened), ['Not observed: server restarted', '3 min', '13:02:00.000 – 13:05:00.000', 'server restart']);
    assert.equal(await opened.page.locator('.entry:visible', { hasText: 'observed' }).textContent(), 'not observed');
    assert.equal(
      await opened.page.locator('.legend-sheet .entry', { hasText: 'observed:' }).first().textContent(),
      'not observed: server restarted',
    );
    const summary = await opened.page.locator('#timeline-summary').textContent();
    assert.ok(summary!.includes('1 gap: 13:02:00.000 – 13:05:00.000 not observed, server restarted.'), summary!);
    const coverage = '2 h 11 min of 2 h 14 min observed; missing: server restarted 3 min.';
    assert.equal(await opened.page.locator('.coverage:visible').textContent(), coverage);
    await opened.page.mouse.move(5, 5);
    await opened.settle();
    assert.equal(await readCard(opened), null);
  });

  it('leaves in sight what was seen in a gap with events in it, if not all, and says which checkpoint a gap spoilt', async () => {
    const from = BEGIN_UTC_MS + 3_600_000;
    const lost: Gap = { kind: 'events lost', beginUtcMs: from, endUtcMs: from + 1_200_000, reason: '3 events' };
    const inside = { database: 0, beginUtcMs: from + 300_000, durationMs: 600_000 };
    const observation = { ...WHOLE, gaps: [lost] };
    await open({
      messages: [...fakeMessages(fakeDatabases(4, 1), [inside]), { type: 'tracking', tracking: fakeTracking(1, { observation }) }],
    });
    const at = await pointOf(opened, inside.beginUtcMs + 300_000, 0);
    await opened.page.mouse.move(at.x, at.y);
    await opened.settle();
    assert.equal((await readCard(opened))?.at(-1), 'may be two checkpoints with a gap between them: no figure includes it');
    assert.equal(await opened.page.locator('.entry:visible', { hasText: 'observed' }).textContent(), 'not fully observed');
    const isPainted = await opened.page.evaluate(({ x, y }) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.lanes-canvas')!;
      const box = canvas.getBoundingClientRect();
      const pixels = canvas.getContext('2d')!.getImageData(x - box.left - 20, y - box.top, 40, 1).data;
      // The colour of a long checkpoint is red; hatching and grounds are grey.
      return Array.from({ length: 40 }, (_, i) => pixels[i * 4]! - pixels[i * 4 + 2]!).filter((redness) => redness > 60).length;
    }, at);
    assert.ok(isPainted > 20, `${isPainted} of 40 pixels`);
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
    assert.equal(await opened.page.locator('#panel-timeline tr[aria-selected="true"]').getAttribute('data-database-id'), '45');
  });

  it('reveals a database that was named before its checkpoints came', async () => {
    const messages = fakeMessages();
    await open({ messages: [...messages.slice(0, -1), { type: 'reveal', databaseId: 45 }, ...messages.slice(-1)] });
    assert.ok((await readLanes(opened)).includes(fakeDatabases(400, 45)[40]!.name));
  });

  it('takes zoom, selection and sort up again after a reload', async () => {
    const window = { beginUtcMs: BEGIN_UTC_MS + 600_000, endUtcMs: BEGIN_UTC_MS + 1_200_000 };
    await open({
      state: {
        window,
        follows: false,
        selectedDatabaseId: 9,
        sort: { column: 'perHour', descending: false },
        filter: 'o',
        figuresInView: false,
      },
    });
    assert.equal(await opened.page.locator('#panel-timeline th[data-column="perHour"]').getAttribute('aria-sort'), 'ascending');
    assert.equal(await opened.page.locator('#panel-timeline tr[aria-selected="true"]').getAttribute('data-database-id'), '9');
    assert.equal(await opened.page.locator('.toolbar .num').first().textContent(), '2026-11-21 12:55 – 13:05');
    assert.equal(await opened.page.getByRole('searchbox').inputValue(), 'o');
  });
});
