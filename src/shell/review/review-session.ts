/**
 * One review of scripts. It plans again after each change of the reader, and opens the scripts in the end. It reads the
 * server when the review begins, when the reader asks for it, and once before it opens the scripts. A change is planned
 * from what was read last. Nothing is run.
 *
 *   begin, readAgain -> page of what is known ; read -> plan -> page ; choose -> wait -> plan -> page ; open -> read -> as reviewed: editors
 *                                                                                          -> another plan: page, and nothing is opened
 */
import { describeError } from '../../monitor/queries/failure';
import { countOf, english } from '../../core/format';
import type { Choice } from '../../core/advice/plan';
import { type Proposal, proposeDatabases } from '../../core/advice/proposal';
import {
  createReviewDraft,
  describeShortTarget,
  readReviewDraft,
  replaceDatabases,
  rollBack,
  type ReviewDraft,
} from '../../core/review/review-draft';
import { describeReviewChanges } from '../../core/review/review-changes';
import { describeReview, formatSeconds, type ReviewPage } from '../../core/review/review-page';
import type { ScriptSet } from '../../core/script/script-set';
import type { ScriptEditor } from '../../hosts/host';
import type { ReviewedSwitch, ServerMonitor } from '../../monitor/server-monitor';
import type { FromReview, ReviewStatus, ToReview } from '../../protocol';
import type { Conversation } from '../kit/conversation';
import { type Log, redact } from '../kit/log';
import { ScriptOpening } from './script-opening';
import { t } from '../../core/language';

/** The plan is made this long after the reader's last change. */
const PLAN_DELAY_MS = 300;

interface ReviewWorld {
  readonly serverId: string;
  readonly monitor: () => Promise<ServerMonitor>;
  readonly editor: ScriptEditor;
  readonly conversation: Pick<Conversation, 'confirm' | 'showText' | 'showWork'>;
  readonly log: Log;
  readonly post: (message: ToReview) => void;
  readonly schedule: (delayMs: number, task: () => void) => { dispose(): void };
  /** Shows the differences between two sets of scripts. */
  readonly compare: (before: ScriptSet, after: ScriptSet) => Promise<void>;
  /** The scripts that were last opened for this server in this window. */
  readonly lastOpened: { get(): ScriptSet | undefined; set(scripts: ScriptSet): void };
}

type Doing = NonNullable<ReviewStatus['doing']>;

interface Asked {
  readonly draft: ReviewDraft;
  readonly choice: Choice;
}

interface Planned extends Asked {
  readonly review: ReviewedSwitch;
  readonly page: ReviewPage;
}

export class ReviewSession {
  private draft: ReviewDraft;
  private planned: Planned | null = null;
  private waiting: { dispose(): void } | null = null;
  private work: { readonly doing: Doing; readonly cancel: AbortController } | null = null;
  private failure: string | null = null;
  private notice: string | null = null;
  private opening: ScriptOpening | null = null;
  /** Set while editors are being opened. */
  private stopOpening: AbortController | null = null;
  private isGone = false;

  constructor(
    private readonly world: ReviewWorld,
    proposal: Proposal,
  ) {
    this.draft = openDraft(proposal);
    this.plan('reading');
  }

  /**
   * The reader pointed at other databases. The review goes on with them, and keeps what was typed, unless it was of a
   * rollback, or becomes one.
   */
  begin(proposal: Proposal): void {
    const { databaseIds, namedIds, isCanaryRun } = proposal;
    const { draft } = this;
    const isOther = proposal.rollsBack === true || draft.texts.targetSeconds === '0';
    this.draft = isOther
      ? { ...openDraft(proposal), revision: draft.revision + 1 }
      : replaceDatabases(draft, databaseIds, namedIds, isCanaryRun);
    this.notice = null;
    this.world.post({ type: 'draft', draft: this.draft });
    this.plan('reading');
  }

  /** Handles one message of the page. @throws Dismissed, Error with one sentence */
  async receive(message: FromReview): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.sendAll();
      case 'choose':
        return this.choose(message.draft);
      case 'readAgain':
        return this.plan('reading', true);
      case 'open':
        return this.openScripts(message.revision);
      case 'openRecord':
        return this.world.conversation.showText(
          this.findScripts(message.revision).scripts.record,
          'markdown',
        );
      case 'compare':
        return this.compare(message.revision);
      case 'failed':
        return this.world.log.error(`Review: ${message.message}`);
      default:
        return message satisfies never;
    }
  }

  dispose(): void {
    this.isGone = true;
    this.stopWork();
    this.stopOpening?.abort();
  }

  private sendAll(): void {
    this.world.post({ type: 'draft', draft: this.draft });
    if (this.planned !== null) this.world.post({ type: 'page', page: this.planned.page });
    this.sendStatus();
  }

  private choose(draft: ReviewDraft): void {
    // The page did not know yet that the review had begun again.
    if (draft.revision <= this.draft.revision) return;
    this.draft = draft;
    this.notice = this.failure = null;
    if (this.work?.doing !== 'reading') this.planSoon();
    this.sendStatus();
  }

  /** Readers go on typing and ticking, so only the last choice is planned. */
  private planSoon(): void {
    this.stopWork();
    if (readReviewDraft(this.draft).choice !== null)
      this.waiting = this.world.schedule(PLAN_DELAY_MS, () => this.plan('planning'));
  }

  private stopWork(): void {
    this.waiting?.dispose();
    this.work?.cancel.abort();
    this.waiting = this.work = null;
  }

  /** @param isAgain the reader asked for it: what is advised now is ticked if nothing was */
  private plan(doing: Doing, isAgain = false): void {
    const { draft } = this;
    const { choice } = readReviewDraft(draft);
    if (choice === null) return this.stopWork();
    const asked = { draft, choice };
    void this.answer(asked, doing, isAgain);
    // If that fails, reading fails too, and says why.
    if (doing === 'reading' && this.planned?.page.revision !== draft.revision)
      this.showKnown(asked).catch(() => undefined);
  }

  /**
   * The plan by what the pane knows, while the server is read. It is a page of no draft, whose revisions begin with 1,
   * so nothing can be opened from it.
   */
  private async showKnown(asked: Asked): Promise<void> {
    const { work } = this;
    const monitor = await this.world.monitor();
    if (monitor.snapshot.facts === null) return;
    const review = await monitor.replanSwitch(asked.choice);
    if (this.work === work) this.takeIn(asked, review, 0);
  }

  private async answer(asked: Asked, doing: Doing, isAgain: boolean): Promise<void> {
    const review = await this.ask(asked, doing);
    if (review !== null) this.takeIn(asked, review);
    if (review !== null && isAgain) this.tickAdvised(asked, review);
    this.goOn(asked);
  }

  /** A review that was opened before there was a verdict had nothing to tick. */
  private tickAdvised({ draft }: Asked, { facts, verdicts, instance }: ReviewedSwitch): void {
    const isUntouched = this.draft === draft && draft.databaseIds.length === 0;
    if (!isUntouched || draft.texts.targetSeconds === '0') return;
    const pointedAt = { databaseIds: [], group: null };
    const { databaseIds } = proposeDatabases(pointedAt, facts, verdicts, instance?.advised ?? []);
    if (databaseIds.length === 0) return;
    this.draft = replaceDatabases(draft, databaseIds, []);
    this.world.post({ type: 'draft', draft: this.draft });
  }

  /** Plans the changes that came while the server was read. */
  private goOn({ draft }: Asked): void {
    if (this.work === null && this.waiting === null && this.draft.revision > draft.revision) this.planSoon();
    this.sendStatus();
  }

  /**
   * Never throws; the page says what went wrong. null if it went wrong, or if the reader has asked for something else
   * meanwhile.
   */
  private async ask({ choice }: Asked, doing: Doing): Promise<ReviewedSwitch | null> {
    this.stopWork();
    const cancel = new AbortController();
    this.work = { doing, cancel };
    if (doing === 'reading') this.failure = null;
    this.sendStatus();
    try {
      const monitor = await this.world.monitor();
      const review = await (doing === 'reading'
        ? this.read(monitor, choice, cancel)
        : monitor.replanSwitch(choice));
      return cancel.signal.aborted ? null : review;
    } catch (error) {
      if (!cancel.signal.aborted) this.fail(error);
      return null;
    } finally {
      if (this.work?.cancel === cancel) this.work = null;
    }
  }

  /** @throws ConnectionError, Dismissed if the reader cancelled it */
  private read(monitor: ServerMonitor, choice: Choice, cancel: AbortController): Promise<ReviewedSwitch> {
    return this.world.conversation.showWork(
      t('Reading {0} for the review', monitor.snapshot.label),
      async (signal) => {
        const leave = (): void => cancel.abort();
        signal.addEventListener('abort', leave);
        try {
          return await monitor.reviewSwitch(choice, cancel.signal);
        } finally {
          if (signal.aborted) this.failure = t('Reading was cancelled: choose Read again to go on.');
          signal.removeEventListener('abort', leave);
        }
      },
    );
  }

  private fail(error: unknown): void {
    this.failure = redact(describeError(error));
    this.world.log.error(`Review: ${(error instanceof Error && error.stack) || describeError(error)}`);
  }

  private takeIn(asked: Asked, review: ReviewedSwitch, revision = asked.draft.revision): void {
    const page = describeReview({ revision, namedIds: new Set(asked.draft.namedIds), ...review });
    this.planned = { ...asked, review, page };
    this.world.post({ type: 'page', page });
  }

  private sendStatus(): void {
    if (this.isGone) return;
    const last = this.world.lastOpened.get();
    const now = this.planned?.review.scripts ?? null;
    const status: ReviewStatus = {
      doing: this.waiting !== null ? 'planning' : (this.work?.doing ?? null),
      failure: this.failure,
      notice: this.notice,
      canCompare: last !== undefined && now !== null && last !== now,
    };
    this.world.post({ type: 'status', status });
  }

  /** The scripts of the page that the reader saw. @throws Error with one sentence if that page is of another draft */
  private findScripts(revision: number): { readonly scripts: ScriptSet; readonly planned: Planned } {
    const { planned } = this;
    if (planned === null || planned.page.revision !== revision || this.draft.revision !== revision)
      throw new Error(t('The review has changed. Look at it again first.'));
    if (planned.review.scripts === null)
      throw new Error(t('There is nothing to switch, so there is no script.'));
    return { scripts: planned.review.scripts, planned };
  }

  private async openScripts(revision: number): Promise<void> {
    const { scripts, planned } = this.findScripts(revision);
    if (this.stopOpening !== null) return;
    const stop = (this.stopOpening = new AbortController());
    if (this.opening?.scripts !== scripts)
      this.opening = new ScriptOpening(scripts, this.world.editor, this.world.serverId);
    try {
      await this.confirm(planned.choice.targetSeconds);
      if (!(await this.isAsReviewed(planned)) || stop.signal.aborted) return;
      this.findScripts(revision);
      await this.openEditors(this.opening, stop);
    } finally {
      this.stopOpening = null;
    }
    const { steps, exclusions } = planned.review.plan;
    const monitor = await this.world.monitor();
    if (this.opening.isWhole) await monitor.keepForecast(planned.review);
    const { label } = monitor.snapshot;
    this.world.log.info(
      `${label}: ${this.notice ?? ''} ${english.countOf(steps.length, 'database is', 'databases are')} in, ${english.formatCount(exclusions.length)} left out.`,
    );
  }

  /** Reads the server once more. If a script would do something else now, the page says so and shows the new plan. */
  private async isAsReviewed(planned: Planned): Promise<boolean> {
    const review = await this.ask(planned, 'reading');
    const changes = review && describeReviewChanges(planned.review, review);
    if (review !== null && changes !== null) {
      this.takeIn(planned, review);
      this.failure = t(
        'Nothing was opened, because the server has changed since {0}: {1} The page shows the new plan.',
        planned.page.asOf,
        changes,
      );
    }
    this.goOn(planned);
    return review !== null && changes === null;
  }

  /** @throws Error with one sentence that says how many were opened */
  private async openEditors(opening: ScriptOpening, stop: AbortController): Promise<void> {
    const say = (notice: string | null): void => {
      this.notice = notice;
      this.sendStatus();
    };
    let notice: string | null = null;
    try {
      await this.world.conversation.showWork(
        countOf(opening.left, t('Opening {0} editor'), t('Opening {0} editors')),
        (signal) => {
          signal.addEventListener('abort', () => stop.abort());
          return opening.run(stop.signal, say);
        },
      );
      notice = opening.isWhole ? describeOpened(opening.scripts) : opening.describeStop();
    } catch (error) {
      notice = redact(describeError(error));
      throw error;
    } finally {
      if (opening.openedScripts !== null) this.world.lastOpened.set(opening.openedScripts);
      say(notice);
    }
  }

  /** @throws Dismissed */
  private async confirm(targetSeconds: number): Promise<void> {
    const { conversation } = this.world;
    const tradeOff = describeShortTarget(targetSeconds);
    if (tradeOff !== null)
      await conversation.confirm(
        t('Write scripts for {0}?', formatSeconds(targetSeconds)),
        tradeOff,
        t('Open Scripts'),
      );
  }

  private async compare(revision: number): Promise<void> {
    const { scripts } = this.findScripts(revision);
    const last = this.world.lastOpened.get();
    if (last === undefined)
      throw new Error(t('No scripts were opened for this server before, so there is nothing to compare.'));
    await this.world.compare(last, scripts);
  }
}

function openDraft({ databaseIds, namedIds, isCanaryRun, rollsBack }: Proposal): ReviewDraft {
  const draft = createReviewDraft(databaseIds, namedIds, isCanaryRun);
  return rollsBack === true ? rollBack(draft) : draft;
}

/** "Opened 3 scripts, each with its rollback twin beside it. Nothing was executed." */
export function describeOpened({ scripts }: ScriptSet): string {
  const changes = scripts.filter(({ kind }) => kind === 'change').length;
  const twins = scripts.filter(({ kind }) => kind === 'rollback').length;
  const what = countOf(changes, t('{0} script'), t('{0} scripts'));
  if (twins === 0) return t('Opened {0}. Nothing was executed.', what);
  return twins === changes && changes > 1
    ? t('Opened {0}, each with its rollback script beside it. Nothing was executed.', what)
    : t('Opened {0}, with the rollback script beside it. Nothing was executed.', what);
}
