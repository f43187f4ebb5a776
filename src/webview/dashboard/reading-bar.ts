/** What is being read for the pages, with a way to cancel it, and what was cancelled, with a way to go on. */
import type { EvidenceState } from '../../core/pages/evidence-page';
import { createButton, createElement, setText } from '../kit/elements';

export interface ReadingBarEvents {
  onCancelReading(): void;
  onReadAgain(): void;
}

export class ReadingBar {
  readonly element: HTMLElement;
  private readonly text: HTMLElement;
  private readonly cancel: HTMLButtonElement;
  private readonly again: HTMLButtonElement;
  private readonly progress: HTMLElement;

  constructor(document: Document, events: ReadingBarEvents) {
    this.text = createElement(document, 'span', { attributes: { role: 'status' } });
    this.progress = createElement(document, 'progress', { attributes: { 'aria-label': 'Reading' } });
    this.cancel = createButton(document, 'Cancel', () => events.onCancelReading(), { class: 'quiet' });
    this.again = createButton(document, 'Refresh', () => events.onReadAgain(), { class: 'quiet' });
    this.element = createElement(document, 'div', {
      class: 'reading-bar',
      attributes: { hidden: '' },
      children: [this.progress, this.text, this.cancel, this.again],
    });
  }

  /** Tells whether the control that had the focus went away. */
  update({ reading, stopped }: EvidenceState): boolean {
    const focused = this.element.ownerDocument.activeElement;
    this.element.hidden = reading === null && stopped === null;
    this.progress.hidden = this.cancel.hidden = reading === null;
    this.again.hidden = reading !== null || stopped === null;
    setText(this.text, reading?.text ?? stopped ?? '');
    const lost = (focused === this.cancel && this.cancel.hidden) || (focused === this.again && this.again.hidden);
    if (lost && !this.again.hidden) this.again.focus();
    return lost && this.again.hidden;
  }
}
