import assert from 'node:assert/strict';
import { oneWave, type Choice } from '../../../src/core/advice/plan';
import type { Proposal } from '../../../src/core/advice/proposal';
import type { ReviewDraft } from '../../../src/core/picture/review-draft';
import { changeText, tickDatabase } from '../../../src/core/picture/review-edits';
import type { ScriptSet } from '../../../src/core/script/script-set';
import type { ReviewText } from '../../../src/core/script/text';
import type { SwitchReview } from '../../../src/monitor/server-monitor';
import type { ReviewStatus, ToReview } from '../../../src/protocol';
import { createLog } from '../../../src/shell/log';
import { describeOpened, mostEditorsUnasked, ReviewSession } from '../../../src/shell/review/review-session';
import { FakeConversation, FakeMonitor } from '../fake-editor';
import { database, facts, snapshot } from '../sample';

const found = snapshot(facts([database(5, 'a'), database(6, 'b'), database(7, 'c', { targetSeconds: 60 })]));

function scriptsOf(waves: number): ScriptSet {
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
    readonly choice: Choice;
    readonly signal: AbortSignal;
    answer(review?: SwitchReview): void;
    fail(error: Error): void;
  }[] = [];

  override reviewSwitch(choice: Choice, signal = new AbortController().signal): Promise<SwitchReview> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('cancelled')));
      this.waiting.push({ choice, signal, answer: (review = this.review) => resolve(review), fail: reject });
    });
  }
}

interface Desk {
  readonly session: ReviewSession;
  readonly monitor: SlowMonitor;
  readonly posted: ToReview[];
  readonly opened: string[];
  readonly compared: [ScriptSet, ScriptSet][];
  readonly conversation: FakeConversation;
  readonly logged: string[];
  closed: number;
  /** Lets the time pass for which the session waits. */
  wait(): void;
  draft(): ReviewDraft;
  status(): ReviewStatus;
  /** Answers the plan that is asked for, and waits until it is taken in. */
  answer(scripts?: ScriptSet | null): Promise<void>;
  /** The revision of the page shown last. */
  revision(): number;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function openSession(answers: unknown[] = [], proposal: Proposal = { databaseIds: [5, 6], namedIds: [] }): Desk {
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
    closed: 0,
    wait: () => waiting.splice(0).forEach((task) => task()),
    draft: () => find('draft').draft,
    status: () => find('status').status,
    revision: () => find('page').page.revision,
    answer: async (scripts = scriptsOf(1)) => {
      const steps = (scripts === null ? [] : [5, 6]).map((id) => ({
        database: database(id, 'x'),
        fromSeconds: 0,
        toSeconds: 60,
        evidence: 'e',
        wave: 1,
      }));
      const plan = { targetSeconds: 60, waves: oneWave, steps, exclusions: [] };
      await settle();
      monitor.waiting.at(-1)?.answer({ plan, preflight: { server: [], databases: new Map(), unseen: [] }, scripts });
      await settle();
    },
    session: null as unknown as ReviewSession,
  };
  const session = new ReviewSession(
    {
      serverId: 'server-1',
      monitor: async () => monitor,
      editor: { open: async (_text, title, serverId, place) => void opened.push(`${title} on ${serverId} ${place ?? 'in front'}`) },
      conversation,
      log: createLog({ info: write, warn: write, error: write }),
      post: (message) => void posted.push(message),
      schedule: (_delayMs, task) => {
        waiting.push(task);
        return { dispose: () => void waiting.splice(waiting.indexOf(task), 1) };
      },
      compare: async (before, after) => void compared.push([before, after]),
      lastOpened: { get: () => last, set: (scripts) => (last = scripts) },
      close: () => desk.closed++,
    },
    proposal,
  );
  return Object.assign(desk, { session });
}

/** A session whose page was shown. */
async function openPlanned(answers: unknown[] = [], scripts: ScriptSet | null = scriptsOf(1)): Promise<Desk> {
  const desk = openSession(answers);
  await desk.session.receive({ type: 'ready' });
  await desk.answer(scripts);
  return desk;
}

describe('a review of scripts', () => {
  it('plans at once, and says to a page that is ready what it is planning and what came of it', async () => {
    const desk = openSession();
    await desk.session.receive({ type: 'ready' });
    assert.deepEqual(desk.draft().databaseIds, [5, 6]);
    assert.equal(desk.status().isPlanning, true);
    await desk.answer();
    assert.deepEqual([desk.status().isPlanning, desk.revision()], [false, 1]);
    desk.posted.splice(0);
    await desk.session.receive({ type: 'ready' });
    assert.deepEqual(
      desk.posted.map(({ type }) => type),
      ['draft', 'page', 'status'],
      'a page that was thrown away while it was hidden gets everything again',
    );
  });

  it('asks once for changes that follow each other, and cancels what it was still asking', async () => {
    const desk = openSession();
    await desk.session.receive({ type: 'ready' });
    await settle();
    const first = tickDatabase(desk.draft(), 7, true);
    await desk.session.receive({ type: 'choose', draft: first });
    await desk.session.receive({ type: 'choose', draft: changeText(first, 'targetSeconds', '90') });
    assert.equal(desk.monitor.waiting[0]?.signal.aborted, true);
    desk.wait();
    await settle();
    assert.equal(desk.monitor.waiting.length, 2);
    const { choice } = desk.monitor.waiting[1]!;
    assert.deepEqual([choice.databaseIds, choice.targetSeconds, [...(choice.namedIds ?? [])]], [[5, 6, 7], 90, [7]]);
    await desk.answer();
    assert.deepEqual([desk.revision(), desk.status().failure], [3, null], 'what was cancelled is no failure');
  });

  it('asks nothing while a field will not do', async () => {
    const desk = await openPlanned();
    await desk.session.receive({ type: 'choose', draft: changeText(desk.draft(), 'targetSeconds', '0') });
    desk.wait();
    await settle();
    assert.deepEqual([desk.monitor.waiting.length, desk.status().isPlanning], [1, false]);
    await assert.rejects(desk.session.receive({ type: 'open', revision: 2 }), /look at it again first/);
  });

  it('opens each change with its twin beside it, and says what was opened', async () => {
    const desk = await openPlanned([], scriptsOf(2));
    await desk.session.receive({ type: 'open', revision: 1 });
    assert.deepEqual(desk.opened, [
      'change 1 on server-1 in front',
      'rollback 1 on server-1 beside',
      'change 2 on server-1 in front',
      'rollback 2 on server-1 beside',
    ]);
    assert.equal(desk.status().notice, 'Opened 2 scripts, each with its rollback twin beside it. Nothing was executed.');
    assert.match(desk.logged.join(), /Opened 2 scripts.+2 databases are in/);
    assert.deepEqual(desk.conversation.said, []);
  });

  it('opens nothing but what the reader saw', async () => {
    const desk = await openPlanned();
    await desk.session.receive({ type: 'choose', draft: tickDatabase(desk.draft(), 5, false) });
    for (const type of ['open', 'openRecord', 'compare'] as const)
      for (const revision of [1, 2]) await assert.rejects(desk.session.receive({ type, revision }), /look at it again first/);
    assert.deepEqual([desk.opened, desk.conversation.shown], [[], []]);
  });

  it('opens nothing where there is nothing to switch', async () => {
    const desk = await openPlanned([], null);
    await assert.rejects(desk.session.receive({ type: 'open', revision: 1 }), /nothing to switch/);
  });

  it('asks before it opens a target under 20 seconds, and opens nothing unless that is confirmed', async () => {
    for (const answer of [false, true]) {
      const desk = await openPlanned([answer]);
      await desk.session.receive({ type: 'choose', draft: changeText(desk.draft(), 'targetSeconds', '10') });
      desk.wait();
      await desk.answer();
      await desk.session.receive({ type: 'open', revision: 2 }).catch((error: Error) => assert.equal(error.message, 'Dismissed'));
      assert.equal(desk.conversation.said[0], 'Write scripts that lead to 10 seconds?');
      assert.deepEqual([desk.opened.length, desk.status().notice !== null], answer ? [2, true] : [0, false]);
    }
  });

  it('asks before it fills the window with editors', async () => {
    const waves = mostEditorsUnasked / 2 + 1;
    const desk = await openPlanned([false], scriptsOf(waves));
    await assert.rejects(desk.session.receive({ type: 'open', revision: 1 }), /Dismissed/);
    assert.deepEqual([desk.conversation.said, desk.opened], [[`Open ${waves * 2} editors?`], []]);
  });

  it('opens the change record', async () => {
    const desk = await openPlanned();
    await desk.session.receive({ type: 'openRecord', revision: 1 });
    assert.deepEqual(desk.conversation.shown, ['# Record']);
  });

  it('compares with what was opened last, once there is something else to compare', async () => {
    const desk = await openPlanned();
    await assert.rejects(desk.session.receive({ type: 'compare', revision: 1 }), /nothing to compare with/);
    assert.equal(desk.status().canCompare, false);
    await desk.session.receive({ type: 'open', revision: 1 });
    assert.equal(desk.status().canCompare, false, 'nothing else yet');
    await desk.session.receive({ type: 'readAgain' });
    await desk.answer(scriptsOf(3));
    assert.equal(desk.status().canCompare, true);
    await desk.session.receive({ type: 'compare', revision: 1 });
    assert.deepEqual(
      desk.compared.map((sets) => sets.map(({ scripts }) => scripts.length)),
      [[2, 6]],
    );
  });

  it('says why there is no answer, without a secret, and asks again where the reader wants it', async () => {
    const desk = openSession();
    await settle();
    desk.monitor.waiting[0]?.fail(new Error('Login failed; password=hunter2.'));
    await settle();
    assert.equal(desk.status().failure, 'Login failed; password=***');
    assert.doesNotMatch(desk.logged.join(), /hunter2/);
    await desk.session.receive({ type: 'readAgain' });
    assert.deepEqual([desk.status().failure, desk.status().isPlanning], [null, true], 'an old failure is not shown over a new attempt');
    await desk.answer();
    assert.deepEqual([desk.status().failure, desk.revision()], [null, 1]);
  });

  it('begins anew with other databases, and takes nothing more of what the page said before that', async () => {
    const desk = await openPlanned();
    const stale = tickDatabase(desk.draft(), 5, false);
    desk.session.begin({ databaseIds: [7], namedIds: [7] });
    await desk.session.receive({ type: 'choose', draft: stale });
    await settle();
    assert.deepEqual([desk.draft().databaseIds, desk.draft().revision], [[7], 2]);
    assert.deepEqual(desk.monitor.waiting.at(-1)?.choice.databaseIds, [7]);
    assert.equal(desk.monitor.waiting.at(-1)?.choice.byName, true);
  });

  it('cancels what it asks when the panel goes, and closes it where the reader cancels', async () => {
    const desk = openSession();
    await settle();
    desk.session.dispose();
    assert.equal(desk.monitor.waiting[0]?.signal.aborted, true);
    await desk.session.receive({ type: 'cancel' });
    assert.equal(desk.closed, 1);
  });

  it('counts what was opened', () => {
    assert.equal(describeOpened(scriptsOf(1)), 'Opened 1 script, with the rollback beside it. Nothing was executed.');
    const [change] = scriptsOf(1).scripts;
    assert.equal(describeOpened({ scripts: [change!], record: '' }), 'Opened 1 script. Nothing was executed.');
  });
});
