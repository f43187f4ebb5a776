/** Facts, verdicts and policy of one server -> findings, the worst first. */
import { type DatabaseFacts, type Facts, findOf } from '../../../src/core/advice/facts';
import { checkpointsPage, inferred, type Source } from '../../../src/core/advice/finding';
import type { InstanceState, InstanceVerdict } from '../../../src/core/advice/instance';
import { findObstacle, isUserDatabase } from '../../../src/core/advice/obstacle';
import { createExpectations, describeDeparture } from '../../../src/core/advice/policy';
import type { Expectation, Policy, PolicyInForce } from '../../../src/core/advice/policy';
import { buildFixes } from '../../../src/core/advice/rules/builds';
import { obstacleRule } from '../../../src/core/advice/rules/database-rules';
import { GROUP_NAMES } from '../../../src/core/advice/verdict-names';
import { isToLookAt, type Verdict } from '../../../src/core/advice/verdict';
import { describeInstance } from '../../../src/core/pages/instance-words';
import type { Words } from '../../../src/core/pages/words';
import { formatPercent } from '../../../src/core/format';
import { joinSentences } from '../../../src/core/language';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import type { CheckedServer, CheckFinding, FindingFigures } from './finding';
import { CHECK_RULES, type CheckLevel, CHECK_LEVELS, type RuleId } from './rules';

type Judged = Pick<ServerSnapshot, 'instance' | 'verdicts' | 'preflight' | 'statistics'> & {
  readonly facts: Facts;
};

/** The limits of the verdicts are our own. */
const VERDICT_SOURCES = [checkpointsPage, inferred];

export function checkPolicy({ problems, unreadable = [] }: PolicyInForce): readonly CheckFinding[] {
  return problems.map((sentence) =>
    find(unreadable.includes(sentence) ? 'policy-unreadable' : 'policy-problem', null, sentence, []),
  );
}

export function checkServer(judged: Judged, policy: Policy): Omit<CheckedServer, 'name' | 'unread'> {
  const { facts, instance, verdicts, preflight } = judged;
  const { serverName, nowUtcMs } = facts.server;
  const expect = createExpectations(policy, serverName, nowUtcMs);
  const databases = facts.databases.filter((database) => isUserDatabase(database, facts));
  const findings = [
    ...(instance === null ? [] : checkTask(instance, facts, verdicts)),
    ...checkItself(preflight),
    ...databases.flatMap((database) => {
      const figures = measure(database.databaseId, judged);
      return checkDatabase(database, judged, expect(database.name)).map((one) => ({ ...one, figures }));
    }),
  ];
  return {
    serverName,
    state: instance === null ? ['', ''] : describeState(instance, facts, verdicts),
    databases: databases.map(({ name }) => name),
    findings: CHECK_LEVELS.flatMap((level) => findings.filter((one) => one.level === level)),
    byWaits: instance?.byWaits ?? null,
    unseen: preflight.unseen,
  };
}

/** What to look at with or without a switch: settings and options with an unusual value, and fixes the build lacks. */
function checkItself({ server }: Judged['preflight']): readonly CheckFinding[] {
  const told = server.filter(
    ({ rule, severity }) => severity === 'look first' || buildFixes.some((fix) => fix.rule === rule),
  );
  return told.map(({ sentence, sources }) => find('server-finding', null, sentence, sources));
}

const TASK_RULES: Readonly<Record<InstanceState, RuleId | null>> = {
  saturated: 'checkpoint-task-saturated',
  'queue at times': 'checkpoint-task-queue',
  'mostly free': null,
  'cannot tell yet': 'checkpoint-task-unknown',
  'cannot tell': 'checkpoint-task-unknown',
};

/** A limit says what to do; the state of the task stands beside it. */
function checkTask(
  instance: InstanceVerdict,
  facts: Facts,
  verdicts: ServerSnapshot['verdicts'],
): readonly CheckFinding[] {
  const { objection, task, bound, feeders, automatic, busyBefore, observedMs } = instance;
  const tell = (of: InstanceVerdict): string => joinSentences(...describeState(of, facts, verdicts));
  const advice = textOf(describeInstance(instance, facts, verdicts).lines.at(-1));
  const stop =
    objection?.kind === 'stop'
      ? [{ ...find('limit-exceeded', null, tell(instance)), title: objection.limit.text, advice }]
      : [];
  const rule = TASK_RULES[instance.state];
  // Where no database uses automatic checkpoints, no more needs to be known.
  if (rule === null || (rule === 'checkpoint-task-unknown' && automatic === 0)) return stop;
  const sentence = tell(stop.length === 0 ? instance : { ...instance, objection: null });
  if (rule === 'checkpoint-task-unknown' || task === null)
    return [...stop, { ...find(rule, null, sentence), title: CHECK_RULES[rule].title }];
  const before = busyBefore === null ? '' : `; was ${formatPercent(busyBefore)} before the first change`;
  const title = `Busy ${formatPercent(task.busyShare)}, goal under ${formatPercent(bound)}${before}`;
  const figures = {
    busy_pct: 100 * task.busyShare,
    goal_pct: 100 * bound,
    feeders: feeders.size,
    observed_min: observedMs / 60_000,
  };
  return [...stop, { ...find(rule, null, sentence), title, figures }];
}

function describeState(...judged: Parameters<typeof describeInstance>): CheckedServer['state'] {
  const { title, lines } = describeInstance(...judged);
  return [title, textOf(lines[0])];
}

const textOf = (line: readonly Words[] = []): string => line.map(({ text }) => text).join('');

/** Of one database: its part of the task, and its checkpoints. */
function measure(databaseId: number, { instance, statistics }: Judged): FindingFigures {
  const own = statistics.get(databaseId);
  const planned = instance === null || instance.next === null ? [] : [instance.next, ...instance.later];
  const wave = planned.find(({ databaseIds }) => databaseIds.includes(databaseId))?.wave ?? null;
  const figures = {
    share_pct: times(instance?.task?.databases.get(databaseId)?.share, 100),
    per_h: own?.perHour ?? null,
    median_s: times(own?.p50Ms, 0.001),
    longest_s: times(own?.maximumMs, 0.001),
    wave,
  };
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== null)) as FindingFigures;
}

const times = (value: number | null | undefined, by: number): number | null =>
  value == null ? null : value * by;

function checkDatabase(
  database: DatabaseFacts,
  { facts, verdicts, instance }: Judged,
  expectation: Expectation,
): readonly CheckFinding[] {
  const { name, databaseId, targetSeconds } = database;
  const departure = checkDeparture(database, findOf(facts.roles, databaseId)?.role ?? 'PRIMARY', expectation);
  const verdict = verdicts.get(databaseId);
  const rule =
    verdict?.verdict === 'Switch' ? 'database-switch' : isToLookAt(verdict) ? 'database-watch' : null;
  const seen =
    verdict === undefined || rule === null
      ? []
      : [{ ...find(rule, name, verdict.reason), title: nameGroup(verdict, instance) }];
  const isWanted = departure.length > 0 || targetSeconds === 0 || expectation.kind === 'target';
  return [...departure, ...seen, ...(isWanted ? checkObstacle(database, facts, expectation) : [])];
}

function nameGroup({ group, part, isIfNeeded }: Verdict, instance: InstanceVerdict | null): string {
  const isHeld = part === 'feeds' && (instance?.objection ?? null) !== null;
  return `${GROUP_NAMES[group]}${isHeld ? ', on hold' : isIfNeeded ? ', only if still needed' : ''}`;
}

/** On a secondary replica the value is the primary's, which answers for it where it is checked too. */
function checkDeparture(
  { name, targetSeconds }: DatabaseFacts,
  role: string,
  expectation: Expectation,
): readonly CheckFinding[] {
  const level = role === 'PRIMARY' ? undefined : 'warning';
  const sentences = targetSeconds === null ? [] : describeDeparture(expectation, targetSeconds);
  return sentences.map((sentence, at) =>
    // An exception that has run out comes last.
    expectation.kind === 'expired' && at === sentences.length - 1
      ? find('exception-expired', name, sentence, [], level)
      : find('outside-policy', name, sentence, [checkpointsPage], level),
  );
}

/** What the policy wants of it cannot be checked if its value cannot be seen. */
function checkObstacle(
  database: DatabaseFacts,
  facts: Facts,
  { kind }: Expectation,
): readonly CheckFinding[] {
  if (findObstacle(database, facts) === null) return [];
  const answer = obstacleRule.ask(database, facts);
  const level =
    database.targetSeconds === null && kind !== 'none' && kind !== 'exception' ? 'warning' : undefined;
  return answer.kind === 'found'
    ? [find('not-changeable-here', database.name, answer.sentence, obstacleRule.sources, level)]
    : [];
}

function find(
  rule: RuleId,
  database: string | null,
  sentence: string,
  given: readonly Source[] = VERDICT_SOURCES,
  level: CheckLevel = CHECK_RULES[rule].level,
): CheckFinding {
  const sources = given.map(({ title, url }) => ({ title, url }));
  return { rule, level, database, sentence, title: sentence, figures: {}, sources };
}
