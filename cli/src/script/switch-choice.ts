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

/** The fields of the review by the options that fill them. */
const FIELD_OPTIONS = {
  targetSeconds: '--target',
  reason: '--reason',
  canary: '--canary',
  batch: '--batch',
  pauseMinutes: '--pause-minutes',
  stopAboveWriteMs: '--stop-above-write-ms',
} as const;

/** No database is named one by one, so a value above 0 always stays. @throws BadUsage if an option will not do */
export function createChoice(databaseIds: readonly number[], options: ChoiceOptions): Choice {
  const { target, reason, canary, batch, pauseMinutes, stopAboveWriteMs } = options;
  const texts = {
    targetSeconds: target,
    reason,
    canary,
    batch,
    pauseMinutes: pauseMinutes ?? '',
    stopAboveWriteMs,
  };
  const draft = {
    ...createReviewDraft(databaseIds, []),
    texts,
    between: pauseMinutes === undefined ? 'by hand' : 'pause',
  } as const;
  const { choice, errors } = readReviewDraft(draft);
  if (choice !== null) return choice;
  const fields = Object.keys(errors) as (keyof typeof FIELD_OPTIONS)[];
  throw new BadUsage(fields.map((field) => `${FIELD_OPTIONS[field]}: ${errors[field]}`).join(' '));
}

/** Ids of the databases to review here: not of those whose primary replica is elsewhere. */
export function chooseDatabases(
  facts: Facts,
  { instance, verdicts }: Pick<ServerSnapshot, 'instance' | 'verdicts'>,
  names: readonly string[] | undefined,
): readonly number[] {
  const ids =
    names === undefined
      ? proposeDatabases({ databaseIds: [], group: null }, facts, verdicts, instance?.advised ?? [])
          .databaseIds
      : facts.databases
          .filter(({ name }) => names.some((pattern) => matchPattern(pattern, name)))
          .map(({ databaseId }) => databaseId);
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
