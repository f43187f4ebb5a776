/** What the keys do on the strips above the lanes, for each line of the sheet about them. */
import assert from 'node:assert/strict';
import { eventually } from './eventually';
import { assertNear, type SheetAct, type SheetWorld } from './sheet-act';

const SPAN = / (\d\d:\d\d:\d\d\.\d{3}) – (\d\d:\d\d:\d\d\.\d{3})/;

/** The strip and the time that were told last. */
async function toldOnStrips({
  dashboard,
  truth,
  middle,
}: SheetWorld): Promise<{ readonly strip: string; readonly beginMs: number; readonly endMs: number }> {
  const said = await dashboard.said();
  const [, begin = '', end = ''] = SPAN.exec(said) ?? assert.fail(`a time is told: ${said}`);
  return { strip: said.slice(0, said.indexOf(',')), beginMs: truth.momentOn(middle, begin), endMs: truth.momentOn(middle, end) };
}

const toStrips = async ({ dashboard }: SheetWorld, ...keys: readonly string[]): Promise<void> => {
  await dashboard.get('.strip-cursor').focus();
  await dashboard.press(...keys);
};

/** On the strip of the checkpoint task, whose steps are pixels. @param before keys that go to where it begins */
const stepOnStrips =
  (key: string, pixels: number, before: string): SheetAct =>
  async (world) => {
    const { dashboard, middle } = world;
    await toStrips(world, before);
    await eventually(async () => assert.equal((await toldOnStrips(world)).strip, 'Task busy'));
    const from = await toldOnStrips(world);
    await dashboard.press(key);
    const pixelMs = from.endMs - from.beginMs;
    await eventually(async () =>
      assertNear((await toldOnStrips(world)).beginMs - from.beginMs, pixels * pixelMs, 'step', Math.abs(pixels) + 1),
    );
    assert.ok((await dashboard.get('.time-head .card div').count()) > 0, 'a card tells of it');
    assert.deepEqual(await dashboard.standing(), middle, 'what is in view stays');
  };

const goToEdgeOnStrips =
  (key: string, edge: 'beginMs' | 'endMs'): SheetAct =>
  async (world) => {
    await toStrips(world, key === 'Home' ? 'End' : 'Home', key);
    await eventually(async () => assertNear((await toldOnStrips(world))[edge], world.middle[edge], edge));
  };

const changeStrip =
  (...keys: readonly string[]): SheetAct =>
  async (world) => {
    const names = await world.dashboard.get('.strip-label').allTextContents();
    await toStrips(world, 'Home', ...keys);
    // A low panel has room for one, which is then the last.
    const expected = names[keys.length === 1 ? Math.min(1, names.length - 1) : 0]!;
    await eventually(async () => assert.ok((await world.dashboard.said()).startsWith(`${expected}, `)));
  };

const leaveStrips: SheetAct = async (world) => {
  const { dashboard } = world;
  await toStrips(world, 'Home');
  await dashboard.get('.time-head .card').waitFor();
  await dashboard.press('Escape');
  await eventually(async () => assert.match(await dashboard.focused(), /\blanes\b/));
  await dashboard.get('.time-head .card').waitFor({ state: 'hidden' });
};

/** By the line of the sheet. */
export const stripEntries: Readonly<Record<string, SheetAct>> = {
  '←: Previous sample, or pixel': stepOnStrips('ArrowLeft', -1, 'End'),
  '→: Next sample, or pixel': stepOnStrips('ArrowRight', 1, 'Home'),
  'Shift + ←: Ten samples or pixels back': stepOnStrips('Shift+ArrowLeft', -10, 'End'),
  'Shift + →: Ten samples or pixels forward': stepOnStrips('Shift+ArrowRight', 10, 'Home'),
  'Home: To the start of the time in view': goToEdgeOnStrips('Home', 'beginMs'),
  'End: To the end of the time in view': goToEdgeOnStrips('End', 'endMs'),
  '↑: To the strip above': changeStrip('ArrowDown', 'ArrowUp'),
  '↓: To the strip below': changeStrip('ArrowDown'),
  'Esc: Back to the lanes': leaveStrips,
};
