import type { Clock } from './instance';

export interface ClockControl {
  /** Moves virtual time forward at once and lets every wait that is over by then resolve. */
  advance(durationMs: number): void;
  pause(): void;
  resume(): void;
  /** Virtual milliseconds for each real millisecond. */
  rate: number;
}

export interface VirtualClock extends Clock, ClockControl {
  /** Whole virtual microseconds since 1970-01-01T00:00:00Z: the model's own unit. */
  nowUs(): number;
}

interface Waiter {
  readonly dueUs: number;
  readonly resolve: () => void;
}

/** Real time in, virtual time out. Nothing else in the model knows real time. */
export function createVirtualClock(options: {
  readonly startUtcMs: number;
  readonly rate: number;
  readonly utcOffsetMinutes: number;
  readonly realMs?: () => number;
}): VirtualClock {
  const realMs = options.realMs ?? (() => performance.now());
  let anchorUs = options.startUtcMs * 1000;
  let anchorRealMs = realMs();
  let rate = options.rate;
  let paused = false;
  const waiters = new Set<Waiter>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const nowUs = (): number => (paused ? anchorUs : anchorUs + Math.floor((realMs() - anchorRealMs) * rate * 1000));
  const reanchor = (): void => {
    anchorUs = nowUs();
    anchorRealMs = realMs();
  };
  const settle = (): void => {
    const now = nowUs();
    for (const waiter of [...waiters].sort((a, b) => a.dueUs - b.dueUs)) if (waiter.dueUs <= now) waiter.resolve();
    arm();
  };
  const arm = (): void => {
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    if (paused || rate <= 0 || waiters.size === 0) return;
    const dueUs = Math.min(...[...waiters].map((waiter) => waiter.dueUs));
    timer = setTimeout(settle, Math.min(0x7fffffff, Math.max(1, Math.ceil((dueUs - nowUs()) / 1000 / rate))));
    timer.unref();
  };
  const wait = (durationMs: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const leave = (): void => {
        waiters.delete(waiter);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        dueUs: nowUs() + Math.round(durationMs * 1000),
        resolve: () => {
          leave();
          resolve();
        },
      };
      if (durationMs <= 0) return resolve();
      waiters.add(waiter);
      signal?.addEventListener('abort', abort, { once: true });
      arm();
    });
  const change = (apply: () => void): void => {
    reanchor();
    apply();
    settle();
  };

  return {
    nowUs,
    nowUtcMs: () => Math.floor(nowUs() / 1000),
    utcOffsetMinutes: () => options.utcOffsetMinutes,
    wait,
    advance: (durationMs) => change(() => void (anchorUs += Math.round(durationMs * 1000))),
    pause: () => change(() => void (paused = true)),
    resume: () => change(() => void (paused = false)),
    get rate() {
      return rate;
    },
    set rate(value: number) {
      change(() => void (rate = value));
    },
  };
}
