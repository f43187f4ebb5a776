/** The card that tells about the checkpoint under the pointer or reached by the keyboard. */
import { formatDuration } from '../core/format';
import { createElement } from './elements';
import { placeCard } from './layout/card-position';
import { formatServerTime } from './server-time';
import type { Gap } from '../protocol';

export interface CheckpointCard {
  readonly name: string;
  readonly beginUtcMs: number;
  readonly durationMs: number;
  /** Checkpoints under the pixel. */
  readonly count: number;
  readonly enlarged: boolean;
  readonly beyondRecoveryInterval: boolean;
}

/** One line of the card. */
interface CardLine {
  readonly text: string;
  readonly kind: 'name' | 'duration' | 'time' | 'note';
}

/** The lines of a card about a checkpoint. */
export function describeCheckpoint(card: CheckpointCard, utcOffsetMinutes: number): readonly CardLine[] {
  const end = card.beginUtcMs + card.durationMs;
  const lines: CardLine[] = [
    { text: card.name, kind: 'name' },
    { text: formatDuration(card.durationMs), kind: 'duration' },
    { text: `${formatServerTime(card.beginUtcMs, utcOffsetMinutes)} – ${formatServerTime(end, utcOffsetMinutes)}`, kind: 'time' },
  ];
  if (card.count > 1) lines.push({ text: `longest of ${card.count} checkpoints under this pixel`, kind: 'note' });
  if (card.enlarged) lines.push({ text: 'drawn wider than it is', kind: 'note' });
  if (card.beyondRecoveryInterval) lines.push({ text: 'not shorter than the recovery interval: logged as FlushCache', kind: 'note' });
  return lines;
}

/** The lines of a card about time that was not observed. */
export function describeGap(gap: Gap, utcOffsetMinutes: number): readonly CardLine[] {
  return [
    { text: 'Not observed', kind: 'name' },
    { text: `${formatServerTime(gap.beginUtcMs, utcOffsetMinutes)} – ${formatServerTime(gap.endUtcMs, utcOffsetMinutes)}`, kind: 'time' },
    { text: gap.reason, kind: 'note' },
  ];
}

/** Shows lines beside a point of its frame, in CSS pixels. The card is silent: what it says is announced by the timeline. */
export class HoverCard {
  readonly element: HTMLElement;
  private shown = '';

  constructor(private readonly document: Document) {
    this.element = createElement(document, 'div', { class: 'card', attributes: { 'aria-hidden': 'true', hidden: '' } });
  }

  show(
    lines: readonly CardLine[],
    at: { readonly xPx: number; readonly yPx: number },
    frame: { readonly widthPx: number; readonly heightPx: number },
  ): void {
    const text = JSON.stringify(lines);
    if (text !== this.shown) {
      this.element.replaceChildren(
        ...lines.map((line) => createElement(this.document, 'div', { class: `card-${line.kind}`, text: line.text })),
      );
      this.shown = text;
    }
    this.element.hidden = false;
    const box = { widthPx: this.element.offsetWidth, heightPx: this.element.offsetHeight };
    const { leftPx, topPx } = placeCard(at.xPx, at.yPx, box, frame);
    this.element.style.transform = `translate(${leftPx}px, ${topPx}px)`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
