/**
 * The card beside the pointer or the keyboard's place: where it goes, and what it says of gaps. The card itself is
 * silent: the timeline announces its text.
 */
import { createElement } from '../../kit/elements';
import { formatDuration } from '../../../core/format';
import { isPartlyObserved } from '../../../core/pages/coverage-text';
import { formatSpan, type Clock } from '../../model/clock';
import type { Gap } from '../../../protocol';
import { t } from '../../../core/language';
import { GAP_NAMES } from '../../../core/session/gap';

export interface CardLine {
  readonly text: string;
  readonly kind: 'name' | 'duration' | 'time' | 'note';
}

/** CSS pixels from the left top corner of the lanes in view. */
export interface Point {
  readonly xPx: number;
  readonly yPx: number;
}

export interface Target {
  readonly lines: readonly CardLine[];
  readonly at: Point;
}

export class HoverCard {
  readonly element: HTMLElement;
  private shown: readonly CardLine[] = [];

  constructor() {
    this.element = createElement('div.card', { 'aria-hidden': 'true', hidden: '' });
  }

  /** Shows the card of a target; hides it without a target. */
  show(target: Target | null): void {
    this.element.hidden = target === null;
    if (!target) return;
    if (JSON.stringify(target.lines) !== JSON.stringify(this.shown)) this.write(target.lines);
    moveCard(this.element, target.at);
  }

  private write(lines: readonly CardLine[]): void {
    this.shown = lines;
    this.element.replaceChildren(
      ...lines.map((line) => createElement('div', { class: `card-${line.kind}`, text: line.text })),
    );
  }
}

/** CSS pixels between pointer and card. */
const AWAY_PX = 14;

export interface Box {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Moves a card beside a point of the element that holds it, over the whole page; it goes out of sight with that. */
export function moveCard(card: HTMLElement, at: Point): void {
  const [holder, { innerWidth, innerHeight }] = [card.parentElement!, window];
  const from = holder.getBoundingClientRect();
  card.style.visibility = from.bottom < 0 || from.top > innerHeight ? 'hidden' : '';
  card.style.transform = 'none';
  const { left, top, width, height } = card.getBoundingClientRect();
  const { leftPx, topPx } = placeCard(
    from.left + at.xPx,
    from.top + at.yPx,
    { widthPx: width, heightPx: height },
    { widthPx: innerWidth, heightPx: innerHeight },
  );
  card.style.transform = `translate(${leftPx - left}px, ${topPx - top}px)`;
}

/**
 * Left and top of a card beside the pointer, on the side where it is whole in view. A card larger than the frame starts
 * at the frame's left or top edge.
 */
export function placeCard(
  xPx: number,
  yPx: number,
  card: Box,
  frame: Box,
): { readonly leftPx: number; readonly topPx: number } {
  return {
    leftPx: placeAlong(xPx, card.widthPx, frame.widthPx),
    topPx: placeAlong(yPx, card.heightPx, frame.heightPx),
  };
}

function placeAlong(at: number, size: number, room: number): number {
  const after = at + AWAY_PX;
  const before = at - AWAY_PX - size;
  const wanted = after + size <= room ? after : before >= 0 ? before : room - size;
  return Math.max(0, Math.round(wanted));
}

/** The lines of a card about a gap. */
export function describeGap(gap: Gap, clock: Clock): readonly CardLine[] {
  const name = GAP_NAMES[gap.kind];
  const lines: CardLine[] = [
    {
      text: isPartlyObserved(gap) ? t('Not fully observed: {0}', name) : t('Not observed: {0}', name),
      kind: 'name',
    },
    { text: formatDuration(gap.endUtcMs - gap.beginUtcMs), kind: 'duration' },
    { text: formatSpan(gap, clock), kind: 'time' },
  ];
  if (gap.reason !== '' && gap.reason !== gap.kind && gap.reason !== name)
    lines.push({ text: gap.reason, kind: 'note' });
  return lines;
}
