import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { COLOUR_STEPS } from '../../../src/core/timeline/duration-levels';
import { createColourRamp } from '../../../src/webview/kit/colour-ramp';
import { FAKE_CHECKPOINTS, fakeDatabases, fakeMessages } from '../fake-capture';
import { FAKE_MARKS, FAKE_SAMPLES } from '../fake-samples';
import { describePages, type OpenedPage } from '../page';
import { compareSavedLanes, findPlot, savePicture } from '../timeline-on-page';

const HOSTILE = `a]b'c"--<img src=x onerror=alert(1)>&😀`;

const VERDICT = 'The checkpoint task is almost never free.';

/** Saves the picture of scrolled lanes, and lays it over the page. */
async function saveScrolled(opened: OpenedPage, scrollTop: number): Promise<Locator> {
  const { page } = opened;
  await page.locator('.lanes').evaluate((lanes, px) => (lanes.scrollTop = px), scrollTop);
  await opened.settle();
  await savePicture(opened, 'SVG');
  await page.evaluate(() => {
    const { postedMessages } = window as unknown as { postedMessages: { bytes: ArrayBuffer }[] };
    const file = new TextDecoder().decode(postedMessages.at(-1)!.bytes);
    const { documentElement } = new DOMParser().parseFromString(file, 'image/svg+xml');
    documentElement.style.cssText = 'position: fixed; top: 0; left: 0; z-index: 9';
    document.body.append(documentElement);
  });
  return page.locator('body > svg');
}

describePages('The timeline as a file, in a browser', (open) => {
  it('is an SVG that parses, with strange names as text and a bar for each run that is drawn, and a PNG of the device’s pixels', async () => {
    const databases = fakeDatabases(400, 45).map((database, i) =>
      i === 0 ? { ...database, name: HOSTILE } : database,
    );
    const opened = await open({
      pixelRatio: 2,
      messages: [...fakeMessages(databases), FAKE_SAMPLES, FAKE_MARKS],
      state: { pinned: [5, 6] },
    });
    await savePicture(opened, 'SVG');
    const svg = await opened.page.evaluate(() => {
      const { bytes } = (window as unknown as { postedMessages: { bytes: ArrayBuffer }[] }).postedMessages.at(
        -1,
      )!;
      const root = new DOMParser().parseFromString(
        new TextDecoder().decode(bytes),
        'image/svg+xml',
      ).documentElement;
      const bars = [...root.querySelectorAll('.bar')].map((bar) => Number(bar.getAttribute('width')));
      const edges = root.querySelectorAll('.pinned-edge').length;
      const signs = [...root.querySelectorAll('svg[viewBox="0 0 10 10"]')].map(({ innerHTML }) => innerHTML);
      return {
        edges,
        signs,
        gaps: [...root.querySelectorAll('.gap')].map((gap) => gap.getAttribute('fill')),
        tag: root.tagName,
        texts: [...root.querySelectorAll('text')].map((text) => text.textContent ?? ''),
        bars,
      };
    });
    assert.deepEqual([svg.tag, svg.edges], ['svg', 1]);
    assert.equal(svg.texts[1], VERDICT);
    assert.ok(svg.signs.length > 3 && new Set(svg.signs).size === svg.signs.length, 'each sign is its own');
    assert.deepEqual(svg.gaps, ['url(#whole)'], 'hatched, as on the page');
    assert.ok(svg.texts[0]!.startsWith('PROD-SQL07 · 2026-11-21 12:45 – 14:59 · Server time, UTC+1'));
    assert.ok(
      svg.texts.some((text) => text.startsWith(HOSTILE.slice(0, 8))),
      svg.texts.join(),
    );
    for (const text of ['Orders_EU', '13:15', 'not observed'])
      assert.ok(svg.texts.includes(text), svg.texts.join());
    assert.ok(svg.bars.length > 500 && svg.bars.every((width) => width >= 1), `${svg.bars.length} bars`);
    await savePicture(opened, 'PNG');
    const png = await opened.page.evaluate(async () => {
      const { bytes } = (window as unknown as { postedMessages: { bytes: ArrayBuffer }[] }).postedMessages.at(
        -1,
      )!;
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const colours = new Set(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)).size;
      const { clientWidth, clientHeight } = document.querySelector('.timeline-part')!;
      return { width, height, colours, clientWidth, clientHeight };
    });
    assert.ok(png.colours > 20, `${png.colours} colours`);
    assert.deepEqual([png.width, png.height], [png.clientWidth * 2, (png.clientHeight + 48) * 2]);
  });

  it('has of scrolled lanes what is on screen: bars and marks below pinned lanes, hatching and changes as far as lanes go', async () => {
    const opened = await open({ messages: [...fakeMessages(), FAKE_MARKS], state: { pinned: [5, 6] } });
    const saved = await saveScrolled(opened, 30);
    const ticks = await saved
      .locator('.tick')
      .evaluateAll((all) => all.map((tick) => tick.getAttribute('fill')!));
    assert.ok(ticks.length > 5, `${ticks.length} marks`);
    const colours = [...createColourRamp('dark', COLOUR_STEPS), ...ticks];
    assert.deepEqual(await compareSavedLanes(opened, colours), []);
    const foot = await saved.evaluate((svg) => {
      const { width, bottom } = svg.getBoundingClientRect();
      return Array.from({ length: width }, (_, x) => document.elementFromPoint(x, bottom - 2)?.tagName);
    });
    assert.ok(!foot.includes('text'), 'the legend ends where it does on the page');
    const few = FAKE_CHECKPOINTS.filter(({ database }) => database < 2);
    const short = await saveScrolled(await open({ messages: fakeMessages(fakeDatabases(2, 2), few) }), 0);
    const boxes = await short
      .locator('.gap, line')
      .evaluateAll((all) =>
        all.map((shape) => (shape as SVGGraphicsElement).getBBox()).map(({ y, height }) => y + height),
      );
    assert.deepEqual(boxes, [40, 40], 'a gap and a change, over two lanes');
  });

  it('has the names of lanes inside the lanes and beside the bars, cut in the middle where there is no room, no sign halved', async () => {
    const family = '👩‍👩‍👧';
    const long = ['W'.repeat(60), 'i'.repeat(30) + 'W'.repeat(30), 'il'.repeat(60), family.repeat(30)];
    const names = ['Orders', 'Top', ...long];
    const databases = fakeDatabases(45, 45).map((one, i) => ({ ...one, name: names[i] ?? one.name }));
    const opened = await open({ messages: fakeMessages(databases) });
    const saved = await saveScrolled(opened, 38);
    const roomPx = (await findPlot(opened)).leftPx;
    const shown = await saved.locator('g svg > [text-anchor]').evaluateAll((all) =>
      all.map((text) => {
        const { left, top, right, width } = text.getBoundingClientRect();
        const lanesPx = 48 + Number(text.parentElement!.getAttribute('y'));
        const isAbove = top < lanesPx - 4;
        const isSeen = document.elementFromPoint(left + width / 2, isAbove ? lanesPx - 2 : top + 4) === text;
        return { text: text.textContent!, left, right, width, isAbove, isSeen };
      }),
    );
    assert.equal(shown.length, await opened.page.locator('.lane-name').count(), 'each name once');
    for (const { text, left, right, width, isAbove, isSeen } of shown) {
      assert.equal(isSeen, !isAbove, `${text} is seen in the lanes alone`);
      assert.ok(left >= 0 && right <= roomPx - 9, `${text} ends at ${right} of ${roomPx}`);
      assert.ok(!text.includes('…') || width > 0.8 * roomPx, `${text} is ${width} wide of ${roomPx}`);
    }
    assert.ok(shown[0]!.isAbove && !shown[1]!.isAbove, 'the first is scrolled almost out of view');
    const texts = shown.map(({ text }) => text).join('\n');
    for (const pattern of ['W+…W+', 'i+…W+', '[il]{9,}…[il]{9,}', `(${family})+…(${family})+`])
      assert.match(texts, new RegExp(`^${pattern}$`, 'mu'));
  });
});
