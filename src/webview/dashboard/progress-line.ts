/** A line about what goes on: a bar, what it is in words, and what can be done about it. */
import { createButton, createElement, setText, wrap } from '../kit/elements';
import { formatCount } from '../../core/format';
import { t } from '../../core/language';

interface Progress {
  readonly text: string;
  /** false: it stands still, and no bar moves. */
  readonly isGoing: boolean;
  /** Absent: nobody knows how much there is. */
  readonly part?: { readonly done: number; readonly of: number };
  readonly action: { readonly label: string; readonly act: () => void } | null;
}

export class ProgressLine {
  readonly element: HTMLElement;
  private readonly bar: HTMLProgressElement;
  private readonly text: HTMLElement;
  private readonly button: HTMLButtonElement;
  private action: Progress['action'] = null;

  /** @param role absent: a screen reader is told in another way, or need not know */
  constructor(selector: `div.${string}`, look: 'quiet' | 'link', role?: 'status') {
    this.bar = createElement('progress.endless', { 'aria-label': t('Reading') });
    this.text = createElement('span.num', { role: role ?? null });
    this.button = createButton('', () => this.action?.act(), { class: look });
    this.element = wrap(selector, [this.bar, this.text, this.button]);
    this.update(null);
  }

  /** @param shown null: there is nothing to say. @returns whether the control with the focus went away */
  update(shown: Progress | null): boolean {
    const hadFocus = document.activeElement === this.button;
    this.element.hidden = shown === null;
    this.action = shown?.action ?? null;
    this.bar.hidden = shown?.isGoing !== true;
    if (shown?.part) [this.bar.max, this.bar.value] = [shown.part.of, shown.part.done];
    setText(this.text, shown?.text ?? '');
    this.button.hidden = this.action === null;
    setText(this.button, this.action?.label ?? '');
    return hadFocus && this.action === null;
  }
}

/** Fewer checkpoints arrive within a moment, and such small differences are normal. */
const WORTH_TELLING = 20_000;

/** How much of a large capture has arrived: `1,200,000 of 5,000,000 checkpoints`; null if nearly all are there. */
export function describeArrival(held: number, known: number): Progress | null {
  if (known - held < WORTH_TELLING) return null;
  const text = t('{0} of {1} checkpoints', formatCount(held), formatCount(known));
  return { text, isGoing: true, part: { done: held, of: known }, action: null };
}
