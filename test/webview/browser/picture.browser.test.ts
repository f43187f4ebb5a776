import assert from 'node:assert/strict';
import { fakeDatabases, fakeMessages } from '../fake-capture';
import { FAKE_MARKS, FAKE_SAMPLES } from '../fake-samples';
import { describePages } from '../page';
import { savePicture } from '../timeline-on-page';

const HOSTILE = `a]b'c"--<img src=x onerror=alert(1)>&😀`;

const VERDICT = 'The checkpoint task is almost never free.';

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
});
