import { finishSteps, type Steps } from '../../src/core/steps';

/** Work that is done when the test says so. */
export class HeldWork {
  begun = 0;
  private finishNow: (() => void) | null = null;

  start<R>(steps: Steps<R>, done: (result: R) => void): void {
    this.begun++;
    this.finishNow = () => done(finishSteps(steps));
  }

  cancel(): void {
    this.finishNow = null;
  }

  finish(): void {
    const finish = this.finishNow;
    this.finishNow = null;
    finish?.();
  }
}
