/** Shows a notice in place of the picture, or over it where it is about the filter only. */
import { createButton, createElement } from './elements';
import type { NoticeAction, StateNotice } from './state-notice';

export class NoticePanel {
  readonly element: HTMLElement;
  private shown = '';

  constructor(
    private readonly document: Document,
    private readonly act: (does: NoticeAction) => void,
  ) {
    this.element = createElement(document, 'section', { class: 'notice', attributes: { hidden: '', 'aria-label': 'State' } });
  }

  update(notice: StateNotice | null): void {
    this.element.hidden = notice === null;
    const text = JSON.stringify(notice);
    if (text === this.shown) return;
    this.shown = text;
    this.element.replaceChildren(...(notice ? this.createContent(notice) : []));
  }

  private createContent({ kind, title, text, action }: StateNotice): readonly Node[] {
    this.element.dataset['kind'] = kind;
    const button = action && createButton(this.document, action.label, () => this.act(action.does), { class: 'primary' });
    return [createElement(this.document, 'h2', { text: title }), createElement(this.document, 'p', { text }), ...(button ? [button] : [])];
  }
}
