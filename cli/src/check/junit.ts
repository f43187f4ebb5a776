/** Findings as JUnit XML, for Jenkins, GitLab, Azure DevOps, GitHub: a suite a server, a case the task or a database */
import { escapeMarkup } from '../../../src/core/markup';
import { type CheckedServer, type CheckFinding, type CheckReport, isAtLeast } from './finding';
import type { CheckLevel } from './rules';

interface Case {
  readonly name: string;
  readonly findings: readonly CheckFinding[];
  /** Why it could not be tried. */
  readonly error: string | null;
}

/** @param failOn findings below it do not fail their case */
export function writeJunit(
  { policyFile, policyFindings, servers, checkedUtcMs }: CheckReport,
  failOn: CheckLevel,
): string {
  const policy: Case = { name: policyFile ?? 'policy', findings: policyFindings, error: null };
  const suites = [
    ...(policyFile === null ? [] : [{ name: 'policy', cases: [policy] }]),
    ...servers.map((server) => ({ name: server.name, cases: listCases(server) })),
  ];
  const timestamp = new Date(checkedUtcMs).toISOString().slice(0, 19);
  const all = suites.flatMap(({ cases }) => cases);
  const body = suites.map(
    ({ name, cases }) =>
      `  <testsuite${write({ name, ...count(cases, failOn), skipped: 0, time: 0, timestamp })}>\n${cases
        .map((one) => writeCase(name, one, failOn))
        .join('')}  </testsuite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${write({ name: 'Checkpoint Health', ...count(all, failOn), time: 0 })}>\n${body.join('')}</testsuites>\n`;
}

function listCases({ unread, findings, databases }: CheckedServer): readonly Case[] {
  const about = (database: string | null): readonly CheckFinding[] =>
    findings.filter((one) => one.database === database);
  const read: Case = { name: 'server was read', findings: [], error: unread };
  if (unread !== null && databases.length === 0) return [read];
  return [
    read,
    { name: 'checkpoint task', findings: about(null), error: null },
    ...databases.map((name) => ({ name: `database ${name}`, findings: about(name), error: null })),
  ];
}

function count(cases: readonly Case[], failOn: CheckLevel): Readonly<Record<string, number>> {
  return {
    tests: cases.length,
    failures: cases.filter((one) => listFailures(one, failOn).length > 0).length,
    errors: cases.filter(({ error }) => error !== null).length,
  };
}

const listFailures = ({ findings }: Case, failOn: CheckLevel): readonly CheckFinding[] =>
  findings.filter(({ level }) => isAtLeast(level, failOn));

/** Readers take one failure a case, so the first names it and the text has all. */
function writeCase(suite: string, one: Case, failOn: CheckLevel): string {
  const failures = listFailures(one, failOn);
  const [first] = failures;
  const passed = one.findings.filter((finding) => !failures.includes(finding));
  let inside = one.error === null ? '' : `      <error${write({ type: 'not-read', message: one.error })}/>\n`;
  if (first !== undefined)
    inside += `      <failure${write({ type: first.rule, message: first.sentence })}>${writeLines(failures)}</failure>\n`;
  if (passed.length > 0) inside += `      <system-out>${writeLines(passed)}</system-out>\n`;
  const head = `    <testcase${write({ classname: suite, name: one.name, time: 0 })}`;
  return inside === '' ? `${head}/>\n` : `${head}>\n${inside}    </testcase>\n`;
}

const writeLines = (findings: readonly CheckFinding[]): string =>
  findings.map(({ level, rule, sentence }) => escapeMarkup(`${level} ${rule}: ${sentence}`)).join('\n');

const write = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`)
    .join('');
