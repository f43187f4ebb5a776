import { t } from '../../core/language';

type Work = () => Promise<void>;

/** Clicks that may wait for a server that is slow or silent. Another one is refused, so that they do not pile up. */
const MOST_WAITING = 20;

/**
 * One thing at a time on a server. What the user asks for comes right after the work that runs; background work waits.
 * Each of the two keeps its order.
 */
export class WorkQueue {
  private readonly asked: Work[] = [];
  private readonly background: Work[] = [];
  private isBusy = false;

  /** @param isAsked the user waits for it @throws Error with one sentence if too much waits already */
  add<T>(work: () => Promise<T>, isAsked: boolean): Promise<T> {
    if (isAsked && this.asked.length >= MOST_WAITING)
      return Promise.reject(
        new Error(t('{0} requests wait for this server already. Wait, or cancel one of them.', MOST_WAITING)),
      );
    return new Promise<T>((resolve, reject) => {
      (isAsked ? this.asked : this.background).push(() => work().then(resolve, reject));
      if (!this.isBusy) void this.run();
    });
  }

  /** For work that runs, between two of its parts: what the user asked for meanwhile is done first. */
  readonly letClicksPass = async (): Promise<void> => {
    for (let next = this.asked.shift(); next !== undefined; next = this.asked.shift()) await next();
  };

  private async run(): Promise<void> {
    this.isBusy = true;
    for (let next = this.take(); next !== undefined; next = this.take()) await next();
    this.isBusy = false;
  }

  private take(): Work | undefined {
    return this.asked.shift() ?? this.background.shift();
  }
}
