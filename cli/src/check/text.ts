/** Findings for people: a block for each server that has any, and nothing where all is well. */
import { makeVisible } from '../../../src/core/visible';
import { type CheckFinding, type CheckReport, listFindings, tell } from './finding';
import { type Level, LEVELS } from './rules';

export function writeText(report: CheckReport): string {
  const blocks = [
    writeBlock(report.policyFile ?? 'Policy', null, report.policyFindings),
    ...report.servers.map(({ name, unread, findings }) => writeBlock(name, unread, findings)),
  ];
  return blocks.filter((block) => block !== '').join('\n');
}

/** One sentence for the end of a run: "2 errors and 1 note on 2 of 5 servers." */
export function summarize(report: CheckReport): string {
  const counts = LEVELS.flatMap((level) => {
    const count = listFindings(report).filter(({ finding }) => finding.level === level).length;
    return count === 0 ? [] : [`${count} ${nameLevel(level, count)}`];
  });
  const { servers } = report;
  const unread = servers.filter((server) => server.unread !== null).length;
  const concerned = servers.filter(({ findings }) => findings.length > 0).length;
  const found = counts.length === 0 ? 'Nothing found' : counts.join(', ');
  const where = counts.length === 0 ? '' : ` on ${concerned} of ${servers.length} servers`;
  return `${found}${where}. ${unread === 0 ? 'All servers were read.' : `${unread} of ${servers.length} servers were not read whole.`}`;
}

function nameLevel(level: Level, count: number): string {
  return count === 1 ? level : `${level}s`;
}

function writeBlock(title: string, unread: string | null, findings: readonly CheckFinding[]): string {
  if (unread === null && findings.length === 0) return '';
  const lines = findings.map((finding) => `  ${finding.level.padEnd(7)}  ${makeVisible(tell(finding))} [${finding.rule}]`);
  return [makeVisible(title), ...(unread === null ? [] : [`  not read  ${makeVisible(unread)}`]), ...lines, ''].join('\n');
}
