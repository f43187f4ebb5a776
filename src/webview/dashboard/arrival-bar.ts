/** How much of a large capture has come, over the picture of what is there already. */
import { countOf, formatCount } from '../../core/format';
import { createElement, setText } from '../kit/elements';

/** Fewer come within a moment, and come all the time. */
const WORTH_TELLING = 20_000;

/** `1,200,000 of 5,000,000 checkpoints`; null where as good as all are there. */
export function describeArrival(held: number, known: number): string | null {
  return known - held < WORTH_TELLING ? null : `${formatCount(held)} of ${countOf(known, 'checkpoint')}`;
}

export class ArrivalBar {
  readonly element: HTMLElement;
  private readonly bar: HTMLProgressElement;
  private readonly text: HTMLElement;

  constructor(document: Document) {
    this.bar = createElement(document, 'progress', { attributes: { 'aria-label': 'Checkpoints that have arrived' } });
    this.text = createElement(document, 'span', { class: 'dim num' });
    this.element = createElement(document, 'div', { class: 'arrival', attributes: { hidden: '' }, children: [this.bar, this.text] });
  }

  update(held: number, known: number): void {
    const text = describeArrival(held, known);
    this.element.hidden = text === null;
    if (text === null) return;
    this.bar.max = known;
    this.bar.value = held;
    setText(this.text, text);
  }
}
