/**
 * The card beside what pointer or keyboard are at: where it goes, and what it says of a checkpoint or of time that was not observed. It is silent: what it says is
 * announced by the timeline.
 */
import { createElement } from '../../kit/elements';
import { formatDuration } from '../../../core/format';
import { describeGapKind } from '../../../core/pages/coverage-text';
import { formatSpan, formatTime, type Clock } from '../../model/clock';
import type { Gap } from '../../../protocol';

/** One line of the card. */
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

  constructor(private readonly document: Document) {
    this.element = createElement(document, 'div', { class: 'card', attributes: { 'aria-hidden': 'true', hidden: '' } });
  }

  /** Shows what is said about a target inside a frame; hides where there is none. */
  show(target: Target | null, frame: Box): void {
    this.element.hidden = target === null;
    if (!target) return;
    if (JSON.stringify(target.lines) !== JSON.stringify(this.shown)) this.write(target.lines);
    const { leftPx, topPx } = placeCard(
      target.at.xPx,
      target.at.yPx,
      { widthPx: this.element.offsetWidth, heightPx: this.element.offsetHeight },
      frame,
    );
    this.element.style.transform = `translate(${leftPx}px, ${topPx}px)`;
  }

  private write(lines: readonly CardLine[]): void {
    this.shown = lines;
    this.element.replaceChildren(
      ...lines.map((line) => createElement(this.document, 'div', { class: `card-${line.kind}`, text: line.text })),
    );
  }
}

/** CSS pixels between pointer and card. */
const AWAY_PX = 14;

export interface Box {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Left and top of a card beside a pointer, turned to the side where it is whole in view; a card larger than the frame keeps its left and top edges in view. */
export function placeCard(xPx: number, yPx: number, card: Box, frame: Box): { readonly leftPx: number; readonly topPx: number } {
  return { leftPx: placeAlong(xPx, card.widthPx, frame.widthPx), topPx: placeAlong(yPx, card.heightPx, frame.heightPx) };
}

function placeAlong(at: number, size: number, room: number): number {
  const after = at + AWAY_PX;
  const before = at - AWAY_PX - size;
  const wanted = after + size <= room ? after : before >= 0 ? before : room - size;
  return Math.max(0, Math.round(wanted));
}

interface CheckpointCard {
  readonly name: string;
  readonly beginUtcMs: number;
  readonly durationMs: number;
  /** Checkpoints under the pixel. */
  readonly count: number;
  readonly enlarged: boolean;
  readonly beyondRecoveryInterval: boolean;
  /** Whether a gap may have made it of the begin of one checkpoint and the end of another. */
  readonly acrossGap: boolean;
}

/** The lines of a card about a checkpoint. */
export function describeCheckpoint(card: CheckpointCard, clock: Clock): readonly CardLine[] {
  const end = card.beginUtcMs + card.durationMs;
  const lines: CardLine[] = [
    { text: card.name, kind: 'name' },
    { text: formatDuration(card.durationMs), kind: 'duration' },
    { text: `${formatTime(card.beginUtcMs, clock)} – ${formatTime(end, clock)}`, kind: 'time' },
  ];
  if (card.count > 1) lines.push({ text: `longest of ${card.count} checkpoints under this pixel`, kind: 'note' });
  if (card.enlarged) lines.push({ text: 'drawn wider than it is', kind: 'note' });
  if (card.beyondRecoveryInterval) lines.push({ text: 'not shorter than the recovery interval: logged as FlushCache', kind: 'note' });
  if (card.acrossGap) lines.push({ text: 'may have been made of two by a gap: in no figure', kind: 'note' });
  return lines;
}

/** The lines of a card about time that was not observed. */
export function describeGap(gap: Gap, clock: Clock): readonly CardLine[] {
  const seen = describeGapKind(gap);
  const lines: CardLine[] = [
    { text: `${seen.charAt(0).toUpperCase()}${seen.slice(1)}: ${gap.kind}`, kind: 'name' },
    { text: formatDuration(gap.endUtcMs - gap.beginUtcMs), kind: 'duration' },
    { text: formatSpan(gap, clock), kind: 'time' },
  ];
  if (gap.reason !== '' && gap.reason !== gap.kind) lines.push({ text: gap.reason, kind: 'note' });
  return lines;
}
