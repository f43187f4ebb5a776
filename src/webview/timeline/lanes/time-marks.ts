/** Gaps and changes of setting over the plot, and their labels below the lanes, which never overlap. */
import { isPartlyObserved } from '../../../core/pages/coverage-text';
import type { PixelView } from '../../../core/timeline/pixel-grid';
import type { ChangeView, Gap } from '../../../protocol';

/** Device pixels from the left of the plot; end excluded. */
export interface GapSpan {
  readonly gap: Gap;
  /** Some events of its time were recorded: what is drawn there stays visible. */
  readonly isPartial: boolean;
  readonly from: number;
  readonly end: number;
}

/** Changes within a label's width of each other: a mark each, but one label. */
export interface ChangeMark {
  readonly at: number;
  readonly changes: readonly ChangeView[];
}

export interface Label {
  readonly text: string;
  /** CSS pixels from the left of the plot: the label's middle. */
  readonly middlePx: number;
  readonly kind: 'gap' | 'change';
}

/** The pixel column of a moment, with fraction. */
export const columnOf = (view: PixelView, utcMs: number): number =>
  ((utcMs - view.beginUtcMs) / (view.endUtcMs - view.beginUtcMs)) * view.columns;

/** The gaps in view, cut to the view, each at least a pixel wide. */
export function layoutGaps(gaps: readonly Gap[], view: PixelView): readonly GapSpan[] {
  return gaps
    .filter((gap) => gap.beginUtcMs < view.endUtcMs && gap.endUtcMs > view.beginUtcMs)
    .map((gap) => {
      const from = Math.max(0, Math.floor(columnOf(view, gap.beginUtcMs)));
      return {
        gap,
        isPartial: isPartlyObserved(gap),
        from,
        end: Math.min(view.columns, Math.max(from + 1, Math.ceil(columnOf(view, gap.endUtcMs)))),
      };
    });
}

/** The changes in view in order of time; those on the same pixel are joined. */
export function layoutChanges(changes: readonly ChangeView[], view: PixelView): readonly ChangeMark[] {
  const marks: { at: number; changes: ChangeView[] }[] = [];
  const inView = changes.filter(
    (change) => change.atUtcMs >= view.beginUtcMs && change.atUtcMs <= view.endUtcMs,
  );
  for (const change of [...inView].sort((a, b) => a.atUtcMs - b.atUtcMs)) {
    const at = Math.min(view.columns - 1, Math.floor(columnOf(view, change.atUtcMs)));
    const last = marks[marks.length - 1];
    if (last && last.at === at) last.changes.push(change);
    else marks.push({ at, changes: [change] });
  }
  return marks;
}

/**
 * Keeps the labels that fit, the most important first, each moved inside the width. Drops a label that would touch one
 * kept before.
 */
export function placeLabels(
  labels: readonly Label[],
  widthPx: number,
  measure: (text: string) => number,
): readonly Label[] {
  const kept: { label: Label; from: number; end: number }[] = [];
  for (const label of labels) {
    const half = measure(label.text) / 2 + 4;
    if (half * 2 > widthPx) continue;
    const middlePx = Math.min(Math.max(label.middlePx, half), widthPx - half);
    const from = middlePx - half;
    const end = middlePx + half;
    if (kept.every((other) => end <= other.from || from >= other.end))
      kept.push({ label: { ...label, middlePx }, from, end });
  }
  return kept.map(({ label }) => label);
}
