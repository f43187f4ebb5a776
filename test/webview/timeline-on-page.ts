/** Where things of the timeline are on an opened page, told from its elements and from the window that it keeps. */
import type { TimeWindow } from '../../src/core/statistics/statistics';
import type { ViewState } from '../../src/webview/model/view-state';
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
    return {
      leftPx: box.left + name.width,
      topPx: box.top,
      widthPx: lanes.clientWidth - name.width - right,
      laneHeightPx: name.height,
    };
  }, PLOT_RIGHT_PX);
}

export const readView = async (opened: OpenedPage): Promise<ViewState> => (await opened.kept()) as ViewState;

/** The window in view; null is all that was observed. */
export const windowInView = async (opened: OpenedPage): Promise<TimeWindow> =>
  (await readView(opened))?.window ?? WHOLE;

/** The point of a moment in a lane, in CSS pixels of the page. */
export async function pointOf(
  opened: OpenedPage,
  utcMs: number,
  lane: number,
): Promise<{ readonly x: number; readonly y: number }> {
  const plot = await findPlot(opened);
  const { beginUtcMs, endUtcMs } = await windowInView(opened);
  return {
    x: plot.leftPx + ((utcMs - beginUtcMs) / (endUtcMs - beginUtcMs)) * plot.widthPx,
    y: plot.topPx + (lane + 0.5) * plot.laneHeightPx,
  };
}

/** Moves the pointer to a moment in a lane. */
export async function pointAt(
  opened: OpenedPage,
  utcMs: number,
  lane: number,
): Promise<{ readonly x: number; readonly y: number }> {
  const at = await pointOf(opened, utcMs, lane);
  await opened.page.mouse.move(at.x, at.y);
  await opened.settle();
  return at;
}

/** What the card says, line by line; null where it is hidden. */
export async function readCard({ page }: OpenedPage): Promise<readonly string[] | null> {
  const card = page.locator('.lanes .card:not(.measure-card)');
  return (await card.isVisible()) ? card.locator('div').allTextContents() : null;
}

/** Names of the lanes in view. */
export const readLanes = ({ page }: OpenedPage): Promise<readonly string[]> =>
  page.locator('.lane-name').allTextContents();

export const readSelectedLane = ({ page }: OpenedPage): Promise<string | null> =>
  page.locator('.lane-name.selected').textContent();

/** Drags from a point to another, in CSS pixels of the page. */
export async function drag(
  opened: OpenedPage,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const { mouse } = opened.page;
  await mouse.move(...from);
  await mouse.down();
  await mouse.move(...to, { steps: 4 });
  await mouse.up();
  await opened.settle();
}

/** Presses keys on the focused timeline. */
export async function pressKeys(opened: OpenedPage, ...keys: readonly string[]): Promise<void> {
  await opened.page.locator('.lanes').focus();
  await opened.press(...keys);
}

/**
 * Shows a part from the midst of the whole time, with nothing selected, measured, filtered or hovered, and the focus on
 * the lanes.
 * @returns what is in view
 */
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

/** Has the picture of the timeline saved, and waits until it was posted. */
export async function savePicture(opened: OpenedPage, kind: 'SVG' | 'PNG'): Promise<void> {
  await opened.button('Export').click();
  await opened.page.getByRole('menuitem', { name: `Picture, ${kind}` }).click();
  await opened.page.waitForFunction((format) => {
    const last = (
      window as unknown as { postedMessages: { type: string; format?: string }[] }
    ).postedMessages.at(-1);
    return last?.type === 'save' && last.format === format;
  }, kind.toLowerCase());
}

/** Where the lanes of the picture saved last, painted, differ from those on screen in pixels of some colours. */
export const compareSavedLanes = ({ page }: OpenedPage, colours: readonly string[]): Promise<string[]> =>
  page.evaluate(async (wanted) => {
    const { postedMessages } = window as unknown as { postedMessages: { bytes: ArrayBuffer }[] };
    const file = new TextDecoder().decode(postedMessages.at(-1)!.bytes);
    const lanes = new DOMParser()
      .parseFromString(file, 'image/svg+xml')
      .querySelector('defs')!.parentElement!;
    const canvas = document.querySelector<HTMLCanvasElement>('.lanes-canvas')!;
    const { width, height } = canvas;
    for (const [name, value] of Object.entries({ width, height })) lanes.setAttribute(name, String(value));
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(lanes))}`;
    await image.decode();
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
    const [shown, saved] = [canvas, image].map((from) => {
      context.fillRect(0, 0, width, height);
      context.drawImage(from, 0, 0);
      return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    });
    const write = (pixel: number): string =>
      `#${[0, 8, 16].map((bits) => ((pixel >> bits) & 255).toString(16).padStart(2, '0')).join('')}`;
    const found: string[] = [];
    shown!.forEach((pixel, i) => {
      if (pixel === saved![i]) return;
      const pair = [write(pixel), write(saved![i]!)];
      if (pair.some((one) => wanted.includes(one)))
        found.push(`${i % width}, ${Math.floor(i / width)}: ${pair.join()}`);
    });
    return found.slice(0, 9);
  }, colours);
