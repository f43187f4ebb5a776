/** Show Connection Diagnostics as a text: what was found, what was chosen, and why. */
import { countOf, formatCount, formatDuration } from '../../core/format';
import { makeVisible } from '../../core/visible';
import type { AskedQuery } from '../../monitor/queries/server-query';
import type { HostChoice } from '../hosts/host-choice';
import { hostNames } from '../hosts/host-choice';

export interface Diagnostics {
  readonly extensionVersion: string;
  /** Name and version of the editor, its language, where its extensions run. */
  readonly editor: readonly string[];
  /** null: not looked yet. */
  readonly choice: HostChoice | null;
  readonly ways: readonly {
    readonly name: keyof typeof hostNames;
    /** One sentence; null: its connections can be used. */
    readonly obstacle: string | null;
    readonly details: readonly string[];
  }[];
  readonly servers: readonly {
    readonly name: string;
    readonly way: keyof typeof hostNames;
    readonly connection: string;
    readonly failure: string | null;
    /** Why what is known of it is not of now; null: it is. */
    readonly absence: string | null;
    /** What it was asked in the last minute. */
    readonly lastMinute: readonly AskedQuery[];
  }[];
  /** Of each account, how many logins were sent and refused. */
  readonly logins: readonly string[];
  readonly isTrusted: boolean;
  /** Connections of this workspace that were ignored. */
  readonly untrusted: number;
}

const places = {
  azdata: 'the Connections viewlet of Azure Data Studio',
  mssql: 'the SQL Server container',
  own: 'a container of its own',
};

export function writeDiagnostics(found: Diagnostics): string {
  return [
    '# Checkpoint Health: Connection Diagnostics',
    '',
    'Names of servers are in here; passwords, tokens and connection strings are not.',
    '',
    `- Checkpoint Health ${found.extensionVersion}`,
    ...found.editor.map((line) => `- ${line}`),
    `- Workspace: ${describeTrust(found)}`,
    '',
    '## Chosen',
    '',
    ...(found.choice === null
      ? ['Not decided yet.']
      : [`${hostNames[found.choice.name]}. ${found.choice.why}`, '', `The pane is in ${places[found.choice.place]}.`]),
    '',
    '## Ways to a server, in the order of preference',
    ...found.ways.flatMap(({ name, obstacle, details }) => [
      '',
      `### ${hostNames[name]}`,
      '',
      obstacle ?? 'Can be used.',
      ...(details.length === 0 ? [] : ['', ...details.map((line) => `- ${line}`)]),
    ]),
    '',
    '## Servers in the pane',
    '',
    ...(found.servers.length === 0 ? ['None.'] : found.servers.flatMap(describeServer)),
    '',
    '## Logins since the window was opened',
    '',
    ...(found.logins.length === 0 ? ['None.'] : found.logins.map((line) => `- ${line}`)),
    '',
  ]
    .map(makeVisible)
    .join('\n');
}

function describeTrust({ isTrusted, untrusted }: Diagnostics): string {
  if (isTrusted) return 'trusted';
  return `not trusted; connections that it defines are ignored (${untrusted} found)`;
}

function describeServer({ name, way, connection, failure, absence, lastMinute }: Diagnostics['servers'][number]): readonly string[] {
  const state = absence === null ? connection : `${connection}; ${absence}`;
  return [`- ${name}: ${hostNames[way]}, ${state}`, ...(failure === null ? [] : [`  ${failure}`]), `  ${describeMinute(lastMinute)}`];
}

/** "Last minute: 3 queries, 120 ms in all, the longest 31 ms (event-session), 20 KB of answers. 2 × event-session, checkpoint-events; 1 × server-facts." */
function describeMinute(asked: readonly AskedQuery[]): string {
  const [longest] = [...asked].sort((a, b) => b.tookMs - a.tookMs);
  if (longest === undefined) return 'Last minute: no query.';
  const counts = new Map<string, number>();
  for (const { name } of asked) counts.set(name, (counts.get(name) ?? 0) + 1);
  const byName = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${formatCount(count)} × ${name}`);
  const wholeMs = asked.reduce((sum, { tookMs }) => sum + tookMs, 0);
  const took = `${formatDuration(wholeMs)} in all, the longest ${formatDuration(longest.tookMs)} (${longest.name})`;
  const kilobytes = Math.round(asked.reduce((sum, { characters }) => sum + characters, 0) / 1000);
  const each = asked.some(({ isLogin }) => isLogin) ? ', each a login' : '';
  return `Last minute: ${countOf(asked.length, 'query', 'queries')}${each}, ${took}, ${formatCount(kilobytes)} KB of answers. ${byName.join('; ')}.`;
}
