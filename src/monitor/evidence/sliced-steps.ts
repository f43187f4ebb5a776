import type { Steps } from '../../core/steps';

/** The extension host is one thread shared with every other extension. */
const SLICE_MS = 15;

interface SliceWorld {
  /** Milliseconds from any begin, by a clock that nobody sets. */
  readonly elapsedMs: () => number;
  /** Lets others have the thread for a moment. */
  readonly pause: () => Promise<void>;
}

/** Takes the steps in slices of some milliseconds. @param isOver nobody wants it any more: null is given then */
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
