/** `report`: the fleet as one file to read, from servers or from the lake alone. It changes nothing. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FINE } from '../../../src/lake/tables';
import { BadUsage, EXIT } from '../kit/exit';
import { type Output, tellOf, writeResult } from '../kit/output';
import { judgeServers, type Look, type LookOptions } from '../look/judged-servers';
import { findPolicy, type FoundPolicy } from '../look/policy-file';
import { describeLakes } from '../report/from-lake';
import { writeHtml } from '../report/html';
import { writeMarkdown } from '../report/markdown';
import { describeServer, judgedBy, keepWorst, type ReportedServer } from '../report/reported-server';
import type { Report } from '../report/tables';
import { reachServers, type ServerOptions } from '../servers/reaching';

export const REPORT_FORMATS = ['html', 'markdown'] as const;

export interface ReportOptions extends ServerOptions, LookOptions {
  readonly policy?: string;
  readonly output: string;
  readonly format: (typeof REPORT_FORMATS)[number];
}

const FILE_NAMES = { html: 'checkpoint-health.html', markdown: 'checkpoint-health.md' } as const;

/** @returns the exit code @throws BadUsage, Error with one sentence */
export async function runReport(options: ReportOptions, output: Output): Promise<number> {
  const policy = await findPolicy(options.policy);
  const { servers, origin } = await (isOfServers(options)
    ? readServers(options, policy, output)
    : readLakes(options, policy, output));
  if (servers.every(({ known }) => known === null))
    throw new Error('No data about any server, so no report was written.');
  const report: Report = { madeUtcMs: Date.now(), origin, servers };
  const isFolder = await stat(options.output).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? join(options.output, FILE_NAMES[options.format]) : options.output;
  await writeResult(file, options.format === 'html' ? writeHtml(report) : writeMarkdown(report));
  const { length } = servers;
  output.event('info', `The report of ${length} servers is ${file}.`, { servers: length, file });
  return servers.every(({ trouble }) => trouble === null) ? EXIT.done : EXIT.someServers;
}

const isOfServers = ({ server, servers, cms }: ServerOptions): boolean =>
  [server, servers, cms].some((each) => each !== undefined);

type Gathered = Pick<Report, 'servers' | 'origin'>;

async function readLakes(
  { lake: folders = [], days }: ReportOptions,
  { inForce }: FoundPolicy,
  output: Output,
): Promise<Gathered> {
  if (folders.length === 0) throw new BadUsage('Give --lake, or servers with --server, --servers or --cms.');
  const tell = (done: number, all: number): void => output.progress(done, all, 'servers');
  const servers = await describeLakes(folders, days, inForce, tellOf(output), tell);
  const from = folders.length === 1 ? 'the lake' : `${folders.length} lakes`;
  return { servers, origin: `From ${from}: the last ${days} days of each server. No server was queried.` };
}

async function readServers(options: ReportOptions, policy: FoundPolicy, output: Output): Promise<Gathered> {
  let gathered: readonly ReportedServer[] = [];
  await judgeServers(await reachServers(options, output), options, policy, output, async (look) => {
    const described = describeLook(look);
    if (described.trouble !== null) tellOf(output)(described.name, described.trouble);
    gathered = keepWorst([...gathered, described]);
  });
  const evidence = options.lake === undefined ? '' : ` The lake's last ${options.days} days are in it.`;
  return { servers: gathered, origin: `Read from the servers.${evidence}` };
}

function describeLook({ server: { name }, outcome, reason, monitor }: Look): ReportedServer {
  const trouble = FINE.has(outcome) ? null : `This time: ${outcome}${reason === null ? '.' : `. ${reason}`}`;
  const picture = monitor && judgedBy(monitor);
  if (picture === null) return { name, seenUtcMs: null, trouble: trouble ?? outcome, known: null, picture };
  return { name, seenUtcMs: picture.facts.server.nowUtcMs, trouble, known: describeServer(picture), picture };
}
