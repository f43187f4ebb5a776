/** The page of one contender: makes the data, has it drawn, moves it frame by frame, and tells how long that took. Runs in the browser. */
import { makeCheckpoints } from '../checkpoints';
import { HEIGHT_PX, LANES, WIDTH_PX, windowOf, type Draw, type Drawn, type TimelineData } from './contender';

/** What the driver calls in the page. */
export interface Stage {
  /** Makes the data; nothing of it is drawn yet. */
  load(rows: number): void;
  /** From data in hand to its picture on screen, milliseconds. */
  drawFirst(): Promise<number>;
  /** Draws frames until there are `most` of them or the time is over, but two at the least; gives how many. */
  pan(most: number, budgetMs: number): Promise<number>;
}

/** The picture goes to and fro by this much of its width. */
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
      // Who does not need it any longer is not made to hold it.
      data = null;
      const container = document.createElement('div');
      Object.assign(container.style, { position: 'relative', width: `${WIDTH_PX}px`, height: `${HEIGHT_PX}px` });
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
        // Called by the browser and not by a promise: Chromium counts the time of script by what it calls itself.
        const step = (): void => {
          if (frames >= most || (frames >= 2 && performance.now() - begin >= budgetMs)) return resolve(frames);
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
