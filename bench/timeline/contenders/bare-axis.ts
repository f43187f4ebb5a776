/** The base: a page that draws nothing but a time axis. What it takes, a browser takes for any frame. */
import { moveWindow, type Draw } from '../contender';
import { addAxis } from './plot-elements';

export const draw: Draw = (frame, { window }) => {
  const drawAxis = addAxis(frame);
  const pan = (share: number): void => drawAxis(moveWindow(window, share));
  pan(0);
  return { pan };
};
