import { type CaptureRecord, type KeptBeside, keepRecord } from '../../core/capture/capture-record';
import { describeError } from '../queries/failure';
import type { MonitorSurroundings } from '../queries/surroundings';

/** A capture is kept each time this much more was observed. A long one is kept less often, because it is written whole. */
const KEEP_EVERY_MS = 3 * 60_000;
const ROWS_KEPT_OFTEN = 1_000_000;
/** When the editor ends, keeping holds it up for this long at most. */
const PATIENCE_MS = 3_000;

/** Keeps a capture while it grows, so that another window can go on with it. */
export class CaptureKeeping {
  /** @param keptToUtcMs how far the capture was observed when it was kept last; of a new one, when it begins */
  constructor(
    private readonly surroundings: MonitorSurroundings,
    private keptToUtcMs: number,
  ) {}

  isDue({ observation, columns }: CaptureRecord): boolean {
    const factor = Math.max(1, columns.rows / ROWS_KEPT_OFTEN);
    return observation !== null && observation.endUtcMs - this.keptToUtcMs >= KEEP_EVERY_MS * factor;
  }

  /** @returns one sentence if it could not be kept: it is still on screen, and nothing else stops */
  async keep(capture: CaptureRecord, beside: KeptBeside): Promise<string | null> {
    this.keptToUtcMs = capture.observation?.endUtcMs ?? -Infinity;
    try {
      await this.surroundings.captures.keep(keepRecord(capture, beside));
      return null;
    } catch (error) {
      this.surroundings.log.warn(`${this.surroundings.access.label}: ${describeError(error)}`);
      return describeError(error);
    }
  }

  /** Waits for the work while the editor ends, but not for long: a disk that hangs must not hold the editor up. */
  async waitInTime(work: Promise<unknown>): Promise<void> {
    let timer: { dispose(): void } | null = null;
    const isOver = new Promise<void>((resolve) => (timer = this.surroundings.schedule(PATIENCE_MS, resolve)));
    await Promise.race([work, isOver]);
    (timer as { dispose(): void } | null)?.dispose();
  }
}
