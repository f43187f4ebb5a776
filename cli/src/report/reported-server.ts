/** What a report says of one server, whether it was read now or comes from the lake. */
import type { Facts } from '../../../src/core/advice/facts';
import {
  findFiguresSince,
  type InstanceState,
  type InstanceVerdict,
} from '../../../src/core/advice/instance';
import type { Verdict } from '../../../src/core/advice/verdict';
import type { CaptureRecord } from '../../../src/core/capture/capture-record';
import { describeInstance, type InstanceWords, joinWords } from '../../../src/core/pages/instance-words';
import { type Coverage, measureCoverage } from '../../../src/core/statistics/coverage';
import type { CheckpointStatistics, TimeWindow } from '../../../src/core/statistics/statistics';
import type { ServerMonitor, ServerSnapshot } from '../../../src/monitor/server-monitor';
import { addToList } from '../../../src/core/lists';

export interface JudgedServer extends Pick<ServerSnapshot, 'verdicts' | 'statistics' | 'changes'> {
  readonly facts: Facts;
  readonly instance: InstanceVerdict;
  /** null: nothing is recorded. */
  readonly capture: Pick<CaptureRecord, 'columns' | 'databases' | 'observation'> | null;
}

/** null: it was not read so far that it can be judged. */
export function judgedBy({ snapshot, capture }: ServerMonitor): JudgedServer | null {
  const { facts, instance, verdicts, statistics, changes } = snapshot;
  if (facts === null || instance === null) return null;
  // Only what is drawn, without functions: it goes from thread to thread.
  const drawn = capture && {
    columns: capture.columns,
    databases: capture.databases,
    observation: capture.observation,
  };
  return { facts, instance, verdicts, statistics, changes, capture: drawn };
}

export interface ReportedDatabase {
  readonly name: string;
  /** null: not seen. */
  readonly targetSeconds: number | null;
  readonly verdict: Verdict | null;
  readonly statistics: CheckpointStatistics | null;
}

export interface ReportedServer {
  readonly name: string;
  /** When its facts were read; null: never. */
  readonly seenUtcMs: number | null;
  /** Why it was not read last time, or not whole; null: it was. */
  readonly trouble: string | null;
  /** null: nothing is known of it. */
  readonly known: DescribedServer | null;
  /** The picture of its timeline; null: it gets none. */
  readonly picture: JudgedServer | null;
  /** The days of which the lake has sums, in order; absent: none. */
  readonly days?: readonly SummedDay[];
  /** How well the collector kept up with it: one sentence; absent or null: there is nothing to say. */
  readonly collecting?: string | null;
}

export interface SummedDay {
  readonly beginUtcMs: number;
  readonly observedMs: number;
  /** In which the checkpoint task was busy; null: not known. */
  readonly busyMs: number | null;
}

export interface DescribedServer {
  readonly serverName: string;
  readonly product: string;
  readonly utcOffsetMinutes: number;
  readonly state: InstanceState;
  readonly words: InstanceWords;
  /** null: not known. */
  readonly busyShare: number | null;
  /** It is at least that: not all automatic databases are known. */
  readonly isPart: boolean;
  readonly automatic: number;
  readonly all: number;
  /** Since when longest and the figures of databases count; null: all that was observed. */
  readonly sinceUtcMs: number | null;
  readonly longest: { readonly database: string; readonly durationMs: number } | null;
  readonly observed: (TimeWindow & { readonly coverage: Coverage }) | null;
  /**
   * Those that need work first, then by time in checkpoints; those with one reason stand together, behind the first of
   * them.
   */
  readonly databases: readonly ReportedDatabase[];
}

const ALWAYS = { beginUtcMs: -Infinity, endUtcMs: Infinity };

export function describeServer(judged: JudgedServer): DescribedServer {
  const { facts, instance, verdicts, capture } = judged;
  const { server } = facts;
  const observation = capture?.observation ?? null;
  const { beginUtcMs, endUtcMs } = observation ?? ALWAYS;
  const databases = listDatabases(judged);
  return {
    serverName: server.serverName,
    product: `SQL Server ${server.productVersion}, ${server.edition}`,
    utcOffsetMinutes: server.utcOffsetMinutes,
    state: instance.state,
    words: describeInstance(instance, facts, verdicts),
    busyShare: instance.state.startsWith('cannot tell') ? null : (instance.task?.busyShare ?? null),
    isPart: instance.partly !== null,
    automatic: instance.automatic,
    all: instance.databases,
    sinceUtcMs: findFiguresSince(instance),
    longest: findLongest(databases),
    observed: observation && { beginUtcMs, endUtcMs, coverage: measureCoverage(ALWAYS, observation) },
    databases,
  };
}

/** The verdict as one sentence or two: what a row has room for. */
export function writeVerdict({ words }: DescribedServer): string {
  return joinWords({ ...words, lines: words.lines.slice(0, 1), note: null });
}

function listDatabases({ facts, verdicts, statistics }: JudgedServer): readonly ReportedDatabase[] {
  const ranks = ['Switch', 'Watch', 'Cannot tell here', 'Leave', null] as const;
  const rankOf = ({ verdict }: ReportedDatabase): number =>
    verdict?.verdict === 'Leave' && verdict.hasMore ? 1 : ranks.indexOf(verdict && verdict.verdict);
  const totalOf = ({ statistics: own }: ReportedDatabase): number => own?.totalMs ?? 0;
  const sorted = facts.databases
    .map(({ databaseId, name, targetSeconds }) => ({
      name,
      targetSeconds,
      verdict: verdicts.get(databaseId) ?? null,
      statistics: statistics.get(databaseId) ?? null,
    }))
    .sort((a, b) => rankOf(a) - rankOf(b) || totalOf(b) - totalOf(a) || (a.name < b.name ? -1 : 1));
  const byReason = new Map<string, ReportedDatabase[]>();
  for (const one of sorted)
    addToList(byReason, JSON.stringify([one.verdict?.verdict, one.verdict?.reason]), one);
  return [...byReason.values()].flat();
}

function findLongest(databases: readonly ReportedDatabase[]): DescribedServer['longest'] {
  let longest: DescribedServer['longest'] = null;
  for (const { name: database, statistics } of databases) {
    const durationMs = statistics?.maximumMs ?? -1;
    if (durationMs > (longest?.durationMs ?? -1)) longest = { database, durationMs };
  }
  return longest;
}

const STATES = [
  'saturated',
  'queue at times',
  'mostly free',
  'cannot tell yet',
  'cannot tell',
  null,
] as const;

/** Those that suffer most first; those of which nothing is known last. */
export function compareServers(a: ReportedServer, b: ReportedServer): number {
  const rankOf = ({ known }: ReportedServer): number => STATES.indexOf(known && known.state);
  const busyOf = ({ known }: ReportedServer): number => known?.busyShare ?? -1;
  const longestOf = ({ known }: ReportedServer): number => known?.longest?.durationMs ?? -1;
  const byFigures = rankOf(a) - rankOf(b) || busyOf(b) - busyOf(a) || longestOf(b) - longestOf(a);
  return byFigures || (a.name < b.name ? -1 : 1);
}

/** A picture is some hundred kilobytes of the report, and needs the whole capture in memory. */
const MOST_PICTURES = 10;

/** Sorted, with pictures of the first ones only. */
export function keepWorst(servers: readonly ReportedServer[], left = MOST_PICTURES): ReportedServer[] {
  return [...servers]
    .sort(compareServers)
    .map((server) => (server.picture === null || left-- > 0 ? server : { ...server, picture: null }));
}
