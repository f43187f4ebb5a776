/**
 * Long work cut into steps of a few milliseconds; the result comes at the end. The extension host is one thread shared
 * with all other extensions: it takes a step, lets others run, and takes the next. Code that may block takes all steps
 * at once. Work is cut only where it could pass 50 ms with five million events or 5,000 databases, by measurement:
 * elsewhere a plain function is easier to read and to test.
 */
export type Steps<T> = Generator<void, T, void>;

/** Rows looked at in one step: about 3 ms. */
export const ROWS_A_STEP = 65_536;

/** Databases that are judged in one step: about 5 ms. */
export const DATABASES_A_STEP = 250;

/** Maps every item, with a pause after every few hundred. */
export function* mapInSteps<T, R>(items: readonly T[], make: (item: T) => R): Steps<R[]> {
  const made: R[] = [];
  for (const item of items) if (made.push(make(item)) % DATABASES_A_STEP === 0) yield;
  return made;
}

/** Takes all steps without a pause. */
export function finishSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Lets other work run for a moment. */
export type Pause = () => Promise<void>;

/** Takes all steps, with a pause after each. */
export async function takeSteps<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
