/** The tables of a report as texts, the same in HTML and Markdown. Nothing is escaped here. */
import {
  countOf,
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatPercent,
  formatPercentile,
  formatUtcOffset,
} from '../../../src/core/format';
import { joinSentences } from '../../../src/core/language';
import { addToList } from '../../../src/core/lists';
import { DAY_MS } from '../../../src/core/time';
import { GAP_NAMES } from '../../../src/core/session/gap';
import { VERDICT_NAMES } from '../../../src/core/advice/verdict-names';
import {
  type DescribedServer,
  type ReportedDatabase,
  type ReportedServer,
  type SummedDay,
  writeVerdict,
} from './reported-server';

export interface TextTable {
  readonly heading: readonly string[];
  /** Columns of figures, by position. */
  readonly figures: readonly number[];
  readonly rows: readonly (readonly string[])[];
  /** What is left out; null: nothing. */
  readonly more: string | null;
}

export interface Report {
  readonly madeUtcMs: number;
  /** From where: one sentence. */
  readonly origin: string;
  /** The worst first. */
  readonly servers: readonly ReportedServer[];
}

/** A report has no more of them; the dashboard has all. */
const MOST_DATABASES = 50;
const NONE = '–';
/** The reason of the row above: it is said once. */
const SAME = '″';

export function tabulateFleet({ servers }: Report): TextTable {
  return {
    heading: 'Server|Checkpoint task|Busy|Automatic|Longest checkpoint|Observed|Gaps|Seen'.split('|'),
    figures: [2, 3, 4, 5, 6],
    rows: servers.map(({ name, known, seenUtcMs, trouble }) => [
      name,
      joinSentences(known === null ? 'No data.' : writeVerdict(known), trouble ?? ''),
      known?.busyShare == null ? NONE : `${known.isPart ? 'at least ' : ''}${formatPercent(known.busyShare)}`,
      known === null ? NONE : `${formatCount(known.automatic)} of ${formatCount(known.all)}`,
      known?.longest == null
        ? NONE
        : `${formatDuration(known.longest.durationMs)}${known.sinceUtcMs === null ? '' : ' since the change'}`,
      known?.observed == null ? NONE : formatDuration(known.observed.coverage.observedMs),
      known?.observed == null
        ? NONE
        : known.observed.coverage.gapMs === 0
          ? 'none'
          : formatDuration(known.observed.coverage.gapMs),
      seenUtcMs === null ? 'never' : `${formatDateTime(seenUtcMs, 0)} UTC`,
    ]),
    more: null,
  };
}

/** What a server's section begins with: a sentence each. */
export function introduceServer(known: DescribedServer, collecting?: string | null): readonly string[] {
  const { words, observed, utcOffsetMinutes, sinceUtcMs, longest, product, serverName } = known;
  const clock = (utcMs: number): string => formatDateTime(utcMs, utcOffsetMinutes);
  return [
    words.title,
    words.lines.map((line) => line.map(({ text }) => text).join('')),
    words.note ?? [],
    sinceUtcMs === null ? [] : `Database figures cover the time since the last change, ${clock(sinceUtcMs)}.`,
    longest === null
      ? []
      : `The longest checkpoint took ${formatDuration(longest.durationMs)}, of ${longest.database}.`,
    observed === null
      ? 'No checkpoint is recorded.'
      : `Observed from ${clock(observed.beginUtcMs)} to ${clock(observed.endUtcMs)}, ${formatUtcOffset(utcOffsetMinutes)}: ${formatDuration(observed.coverage.observedMs)} without gaps.`,
    (observed?.coverage.gaps ?? []).map(
      ({ kind, count, gapMs }) =>
        `${countOf(count, '{0} gap', '{0} gaps')} because of ${GAP_NAMES[kind]}: ${formatDuration(gapMs)}.`,
    ),
    collecting ?? [],
    `${serverName}: ${product}.`,
  ].flat();
}

export function tabulateDatabases({ databases, observed }: DescribedServer): TextTable {
  const left = databases.length - MOST_DATABASES;
  return {
    heading: 'Database|Target|Verdict|Why|Checkpoints|Median|p95|Longest|Share of the time'.split('|'),
    figures: [1, 4, 5, 6, 7, 8],
    rows: databases.slice(0, MOST_DATABASES).map((database, at) => {
      const [before, own] = [databases[at - 1]?.verdict, database.verdict];
      const isSame = before != null && before.verdict === own?.verdict && before.reason === own.reason;
      return writeDatabase(database, observed !== null, isSame ? SAME : (own?.reason ?? ''));
    }),
    more: left > 0 ? `And ${countOf(left, '{0} more database', '{0} more databases')}.` : null,
  };
}

/** 1970 began on a Thursday. */
const weekOf = ({ beginUtcMs }: SummedDay): number => Math.floor((beginUtcMs / DAY_MS + 3) / 7);

/** null: there are no sums of earlier weeks. */
export function tabulateWeeks(days: readonly SummedDay[] = []): TextTable | null {
  const weeks = new Map<number, SummedDay[]>();
  for (const day of days) addToList(weeks, weekOf(day), day);
  if (weeks.size < 3) return null;
  return {
    heading: ['Week from', 'Busy', 'Busiest day', 'Observed'],
    figures: [1, 2, 3],
    rows: [...weeks].map(([week, own]) => {
      const known = own.filter(({ busyMs, observedMs }) => busyMs !== null && observedMs > 0);
      const shares = known.map((day) => ({ ...day, share: (day.busyMs ?? 0) / day.observedMs }));
      const busiest = shares.reduce((most, day) => (day.share > most.share ? day : most), shares[0]!);
      const busyMs = known.reduce((sum, day) => sum + (day.busyMs ?? 0), 0);
      return [
        formatDate((week * 7 - 3) * DAY_MS, 0),
        known.length === 0 ? NONE : formatPercent(busyMs / sumObserved(known)),
        known.length === 0 ? NONE : `${formatPercent(busiest.share)} on ${formatDate(busiest.beginUtcMs, 0)}`,
        formatDuration(sumObserved(own)),
      ];
    }),
    more: 'From the sums of each day (UTC) that the lake keeps.',
  };
}

const sumObserved = (days: readonly SummedDay[]) => days.reduce((sum, { observedMs }) => sum + observedMs, 0);

function writeDatabase(
  { name, targetSeconds, verdict, statistics }: ReportedDatabase,
  isObserved: boolean,
  why: string,
): readonly string[] {
  const duration = (ms: number | null | undefined): string => (ms == null ? NONE : formatDuration(ms));
  return [
    name,
    targetSeconds === null ? NONE : targetSeconds === 0 ? 'automatic' : `${targetSeconds} s`,
    verdict === null ? NONE : VERDICT_NAMES[verdict.verdict],
    why,
    statistics === null ? (isObserved ? '0' : NONE) : formatCount(statistics.count),
    duration(statistics?.p50Ms),
    statistics === null ? NONE : formatPercentile(statistics.p95Ms, statistics.count),
    duration(statistics?.maximumMs),
    statistics?.share == null ? NONE : formatPercent(statistics.share),
  ];
}
