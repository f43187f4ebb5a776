/** `check`: what is wrong on the servers, by rules with ids of their own, for people and builds. It changes nothing. */
import { checkPolicy, checkServer } from '../check/findings';
import { type CheckedServer, type CheckReport, isAtLeast, listFindings } from '../check/finding';
import { writeCheckJson } from '../check/json';
import { writeJunit } from '../check/junit';
import type { CheckLevel } from '../check/rules';
import { writeSarif } from '../check/sarif';
import { summarize, writeBlocks, writeLines } from '../check/text';
import { describePartly } from '../../../src/core/advice/instance';
import { FINE } from '../../../src/lake/tables';
import { EXIT } from '../kit/exit';
import { type Output, writeResult } from '../kit/output';
import { judgeServers, type Look, type LookOptions } from '../look/judged-servers';
import { findPolicy, type FoundPolicy } from '../look/policy-file';
import { reachServers, type ServerOptions } from '../servers/reaching';

export const FORMATS = ['text', 'json', 'sarif', 'junit'] as const;

export interface CheckOptions extends ServerOptions, LookOptions {
  readonly policy?: string;
  readonly format: (typeof FORMATS)[number];
  readonly output?: string;
  readonly failOn: CheckLevel;
  /** On a terminal, each database on a line. */
  readonly all?: boolean;
}

/** @returns the exit code @throws BadUsage, Error with one sentence */
export async function runCheck(options: CheckOptions, output: Output): Promise<number> {
  const policy = await findPolicy(options.policy);
  const servers = await reachServers(options, output);
  const checked = new Map<string, CheckedServer>();
  const take = async (look: Look) => void checked.set(look.server.name, describe(look, policy));
  await judgeServers(servers, options, policy, output, take);
  const unread = { ...NOTHING_SEEN, unread: 'It was not read.' };
  const report: CheckReport = {
    checkedUtcMs: Date.now(),
    policyFile: policy.file,
    policyFindings: checkPolicy(policy.inForce),
    servers: servers.map(({ name }) => checked.get(name) ?? { ...unread, name }),
  };
  const text = write(report, options, options.output === undefined ? output.screen : null);
  const exitCode = findExit(report, options.failOn);
  if (options.output !== undefined) await writeResult(options.output, text);
  else if (text !== '') output.result(text);
  const counts = { servers: servers.length, findings: listFindings(report).length };
  output.event('info', summarize(report, exitCode), counts);
  return exitCode;
}

const NONE = { databases: [], findings: [], unseen: [] } as const;
const NOTHING_SEEN = { serverName: null, state: ['', ''], byWaits: null, ...NONE } as const;

function describe(
  { server: { name }, outcome, reason, monitor }: Look,
  { inForce }: FoundPolicy,
): CheckedServer {
  const unread = FINE.has(outcome) ? null : `${outcome}${reason === null ? '' : `. ${reason}`}`;
  const facts = monitor?.snapshot.facts ?? null;
  if (monitor === null || facts === null) return { ...NOTHING_SEEN, name, unread: unread ?? outcome };
  const { partly = null } = monitor.snapshot.instance ?? {};
  const notWhole = unread ?? (partly === null ? null : `The answer is partial: ${describePartly(partly)}.`);
  return { name, unread: notWhole, ...checkServer({ ...monitor.snapshot, facts }, inForce.policy) };
}

function write(report: CheckReport, options: CheckOptions, screen: Output['screen']): string {
  const { format, failOn, policy, servers, all = false } = options;
  if (format === 'json') return writeCheckJson(report);
  if (format === 'sarif') return writeSarif(report, policy ?? report.policyFile ?? servers ?? null);
  if (format === 'junit') return writeJunit(report, failOn);
  return screen === null ? writeLines(report) : writeBlocks(report, screen, all);
}

/** A finding counts more than a server that was not read: it is there whatever the others say. */
function findExit(report: CheckReport, failOn: CheckLevel): number {
  if (report.servers.every(({ serverName }) => serverName === null)) return EXIT.failed;
  if (listFindings(report).some(({ finding }) => isAtLeast(finding.level, failOn))) return EXIT.findings;
  return report.servers.every(({ unread }) => unread === null) ? EXIT.done : EXIT.someServers;
}
