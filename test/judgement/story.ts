/**
 * A server that is followed through a switch, moment by moment, as the extension follows it, with the text of every
 * surface at each moment.
 */
import assert from 'node:assert/strict';
import { checkServer } from '../../cli/src/check/findings';
import { writeMarkdown } from '../../cli/src/report/markdown';
import { describeServer } from '../../cli/src/report/reported-server';
import { createRandom } from '../../simulator/scenarios/random';
import type { Facts } from '../../src/core/advice/facts';
import { keepForecast } from '../../src/core/advice/forecast';
import { listWaves } from '../../src/core/advice/plan';
import { noPolicy } from '../../src/core/advice/policy';
import { describePlan } from '../../src/core/answers/plan-answer';
import { explainInstance } from '../../src/core/answers/server-answer';
import type { CaptureRecord } from '../../src/core/capture/capture-record';
import { CheckpointStore } from '../../src/core/capture/checkpoint-store';
import type { EvidencePage } from '../../src/core/pages/evidence-page';
import { joinWords } from '../../src/core/pages/instance-words';
import { writePageMarkdown } from '../../src/core/pages/page-markdown';
import { createReviewDraft, readReviewDraft } from '../../src/core/review/review-draft';
import { describeReview } from '../../src/core/review/review-page';
import type { Gap } from '../../src/core/session/gap';
import { finishSteps } from '../../src/core/steps';
import { encodeWatch, WATCH_SECTION } from '../../src/monitor/evidence/kept-changes';
import { ServerEvidence } from '../../src/monitor/evidence/server-evidence';
import { findChanges } from '../../src/monitor/facts/facts-reading';
import { type JudgedOn, ServerJudgement } from '../../src/monitor/facts/server-judgement';
import type { ServerSnapshot } from '../../src/monitor/server-monitor';
import { reviewSwitch } from '../../src/monitor/switch-review';
import { proposeReview } from '../../src/shell/commands/script-command';
import { createServerView } from '../../src/shell/dashboard/view';
import type * as statusBars from '../../src/shell/status-bar';
import type { Row } from '../../src/shell/tree/row';
import { listChildRows } from '../../src/shell/tree/rows';
import { createServerRow } from '../../src/shell/tree/server-row';
import { databaseOf, factsOf, serverOf } from '../core/advice/facts-of';
import { recordOf } from '../core/capture/record-of';
import { changeOf } from '../core/script/scripts-of';
import { loadShell } from '../shell/fake-vscode';
import { snapshot, tracking } from '../shell/sample';
import { type Asker, simulateQueue, type Turn } from '../../tools/judge/queue';

const { describeStatus } = loadShell<typeof statusBars>('status-bar');
const MINUTE_MS = 60_000;

/** That many minutes after the server was first looked at. */
export const at = (minutes: number): number => Date.UTC(2026, 2, 2, 8) + minutes * MINUTE_MS;

const minutesOf = (databaseId: number): number => 1 + ((databaseId - 5) % 4);

export type Moment = Awaited<ReturnType<Story['look']>>;

class Story {
  private readonly judgement = new ServerJudgement(() => noPolicy);
  private readonly askers: readonly Asker[];
  private readonly evidence: ServerEvidence;
  private readonly indirect = new Set<number>();
  private turns: readonly Turn[] = [];
  private facts: Facts | null = null;
  private capture: CaptureRecord | null = null;

  constructor(private readonly seed: number) {
    const random = createRandom(seed, 31);
    const spread = random.pick([0, 1]);
    const weights = Array.from({ length: random.pick([3, 8, 20]) }, () => random.factor(spread));
    const demandMs = ([0.1, 0.5, 0.9, 1.6][seed % 4] ?? 1) * MINUTE_MS;
    const sum = weights.reduce((total, weight) => total + weight, 0);
    this.askers = weights.map((weight, index) => {
      const minutes = minutesOf(index + 5);
      const takesMs = Math.round((minutes * demandMs * weight) / sum);
      return { databaseId: index + 5, askings: [{ everyMs: minutes * MINUTE_MS, takesMs, spread: 0.3 }] };
    });
    const subject = () => ({
      facts: this.facts,
      capture: this.capture,
      trackedDatabaseIds: null,
      result: null,
      since: null,
    });
    this.evidence = new ServerEvidence({
      query: null as never,
      warn: (message) => assert.fail(message),
      enqueue: () => Promise.resolve(),
      changed: () => undefined,
      progressed: () => undefined,
      elapsedMs: () => this.facts?.server.nowUtcMs ?? 0,
      targetMisses: () => null,
      letClicksPass: () => Promise.resolve(),
      pause: async () => undefined,
      schedule: (_, run) => (setImmediate(run), { dispose: () => undefined }),
      subject: () => ({ ...subject(), ...this.judgement.evidence, instance: this.judgement.instance }),
      judge: async () => this.judge(),
    });
    this.change(0, [], 60);
  }

  /** In each third site all others ask for three times as much from the first change on, so that forecasts miss. */
  change(minutes: number, databaseIds: readonly number[], toSeconds: number): void {
    for (const id of databaseIds) if (toSeconds === 0 || !this.indirect.add(id)) this.indirect.delete(id);
    const times = this.seed % 3 === 0 && minutes > 0 ? 3 : 1;
    const left = this.askers.filter(({ databaseId }) => !this.indirect.has(databaseId));
    const askers = left.map((one) => ({
      ...one,
      askings: one.askings.map((own) => ({ ...own, takesMs: times * own.takesMs })),
    }));
    const queue = {
      fromMs: at(minutes),
      toMs: at(200),
      utcOffsetMin: 0,
      seed: this.seed + minutes,
      askers,
      pauses: null,
    };
    this.turns = [...this.turns.filter(({ endMs }) => endMs <= at(minutes)), ...simulateQueue(queue)];
  }

  /** Somebody looks at how full a log is. */
  async lookAtLogs(...shares: readonly (readonly [minutes: number, logUsedShare: number])[]): Promise<void> {
    const none = { logUsedBy: 'db5', redoQueueKb: null, redoQueueBy: '', backoffs: null };
    const looks = shares.map(([minutes, logUsedShare]) => ({ atUtcMs: at(minutes), logUsedShare, ...none }));
    await this.evidence.takeUp([{ name: WATCH_SECTION, bytes: encodeWatch({ plans: [], looks }, []) }]);
  }

  async look(name: string, minutes: number, gaps: readonly Gap[] = []) {
    const server = serverOf({ nowUtcMs: at(minutes), modelTargetSeconds: 60 });
    const targetOf = (id: number): number => (this.indirect.has(id) ? 60 : 0);
    const databases = this.askers.map(({ databaseId }) =>
      databaseOf({ databaseId, targetSeconds: targetOf(databaseId) }),
    );
    const facts = factsOf(databases, { server });
    this.evidence.addChanges(findChanges(this.facts, facts));
    this.facts = facts;
    /** The capture with more gaps, or of some databases only. */
    const record = (
      more: readonly Gap[] = [],
      isRecorded = (databaseId: number): boolean => databaseId > 0,
    ): CaptureRecord => {
      const [store, all] = [new CheckpointStore(), [...gaps, ...more]];
      for (const { databaseId, beginMs, endMs } of this.turns) {
        const isLost =
          endMs > at(minutes) || all.some((gap) => beginMs < gap.endUtcMs && endMs > gap.beginUtcMs);
        if (!isLost && isRecorded(databaseId)) store.append(beginMs, endMs - beginMs, databaseId - 5);
      }
      const columns = store.columns();
      const observation = { beginUtcMs: at(0), endUtcMs: at(minutes), gaps: all };
      return recordOf(columns, {
        databases,
        observation,
        ledger: () => ({ checkpoints: columns.rows, unpaired: 0, otherByName: new Map() }) as never,
      });
    };
    this.capture = record();
    this.judgement.summarize(this.capture, facts);
    this.judge();
    const pages = await this.evidence.gather();
    this.judge();
    const { instance, verdicts, statistics, preflight, evidence } = this.judgement;
    assert.ok(instance !== null && evidence !== null);
    const { grounds } = this;
    const { forecast } = this.evidence;
    const { changes, nearestLimit } = this.evidence.known;
    const judged = {
      instance,
      verdicts,
      statistics,
      preflight,
      result: evidence.result,
      changes,
      nearestLimit,
      forecast,
    };
    const shown = snapshot(facts, {
      ...judged,
      tracking: { ...tracking, observation: this.capture.observation },
    });
    const proposal = proposeReview({ databaseIds: [], group: null }, shown, facts);
    const isProposed = proposal.databaseIds.length > 0;
    // Where nothing is proposed, somebody chooses by hand.
    const ids = isProposed
      ? proposal.databaseIds
      : databases.filter(({ targetSeconds }) => targetSeconds === 0).map((one) => one.databaseId);
    const { choice } = readReviewDraft(createReviewDraft(ids, isProposed ? [] : ids, proposal.isCanaryRun));
    const review = finishSteps(
      reviewSwitch(choice ?? assert.fail(), facts, evidence, this.capture, { instance, verdicts }),
    );
    const page = describeReview({ revision: 1, facts, instance, verdicts, namedIds: new Set(), ...review });
    const stored = { ...shown, absence: null, capture: null };
    const { instance: view, sides } = createServerView(shown) ?? assert.fail();
    assert.ok(view !== null);
    const known = describeServer({ ...shown, facts, instance, capture: this.capture });
    const { findings } = checkServer({ ...shown, facts }, noPolicy.policy);
    const status = describeStatus([shown]);
    const texts = {
      pane: openRow(createServerRow(shown, 'own'), shown),
      'status bar': `${status?.text}\n${status?.tooltip}`,
      head: joinWords(view.words),
      'before / after': writePageMarkdown(pages.beforeAfter, ''),
      'I/O': writePageMarkdown(pages.writeWork, ''),
      review: [page.title, ...page.why.map(({ text }) => text), page.note].join(''),
      plan: describePlan(stored, page),
      script: changeOf(review.scripts).replace(/\s+/g, ' '),
      record: review.scripts?.record ?? '',
      check: findings.map(({ sentence }) => sentence).join('\n'),
      report: writeMarkdown({
        madeUtcMs: 0,
        origin: '',
        servers: [{ name: 's', seenUtcMs: 0, trouble: null, known, picture: null }],
      }),
      explain: explainInstance(stored),
    };
    /** The verdict with something else known, in the same words. */
    const judgeWith = (more: Partial<JudgedOn>, capture = this.capture) => {
      const judgement = new ServerJudgement(() => noPolicy);
      judgement.summarize(capture, facts);
      finishSteps(judgement.judge({ facts, tracked: null, isRecording: true, ...grounds, ...more }));
      const verdict = judgement.instance ?? assert.fail();
      const words = createServerView(snapshot(facts, { instance: verdict, verdicts: judgement.verdicts }))
        ?.instance?.words;
      return { ...verdict, text: joinWords(words ?? assert.fail()) };
    };
    const told = {
      view,
      sides,
      page,
      review,
      findings,
      texts,
      stored,
      offers: listOffers(pages.beforeAfter),
    };
    return {
      name: `site ${this.seed}, ${name}`,
      minutes,
      facts,
      ...judged,
      isProposed,
      pages,
      ...told,
      record,
      judgeWith,
    };
  }

  /** The scripts of that review are opened. @returns ids of the databases of each wave */
  open({ review, facts }: Moment): readonly (readonly number[])[] {
    const waves = listWaves(review.plan.steps);
    const when = { madeUtcMs: facts.server.nowUtcMs, fromUtcMs: at(0), toUtcMs: facts.server.nowUtcMs };
    if (review.forecast !== null) this.evidence.keepForecast(keepForecast(review.forecast, waves, when));
    return waves.map(({ databaseIds }) => databaseIds);
  }

  /** With the log of each database, which it writes the faster the more often it asks. */
  private get grounds(): Partial<JudgedOn> {
    const { known = null, ...others } = this.evidence.grounds;
    return {
      ...others,
      known:
        known && new Map([...known].map(([id, one]) => [id, { ...one, logBytesPerMs: 1 / minutesOf(id) }])),
    };
  }

  private judge(): void {
    finishSteps(
      this.judgement.judge({
        facts: this.facts ?? assert.fail(),
        tracked: null,
        isRecording: true,
        ...this.grounds,
      }),
    );
  }
}

function openRow(row: Row, shown: ServerSnapshot): string {
  const below =
    row.expand === 'never' ? [] : listChildRows(row, shown, { filters: new Map(), shown: new Map() });
  return [
    `${row.label} | ${row.description} |`,
    row.tooltip,
    row.spoken,
    ...below.map((one) => openRow(one, shown)),
  ].join('\n');
}

function listOffers({ tables }: EvidencePage): readonly string[] {
  return tables.flatMap(({ rows }) =>
    rows.flatMap(({ cells }) => cells.flatMap(({ link }) => link?.text ?? [])),
  );
}

/** The first wave and the second are run, scripts are opened again in between, and all of it is rolled back. */
export async function tell(seed: number) {
  const story = new Story(seed);
  await story.lookAtLogs([104, 0.75], [108, 0.3], [150, 0.3]);
  const moments = [await story.look('after four minutes', 4)];
  const look = async (...of: Parameters<Story['look']>): Promise<Moment> =>
    moments[moments.push(await story.look(...of)) - 1] as Moment;
  const [first = []] = story.open(await look('before any change', 60));
  story.change(62, first, 60);
  await look('right after a wave', 63);
  await look('ten minutes later', 73);
  story.open(await look('after its result', 80));
  await look('half an hour later', 102);
  story.open(await look('over a limit', 104));
  const [second = []] = story.open(await look('below it again', 109));
  const gap = { kind: 'server restarted', beginUtcMs: at(111), endUtcMs: at(113), reason: '' } as const;
  await look('after a restart', 118, [gap]);
  story.change(120, second, 60);
  await look('after another wave', 140, [gap]);
  story.change(145, [...first, ...second], 0);
  await look('after a rollback', 146, [gap]);
  await look('half an hour after it', 180, [gap]);
  return { moments, first };
}
