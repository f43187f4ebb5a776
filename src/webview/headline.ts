/** The one sentence that says what matters, before any picture: how many databases are automatic, who accounts for the checkpoint time, and what was not seen. */
import { countDatabases, countOf, formatCount, formatDuration, formatPercent } from '../core/format';
import { listGaps, measureCoverage } from '../core/evidence/coverage';
import type { CheckpointStatistics } from '../core/evidence/statistics';
import { findHeavyDatabases } from '../core/picture/heavy-databases';
import { describeGapCount, isPartlyObserved } from '../core/picture/coverage-text';
import type { DatabaseView, Gap, Observation, ServerView } from '../protocol';
import { formatDay, formatMinute, type Clock } from './clock';

export interface Segment {
  readonly text: string;
  readonly weight: 'strong' | 'plain' | 'dim';
}

export interface HeadlineInput {
  readonly server: ServerView;
  readonly clock: Clock;
  /** Of all that was observed. */
  readonly statistics: readonly CheckpointStatistics[];
  /** In order of the statistics' `database`. */
  readonly databases: readonly Pick<DatabaseView, 'name' | 'isSystem'>[];
  readonly observation: Observation | null;
  /** Share of the observed time in which a checkpoint of any database was running; null where no time was observed. */
  readonly busyShare: number | null;
}

/** The sentence as pieces of different weight. */
export function writeHeadline(input: HeadlineInput): readonly Segment[] {
  return [...describeSettings(input.server), ...describeCheckpoints(input), ...describeGaps(input)];
}

/** Nothing where the server's databases could not be read. */
function describeSettings({ automatic, databases }: ServerView): readonly Segment[] {
  if (databases === 0) return [];
  const all = countDatabases(databases);
  const text =
    automatic === 0
      ? `None of ${all} uses automatic checkpoints.`
      : `${formatCount(automatic)} of ${all} use${automatic === 1 ? 's' : ''} automatic checkpoints.`;
  return [{ text, weight: 'strong' }];
}

function describeCheckpoints({ statistics, databases, busyShare }: HeadlineInput): readonly Segment[] {
  const present = statistics.filter((figures) => figures.count > 0);
  if (present.length === 0) return [];
  const count = present.reduce((sum, figures) => sum + figures.count, 0);
  const longest = present.reduce((a, b) => ((b.maximumMs ?? 0) > (a.maximumMs ?? 0) ? b : a));
  const ofSystem = present.filter(({ database }) => databases[database]?.isSystem === true).length;
  const ran = `${countOf(count, 'checkpoint')} in ${countDatabases(present.length - ofSystem, ofSystem)}`;
  const busy =
    busyShare === null ? ` There is a record of ${ran}; ` : ` Checkpoints were running ${formatPercent(busyShare)} of the time, ${ran}; `;
  const longestText = `the longest took ${formatDuration(longest.maximumMs ?? 0)} (${databases[longest.database]?.name ?? 'a database not yet named'}).`;
  return [{ text: busy, weight: 'plain' }, ...describeHeavy(statistics, present.length), { text: longestText, weight: 'plain' }];
}

/** Worth saying only where few of many carry most of it. */
function describeHeavy(statistics: readonly CheckpointStatistics[], present: number): readonly Segment[] {
  const { databases, share } = findHeavyDatabases(statistics);
  if (present < 3 || databases.length === 0 || databases.length * 2 > present) return [];
  const few = databases.length === 1 ? 'one database accounts' : `${spellCount(databases.length)} databases account`;
  return [
    { text: `${few} for ${formatPercent(share)} of the checkpoint time`, weight: 'strong' },
    { text: '; ', weight: 'plain' },
  ];
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const;
const spellCount = (count: number): string => WORDS[count] ?? formatCount(count);

function describeGaps({ observation, clock }: HeadlineInput): readonly Segment[] {
  const gaps = observation === null ? [] : listGaps(observation);
  const [first] = gaps;
  if (!observation || !first) return [];
  const text =
    gaps.length === 1
      ? ` ${whatIsMissing(gaps)} ${describeGapTime(first, clock)} (${first.reason}).`
      : ` ${whatIsMissing(gaps)} in ${describeGapCount(measureCoverage(observation, observation))} in all.`;
  return [{ text, weight: 'dim' }];
}

/** In some kinds of gaps there are events, if not all: it would be wrong to say that nothing was observed. */
function whatIsMissing(gaps: readonly Gap[]): string {
  if (gaps.every(isPartlyObserved)) return 'Events may be missing';
  return gaps.some(isPartlyObserved) ? 'Nothing or not everything was observed' : 'Nothing was observed';
}

function describeGapTime(gap: Gap, clock: Clock): string {
  const days = [gap.beginUtcMs, gap.endUtcMs].map((utcMs) => formatDay(utcMs, clock));
  const [from, to] = [gap.beginUtcMs, gap.endUtcMs].map((utcMs) => formatMinute(utcMs, clock));
  if (days[0] !== days[1]) return `between ${days[0]} ${from} and ${days[1]} ${to}`;
  return from === to ? `for ${formatDuration(gap.endUtcMs - gap.beginUtcMs)} at ${from}` : `between ${from} and ${to}`;
}
