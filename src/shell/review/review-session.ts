/**
 * One review of scripts: what the reader asks for, planned anew with each change, and what is opened in the end. Planning reads the server and changes nothing;
 * what is opened is only opened.
 *
 *   choose -> wait -> plan -> page ; choose (the plan before is cancelled) -> wait -> plan -> page ; open
 */
import { countOf } from '../../core/format';
import type { Choice } from '../../core/advice/plan';
import type { Proposal } from '../../core/advice/proposal';
import {
  createReviewDraft,
  describeShortTarget,
  readReviewDraft,
  replaceDatabases,
  type ReviewDraft,
} from '../../core/picture/review-draft';
import { describeReview } from '../../core/picture/review-page';
import { formatSeconds } from '../../core/picture/review-words';
import type { ScriptSet } from '../../core/script/script-set';
import type { ScriptEditor } from '../../hosts/host';
import type { ServerMonitor, SwitchReview } from '../../monitor/server-monitor';
import type { FromReview, ReviewStatus, ToReview } from '../../protocol';
import type { Conversation } from '../conversation';
import { describeError, type Log, redact } from '../log';
import { ScriptOpening } from './script-opening';

/** A reader who types or ticks gets an answer this long after the last change. */
export const planDelayMs = 300;
/** More editors than this are opened only after a question. */
export const mostEditorsUnasked = 12;

export interface ReviewWorld {
  readonly serverId: string;
  readonly monitor: () => Promise<ServerMonitor>;
  readonly editor: ScriptEditor;
  readonly conversation: Pick<Conversation, 'confirm' | 'showText' | 'showWork'>;
  readonly log: Log;
  readonly post: (message: ToReview) => void;
  readonly schedule: (delayMs: number, task: () => void) => { dispose(): void };
  /** Shows what is different between two sets of scripts. */
  readonly compare: (before: ScriptSet, after: ScriptSet) => Promise<void>;
  /** The scripts that were opened last for this server, as long as the window is open. */
  readonly lastOpened: { get(): ScriptSet | undefined; set(scripts: ScriptSet): void };
}

interface Planned {
  readonly revision: number;
  readonly choice: Choice;
  readonly review: SwitchReview;
}

export class ReviewSession {
  private draft: ReviewDraft;
  private planned: Planned | null = null;
  private page: Extract<ToReview, { type: 'page' }> | null = null;
  private waiting: { dispose(): void } | null = null;
  private planning: AbortController | null = null;
  private failure: string | null = null;
  private notice: string | null = null;
  private opening: ScriptOpening | null = null;
  /** While editors are being opened. */
  private stopOpening: AbortController | null = null;
  private isGone = false;

  constructor(
    private readonly world: ReviewWorld,
    proposal: Proposal,
  ) {
    this.draft = createReviewDraft(proposal.databaseIds, proposal.namedIds);
    this.plan();
  }

  /** The reader pointed at other databases: the review goes on with them, and with what was typed. */
  begin({ databaseIds, namedIds }: Proposal): void {
    this.draft = replaceDatabases(this.draft, databaseIds, namedIds);
    this.notice = null;
    this.world.post({ type: 'draft', draft: this.draft });
    this.plan();
  }

  /** Takes in one message of the page. @throws Dismissed, Error with one sentence */
  async receive(message: FromReview): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.sendAll();
      case 'choose':
        return this.choose(message.draft);
      case 'readAgain':
        return this.plan();
      case 'open':
        return this.openScripts(message.revision);
      case 'openRecord':
        return this.world.conversation.showText(this.findScripts(message.revision).scripts.record, 'markdown');
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
    this.waiting?.dispose();
    this.planning?.abort();
    this.stopOpening?.abort();
  }

  private sendAll(): void {
    this.world.post({ type: 'draft', draft: this.draft });
    if (this.page !== null) this.world.post(this.page);
    this.sendStatus();
  }

  private choose(draft: ReviewDraft): void {
    // The page did not know yet that the review had begun anew.
    if (draft.revision <= this.draft.revision) return;
    this.draft = draft;
    this.notice = null;
    this.stopPlanning();
    if (readReviewDraft(draft).choice !== null) this.waiting = this.world.schedule(planDelayMs, () => this.plan());
    this.sendStatus();
  }

  private stopPlanning(): void {
    this.waiting?.dispose();
    this.waiting = null;
    this.planning?.abort();
    this.planning = null;
  }

  private plan(): void {
    this.stopPlanning();
    const { choice } = readReviewDraft(this.draft);
    if (choice === null) return;
    const cancel = new AbortController();
    this.planning = cancel;
    this.failure = null;
    this.sendStatus();
    void this.answer(this.draft, choice, cancel.signal);
  }

  /** Never throws: what went wrong is said on the page. An answer that came too late is dropped. */
  private async answer(draft: ReviewDraft, choice: Choice, signal: AbortSignal): Promise<void> {
    const outcome = await this.ask(choice, signal).catch((error: unknown) => ({ error }));
    if (signal.aborted) return;
    this.planning = null;
    if ('error' in outcome) this.fail(outcome.error);
    else this.takeIn(draft, choice, outcome);
    this.sendStatus();
  }

  private async ask(choice: Choice, signal: AbortSignal): Promise<{ monitor: ServerMonitor; review: SwitchReview }> {
    const monitor = await this.world.monitor();
    return { monitor, review: await monitor.reviewSwitch(choice, signal) };
  }

  private fail(error: unknown): void {
    this.failure = redact(describeError(error));
    this.world.log.error(`Review: ${(error instanceof Error && error.stack) || describeError(error)}`);
  }

  private takeIn(draft: ReviewDraft, choice: Choice, { monitor, review }: { monitor: ServerMonitor; review: SwitchReview }): void {
    const { facts, instance, verdicts } = monitor.snapshot;
    if (facts === null) return this.fail(new Error(`${monitor.snapshot.label} did not answer yet; try again.`));
    const { revision } = draft;
    this.failure = null;
    this.planned = { revision, choice, review };
    const page = describeReview({ revision, facts, instance, verdicts, namedIds: new Set(draft.namedIds), ...review });
    this.page = { type: 'page', page };
    this.world.post(this.page);
  }

  private sendStatus(): void {
    if (this.isGone) return;
    const last = this.world.lastOpened.get();
    const now = this.planned?.review.scripts ?? null;
    const status: ReviewStatus = {
      isPlanning: this.waiting !== null || this.planning !== null,
      failure: this.failure,
      notice: this.notice,
      canCompare: last !== undefined && now !== null && last !== now,
    };
    this.world.post({ type: 'status', status });
  }

  /** The scripts that the reader saw the page of. @throws Error with one sentence where the page is of another draft */
  private findScripts(revision: number): { readonly scripts: ScriptSet; readonly planned: Planned } {
    const { planned } = this;
    if (planned === null || planned.revision !== revision || this.draft.revision !== revision)
      throw new Error('The review has changed meanwhile: look at it again first.');
    if (planned.review.scripts === null) throw new Error('There is nothing to switch, so there is no script.');
    return { scripts: planned.review.scripts, planned };
  }

  private async openScripts(revision: number): Promise<void> {
    const { scripts, planned } = this.findScripts(revision);
    if (this.stopOpening !== null) return;
    const stop = (this.stopOpening = new AbortController());
    if (this.opening?.scripts !== scripts) this.opening = new ScriptOpening(scripts, this.world.editor, this.world.serverId);
    try {
      await this.confirm(this.opening.left, planned.choice.targetSeconds);
      await this.openEditors(this.opening, stop);
    } finally {
      this.stopOpening = null;
    }
    const { steps, exclusions } = planned.review.plan;
    const monitor = await this.world.monitor();
    if (this.opening.isWhole) await monitor.keepForecast(planned.review);
    const { label } = monitor.snapshot;
    this.world.log.info(
      `${label}: ${this.notice} ${countOf(steps.length, 'database is', 'databases are')} in, ${exclusions.length} left out.`,
    );
  }

  /** @throws Error with one sentence that says how far it came */
  private async openEditors(opening: ScriptOpening, stop: AbortController): Promise<void> {
    const say = (notice: string | null): void => {
      this.notice = notice;
      this.sendStatus();
    };
    let notice: string | null = null;
    try {
      await this.world.conversation.showWork(`Opening ${opening.left} editors`, (signal) => {
        signal.addEventListener('abort', () => stop.abort());
        return opening.run(stop.signal, say);
      });
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
  private async confirm(editors: number, targetSeconds: number): Promise<void> {
    const { conversation } = this.world;
    const tradeOff = describeShortTarget(targetSeconds);
    if (tradeOff !== null)
      await conversation.confirm(`Write scripts that lead to ${formatSeconds(targetSeconds)}?`, tradeOff, 'Open Scripts');
    if (editors > mostEditorsUnasked)
      await conversation.confirm(
        `Open ${editors} editors?`,
        'Each wave is a script of its own, and each has its rollback twin beside it. Larger waves, or one script that pauses between them, need fewer.',
        'Open All',
      );
  }

  private async compare(revision: number): Promise<void> {
    const { scripts } = this.findScripts(revision);
    const last = this.world.lastOpened.get();
    if (last === undefined) throw new Error('No scripts were opened for this server before, so there is nothing to compare with.');
    await this.world.compare(last, scripts);
  }
}

/** "Opened 3 scripts, each with its rollback twin beside it. Nothing was executed." */
export function describeOpened({ scripts }: ScriptSet): string {
  const changes = scripts.filter(({ kind }) => kind === 'change').length;
  const twins = scripts.filter(({ kind }) => kind === 'rollback').length;
  const what = countOf(changes, 'script');
  const beside =
    twins === 0 ? '' : twins === changes && changes > 1 ? ', each with its rollback twin beside it' : ', with the rollback beside it';
  return `Opened ${what}${beside}. Nothing was executed.`;
}
