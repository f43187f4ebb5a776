/**
 * A review made up for tests of its page: a server as large as wanted, judged and planned by the product's own
 * functions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseFacts, Facts } from '../../src/core/advice/facts';
import type { Finding, Preflight } from '../../src/core/advice/finding';
import { forecastWaves } from '../../src/core/advice/forecast';
import type { InstanceVerdict } from '../../src/core/advice/instance';
import { describeInstance, joinWords } from '../../src/core/pages/instance-words';
import { findObstacle } from '../../src/core/advice/obstacle';
import { listWaves, type Weight } from '../../src/core/advice/plan';
import { planSwitch } from '../core/finished';
import { judgeDatabase } from '../../src/core/advice/verdict';
import type { LatencyAnswer } from '../../src/core/write-work/latency-during';
import type { CheckpointStatistics } from '../../src/core/statistics/statistics';
import type { TaskShare } from '../../src/core/task/task-share';
import { createReviewDraft, readReviewDraft, type ReviewDraft } from '../../src/core/review/review-draft';
import { describeReview, type ReviewInput, type ReviewPage } from '../../src/core/review/review-page';
import { previewScripts } from '../../src/core/review/script-preview';
import { writeSwitchScripts } from '../../src/core/script/switch';
import type { ReviewTemplate } from '../../src/core/script/text';
import { finishSteps } from '../../src/core/steps';
import type { InstanceView, ReviewStatus, ToReview } from '../../src/protocol';
import { judgeTask, longestRunOf, taskOf } from '../core/advice/task-of';
import { database, facts, systemDatabases, unseenInstance } from '../shell/sample';

const OLDEST_PAGE: Finding = {
  rule: 'oldest-page',
  severity: 'look first',
  sentence: 'Its log waits for OLDEST_PAGE',
  remedy: 'Look at it first',
  sources: [],
};

const FAKE_PREFLIGHT: Preflight = {
  server: [
    {
      rule: 'unpatched-build',
      severity: 'look first',
      sentence:
        'This build, 13.0.4001.0, lacks KB4040276: indirect checkpoints on tempdb can hold up a scheduler.',
      remedy: 'Install a later cumulative update before you switch.',
      sources: [
        { title: 'KB4040276', url: 'https://support.microsoft.com/kb/4040276' },
        { title: 'inferred by Checkpoint Health', url: null },
      ],
    },
    {
      rule: 'model',
      severity: 'inform',
      sentence: 'model is at 0: new databases will be automatic.',
      remedy: null,
      sources: [],
    },
  ],
  databases: new Map([[6, [OLDEST_PAGE]]]),
  unseen: ['Trace flags could not be asked: the login may not run DBCC TRACESTATUS.'],
};

/** System databases, automatic ones, and some of each other kind. @param names of the automatic ones */
function fakeDatabasesOf(names: readonly string[]): readonly DatabaseFacts[] {
  const automatic = names.map((name, at) => database(5 + at, name));
  const next = 5 + names.length;
  return [
    ...systemDatabases,
    ...automatic,
    database(next, 'Warehouse', { targetSeconds: 120 }),
    database(next + 1, 'Archive', { isReadOnly: true }),
    database(next + 2, 'Modern', { targetSeconds: 60 }),
    database(next + 3, 'Hidden', { targetSeconds: null }),
  ];
}

export const FAKE_NAMES = 'dbA dbB Orders_EU Orders_US Telemetry Billing Identity Search'.split(' ');

const OBSERVED_MS = 8 * 3_600_000;

/** Of eight databases the first take most of the task, the fourth takes little and hurts by itself, the last waits. */
function fakeShare(at: number, databases: number): number {
  if (at % 8 === 3 || at % 8 === 7) return 0.02 / databases;
  return (0.9 * 2 ** -(at % 8)) / 2 / Math.max(1, databases / 8);
}

/** A queue that stands, of the automatic databases. */
const fakeTask = (names: readonly string[]): TaskShare => {
  const own = names.map((_, at) => {
    const share = fakeShare(at, names.length);
    return [
      5 + at,
      { count: 240, share, mostShare: share * 1.4, variance: 0, late: at % 8 === 7 ? 200 : 0 },
    ] as const;
  });
  const longestRun = longestRunOf(0, 180, names.length);
  return taskOf(Object.fromEntries(own), { busyShare: 0.97, longestMs: 90_000, longestRun });
};

/** Log writes that wait during the checkpoints of every eighth database. */
const WAITS = {
  flushCache: { messages: 0, days: 7 },
  failures: 0,
  slowIos: 0,
  logLatency: { kind: 'answered', during: { averageMs: 41 }, outside: { averageMs: 3 } } as LatencyAnswer,
  scanMs: null,
  toRedoMb: null,
};

function judgeFake(
  given: Facts,
  names: readonly string[],
): Pick<ReviewInput, 'verdicts' | 'mediansMs'> & { instance: InstanceVerdict } {
  const changeable = new Set(
    given.databases.filter((one) => findObstacle(one, given) === null).map(({ databaseId }) => databaseId),
  );
  const instance = judgeTask(fakeTask(names), { changeable });
  const verdicts = new Map(
    given.databases.map((one) => {
      const at = one.databaseId - 5;
      const statistics =
        at >= 0 && at < names.length ? ({ count: 240, maximumMs: 9_000 } as CheckpointStatistics) : null;
      const seen = {
        statistics,
        hasEarlier: false,
        hasBegun: false,
        observedMs: OBSERVED_MS,
        tracked: true,
        instance,
        logReuseWait: 'NOTHING',
        mostMbToRedo: null,
      };
      return [one.databaseId, judgeDatabase(one, given, { ...seen, known: at % 8 === 3 ? WAITS : null })];
    }),
  );
  const advised = [...verdicts].flatMap(([id, { verdict }]) => (verdict === 'Switch' ? [id] : []));
  const hurting = advised.filter((id) => !instance.feeders.has(id));
  return {
    verdicts,
    mediansMs: new Map(names.map((_, at) => [5 + at, (fakeShare(at, names.length) * OBSERVED_MS) / 240])),
    instance: {
      ...unseenInstance,
      ...instance,
      automatic: names.length,
      databases: names.length + 4,
      hurting,
      advised,
    },
  };
}

/** The verdict on the same server, in the words of the product. */
export function fakeJudged(): Pick<InstanceView, 'state' | 'words'> {
  const given = facts(fakeDatabasesOf(FAKE_NAMES));
  const { instance, verdicts } = judgeFake(given, FAKE_NAMES);
  return { state: instance.state, words: describeInstance(instance, given, verdicts) };
}

/** What the extension would answer to a draft. */
export function fakePage(draft: ReviewDraft, names: readonly string[] = FAKE_NAMES): ReviewPage {
  const given = facts(fakeDatabasesOf(names));
  const { choice } = readReviewDraft(draft);
  const judged = judgeFake(given, names);
  const weigh = ({ databaseId }: DatabaseFacts): Weight => {
    const mostShare = judged.instance.task?.databases.get(databaseId)?.mostShare ?? 0;
    return { checkpoints: 240, totalMs: mostShare * OBSERVED_MS, mostShare };
  };
  const plan = planSwitch(choice!, given, () => '212 checkpoints, p95 29.5 s, longest 65.5 s', { weigh });
  const forecast = forecastWaves({ task: fakeTask(names), room: 0, bound: 0.3 }, listWaves(plan.steps));
  const evidence = joinWords(describeInstance(judged.instance, given, judged.verdicts));
  const origin = {
    serverName: 'PROD-SQL07',
    readAt: '2026-03-02 09:14:05 UTC+1',
    evidence,
    preflight: FAKE_PREFLIGHT,
    forecast,
  };
  const scripts = plan.steps.length === 0 ? null : finishSteps(writeSwitchScripts(plan, origin, TEMPLATE));
  return describeReview({
    revision: draft.revision,
    facts: given,
    ...judged,
    namedIds: new Set(draft.namedIds),
    plan,
    preflight: FAKE_PREFLIGHT,
    forecast,
    scripts,
    previews: scripts === null ? [] : finishSteps(previewScripts(scripts)),
  });
}

/** The template as a build has it: the browser's tests run without one. */
const TEMPLATE = readFileSync(
  join(__dirname, '../../sql/change/set-target-recovery-time.sql'),
  'utf8',
) as ReviewTemplate;

export const FAKE_STATUS: ReviewStatus = { doing: null, failure: null, notice: null, canCompare: false };

/** A draft of all databases, in a first wave of two and waves of four. */
export function fakeDraft(names: readonly string[] = FAKE_NAMES): ReviewDraft {
  const draft = createReviewDraft(
    fakeDatabasesOf(names).map(({ databaseId }) => databaseId),
    [],
  );
  return { ...draft, texts: { ...draft.texts, canary: '2', batch: '4' } };
}

/** What a page gets that is opened. */
export function fakeReview(draft: ReviewDraft = fakeDraft(), names?: readonly string[]): readonly ToReview[] {
  return [
    { type: 'draft', draft },
    { type: 'page', page: fakePage(draft, names) },
    { type: 'status', status: FAKE_STATUS },
  ];
}
