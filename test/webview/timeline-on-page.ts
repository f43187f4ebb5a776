/** Where things of the timeline are on an opened page, told from its elements and from the window that it keeps. */
import type { TimeWindow } from '../../src/core/statistics/statistics';
import { BEGIN_UTC_MS, END_UTC_MS } from './fake-capture';
import type { OpenedPage } from './page';

const PLOT_RIGHT_PX = 14;

export const WHOLE: TimeWindow = { beginUtcMs: BEGIN_UTC_MS, endUtcMs: END_UTC_MS };

export interface Plot {
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly laneHeightPx: number;
}

/** The part with the bars, in CSS pixels of the page. */
export async function findPlot({ page }: OpenedPage): Promise<Plot> {
  return page.evaluate((right) => {
    const lanes = document.querySelector('.lanes')!;
    const name = document.querySelector('.lane-name')!.getBoundingClientRect();
    const box = lanes.getBoundingClientRect();
    return { leftPx: box.left + name.width, topPx: box.top, widthPx: lanes.clientWidth - name.width - right, laneHeightPx: name.height };
  }, PLOT_RIGHT_PX);
}

/** The window in view; null is all that was observed. */
export async function windowInView(opened: OpenedPage): Promise<TimeWindow> {
  const kept = (await opened.kept()) as { readonly window: TimeWindow | null } | null;
  return kept?.window ?? WHOLE;
}

/** The point of a moment in a lane, in CSS pixels of the page. */
export async function pointOf(opened: OpenedPage, utcMs: number, lane: number): Promise<{ readonly x: number; readonly y: number }> {
  const plot = await findPlot(opened);
  const { beginUtcMs, endUtcMs } = await windowInView(opened);
  return {
    x: plot.leftPx + ((utcMs - beginUtcMs) / (endUtcMs - beginUtcMs)) * plot.widthPx,
    y: plot.topPx + (lane + 0.5) * plot.laneHeightPx,
  };
}

/** What the card says, line by line; null where it is hidden. */
export async function readCard({ page }: OpenedPage): Promise<readonly string[] | null> {
  const card = page.locator('.lanes .card:not(.measure-card)');
  return (await card.isVisible()) ? card.locator('div').allTextContents() : null;
}

/** Names of the lanes in view. */
export const readLanes = ({ page }: OpenedPage): Promise<readonly string[]> => page.locator('.lane-name').allTextContents();

/** Presses keys on the focused timeline. */
export async function pressKeys(opened: OpenedPage, ...keys: readonly string[]): Promise<void> {
  await opened.page.locator('.lanes').focus();
  for (const key of keys) await opened.page.keyboard.press(key);
  await opened.settle();
}

/** Shows a part from the midst of the whole time, with nothing selected, measured, filtered or hovered, and the focus on the lanes. @returns what is in view */
export async function beginInTheMidst(opened: OpenedPage): Promise<TimeWindow> {
  const { page } = opened;
  await page.getByRole('searchbox').fill('');
  await page.locator('.lanes').evaluate((lanes) => (lanes.scrollTop = 0));
  await page.mouse.move(5, 5);
  await pressKeys(opened, 'Escape', 'Escape', 'Escape', 'f', 'w', 'w', 'w', 'w');
  return windowInView(opened);
}

/** Does something, and says what it was for where it fails. */
export async function attempt(what: string, act: () => Promise<void>): Promise<void> {
  await act().catch((error: unknown) => {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  });
}
