import { countDatabases } from '../../format';
import { t, endSentence } from '../../language';
import { DATABASES_A_STEP, type Steps } from '../../steps';
import type { DatabaseFacts, Facts } from '../facts';
import {
  type Answer,
  type DatabaseRule,
  type Finding,
  type Preflight,
  type ServerRule,
  SEVERITIES,
} from '../finding';
import { isAzureSqlDatabase } from '../platform';
import { buildRules } from './builds';
import { databaseRules, obstacleRule } from './database-rules';
import { serverRules } from './server-rules';

/** Every rule, the most severe first. */
export const allServerRules: readonly ServerRule[] = sortRules([...buildRules, ...serverRules]);
export const allDatabaseRules: readonly DatabaseRule[] = [obstacleRule, ...sortRules(databaseRules)];

/** Before anything was read. */
export const emptyPreflight: Preflight = { server: [], databases: new Map(), unseen: [] };

/**
 * Applies every rule, in steps: what stands for or against a change of the target recovery time. What could not be
 * checked is in `unseen`, once for each reason, with the number of databases. No other rule is applied to a database
 * that cannot be changed here.
 * @param policyProblems what of the policy could not be read
 * @param unreadable those problems that may hide an exception: then nothing is changed
 */
export function* checkPreflight(
  facts: Facts,
  databases: readonly DatabaseFacts[],
  policyProblems: readonly string[],
  unreadable: readonly string[] = [],
): Steps<Preflight> {
  const unseen = new UnseenList();
  const noteOnce = (what: string, reason: string): void => unseen.add(what, reason, null);
  const server = ask(allServerRules, (rule) => rule.ask(facts), noteOnce);
  const byDatabase = new Map<number, readonly Finding[]>();
  let changeable = 0;
  for (const [at, database] of databases.entries()) {
    if (at % DATABASES_A_STEP === DATABASES_A_STEP - 1) yield;
    const note = (what: string, reason: string): void => unseen.add(what, reason, database.databaseId);
    const obstacle = ask([obstacleRule], (rule) => rule.ask(database, facts), note);
    const findings =
      obstacle.length > 0
        ? obstacle
        : ask(allDatabaseRules.slice(1), (rule) => rule.ask(database, facts), note);
    if (obstacle.length === 0) changeable++;
    if (findings.length > 0) byDatabase.set(database.databaseId, findings);
  }
  return {
    server: [...blockByPolicy(unreadable), ...server],
    databases: byDatabase,
    unseen: [...unseen.describe(changeable), ...describeUnread(facts), ...policyProblems],
  };
}

/** What is missing in the facts, one sentence each. */
export function describeUnread({
  unreadDatabases: count,
  unread,
  server,
  databases,
}: Facts): readonly string[] {
  // Without this permission a login sees master, tempdb and what it owns. A contained group shows no model, but an
  // msdb.
  const isMuchHidden =
    server.modelTargetSeconds === null &&
    !isAzureSqlDatabase(server) &&
    !databases.some(({ name }) => name === 'msdb');
  return [
    ...(isMuchHidden
      ? [t('This login does not see all databases. An administrator can grant VIEW ANY DATABASE.')]
      : []),
    ...(count === 0 ? [] : [t('What the server says about {0} could not be read.', countDatabases(count))]),
    ...unread,
  ];
}

/** An exception may stand in what cannot be read, so nothing is changed: leaving a database alone does no harm. */
function blockByPolicy(unreadable: readonly string[]): readonly Finding[] {
  if (unreadable.length === 0) return [];
  const sentence = describeUnreadablePolicy(unreadable);
  return [
    {
      rule: 'policy-unreadable',
      severity: 'blocks',
      sentence,
      remedy: t('Correct the policy or remove it.'),
      sources: [],
    },
  ];
}

/** Why nothing may be changed. */
export function describeUnreadablePolicy([first = '', ...more]: readonly string[]): string {
  return more.length === 0
    ? t('The policy, which may leave databases alone, could not be read: {0}', first)
    : t(
        'The policy, which may leave databases alone, could not be read: {0} (and {1} more)',
        first,
        more.length,
      );
}

function ask<R extends ServerRule | DatabaseRule>(
  rules: readonly R[],
  answerOf: (rule: R) => Answer,
  note: (what: string, reason: string) => void,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    const answer = answerOf(rule);
    if (answer.kind === 'unseen') note(answer.what, answer.reason);
    if (answer.kind !== 'found') continue;
    const { rule: name, severity, sources } = rule;
    findings.push({ rule: name, severity, sentence: answer.sentence, remedy: answer.remedy, sources });
  }
  return findings;
}

class UnseenList {
  private readonly reasons: {
    readonly what: string;
    readonly reason: string;
    readonly databases: Set<number> | null;
  }[] = [];

  add(what: string, reason: string, databaseId: number | null): void {
    let known = this.reasons.find((one) => one.what === what && one.reason === reason);
    if (known === undefined) {
      known = { what, reason, databases: databaseId === null ? null : new Set() };
      this.reasons.push(known);
    }
    if (databaseId !== null) known.databases?.add(databaseId);
  }

  /** @param all number of databases that were checked */
  describe(all: number): readonly string[] {
    return this.reasons.map(({ what, reason, databases }) => {
      const count = databases?.size ?? all;
      const why = endSentence(reason);
      return count === all
        ? t('{0} cannot be seen: {1}', what, why)
        : t('{0} of {1} cannot be seen: {2}', what, countDatabases(count), why);
    });
  }
}

function sortRules<R extends ServerRule | DatabaseRule>(rules: readonly R[]): readonly R[] {
  return [...rules].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
