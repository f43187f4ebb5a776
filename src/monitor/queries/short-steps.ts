import { finishSteps, type Steps, takeSteps } from '../../core/steps';
import type { MonitorSurroundings } from './surroundings';

/** Finishes at once what is short; of what is long takes a step, lets others have the thread, and takes the next. */
export async function takeShortSteps<T>(
  steps: Steps<T>,
  isShort: boolean,
  { schedule }: Pick<MonitorSurroundings, 'schedule'>,
): Promise<T> {
  if (isShort) return finishSteps(steps);
  return takeSteps(steps, () => new Promise((resolve) => void schedule(0, resolve)));
}
