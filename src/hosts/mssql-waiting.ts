/** Waiting for calls that cannot be stopped: only we stop. */
import type { Disposable, MssqlWorld } from './mssql-world';

export interface WaitLimits {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly schedule: MssqlWorld['schedule'];
  readonly explainCancel: () => Error;
  readonly explainTimeout?: (timeoutMs: number) => Error;
}

/** The call's own result or failure, unless the signal or the time-out comes first. What comes back after that is dropped. */
export function waitFor<T>(call: Promise<T>, limits: WaitLimits): Promise<T> {
  const { signal, timeoutMs, schedule, explainCancel, explainTimeout } = limits;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      call.catch(() => undefined);
      return reject(explainCancel());
    }
    let timer: Disposable | undefined;
    const onAbort = (): void => settle(() => reject(explainCancel()));
    const settle = (conclude: () => void): void => {
      signal?.removeEventListener('abort', onAbort);
      timer?.dispose();
      conclude();
    };
    if (timeoutMs !== undefined && explainTimeout) {
      timer = schedule(timeoutMs, () => settle(() => reject(explainTimeout(timeoutMs))));
    }
    signal?.addEventListener('abort', onAbort, { once: true });
    call.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
    );
  });
}
