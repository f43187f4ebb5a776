/** What a policy says of one database. */
import type { Expectation, Policy, PolicyException } from './policy';

/** No policy: nothing is expected of any database. */
export const noPolicy: Policy = { targets: [], exceptions: [] };

const dayMs = 86_400_000;

/**
 * What the policy expects of a database on this day. Of exceptions that fit, one that still holds decides; of targets, the first that fits.
 * @param serverName SERVERPROPERTY('ServerName')
 */
export function expectDatabase(policy: Policy, serverName: string, databaseName: string, nowUtcMs: number): Expectation {
  const fits = ({ server, database }: { readonly server: string | null; readonly database: string }): boolean =>
    (server === null || matchPattern(server, serverName)) && matchPattern(database, databaseName);
  const exceptions = policy.exceptions.filter(fits);
  const held = exceptions.find((exception) => !hasExpired(exception, nowUtcMs));
  if (held !== undefined) return { kind: 'exception', reason: held.reason, expires: held.expires };
  const targetSeconds = policy.targets.find(fits)?.targetSeconds ?? null;
  const expired = findLatest(exceptions);
  if (expired !== undefined) return { kind: 'expired', reason: expired.reason, expires: expired.expires ?? '', targetSeconds };
  return targetSeconds === null ? { kind: 'none' } : { kind: 'target', targetSeconds };
}

/** The whole of its last day counts, UTC. */
function hasExpired({ expires }: PolicyException, nowUtcMs: number): boolean {
  return expires !== null && nowUtcMs >= Date.parse(expires) + dayMs;
}

function findLatest(exceptions: readonly PolicyException[]): PolicyException | undefined {
  return [...exceptions].sort((a, b) => (b.expires ?? '').localeCompare(a.expires ?? ''))[0];
}

/**
 * Whether a name fits a pattern, without regard to case: `*` stands for any characters, `?` for one. Takes time in proportion to the lengths multiplied, whatever
 * the pattern.
 */
export function matchPattern(pattern: string, name: string): boolean {
  const [wanted, given] = [[...pattern.toLowerCase()], [...name.toLowerCase()]];
  let [at, star, retry] = [0, -1, 0];
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
