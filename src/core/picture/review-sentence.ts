import { countDatabases, countOf, formatCount } from '../format';

/** Databases of a review by what becomes of them. */
export interface ReviewCounts {
  readonly in: number;
  readonly leftOut: number;
  readonly haveIt: number;
  readonly notChosen: number;
  /** System databases and snapshots that nobody chose: they are in none of the other counts. */
  readonly never: number;
}

export interface ReviewSums {
  readonly serverName: string;
  readonly counts: ReviewCounts;
  readonly waves: number;
  /** Seconds that databases are led to, each once. */
  readonly targets: readonly number[];
}

/** "308 databases would change to 60 seconds on LEGACY-SQL07 in 3 waves; 9 are left out. 83 have 60 seconds already." */
export function writeReviewSentence(sums: ReviewSums): string {
  const { leftOut } = sums.counts;
  const out = leftOut === 0 ? '' : `; ${formatCount(leftOut)} ${leftOut === 1 ? 'is' : 'are'} left out`;
  return [`${writeChange(sums)}${out}.`, ...writeOthers(sums)].join(' ');
}

function writeChange({ serverName, counts, waves, targets }: ReviewSums): string {
  if (counts.in === 0) return `Nothing would change on ${serverName}`;
  const inWaves = waves > 1 ? ` in ${formatCount(waves)} waves` : '';
  return `${countDatabases(counts.in)} would change to ${listSeconds(targets)} on ${serverName}${inWaves}`;
}

function writeOthers({ counts, targets }: ReviewSums): readonly string[] {
  const { haveIt, notChosen, never } = counts;
  return [
    ...(haveIt === 0 ? [] : [`${formatCount(haveIt)} ${haveIt === 1 ? 'has' : 'have'} ${listSeconds(targets)} already.`]),
    ...(notChosen === 0 ? [] : [`${formatCount(notChosen)} ${notChosen === 1 ? 'was' : 'were'} not chosen.`]),
    ...(never === 0 ? [] : [`${countOf(never, 'system database or snapshot is', 'system databases and snapshots are')} never switched.`]),
  ];
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
