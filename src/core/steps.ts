/**
 * Long work cut into steps of a few milliseconds, its result at the end. The extension host is one thread shared with every other extension: it
 * takes a step, lets others run, and takes the next; who may block finishes it at once.
 */
export type Steps<T> = Generator<void, T, void>;

/** Rows looked at in one step: some 3 ms. */
export const ROWS_A_STEP = 65_536;

/** Databases that are judged in one step: some 5 ms. */
export const DATABASES_A_STEP = 250;

/** What is made of each, with a pause behind every few hundred. */
export function* mapInSteps<T, R>(items: readonly T[], make: (item: T) => R, aStep = DATABASES_A_STEP): Steps<R[]> {
  const made: R[] = [];
  for (const item of items) if (made.push(make(item)) % aStep === 0) yield;
  return made;
}

/** Takes all steps without a pause. */
export function finishSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Lets others have the thread for a moment. */
export type Pause = () => Promise<void>;

/** Takes the steps with a pause behind each. */
export async function takeSteps<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
