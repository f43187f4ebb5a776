/** Which databases of a server are switched, and how: the choice that a review in the editor would make of the same. */
import { type Facts, findOf } from '../../../src/core/advice/facts';
import type { Choice } from '../../../src/core/advice/plan';
import { matchPattern } from '../../../src/core/advice/policy';
import { proposeDatabases } from '../../../src/core/advice/proposal';
import { createReviewDraft, readReviewDraft } from '../../../src/core/review/review-draft';
import type { ServerSnapshot } from '../../../src/monitor/server-monitor';
import { BadUsage } from '../kit/exit';

export interface ChoiceOptions {
  /** Names, with * and ? as in the policy; absent: what is advised, and what is not as the policy wants. */
  readonly databases?: readonly string[];
  readonly target: string;
  readonly reason: string;
  readonly canary: string;
  readonly batch: string;
  /** Absent: a person runs each wave. */
  readonly pauseMinutes?: string;
  readonly stopAboveWriteMs: string;
}

/** No database is named one by one, so a value above 0 always stays. @throws BadUsage if an option will not do */
export function createChoice(databaseIds: readonly number[], options: ChoiceOptions): Choice {
  const { target: targetSeconds, reason, canary, batch, pauseMinutes = '', stopAboveWriteMs } = options;
  const texts = { targetSeconds, reason, canary, batch, pauseMinutes, stopAboveWriteMs };
  const between = options.pauseMinutes === undefined ? 'by hand' : 'pause';
  const { choice, errors } = readReviewDraft({ ...createReviewDraft(databaseIds, []), texts, between });
  if (choice !== null) return choice;
  const faults = Object.entries(errors).map(([field, error]) => `${nameOption(field)}: ${error}`);
  throw new BadUsage(faults.join(' '));
}

/** The option that fills a field of the review: `--target` is targetSeconds, `--pause-minutes` pauseMinutes. */
const nameOption = (field: string): string =>
  `--${field.replace('Seconds', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Ids of the databases to review here: not of those whose primary replica is elsewhere. */
export function chooseDatabases(
  facts: Facts,
  { instance, verdicts }: Pick<ServerSnapshot, 'instance' | 'verdicts'>,
  names: readonly string[] | undefined,
): readonly number[] {
  const advised = instance?.advised ?? [];
  const proposed = proposeDatabases({ databaseIds: [], group: null }, facts, verdicts, advised);
  const named = facts.databases.filter(({ name }) => names?.some((pattern) => matchPattern(pattern, name)));
  const ids = names === undefined ? proposed.databaseIds : named.map(({ databaseId }) => databaseId);
  return ids.filter((databaseId) => isPrimary(findOf(facts.roles, databaseId)?.role));
}

const isPrimary = (role: string | undefined): boolean => role === undefined || role === 'PRIMARY';

/** For each availability group that is changed elsewhere, where. */
export function listElsewhere({ roles }: Facts): readonly string[] {
  if (roles.kind === 'not observable') return [];
  const groups = new Map<string, string>();
  for (const { role, groupName, primaryReplica } of roles.value.values()) {
    if (isPrimary(role)) continue;
    const group = groupName === '' ? 'An availability group' : `The availability group ${groupName}`;
    const where =
      primaryReplica === null
        ? 'Where its primary replica is cannot be seen.'
        : `Its primary replica is on ${primaryReplica}.`;
    groups.set(groupName, `${group} is ${role === 'SECONDARY' ? 'secondary' : role} here. ${where}`);
  }
  return [...groups.values()];
}
