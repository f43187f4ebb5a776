/** What is done and what is to be seen for each line of the sheet of keys, in the real editor: begun each time with some of the time in view and nothing selected. */
import assert from 'node:assert/strict';
import { type DashboardPage, spanOf } from './dashboard-page';
import { eventually } from './eventually';
import { assertNear, type SheetAct, type SheetWorld } from './sheet-act';
import { pointerEntries } from './sheet-pointer';
import { stripEntries } from './sheet-strips';

/** Names of keys as the keyboard has them, by their caps. */
const KEYS: Readonly<Record<string, string>> = {
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  Esc: 'Escape',
};
const keyOf = (cap: string): string => KEYS[cap] ?? (cap.length === 1 ? cap.toLowerCase() : cap);

/** A line of the sheet as one text: `W +: Zoom in`. */
export const nameLine = (caps: readonly string[], does: string): string => `${caps.join(' ')}: ${does}`;

const zoomBy =
  (factor: number): SheetAct =>
  async ({ dashboard, middle }, cap) => {
    await dashboard.press(keyOf(cap));
    // Each of the two is read to a second: zoomed out, the first one's second is longer.
    const toleranceMs = 1_000 + 1_000 / factor;
    await eventually(async () => assertNear(spanOf(await dashboard.timeInView()), spanOf(middle) / factor, 'span', toleranceMs));
  };

const panBy =
  (share: number): SheetAct =>
  async ({ dashboard, middle }, cap) => {
    await dashboard.press(keyOf(cap));
    await eventually(async () => {
      const now = await dashboard.timeInView();
      assertNear(now.beginMs, middle.beginMs + share * spanOf(middle), 'begin');
      assertNear(spanOf(now), spanOf(middle), 'span');
    });
  };

/** @param position of the lens, 0 to 100 */
const goTo =
  (position: string): SheetAct =>
  async ({ dashboard, middle }, cap) => {
    await dashboard.press(keyOf(cap));
    await eventually(async () => {
      assert.equal(await dashboard.get('.minimap-plot').getAttribute('aria-valuenow'), position);
      assertNear(spanOf(await dashboard.timeInView()), spanOf(middle), 'span');
    });
  };

const fit: SheetAct = async ({ dashboard, middle }, cap) => {
  await dashboard.press(keyOf(cap));
  await eventually(async () => {
    assert.match((await dashboard.get('.minimap-plot').getAttribute('aria-valuetext')) ?? '', /, all of /);
    assert.ok(spanOf(await dashboard.timeInView()) > 3 * spanOf(middle));
  });
};

const MARK = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}), \S/;

const stepMark =
  (step: 1 | -1): SheetAct =>
  async ({ dashboard, middle }, cap) => {
    const reached: number[] = [];
    for (let press = 0; press < 2; press++) {
      await dashboard.press(keyOf(cap));
      await eventually(async () => {
        const [, day = '', time = ''] = MARK.exec(await dashboard.said()) ?? assert.fail(`a mark is told: ${await dashboard.said()}`);
        const atMs = Date.parse(`${day}T${time}Z`);
        assert.notEqual(atMs, reached[0]);
        const { beginMs, endMs } = await dashboard.timeInView();
        assert.ok(beginMs - 1000 <= atMs && atMs <= endMs + 1000, 'it is in view');
        reached[press] = atMs;
      });
    }
    const [first = NaN, second = NaN] = reached;
    assert.ok((second - first) * step > 0, 'the next one lies beyond');
    if (step === 1) assert.ok(first >= middle.beginMs - 1000);
    else assert.ok(first <= middle.endMs + 1000);
    assert.ok((await dashboard.card()).length > 0, 'a card tells of it');
  };

const stepLane =
  (...before: readonly string[]): SheetAct =>
  async ({ dashboard }, cap) => {
    const names = await dashboard.laneNames();
    await dashboard.press(...before, keyOf(cap));
    const expected = names[before.length === 0 ? 0 : before.length - 2]!;
    await eventually(async () => assert.equal(await dashboard.selectedLane(), expected));
    await eventually(async () => assert.equal(await dashboard.said(), `${expected} selected.`));
  };

const CARD_TIME = /(\d\d:\d\d:\d\d\.\d{3}) – \d\d:\d\d:\d\d\.\d{3}/;

const stepCheckpoint =
  (step: 1 | -1): SheetAct =>
  async ({ dashboard, truth, middle }, cap) => {
    await dashboard.press('ArrowDown');
    await eventually(async () => assert.notEqual(await dashboard.selectedLane(), null));
    const name = (await dashboard.selectedLane())!;
    const begins = truth.of(name).map(({ beginServerMs }) => beginServerMs);
    const wanted =
      step === 1
        ? begins.filter((beginMs) => beginMs >= middle.beginMs - 1000)
        : begins.filter((beginMs) => beginMs < middle.endMs + 1000).reverse();
    let reached: number | undefined;
    for (let press = 0; press < 2; press++) {
      await dashboard.press(keyOf(cap));
      await eventually(async () => {
        const said = await dashboard.said();
        const beginMs = truth.momentOn(middle, CARD_TIME.exec(said)?.[1] ?? assert.fail(`a checkpoint is told: ${said}`));
        assert.ok(said.startsWith(`${name}, `));
        // The first one may lie within the second to which the bounds in view are written.
        const at = wanted.indexOf(beginMs);
        if (reached === undefined) assert.ok(at === 0 || at === 1, `one at ${beginMs} is the nearest of ${wanted.slice(0, 3).join()}`);
        else assert.equal(at, wanted.indexOf(reached) + 1, 'the neighbour of the one before');
        assert.equal((await dashboard.card())[0], name);
        reached = beginMs;
      });
      if (press === 0 && wanted.indexOf(reached!) + 1 >= wanted.length) break;
    }
  };

const openDetails: SheetAct = async ({ dashboard }, cap) => {
  await dashboard.press('ArrowDown', keyOf(cap));
  await eventually(async () => assert.match(await dashboard.focused(), /^aside\./));
  assert.equal(await dashboard.get('aside h2').textContent(), await dashboard.selectedLane());
  await dashboard.press('Escape');
  await eventually(async () => assert.match(await dashboard.focused(), /\blanes\b/));
};

const listInView: SheetAct = async ({ dashboard, truth, middle }, cap) => {
  await dashboard.press('ArrowDown');
  await eventually(async () => assert.notEqual(await dashboard.selectedLane(), null));
  const name = (await dashboard.selectedLane())!;
  await dashboard.press(keyOf(cap));
  const dialog = dashboard.get('#checkpoints-in-view');
  await dialog.getByText(`Checkpoints of ${name} in view`).waitFor();
  const listed = await dialog.locator('tbody tr td:first-child').allTextContents();
  const moments = listed.map((text) => Date.parse(`${text.replace(' ', 'T')}Z`));
  const within = (slackMs: number): readonly number[] =>
    truth
      .of(name)
      .map(({ beginServerMs }) => beginServerMs)
      .filter((beginMs) => beginMs >= middle.beginMs + slackMs && beginMs < middle.endMs + 1000 - slackMs);
  assert.deepEqual(
    moments.filter((moment) => !within(0).includes(moment)),
    [],
    'nothing else is listed',
  );
  assert.deepEqual(
    within(1000).filter((beginMs) => !moments.includes(beginMs)),
    [],
    'nothing is left out',
  );
  await dashboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
};

const pin: SheetAct = async ({ dashboard }, cap) => {
  const [first, second, third] = await dashboard.laneNames();
  await dashboard.press('ArrowDown', 'ArrowDown', 'ArrowDown', keyOf(cap));
  await eventually(async () => assert.equal((await dashboard.laneNames())[0], third));
  assert.equal(await dashboard.said(), `${third} is pinned to the top.`);
  await dashboard.press(keyOf(cap));
  await eventually(async () => assert.deepEqual((await dashboard.laneNames()).slice(0, 3), [first, second, third]));
};

/** Begins to measure by keys in the second lane, and gives what is measured. */
async function beginMeasuring({ dashboard }: SheetWorld): Promise<Awaited<ReturnType<DashboardPage['measured']>>> {
  await dashboard.press('ArrowDown', 'ArrowDown', 'm');
  await eventually(async () => assert.match(await dashboard.said(), /^Measuring: /));
  return dashboard.measured();
}

const measure: SheetAct = async (world, cap) => {
  assert.equal(keyOf(cap), 'm');
  const { beginMs, endMs, lanes } = await beginMeasuring(world);
  const { middle, truth } = world;
  assertNear(truth.onServer(beginMs), (middle.beginMs + middle.endMs) / 2, 'begin');
  assertNear(endMs - beginMs, spanOf(middle) / 20, 'span');
  assert.equal(lanes, 1);
};

const measureTime =
  (share: number): SheetAct =>
  async (world, cap) => {
    const before = await beginMeasuring(world);
    await world.dashboard.press(keyOf(cap));
    await eventually(async () => {
      const now = await world.dashboard.measured();
      assert.equal(now.beginMs, before.beginMs);
      assertNear(now.endMs - before.endMs, share * 20 * spanOf(before), 'end', 20);
    });
    assert.deepEqual(await world.dashboard.standing(), world.middle, 'what is in view stays');
  };

const measureLane: SheetAct = async (world, cap) => {
  const selected = await (async () => (await beginMeasuring(world), world.dashboard.selectedLane()))();
  await world.dashboard.press(keyOf(cap));
  await eventually(async () => assert.equal((await world.dashboard.measured()).lanes, 2));
  assert.match(await world.dashboard.said(), /^2 lanes, /);
  assert.equal(await world.dashboard.selectedLane(), selected, 'what is selected stays');
};

const keepMeasured: SheetAct = async (world, cap) => {
  const { dashboard } = world;
  await beginMeasuring(world);
  await dashboard.press(keyOf(cap));
  await eventually(async () => assert.match(await dashboard.said(), /^Measured 1 lane, .+: (no checkpoint|[\d,]+ checkpoints?)/));
  await eventually(async () => assert.match(await dashboard.focused(), /^button\./));
  assert.equal(await dashboard.get(':focus').textContent(), 'Zoom to it');
};

const clear: SheetAct = async (world, cap) => {
  const { dashboard } = world;
  await beginMeasuring(world);
  await dashboard.press('Enter');
  await dashboard.focusLanes();
  await dashboard.press('.');
  await eventually(async () => assert.ok((await dashboard.card()).length > 0));
  await dashboard.press(keyOf(cap));
  await dashboard.measureCard().waitFor({ state: 'hidden' });
  await dashboard.press(keyOf(cap));
  await eventually(async () => assert.equal(await dashboard.said(), 'Cursor cleared.'));
  assert.notEqual(await dashboard.selectedLane(), null);
  await dashboard.press(keyOf(cap));
  await eventually(async () => assert.equal(await dashboard.selectedLane(), null));
};

const nextClock: SheetAct = async ({ dashboard, truth, middle }, cap) => {
  const button = dashboard.get('.toolbar button[title=Clock]');
  const ticks = await dashboard.get('.axis .ticks text').allTextContents();
  for (const [name, offsetMs] of [
    ['UTC', 0],
    ['Local time', truth.localOffsetMs],
    ['Server time', truth.serverOffsetMs],
  ] as const) {
    await dashboard.press(keyOf(cap));
    await eventually(async () => assert.match((await button.textContent()) ?? '', new RegExp(`^${name}`)));
    await eventually(async () =>
      assertNear((await dashboard.timeInView()).beginMs, middle.beginMs - truth.serverOffsetMs + offsetMs, name),
    );
    await eventually(async () => assert.equal(await dashboard.said(), `${name}.`));
    const isServer = name === 'Server time';
    await eventually(async () =>
      assert.equal(JSON.stringify(await dashboard.get('.axis .ticks text').allTextContents()) === JSON.stringify(ticks), isServer),
    );
  }
};

const goToFilter: SheetAct = async ({ dashboard }, cap) => {
  await dashboard.press(keyOf(cap));
  await eventually(async () => assert.match(await dashboard.focused(), /^input\./));
  await dashboard.press(keyOf(cap));
  assert.equal(await dashboard.get('input[type=search]').inputValue(), '/', 'in a field it is a character');
};

const openSheet: SheetAct = async ({ dashboard }, cap) => {
  await dashboard.press(keyOf(cap));
  const sheet = dashboard.get('#key-sheet');
  await sheet.waitFor();
  await dashboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await eventually(async () => assert.match(await dashboard.focused(), /\blanes\b/));
};

/** By the line of the sheet. */
export const SHEET: Readonly<Record<string, SheetAct>> = {
  ...pointerEntries,
  ...stripEntries,
  'W +: Zoom in': zoomBy(1.5),
  'S -: Zoom out': zoomBy(1 / 1.5),
  'A ←: Earlier': panBy(-0.15),
  'D →: Later': panBy(0.15),
  'Home: To the start': goTo('0'),
  'End: To the end; the view then keeps up with it': goTo('100'),
  'F: Show all that was observed': fit,
  'B: Previous change or mark': stepMark(-1),
  'N: Next change or mark': stepMark(1),
  '↑: Select the lane above': stepLane('ArrowDown', 'ArrowDown'),
  '↓: Select the lane below': stepLane(),
  ',: Previous checkpoint of the selected lane': stepCheckpoint(-1),
  '.: Next checkpoint of the selected lane': stepCheckpoint(1),
  'Enter: Go to the details of the selected lane': openDetails,
  'L: List the checkpoints in view of the selected lane': listInView,
  'P: Pin the selected lane to the top, or unpin it': pin,
  'M: Start measuring at the cursor, or in the middle': measure,
  '←: Less time': measureTime(-0.02),
  '→: More time': measureTime(0.02),
  '↑: One lane up': measureLane,
  '↓: One lane down': measureLane,
  'Enter: Keep the measurement, and go to its card': keepMeasured,
  'Esc: Clear step by step: measurement, cursor, selection': clear,
  'T: Server time, UTC, local time': nextClock,
  '/: Go to the filter': goToFilter,
  '?: This sheet': openSheet,
};
