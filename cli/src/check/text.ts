/** Findings as text: a block for each server where a person reads it, a line for each finding where a program does. */
import { countDatabases, formatPercent } from '../../../src/core/format';
import { listSentences } from '../../../src/core/language';
import { makeVisible } from '../../../src/core/visible';
import type { Screen } from '../kit/output';
import { listFindings, tell } from './finding';
import type { CheckedServer, CheckFinding, CheckReport, FindingFigures } from './finding';
import { CHECK_LEVELS, RULE_IDS } from './rules';
import { addToList, countEach } from '../../../src/core/lists';

const STYLES = { error: 'red', warning: 'yellow', note: 'cyan' } as const;
/** Where the text of a row begins: behind two blanks and the longest level. */
const INDENT = 11;
const LONGEST_RULE = Math.max(...RULE_IDS.map(({ length }) => length));
/** Of those with the largest share of the task. */
const MOST_NAMES = 3;

/** A finding a line: level, server, database, rule, figures and sentence, with tabs between them, and `-` for none. */
export function writeLines(report: CheckReport): string {
  const found = listFindings(report).map(({ server, finding }) => {
    const { level, database, rule, figures, sentence } = finding;
    return [level, server, database, rule, writeFigures(figures), sentence];
  });
  const unread = report.servers.flatMap((one) =>
    one.unread === null ? [] : [['unread', one.name, null, null, null, one.unread]],
  );
  return [...found, ...unread]
    .map((fields) => fields.map((field) => makeVisible(field ?? '') || '-').join('\t'))
    .join('\n');
}

const writeFigures = (figures: FindingFigures): string =>
  Object.entries(figures)
    .map(([name, value = 0]) => `${name}=${Math.round(value * 100) / 100}`)
    .join(' ');

/** @param areAllNamed each database on a line of its own */
export function writeBlocks(
  { policyFile, policyFindings, servers }: CheckReport,
  screen: Screen,
  areAllNamed: boolean,
): string {
  const widest = Math.min(40, Math.max(...servers.map(({ name }) => makeVisible(name).length)));
  const found = [...policyFindings, ...servers.flatMap(({ findings }) => findings)][0];
  const writeBlock = (head: readonly string[], findings: readonly CheckFinding[]): string =>
    `\n${[...head, ...writeRows(findings, screen, areAllNamed)].join('\n')}\n`;
  const policy = [screen.paint('bold', makeVisible(policyFile ?? 'Policy'))];
  const help = `Each database on a line: --all      What a rule means: checkpoint-health help ${found?.rule}`;
  return [
    policyFindings.length === 0 ? '' : writeBlock(policy, policyFindings),
    ...servers.map((server) => writeBlock(writeHead(server, widest, screen), server.findings)),
    found === undefined ? '' : writeBlock([screen.paint('dim', help)], []),
  ].join('');
}

/** The name with the state, in the colour of the worst that was found of the server itself. */
function writeHead(
  { name, serverName, unread, state, findings }: CheckedServer,
  widest: number,
  screen: Screen,
): readonly string[] {
  const { columns, paint } = screen;
  const begin = `${paint('bold', makeVisible(name))}${' '.repeat(Math.max(0, widest - makeVisible(name).length) + 3)}`;
  if (serverName === null) return [`${begin}${paint('yellow', 'Not read:')} ${makeVisible(unread ?? '')}`];
  const [title, busy] = findings.length === 0 ? ['Nothing found.', state.join(' ')] : state;
  const worst = findings.find(({ database }) => database === null)?.level;
  const isShort = widest + 3 + title.length + 1 + busy.length <= columns;
  const line = `${begin}${worst === undefined ? title : paint(STYLES[worst], title)}`;
  return [
    ...(isShort ? [`${line} ${busy}`] : [line, `${' '.repeat(widest + 3)}${busy}`]),
    ...(unread === null ? [] : [`  ${paint('yellow', 'UNREAD'.padEnd(INDENT - 2))}${makeVisible(unread)}`]),
    ...(findings.length === 0 ? [] : ['']),
  ];
}

/** A row for each group of findings that say the same of several databases. */
function writeRows(
  findings: readonly CheckFinding[],
  { columns, paint }: Screen,
  areAllNamed: boolean,
): readonly string[] {
  const groups = new Map<string, CheckFinding[]>();
  const placeOf = ({ level, rule }: CheckFinding): number =>
    CHECK_LEVELS.indexOf(level) * RULE_IDS.length + RULE_IDS.indexOf(rule);
  for (const one of [...findings].sort((a, b) => placeOf(a) - placeOf(b))) {
    addToList(groups, JSON.stringify([one.level, one.rule, one.title]), one);
  }
  const room = Math.max(30, columns - INDENT - 2 - LONGEST_RULE);
  const rows = [...groups.values()].map((members) => [members, wrap(describeGroup(members), room)] as const);
  const width = Math.min(room, Math.max(0, ...rows.map(([, [first = '']]) => first.length)));
  return rows.flatMap(([members, [first = '', ...rest]]) => {
    const [{ level, rule, advice = null }] = members as [CheckFinding];
    const below = [
      ...rest,
      ...(advice === null ? [] : wrap(advice, columns - INDENT)),
      ...nameMembers(members, areAllNamed),
    ];
    const mark = paint(STYLES[level], level.toUpperCase().padEnd(INDENT - 2));
    return [
      `  ${mark}${first.padEnd(width)}  ${paint('dim', rule)}`,
      ...below.map((line) => `${' '.repeat(INDENT)}${line}`),
    ];
  });
}

/** "18 databases feed the queue, 43.8 % of the task", "Hurts log writes: 2 databases" */
function describeGroup(members: readonly CheckFinding[]): string {
  const [first] = members as [CheckFinding];
  if (first.database === null) return makeVisible(first.title);
  const total = members.reduce((sum, { figures }) => sum + (figures.share_pct ?? 0), 0);
  const share = total === 0 ? '' : `${formatPercent(total / 100)} of the task`;
  if (members.length === 1)
    return makeVisible(share === '' ? tell(first) : `${tell(first)} It takes ${share}.`);
  const count = countDatabases(members.length);
  const title = makeVisible(first.title.replace(/\.$/, ''));
  const said = title.replace(/^(Feed|Wait)s /, (_, verb: string) => `${count} ${verb.toLowerCase()} `);
  return `${said === title ? `${title}: ${count}` : said}${share === '' ? '' : `, ${share}`}`;
}

function nameMembers(members: readonly CheckFinding[], areAllNamed: boolean): readonly string[] {
  if (members.length === 1) return [];
  const sorted = [...members].sort((a, b) => (b.figures.share_pct ?? 0) - (a.figures.share_pct ?? 0));
  const nameOf = ({ database }: CheckFinding): string => makeVisible(database ?? '');
  const sayAll = (one: CheckFinding): readonly string[] =>
    listSentences(
      nameOf(one),
      writeFigures(one.figures),
      one.sentence === one.title ? '' : makeVisible(one.sentence),
    );
  if (areAllNamed) return sorted.map((one) => sayAll(one).join('  '));
  const nameFirst = (some: readonly CheckFinding[]): string => {
    const named = some.slice(0, MOST_NAMES).map((one) => {
      const { share_pct: share } = one.figures;
      return share === undefined ? nameOf(one) : `${nameOf(one)} ${formatPercent(share / 100)}`;
    });
    const left = some.length - named.length;
    return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join('  ');
  };
  const waves = [...new Set(sorted.map(({ figures }) => figures.wave))];
  return waves
    .sort((a = Infinity, b = Infinity) => a - b)
    .map((wave) => {
      const own = sorted.filter(({ figures }) => figures.wave === wave);
      return wave === undefined ? nameFirst(own) : `wave ${wave}  ${own.length} of them  ${nameFirst(own)}`;
    });
}

/** Broken at blanks; a longer word stays whole. */
const wrap = (text: string, width: number): readonly string[] =>
  text
    .replace(new RegExp(`(.{1,${width}})( |$)`, 'g'), '$1\n')
    .trimEnd()
    .split('\n');

/** The end of a run: "2 errors and 1 note on 2 of 5 servers. 1 of 5 servers not fully read. Exit code 1." */
export function summarize(report: CheckReport, exitCode: number): string {
  const { servers } = report;
  const levels = countEach(listFindings(report).map(({ finding }) => finding.level));
  const counts = CHECK_LEVELS.flatMap((level) => {
    const count = levels.get(level);
    return count === undefined ? [] : `${count} ${level}${count === 1 ? '' : 's'}`;
  });
  const unread = servers.filter((server) => server.unread !== null).length;
  const concerned = servers.filter(({ findings }) => findings.length > 0).length;
  const none = `Nothing ${servers.every(({ serverName }) => serverName === null) ? 'could be checked' : 'found'}`;
  const found = counts.length === 0 ? none : counts.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  const where = counts.length === 0 ? '' : ` on ${concerned} of ${servers.length} servers`;
  const read =
    unread === 0 ? 'All servers were read.' : `${unread} of ${servers.length} servers not fully read.`;
  return `${found}${where}. ${read} Exit code ${exitCode}.`;
}
