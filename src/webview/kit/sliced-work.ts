/** Runs work in slices, so that the page can paint and answer between them. Short work is done at once. */
import type { Steps } from '../../core/steps';

const SLICE_MS = 12;

export class SlicedWork {
  private timer: number | null = null;

  constructor(private readonly window: Window) {}

  /** Begins this work and gives up the work before it. `done` may be called before this returns. */
  start<R>(steps: Steps<R>, done: (result: R) => void): void {
    this.cancel();
    const slice = (): void => {
      this.timer = null;
      for (const until = this.window.performance.now() + SLICE_MS; this.window.performance.now() < until;) {
        const step = steps.next();
        if (step.done) return done(step.value);
      }
      this.timer = this.window.setTimeout(slice, 0);
    };
    slice();
  }

  cancel(): void {
    if (this.timer !== null) this.window.clearTimeout(this.timer);
    this.timer = null;
  }
}
