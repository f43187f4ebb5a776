/** Waiting that ends. We cannot stop what another product does for us; we only stop waiting for it. */

interface Patience {
  /** Milliseconds; absent or infinite means no limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Given if the caller controls time. */
  readonly schedule?: (delayMs: number, task: () => void) => { dispose(): void };
  readonly onTimeout?: () => Error;
  readonly onAbort: () => Error;
  /** After this many milliseconds, checks once whether there is anything left to wait for. */
  readonly look?: {
    readonly afterMs: number;
    readonly isOver: () => Promise<boolean>;
    readonly onOver: () => Error;
  };
}

/**
 * Ends like the work, or with the error of the time-out or the signal, whichever comes first. A later end of the work
 * is ignored.
 */
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
      // Passed on unchanged, because another product may throw something that is not an Error.
      (error: unknown) => conclude(() => reject(error as Error)),
    );
    if (signal?.aborted) abort();
  });
}

export function startTimer(delayMs: number, task: () => void): { dispose(): void } {
  const timer = setTimeout(task, delayMs);
  // Does not keep the process alive, because the one that waits may have left long ago.
  timer.unref();
  return { dispose: () => clearTimeout(timer) };
}
