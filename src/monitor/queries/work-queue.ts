type Work = () => Promise<void>;

/** One thing at a time on a server. What the user asks for comes right after the work that runs; background work waits. Each of the two keeps its order. */
export class WorkQueue {
  private readonly asked: Work[] = [];
  private readonly background: Work[] = [];
  private isBusy = false;

  /** @param isAsked the user waits for it */
  add<T>(work: () => Promise<T>, isAsked: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      (isAsked ? this.asked : this.background).push(() => work().then(resolve, reject));
      if (!this.isBusy) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    for (let next = this.take(); next !== undefined; next = this.take()) await next();
    this.isBusy = false;
  }

  private take(): Work | undefined {
    return this.asked.shift() ?? this.background.shift();
  }
}
