/** The card beside the checkpoint under the pointer or reached by the keyboard. It is silent: what it says is announced by the timeline. */
import type { CardLine } from './card-text';
import { createElement } from '../../kit/elements';
import { placeCard, type Box } from '../../kit/card-position';
import type { Target } from './timeline-target';

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
