/**
 * The page of one contender: makes the data, has it drawn, moves it frame by frame, and measures the time. Runs in the
 * browser.
 */
import { makeCheckpoints } from '../checkpoints';
import { HEIGHT_PX, LANES, WIDTH_PX, windowOf, type Draw, type Drawn, type TimelineData } from './contender';

/** What the driver calls in the page. */
export interface Stage {
  /** Makes the data and draws nothing yet. */
  load(rows: number): void;
  /** Milliseconds from the data in memory to the picture on screen. */
  drawFirst(): Promise<number>;
  /** Draws frames until there are `most` or the time is over, but at least two. Gives how many. */
  pan(most: number, budgetMs: number): Promise<number>;
}

/** The picture moves left and right by at most this share of its width. */
const FARTHEST_SHARE = 0.05;
const FRAMES_OF_A_ROUND_TRIP = 40;

export function openStage(draw: Draw): Stage {
  let data: TimelineData | null = null;
  let drawn: Drawn | null = null;
  let frame = 0;
  return {
    load(rows) {
      data = { columns: makeCheckpoints(rows, LANES), lanes: LANES, window: windowOf(rows) };
    },
    async drawFirst() {
      const given = data!;
      // Does not keep the data alive for a contender that no longer needs it.
      data = null;
      const container = document.createElement('div');
      Object.assign(container.style, {
        position: 'relative',
        width: `${WIDTH_PX}px`,
        height: `${HEIGHT_PX}px`,
      });
      document.body.append(container);
      const begin = performance.now();
      drawn = await draw(container, given);
      await nextFrame();
      await nextFrame();
      return performance.now() - begin;
    },
    pan(most, budgetMs) {
      const begin = performance.now();
      let frames = 0;
      return new Promise((resolve, reject) => {
        // The browser must call this, not a promise: Chromium counts as script time only what it calls itself.
        const step = (): void => {
          if (frames >= most || (frames >= 2 && performance.now() - begin >= budgetMs))
            return resolve(frames);
          frames++;
          const share = FARTHEST_SHARE * Math.sin((2 * Math.PI * ++frame) / FRAMES_OF_A_ROUND_TRIP);
          Promise.resolve(drawn!.pan(share)).then(() => requestAnimationFrame(step), reject);
        };
        requestAnimationFrame(step);
      });
    },
  };
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
