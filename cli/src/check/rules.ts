/** The rules of `check`, by ids that never change: builds point at them. docs/check.md explains each under its id. */
import PAGE from '../../../docs/check.md';

/** The worst first. */
export const CHECK_LEVELS = ['error', 'warning', 'note'] as const;
export type CheckLevel = (typeof CHECK_LEVELS)[number];

/** Each in a few words, with its usual level. */
export const CHECK_RULES = {
  'policy-unreadable': { title: 'The policy cannot be fully read and may hide an exception', level: 'error' },
  'policy-problem': { title: 'A part of the policy cannot be read', level: 'warning' },
  'outside-policy': {
    title: 'The target recovery time of a database differs from the policy',
    level: 'error',
  },
  'exception-expired': { title: 'An exception in the policy has expired', level: 'error' },
  'limit-exceeded': { title: 'A limit is exceeded since databases were switched', level: 'error' },
  'checkpoint-task-saturated': { title: 'The checkpoint task is almost never free', level: 'error' },
  'checkpoint-task-queue': { title: 'The checkpoint task has a queue at times', level: 'warning' },
  'checkpoint-task-unknown': { title: 'Too little is known about the checkpoint task', level: 'note' },
  'server-finding': { title: 'Check a setting or fix on the server', level: 'note' },
  'database-switch': { title: 'A database should use indirect checkpoints', level: 'warning' },
  'database-watch': { title: 'Watch a database', level: 'note' },
  'not-changeable-here': { title: 'A database cannot be changed on this server', level: 'note' },
} as const satisfies Readonly<Record<string, { title: string; level: CheckLevel }>>;

export type RuleId = keyof typeof CHECK_RULES;
export const RULE_IDS = Object.keys(CHECK_RULES) as readonly RuleId[];

export const PROJECT = 'https://github.com/checkpoint-health/checkpoint-health';

/** What docs/check.md says of a rule, without its markup; null: there is no such rule. */
export function explainRule(name: string): string | null {
  const rule = RULE_IDS.find((id) => id === name);
  if (rule === undefined) return null;
  const [text = ''] = PAGE.split(`\n### ${rule}\n\n`)[1]?.split('\n\n#') ?? [];
  return `${rule}\n\n${text.replace(/[*`[]|\]\([^)]*\)/g, '')}\n\n${helpOf(rule)}`;
}

export const helpOf = (rule: RuleId): string => `${PROJECT}/blob/main/docs/check.md#${rule}`;
