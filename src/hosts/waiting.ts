/** Waiting that ends. What another product was asked for cannot be stopped: only we stop waiting. */

export interface Patience {
  /** Milliseconds; absent or infinite: as long as it takes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Given where time is somebody else's to keep. */
  readonly schedule?: (delayMs: number, task: () => void) => { dispose(): void };
  readonly onTimeout?: () => Error;
  readonly onAbort: () => Error;
}

/** The work's own end, or the error of the time-out or of the signal, whichever comes first. What the work ends with afterwards is dropped. */
export function waitFor<T>(work: PromiseLike<T>, patience: Patience): Promise<T> {
  const { timeoutMs, signal, schedule = startTimer, onTimeout, onAbort } = patience;
  return new Promise((resolve, reject) => {
    const isBounded = timeoutMs !== undefined && Number.isFinite(timeoutMs) && onTimeout !== undefined;
    const timer = isBounded ? schedule(timeoutMs, () => conclude(() => reject(onTimeout()))) : null;
    const abort = (): void => conclude(() => reject(onAbort()));
    const conclude = (end: () => void): void => {
      timer?.dispose();
      signal?.removeEventListener('abort', abort);
      end();
    };
    signal?.addEventListener('abort', abort, { once: true });
    work.then(
      (value) => conclude(() => resolve(value)),
      (error: unknown) => conclude(() => reject(error instanceof Error ? error : new Error(String(error)))),
    );
    if (signal?.aborted) abort();
  });
}

function startTimer(delayMs: number, task: () => void): { dispose(): void } {
  const timer = setTimeout(task, delayMs);
  // A process that has nothing else to do does not stay for it: somebody who waits may have left long ago.
  timer.unref();
  return { dispose: () => clearTimeout(timer) };
}
