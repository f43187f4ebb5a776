import type { DatabaseFacts } from '../../../src/core/advice/facts';
import type { Choice } from '../../../src/core/advice/plan';
import type { Proposal } from '../../../src/core/advice/proposal';
import type { ReviewDraft } from '../../../src/core/review/review-draft';
import type { ScriptSet } from '../../../src/core/script/script-set';
import type {
  ReviewedSwitch,
  ServerMonitor,
  ServerSnapshot,
  SwitchReview,
} from '../../../src/monitor/server-monitor';
import type { ReviewStatus, ToReview } from '../../../src/protocol';
import { ReviewSession } from '../../../src/shell/review/review-session';
import { FakeConversation } from '../fake-conversation';
import { createFakeLog, FakeMonitor } from '../fake-editor';
import { reviewOf, scriptsOf } from '../fake-monitor';
import { database, shop } from '../sample';

/** Those that a plan has in it. */
const inPlan = [database(5, 'a'), database(6, 'b')];

/** Answers when the test says so. */
class SlowMonitor extends FakeMonitor {
  readonly waiting: {
    /** Whether the server is asked for it. */
    readonly reads: boolean;
    readonly choice: Choice;
    readonly signal: AbortSignal;
    answer(review: SwitchReview): void;
    fail(error: Error): void;
  }[] = [];

  override reviewSwitch: ServerMonitor['reviewSwitch'] = (choice, signal) => this.wait(choice, true, signal);
  override replanSwitch: ServerMonitor['replanSwitch'] = (choice) => this.wait(choice, false);

  private wait(
    choice: Choice,
    reads: boolean,
    signal = new AbortController().signal,
  ): Promise<ReviewedSwitch> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('cancelled')));
      this.waiting.push({
        reads,
        choice,
        signal,
        answer: (review) => resolve(this.ground(review)),
        fail: reject,
      });
    });
  }
}

export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A review, and all that it says and opens. @param facts what the pane knows of the server; null: nothing yet */
export function openSession(
  answers: unknown[] = [],
  facts: ServerSnapshot['facts'] = null,
  instance: ServerSnapshot['instance'] = null,
) {
  const monitor = new SlowMonitor('server-1', { ...shop(), instance }, { ...shop(), facts });
  const conversation = new FakeConversation(answers);
  const [posted, opened, logged, compared] = [
    [] as ToReview[],
    [] as string[],
    [] as string[],
    [] as [ScriptSet, ScriptSet][],
  ];
  const waiting: (() => void)[] = [];
  let last: ScriptSet | undefined;
  const find = <T extends ToReview['type']>(type: T): Extract<ToReview, { type: T }> =>
    posted.filter((message) => message.type === type).at(-1) as Extract<ToReview, { type: T }>;
  const proposal: Proposal = { databaseIds: [5, 6], namedIds: [] };
  const session = new ReviewSession(
    {
      serverId: 'server-1',
      monitor: async () => monitor,
      editor: {
        open: async (_text, title, serverId, place) => {
          desk.beforeOpen(title);
          opened.push(`${title} on ${serverId} ${place ?? 'in front'}`);
        },
      },
      conversation,
      log: createFakeLog(logged),
      post: (message) => void posted.push(message),
      schedule: (_delayMs, task) => {
        waiting.push(task);
        return { dispose: () => void waiting.splice(waiting.indexOf(task), 1) };
      },
      compare: async (before, after) => void compared.push([before, after]),
      lastOpened: { get: () => last, set: (scripts) => (last = scripts) },
    },
    proposal,
  );
  const desk = {
    session,
    monitor,
    posted,
    conversation,
    opened,
    compared,
    logged,
    /** Called before each editor. */
    beforeOpen: (title: string): unknown => title,
    lastOpened: () => last,
    /** Lets the time pass for which the session waits, and what comes of it. */
    wait: () => {
      waiting.splice(0).forEach((task) => task());
      return settle();
    },
    draft: (): ReviewDraft => find('draft').draft,
    status: (): ReviewStatus => find('status').status,
    page: () => find('page').page,
    choose: (draft: ReviewDraft) => session.receive({ type: 'choose', draft }),
    /** How often the server was read. */
    reads: () => monitor.waiting.filter(({ reads }) => reads).length,
    last: () => monitor.waiting[monitor.waiting.length - 1]!,
    /** Answers the plan that is asked for, and waits until it is taken in. @param databases those that are in it */
    answer: async (
      scripts: ScriptSet | null = scriptsOf(1),
      databases: readonly DatabaseFacts[] = inPlan,
    ) => {
      const steps = (scripts === null ? [] : databases).map((one) => {
        return { database: one, fromSeconds: one.targetSeconds ?? 0, toSeconds: 60, evidence: 'e', wave: 1 };
      });
      await settle();
      monitor.waiting.at(-1)?.answer(reviewOf(scripts, steps));
      await settle();
    },
    /**
     * Opens the scripts of that draft, and answers what is read before that: as reviewed, where nothing else is given.
     */
    open: async (revision = 1, databases: readonly DatabaseFacts[] = inPlan) => {
      const opening = session.receive({ type: 'open', revision });
      opening.catch(() => undefined);
      await desk.answer(scriptsOf(1), databases);
      return opening;
    },
  };
  return desk;
}

/** A session whose page was shown. */
export async function openPlanned(
  answers: unknown[] = [],
  scripts: ScriptSet | null = scriptsOf(1),
): Promise<ReturnType<typeof openSession>> {
  const desk = openSession(answers);
  await desk.session.receive({ type: 'ready' });
  await desk.answer(scripts);
  return desk;
}
