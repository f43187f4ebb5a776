/** The servers that are registered on a central management server. It is only read. */
import { fillTemplate } from '../../../src/core/script/template';
import { defineRow, integer, isLacking, nullable, readRows, type RowOf, text } from '../../../src/core/rows';
import type { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { ServerQuery } from '../../../src/monitor/queries/server-query';
import { readTemplates } from '../../../src/texts';
import type { ServerAccess } from '../../../src/hosts/host';
import type { RegisteredServer } from './registered-servers';

const centralRow = defineRow({
  group_id: integer(),
  parent_id: nullable(integer()),
  group_name: text(),
  server_name: nullable(text()),
  server_address: nullable(text()),
});
type CentralRow = RowOf<typeof centralRow>;

/** sql/read/central-servers.sql gives no more. */
const MOST_ROWS = 20_000;

/** @throws Error with one sentence */
export async function readCentralServers(
  access: ServerAccess,
  breaker: LoginBreaker,
): Promise<readonly RegisteredServer[]> {
  const query = new ServerQuery(access, breaker);
  try {
    const answer = await query.run(fillTemplate(readTemplates.centralServers, {}));
    const { rows, problems } = readRows(centralRow, answer);
    const problem = problems.find(isLacking)?.message ?? findFault(rows);
    if (problem !== null) throw new Error(`The servers of ${access.label} cannot be read: ${problem}`);
    const tooMany = `${MOST_ROWS} servers and groups or more are registered on ${access.label}. No more can be read.`;
    if (rows.length >= MOST_ROWS) throw new Error(tooMany);
    return listRegistered(rows);
  } finally {
    await query.dispose();
  }
}

/** A server has name and address, a group is below another, one above all: else servers were missing, or misplaced. */
function findFault(rows: readonly CentralRow[]): string | null {
  const groups = new Set(rows.map(({ groupId }) => groupId));
  const tops = new Set(rows.filter(({ parentId }) => parentId === null).map(({ groupId }) => groupId));
  if (tops.size !== 1 || rows.some(({ parentId }) => parentId !== null && !groups.has(parentId)))
    return 'Its groups do not fit together.';
  for (const { serverName: name, serverAddress: address } of rows)
    if ((name === null) !== (address === null))
      return `${name ?? address} has no ${name === null ? 'name' : 'address'}.`;
  return null;
}

function listRegistered(rows: readonly CentralRow[]): readonly RegisteredServer[] {
  const groups = new Map(rows.map((row) => [row.groupId, row]));
  return rows.flatMap(({ groupId, serverName: name, serverAddress: server }) =>
    name === null || server === null ? [] : [{ name, server, group: nameGroup(groupId, groups) }],
  );
}

/** From the outermost on; the group above all others has no name for people. A circle of groups ends. */
function nameGroup(id: number, groups: ReadonlyMap<number, CentralRow>): string {
  const above = new Set<CentralRow>();
  for (let row = groups.get(id); row?.parentId != null && !above.has(row); row = groups.get(row.parentId))
    above.add(row);
  return Array.from(above, ({ groupName }) => groupName)
    .reverse()
    .join('/');
}
