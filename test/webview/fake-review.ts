/** A review made up for tests of its page: a server as large as wanted, planned by the product's own functions. */
import type { DatabaseFacts } from '../../src/core/advice/facts';
import type { Preflight } from '../../src/core/advice/finding';
import { planSwitch } from '../../src/core/advice/plan';
import { judgeDatabase } from '../../src/core/advice/verdict';
import { createReviewDraft, readReviewDraft, type ReviewDraft } from '../../src/core/picture/review-draft';
import { describeReview, type ReviewPage } from '../../src/core/picture/review-page';
import type { ScriptSet } from '../../src/core/script/script-set';
import type { ReviewText } from '../../src/core/script/text';
import type { ReviewStatus, ToReview } from '../../src/protocol';
import { database, facts, systemDatabases } from '../shell/sample';

export const FAKE_PREFLIGHT: Preflight = {
  server: [
    {
      rule: 'unpatched-build',
      severity: 'look first',
      sentence: 'This build, 13.0.4001.0, lacks KB4040276: indirect checkpoints on tempdb can hold up a scheduler.',
      remedy: 'Install a later cumulative update before you switch.',
      sources: [
        { title: 'KB4040276', url: 'https://support.microsoft.com/kb/4040276' },
        { title: 'inferred by Checkpoint Health', url: null },
      ],
    },
    { rule: 'model', severity: 'inform', sentence: 'model is at 0: new databases will be automatic.', remedy: null, sources: [] },
  ],
  databases: new Map([
    [
      6,
      [{ rule: 'oldest-page', severity: 'look first', sentence: 'Its log waits for OLDEST_PAGE', remedy: 'Look at it first', sources: [] }],
    ],
  ]),
  unseen: ['Trace flags could not be asked: the login may not run DBCC TRACESTATUS.'],
};

/** System databases, automatic ones, and some of each other kind. @param names of the automatic ones */
export function fakeDatabasesOf(names: readonly string[]): readonly DatabaseFacts[] {
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

export const FAKE_NAMES = ['dbA', 'dbB', 'Orders_EU', 'Orders_US', 'Telemetry', 'Billing', 'Identity', 'Search'];

/** What the extension would answer to a draft. */
export function fakePage(draft: ReviewDraft, names: readonly string[] = FAKE_NAMES): ReviewPage {
  const given = facts(fakeDatabasesOf(names));
  const { choice } = readReviewDraft(draft);
  const plan = planSwitch(choice!, given, () => '212 checkpoints, p95 29.5 s, longest 65.5 s, 26 % of the time');
  const verdicts = new Map(given.databases.map((one) => [one.databaseId, judgeDatabase(one, given, null)]));
  const waves = new Set(plan.steps.map(({ wave }) => wave)).size;
  const scripts: ScriptSet = {
    scripts: Array.from({ length: waves }, (_, at) =>
      (['change', 'rollback'] as const).map((kind) => ({ title: kind, kind, wave: at + 1, text: kind as string as ReviewText })),
    ).flat(),
    record: '# Record',
  };
  const namedIds = new Set(draft.namedIds);
  return describeReview({
    revision: draft.revision,
    facts: given,
    verdicts,
    namedIds,
    plan,
    preflight: FAKE_PREFLIGHT,
    scripts: waves === 0 ? null : scripts,
  });
}

export const FAKE_STATUS: ReviewStatus = { isPlanning: false, failure: null, notice: null, canCompare: false };

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
