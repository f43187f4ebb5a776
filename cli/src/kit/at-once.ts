import { setMaxListeners } from 'node:events';

/** Works through a list, several at once, each begun in order. No more are begun once the signal is aborted. */
export async function forEachAtOnce<T>(
  list: readonly T[],
  most: number,
  signal: AbortSignal,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const queue = [...list];
  const takeOn = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined && !signal.aborted; one = queue.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(most, list.length) }, takeOn));
}

/** Why such a signal was aborted; any other reason: the whole is to end. */
export const TIME_OVER = 'The time limit was reached.';

/** Does work under a signal of its own: aborted when its time is over, or when `stop` is. */
export async function doWithin<T>(
  ms: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const time = new AbortController();
  const end = (): void => time.abort();
  const timer = setTimeout(() => time.abort(TIME_OVER), ms);
  stop.addEventListener('abort', end, { once: true });
  try {
    return await work(time.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
  }
}

/** Does work under a signal that an interrupt of the program aborts. */
export async function untilInterrupted<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  // Each server that is worked on listens.
  setMaxListeners(0, stop.signal);
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
