/** What the real mouse does on the timeline, for each line of the sheet about it. */
import assert from 'node:assert/strict';
import { spanOf } from './dashboard-page';
import { eventually } from './eventually';
import { assertNear, type SheetAct, type SheetWorld } from './sheet-act';

/** A drag may be some pixels short. */
const NEAR_SOME_PIXELS_MS = 2_500;

/** Puts the pointer over the bars, between the lanes' begin and end. */
async function pointAt(
  { dashboard }: SheetWorld,
  share: number,
  lane = 2,
): Promise<{ readonly x: number; readonly y: number; readonly widthPx: number }> {
  const plot = await dashboard.plot();
  const at = { x: plot.leftPx + share * plot.widthPx, y: plot.topPx + (lane + 0.5) * plot.laneHeightPx, widthPx: plot.widthPx };
  await dashboard.host.page.mouse.move(at.x, at.y);
  return at;
}

/** The span as it was over `factor`, and what was under the pointer still is. */
async function assertZoomed({ dashboard, middle }: SheetWorld, share: number, factor: number): Promise<void> {
  await eventually(async () => {
    const now = await dashboard.timeInView();
    assertNear(spanOf(now), spanOf(middle) / factor, 'span', 2_500);
    assertNear(now.beginMs + share * spanOf(now), middle.beginMs + share * spanOf(middle), 'moment under the pointer');
  });
}

async function assertMoved({ dashboard, middle }: SheetWorld, share: number): Promise<void> {
  await eventually(async () => {
    const now = await dashboard.timeInView();
    assertNear(now.beginMs, middle.beginMs + share * spanOf(middle), 'begin', NEAR_SOME_PIXELS_MS);
    assertNear(spanOf(now), spanOf(middle), 'span');
  });
}

const wheel: SheetAct = async (world) => {
  await pointAt(world, 0.3);
  await world.dashboard.host.page.mouse.wheel(0, -200);
  await assertZoomed(world, 0.3, Math.exp(0.4));
};

const shiftWheel: SheetAct = async (world) => {
  const { mouse, keyboard } = world.dashboard.host.page;
  const { widthPx } = await pointAt(world, 0.3);
  await keyboard.down('Shift');
  await mouse.wheel(0, widthPx / 10);
  await keyboard.up('Shift');
  await assertMoved(world, 0.1);
  await mouse.wheel(-widthPx / 5, 0);
  await assertMoved(world, -0.1);
};

/** A pinch on a trackpad comes as a wheel with Ctrl. */
const pinch: SheetAct = async (world) => {
  const { mouse, keyboard } = world.dashboard.host.page;
  await pointAt(world, 0.7);
  await keyboard.down('Control');
  await mouse.wheel(0, -40);
  await keyboard.up('Control');
  await assertZoomed(world, 0.7, Math.exp(0.4));
};

const drag: SheetAct = async (world) => {
  const { mouse } = world.dashboard.host.page;
  const { x, y, widthPx } = await pointAt(world, 0.5);
  await mouse.down();
  await mouse.move(x - widthPx / 10, y + 3, { steps: 5 });
  await mouse.up();
  await assertMoved(world, 0.1);
  assert.equal(await world.dashboard.selectedLane(), null, 'a drag is no click');
};

const doubleClick: SheetAct = async (world) => {
  const { dashboard, truth, middle } = world;
  const names = (await dashboard.laneNames()).slice(0, 8);
  const found = names
    .flatMap((name, lane) => truth.of(name).map((checkpoint) => ({ ...checkpoint, lane })))
    .filter(({ beginServerMs, durationMs }) => beginServerMs > middle.beginMs + 2000 && beginServerMs + durationMs < middle.endMs - 2000)
    .filter(({ durationMs }) => durationMs < spanOf(middle) / 3)
    .reduce((a, b) => (b.durationMs > a.durationMs ? b : a));
  const { beginServerMs, durationMs, lane } = found;
  const { x, y } = await pointAt(world, (beginServerMs + durationMs / 2 - middle.beginMs - 500) / spanOf(middle), lane);
  await dashboard.host.page.mouse.dblclick(x, y);
  await eventually(async () => {
    const now = await dashboard.timeInView();
    assertNear(spanOf(now), durationMs * 3, `span around ${durationMs} ms`);
    assert.ok(now.beginMs <= beginServerMs && beginServerMs + durationMs <= now.endMs + 1000, 'the whole checkpoint is in view');
  });
};

const wheelOverNames: SheetAct = async ({ dashboard, middle }) => {
  const { leftPx, topPx } = await dashboard.plot();
  await dashboard.host.page.mouse.move(leftPx - 40, topPx + 30);
  await dashboard.host.page.mouse.wheel(0, 200);
  await eventually(async () => assert.ok((await dashboard.get('.lanes').evaluate((lanes) => lanes.scrollTop)) > 50));
  assert.deepEqual(await dashboard.standing(), middle, 'the time stays');
};

const click: SheetAct = async (world) => {
  const { dashboard } = world;
  const names = await dashboard.laneNames();
  const { x, y } = await pointAt(world, 0.4, 1);
  await dashboard.host.page.mouse.click(x, y);
  await eventually(async () => assert.equal(await dashboard.selectedLane(), names[1]));
  assert.equal(await dashboard.get('.databases tr[aria-selected=true] td').first().textContent(), names[1]);
};

const shiftDrag: SheetAct = async (world) => {
  const { dashboard, truth, middle } = world;
  const { mouse, keyboard } = dashboard.host.page;
  const names = (await dashboard.laneNames()).slice(1, 4);
  await keyboard.down('Shift');
  await pointAt(world, 0.2, 3);
  await mouse.down();
  const to = await dashboard.plot();
  await mouse.move(to.leftPx + 0.6 * to.widthPx, to.topPx + 1.5 * to.laneHeightPx, { steps: 5 });
  await mouse.up();
  await keyboard.up('Shift');
  await eventually(async () => {
    const { beginMs, endMs, lanes, checkpoints } = await dashboard.measured();
    assert.equal(lanes, 3);
    assertNear(truth.onServer(beginMs), middle.beginMs + 0.2 * spanOf(middle), 'begin');
    assertNear(truth.onServer(endMs), middle.beginMs + 0.6 * spanOf(middle), 'end');
    const inside = names.flatMap((name) => truth.of(name)).filter((one) => one.beginUtcMs >= beginMs && one.beginUtcMs < endMs);
    assert.equal(checkpoints, inside.length === 0 ? 'none observed' : inside.length.toLocaleString('en'));
  });
  assert.deepEqual(await dashboard.standing(), middle, 'what is in view stays');
};

/** By the line of the sheet. */
export const pointerEntries: Readonly<Record<string, SheetAct>> = {
  'Wheel: Zoom around the pointer': wheel,
  'Shift + wheel, or sideways: Earlier and later': shiftWheel,
  'Ctrl + wheel, or pinch: Zoom around the pointer': pinch,
  'Drag: Move the time in view': drag,
  'Double click: Zoom to the checkpoint under the pointer': doubleClick,
  'Wheel over the names: Scroll the lanes': wheelOverNames,
  'Click: Select the lane': click,
  'Shift + drag: Measure time and lanes': shiftDrag,
};
