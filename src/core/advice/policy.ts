/**
 * `.checkpoint-policy.json`: which target recovery time is wanted, what is left alone, until when and why; and what
 * that means for one database.
 */

import { countSeconds } from '../format';
import { listSentences, t, endSentence } from '../language';
import { addToList } from '../lists';
import { DAY_MS } from '../time';

/** Patterns are compared without regard to case; `*` stands for any characters, `?` for one. */
export interface PolicyTarget {
  /** SERVERPROPERTY('ServerName'); null: every server. */
  readonly server: string | null;
  readonly database: string;
  /** Seconds; 0: automatic checkpoints are wanted. */
  readonly targetSeconds: number;
  /** The most log since its last checkpoint, which a restart would have to redo, in megabytes. Absent: no bound. */
  readonly mostMbToRedo?: number;
}

export interface PolicyException {
  readonly server: string | null;
  readonly database: string;
  readonly reason: string;
  /** The last day on which it holds, UTC; null: no end. */
  readonly expires: string | null;
}

export interface Policy {
  /** The first matching one decides. */
  readonly targets: readonly PolicyTarget[];
  readonly exceptions: readonly PolicyException[];
}

/** The policy of all files together, and what of them could not be read, one sentence each. Exceptions may be in it. */
export interface PolicyInForce {
  readonly policy: Policy;
  readonly problems: readonly string[];
  /**
   * Problems that may hide an exception, with no earlier version to rely on: then no database may be changed. Absent:
   * none.
   */
  readonly unreadable?: readonly string[];
  /**
   * Which files count, or why none does: "a/.checkpoint-policy.json", "none (no folder is open)". Absent: there is no
   * policy.
   */
  readonly source?: string;
}

/** What the policy says about one database now. */
export type Expectation =
  | { readonly kind: 'none' }
  | { readonly kind: 'target'; readonly targetSeconds: number }
  | { readonly kind: 'exception'; readonly reason: string; readonly expires: string | null }
  /** An exception that has run out: the target counts again, and the screen says so. */
  | {
      readonly kind: 'expired';
      readonly reason: string;
      readonly expires: string;
      readonly targetSeconds: number | null;
    };

/** No policy: nothing is expected of any database. */
export const noPolicy: PolicyInForce = {
  policy: { targets: [], exceptions: [] },
  problems: [],
  source: t('none (no folder is open)'),
};

/**
 * What the policy expects of the databases of one server on this day, by name. A matching exception decides if it still
 * holds; else the first matching target. Entries about other servers are dropped once, so that a long policy costs
 * little with thousands of databases.
 * @param serverName SERVERPROPERTY('ServerName')
 */
export function createExpectations(
  policy: Policy,
  serverName: string,
  nowUtcMs: number,
): (databaseName: string) => Expectation {
  const isHere = holdsOn(serverName);
  const targets = createFinder(policy.targets.filter(isHere));
  const exceptions = createFinder(policy.exceptions.filter(isHere));
  return (databaseName) => {
    const name = databaseName.toLowerCase();
    const fitting = exceptions(name);
    // An exception still holds on its last day, UTC.
    const held = fitting.find(({ expires }) => expires === null || nowUtcMs < Date.parse(expires) + DAY_MS);
    if (held !== undefined) return { kind: 'exception', reason: held.reason, expires: held.expires };
    const targetSeconds = targets(name)[0]?.targetSeconds ?? null;
    const [expired] = [...fitting].sort((a, b) => (b.expires ?? '').localeCompare(a.expires ?? ''));
    if (expired !== undefined)
      return { kind: 'expired', reason: expired.reason, expires: expired.expires ?? '', targetSeconds };
    return targetSeconds === null ? { kind: 'none' } : { kind: 'target', targetSeconds };
  };
}

/**
 * The most log in megabytes that a restart may have to redo, by name of a database of one server; null: the policy
 * names no bound. The first matching target with a bound decides. Exceptions do not count here.
 * @param serverName SERVERPROPERTY('ServerName')
 */
export function createRedoBounds(
  policy: Policy,
  serverName: string,
): (databaseName: string) => number | null {
  const bounds = createFinder(
    policy.targets.filter(({ mostMbToRedo }) => mostMbToRedo !== undefined).filter(holdsOn(serverName)),
  );
  return (databaseName) => bounds(databaseName.toLowerCase())[0]?.mostMbToRedo ?? null;
}

function holdsOn(serverName: string): (entry: PolicyTarget | PolicyException) => boolean {
  return ({ server }) => server === null || matchPattern(server, serverName);
}

/** Whether a name fits a pattern, without regard to case: `*` stands for any characters, `?` for one. */
export function matchPattern(pattern: string, name: string): boolean {
  return createMatcher(pattern)(name.toLowerCase());
}

/**
 * Finds the entries that match a name in lower case, in their order. Only patterns are compared one by one; names
 * without `*` and `?` are looked up.
 */
function createFinder<T extends { readonly database: string }>(
  entries: readonly T[],
): (lowerName: string) => readonly T[] {
  const literals = new Map<string, number[]>();
  const patterns: { readonly at: number; readonly fits: (lowerName: string) => boolean }[] = [];
  entries.forEach(({ database }, at) => {
    if (/[*?]/.test(database)) patterns.push({ at, fits: createMatcher(database) });
    else addToList(literals, database.toLowerCase(), at);
  });
  return (name) => {
    const found = [
      ...(literals.get(name) ?? []),
      ...patterns.flatMap(({ at, fits }) => (fits(name) ? [at] : [])),
    ];
    return found.sort((a, b) => a - b).flatMap((at) => entries[at] ?? []);
  };
}

/** Takes names in lower case. Checks the beginning, the end and the longest part first: that rules out nearly all. */
function createMatcher(pattern: string): (lowerName: string) => boolean {
  const lower = pattern.toLowerCase();
  const parts = lower.split(/[*?]/);
  const [before = '', after = ''] = [parts[0], parts[parts.length - 1]];
  if (parts.length === 1) return (name) => name === lower;
  const longest = parts.reduce((most, part) => (part.length > most.length ? part : most), '');
  const wanted = [...lower];
  return (name) =>
    name.startsWith(before) &&
    name.endsWith(after) &&
    name.includes(longest) &&
    matchLetters(wanted, [...name]);
}

/** Takes time in proportion to the two lengths multiplied, whatever the pattern. */
function matchLetters(wanted: readonly string[], given: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  for (let i = 0; i < given.length;) {
    if (wanted[at] === '*') {
      star = at++;
      retry = i;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      // The last star takes one character more.
      at = star + 1;
      i = ++retry;
    } else return false;
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}

/** Seconds; null if no target is wanted. */
export function findWanted(expectation: Expectation): number | null {
  return expectation.kind === 'target' || expectation.kind === 'expired' ? expectation.targetSeconds : null;
}

/**
 * In what a database departs from the policy, a sentence each: its value, and an exception that ran out. Empty: in
 * nothing.
 * @param targetSeconds what it has; null counts as 0
 */
export function describeDeparture(expectation: Expectation, targetSeconds: number | null): readonly string[] {
  if (expectation.kind === 'none' || expectation.kind === 'exception') return [];
  const { targetSeconds: wanted } = expectation;
  return listSentences(
    wanted === null ? t('The policy names no target for it.') : describeUnmet(wanted, targetSeconds ?? 0),
    expectation.kind === 'expired'
      ? t('Its exception expired on {0}: {1}', expectation.expires, endSentence(expectation.reason))
      : '',
  );
}

/** That an exception holds, until when, and why. */
export function describeException({ expires, reason }: Extract<Expectation, { kind: 'exception' }>): string {
  const why = endSentence(reason.trim());
  return expires === null
    ? t('The policy leaves it alone: {0}', why)
    : t('The policy leaves it alone until {0}: {1}', expires, why);
}

/** '' if it has what is wanted. Seconds. */
export function describeUnmet(wanted: number, has: number): string {
  return wanted === has ? '' : t('The policy wants {0}; it has {1}.', nameTarget(wanted), nameTarget(has));
}

/** "automatic checkpoints", "60 seconds" */
export function nameTarget(seconds: number): string {
  return seconds === 0 ? t('automatic checkpoints') : countSeconds(seconds);
}
