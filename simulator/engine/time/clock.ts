import type { Clock } from '../interface/instance';

interface ClockOptions {
  readonly startUtcMs: number;
  /** Virtual milliseconds for each real millisecond. */
  readonly rate: number;
  readonly utcOffsetMinutes: number;
  /** Real time, in milliseconds since any moment. */
  readonly realMs?: () => number;
}

interface Waiter {
  readonly dueUs: number;
  readonly resolve: () => void;
}

/** Runs what happens up to a moment, at most this many things at once. @returns the moment that was reached */
type Follow = (untilUs: number, most: number) => number;

/** How many things happen at once while real time drives: about 10 ms of work. The model's choice. */
export const MOST_AT_ONCE = 3_000;

/** The longest that setTimeout takes. */
const LONGEST_TIMER_MS = 0x7fffffff;

/**
 * Makes virtual time from real time; nothing else in the model knows real time. Its timers never keep a process alive.
 * Reading the clock lets the model follow. If the model cannot keep up, virtual time goes slower, so that no client
 * waits for it:
 *   real time    |----|----|----|----|
 *   virtual      |----|-..-|----|----|      (.. not passed: the model was busy)
 */
export class VirtualClock implements Clock {
  private readonly realMs: () => number;
  private anchorUs: number;
  private anchorRealMs: number;
  private isPaused = false;
  /** How far the server's clock was set back, and since which moment, in order. */
  private readonly setBacks: { readonly fromUs: number; readonly byUs: number }[] = [];
  /** How the offset from UTC changed, and at which moment, in order. */
  private readonly offsetChanges: { readonly fromUs: number; readonly byMinutes: number }[] = [];
  private readonly waiters = new Set<Waiter>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private follow: Follow | undefined;
  private isFollowing = false;

  constructor(private readonly options: ClockOptions) {
    this.realMs = options.realMs ?? (() => performance.now());
    this.anchorUs = options.startUtcMs * 1000;
    this.anchorRealMs = this.realMs();
  }

  /** Whole virtual microseconds since 1970-01-01T00:00:00Z: the model's own unit. */
  nowUs(): number {
    const { rate } = this.options;
    if (this.isPaused || rate === 0) return this.reach(this.anchorUs, Number.POSITIVE_INFINITY);
    return this.reach(
      this.anchorUs + Math.floor((this.realMs() - this.anchorRealMs) * rate * 1000),
      MOST_AT_ONCE,
    );
  }

  /** Sets what follows time from here on. */
  followWith(follow: Follow): void {
    this.follow = follow;
  }

  private reach(wantedUs: number, most: number): number {
    if (this.follow === undefined || this.isFollowing) return wantedUs;
    this.isFollowing = true;
    try {
      const reachedUs = this.follow(wantedUs, most);
      if (reachedUs >= wantedUs) return wantedUs;
      this.anchorUs = reachedUs;
      this.anchorRealMs = this.realMs();
      return reachedUs;
    } finally {
      this.isFollowing = false;
    }
  }

  nowUtcMs(): number {
    return Math.floor(this.shownUs(this.nowUs()) / 1000);
  }

  /** What the server's clock showed at a moment. */
  shownUs(atUs: number): number {
    return this.setBacks.reduce(
      (shownUs, { fromUs, byUs }) => (fromUs <= atUs ? shownUs - byUs : shownUs),
      atUs,
    );
  }

  /**
   * Sets the server's clock back, or forward if negative. What happens goes on as before; from now on it bears other
   * times. The ledger's times do not change.
   */
  setBack(byMs: number): void {
    this.setBacks.push({ fromUs: this.nowUs(), byUs: byMs * 1000 });
  }

  /**
   * From now on the server's local time is this much further ahead of UTC: 60 where daylight saving begins, -60 where
   * it ends.
   */
  changeOffset(byMinutes: number): void {
    this.offsetChanges.push({ fromUs: this.nowUs(), byMinutes });
  }

  utcOffsetMinutes(atUs: number = this.nowUs()): number {
    const { utcOffsetMinutes } = this.options;
    return this.offsetChanges.reduce(
      (sum, { fromUs, byMinutes }) => (fromUs <= atUs ? sum + byMinutes : sum),
      utcOffsetMinutes,
    );
  }

  /** What a clock on the server's wall showed at a moment, as ISO text without zone. */
  localMoment(atUs: number): string {
    return formatMoment(this.shownUs(atUs), this.utcOffsetMinutes(atUs));
  }

  /** Moves virtual time forward at once and lets every wait that is over by then resolve. */
  advance(durationMs: number): void {
    this.change(() => {
      this.anchorUs += Math.round(durationMs * 1000);
      // Without a limit: the caller asked for all of it.
      this.reach(this.anchorUs, Number.POSITIVE_INFINITY);
    });
  }

  pause(): void {
    this.change(() => void (this.isPaused = true));
  }

  resume(): void {
    this.change(() => void (this.isPaused = false));
  }

  wait(durationMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      if (durationMs <= 0) return resolve();
      const leave = (): void => {
        this.waiters.delete(waiter);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        dueUs: this.nowUs() + Math.round(durationMs * 1000),
        resolve: () => {
          leave();
          resolve();
        },
      };
      this.waiters.add(waiter);
      signal?.addEventListener('abort', abort, { once: true });
      this.arm();
    });
  }

  /** Changes how time counts from here on. */
  private change(apply: () => void): void {
    this.anchorUs = this.nowUs();
    this.anchorRealMs = this.realMs();
    apply();
    this.settle();
  }

  private settle(): void {
    const nowUs = this.nowUs();
    const due = [...this.waiters].filter((waiter) => waiter.dueUs <= nowUs).sort((a, b) => a.dueUs - b.dueUs);
    due.forEach((waiter) => waiter.resolve());
    this.arm();
  }

  private arm(): void {
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.timer = undefined;
    const { rate } = this.options;
    if (this.isPaused || rate <= 0 || this.waiters.size === 0) return;
    const dueUs = Math.min(...[...this.waiters].map((waiter) => waiter.dueUs));
    const inMs = Math.ceil((dueUs - this.nowUs()) / 1000 / rate);
    this.timer = setTimeout(() => this.settle(), Math.min(LONGEST_TIMER_MS, Math.max(1, inMs)));
    this.timer.unref();
  }
}

/** ISO text without zone, cut to milliseconds, of a moment in microseconds UTC plus an offset. */
export function formatMoment(atUs: number, offsetMinutes = 0): string {
  return new Date(Math.floor(atUs / 1000) + offsetMinutes * 60_000).toISOString().slice(0, -1);
}
