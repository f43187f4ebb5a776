/** What a screen reader says unasked: what is in view, and that stored events are being read. */
import { countCheckpoints } from '../../core/format';
import { findFirstFrom } from '../../core/timeline/lane-index';
import { formatWindow } from '../model/clock';
import type { TimelineInput } from '../timeline/lanes/timeline-scene';
import type { StateNotice } from './state-notice';
import { t } from '../../core/language';

const STILL_MS = 800;

/** Checkpoints of all lanes that begin in the time in view. */
function countInView({ lanes, index, columns, window }: TimelineInput): number {
  return lanes.reduce((sum, { database }) => {
    const lane = index.lanes[database];
    return lane
      ? sum + findFirstFrom(lane, columns, window.endUtcMs) - findFirstFrom(lane, columns, window.beginUtcMs)
      : sum;
  }, 0);
}

/**
 * Says what is in view once it has not changed for a moment; not while it moves, and not if something else was just
 * said.
 */
export class WindowTeller {
  private told: string | null = null;
  private timer: number | null = null;
  private quietUntilMs = 0;

  constructor(
    private readonly window: Window,
    private readonly tell: (text: string) => void,
  ) {}

  /** Takes in what is shown. `follows`: the window moves by itself, which is not said. */
  update(input: TimelineInput, follows: boolean): void {
    const now = formatWindow(input.window, input.clock);
    if (now === this.told) return;
    const isFirst = this.told === null;
    this.told = now;
    this.cancel();
    if (isFirst || follows || this.window.performance.now() < this.quietUntilMs) return;
    this.timer = this.window.setTimeout(() => {
      this.timer = null;
      const count = countInView(input);
      this.tell(t('In view {0}, {1}.', now, countCheckpoints(count)));
    }, STILL_MS);
  }

  /** Something else was said: says nothing now, nor of the view that follows from it. */
  hold(): void {
    this.quietUntilMs = this.window.performance.now() + STILL_MS;
    this.cancel();
  }

  cancel(): void {
    if (this.timer !== null) this.window.clearTimeout(this.timer);
    this.timer = null;
  }
}

/** Pages of events come a few times a second: no listener wants each. */
const TELL_EVERY_MS = 10_000;

export class StoredReadingTeller {
  private title: string | undefined;
  private toldMs = -Infinity;

  constructor(
    private readonly window: Window,
    private readonly tell: (text: string) => void,
  ) {}

  /** Says when reading begins, pauses, goes on and ends, and now and then how far it is. */
  update(notice: StateNotice | null): void {
    const nowMs = this.window.performance.now();
    const isOther = notice?.title !== this.title;
    if (!isOther && (notice === null || nowMs - this.toldMs < TELL_EVERY_MS)) return;
    this.title = notice?.title;
    this.toldMs = nowMs;
    this.tell(notice === null ? t('All recorded events were read.') : `${notice.title}: ${notice.text}.`);
  }
}
