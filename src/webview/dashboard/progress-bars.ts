/**
 * Progress bars: for reading for the pages, for reading what a session had stored, and for a large capture on its way
 * to the page.
 */
import type { EvidenceState } from '../../core/pages/evidence-page';
import { createButton, createElement, setText, wrap } from '../kit/elements';
import { formatCount } from '../../core/format';
import type { NoticeAction, StateNotice } from './state-notice';
import { t } from '../../core/language';

export interface ReadingBarEvents {
  onCancelReading(): void;
  onReadAgain(): void;
}

/** What is being read for the pages, with a button to cancel; and what was cancelled, with a button to go on. */
export class ReadingBar {
  readonly element: HTMLElement;
  private readonly text: HTMLElement;
  private readonly cancel: HTMLButtonElement;
  private readonly again: HTMLButtonElement;
  private readonly progress: HTMLElement;

  constructor(document: Document, events: ReadingBarEvents) {
    this.text = createElement(document, 'span', { role: 'status' });
    this.progress = createElement(document, 'progress', { 'aria-label': t('Reading') });
    this.cancel = createButton(document, t('Cancel'), () => events.onCancelReading(), { class: 'quiet' });
    this.again = createButton(document, t('Refresh'), () => events.onReadAgain(), { class: 'quiet' });
    this.element = createElement(document, 'div.reading-bar', {
      hidden: '',
      children: [this.progress, this.text, this.cancel, this.again],
    });
  }

  /** @returns whether the control with the focus went away */
  update({ reading, stopped }: EvidenceState): boolean {
    const focused = this.element.ownerDocument.activeElement;
    this.element.hidden = reading === null && stopped === null;
    this.progress.hidden = this.cancel.hidden = reading === null;
    this.again.hidden = reading !== null || stopped === null;
    setText(this.text, reading?.text ?? stopped ?? '');
    const lost =
      (focused === this.cancel && this.cancel.hidden) || (focused === this.again && this.again.hidden);
    if (lost && !this.again.hidden) this.again.focus();
    return lost && this.again.hidden;
  }
}

/** Fewer checkpoints arrive within a moment, and such small differences are normal. */
const WORTH_TELLING = 20_000;

/** `1,200,000 of 5,000,000 checkpoints`; null if nearly all are there. */
export function describeArrival(held: number, known: number): string | null {
  return known - held < WORTH_TELLING
    ? null
    : t('{0} of {1} checkpoints', formatCount(held), formatCount(known));
}

/** How much of a large capture has arrived, over the lanes of what is there already. */
export class ArrivalBar {
  readonly element: HTMLElement;
  private readonly bar: HTMLProgressElement;
  private readonly text: HTMLElement;

  constructor(document: Document) {
    this.bar = createElement(document, 'progress', { 'aria-label': t('Checkpoints received') });
    this.text = createElement(document, 'span.dim.num');
    this.element = createElement(document, 'div.arrival', { hidden: '', children: [this.bar, this.text] });
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

/** The line in the head while stored events are being read and lanes are already shown. */
export class StoredReadingLine {
  readonly element: HTMLElement;
  private readonly progress: HTMLElement;
  private readonly text: HTMLElement;
  private readonly button: HTMLButtonElement;
  private action: StateNotice['action'] = null;

  constructor(document: Document, act: (does: NoticeAction) => void) {
    this.progress = createElement(document, 'progress.endless', { 'aria-label': t('Reading') });
    this.text = createElement(document, 'span.num');
    this.button = createButton(document, '', () => this.action && act(this.action.does), { class: 'link' });
    this.element = wrap(document, 'div.stored-reading', [this.progress, this.text, this.button]);
  }

  /**
   * @returns whether the control with the focus went away.
   * @param notice null: nothing is being read, or it is said elsewhere
   */
  update(notice: StateNotice | null): boolean {
    const hadFocus = this.element.ownerDocument.activeElement === this.button;
    this.element.hidden = notice === null;
    this.action = notice?.action ?? null;
    this.progress.hidden = notice?.isGoing !== true;
    setText(this.text, notice === null ? '' : `${notice.title}: ${notice.text}`);
    setText(this.button, this.action?.label ?? '');
    return hadFocus && notice === null;
  }
}
