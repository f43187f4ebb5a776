/** Registered servers as SSMS exports them (.regsrvr), but not their connection strings, which may hold passwords. */
import { SaxesParser } from 'saxes';

export interface RegisteredServer {
  readonly name: string;
  readonly server: string;
  /** From the outermost on, with `/` between; '' outside of groups. */
  readonly group: string;
}

const WANTED: readonly string[] = ['Name', 'ServerName', 'ServerType', 'Uri'];
/** The group of all groups of the Database Engine. */
const ALL = /^\/RegisteredServersStore\/ServerGroup\/DatabaseEngineServerGroup(?=\/|$)/;

/** @throws Error with one sentence */
export function readRegisteredServers(text: string): readonly RegisteredServer[] {
  const found: RegisteredServer[] = [];
  let fields: Map<string, string> | null = null;
  const open: string[] = [];
  const parser = new SaxesParser({ position: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('it has a document type, and SSMS writes none.');
  });
  parser.on('opentag', ({ name }) => {
    open.push(name.slice(name.indexOf(':') + 1));
    if (open[open.length - 1] === 'RegisteredServer') fields = new Map();
  });
  const take = (part: string): void => {
    const name = open[open.length - 1] ?? '';
    if (fields !== null && WANTED.includes(name)) fields.set(name, (fields.get(name) ?? '') + part);
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => {
    if (open.pop() !== 'RegisteredServer' || fields === null) return;
    const [name = '', server = '', type = 'DatabaseEngine', uri = ''] = WANTED.map((field) =>
      fields?.get(field)?.trim(),
    );
    // Analysis Services and others are registered in the same file.
    if (server !== '' && type === 'DatabaseEngine')
      found.push({ name: name || server, server, group: readGroup(uri) });
    fields = null;
  });
  parser.write(text).close();
  return found;
}

/** `.../DatabaseEngineServerGroup/ServerGroup/A/ServerGroup/B` -> `A/B`. In names `_/` is a slash, `__` may be `_`. */
function readGroup(uri: string): string {
  const steps = uri.replace(ALL, '').match(/(?:_[_/]|[^/])+/g) ?? [];
  return steps
    .filter((_, at) => at % 2 === 1)
    .map((step) => step.replace(/_([_/])/g, '$1'))
    .join('/');
}

/** The servers of a group and of the groups below it. */
export function pickGroup(servers: readonly RegisteredServer[], wanted: string): readonly RegisteredServer[] {
  return servers.filter(({ group }) => `/${group}/`.includes(`/${wanted}/`));
}

/** Said of a group without servers. */
export function describeGroups(servers: readonly RegisteredServer[], wanted: string): string {
  const groups = [...new Set(servers.map(({ group }) => group))].filter((group) => group !== '').sort();
  return `No server is in the group ${wanted}. ${groups.length === 0 ? 'There are no groups.' : `The groups are ${groups.join(', ')}.`}`;
}
