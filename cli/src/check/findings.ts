/** Facts, verdicts and policy of one server -> findings, the worst first. */
import { type DatabaseFacts, type Facts, findOf } from '../../../src/core/advice/facts';
import { checkpointsPage, inferred, type Source } from '../../../src/core/advice/finding';
import type { InstanceState, InstanceVerdict } from '../../../src/core/advice/instance';
import { findObstacle, isUserDatabase } from '../../../src/core/advice/obstacle';
import { createExpectations, type Expectation, type Policy, type PolicyInForce } from '../../../src/core/advice/policy';
import { buildFixes } from '../../../src/core/advice/rules/builds';
import { obstacleRule } from '../../../src/core/advice/rules/database-rules';
import { describeDeparture, isToLookAt, type Verdict } from '../../../src/core/advice/verdict';
import { describeInstance, joinWords } from '../../../src/core/pages/instance-words';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import type { CheckedServer, CheckFinding } from './finding';
import { CHECK_RULES, type Level, LEVELS, type RuleId } from './rules';

type Judged = Pick<ServerSnapshot, 'instance' | 'verdicts' | 'preflight'> & { readonly facts: Facts };

const strip = ({ title, url }: Source): Source => ({ title, url });
/** The limits of the verdicts are our own. */
const VERDICT_SOURCES = [checkpointsPage, inferred].map(strip);

/** What is wrong with the policy itself. */
export function checkPolicy({ problems, unreadable = [] }: PolicyInForce): readonly CheckFinding[] {
  return problems.map((sentence) => find(unreadable.includes(sentence) ? 'policy-unreadable' : 'policy-problem', null, sentence, []));
}

export function checkServer({ facts, instance, verdicts, preflight }: Judged, policy: Policy): Omit<CheckedServer, 'name' | 'unread'> {
  const { serverName, nowUtcMs } = facts.server;
  const expect = createExpectations(policy, serverName, nowUtcMs);
  const databases = facts.databases.filter((database) => isUserDatabase(database, facts));
  const findings = [
    ...(instance === null ? [] : checkTask(instance, facts, verdicts)),
    ...checkItself(preflight),
    ...databases.flatMap((database) => checkDatabase(database, facts, verdicts.get(database.databaseId), expect(database.name))),
  ];
  return {
    serverName,
    databases: databases.map(({ name }) => name),
    findings: LEVELS.flatMap((level) => findings.filter((one) => one.level === level)),
    byWaits: instance?.byWaits ?? null,
    unseen: preflight.unseen,
  };
}

/** What is to be looked at with or without a switch: settings and options with an unusual value, and fixes that the build lacks. */
function checkItself({ server }: Judged['preflight']): readonly CheckFinding[] {
  const told = server.filter(({ rule, severity }) => severity === 'look first' || buildFixes.some((fix) => fix.rule === rule));
  return told.map(({ sentence, sources }) => find('server-finding', null, sentence, sources.map(strip)));
}

const TASK_RULES: Readonly<Record<InstanceState, RuleId | null>> = {
  saturated: 'checkpoint-task-saturated',
  'queue at times': 'checkpoint-task-queue',
  'mostly free': null,
  'cannot tell yet': 'checkpoint-task-unknown',
  'cannot tell': 'checkpoint-task-unknown',
};

function checkTask(instance: InstanceVerdict, facts: Facts, verdicts: ServerSnapshot['verdicts']): readonly CheckFinding[] {
  const rule = instance.objection?.kind === 'stop' ? 'limit-exceeded' : TASK_RULES[instance.state];
  // Where no database uses automatic checkpoints, nobody needs to know more.
  if (rule === null || (rule === 'checkpoint-task-unknown' && instance.automatic === 0)) return [];
  const words = describeInstance(instance, facts, verdicts);
  return [find(rule, null, joinWords({ ...words, lines: words.lines.slice(0, 1), note: null }), VERDICT_SOURCES)];
}

function checkDatabase(
  database: DatabaseFacts,
  facts: Facts,
  verdict: Verdict | undefined,
  expectation: Expectation,
): readonly CheckFinding[] {
  const departure = checkDeparture(database, facts, expectation);
  const { name } = database;
  const rule = verdict?.verdict === 'Switch' ? 'database-switch' : isToLookAt(verdict) ? 'database-watch' : null;
  const seen = verdict === undefined || rule === null ? [] : [find(rule, name, verdict.reason, VERDICT_SOURCES)];
  const isWanted = departure.length > 0 || database.targetSeconds === 0 || expectation.kind === 'target';
  return [...departure, ...seen, ...(isWanted ? checkObstacle(database, facts, expectation) : [])];
}

/** On a secondary replica the value is the primary's, which answers for it where it is checked too. */
function checkDeparture(database: DatabaseFacts, facts: Facts, expectation: Expectation): readonly CheckFinding[] {
  if (database.targetSeconds === null) return [];
  const role = findOf(facts.roles, database.databaseId)?.role;
  const level = role === undefined || role === 'PRIMARY' ? undefined : 'warning';
  const [unmet, expired] = splitDeparture(describeDeparture(expectation, database.targetSeconds), expectation);
  const sources = [strip(checkpointsPage)];
  return [
    ...(unmet === null ? [] : [find('outside-policy', database.name, unmet, sources, level)]),
    ...(expired === null ? [] : [find('exception-expired', database.name, expired, [], level)]),
  ];
}

/** An exception that has run out comes last. */
function splitDeparture(sentences: readonly string[], { kind }: Expectation): readonly [string | null, string | null] {
  const [first = null, second = null] = sentences;
  if (kind !== 'expired') return [first, null];
  return second === null ? [null, first] : [first, second];
}

/** What the policy wants of it cannot be checked if its value cannot be seen. */
function checkObstacle(database: DatabaseFacts, facts: Facts, expectation: Expectation): readonly CheckFinding[] {
  if (findObstacle(database, facts) === null) return [];
  const answer = obstacleRule.ask(database, facts);
  if (answer.kind !== 'found') return [];
  const isBlind = database.targetSeconds === null && expectation.kind !== 'none' && expectation.kind !== 'exception';
  return [find('not-changeable-here', database.name, answer.sentence, obstacleRule.sources.map(strip), isBlind ? 'warning' : undefined)];
}

function find(rule: RuleId, database: string | null, sentence: string, sources: readonly Source[], level?: Level): CheckFinding {
  return { rule, level: level ?? CHECK_RULES[rule].level, database, sentence, sources };
}
