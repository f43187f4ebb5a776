/** Waiting that ends. What another product was asked for cannot be stopped: only we stop waiting. */

interface Patience {
  /** Milliseconds; absent or infinite: as long as it takes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Given where time is somebody else's to keep. */
  readonly schedule?: (delayMs: number, task: () => void) => { dispose(): void };
  readonly onTimeout?: () => Error;
  readonly onAbort: () => Error;
  /** After this many milliseconds it is looked, once, whether there is anything left to wait for. */
  readonly look?: { readonly afterMs: number; readonly isOver: () => Promise<boolean>; readonly onOver: () => Error };
}

/** The work's own end, or the error of the time-out or of the signal, whichever comes first. What the work ends with afterwards is dropped. */
export function waitFor<T>(work: PromiseLike<T>, patience: Patience): Promise<T> {
  const { timeoutMs, signal, schedule = startTimer, onTimeout, onAbort, look } = patience;
  return new Promise((resolve, reject) => {
    const isBounded = timeoutMs !== undefined && Number.isFinite(timeoutMs) && onTimeout !== undefined;
    const timer = isBounded ? schedule(timeoutMs, () => conclude(() => reject(onTimeout()))) : null;
    const lookAt = ({ isOver, onOver }: NonNullable<typeof look>): Promise<void> =>
      isOver().then(
        (isSo) => (isSo ? conclude(() => reject(onOver())) : undefined),
        () => undefined,
      );
    const looking = look === undefined ? null : schedule(look.afterMs, () => void lookAt(look));
    const abort = (): void => conclude(() => reject(onAbort()));
    const conclude = (end: () => void): void => {
      timer?.dispose();
      looking?.dispose();
      signal?.removeEventListener('abort', abort);
      end();
    };
    signal?.addEventListener('abort', abort, { once: true });
    work.then(
      (value) => conclude(() => resolve(value)),
      // As it is: what another product throws need not be an Error, and says what it has to say all the same.
      (error: unknown) => conclude(() => reject(error as Error)),
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
