/** Shows a notice in place of the timeline, or over it if it is only about the filter. */
import { createButton, createElement, setText } from '../kit/elements';
import type { NoticeAction, StateNotice } from './state-notice';
import { t } from '../../core/language';

export class NoticePanel {
  readonly element: HTMLElement;
  private readonly heading: HTMLElement;
  private readonly progress: HTMLElement;
  private readonly sentence: HTMLElement;
  private readonly statement: HTMLElement;
  private readonly button: HTMLButtonElement;
  private notice: StateNotice | null = null;

  constructor(act: (does: NoticeAction) => void) {
    this.heading = createElement('h2');
    this.progress = createElement('progress.endless', { 'aria-label': t('Reading') });
    this.sentence = createElement('p.num');
    this.statement = createElement('pre.data');
    this.button = createButton('', () => this.notice?.action && act(this.notice.action.does), {
      class: 'primary',
    });
    this.element = createElement('section.notice', { hidden: '', 'aria-label': t('State') });
  }

  /** @returns whether the control with the focus went away. A new count alone leaves the focus where it is */
  update(notice: StateNotice | null): boolean {
    const hadFocus = document.activeElement === this.button;
    const isOther = notice?.kind !== this.notice?.kind;
    this.notice = notice;
    this.element.hidden = notice === null;
    const parts = notice === null ? [] : this.fill(notice);
    const isSame =
      parts.length === this.element.childNodes.length &&
      parts.every((part, i) => part === this.element.childNodes[i]);
    if (!isSame) this.element.replaceChildren(...parts);
    return hadFocus && (isOther || !isSame);
  }

  private fill({ kind, title, text, isGoing, statement, action }: StateNotice): readonly HTMLElement[] {
    this.element.dataset['kind'] = kind;
    setText(this.heading, title);
    setText(this.sentence, text);
    setText(this.statement, statement ?? '');
    setText(this.button, action?.label ?? '');
    this.progress.hidden = isGoing !== true;
    return [
      this.heading,
      ...(kind === 'reading' ? [this.progress] : []),
      this.sentence,
      ...(statement === undefined ? [] : [this.statement]),
      ...(action === null ? [] : [this.button]),
    ];
  }
}
