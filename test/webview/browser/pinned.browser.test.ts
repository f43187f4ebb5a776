import assert from 'node:assert/strict';
import type { ViewState } from '../../../src/webview/model/view-state';
import { BEGIN_UTC_MS, END_UTC_MS, fakeDatabases, fakeMessages } from '../fake-capture';
import { describePages, type OpenedPage } from '../page';
import { drag, findPlot, readCard, readLanes, readSelectedLane, readView } from '../timeline-on-page';

/**
 * Each database has one long checkpoint over all of the time but the edges, so that every point of a lane tells whose
 * it is.
 */
const DATABASES = fakeDatabases(60, 60);
const MESSAGES = fakeMessages(
  DATABASES,
  DATABASES.map((_, database) => ({
    database,
    beginUtcMs: BEGIN_UTC_MS + 1000,
    durationMs: END_UTC_MS - BEGIN_UTC_MS - 60_000 - database * 1000,
  })),
);
const PINNED = [20, 30];
const nameOf = (databaseId: number): string =>
  DATABASES.find((database) => database.databaseId === databaseId)!.name;

describePages('Pinned lanes, in a browser', (openPage) => {
  let opened: OpenedPage;

  const open = async (state: Partial<ViewState> = {}): Promise<void> => {
    opened = await openPage({ messages: MESSAGES, state: { pinned: PINNED, ...state } });
  };
  const scrollTo = async (topPx: number): Promise<void> => {
    await opened.page.locator('.lanes').evaluate((lanes, top) => (lanes.scrollTop = top), topPx);
    await opened.settle();
  };
  /** Names by their places from the top of the lanes. */
  const places = (): Promise<readonly (readonly [string, number])[]> =>
    opened.page.evaluate(() => {
      const { top } = document.querySelector('.lanes')!.getBoundingClientRect();
      return [...document.querySelectorAll('.lane-name')].map(
        (name) => [name.textContent!, name.getBoundingClientRect().top - top] as const,
      );
    });
  /** Whose card the pointer gets at a height of the lanes. */
  const hovered = async (yPx: number): Promise<string | undefined> => {
    const plot = await findPlot(opened);
    await opened.page.mouse.move(plot.leftPx + plot.widthPx / 3, plot.topPx + yPx);
    await opened.settle();
    return (await readCard(opened))?.[0];
  };
  const order = async (): Promise<readonly string[]> => {
    await scrollTo(0);
    const names: string[] = [];
    const rows = await opened.page.locator('.lanes-spacer').evaluate((spacer) => spacer.clientHeight);
    for (let top = 0; top <= rows + 100; top += 100) {
      await scrollTo(top);
      for (const name of await readLanes(opened)) if (!names.includes(name)) names.push(name);
    }
    return names;
  };

  it('stay at the top while the others scroll under them, and pointer, card and click mean what is seen', async () => {
    await open();
    const all = await order();
    assert.deepEqual(all.slice(0, 2), PINNED.map(nameOf));
    assert.equal(all.length, 60);
    await scrollTo(110);
    assert.deepEqual((await places()).slice(0, 3), [
      [all[0], 0],
      [all[1], 20],
      [all[8], 50],
    ]);
    assert.deepEqual(
      [await hovered(5), await hovered(25), await hovered(43), await hovered(55)],
      [all[0], all[1], all[7], all[8]],
    );
    await opened.page.mouse.down();
    await opened.page.mouse.up();
    await opened.settle();
    assert.equal(await readSelectedLane(opened), all[8]);
    assert.equal(
      await opened.page.locator('.lanes').evaluate((lanes) => lanes.scrollTop),
      110,
      'it was in view',
    );
  });

  it('are measured together with others by what is drawn: not those that lie under them', async () => {
    await open();
    const all = await order();
    await scrollTo(110);
    const plot = await findPlot(opened);
    const at = (share: number, yPx: number): readonly [number, number] => [
      plot.leftPx + share * plot.widthPx,
      plot.topPx + yPx,
    ];
    await opened.page.keyboard.down('Shift');
    await drag(opened, at(0.2, 25), at(0.3, 55));
    await opened.page.keyboard.up('Shift');
    const { databaseIds } = (await readView(opened)).measured!;
    assert.deepEqual(databaseIds.map(nameOf), [all[1], all[7], all[8]]);
    const boxes = await opened.page
      .locator('.measure-box')
      .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).clipPath));
    assert.deepEqual(boxes, ['none', 'inset(10px 0px 0px)']);
    await scrollTo(0);
    assert.equal(await opened.page.locator('.measure-box').count(), 2, 'one for each run of lanes');
  });

  it('are painted by the pixel as they were before anything was scrolled', async () => {
    opened = await openPage({ state: { pinned: PINNED } });
    await opened.page.mouse.move(5, 5);
    const pinned = (): Promise<string> =>
      opened.page.locator('.lanes-canvas').evaluate((canvas) => {
        const copy = Object.assign(document.createElement('canvas'), {
          width: (canvas as HTMLCanvasElement).width,
          height: 40,
        });
        copy.getContext('2d')!.drawImage(canvas as HTMLCanvasElement, 0, 0);
        return copy.toDataURL();
      });
    const before = await pinned();
    assert.ok(before.length > 2000, 'something is painted');
    for (const top of [1, 10, 133, 500]) {
      await scrollTo(top);
      assert.ok((await pinned()) === before, `scrolled by ${top}`);
    }
  });
});
