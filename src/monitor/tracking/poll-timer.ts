import type { MonitorSurroundings } from '../queries/surroundings';

/** The next read, when its time comes: one at most, and none once it is over. */
export class PollTimer {
  private next: { dispose(): void } | null = null;
  private isOver = false;

  /** @param poll reads; it schedules what follows itself */
  constructor(
    private readonly surroundings: MonitorSurroundings,
    private readonly poll: () => void,
  ) {}

  get isSet(): boolean {
    return this.next !== null;
  }

  /** In place of the one that was set. */
  set(delayMs: number): void {
    this.cancel();
    if (this.isOver) return;
    this.next = this.surroundings.schedule(delayMs, () => {
      this.next = null;
      this.poll();
    });
  }

  cancel(): void {
    this.next?.dispose();
    this.next = null;
  }

  end(): void {
    this.isOver = true;
    this.cancel();
  }
}
