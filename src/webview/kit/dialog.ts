/**
 * A dialog over the page. It has the focus until its button, Esc or a click beside it closes it. Then the focus goes
 * back to where it was.
 */
import { createElement, setText, createClose, wrap } from './elements';
import { t } from '../../core/language';

const FOCUSABLE = 'button:not([hidden]), [href], input, [tabindex="0"]';

export class Dialog {
  readonly element: HTMLDialogElement;
  private readonly heading: HTMLElement;
  private before: Element | null = null;

  constructor(id: string, content: readonly HTMLElement[]) {
    this.heading = createElement('h2', { id: `${id}-heading` });
    const close = createClose(t('Close'), t('Close (Esc)'), () => this.close());
    const head = wrap('div.dialog-head', [this.heading, close]);
    this.element = createElement('dialog.dialog', {
      id,
      'aria-labelledby': `${id}-heading`,
      'aria-modal': 'true',
      children: [wrap('div.dialog-body', [head, ...content])],
    });
    this.element.addEventListener('close', () => this.giveFocusBack());
    this.element.addEventListener('click', (event) => event.target === this.element && this.close());
    this.element.addEventListener('keydown', (event) => this.pressKey(event));
  }

  get isOpen(): boolean {
    return this.element.open;
  }

  /** Opens over the page; if it is already open, only sets its heading. */
  open(heading: string): void {
    setText(this.heading, heading);
    if (this.element.open) return;
    this.before = document.activeElement;
    this.element.showModal();
  }

  close(): void {
    this.element.close();
  }

  /** Closes because something else on the page takes the focus. */
  leave(): void {
    this.before = null;
    this.element.close();
  }

  private giveFocusBack(): void {
    if (this.before instanceof HTMLElement && this.before.isConnected) this.before.focus();
    this.before = null;
  }

  /** Tab goes round inside the dialog: the page behind it cannot be reached. */
  private pressKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key !== 'Tab') return;
    const stops = [...this.element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
      (stop) => stop.offsetParent !== null,
    );
    const [first, last] = [stops[0], stops[stops.length - 1]];
    const leaves = event.shiftKey ? document.activeElement === first : document.activeElement === last;
    if (!leaves) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }
}
