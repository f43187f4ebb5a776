import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptName } from '../../tools/tsql-check/check';

/** The first release with it; 'Azure': only there. */
type Since = number | 'Azure';
/** What is there since then or longer says no release. */
const OLDEST: Since = 2012;

interface CatalogObject {
  readonly since: Since;
  /** "name", or "name 2016" where it came later than the object. */
  readonly columns: readonly string[];
}

interface NamesOfKind {
  readonly source: string;
  /** "name", or "name 2016". */
  readonly names: readonly string[];
}

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(join(__dirname, 'catalogue', name), 'utf8')) as T;
const objects = new Map(
  Object.entries(read<Record<string, Pick<CatalogObject, 'columns'>>>('objects.json')).map(
    ([name, object]) => [name.toLowerCase(), { since: OLDEST, ...object }],
  ),
);
const kinds = read<Record<string, NamesOfKind>>('names.json');
const names = new Map(
  Object.entries(kinds).map(([kind, { names: listed }]) => [kind, readSince(listed, OLDEST)]),
);

function readSince(listed: readonly string[], usual: Since): ReadonlyMap<string, Since> {
  return new Map(
    listed.map((text) => {
      const match = /^(.*) (20\d\d)$/.exec(text);
      return match === null
        ? [text.toLowerCase(), usual]
        : [(match[1] as string).toLowerCase(), Number(match[2])];
    }),
  );
}

/**
 * Why a script may not name this, as one sentence; null where it may.
 * @param oldest the release that the script claims to run on; null: Azure alone
 */
export function findUnknownName(
  { kind, name, line, isExecuted }: Pick<ScriptName, 'kind' | 'name' | 'line' | 'isExecuted'>,
  oldest: number | null,
): string | null {
  const since =
    kind === 'column'
      ? findColumn(name)
      : kind === 'object'
        ? objects.get(name.toLowerCase())?.since
        : names.get(kind)?.get(name.toLowerCase());
  if (since === undefined) return `line ${line}: ${kind} ${name} is not in the catalogue`;
  if (oldest === null || since === 'Azure')
    return since === 'Azure' && oldest !== null ? `line ${line}: ${kind} ${name} is in Azure only` : null;
  return since > oldest && !isExecuted
    ? `line ${line}: ${kind} ${name} is there since ${since}, the script claims ${oldest}`
    : null;
}

/** "sys.databases/name"; "a|b/name" where it may belong to either. */
function findColumn(name: string): Since | undefined {
  const slash = name.lastIndexOf('/');
  const column = name.slice(slash + 1).toLowerCase();
  const found = name
    .slice(0, slash)
    .split('|')
    .flatMap((object) => {
      const listed = objects.get(object.toLowerCase());
      const since = listed === undefined ? undefined : readSince(listed.columns, listed.since).get(column);
      return since === undefined ? [] : [since];
    });
  return found[0];
}

/**
 * The oldest release in the header's "Runs on"; null where it is for Azure SQL Database alone.
 * @throws Error where the header does not say
 */
export function readOldestRelease(sql: string): number | null {
  const claim = /^Runs on:\s+(.*)$/m.exec(sql)?.[1] ?? '';
  const release = /SQL Server (20\d\d)/.exec(claim);
  if (release !== null) return Number(release[1]);
  if (/Azure SQL Database/.test(claim)) return null;
  throw new Error(`the header does not say on which release it runs: "${claim}"`);
}
