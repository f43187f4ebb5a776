/** The head of the page: which server, what would change, and what can be done about it. */
import { countOf } from '../../core/format';
import type { ReviewDraft } from '../../core/picture/review-draft';
import { readReviewDraft } from '../../core/picture/review-draft';
import type { ReviewPage } from '../../core/picture/review-page';
import type { ReviewStatus } from '../../protocol';
import { createButton, createElement, setText } from '../elements';

export type ReviewAct = 'open' | 'openRecord' | 'compare' | 'readAgain' | 'cancel';

export interface HeadInput {
  readonly draft: ReviewDraft | null;
  readonly page: ReviewPage | null;
  readonly status: ReviewStatus;
}

export class ReviewHead {
  readonly element: HTMLElement;
  private readonly progress: HTMLElement;
  private readonly buttons = new Map<ReviewAct, HTMLButtonElement>();
  private readonly sentence: HTMLElement;
  private readonly readAt: HTMLElement;
  private readonly failure: HTMLElement;
  private readonly notice: HTMLElement;
  private readonly hint: HTMLElement;

  constructor(
    private readonly document: Document,
    title: string,
    private readonly act: (does: ReviewAct) => void,
  ) {
    this.progress = createElement(document, 'span', { class: 'dim progress' });
    this.sentence = createElement(document, 'p', { class: 'sentence strong' });
    this.readAt = createElement(document, 'span', { class: 'dim num' });
    this.failure = createElement(document, 'p', { class: 'message', attributes: { role: 'alert', hidden: '' } });
    this.notice = createElement(document, 'p', { class: 'message done', attributes: { role: 'status', hidden: '' } });
    this.hint = createElement(document, 'p', { class: 'sentence dim', attributes: { id: 'open-hint' } });
    const actions = createElement(document, 'div', {
      class: 'actions review-actions',
      children: [
        this.createButton('open', 'Open scripts', { class: 'primary', attributes: { 'aria-describedby': 'open-hint' } }),
        this.createButton('openRecord', 'Open change record'),
        this.createButton('compare', 'Show changes since the last script'),
        this.createButton('readAgain', 'Read again'),
        this.createButton('cancel', 'Cancel'),
      ],
    });
    const name = createElement(document, 'div', {
      class: 'title',
      children: [createElement(document, 'h1', { class: 'data', text: title }), this.readAt, this.progress],
    });
    const top = createElement(document, 'div', { class: 'top', children: [name] });
    this.element = createElement(document, 'header', { children: [top, this.sentence, this.failure, this.notice, actions, this.hint] });
  }

  update({ draft, page, status }: HeadInput): void {
    const isCurrent = page !== null && page.revision === draft?.revision && !status.isPlanning;
    const isSound = draft !== null && readReviewDraft(draft).choice !== null;
    const hasScripts = isCurrent && page.changeScripts > 0;
    setText(this.sentence, page?.sentence ?? '');
    this.sentence.classList.toggle('stale', !isCurrent);
    setText(this.readAt, page === null ? '' : `read at ${page.readAt}`);
    setText(this.progress, status.isPlanning ? 'Planning…' : '');
    show(this.failure, status.failure);
    show(this.notice, status.notice);
    setText(this.hint, describeHint({ isCurrent, isSound, page, status }));
    this.enable('open', hasScripts);
    this.enable('openRecord', hasScripts && page.hasRecord);
    this.enable('compare', hasScripts && status.canCompare);
    this.enable('readAgain', isSound && !status.isPlanning);
  }

  private enable(act: ReviewAct, isEnabled: boolean): void {
    this.buttons.get(act)?.setAttribute('aria-disabled', String(!isEnabled));
  }

  private createButton(act: ReviewAct, text: string, spec: Parameters<typeof createElement>[2] = {}): HTMLElement {
    const onClick = (): void => {
      if (button.getAttribute('aria-disabled') !== 'true') this.act(act);
    };
    const button = createButton(this.document, text, onClick, spec);
    this.buttons.set(act, button);
    return button;
  }
}

interface HintInput extends Pick<HeadInput, 'page' | 'status'> {
  readonly isCurrent: boolean;
  readonly isSound: boolean;
}

/** What Open would do, or why it does nothing now. */
function describeHint({ isCurrent, isSound, page, status }: HintInput): string {
  if (!isSound) return 'A field needs another value before there can be scripts.';
  if (!isCurrent)
    return status.failure === null ? 'Reading the server and planning…' : 'Without an answer of the server there are no scripts.';
  if (page === null || page.changeScripts === 0) return 'There is nothing to switch, so there is no script: the table says why.';
  const { changeScripts, rollbackScripts } = page;
  const scripts = countOf(changeScripts, 'script');
  const twins = rollbackScripts === 1 ? 'its rollback' : `${rollbackScripts} rollbacks`;
  return `Opens ${scripts} and ${twins} in editors for you to read and run. Nothing is run from here.`;
}

function show(element: HTMLElement, text: string | null): void {
  setText(element, text ?? '');
  element.hidden = text === null;
}
