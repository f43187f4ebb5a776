/** What a review says in words before its table: what changes, why, and what it leaves as it is. */
import type { ForecastSteps } from '../advice/forecast';
import { formatRange, type InstanceWords, type Words, writeNote } from '../pages/instance-words';
import { type Group, groups } from '../advice/verdict';
import { countDatabases, countOf, formatCount, formatPercent } from '../format';
import type { ReviewRow } from './review-page';

interface ReviewSums {
  /** Databases that change, and in how many waves. */
  readonly databases: number;
  readonly waves: number;
  /** Seconds that they are led to, each once. */
  readonly targets: readonly number[];
}

/** "78 databases get 60 seconds, in 4 waves." */
export function writeReviewTitle({ databases, waves, targets }: ReviewSums): string {
  if (databases === 0) return 'Nothing is ticked that can be changed.';
  const get = databases === 1 ? 'gets' : 'get';
  const inWaves = waves > 1 ? `, in ${formatCount(waves)} waves` : '';
  return `${countDatabases(databases)} ${get} ${listSeconds(targets)}${inWaves}.`;
}

/** Why: the verdict on the instance, the reasons of the verdicts on what is ticked, each said once, and what the task would be then. */
export function writeReviewWhy(words: InstanceWords | null, rows: readonly ReviewRow[], forecast: ForecastSteps | null): readonly Words[] {
  if (words === null) return [plain('Nothing was measured: the choice rests on the settings alone.')];
  const ticked = rows.filter(({ state }) => state === 'in');
  if (ticked.length === 0) return joinLines([[plain(words.title)], ...words.lines]);
  const effect = forecast === null ? [] : describeForecast(forecast, ticked.length);
  return joinLines([[plain(words.title)], [plain(describeTicked(ticked))], effect]);
}

/** What to expect of the first waves of what is ticked; null where there is nothing to say. */
export function writeReviewNote(forecast: ForecastSteps | null): string | null {
  return writeNote(forecast);
}

/** The reason of one database is its own; those of several are that of their group. */
function describeTicked(ticked: readonly ReviewRow[]): string {
  const [only] = ticked;
  if (ticked.length === 1 && only !== undefined) return only.reason;
  return groups
    .map((group) => ticked.filter((row) => row.group === group))
    .flatMap((own) => (own[0] === undefined ? [] : [describeReason(own[0].group, own)]))
    .join(' ');
}

function describeReason(group: Group, rows: readonly ReviewRow[]): string {
  const [one, several, why] = reasonWords[group];
  const what = `${formatCount(rows.length)} ${rows.length === 1 ? one : several}`;
  if (why !== null) return `${what}${why}.`;
  const [reason, ...others] = new Set(rows.map((row) => row.reason));
  return others.length > 0 ? `${what}; the reason of each stands below it.` : `${what}. ${reason}`;
}

/** One and several of a group, and why; null: that is another for each. */
const reasonWords: Readonly<Record<Group, readonly [string, string, string | null]>> = {
  'Feeds the queue': ['feeds the queue', 'feed the queue', ': the queue is the reason, no database alone'],
  'Hurts by itself': ['hurts by itself', 'hurt by themselves', null],
  'Not as the policy wants': ['is not as the policy wants', 'are not as the policy wants', ''],
  'Waits in the queue': ['waits in the queue', 'wait in the queue', ': late because of the others'],
  'Long checkpoints': ['has long checkpoints', 'have long checkpoints', ', which alone are no harm'],
  Quiet: ['is quiet', 'are quiet', ': no harm was seen'],
  'No checkpoint seen': ['had no checkpoint', 'had no checkpoint', ': nothing to gain from a change'],
  'Automatic, not measured': ['was not measured', 'were not measured', ''],
  Indirect: ['uses indirect checkpoints already', 'use indirect checkpoints already', ''],
  'Other value': ['has a value that somebody chose', 'have a value that somebody chose', ''],
  'As the policy wants': ['is as the policy wants', 'are as the policy wants', ''],
  'Cannot change here': ['cannot be changed here', 'cannot be changed here', ''],
};

function describeForecast({ now, waves }: ForecastSteps, databases: number): readonly Words[] {
  const last = waves[waves.length - 1];
  if (last === undefined) return [];
  const these = databases === 1 ? 'this one' : `these ${formatCount(databases)}`;
  return [
    plain(`With ${these} on indirect checkpoints, the task should be busy `),
    { text: formatRange(last), weight: 'strong' },
    plain(`; now it is ${formatPercent(now)}.`),
  ];
}

function joinLines(lines: readonly (readonly Words[])[]): readonly Words[] {
  return lines.filter((line) => line.length > 0).flatMap((line, at) => (at === 0 ? line : [plain(' '), ...line]));
}

const plain = (text: string): Words => ({ text, weight: 'plain' });

const leftWords: Readonly<Record<Group, string>> = {
  'Feeds the queue': 'feeding the queue',
  'Hurts by itself': 'with harm of their own',
  'Not as the policy wants': 'not as the policy wants',
  'Waits in the queue': 'waiting in the queue',
  'Long checkpoints': 'with long checkpoints',
  Quiet: 'quiet',
  'No checkpoint seen': 'without a checkpoint',
  'Automatic, not measured': 'not measured',
  Indirect: 'indirect already',
  'Other value': 'with another value',
  'As the policy wants': 'as the policy wants',
  'Cannot change here': 'that cannot be changed here',
};

/** "Left as they are: 73 waiting in the queue, 21 quiet, 4 that cannot be changed here." Feeders that the forecast does not need are named apart; '' where none is left. */
export function writeLeft(rows: readonly ReviewRow[]): string {
  const left = rows.filter(({ state }) => state !== 'in');
  const parts = groups.flatMap((group) => {
    const own = left.filter((row) => row.group === group);
    const later = own.filter(({ isIfNeeded }) => isIfNeeded).length;
    const rest = own.length - later;
    return [
      ...(rest === 0 ? [] : [`${formatCount(rest)} ${leftWords[group]}`]),
      ...(later === 0 ? [] : [`${formatCount(later)} ${leftWords[group]}, to be switched only if still needed`]),
    ];
  });
  return parts.length === 0 ? '' : `Left as they are: ${parts.join('; ')}.`;
}

function listSeconds(targets: readonly number[]): string {
  const last = targets[targets.length - 1] as number;
  return targets.length === 1 ? formatSeconds(last) : `${targets.slice(0, -1).join(', ')} or ${last} seconds`;
}

/** `1 second`, `60 seconds`; 0 is a setting, not a number of seconds. */
export function formatSeconds(seconds: number): string {
  if (seconds === 0) return 'automatic checkpoints (0 seconds)';
  return countOf(seconds, 'second');
}
