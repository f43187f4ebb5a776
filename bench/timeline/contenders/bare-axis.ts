/** The base: a page that only draws a time axis. Its cost is what a browser pays for any frame. */
import { moveWindow, type Draw } from '../contender';
import { addAxis } from './plot-elements';

export const draw: Draw = (frame, { window }) => {
  const drawAxis = addAxis(frame);
  const pan = (share: number): void => drawAxis(moveWindow(window, share));
  pan(0);
  return { pan };
};
