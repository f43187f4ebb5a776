/** What a session had stored is being read: the line in the head while lanes are there already, and what a reader of screens is told of it. */
import { createButton, createElement, setText } from '../kit/elements';
import type { NoticeAction, StateNotice } from './state-notice';

export class StoredReadingLine {
  readonly element: HTMLElement;
  private readonly progress: HTMLElement;
  private readonly text: HTMLElement;
  private readonly button: HTMLButtonElement;
  private action: StateNotice['action'] = null;

  constructor(document: Document, act: (does: NoticeAction) => void) {
    this.progress = createElement(document, 'progress', { class: 'endless', attributes: { 'aria-label': 'Reading' } });
    this.text = createElement(document, 'span', { class: 'num' });
    this.button = createButton(document, '', () => this.action && act(this.action.does), { class: 'link' });
    this.element = createElement(document, 'div', { class: 'stored-reading', children: [this.progress, this.text, this.button] });
  }

  /** Tells whether the control that had the focus went away. @param notice null: nothing is read, or it is said elsewhere */
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

/** A page of events comes a few times a second: nobody listens to each. */
const TELL_EVERY_MS = 10_000;

export class StoredReadingTeller {
  private title: string | null = null;
  private toldMs = -Infinity;

  constructor(
    private readonly window: Window,
    private readonly tell: (text: string) => void,
  ) {}

  /** Tells when reading begins, pauses, goes on and ends, and else how far it is, now and then. */
  update(notice: StateNotice | null): void {
    const nowMs = this.window.performance.now();
    const isOther = notice?.title !== (this.title ?? undefined);
    if (!isOther && (notice === null || nowMs - this.toldMs < TELL_EVERY_MS)) return;
    this.title = notice?.title ?? null;
    this.toldMs = nowMs;
    this.tell(notice === null ? 'What the session recorded was read.' : `${notice.title}: ${notice.text}.`);
  }
}
