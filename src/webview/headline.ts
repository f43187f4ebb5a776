/** The one sentence that says what matters, before any picture: how many databases are automatic, who accounts for the checkpoint time, and what was not seen. */
import { formatCount, formatDuration, formatPercent } from '../core/format';
import type { CheckpointStatistics } from '../core/evidence/statistics';
import { findHeavyDatabases } from '../core/picture/heavy-databases';
import type { Gap, Observation, ServerView } from '../protocol';
import { formatServerMinute } from './server-time';

export interface Segment {
  readonly text: string;
  readonly weight: 'strong' | 'plain' | 'dim';
}

export interface HeadlineInput {
  readonly server: ServerView;
  /** Of all that was observed. */
  readonly statistics: readonly CheckpointStatistics[];
  readonly names: readonly string[];
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
  const all = `${formatCount(databases)} ${databases === 1 ? 'database' : 'databases'}`;
  const text =
    automatic === 0
      ? `None of ${all} uses automatic checkpoints.`
      : `${formatCount(automatic)} of ${all} use${automatic === 1 ? 's' : ''} automatic checkpoints.`;
  return [{ text, weight: 'strong' }];
}

function describeCheckpoints({ statistics, names, busyShare }: HeadlineInput): readonly Segment[] {
  const present = statistics.filter((figures) => figures.count > 0);
  if (present.length === 0) return [];
  const count = present.reduce((sum, figures) => sum + figures.count, 0);
  const longest = present.reduce((a, b) => ((b.maximumMs ?? 0) > (a.maximumMs ?? 0) ? b : a));
  const ran = `${formatCount(count)} ${count === 1 ? 'checkpoint' : 'checkpoints'} in ${formatCount(present.length)} ${present.length === 1 ? 'database' : 'databases'}`;
  const busy =
    busyShare === null ? ` There is a record of ${ran}; ` : ` Checkpoints were running ${formatPercent(busyShare)} of the time, ${ran}; `;
  const longestText = `the longest took ${formatDuration(longest.maximumMs ?? 0)} (${names[longest.database] ?? 'a database not yet named'}).`;
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

function describeGaps({ observation, server }: HeadlineInput): readonly Segment[] {
  const gaps = observation?.gaps ?? [];
  if (gaps.length === 0) return [];
  const text =
    gaps.length === 1
      ? describeGap(gaps[0]!, server.utcOffsetMinutes)
      : ` Nothing was observed in ${gaps.length} gaps, ${formatDuration(sumOf(gaps))} in all.`;
  return [{ text, weight: 'dim' }];
}

function describeGap(gap: Gap, utcOffsetMinutes: number): string {
  const from = formatServerMinute(gap.beginUtcMs, utcOffsetMinutes);
  const to = formatServerMinute(gap.endUtcMs, utcOffsetMinutes);
  return ` Nothing was observed ${from === to ? `for ${formatDuration(gap.endUtcMs - gap.beginUtcMs)} at ${from}` : `between ${from} and ${to}`} (${gap.reason}).`;
}

const sumOf = (gaps: readonly Gap[]): number => gaps.reduce((sum, gap) => sum + gap.endUtcMs - gap.beginUtcMs, 0);
