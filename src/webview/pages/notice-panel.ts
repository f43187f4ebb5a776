/** Shows a notice in place of the picture, or over it where it is about the filter only. */
import { createButton, createElement } from '../elements';
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

  /** Tells whether the control that had the focus went away. */
  update(notice: StateNotice | null): boolean {
    const text = JSON.stringify(notice);
    if (text === this.shown) return false;
    this.shown = text;
    const hadFocus = this.element.contains(this.document.activeElement);
    this.element.hidden = notice === null;
    this.element.replaceChildren(...(notice ? this.createContent(notice) : []));
    return hadFocus;
  }

  private createContent({ kind, title, text, statement, action }: StateNotice): readonly Node[] {
    this.element.dataset['kind'] = kind;
    const button = action && createButton(this.document, action.label, () => this.act(action.does), { class: 'primary' });
    const shown = statement !== undefined && createElement(this.document, 'pre', { class: 'data', text: statement });
    const [heading, sentence] = [createElement(this.document, 'h2', { text: title }), createElement(this.document, 'p', { text })];
    return [heading, sentence, ...(shown ? [shown] : []), ...(button ? [button] : [])];
  }
}
