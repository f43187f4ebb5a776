import { finishSteps, type Pause, type Steps, takeSteps } from '../../core/steps';
import type { MonitorSurroundings } from './surroundings';

/** Finishes short work at once. Of long work it takes a step, lets others have the thread, and takes the next. */
export async function takeShortSteps<T>(
  steps: Steps<T>,
  isShort: boolean,
  { schedule }: Pick<MonitorSurroundings, 'schedule'>,
): Promise<T> {
  if (isShort) return finishSteps(steps);
  return takeSteps(steps, pauseBy({ schedule }));
}

/** Lets others have the thread for a moment. */
export function pauseBy({ schedule }: Pick<MonitorSurroundings, 'schedule'>): Pause {
  return () => new Promise((resolve) => void schedule(0, resolve));
}

/** The extension host is one thread shared with every other extension. */
const SLICE_MS = 15;

interface SliceWorld extends Pick<MonitorSurroundings, 'elapsedMs'> {
  /** Lets others have the thread for a moment. */
  readonly pause: () => Promise<void>;
}

/** Takes the steps in slices of some milliseconds. @param isOver whether nobody wants the result any more: it is null then */
export async function runInSlices<T>(steps: Steps<T>, isOver: () => boolean, { elapsedMs, pause }: SliceWorld): Promise<T | null> {
  let untilMs = elapsedMs() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (elapsedMs() < untilMs) continue;
    await pause();
    if (isOver()) return null;
    untilMs = elapsedMs() + SLICE_MS;
  }
}
