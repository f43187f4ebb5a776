/** What is known of servers, as answers to a language model: from memory and kept captures, never read for one. */
import type { Facts } from '../advice/facts';
import { type Preflight, writeFinding } from '../advice/finding';
import { findFiguresSince, type InstanceVerdict } from '../advice/instance';
import { isUserDatabase } from '../advice/obstacle';
import type { NearestLimit } from '../advice/limits';
import type { Verdict } from '../advice/verdict';
import { groups, GROUP_NAMES, VERDICT_NAMES } from '../advice/verdict-names';
import {
  countDatabases,
  countOf,
  formatCount,
  formatDuration,
  formatObserved,
  formatPercent,
  formatPercentile,
  formatPerHour,
  countCheckpoints,
} from '../format';
import { joinSentences, t } from '../language';
import { escapeLine, escapeText } from '../markdown';
import { gatherFindings } from '../review/review-findings';
import type { CheckpointStatistics } from '../statistics/statistics';
import type { DatabaseChange } from '../task/change-moment';
import { describeInstance } from '../pages/instance-words';
import { citeCapture, createTimeWriter, finishAnswer, listNames, type StoredCapture } from './answer';

/** Everything about one server that an answer may use. */
export interface StoredServer {
  readonly label: string;
  /** Why we do not know its state of now, in a few words; null: we do. */
  readonly absence: string | null;
  /** null: not read in this window. */
  readonly facts: Facts | null;
  /** null: not judged yet. */
  readonly instance: InstanceVerdict | null;
  /** By database_id. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
  readonly statistics: ReadonlyMap<number, CheckpointStatistics>;
  readonly preflight: Preflight;
  readonly changes: readonly DatabaseChange[];
  readonly nearestLimit: NearestLimit | null;
  /** null: nothing was recorded, or kept. */
  readonly capture: StoredCapture | null;
}

/** @param unopened how many more servers are in the list, of which nothing is stored */
export function listStored(servers: readonly StoredServer[], unopened: number): string {
  const none =
    servers.length === 0
      ? [t('Nothing is stored about any server. The user opens one in the Checkpoint Health pane.')]
      : [];
  const rest =
    unopened === 0
      ? []
      : [t('Nothing is stored about {0}.', countOf(unopened, t('{0} more server'), t('{0} more servers')))];
  return finishAnswer([...none, ...servers.flatMap((server) => [...describeServer(server), '']), ...rest]);
}

function describeServer(server: StoredServer): readonly string[] {
  const { facts, instance, verdicts, capture } = server;
  const automatic = facts === null ? [] : [`- ${describeAutomatic(facts)}`];
  const verdict =
    facts === null || instance === null
      ? []
      : [`- ${escapeText(describeInstance(instance, facts, verdicts).title)}`];
  const [cited = ''] = citeCapture(capture);
  return [
    `## ${escapeText(server.label)}`,
    `- ${describeAge(server)}`,
    ...verdict,
    ...automatic,
    `- ${cited}`,
  ];
}

/** Says of when everything is. */
export function describeAge({ absence, facts }: Pick<StoredServer, 'absence' | 'facts'>): string {
  const state = absence === null ? t('Connected.') : t('As of an earlier time: {0}.', escapeText(absence));
  if (facts === null)
    return `${state} ${t('Its settings were not read in this window, so nothing is judged.')}`;
  return `${state} ${t('Settings as read at {0}, server time.', createTimeWriter(facts.server.utcOffsetMinutes)(facts.server.nowUtcMs))}`;
}

function describeAutomatic(facts: Facts): string {
  const users = facts.databases.filter((database) => isUserDatabase(database, facts));
  const automatic = users.filter(({ targetSeconds }) => targetSeconds === 0).length;
  return t(
    '{0} of {1} use automatic checkpoints (target recovery time 0).',
    formatCount(automatic),
    countDatabases(users.length),
  );
}

/** The verdict on the instance, with all that it rests on. */
export function explainInstance(server: StoredServer): string {
  const { facts, instance, verdicts, preflight, nearestLimit } = server;
  const head = writeHead(server.label, server);
  if (facts === null) return finishAnswer(head);
  const words = instance === null ? null : describeInstance(instance, facts, verdicts);
  const lines =
    words === null
      ? [t('Not judged yet.')]
      : [
          `**${escapeText(words.title)}**`,
          ...words.lines.map((line) => escapeLine(line.map(({ text }) => text).join(''))),
          ...(words.note === null ? [] : [escapeLine(words.note)]),
          ...words.rests.map(({ name, text }) => `- ${escapeText(name)}: ${escapeText(text)}`),
        ];
  const stop = nearestLimit === null ? [] : [t('Limit: {0}.', escapeText(nearestLimit.text))];
  const { listed } = gatherFindings({ ...preflight, databases: new Map() }, facts);
  return finishAnswer([
    ...head,
    ...lines,
    ...stop,
    describeAutomatic(facts),
    '',
    `## ${t('Databases by verdict')}`,
    ...listGroups(facts, verdicts),
    ...(instance === null
      ? []
      : writeChecks(
          listed.map((finding) => writeFinding(t('The server'), finding)),
          preflight.unseen,
        )),
  ]);
}

function writeHead(title: string, server: StoredServer): readonly string[] {
  return [`# ${escapeText(title)}`, describeAge(server), ...citeCapture(server.capture), ''];
}

function listGroups({ databases }: Facts, verdicts: StoredServer['verdicts']): readonly string[] {
  return groups.flatMap((group) => {
    const names = databases
      .filter(({ databaseId }) => verdicts.get(databaseId)?.group === group)
      .map(({ name }) => name);
    return names.length === 0
      ? []
      : [
          `- ${t('{0}, {1}: {2}', GROUP_NAMES[group], countDatabases(names.length), escapeText(listNames(names)))}`,
        ];
  });
}

/**
 * The verdict on one database, with all that it rests on.
 * @param databaseId of a database in the facts of the server
 */
export function explainDatabase(server: StoredServer, databaseId: number): string {
  const { facts, instance, verdicts, statistics, preflight } = server;
  const database = facts?.databases.find((one) => one.databaseId === databaseId);
  if (facts === null || database === undefined) return finishAnswer(writeHead(server.label, server));
  const verdict = verdicts.get(databaseId);
  const words = instance === null ? null : describeInstance(instance, facts, verdicts);
  const findings = [
    ...(preflight.databases.get(databaseId) ?? []).map((one) => writeFinding(database.name, one)),
    ...preflight.server
      .filter(({ severity }) => severity !== 'inform')
      .map((one) => writeFinding(t('The server'), one)),
  ];
  return finishAnswer([
    ...writeHead(t('{0} on {1}', database.name, server.label), server),
    ...(verdict === undefined ? [t('Not judged yet.')] : describeVerdict(verdict)),
    t(
      'Target recovery time now: {0}.',
      formatObserved(database.targetSeconds, (seconds) => `${formatCount(seconds)} s`),
    ),
    describeFigures(statistics.get(databaseId), instance !== null && findFiguresSince(instance) !== null),
    ...(instance === null || instance.neededMs > 0 ? [] : [describeTurns(instance, databaseId)]),
    ...(words === null ? [] : [t('The instance: {0}', escapeText(words.title))]),
    ...listChanges(server, databaseId, createTimeWriter(facts.server.utcOffsetMinutes)),
    ...(instance === null ? [] : writeChecks(findings, preflight.unseen)),
  ]);
}

function describeVerdict({ verdict, group, reason, wouldChange }: Verdict): readonly string[] {
  return [
    `**${t('Verdict: {0}', VERDICT_NAMES[verdict])}** (${GROUP_NAMES[group]}). ${escapeText(reason)}`,
    t('What would change it: {0}', escapeText(wouldChange)),
  ];
}

function describeFigures(figures: CheckpointStatistics | undefined, isSince: boolean): string {
  if (figures === undefined)
    return isSince ? t('Since the last change: no checkpoint.') : t('In the capture: no checkpoint.');
  const { count, perHour, averageMs, p50Ms, p95Ms, p99Ms, maximumMs, totalMs, share } = figures;
  const counts = [countCheckpoints(count), formatObserved(perHour, formatPerHour)] as const;
  const counted = isSince
    ? t('Since the last change: {0}, {1} an hour.', ...counts)
    : t('In the capture: {0}, {1} an hour.', ...counts);
  const ms = (value: number | null): string => formatObserved(value, formatDuration);
  const durations = t(
    'Duration: average {0}, median {1}, p95 {2}, p99 {3}, longest {4}.',
    ms(averageMs),
    ms(p50Ms),
    formatPercentile(p95Ms, count),
    formatPercentile(p99Ms, count),
    ms(maximumMs),
  );
  return joinSentences(
    counted,
    durations,
    t('{0} in all, {1} of the observed time.', formatDuration(totalMs), formatObserved(share, formatPercent)),
  );
}

function describeTurns(instance: InstanceVerdict, databaseId: number): string {
  const own = instance.task?.databases.get(databaseId);
  if (own === undefined) return t('On the checkpoint task: none seen.');
  const turns = countOf(own.count, t('{0} turn'), t('{0} turns'));
  return t(
    'On the checkpoint task: {0}, {1} of the time; late because of others: {2}.',
    turns,
    formatPercent(own.share),
    formatCount(own.late),
  );
}

function listChanges(
  { changes }: StoredServer,
  databaseId: number,
  clock: (utcMs: number) => string,
): readonly string[] {
  const seconds = (value: number | null): string =>
    formatObserved(value, (known) => `${formatCount(known)} s`);
  return changes
    .filter((change) => change.databaseId === databaseId)
    .map(({ atUtcMs, fromSeconds, toSeconds }) =>
      t('Changed at {0}: from {1} to {2}.', clock(atUtcMs), seconds(fromSeconds), seconds(toSeconds)),
    );
}

/** @param findings one line each @param unseen what could not be checked, one sentence each */
export function writeChecks(findings: readonly string[], unseen: readonly string[]): readonly string[] {
  const missing = unseen.map((sentence) => `- ${escapeText(sentence)}`);
  return [
    '',
    `## ${t('What could not be observed')}`,
    ...(missing.length === 0 ? [t('Nothing is known to be missing.')] : missing),
    '',
    `## ${t('Check before a change')}`,
    ...(findings.length === 0 ? [t('Nothing was found.')] : findings),
  ];
}
