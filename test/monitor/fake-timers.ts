import { LoginBreaker } from '../../src/monitor/queries/login-breaker';

/** By the clock of this computer. */
export function openBreaker(): LoginBreaker {
  return new LoginBreaker({
    schedule: (delayMs, task) => {
      const timer = setTimeout(task, delayMs);
      return { dispose: () => clearTimeout(timer) };
    },
    elapsedMs: () => performance.now(),
    nowMs: () => Date.now(),
  });
}

/** Timers that run when the test says so. */
export class FakeTimers {
  private readonly tasks = new Map<object, { delayMs: number; task: () => void }>();

  readonly schedule = (delayMs: number, task: () => void): { dispose(): void } => {
    const key = {};
    this.tasks.set(key, { delayMs, task });
    return { dispose: () => void this.tasks.delete(key) };
  };

  get delays(): number[] {
    return [...this.tasks.values()].map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  }

  /** Runs what waits at most that long. */
  fire(upToMs: number): void {
    for (const [key, { delayMs, task }] of [...this.tasks]) {
      if (delayMs > upToMs || !this.tasks.delete(key)) continue;
      task();
    }
  }
}
