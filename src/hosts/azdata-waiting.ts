/** Waiting that ends. Azure Data Studio can stop nothing that it was asked for: we only stop waiting. */

export interface Patience {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onTimeout: () => Error;
  readonly onAbort: () => Error;
}

/** The work's own end, or the error of the time-out or of the signal, whichever comes first. What the work ends with afterwards is dropped. */
export function waitFor<T>(work: PromiseLike<T>, { timeoutMs, signal, onTimeout, onAbort }: Patience): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      stop();
      reject(onAbort());
    };
    const expire = (): void => {
      stop();
      reject(onTimeout());
    };
    const timer = Number.isFinite(timeoutMs) ? setTimeout(expire, timeoutMs) : undefined;
    signal?.addEventListener('abort', abort, { once: true });
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error) => {
        stop();
        reject(error as Error);
      },
    );
    if (signal?.aborted) abort();
  });
}
