import type { DatabaseFacts } from '../../../src/core/advice/facts';
import type { Choice } from '../../../src/core/advice/plan';
import { oneWave } from '../../core/script/scripts-of';
import type { Proposal } from '../../../src/core/advice/proposal';
import type { ReviewDraft } from '../../../src/core/review/review-draft';
import type { ScriptSet } from '../../../src/core/script/script-set';
import type { ReviewText } from '../../../src/core/script/text';
import type { ReviewedSwitch, SwitchReview } from '../../../src/monitor/server-monitor';
import type { ReviewStatus, ToReview } from '../../../src/protocol';
import { createLog } from '../../../src/shell/kit/log';
import { ReviewSession } from '../../../src/shell/review/review-session';
import { FakeConversation } from '../fake-conversation';
import { FakeMonitor } from '../fake-editor';
import { database, facts, snapshot } from '../sample';

/** Those that a plan has in it. */
const inPlan = [database(5, 'a'), database(6, 'b')];
const found = snapshot(facts([database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

export function scriptsOf(waves: number): ScriptSet {
  const scripts = Array.from({ length: waves }, (_, at) =>
    (['change', 'rollback'] as const).map((kind) => ({
      title: `${kind} ${at + 1}`,
      kind,
      wave: at + 1,
      text: `${kind} ${at + 1}` as ReviewText,
    })),
  );
  return { scripts: scripts.flat(), record: '# Record' };
}

/** Answers when the test says so. */
class SlowMonitor extends FakeMonitor {
  readonly waiting: {
    /** Whether the server is asked for it. */
    readonly reads: boolean;
    readonly choice: Choice;
    readonly signal: AbortSignal;
    answer(review?: SwitchReview): void;
    fail(error: Error): void;
  }[] = [];

  override reviewSwitch(choice: Choice, signal = new AbortController().signal): Promise<ReviewedSwitch> {
    return this.wait(choice, true, signal);
  }

  override replanSwitch(choice: Choice): Promise<ReviewedSwitch> {
    return this.wait(choice, false, new AbortController().signal);
  }

  private wait(choice: Choice, reads: boolean, signal: AbortSignal): Promise<ReviewedSwitch> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('cancelled')));
      this.waiting.push({ reads, choice, signal, answer: (review = this.review) => resolve(this.ground(review)), fail: reject });
    });
  }
}

export interface Desk {
  readonly session: ReviewSession;
  readonly monitor: SlowMonitor;
  readonly posted: ToReview[];
  readonly opened: string[];
  /** Called before each editor. */
  beforeOpen(title: string): void;
  readonly lastOpened: () => ScriptSet | undefined;
  readonly compared: [ScriptSet, ScriptSet][];
  readonly conversation: FakeConversation;
  readonly logged: string[];
  /** Lets the time pass for which the session waits. */
  wait(): void;
  draft(): ReviewDraft;
  status(): ReviewStatus;
  /** Answers the plan that is asked for, and waits until it is taken in. @param databases those that are in it */
  answer(scripts?: ScriptSet | null, databases?: readonly DatabaseFacts[]): Promise<void>;
  /** Opens the scripts of that draft, and answers what is read before that: as reviewed, where nothing else is given. */
  open(revision?: number, databases?: readonly DatabaseFacts[]): Promise<void>;
  /** How often the server was read. */
  reads(): number;
  /** The revision of the page shown last. */
  revision(): number;
}

export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function openSession(answers: unknown[] = [], proposal: Proposal = { databaseIds: [5, 6], namedIds: [] }): Desk {
  const monitor = new SlowMonitor('server-1', found, found);
  const posted: ToReview[] = [];
  const conversation = new FakeConversation(answers);
  const [opened, logged, compared] = [[] as string[], [] as string[], [] as [ScriptSet, ScriptSet][]];
  const waiting: (() => void)[] = [];
  let last: ScriptSet | undefined;
  const write = (line: string): void => void logged.push(line);
  const find = <T extends ToReview['type']>(type: T): Extract<ToReview, { type: T }> =>
    posted.filter((message) => message.type === type).at(-1) as Extract<ToReview, { type: T }>;
  const desk: Desk = {
    monitor,
    posted,
    conversation,
    opened,
    compared,
    logged,
    beforeOpen: () => undefined,
    lastOpened: () => last,
    wait: () => waiting.splice(0).forEach((task) => task()),
    draft: () => find('draft').draft,
    status: () => find('status').status,
    revision: () => find('page').page.revision,
    reads: () => monitor.waiting.filter(({ reads }) => reads).length,
    open: async (revision = 1, databases = inPlan) => {
      const opening = desk.session.receive({ type: 'open', revision });
      opening.catch(() => undefined);
      await desk.answer(scriptsOf(1), databases);
      return opening;
    },
    answer: async (scripts = scriptsOf(1), databases = inPlan) => {
      const steps = (scripts === null ? [] : databases).map((one) => ({
        database: one,
        fromSeconds: one.targetSeconds ?? 0,
        toSeconds: 60,
        evidence: 'e',
        wave: 1,
      }));
      const plan = { targetSeconds: 60, waves: oneWave, steps, exclusions: [] };
      await settle();
      monitor.waiting.at(-1)?.answer({
        plan,
        preflight: { server: [], databases: new Map(), unseen: [] },
        forecast: null,
        mediansMs: new Map(),
        previews: [],
        scripts,
      });
      await settle();
    },
    session: null as unknown as ReviewSession,
  };
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
      log: createLog({ info: write, warn: write, error: write }),
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
  return Object.assign(desk, { session });
}

/** A session whose page was shown. */
export async function openPlanned(answers: unknown[] = [], scripts: ScriptSet | null = scriptsOf(1)): Promise<Desk> {
  const desk = openSession(answers);
  await desk.session.receive({ type: 'ready' });
  await desk.answer(scripts);
  return desk;
}
