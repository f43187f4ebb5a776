/** Codes of a verdict as a reader sees them. */
import { t } from '../language';

export const VERDICT_NAMES = {
  Switch: t('Switch'),
  Watch: t('Watch'),
  Leave: t('Leave'),
  'Cannot tell here': t('Cannot tell here'),
} as const;

/**
 * The part of a database in the queue, or the harm that it suffers by itself: in a word or two, as in the table of
 * databases.
 */
export const PART_NAMES = {
  feeds: t('feeds'),
  waits: t('waits'),
  'hurts alone': t('hurts alone'),
  'held back': t('held back'),
  'much to redo': t('much to redo'),
  quiet: t('quiet'),
  'none seen': t('none seen'),
  indirect: t('indirect'),
} as const;

export type Part = Exclude<keyof typeof PART_NAMES, 'indirect'>;

/** Where the pane and the review show a database, in this order. */
export const GROUP_NAMES = {
  'Feeds the queue': t('Feeds the queue'),
  'Hurts by itself': t('Hurts on its own'),
  'Not as the policy wants': t('Differs from the policy'),
  'Waits in the queue': t('Waits in the queue'),
  'Long checkpoints': t('Long checkpoints'),
  Quiet: t('Quiet'),
  'No checkpoint seen': t('No checkpoint seen'),
  'Automatic, not measured': t('Automatic, not measured'),
  Indirect: t('Indirect'),
  'Other value': t('Other value'),
  'As the policy wants': t('Matches the policy'),
  'Cannot change here': t('Cannot change here'),
} as const;

export type Group = keyof typeof GROUP_NAMES;

/** Why databases are in a group, in a few words; absent: it depends on them, or its name says it. */
export const GROUP_REASONS: Readonly<Partial<Record<Group, string>>> = {
  'Feeds the queue': t('Together they are the queue.'),
  'Hurts by itself': t('They hurt with or without a queue.'),
  'Not as the policy wants': t('The policy wants another value.'),
  'Waits in the queue': t('Late because of the others.'),
  'Long checkpoints': t('That alone does no harm.'),
  Quiet: t('No reason to change them.'),
  'No checkpoint seen': t('Nothing to gain from a change.'),
  'Automatic, not measured': t('Tracking measures them.'),
  'As the policy wants': t('With the wanted value, or with an exception.'),
};

export const groups = Object.keys(GROUP_NAMES) as readonly Group[];
