import assert from 'node:assert/strict';
import { formatPercent } from '../../../src/core/format';
import { createClock, formatSpan, formatTime } from '../../../src/webview/model/clock';
import { spanOf } from '../../../src/webview/model/time-window';
import { BEGIN_UTC_MS, FAKE_GAP, fakeMessages, SPAN_MS } from '../fake-capture';
import { busyShareOf, FAKE_MARKS, FAKE_SAMPLES } from '../fake-samples';
import { describePages, type OpenedPage } from '../page';
import { drag, findPlot, pressKeys, readCard, windowInView, WHOLE } from '../timeline-on-page';

const messages = [...fakeMessages(), FAKE_SAMPLES, FAKE_MARKS];

const SERVER_CLOCK = createClock('server', { utcOffsetMinutes: 60, offsets: [] });

const isNear = (a: number, b: number, byMs: number): boolean => Math.abs(a - b) <= byMs;

async function readHeadCard({ page }: OpenedPage): Promise<readonly string[] | null> {
  const card = page.locator('.time-head .card');
  return (await card.isVisible()) ? card.locator('div').allTextContents() : null;
}

/** Moves the pointer to a moment on a strip, by its place from the top, or on the row of marks below the strips. */
async function pointAt(opened: OpenedPage, utcMs: number, strip: number | 'marks'): Promise<number> {
  const plot = await findPlot(opened);
  const box = (await opened.page
    .locator(strip === 'marks' ? '.marks' : `.strip-name >> nth=${strip}`)
    .boundingBox())!;
  const x = Math.round(plot.leftPx + ((utcMs - BEGIN_UTC_MS) / SPAN_MS) * plot.widthPx);
  await opened.page.mouse.move(x, box.y + (strip === 'marks' ? 6 : box.height / 2));
  await opened.settle();
  return BEGIN_UTC_MS + ((x - plot.leftPx) / plot.widthPx) * SPAN_MS;
}

describePages('The dashboard in a browser, strips and marks above the lanes', (open) => {
  it('tell of the time under the pointer, step through the marks by keyboard, and stand over the lanes’ own time', async () => {
    const opened = await open({ messages, state: { strips: ['busy', 'logWrite', 'pages'] } });
    const { page } = opened;
    assert.deepEqual(await page.locator('.strip-label').allTextContents(), [
      'Task busy',
      'Log write',
      'Pages',
    ]);

    const plot = await findPlot(opened);
    const at = await pointAt(opened, BEGIN_UTC_MS + 50 * 60_000, 0);
    const busy = (await readHeadCard(opened))!;
    const columnMs = SPAN_MS / plot.widthPx;
    assert.equal(busy[0], 'Checkpoint task');
    const told = Number(/^busy (?:[<>] )?([\d.]+) %$/.exec(busy[1]!)![1]) / 100;
    assert.ok(
      Math.abs(told - busyShareOf(at, at + columnMs)) < 0.02,
      `${busy[1]} for ${formatPercent(busyShareOf(at, at + columnMs))}`,
    );

    await pointAt(opened, BEGIN_UTC_MS + 50 * 60_000, 1);
    const sample = (await readHeadCard(opened))!;
    assert.equal(sample[0], 'Log file write, whole instance');
    assert.ok(sample.includes('average over 15.0 s'), sample.join('|'));
    await pointAt(opened, FAKE_GAP.beginUtcMs + 90_000, 0);
    assert.match((await readHeadCard(opened))![0]!, /^Not observed: server restarted/);

    const flush = FAKE_MARKS.marks.find(({ kind }) => kind === 'slow I/O')!;
    await pointAt(opened, flush.beginUtcMs, 'marks');
    assert.deepEqual((await readHeadCard(opened))!.slice(0, 1), ['slow I/O · dbA']);
    await page.mouse.down();
    await page.mouse.up();
    assert.ok(await page.locator('.lanes').evaluate((lanes) => lanes === document.activeElement));

    await page.mouse.move(5, 5);
    await pressKeys(opened, 'n', 'n');
    const reached = (await readCard(opened))!;
    assert.match(reached[0]!, /^buffer pool scan · dbC: /);
    assert.ok((await page.locator('[aria-live]').allTextContents()).join().includes(reached[0]!));
    const label = (await page.locator('.marks').getAttribute('aria-label'))!;
    assert.match(label, /^Marks: .*slow I\/O \d/);

    assert.match(
      (await page.locator('#timeline-summary').textContent())!,
      /Log file write of the whole instance: .* in the median sample/,
    );
    await page.getByRole('button', { name: 'How to read this' }).click();
    assert.equal(await page.locator('.legend-sheet .entry', { hasText: 'slow I/O' }).isVisible(), true);
    assert.equal(await page.locator('.entry', { hasText: 'widened to be visible' }).isVisible(), true);
  });

  it('reach by keyboard each mark that is drawn, also one that began before, and count no other', async () => {
    const [mark, hour] = [FAKE_MARKS.marks[0]!, 3_600_000];
    const marks = [-24, -1].map((hours): typeof mark => {
      const text = `${-hours} h before`;
      return {
        ...mark,
        text,
        beginUtcMs: BEGIN_UTC_MS + hours * hour,
        endUtcMs: BEGIN_UTC_MS + (hours + 2) * hour,
      };
    });
    const opened = await open({ messages: [...fakeMessages(), { ...FAKE_MARKS, marks }] });
    assert.match((await opened.page.locator('.marks').getAttribute('aria-label'))!, /^Marks: recovery 1\./);
    await pressKeys(opened, 'n');
    assert.match((await opened.page.locator('[aria-live]').allTextContents()).join(), /1 h before/);
  });

  it('shade the time that was not sampled as they shade a gap, so that it does not look like nothing written', async () => {
    for (const sent of [messages, fakeMessages()]) {
      const opened = await open({ messages: sent, state: { strips: ['busy', 'logWrite'] } });
      const plot = await findPlot(opened);
      const y = Math.round((await opened.page.locator('.strip-name >> nth=1').boundingBox())!.height * 1.5);
      const [inGap, before] = await opened.page.evaluate(
        ([top, ...places]) => {
          const canvas = document.querySelector<HTMLCanvasElement>('.head-canvas')!;
          const { data } = canvas.getContext('2d')!.getImageData(0, top!, canvas.width, 1);
          return places.map((x) => [...data.subarray(4 * Math.round(x), 4 * Math.round(x) + 4)].join());
        },
        [
          y,
          ...[FAKE_GAP.beginUtcMs + 90_000, BEGIN_UTC_MS + 40_000].map(
            (utcMs) => plot.leftPx + ((utcMs - BEGIN_UTC_MS) / SPAN_MS) * plot.widthPx,
          ),
        ],
      );
      assert.equal(inGap === before, sent !== messages);
      assert.notEqual(inGap, '0,0,0,0');
    }
  });
  it('are one stop of Tab, in which keys go through the time and from strip to strip, and each place is shown and told', async () => {
    const opened = await open({ messages, state: { strips: ['busy', 'logWrite', 'writelog'] } });
    const { page } = opened;
    const said = async (): Promise<string> =>
      (await page.locator('body > #app > [aria-live]').textContent())!;
    const press = async (...keys: readonly string[]): Promise<readonly string[]> => {
      await opened.press(...keys);
      return (await readHeadCard(opened))!;
    };
    const focused = async (): Promise<string> => (await opened.active()).className;
    await page.locator('.lanes').focus();
    await page.keyboard.press('Shift+Tab');
    assert.equal(await focused(), 'strip-cursor');
    assert.match(
      (await page.locator('.strip-cursor').getAttribute('aria-label'))!,
      /^Strips: Task busy, Log write, WRITELOG\. /,
    );
    assert.equal(await readHeadCard(opened), null);
    const before = await page.locator('.head-canvas').screenshot();

    const first = await press('Home');
    assert.equal(first[0], 'Checkpoint task');
    assert.equal(await said(), ['Task busy', ...first].join(', '));
    assert.ok((await said()).includes(formatTime(BEGIN_UTC_MS, SERVER_CLOCK)), await said());
    assert.notDeepEqual(await page.locator('.head-canvas').screenshot(), before, 'a line is drawn');
    const fourth = await press('ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    assert.equal(fourth[0], 'Log file write, whole instance');
    assert.ok(
      fourth.includes(
        formatSpan({ beginUtcMs: BEGIN_UTC_MS + 45_000, endUtcMs: BEGIN_UTC_MS + 60_000 }, SERVER_CLOCK),
      ),
      fourth.join('|'),
    );
    const unseen = await press('ArrowDown');
    assert.match(unseen[1]!, /^not observable/);
    assert.match(await said(), /^WRITELOG, WRITELOG wait, whole instance, not observable/);

    // To the restart of the server: in steps of ten samples, then of one.
    await press(...new Array<string>(4).fill('Shift+ArrowRight'));
    for (let i = 0; i < 300 && !(await said()).includes('Not observed'); i++) await press('ArrowRight');
    assert.match(await said(), /^WRITELOG, Not observed: server restarted, 3 min, 2026-11-21 13:02:00\.000/);
    const card = (await page.locator('.time-head .card').boundingBox())!;
    const plot = await findPlot(opened);
    const gapX = plot.leftPx + ((FAKE_GAP.beginUtcMs - BEGIN_UTC_MS) / SPAN_MS) * plot.widthPx;
    assert.ok(card.x >= gapX && card.x < gapX + 40, 'the card is at the line');

    await pointAt(opened, BEGIN_UTC_MS + 50 * 60_000, 0);
    assert.equal((await readHeadCard(opened))![0], 'Checkpoint task', 'the pointer goes first');
    assert.match((await press('End'))[0]!, /WRITELOG/, 'until a key is pressed');
    await opened.press('Escape');
    assert.match(await focused(), /\blanes\b/);
    assert.equal(await readHeadCard(opened), null);
    assert.deepEqual(await windowInView(opened), WHOLE, 'what is in view stayed');
  });

  it('fold to one strip in a narrow pane', async () => {
    const { page } = await open({ messages, width: 400, height: 800 });
    assert.deepEqual(await page.locator('.strip-label').allTextContents(), ['Task busy']);
  });
});

describePages('The dashboard in a browser, the minimap', (open) => {
  it('shows what is in view, moves it by pointer, and is not painted again for that', async () => {
    const half = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: BEGIN_UTC_MS + SPAN_MS / 2 };
    const opened = await open({ messages, state: { window: half, follows: false } });
    const { page } = opened;
    const plot = (await page.locator('.minimap-plot').boundingBox())!;
    const y = plot.y + plot.height / 2;
    const xOf = (share: number): number => plot.x + share * plot.width;
    const pixelMs = SPAN_MS / plot.width;
    await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.minimap-plot canvas')!;
      const context = canvas.getContext('2d')!;
      const clear = context.clearRect.bind(context);
      context.clearRect = (...box) => {
        canvas.dataset['painted'] = String(Number(canvas.dataset['painted'] ?? 0) + 1);
        clear(...box);
      };
    });

    const dragFrom = (from: number, to: number): Promise<void> => drag(opened, [xOf(from), y], [xOf(to), y]);
    await dragFrom(0.25, 0.45);
    let window = await windowInView(opened);
    assert.ok(isNear(window.beginUtcMs, BEGIN_UTC_MS + 0.2 * SPAN_MS, 3 * pixelMs), 'the lens was moved');
    assert.ok(isNear(spanOf(window), SPAN_MS / 2, 3 * pixelMs), 'and kept its span');
    await dragFrom(0.8, 0.9);
    window = await windowInView(opened);
    assert.ok(
      isNear(window.beginUtcMs, BEGIN_UTC_MS + 0.8 * SPAN_MS, 2 * pixelMs) &&
        isNear(spanOf(window), 0.1 * SPAN_MS, 3 * pixelMs),
    );
    await page.mouse.click(xOf(0.3), y);
    await opened.settle();
    window = await windowInView(opened);
    assert.ok(
      isNear((window.beginUtcMs + window.endUtcMs) / 2, BEGIN_UTC_MS + 0.3 * SPAN_MS, 2 * pixelMs),
      'a click brings the window there',
    );

    assert.ok(await page.locator('.lanes').evaluate((lanes) => lanes === document.activeElement));
    const lens = page.locator('.minimap-plot');
    assert.match((await lens.getAttribute('aria-label'))!, /^Time in view: 2026-11-21 .* of 2 h 14 min$/);
    await pressKeys(opened, 'ArrowLeft', 'w', 's');
    assert.equal(
      await page.locator('.minimap-plot canvas').getAttribute('data-painted'),
      null,
      'painted once for all of that',
    );

    await page.mouse.dblclick(xOf(0.1), y);
    await opened.settle();
    assert.deepEqual(await windowInView(opened), WHOLE);
    assert.equal(await lens.isVisible(), false, 'once all is in view');
  });
});
