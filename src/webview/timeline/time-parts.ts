/** What stands above and below the lanes on their axis of time, and what both are made from: strips and marks, the minimap, the task's history. */
import type { Box } from './lanes/hover-card';
import type { Gesture } from '../kit/gesture';
import type { TimeWindow } from '../../core/statistics/statistics';
import type { Theme } from '../kit/theme';
import { Minimap, type MinimapInput } from './minimap/minimap';
import { TaskHistory } from './minimap/task-history';
import { TimeHead, type TimeFrame, type TimeHeadInput } from './time-head';

interface TimePartsInput extends TimeHeadInput, MinimapInput {}

interface TimePartsEvents {
  onWindow(window: TimeWindow): void;
  onFit(): void;
  /** `anchor`: the share of the plot's width that a zoom keeps in place. */
  onGesture(gesture: Gesture, anchor: number): void;
  /** The keyboard goes on to the lanes. */
  onLeave(): void;
  announce(text: string): void;
  /** To be painted again. */
  onMove(): void;
}

export class TimeParts {
  readonly head: TimeHead;
  readonly minimap: Minimap;
  /** Told when that changes. */
  onOverlap: (hasOverlap: boolean) => void = () => {};
  private readonly history = new TaskHistory();
  private hasOverlap = false;

  constructor(
    document: Document,
    private readonly events: TimePartsEvents,
  ) {
    this.head = new TimeHead(document, events);
    this.minimap = new Minimap(document, events);
  }

  /** Before the lanes are laid out: what is above them takes its height in a timeline of that size. */
  size(input: TimePartsInput, timeline: Box, pixelRatio: number): void {
    this.head.size(input, timeline, pixelRatio);
  }

  /** Paints one frame beside that of the lanes. */
  paint(input: TimePartsInput, lanes: Omit<TimeFrame, 'history'>, theme: Theme, timeline: Box): void {
    if (!this.history.takeIn(input)) this.events.onMove();
    const hasOverlap = this.history.busy?.hasOverlap === true && this.head.showsBusy;
    if (hasOverlap !== this.hasOverlap) this.onOverlap((this.hasOverlap = hasOverlap));
    this.head.paint(input, { ...lanes, history: this.history }, theme, timeline);
    this.minimap.paint(input, lanes.layout, this.history, theme);
  }
}
