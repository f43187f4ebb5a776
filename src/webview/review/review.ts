/** The review of scripts: takes messages and the reader's actions, keeps the draft, and repaints once a frame. */
import { readReviewDraft, type ReviewDraft } from '../../core/review/review-draft';
import {
  changeBetween,
  changeText,
  indexDraft,
  moveDatabase,
  tickDatabase,
  tickRows,
} from '../../core/review/review-edits';
import { beginReview, type ReviewBegin, type ReviewView } from '../../core/review/review-groups';
import type { ReviewPage } from '../../core/review/review-page';
import type { FromReview, ReviewStatus, ToReview } from '../../protocol';
import { setText, createLiveRegion, wrap } from '../kit/elements';
import { t } from '../../core/language';
import { createFrame, type Frame } from '../kit/frame';
import type { WebviewHost } from '../kit/page-host';
import { ReviewFindingsView } from './review-findings';
import { ReviewForm } from './review-form';
import { type ReviewAct, ReviewHead } from './review-head';
import { ReviewPreview } from './review-preview';
import { ReviewTable, parseReviewView } from './review-table';

export class Review {
  private draft: ReviewDraft | null = null;
  /** The drafts before each change of what is ticked, the newest last. */
  private earlier: readonly ReviewDraft[] = [];
  private page: ReviewPage | null = null;
  private status: ReviewStatus = { doing: 'reading', failure: null, notice: null, canCompare: false };
  private view: ReviewView;
  /** null: the next page decides it. */
  private begin: ReviewBegin | null = null;
  private readonly frame: Frame;
  private readonly head: ReviewHead;
  private readonly form: ReviewForm;
  private readonly findings: ReviewFindingsView;
  private readonly table: ReviewTable;
  private readonly preview: ReviewPreview;
  private readonly main: HTMLElement;
  private readonly live: HTMLElement;

  constructor(
    root: HTMLElement,
    window: Window,
    private readonly host: WebviewHost<FromReview>,
  ) {
    this.view = parseReviewView(host.getState());
    this.frame = createFrame(window, () => this.render());
    this.head = new ReviewHead(document.title, (act) => this.act(act));
    this.form = new ReviewForm({
      onText: (field, text) => this.edit((draft) => changeText(draft, field, text)),
      onBetween: (between) => this.edit((draft) => changeBetween(draft, between)),
    });
    this.findings = new ReviewFindingsView();
    this.table = new ReviewTable({
      onView: (part) => this.changeView(part),
      onTick: (databaseId, isIn) => this.choose((draft) => tickDatabase(draft, databaseId, isIn)),
      onTickRows: (rows, isIn) => this.choose((draft) => tickRows(draft, rows, isIn)),
      onWave: (databaseId, wave) => this.choose((draft) => moveDatabase(draft, databaseId, wave)),
    });
    this.live = createLiveRegion();
    this.preview = new ReviewPreview();
    const split = wrap('div.review-split', [this.table.element, this.preview.element]);
    this.main = wrap('main.review-main', [this.form.element, this.findings.element, split]);
    root.replaceChildren(this.head.element, this.main, this.live);
    // A text field undoes by itself what was typed into it since it has the focus.
    let isTyping = false;
    this.table.element.addEventListener('focusin', () => (isTyping = false));
    this.table.element.addEventListener('input', ({ target }) => {
      isTyping = target instanceof HTMLInputElement && target.type !== 'checkbox';
    });
    this.table.element.addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || isTyping) return;
      event.preventDefault();
      this.undo();
    });
    this.frame.request();
  }

  start(): void {
    this.host.postMessage({ type: 'ready' });
  }

  receive(message: ToReview): void {
    switch (message.type) {
      case 'draft':
        this.draft = message.draft;
        this.begin = null;
        this.earlier = [];
        this.form.fill(message.draft);
        break;
      case 'page':
        this.page = message.page;
        this.begin ??= this.draft && beginReview(message.page.rows, this.draft.namedIds);
        setText(this.live, message.page.title);
        break;
      case 'status':
        this.status = message.status;
        break;
      default:
        message satisfies never;
    }
    this.frame.request();
  }

  /** A change of what is ticked, which can be taken back. */
  private choose(change: (draft: ReviewDraft) => ReviewDraft): void {
    if (this.draft !== null) this.earlier = [...this.earlier, this.draft];
    this.edit(change);
  }

  private undo(): void {
    const last = this.earlier[this.earlier.length - 1];
    if (last === undefined) return;
    this.earlier = this.earlier.slice(0, -1);
    // What was typed since stays.
    this.edit(({ revision, texts, between }) => ({ ...last, texts, between, revision: revision + 1 }));
    setText(this.live, t('Taken back.'));
  }

  private edit(change: (draft: ReviewDraft) => ReviewDraft): void {
    if (this.draft === null) return;
    this.draft = change(this.draft);
    this.host.postMessage({ type: 'choose', draft: this.draft });
    this.frame.request();
  }

  private changeView(part: Partial<ReviewView>): void {
    this.view = { ...this.view, ...part };
    this.host.setState(this.view);
    this.frame.request();
  }

  private act(act: ReviewAct): void {
    if (act === 'readAgain') this.host.postMessage({ type: act });
    else if (this.draft !== null) this.host.postMessage({ type: act, revision: this.draft.revision });
  }

  private render(): void {
    const { draft, page, status } = this;
    this.head.update({ draft, page, status });
    for (const part of this.main.children) (part as HTMLElement).hidden = draft === null || page === null;
    this.main.setAttribute(
      'aria-busy',
      String(status.doing !== null && draft !== null && readReviewDraft(draft).choice !== null),
    );
    if (draft !== null) this.form.update(draft, page);
    if (draft === null || page === null) return;
    this.findings.update(page);
    // Until the answer to another draft comes, the last page is shown but cannot be opened.
    const begin = this.begin ?? beginReview(page.rows, draft.namedIds);
    this.table.update({ page, view: this.view, draft: indexDraft(draft), begin });
    this.preview.update(page.previews);
  }
}
