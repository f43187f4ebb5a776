import { finishSteps, type Pause, type Steps, takeSteps } from '../../core/steps';

export interface Timing {
  /** Runs the task once after that time, unless disposed first. */
  readonly schedule: (delayMs: number, task: () => void) => { dispose(): void };
  /** Milliseconds from any begin, by a clock that is never set. */
  readonly elapsedMs: () => number;
}

export const thisComputer = {
  schedule: (delayMs: number, task: () => void): { dispose(): void } => {
    const timer = setTimeout(task, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
  elapsedMs: (): number => performance.now(),
  nowMs: (): number => Date.now(),
};

/** Finishes short work at once. Of long work it takes a step, lets others have the thread, and takes the next. */
export async function takeShortSteps<T>(
  steps: Steps<T>,
  isShort: boolean,
  world: Pick<Timing, 'schedule'>,
): Promise<T> {
  return isShort ? finishSteps(steps) : takeSteps(steps, pauseBy(world));
}

/** Lets others have the thread for a moment. */
export function pauseBy({ schedule }: Pick<Timing, 'schedule'>): Pause {
  return () => new Promise((resolve) => void schedule(0, resolve));
}

/** Something that is due later. Setting it again replaces what was due. */
export class Alarm {
  private due: { dispose(): void } | null = null;

  constructor(private readonly schedule: Timing['schedule']) {}

  get isSet(): boolean {
    return this.due !== null;
  }

  set(delayMs: number, task: () => void): void {
    this.stop();
    this.due = this.schedule(delayMs, () => {
      this.due = null;
      task();
    });
  }

  stop(): void {
    this.due?.dispose();
    this.due = null;
  }
}

/** Waits for the work, but no longer than until the signal is aborted. @param otherwise is given then */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, otherwise: T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = (): void => resolve(otherwise);
    signal?.addEventListener('abort', end);
    void work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', end));
    if (signal?.aborted === true) end();
  });
}

/** The extension host is one thread shared with every other extension. */
const SLICE_MS = 15;

/**
 * Takes the steps in slices of some milliseconds.
 * @param isOver whether the result is not wanted any more: it is null then
 */
export async function runInSlices<T>(
  steps: Steps<T>,
  isOver: () => boolean,
  { elapsedMs, pause }: Pick<Timing, 'elapsedMs'> & { readonly pause: Pause },
): Promise<T | null> {
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
