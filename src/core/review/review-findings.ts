/** What stands for or against the change, about the server and the ticked databases, counted by kind. */
import type { Facts } from '../advice/facts';
import { type Finding, type Preflight, SEVERITIES } from '../advice/finding';
import { countDatabases } from '../format';
import { t } from '../language';

/** The same finding of several databases stands once. */
export interface ReviewFinding extends Finding {
  /** What the finding is about: names of databases, or their number; null: the server. */
  readonly about: string | null;
}

export interface ReviewFindings {
  /** By severity, the worst first. Counts all; `listed` may leave some out. */
  readonly counts: Readonly<Record<Finding['severity'], number>>;
  readonly listed: readonly ReviewFinding[];
}

/** More is too much to read here: the change record has all. */
const MOST_LISTED = 100;
const MOST_NAMES = 3;

export function gatherFindings({ server, databases }: Preflight, facts: Facts): ReviewFindings {
  const names = new Map(facts.databases.map(({ databaseId, name }) => [databaseId, name]));
  const merged = new Map<string, { readonly finding: Finding; readonly about: string[] }>();
  for (const [databaseId, findings] of databases)
    for (const finding of findings) {
      const key = JSON.stringify([finding.rule, finding.severity, finding.sentence, finding.remedy]);
      const known = merged.get(key);
      const name = names.get(databaseId) ?? `database_id ${databaseId}`;
      if (known === undefined) merged.set(key, { finding, about: [name] });
      else known.about.push(name);
    }
  const all: readonly ReviewFinding[] = [
    ...server.map((finding) => ({ ...finding, about: null })),
    ...[...merged.values()].map(({ finding, about: names }) => {
      return {
        ...finding,
        about: names.length > MOST_NAMES ? countDatabases(names.length) : names.join(', '),
      };
    }),
  ];
  const sorted = SEVERITIES.flatMap((severity) => all.filter((one) => one.severity === severity));
  const count = (severity: Finding['severity']): number =>
    all.filter((one) => one.severity === severity).length;
  const counts = { blocks: count('blocks'), 'look first': count('look first'), inform: count('inform') };
  return { counts, listed: sorted.slice(0, MOST_LISTED) };
}

export const SEVERITY_NAMES: Readonly<Record<Finding['severity'], string>> = {
  blocks: t('Blocks'),
  'look first': t('Look first'),
  inform: t('Good to know'),
};
