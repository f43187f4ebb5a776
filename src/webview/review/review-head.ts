/** The head of the page: what would change and why, the forecast of the checkpoint task, and the actions. */
import { readReviewDraft, type ReviewDraft } from '../../core/review/review-draft';
import type { ReviewPage } from '../../core/review/review-page';
import type { ReviewStatus } from '../../protocol';
import { createForecastChart } from '../charts/forecast-chart';
import { createButton, createElement, setText, setTitle, showText, wrap } from '../kit/elements';
import { t } from '../../core/language';

export type ReviewAct = 'open' | 'openRecord' | 'compare' | 'readAgain';

interface HeadInput {
  readonly draft: ReviewDraft | null;
  readonly page: ReviewPage | null;
  readonly status: ReviewStatus;
}

export class ReviewHead {
  readonly element: HTMLElement;
  private readonly progress: HTMLElement;
  private readonly buttons = new Map<ReviewAct, HTMLButtonElement>();
  private readonly title: HTMLElement;
  private readonly why: HTMLElement;
  private readonly note: HTMLElement;
  private readonly asOf: HTMLElement;
  private readonly failure: HTMLElement;
  private readonly notice: HTMLElement;
  private readonly hint: HTMLElement;
  private readonly chart: HTMLElement;
  private shown: ReviewPage | null = null;

  constructor(
    title: string,
    private readonly act: (does: ReviewAct) => void,
  ) {
    const sentence = (): HTMLElement => createElement('p.dim', { hidden: '' });
    this.progress = createElement('span.dim.progress');
    this.title = createElement('h2.review-title', { hidden: '' });
    this.why = createElement('p.why', { hidden: '' });
    this.note = sentence();
    this.hint = sentence();
    this.hint.id = 'open-hint';
    this.asOf = createElement('span.dim.num', { id: 'as-of' });
    this.failure = createElement('p.message', { role: 'alert', hidden: '' });
    this.notice = createElement('p.message.done', { role: 'status', hidden: '' });
    this.chart = createElement('div.review-chart', { hidden: '' });
    const name = wrap('div.title', [createElement('h1.data', { text: title }), this.progress]);
    const texts = wrap('div.review-texts', [this.title, this.why, this.note, this.hint]);
    const top = wrap('div.top', [name, this.createActions()]);
    const verdict = wrap('div.review-verdict', [texts, this.chart]);
    this.element = wrap('header', [top, this.failure, this.notice, verdict]);
  }

  update({ draft, page, status }: HeadInput): void {
    const isCurrent = page !== null && page.revision === draft?.revision && status.doing === null;
    const isSound = draft !== null && readReviewDraft(draft).choice !== null;
    const hasScripts = isCurrent && page.scripts.length > 0;
    if (page !== this.shown && page !== null) this.showPage(page);
    setText(this.progress, status.doing === null ? '' : doingWords[status.doing]);
    showText(this.failure, status.failure);
    showText(this.notice, status.notice);
    showText(this.hint, describeHint({ isCurrent, isSound, page, status }));
    this.enable('open', hasScripts);
    this.enable('openRecord', hasScripts && page.hasRecord);
    this.enable('compare', hasScripts && status.canCompare);
    this.buttons.get('compare')!.hidden = !status.canCompare;
    this.enable('readAgain', isSound && status.doing === null);
  }

  private showPage(page: ReviewPage): void {
    if (JSON.stringify(page.forecast) !== JSON.stringify(this.shown?.forecast ?? null))
      this.chart.replaceChildren(...(page.forecast === null ? [] : [createForecastChart(page.forecast)]));
    this.chart.hidden = page.forecast === null;
    this.shown = page;
    showText(this.title, page.title);
    const words = page.why.map(({ text, weight }) =>
      createElement(weight === 'strong' ? 'b' : 'span', { text }),
    );
    this.why.replaceChildren(createElement('b', { text: `${t('Why:')} ` }), ...words);
    this.why.hidden = page.why.length === 0;
    showText(this.note, page.note);
    setText(this.asOf, t('as of {0}', page.asOf));
    setTitle(this.asOf, t('Read from the server at {0}', page.readAt));
  }

  private createActions(): HTMLElement {
    return wrap('div.actions', [
      this.asOf,
      this.createButton('readAgain', t('Read again'), { 'aria-describedby': 'as-of' }),
      this.createButton('compare', t('Show changes since the last script'), { hidden: '' }),
      this.createButton('openRecord', t('Open change record')),
      this.createButton('open', t('Open script and rollback'), {
        class: 'primary',
        'aria-describedby': 'open-hint',
      }),
    ]);
  }

  private enable(act: ReviewAct, isEnabled: boolean): void {
    this.buttons.get(act)?.setAttribute('aria-disabled', String(!isEnabled));
  }

  private createButton(
    act: ReviewAct,
    text: string,
    spec: Parameters<typeof createElement>[1] = {},
  ): HTMLElement {
    const onClick = (): void => {
      if (button.getAttribute('aria-disabled') !== 'true') this.act(act);
    };
    const button = createButton(text, onClick, spec);
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
  if (!isSound) return t('A field has an invalid value. Correct it to open scripts.');
  if (!isCurrent)
    return status.failure === null
      ? t('Scripts can be opened when planning is done.')
      : t('There are no scripts until the server answers.');
  if (page === null || page.scripts.length === 0)
    return t('No script to open. Tick a database below; the table says why others stay as they are.');
  return t('Nothing is run from here. You run the script.');
}

const doingWords: Readonly<Record<NonNullable<ReviewStatus['doing']>, string>> = {
  reading: t('Reading the server…'),
  planning: t('Planning…'),
};
